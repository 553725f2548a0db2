//! The settings that an administrator may change while the server runs.

use players::OverHttp;
use rules::Eye;
use rules::sea_battle::{self, MoveLimit, Profile, SeaBattle};
use serde::{Deserialize, Serialize};
use std::time::Duration;
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
    /// The number of moves of each bot after which hits are compared.
    #[serde(default = "usual_moves")]
    #[schema(minimum = 1, maximum = 5_000)]
    pub max_moves_each: u32,
    /// The number of moves of both bots together after which hits are compared: from a journal of version 0.1.0, until
    /// `maxMovesEach` is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
    /// The rules that the texts leave open: `text`, or `public-server`.
    #[serde(default)]
    #[schema(value_type = String)]
    pub profile: Profile,
    /// The longest time for an answer of a bot.
    #[schema(minimum = 10, maximum = 60_000)]
    pub limit: u64,
    /// The longest time for all answers of a bot in a match together. A bot that has used it up loses.
    #[serde(default)]
    #[schema(minimum = 100, maximum = 86_400_000)]
    pub budget: u64,
    /// True if everyone may see ships and the cells that a radar has seen while a match is played. Bots can look them up, too.
    pub reveal_fleets: bool,
    /// The time for which the big screen shows a move. Matches do not wait for it.
    #[schema(maximum = 60_000)]
    pub pace: u64,
    /// True if everyone may play against the house bot in the browser.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub house_play: bool,
}

impl Default for ServerSettings {
    fn default() -> ServerSettings {
        ServerSettings {
            parallel: 1,
            pause_match: 1000,
            pause_tournament: 10_000,
            max_moves_each: usual_moves(),
            max_moves: None,
            profile: Profile::Text,
            limit: usual_limit(Profile::Text),
            budget: usual_budget(Profile::Text),
            reveal_fleets: false,
            pace: 300,
            house_play: false,
        }
    }
}

fn usual_moves() -> u32 {
    Profile::Text.usual_moves()
}

/// The usual limit of a profile, in milliseconds.
fn usual_limit(profile: Profile) -> u64 {
    SeaBattle::usual_limit(&sea_battle::Settings::of(profile)).as_millis() as u64
}

/// The time that a bot may use in a match, as the limit of this number of answers.
const BUDGET_ANSWERS: u64 = 30;

fn usual_budget(profile: Profile) -> u64 {
    BUDGET_ANSWERS * usual_limit(profile)
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
    /// See [`ServerSettings::max_moves_each`].
    pub max_moves_each: Option<u32>,
    /// See [`ServerSettings::profile`]. Another one brings its usual number of moves, its limit and its
    /// budget, unless they are given.
    #[schema(value_type = Option<String>)]
    pub profile: Option<Profile>,
    /// See [`ServerSettings::limit`].
    pub limit: Option<u64>,
    /// See the field `budget` of [`ServerSettings`].
    pub budget: Option<u64>,
    /// See [`ServerSettings::reveal_fleets`].
    pub reveal_fleets: Option<bool>,
    /// See [`ServerSettings::pace`].
    pub pace: Option<u64>,
    /// See [`ServerSettings::house_play`].
    pub house_play: Option<bool>,
}

impl ServerSettings {
    /// The settings with these changes.
    ///
    /// # Errors
    /// A value is out of its range. The message names the setting and the range.
    pub fn changed(self, change: SettingsChange) -> Result<ServerSettings, String> {
        let profile = change.profile.unwrap_or(self.profile);
        let is_new = profile != self.profile;
        let max_moves_each = change.max_moves_each.or_else(|| is_new.then(|| profile.usual_moves()));
        let limit = change.limit.or_else(|| is_new.then(|| usual_limit(profile)));
        let budget = change.budget.or_else(|| is_new.then(|| usual_budget(profile)));
        let changed = ServerSettings {
            parallel: change.parallel.unwrap_or(self.parallel),
            pause_match: change.pause_match.unwrap_or(self.pause_match),
            pause_tournament: change.pause_tournament.unwrap_or(self.pause_tournament),
            max_moves_each: max_moves_each.unwrap_or(self.max_moves_each),
            max_moves: if max_moves_each.is_some() { None } else { self.max_moves },
            profile,
            limit: limit.unwrap_or(self.limit),
            budget: budget.unwrap_or(self.budget),
            reveal_fleets: change.reveal_fleets.unwrap_or(self.reveal_fleets),
            pace: change.pace.unwrap_or(self.pace),
            house_play: change.house_play.unwrap_or(self.house_play),
        };
        changed.check().map(|()| changed)
    }

