//! Events of a turn, and the seats that may know of each.

use super::{Refusal, Scan, Shot};
use crate::{Audience, Fault, Seat, Seats};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A player's fleet is on the board.
    Placed {
        /// The player.
        seat: Seat,
    },
    /// A player fired.
    Fired {
        /// The shooter.
        seat: Seat,
        /// The cell and the result.
        shot: Shot,
    },
    /// A player used its radar. Its opponent can tell from the number of the next turn.
    UsedRadar {
        /// The player.
        seat: Seat,
    },
    /// A player's radar looked at its centre and the cells around it that are on the board.
    Scanned {
        /// The owner of the radar.
        seat: Seat,
        /// The centre and the cells of ships that it saw.
        scan: Scan,
    },
    /// A player lost at once.
    Lost {
        /// The player.
        seat: Seat,
        /// The reason.
        why: Loss,
    },
}

/// The reason why a player lost at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// The player gave no usable order.
    Fault(Fault),
    /// The order was not allowed.
    Refused(Refusal),
}

impl std::fmt::Display for Loss {
    /// Words that follow a name.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Loss::Fault(fault @ Fault::Unreadable { .. }) => write!(f, "gave an {fault}"),
            Loss::Fault(Fault::Unreachable { why }) => write!(f, "was unreachable: {why}"),
            // In the words of version 0.1.0: they are in the outcome, which records have.
            Loss::Fault(Fault::TimedOut { used, limit, .. }) => {
                write!(f, "timed out: {} ms used of {} ms", used.as_millis(), limit.as_millis())
            }
            Loss::Fault(fault) => write!(f, "{fault}"),
            Loss::Refused(refusal) => write!(f, "broke the rules: {refusal}"),
        }
    }
}

impl Event {
    /// Those who may know of it: only what radar sees is a secret.
    pub(super) fn audience(&self) -> Audience {
        match self {
            Event::Scanned { seat, .. } => Audience::Only(Seats::from_iter([*seat])),
            _ => Audience::Everyone,
        }
    }
}
