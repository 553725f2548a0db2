//! Texts and links of pages.

use crate::contests::wire::ContestBotView;
use crate::state::journal_line::MatchLine;
use crate::state::leaderboard::ResultView;
use crate::state::wire::{BotState, BotView, MatchView};
use arena::record::milliseconds;
use serde::Serialize;
use std::fmt;
use std::time::Duration;

impl BotView {
    /// The state of the bot, in words.
    pub(crate) fn state_text(&self) -> String {
        let again = self.asked_again_in_s.map(|seconds| format!("asked again in {seconds} s"));
        let text = match self.state {
            BotState::NoUrl => "no URL yet".to_owned(),
            BotState::Unknown => "not asked yet".to_owned(),
            BotState::Reachable => "answers".to_owned(),
            BotState::Unreachable => "does not answer".to_owned(),
            BotState::Parked => format!("parked: it failed to place its fleet; {}", again.unwrap_or_default()),
        };
        if self.slow { text + ", slowly" } else { text }
    }
}

impl ContestBotView {
    /// The changes of the bot that an administrator can make: the names of the forms, and what their buttons say.
    pub(crate) fn changes(&self) -> [(&'static str, &'static str); 2] {
        [
            if self.is_retired { ("return", "Let play again") } else { ("retire", "Retire") },
            if self.is_hidden { ("show", "Show again") } else { ("hide", "Hide") },
        ]
    }
}

/// Writes the name of the state, as in JSON.
impl fmt::Display for BotState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// The path of the page of the bot with this name: the name is percent-encoded.
pub(crate) fn page_of(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let encoded = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    format!("/bots/{}", name.bytes().map(encoded).collect::<String>())
}

/// The path of the page of a bot in a contest.
pub(crate) fn contest_bot_page(contest: &str, bot: &str) -> String {
    format!("/c/{contest}{}", page_of(bot))
}

/// The path of the profile of one who plays in a contest.
pub(crate) fn profile_page(contest: &str, name: &str) -> String {
    contest_bot_page(contest, name) + "/profile"
}

impl MatchLine {
    /// The number of the match and its place, in words.
    pub(crate) fn title(&self) -> String {
        match &self.final_game {
            None => format!("match {} of tournament {}", self.id, self.tournament),
            Some(place) => format!("match {}: final {}, {}, game {}", self.id, place.number, place.round, place.game),
        }
    }
}

impl MatchView {
    /// The result for the bot with this number, and the name of the opponent.
    pub(crate) fn seen_by(&self, id: &str) -> (ResultView, &str) {
        let seat = usize::from(self.bots[0] != id);
        (self.results[seat], &self.names[1 - seat])
    }
}

/// A time of the journal, for people.
pub(crate) fn moment(at: &str) -> String {
    at.split('.').next().unwrap_or(at).replace('T', " ") + " UTC"
}

/// A duration in milliseconds, for people.
pub(crate) fn ms(time: &Option<f64>) -> String {
    time.map_or_else(
        || "–".to_owned(),
        |ms| format!("{} ms", milliseconds(Duration::from_secs_f64(ms.max(0.0) / 1000.0))),
    )
}

#[cfg(test)]
mod tests {
    use super::page_of;

    #[test]
    fn names_are_encoded_in_paths() {
        assert_eq!(page_of("Ann-1_~.x"), "/bots/Ann-1_~.x");
        assert_eq!(page_of("a/b ?#%ü\"<"), "/bots/a%2Fb%20%3F%23%25%C3%BC%22%3C");
    }
}
