//! The formats of tournaments.

use crate::SeedScope;
use rules::Game;
use serde::{Deserialize, Serialize};

/// The format of a tournament: which entrants meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first meets all others.
    Gauntlet,
    /// Each round pairs entrants who have done equally well so far.
    Swiss,
    /// The loser of a meeting is out.
    Knockout,
    /// A knockout for spectators: one game at a time, and a meeting for the third place.
    Final,
    /// Those meet whose games tell most about the order.
    Ladder,
    /// All play at the fleets of the first, `builtin:passive`, the same on each board: the shots that sink them count.
    Solo,
    /// Each entrant meets the baselines, which entered first, and all meet the same boards.
    Grading,
}

impl Format {
    /// True if the format lets all its pairings meet equally often, whatever the results.
    pub fn is_of_equal_games(self) -> bool {
        matches!(self, Format::RoundRobin | Format::Gauntlet | Format::Solo)
    }

    /// The games that have one seed in a tournament by these settings. Where bots play alone and all meet equally often, all meet the
    /// same boards. In other formats a bot that remembers would meet the first boards again and again.
    pub fn seeds<G: Game>(self, settings: &G::Settings) -> SeedScope {
        match G::reveals_seed(settings) {
            _ if self == Format::Solo => SeedScope::Board,
            _ if self == Format::Grading || G::is_solo(settings) && self.is_of_equal_games() => SeedScope::Number,
            true => SeedScope::Game,
            false => SeedScope::Pair,
        }
    }

    /// The name in commands and journals.
    pub fn name(self) -> &'static str {
        match self {
            Format::RoundRobin => "round-robin",
            Format::Gauntlet => "gauntlet",
            Format::Swiss => "swiss",
            Format::Knockout => "knockout",
            Format::Final => "final",
            Format::Ladder => "ladder",
            Format::Solo => "solo",
            Format::Grading => "grading",
        }
    }
}
