//! What a page is told of a match, as JSON: a [`Setup`], a [`Frame`] for every scene, and an [`Over`].
//!
//! A frame holds only what differs from the frame before, for all eyes. The frame of the first scene differs from
//! boards of plain water about which nothing is known. The page that one keeps holds all of it; the live page gets the
//! same pieces one by one.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of these structs. A page and its data are always of one version, for they come together; it is for
/// other readers.
pub const FORMAT: u32 = 3;

/// What stays the same throughout a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// [`FORMAT`].
    pub format: u32,
    /// Which game it is, on what map.
    pub title: String,
    /// When it was played.
    pub played: String,
    /// The seed; a text, because JavaScript has no integers of 64 bits.
    pub seed: String,
    /// The version of the engine.
    pub engine: String,
    /// What else is to be known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The names of the players in the order of the seats.
    pub names: Vec<String>,
    /// Whose eyes see the match, in the order of their bits: `referee`, the letter of a seat, or `everyone` for a
    /// spectator who knows what all seats know.
    pub eyes: Vec<String>,
    /// Width and height of the boards in the order of the seats.
    pub grids: Vec<[i32; 2]>,
    /// What a turn is called.
    pub turn: String,
    /// Whether row 0 is drawn at the top; if not, it is at the bottom.
    pub first_row_on_top: bool,
    /// The kinds of ships; empty if their letters only tell them apart.
    pub ships: Vec<ShipName>,
}

/// What the live page of a table is told while no match is played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lobby {
    /// Who waits for a match, in the order in which they came.
    pub teams: Vec<Waiting>,
    /// How others can come, as a sentence; empty if that is not to be told.
    pub how: String,
}

/// A team that waits for a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// Its name.
    pub name: String,
    /// Whether it is ready to begin.
    pub ready: bool,
}

/// What a ship's letter stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShipName {
    /// The letter in looks.
    pub letter: char,
    /// The ship's name.
    pub name: String,
    /// Its colour: `plain`, `blue`, `violet` or `yellow`.
    pub hue: String,
}

/// The eyes that see the same, and what they see. Bit n stands for number n of [`Setup::eyes`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen<T>(pub u32, pub T);

/// What is different in the next scene.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Frame {
    /// The title, whether it is different or not.
    pub titles: Vec<Seen<String>>,
    /// What happened that one may want to find again, and whose deed it was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub highlights: Vec<Seen<Vec<(char, Kind)>>>,
    /// The changes of each board, in the order of the seats. Eyes that are not listed see none.
    pub boards: Vec<Vec<Seen<Change>>>,
    /// Milliseconds from the question to the answer, by seat, where they were measured.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub times: BTreeMap<char, f64>,
}

/// A kind of highlight: [`rules::HighlightKind`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A ship was hit.
    Hit,
    /// A ship was sunk.
    Sinking,
    /// Something other than the plain shot.
    Special,
    /// A shield was raised.
    Shield,
    /// There was no usable order.
    Fault,
}

/// What is different on one board.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Change {
    /// The cells that look different now, by their new look. A cell is its number in the order of
    /// [`rules::Grid::points`]: column by column from the west, each from the south. A look is a sign (`~` water, `#` ship,
    /// `%` armour that was hit and holds, `*` hit, `!` miss, `^` a shot of which the eye does not know what it found, `@`
    /// shield hit), then the ship's letter if it has one and the eye may know it (`?` stands for a ship of which it knows
    /// only that it is there), then `+` if a shield covers the cell.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cells: BTreeMap<String, Vec<usize>>,
    /// All cells in which a shot fell in this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fresh: Vec<usize>,
    /// All cells that a radar looked at in this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scanned: Vec<usize>,
    /// The labels of the facts, if they are others than before; then all facts follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fact_labels: Option<Vec<String>>,
    /// The facts that are different, by their place among the labels.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: BTreeMap<usize, String>,
    /// The labels of the measures, if they are others than before; then the measures follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure_labels: Option<Vec<String>>,
    /// All measures, if one is different.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measures: Option<Vec<i64>>,
    /// What the player did last, if the sentence is another than before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deed: Option<String>,
}

/// That no more frames come, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Over {
    /// Whether the match was played to its end; if not, the rest is empty.
    pub finished: bool,
    /// Who won, as the letter of the seat; nobody in a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<char>,
    /// All seats, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranking: Vec<char>,
    /// The points in the order of the seats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<u32>,
    /// Why it ended, as a sentence that calls the players by their seats.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}
