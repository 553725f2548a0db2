//! Orders of a player, and the reasons why they are refused.

use super::{Ship, ShipKind};
use crate::Point;

/// An order of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Put the fleet on the board; for turn 0 only.
    Place(Vec<Ship>),
    /// Fire at this cell of the opponent's board.
    Shoot(Point),
    /// Look at the nine cells around this one, as far as they are on the board.
    Radar(Point),
}

/// The reason why an order is refused, which loses the match.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The order is a move where a placement is due.
    #[error("the ships must be placed before the first move")]
    NotPlaced,
    /// The order is a placement where a move is due.
    #[error("ships can be placed before the first move only")]
    TooLateToPlace,
    /// There are too many or too few ships of a kind.
    #[error("a fleet has {} of the kind {kind}, not {given}", kind.count())]
    WrongCount {
        /// The kind.
        kind: ShipKind,
        /// The number of ships in the order.
        given: usize,
    },
    /// A ship has too many or too few cells.
    #[error("the length of a {kind} is {}, not {given}", kind.length())]
    WrongLength {
        /// The kind of the ship.
        kind: ShipKind,
        /// The number of cells in the order.
        given: usize,
    },
    /// A cell of a ship is off the board.
    #[error("a {kind} has a cell off the board, {at}")]
    ShipOffBoard {
        /// The kind of the ship.
        kind: ShipKind,
        /// The cell.
        at: Point,
    },
    /// A ship has bends or gaps, or a cell twice.
    #[error("the cells of a {kind} are not side by side in one row or column")]
    NotStraight {
        /// The kind of the ship.
        kind: ShipKind,
    },
    /// Two ships share a cell.
    #[error("a {one} and a {other} overlap at {at}")]
    Overlap {
        /// The kind of one ship.
        one: ShipKind,
        /// The kind of the other ship.
        other: ShipKind,
        /// A cell of both.
        at: Point,
    },
    /// Two ships touch, by an edge or diagonally.
    #[error("a {one} touches a {other} at {at}")]
    Touch {
        /// The kind of one ship.
        one: ShipKind,
        /// The kind of the other ship.
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
