//! Texts and links of pages.

use super::journal_line::{MatchLine, TournamentMode};
use super::leaderboard::ResultView;
use super::name::BotName;
use super::wire::{BotState, BotView, MatchView, TournamentView};
use arena::record::milliseconds;
use serde::Serialize;
use std::fmt;
use std::time::Duration;

impl BotView {
    /// The state of the bot, in words.
    pub(super) fn state_text(&self) -> String {
        let again = self.asked_again_in_s.map(|seconds| format!("asked again in {seconds} s"));
        match self.state {
            BotState::NoUrl => "no URL yet".to_owned(),
            BotState::Unknown => "not asked yet".to_owned(),
            BotState::Reachable => "answers".to_owned(),
            BotState::Unreachable => "does not answer".to_owned(),
            BotState::Parked => format!("parked: it failed to place its fleet; {}", again.unwrap_or_default()),
        }
    }
}

/// Writes the name of the state, as in JSON.
impl fmt::Display for BotState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// The path of a bot's page.
pub(super) fn page_of(name: &str) -> String {
    BotName::new(name).map_or_else(|_| "/".to_owned(), |name| format!("/bots/{}", name.in_path()))
}

impl MatchLine {
    /// The number of the match and its place, in words.
    pub(super) fn title(&self) -> String {
        match &self.final_game {
            None => format!("match {} of tournament {}", self.id, self.tournament),
            Some(place) => format!("match {}: final {}, {}, game {}", self.id, place.number, place.round, place.game),
        }
    }
}

impl MatchView {
    /// The result for the bot with this number, and the name of the opponent.
    pub(super) fn seen_by(&self, id: &str) -> (ResultView, &str) {
        let seat = usize::from(self.bots[0] != id);
        (self.results[seat], &self.names[1 - seat])
    }
}

impl TournamentView {
    /// The part of the state that the name of a match does not tell, in words: no match follows for now, and why.
    pub(super) fn remark(&self) -> String {
        let over =
            if self.over && self.number > 0 { format!("Tournament {} is over.", self.number) } else { String::new() };
        let paused = if self.paused { "Paused." } else { "" };
        let waiting = self.waiting.as_ref().map(|why| format!("Waiting: {why}.")).unwrap_or_default();
        [over.as_str(), paused, &waiting].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The state of the tournament, in words.
    pub(super) fn describe(&self) -> String {
        let state = match (self.mode, self.number) {
            (TournamentMode::Stopped, _) => return "No tournament was started yet.".to_owned(),
            (_, 0) => String::new(),
            (_, _) if self.over => String::new(),
            (_, number) => format!("Tournament {number}: {} of {} matches were played.", self.played, self.planned),
        };
        [state, self.remark()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// A time of the journal, for people.
pub(super) fn moment(at: &str) -> String {
    at.split('.').next().unwrap_or(at).replace('T', " ") + " UTC"
}

/// A duration in milliseconds, for people.
pub(super) fn ms(time: &Option<f64>) -> String {
    time.map_or_else(
        || "–".to_owned(),
        |ms| format!("{} ms", milliseconds(Duration::from_secs_f64(ms.max(0.0) / 1000.0))),
    )
}
