//! Events of a turn. Everyone is told all of them: no event of a match that goes on has what a player must not know, the
//! places of the other's ships.

use super::{Refusal, StrikeResult};
use crate::{Fault, Point, Seat};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A player's ships are on the board.
    Placed {
        /// The player.
        seat: Seat,
    },
    /// A player struck a cell of its opponent's board.
    Struck {
        /// The player that struck.
        seat: Seat,
        /// The cell.
        target: Point,
        /// The result of the strike.
        result: StrikeResult,
        /// True if a ship's cell was hit for the first time, which earns a point.
        landed: bool,
    },
    /// There was no usable order, so the player has lost.
    Failed {
        /// The player.
        seat: Seat,
        /// The reason why there was no order.
        fault: Fault,
    },
    /// An order was refused, so the player has lost.
    Refused {
        /// The player.
        seat: Seat,
        /// The reason.
        why: Refusal,
    },
}

impl Event {
    /// The player whose deed it was.
    pub fn seat(&self) -> Seat {
        match self {
            Event::Placed { seat }
            | Event::Struck { seat, .. }
            | Event::Failed { seat, .. }
            | Event::Refused { seat, .. } => *seat,
        }
    }
}
