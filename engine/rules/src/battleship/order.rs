//! Orders of a player, and the reasons why they are refused.

use crate::{Fault, Point, Seat};
use serde::{Serialize, Serializer};

/// An order of a player, serialised as the answer that gives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum Order {
    /// Put these ships on the board, in any order.
    #[serde(rename = "ships")]
    Place(Vec<Placed>),
    /// Fire at these cells. Fewer shots than there are is allowed, none is not.
    #[serde(rename = "shots")]
    Fire(Vec<Target>),
    /// Take a special action instead.
    #[serde(untagged)]
    Use {
        /// Its name.
        special: String,
        /// The cell at which it is aimed.
        aim: Target,
    },
}

/// A ship that is to be placed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Placed {
    /// The name of its kind; without one it is the first in the fleet that has its shape.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its cells in any order.
    #[serde(serialize_with = "pairs")]
    pub cells: Vec<Point>,
}

/// A cell of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// The owner of the board; may be left out where there is only one board to fire at.
    pub at: Option<Seat>,
    /// The cell.
    pub cell: Point,
}

impl Serialize for Target {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self.at {
            Some(seat) => (self.cell.x, self.cell.y, seat).serialize(out),
            None => pair(&self.cell, out),
        }
    }
}

/// A cell as messages have it, `[x,y]`.
pub(super) fn pair<S: Serializer>(cell: &Point, out: S) -> Result<S::Ok, S::Error> {
    (cell.x, cell.y).serialize(out)
}

/// Cells as messages have them.
pub(super) fn pairs<S: Serializer>(cells: &[Point], out: S) -> Result<S::Ok, S::Error> {
    out.collect_seq(cells.iter().map(|cell| (cell.x, cell.y)))
}

impl Target {
    /// A cell of the only board to fire at.
    pub fn cell(cell: Point) -> Target {
        Target { at: None, cell }
    }
}

/// The reason why an order, or a shot of it, was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There was no answer in time, or one that cannot be read.
    #[error("{0}")]
    NoOrder(Fault),
    /// A move came where the ships had to be placed.
    #[error("the ships must be placed first")]
    NotPlaced,
    /// The ships were placed before.
    #[error("the ships are placed already")]
    PlacedBefore,
    /// A cell is off the board.
    #[error("{},{} is off the board", .0.x, .0.y)]
    OffBoard(Point),
    /// No ship of the fleet that is still to be placed is of this name and shape.
    #[error("no ship {}of {} left to place is so shaped", name_before(name), crate::counted(*.cells as u32, "cell"))]
    NoSuchShip {
        /// The name in the order.
        name: Option<String>,
        /// The number of cells in the order.
        cells: usize,
    },
    /// A ship of the fleet was not placed.
    #[error("the {0} is missing")]
    MissingShip(String),
    /// Two ships cover this cell.
    #[error("two ships cover {},{}", .0.x, .0.y)]
    Overlap(Point),
    /// A ship in this cell touches another, which is not allowed.
    #[error("two ships touch at {},{}", .0.x, .0.y)]
    Touching(Point),
    /// There is no shot in the order.
    #[error("there are no shots")]
    NoShots,
    /// There are more shots than the player has.
    #[error("{given} shots in a move of {allowed}")]
    TooManyShots {
        /// The number in the order.
        given: usize,
        /// The number that the player has.
        allowed: u32,
    },
    /// Nothing is left to hit in the cell, as the player knows.
    #[error("{},{} was fired at before", .0.x, .0.y)]
    Repeated(Point),
    /// The board at which a shot is aimed is not named, its player is out, or it is the player's own.
    #[error("a shot must name the seat of another player who is still in")]
    NoTarget,
    /// The rules have no special action of this name.
    #[error("there is no special {0:?}")]
    NoSuchSpecial(String),
    /// The special action was taken as often as it may be.
    #[error("{0} is used up")]
    UsedUp(String),
    /// The ship is sunk that the special action needs.
    #[error("{special} needs the {ship} afloat")]
    NeedsShip {
        /// The action.
        special: String,
        /// The kind of ship.
        ship: String,
    },
}

impl Refusal {
    /// The mistake as words that follow the name of its player.
    pub(super) fn deed(&self) -> String {
        match self {
            Refusal::NoOrder(fault) => fault.deed(),
            why => format!("gave an illegal order: {why}"),
        }
    }
}

fn name_before(name: &Option<String>) -> String {
    name.as_ref().map(|name| format!("{name:?} ")).unwrap_or_default()
}
