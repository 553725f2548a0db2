//! The formats of tournaments.

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
}

impl Format {
    /// The name in commands and journals.
    pub fn name(self) -> &'static str {
        match self {
            Format::RoundRobin => "round-robin",
            Format::Gauntlet => "gauntlet",
            Format::Swiss => "swiss",
            Format::Knockout => "knockout",
            Format::Final => "final",
            Format::Ladder => "ladder",
        }
    }
}
