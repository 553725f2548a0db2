//! The settings that an administrator may change while the server runs.

use rules::sea_battle;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The settings of matches and tournaments. Times are in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ServerSettings {
    /// The number of matches at the same time.
    #[schema(minimum = 1, maximum = 64)]
    pub parallel: u32,
    /// The pause between the end of a match and the next one.
    #[schema(maximum = 600_000)]
    pub pause_match: u64,
    /// The pause between the end of a tournament and the next one.
    #[schema(maximum = 86_400_000)]
    pub pause_tournament: u64,
    /// The number of moves of both players together after which hits are compared.
    #[schema(minimum = 1, maximum = 10_000)]
    pub max_moves: u32,
    /// The longest time for an answer of a bot.
    #[schema(minimum = 10, maximum = 60_000)]
    pub limit: u64,
    /// True if everyone may see the ships while a match is played. Bots could look them up, too.
    pub reveal_fleets: bool,
    /// The time for which the big screen shows a move. Matches do not wait for it.
    #[schema(maximum = 60_000)]
    pub pace: u64,
}

impl Default for ServerSettings {
    fn default() -> ServerSettings {
        ServerSettings {
            parallel: 1,
            pause_match: 1000,
            pause_tournament: 10_000,
            max_moves: 120,
            limit: 2000,
            reveal_fleets: false,
            pace: 300,
        }
    }
}

/// Changes of some settings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SettingsChange {
    /// See [`ServerSettings::parallel`].
    pub parallel: Option<u32>,
    /// See [`ServerSettings::pause_match`].
    pub pause_match: Option<u64>,
    /// See [`ServerSettings::pause_tournament`].
    pub pause_tournament: Option<u64>,
    /// See [`ServerSettings::max_moves`].
    pub max_moves: Option<u32>,
    /// See [`ServerSettings::limit`].
    pub limit: Option<u64>,
    /// See [`ServerSettings::reveal_fleets`].
    pub reveal_fleets: Option<bool>,
    /// See [`ServerSettings::pace`].
    pub pace: Option<u64>,
}

impl ServerSettings {
    /// The settings with these changes.
    ///
    /// # Errors
    /// A value is out of its range. The message names the setting and the range.
    pub fn changed(self, change: SettingsChange) -> Result<ServerSettings, String> {
        let changed = ServerSettings {
            parallel: change.parallel.unwrap_or(self.parallel),
            pause_match: change.pause_match.unwrap_or(self.pause_match),
            pause_tournament: change.pause_tournament.unwrap_or(self.pause_tournament),
            max_moves: change.max_moves.unwrap_or(self.max_moves),
            limit: change.limit.unwrap_or(self.limit),
            reveal_fleets: change.reveal_fleets.unwrap_or(self.reveal_fleets),
            pace: change.pace.unwrap_or(self.pace),
        };
        changed.check().map(|()| changed)
    }

    /// The rules of a match.
    pub(super) fn rules(self) -> sea_battle::Settings {
        sea_battle::Settings { max_moves: self.max_moves }
    }

    /// Checks that all settings are in their ranges.
    pub(super) fn check(self) -> Result<(), String> {
        let ranges = [
            ("parallel", self.parallel.into(), 1..=64),
            ("pauseMatch", self.pause_match, 0..=600_000),
            ("pauseTournament", self.pause_tournament, 0..=86_400_000),
            ("maxMoves", self.max_moves.into(), 1..=10_000),
            ("limit", self.limit, 10..=60_000),
            ("pace", self.pace, 0..=60_000),
        ];
        match ranges.into_iter().find(|(_, value, range)| !range.contains(value)) {
            Some((name, value, range)) => {
                Err(format!("{name} is a number from {} to {}, not {value}", range.start(), range.end()))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_stay_within_their_bounds() {
        let change = SettingsChange { limit: Some(500), ..SettingsChange::default() };
        assert_eq!(
            ServerSettings::default().changed(change),
            Ok(ServerSettings { limit: 500, ..ServerSettings::default() })
        );
        let change = SettingsChange { parallel: Some(0), ..SettingsChange::default() };
        assert_eq!(ServerSettings::default().changed(change).unwrap_err(), "parallel is a number from 1 to 64, not 0");
    }
}
