//! What pages say in words, and where they lead.

use super::BotName;
use super::leaderboard::Row;
use super::line::Mode;
use super::wire::{BotState, BotView, MatchView, ResultView, TournamentView};
use arena::record::milliseconds;
use std::time::Duration;

impl BotView {
    /// How it is doing, in words.
    pub(super) fn state_in_words(&self) -> String {
        let again = self.asked_again_in_s.map(|seconds| format!("asked again in {seconds} s"));
        match self.state {
            BotState::NoUrl => "no URL yet".to_owned(),
            BotState::Unknown => "not asked yet".to_owned(),
            BotState::Reachable => "answers".to_owned(),
            BotState::Unreachable => "does not answer".to_owned(),
            BotState::Parked => format!("parked: it failed to place its fleet; {}", again.unwrap_or_default()),
        }
    }

    /// How it is doing, as a name for styles.
    pub(super) fn state_name(&self) -> &'static str {
        match self.state {
            BotState::NoUrl => "no-url",
            BotState::Unknown => "unknown",
            BotState::Reachable => "reachable",
            BotState::Unreachable => "unreachable",
            BotState::Parked => "parked",
        }
    }

    /// What makes the names of its fields its own, where one page has forms of several bots.
    pub(super) fn suffix(&self) -> String {
        format!("-{}", self.id)
    }

    /// The address of its page.
    pub(super) fn page(&self) -> String {
        page_of(&self.name)
    }
}

/// The address of a bot's page.
pub(super) fn page_of(name: &str) -> String {
    BotName::new(name).map_or_else(|_| "/".to_owned(), |name| format!("/bots/{}", name.in_path()))
}

impl Row {
    pub(super) fn page(&self) -> String {
        page_of(&self.name)
    }
}

impl MatchView {
    /// The result for a bot, and the name of the other one.
    pub(super) fn seen_by(&self, id: &str) -> (ResultView, &str) {
        let seat = usize::from(self.bots[0] != id);
        (self.results[seat], &self.names[1 - seat])
    }
}

impl TournamentView {
    /// How things are, in words.
    pub(super) fn in_words(&self) -> String {
        let state = match (self.mode, self.number) {
            (Mode::Stopped, _) => return "No tournament was started yet.".to_owned(),
            (_, 0) => String::new(),
            (_, number) if self.over => format!("Tournament {number} is over."),
            (_, number) => format!("Tournament {number}: {} of {} matches were played.", self.played, self.planned),
        };
        let paused = if self.paused { "Paused." } else { "" };
        let waiting = self.waiting.as_ref().map(|why| format!("Waiting: {why}.")).unwrap_or_default();
        [state.as_str(), paused, &waiting].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// A moment as the journal has it, for people.
pub(super) fn moment(at: &str) -> String {
    at.split('.').next().unwrap_or(at).replace('T', " ") + " UTC"
}

/// A time in milliseconds for people.
pub(super) fn ms(time: &Option<f64>) -> String {
    time.map_or_else(
        || "–".to_owned(),
        |ms| format!("{} ms", milliseconds(Duration::from_secs_f64(ms.max(0.0) / 1000.0))),
    )
}
