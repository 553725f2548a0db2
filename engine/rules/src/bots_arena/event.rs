//! What happens in a turn. All of it is for everyone: what a player must not know, where the other's ships lie, is in no
//! event of a match that goes on.

use super::{Refusal, StrikeResult};
use crate::{Fault, Point, Seat};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A player's ships are on the board.
    Placed {
        /// Whose.
        seat: Seat,
    },
    /// A player struck a cell of its opponent's board.
    Struck {
        /// Who.
        seat: Seat,
        /// Which cell.
        target: Point,
        /// What it found.
        result: StrikeResult,
        /// Whether it hit a ship's cell for the first time, which earns a point.
        landed: bool,
    },
    /// There was no usable order, so the player has lost.
    Failed {
        /// Who.
        seat: Seat,
        /// Why there was no order.
        fault: Fault,
    },
    /// An order was refused, so the player has lost.
    Refused {
        /// Whose.
        seat: Seat,
        /// Why.
        why: Refusal,
    },
}

/// Why a player without a usable order has lost, as a sentence without its name. How long it took is left out: records
/// round it, and a match that is played again has to end in the same words.
pub(super) fn failure(fault: &Fault) -> String {
    match fault {
        Fault::TimedOut { .. } => "took too long".to_owned(),
        Fault::Unreadable { why } => format!("gave an unreadable answer: {why}"),
        Fault::Unreachable { why } => format!("was unreachable: {why}"),
        Fault::Crashed { .. } | Fault::NothingWritten | Fault::GaveUp => fault.to_string(),
    }
    .replace(char::is_control, " ")
}
