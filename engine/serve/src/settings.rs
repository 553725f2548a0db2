//! What an administrator may change while the server runs.

use serde::{Deserialize, Serialize};
use std::time::Duration;
use utoipa::ToSchema;

/// How matches and tournaments are run. Times are in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Settings {
    /// Matches at the same time.
    #[schema(minimum = 1, maximum = 64)]
    pub parallel: u32,
    /// From the end of a match to the next one.
    #[schema(maximum = 600_000)]
    pub pause_match: u64,
    /// From the end of a tournament to the next one.
    #[schema(maximum = 86_400_000)]
    pub pause_tournament: u64,
    /// Moves of both players together, after which hits are compared.
    #[schema(minimum = 1, maximum = 10_000)]
    pub max_moves: u32,
    /// How long a bot may take for an answer.
    #[schema(minimum = 10, maximum = 60_000)]
    pub limit: u64,
    /// Whether everyone may see where ships lie while a match is played. Bots could look it up, too.
    pub reveal_fleets: bool,
    /// How long the big screen shows a move; matches do not wait for it.
    #[schema(maximum = 60_000)]
    pub pace: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
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

/// Those settings that are to be other than they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SettingsChange {
    /// See [`Settings::parallel`].
    pub parallel: Option<u32>,
    /// See [`Settings::pause_match`].
    pub pause_match: Option<u64>,
    /// See [`Settings::pause_tournament`].
    pub pause_tournament: Option<u64>,
    /// See [`Settings::max_moves`].
    pub max_moves: Option<u32>,
    /// See [`Settings::limit`].
    pub limit: Option<u64>,
    /// See [`Settings::reveal_fleets`].
    pub reveal_fleets: Option<bool>,
    /// See [`Settings::pace`].
    pub pace: Option<u64>,
}

impl Settings {
    /// The same with these changes, or what is wrong with them.
    pub fn changed(self, change: SettingsChange) -> Result<Settings, String> {
        Ok(Settings {
            parallel: within("parallel", change.parallel, self.parallel, 1, 64)?,
            pause_match: within("pauseMatch", change.pause_match, self.pause_match, 0, 600_000)?,
            pause_tournament: within("pauseTournament", change.pause_tournament, self.pause_tournament, 0, 86_400_000)?,
            max_moves: within("maxMoves", change.max_moves, self.max_moves, 1, 10_000)?,
            limit: within("limit", change.limit, self.limit, 10, 60_000)?,
            reveal_fleets: change.reveal_fleets.unwrap_or(self.reveal_fleets),
            pace: within("pace", change.pace, self.pace, 0, 60_000)?,
        })
    }

    /// Whether all of them are within their bounds.
    pub(super) fn check(self) -> Result<(), String> {
        let all = SettingsChange {
            parallel: Some(self.parallel),
            pause_match: Some(self.pause_match),
            pause_tournament: Some(self.pause_tournament),
            max_moves: Some(self.max_moves),
            limit: Some(self.limit),
            reveal_fleets: None,
            pace: Some(self.pace),
        };
        self.changed(all).map(|_| ())
    }

    pub(super) fn time_limit(self) -> Duration {
        Duration::from_millis(self.limit)
    }
}

fn within<T: PartialOrd + std::fmt::Display>(
    name: &str,
    new: Option<T>,
    old: T,
    least: T,
    most: T,
) -> Result<T, String> {
    match new {
        None => Ok(old),
        Some(new) if new >= least && new <= most => Ok(new),
        Some(new) => Err(format!("{name} is a number from {least} to {most}, not {new}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_stay_within_their_bounds() {
        let change = SettingsChange { limit: Some(500), ..SettingsChange::default() };
        assert_eq!(Settings::default().changed(change), Ok(Settings { limit: 500, ..Settings::default() }));
        let change = SettingsChange { parallel: Some(0), ..SettingsChange::default() };
        assert_eq!(Settings::default().changed(change).unwrap_err(), "parallel is a number from 1 to 64, not 0");
    }
}