    /// The settings with a budget: those of a journal of version 2 have none.
    pub(crate) fn resolved(self) -> ServerSettings {
        let budget = if self.budget == 0 { usual_budget(self.profile) } else { self.budget };
        ServerSettings { budget, ..self }
    }

    /// The rules of a match.
    pub(crate) fn rules(self) -> sea_battle::Settings {
        let max_moves = self.max_moves.map_or(MoveLimit::Each(self.max_moves_each), MoveLimit::Together);
        sea_battle::Settings { max_moves, profile: self.profile }
    }

    /// The longest time for all answers of a bot in a match together.
    pub(crate) fn budget(self) -> Duration {
        Duration::from_millis(self.budget)
    }

    /// The eye for which everything is public while a match is being played: it sees what both bots know, or all.
    pub(crate) fn public_eye(self) -> Eye {
        if self.reveal_fleets { Eye::Referee } else { Eye::Everyone }
    }

    /// Checks that all settings are in their ranges.
    pub(crate) fn check(self) -> Result<(), String> {
        let ranges = [
            ("parallel", self.parallel.into(), 1..=64),
            ("pauseMatch", self.pause_match, 0..=600_000),
            ("pauseTournament", self.pause_tournament, 0..=86_400_000),
            ("maxMovesEach", self.max_moves_each.into(), 1..=u64::from(sea_battle::Settings::MOST_MOVES)),
            ("limit", self.limit, 10..=60_000),
            ("budget", self.budget, 100..=86_400_000),
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
    fn fleets_are_hidden_unless_a_setting_shows_them() {
        assert!(!ServerSettings::default().reveal_fleets);
        let change = SettingsChange { reveal_fleets: Some(true), ..SettingsChange::default() };
        assert!(ServerSettings::default().changed(change).unwrap().reveal_fleets);
    }

    #[test]
    fn a_profile_brings_its_moves_and_its_limit_unless_they_are_given() {
        let public = SettingsChange { profile: Some(Profile::PublicServer), ..SettingsChange::default() };
        let changed = ServerSettings::default().changed(public).unwrap();
        assert_eq!((changed.rules(), changed.limit), (sea_battle::Settings::of(Profile::PublicServer), 30_000));
        let changed =
            changed.changed(SettingsChange { limit: Some(2500), max_moves_each: Some(50), ..public }).unwrap();
        let changed = changed.changed(public).unwrap();
        assert_eq!((changed.rules().max_moves, changed.limit), (MoveLimit::Each(50), 2500), "it is no new profile");
    }

    /// Version 0.1.0 counted the moves of both bots together.
    #[test]
    fn settings_of_a_journal_of_before_keep_their_meaning_until_they_are_changed() {
        let text = r#"{"parallel":1,"pauseMatch":1,"pauseTournament":1,"maxMoves":107,"limit":2000,"revealFleets":false,"pace":3}"#;
        let settings: ServerSettings = serde_json::from_str(text).unwrap();
        let of_public_server = ServerSettings { profile: Profile::PublicServer, ..settings };
        assert_eq!([settings, of_public_server].map(|settings| settings.resolved().budget), [60_000, 900_000]);
        let settings = settings.resolved();
        assert_eq!(settings.rules().max_moves, MoveLimit::Together(107));
        let again: ServerSettings = serde_json::from_str(&serde_json::to_string(&settings).unwrap()).unwrap();
        assert_eq!(again, settings);
        let change = SettingsChange { max_moves_each: Some(107), ..SettingsChange::default() };
        assert_eq!(settings.changed(change).unwrap().rules(), sea_battle::Settings::moves(107));
    }

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
