//! Orders of a player, and the reasons why they are refused.

use super::{Orientation, Placement, ShipKind};
use crate::{Point, Seat};

/// An order of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Put the fleet on the board; for turn 0 only.
    Place(Vec<Placement>),
    /// Fire one shot of the salvo.
    Fire {
        /// At whose board.
        target: Seat,
        /// At which cell of it.
        at: Point,
    },
}

/// The reason why an order is refused. In turn 0 a refusal removes the player, later the shot lapses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The seat is not awaited.
    #[error("it is not this player's turn")]
    OffTurn,
    /// The order is a shot where a fleet is due.
    #[error("the ships must be placed before the first shot")]
    NotPlaced,
    /// The order is a fleet where a shot is due.
    #[error("ships can be placed before the first shot only")]
    TooLateToPlace,
    /// A ship is placed twice.
    #[error("the {ship} is placed twice")]
    Twice {
        /// The ship.
        ship: ShipKind,
    },
    /// A ship is not placed.
    #[error("the {ship} is missing")]
    Missing {
        /// The first missing ship.
        ship: ShipKind,
    },
    /// A ship reaches beyond the board.
    #[error("the {ship} does not fit on the board from {at} {}", match orientation {
        Orientation::Horizontal => "horizontally",
        Orientation::Vertical => "vertically",
    })]
    ShipOffBoard {
        /// The ship.
        ship: ShipKind,
        /// The first cell.
        at: Point,
        /// The orientation.
        orientation: Orientation,
    },
    /// Two ships share a cell.
    #[error("the {ship} and the {other} overlap at {at}")]
    Overlap {
        /// The one that was placed later.
        ship: ShipKind,
        /// The other.
        other: ShipKind,
        /// A cell of both.
        at: Point,
    },
    /// The target is not a seat of the match.
    #[error("there is no such player")]
    NoSuchPlayer {
        /// The target.
        target: Seat,
    },
    /// The shooter is the target.
    #[error("nobody may fire at its own board")]
    OwnBoard,
    /// The target has left the game.
    #[error("the target is out of the game already")]
    TargetOut {
        /// The target.
        target: Seat,
    },
    /// The cell is off the board.
    #[error("{at} is off the board")]
    OffBoard {
        /// The cell.
        at: Point,
    },
}
