//! Settings of a match.

use crate::SetupError;
use serde::{Deserialize, Serialize};

/// The settings of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// After how many rounds in a row in which no ship was sunk the match is over. In a round everyone afloat has its
    /// salvo.
    pub rounds_without_sinking: u32,
}

impl Settings {
    /// The most that [`Settings::rounds_without_sinking`] may be.
    pub const MOST_ROUNDS: u32 = 1000;

    pub(super) fn check(self) -> Result<(), SetupError> {
        if (1..=Settings::MOST_ROUNDS).contains(&self.rounds_without_sinking) {
            return Ok(());
        }
        let (most, given) = (Settings::MOST_ROUNDS, self.rounds_without_sinking);
        Err(SetupError::Settings(format!("a match is over after 1 to {most} rounds without a sinking, not {given}")))
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { rounds_without_sinking: 100 }
    }
}
