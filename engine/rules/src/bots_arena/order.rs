//! Orders of a player, and the reasons why they are refused.

use crate::Point;

/// An order of a player in its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Put these ships on the board, each given by the cells of its ends, in any order. For the first turn only.
    Place(Vec<(Point, Point)>),
    /// Strike at a cell of the opponent's board.
    Strike(Point),
}

/// The reason why an order was refused. The player that gave it has lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A strike came where the ships had to be placed.
    #[error("the ships must be placed first")]
    NotPlaced,
    /// The ships were placed before.
    #[error("the ships are placed already")]
    PlacedBefore,
    /// A target, or the end of a ship, is off the board.
    #[error("{},{} is off the board", .0.x, .0.y)]
    OffBoard(Point),
    /// The ends of a ship are neither in one row nor in one column.
    #[error("the ship {},{}-{},{} is not straight", .0.x, .0.y, .1.x, .1.y)]
    NotStraight(Point, Point),
    /// There are more or fewer ships of a length than there should be.
    #[error("ships of length {length}: {given} where {wanted} are wanted")]
    WrongShips {
        /// The length, in cells.
        length: u8,
        /// The number of ships in the order.
        given: usize,
        /// The number of ships in the settings.
        wanted: u8,
    },
    /// Two ships cover this cell.
    #[error("two ships cover {},{}", .0.x, .0.y)]
    Overlap(Point),
}
