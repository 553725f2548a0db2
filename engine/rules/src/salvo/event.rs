//! Events of a turn, and the seats that may know of each.

use super::{Refusal, ShipKind, ShotResult};
use crate::{Audience, Fault, Point, Seat, Seats};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A player's fleet is on the board. Told to everyone.
    Placed {
        /// The player.
        seat: Seat,
    },
    /// The rules removed a player from the game. Told to everyone.
    Removed {
        /// The player.
        seat: Seat,
        /// The reason.
        why: NoOrder,
    },
    /// A salvo begins. Told to everyone (`/game/current`).
    Turn {
        /// The player.
        seat: Seat,
        /// The number of shots, 1 to 5: one for each ship that is afloat.
        shots: u8,
    },
    /// A shot was fired. Told to the shooter only, who does not learn whether it hit.
    Fired {
        /// The shooter.
        seat: Seat,
        /// At whose board.
        target: Seat,
        /// At which cell.
        at: Point,
    },
    /// A shot fell. Told to its target only (`/players/TARGET/hit`).
    Incoming {
        /// The shooter.
        seat: Seat,
        /// On whose board.
        target: Seat,
        /// In which cell.
        at: Point,
        /// The result.
        found: ShotResult,
    },
    /// A ship was sunk. Told to everyone (`/player/TARGET/ships/SHIP/sunk`).
    Sunk {
        /// The shooter.
        seat: Seat,
        /// The owner of the ship.
        target: Seat,
        /// The ship.
        ship: ShipKind,
    },
    /// A player lost its last ship. Told to everyone (`/player/SEAT/defeated`).
    Defeated {
        /// The player.
        seat: Seat,
    },
    /// Shots of a salvo are lost. Told to everyone.
    Lapsed {
        /// The player.
        seat: Seat,
        /// The number of lost shots.
        shots: u8,
        /// The reason.
        why: NoOrder,
    },
    /// A salvo is over. Told to everyone (`/game/hits`).
    SalvoOver {
        /// The player.
        seat: Seat,
        /// The number of shots fired.
        shots: u8,
        /// The number of shots that hit a part of a ship for the first time.
        hits: u8,
    },
}

/// The reason why there was no usable order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoOrder {
    /// The player gave none.
    Fault(Fault),
    /// The order was refused.
    Refused(Refusal),
}

impl std::fmt::Display for NoOrder {
    /// Words on one line that follow a name.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoOrder::Fault(fault) => f.write_str(&fault.deed()),
            NoOrder::Refused(refusal) => write!(f, "broke the rules: {refusal}"),
        }
    }
}

impl Event {
    /// Those who may know of it: where a shot fell is a secret of shooter and target, what it found one of the target's.
    pub(super) fn audience(&self) -> Audience {
        match self {
            Event::Fired { seat, .. } => Audience::Only(Seats::from_iter([*seat])),
            Event::Incoming { target, .. } => Audience::Only(Seats::from_iter([*target])),
            Event::Placed { .. }
            | Event::Removed { .. }
            | Event::Turn { .. }
            | Event::Sunk { .. }
            | Event::Defeated { .. }
            | Event::Lapsed { .. }
            | Event::SalvoOver { .. } => Audience::Everyone,
        }
    }
}
