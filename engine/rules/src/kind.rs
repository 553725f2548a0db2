//! The list of games. Nothing else in the project lists them.

use serde::{Deserialize, Serialize};

/// A kind of Battleship.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameKind {
    /// The Entelect Challenge 2017, version 1.2.2: [`crate::entelect_2017`].
    #[serde(rename = "entelect-2017")]
    Entelect2017,
}

impl GameKind {
    /// The name in commands, records and folders.
    pub fn name(self) -> &'static str {
        match self {
            GameKind::Entelect2017 => "entelect-2017",
        }
    }

    /// The name for people.
    pub fn title(self) -> &'static str {
        match self {
            GameKind::Entelect2017 => "Entelect Challenge 2017",
        }
    }

    /// What a turn is called.
    pub fn turn(self) -> &'static str {
        match self {
            GameKind::Entelect2017 => "round",
        }
    }
}
