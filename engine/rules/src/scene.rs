//! Scenes: what a screen may draw, the same for all games.

use crate::{FirstRow, Grid, Point, Seat};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The eyes for which a scene is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Eye {
    /// Sees everything.
    Referee,
    /// Sees what this seat may know.
    Seat(Seat),
    /// Sees what all seats may know, such as a spectator who sits among them while the match is played.
    Everyone,
}

impl Eye {
    /// True if the eye sees what only this seat and the referee may know.
    pub fn sees_all_of(self, seat: Seat) -> bool {
        self == Eye::Referee || self == Eye::Seat(seat)
    }
}

/// A picture of the game at one moment.
///
/// ```
/// use rules::{Eye, Game, Mark, Point, Seat};
///
/// let game = rules::sea_battle::SeaBattle::start(&Default::default(), 2, 7)?;
/// let scene = game.scene(Eye::Seat(Seat::A));
/// assert_eq!(scene.title, "Before the ships are placed");
/// assert_eq!(scene.boards[1].cell(Point::new(0, 0)).map(|cell| cell.mark), Some(Mark::Water));
/// # Ok::<(), rules::SetupError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scene {
    /// The moment of the game, e.g. `Round 12 · phase 2`.
    pub title: String,
    /// One board for each seat, in order.
    pub boards: Vec<BoardScene>,
    /// The events of the last turn worth finding again, as far as the eye may know.
    pub highlights: Vec<Highlight>,
    /// The player whose turn it is; `None` before the first turn, after the last, and where all move together.
    pub mover: Option<Mover>,
    /// The total of the salvo that ended in the last turn; `None` where a move is a single shot.
    pub total: Option<SalvoTotal>,
    /// The ships that were sunk so far, first to last, as far as the eye may know; empty in games for two, where it is always
    /// the other player who sank them.
    pub sinkings: Vec<Sinking>,
}

/// The player whose turn it is, and its shots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mover {
    /// The player.
    pub seat: Seat,
    /// The number of shots of its turn.
    pub shots: u8,
    /// The number of shots of them that are still to be fired.
    pub left: u8,
}

/// The total of a salvo that is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SalvoTotal {
    /// The shooter.
    pub seat: Seat,
    /// The number of shots that were fired.
    pub shots: u8,
    /// The number of shots that hit a part of a ship for the first time.
    pub hits: u8,
}

/// The sinking of a ship.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sinking {
    /// The shooter.
    pub by: Seat,
    /// The owner of the ship.
    pub target: Seat,
    /// The ship's letter in [`Mark`]s.
    pub letter: char,
}

/// Something in a match that one may want to find again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Highlight {
    /// The player whose deed it was.
    pub seat: Seat,
    /// The kind.
    pub kind: HighlightKind,
}

/// A kind of event that one may want to find again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HighlightKind {
    /// A ship was hit.
    Hit,
    /// A ship was sunk.
    Sinking,
    /// Something other than the plain shot was fired or done.
    Special,
    /// A shield was raised.
    Shield,
    /// There was no usable order, or it was refused.
    Fault,
}

/// The board of one seat with what is known about its player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardScene {
    /// The owner of the board.
    pub seat: Seat,
    /// The size of the board.
    pub grid: Grid,
    /// The side on which row 0 is drawn, that of the game's [`Look`](crate::Look).
    pub first_row: FirstRow,
    /// The cells in the order of [`Grid::points`].
    pub cells: Vec<CellScene>,
    /// The ships with their state, in the order of the game; empty where the eye may not know which of them are sunk.
    pub fleet: Vec<ShipScene>,
    /// Label and value of what is to be shown beside the board.
    pub facts: Vec<(&'static str, String)>,
    /// Label and value of what is worth following over time, such as points, as far as the eye may know.
    pub measures: Vec<(&'static str, i64)>,
    /// The player's deed in the last turn, as a sentence without its name; empty if it was not asked.
    pub deed: String,
}

/// A ship of a fleet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShipScene {
    /// The letter in [`Mark`]s.
    pub letter: char,
    /// The name.
    pub name: Cow<'static, str>,
    /// The number of cells, at least 1.
    pub length: u8,
    /// True if the ship is sunk, false if it is afloat.
    pub sunk: bool,
}

impl ShipScene {
    /// The letters of a fleet in the order of its ships, those of sunk ships in lower case, e.g. `SBcDR`.
    pub fn letters(fleet: &[ShipScene]) -> String {
        fleet.iter().map(|ship| if ship.sunk { ship.letter.to_ascii_lowercase() } else { ship.letter }).collect()
    }
}

impl CellScene {
    /// A cell with this mark and nothing else.
    pub(crate) fn plain(mark: Mark) -> CellScene {
        CellScene { mark, shielded: false, fresh: false, scanned: false }
    }
}

impl BoardScene {
    /// The rows in the order in which they are drawn, from the top.
    pub fn rows(&self) -> impl Iterator<Item = i32> + use<> {
        let (height, first) = (self.grid.height(), self.first_row);
        (0..height).map(move |row| if first == FirstRow::Top { row } else { height - 1 - row })
    }

    /// The cell at `point`; `None` off the board.
    pub fn cell(&self, point: Point) -> Option<CellScene> {
        self.grid.index(point).map(|index| self.cells[index])
    }
}

/// One cell of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellScene {
    /// The mark in the cell.
    pub mark: Mark,
    /// True if a shield that the eye may see covers the cell.
    pub shielded: bool,
    /// True if a shot fell there in the last turn.
    pub fresh: bool,
    /// True if a radar looked at the cell in the last turn, as far as the eye may know.
    pub scanned: bool,
}

/// The mark in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Water, or not known.
    Water,
    /// A healthy part of a ship, with the ship's letter in upper case; `?` where the eye knows only that a ship is there.
    Ship(char),
    /// An armoured part of a ship that was hit and holds, with the ship's letter in upper case.
    Damaged(char),
    /// A part of a ship that was hit; the letter if the eye may know it.
    Hit(Option<char>),
    /// A shot that fell into the water.
    Miss,
    /// A shot of which the eye does not know what it found.
    Shot,
    /// A shot that a shield caught.
    ShieldHit,
}
