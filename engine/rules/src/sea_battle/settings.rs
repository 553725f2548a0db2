//! Settings of a match.

use crate::SetupError;
use serde::{Deserialize, Serialize};

/// The settings of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// After how many moves of both players together the hits are compared.
    pub max_moves: u32,
}

impl Settings {
    /// The most that [`Settings::max_moves`] may be: what bots are sent grows with every move.
    pub const MOST_MOVES: u32 = 10_000;

    /// The limits that the texts name: the newer one 120, the older one 107 in one place and 200 in another.
    pub const PRESETS: [(&str, Settings); 3] = [
        ("120", Settings { max_moves: 120 }),
        ("older-107", Settings { max_moves: 107 }),
        ("older-200", Settings { max_moves: 200 }),
    ];

    /// The preset with this name.
    pub fn preset(name: &str) -> Option<Settings> {
        Settings::PRESETS.into_iter().find(|(named, _)| *named == name).map(|(_, settings)| settings)
    }

    pub(super) fn check(self) -> Result<(), SetupError> {
        if (1..=Settings::MOST_MOVES).contains(&self.max_moves) {
            return Ok(());
        }
        let why = format!("a match has 1 to {} moves, not {}", Settings::MOST_MOVES, self.max_moves);
        Err(SetupError::Settings(why))
    }
}

impl Default for Settings {
    /// The newer text's.
    fn default() -> Settings {
        Settings { max_moves: 120 }
    }
}
