//! The appearance of a game: how its boards lie, and the names of its ships. The same for all its matches.

use serde::{Deserialize, Serialize};

/// The appearance of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// The side of a page on which row 0 of a board is drawn.
    pub first_row: FirstRow,
    /// The kinds of ships by their letters; empty if letters only tell ships apart.
    pub ships: Vec<ShipLook>,
}

/// The side on which row 0 of a board is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstRow {
    /// At the bottom, in the south.
    Bottom,
    /// At the top.
    Top,
}

/// The appearance of a kind of ship.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShipLook {
    /// The letter in [`Mark`](crate::Mark)s.
    pub letter: char,
    /// The name.
    pub name: &'static str,
    /// The colour.
    pub hue: Hue,
}

/// The first letter of the name of a ship, in upper case.
pub(crate) fn initial(name: &str) -> char {
    char::from(name.as_bytes()[0]).to_ascii_uppercase()
}

/// A colour of ships. The screen chooses a shade that can be seen well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Hue {
    /// The colour of any ship.
    Plain,
    /// Blue.
    Blue,
    /// Violet.
    Violet,
    /// Yellow.
    Yellow,
}
