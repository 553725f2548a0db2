//! A bot as the report writes it.

use rules::{printable, printable_prefix};
use tournament::{Entrant, Standing};

/// The longest name that is written out, in characters.
const LONGEST: usize = 100;
/// The longest name in a text that is read aloud, in characters.
const LONGEST_SPOKEN: usize = 40;

/// The name, the place and the colour of a bot.
#[derive(Debug, Clone)]
pub(super) struct ReportBot {
    pub(super) place: usize,
    /// The index in the standings, which no other bot has.
    pub(super) index: usize,
    /// The name, cut to [`LONGEST`].
    pub(super) name: String,
    /// The name for a text that is read aloud, cut to [`LONGEST_SPOKEN`].
    pub(super) spoken: String,
}

impl From<&Standing<'_>> for ReportBot {
    fn from(bot: &Standing<'_>) -> ReportBot {
        ReportBot::new(bot.entrant, bot.place, bot.index)
    }
}

impl ReportBot {
    pub(super) fn new(entrant: &Entrant, place: usize, index: usize) -> ReportBot {
        let spoken = printable(&entrant.name).chars().take(LONGEST_SPOKEN).collect();
        ReportBot { place, index, name: printable_prefix(&entrant.name, LONGEST), spoken }
    }

    /// The class of the bot's colour.
    pub(super) fn colour(&self) -> String {
        format!("seat-{}", self.index % 16)
    }
}
