//! A bot as the report writes it.

use rules::{printable, printable_prefix};
use tournament::Standing;

/// The longest name that is written out, in characters.
const LONGEST: usize = 100;
/// The longest name in a text that is read aloud, in characters.
const LONGEST_SPOKEN: usize = 40;

/// The name, the place and the colour of a bot.
#[derive(Debug, Clone)]
pub(super) struct ReportBot {
    pub(super) place: usize,
    /// The name, cut to [`LONGEST`].
    pub(super) name: String,
    pub(super) full_name: String,
}

impl From<&Standing<'_>> for ReportBot {
    fn from(bot: &Standing<'_>) -> ReportBot {
        let name = &bot.entrant.name;
        ReportBot { place: bot.place, name: printable_prefix(name, LONGEST), full_name: printable(name) }
    }
}

impl ReportBot {
    /// The class of the bot's colour.
    pub(super) fn colour(&self) -> String {
        format!("seat-{}", (self.place - 1) % 16)
    }

    /// The name for a text that is read aloud.
    pub(super) fn spoken(&self) -> String {
        self.full_name.chars().take(LONGEST_SPOKEN).collect()
    }
}
