//! What a player may want done, and why it may be refused.

use super::{Ship, ShipKind};
use crate::Point;

/// What a player wants done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Put the fleet on the board; for turn 0 only.
    Place(Vec<Ship>),
    /// Fire at this cell of the opponent's board.
    Shoot(Point),
    /// Look at the nine cells around this one, as far as they are on the board.
    Radar(Point),
}

/// Why an order is refused, which loses the match.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is no placement where one is due.
    #[error("the ships must be placed before the first move")]
    NotPlaced,
    /// It is a placement where a move is due.
    #[error("ships can be placed before the first move only")]
    TooLateToPlace,
    /// There are too many or too few ships of a kind.
    #[error("a fleet has {} of the kind {kind}, not {given}", kind.count())]
    WrongCount {
        /// Which kind.
        kind: ShipKind,
        /// How many there are.
        given: usize,
    },
    /// A ship has too many or too few cells.
    #[error("the length of a {kind} is {}, not {given}", kind.length())]
    WrongLength {
        /// Which kind of ship.
        kind: ShipKind,
        /// How many cells it has.
        given: usize,
    },
    /// A cell of a ship is off the board.
    #[error("a {kind} has a cell off the board, {at}")]
    ShipOffBoard {
        /// Which kind of ship.
        kind: ShipKind,
        /// Which cell.
        at: Point,
    },
    /// A ship has bends or gaps, or a cell twice.
    #[error("the cells of a {kind} are not side by side in one row or column")]
    NotStraight {
        /// Which kind of ship.
        kind: ShipKind,
    },
    /// Two ships share a cell.
    #[error("a {one} and a {other} overlap at {at}")]
    Overlap {
        /// Which kind of ship.
        one: ShipKind,
        /// Which kind the other is.
        other: ShipKind,
        /// A cell of both.
        at: Point,
    },
    /// Two ships touch, by an edge or diagonally.
    #[error("a {one} touches a {other} at {at}")]
    Touch {
        /// Which kind of ship.
        one: ShipKind,
        /// Which kind the other is.
        other: ShipKind,
        /// A cell of the first that touches the second.
        at: Point,
    },
    /// The target is off the board.
    #[error("the target {at} is off the board")]
    OffBoard {
        /// The target.
        at: Point,
    },
    /// The radar was used before.
    #[error("the radar can be used once only")]
    RadarUsed,
}
