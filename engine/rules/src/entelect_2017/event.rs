//! What happens in a round.

use super::{KillOff, OrderKind, Refusal, Ship, Weapon};
use crate::{Audience, Fault, Point, Seat, Seats, Told};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A player did nothing, by its own will or because of a fault.
    DidNothing {
        /// Who.
        seat: Seat,
        /// Why there was no order, if there was none.
        fault: Option<Fault>,
    },
    /// A player has done nothing so often that it will soon be removed.
    WarnedIdle {
        /// Who.
        seat: Seat,
        /// How many times in a row.
        count: u32,
    },
    /// A player's fleet is on the board.
    Placed {
        /// Whose.
        seat: Seat,
    },
    /// An order was refused.
    Refused {
        /// Whose.
        seat: Seat,
        /// What it was.
        order: OrderKind,
        /// Why.
        why: Refusal,
    },
    /// Phase 1 failed because of this player and will be played again.
    PhaseOneFailed {
        /// Who failed first.
        seat: Seat,
    },
    /// Both fleets are placed; phase 2 begins with the next round.
    PhaseTwoBegins,
    /// A player fired.
    Fired {
        /// Who.
        seat: Seat,
        /// With what.
        weapon: Weapon,
        /// At which point.
        centre: Point,
        /// What happened in the opponent's cells, in the order they were struck.
        impacts: Vec<Impact>,
    },
    /// A ship was sunk, which counts from the end of the round on.
    Sunk {
        /// Whose ship.
        seat: Seat,
        /// Which.
        ship: Ship,
    },
    /// A player raised its shield.
    ShieldRaised {
        /// Who.
        seat: Seat,
        /// Around which point.
        centre: Point,
        /// Cells it reaches from there in each direction.
        radius: u32,
        /// Rounds it lasts, this one included.
        charges: u32,
    },
    /// A player's shield is gone.
    ShieldExpired {
        /// Whose.
        seat: Seat,
        /// Whether a shot had struck it, so that the opponent sees its marks vanish.
        was_hit: bool,
    },
    /// A player's shield gained a charge.
    ShieldCharged {
        /// Whose.
        seat: Seat,
        /// How many it has now.
        charges: u32,
    },
    /// The rules removed a player.
    KilledOff {
        /// Whom.
        seat: Seat,
        /// Why.
        why: KillOff,
    },
    /// A player has no ships left.
    Killed {
        /// Who.
        seat: Seat,
    },
}

/// What a shot did in one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Impact {
    /// Where.
    pub point: Point,
    /// What.
    pub result: ImpactResult,
}

/// What became of a shot in one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImpactResult {
    /// It hit a ship.
    Hit {
        /// Whether that was the last healthy cell of the ship.
        completes: bool,
    },
    /// It hit a part of a ship that was hit before.
    Again,
    /// It fell into the water.
    Miss,
    /// A shield caught it.
    Shielded,
}

impl Event {
    /// The event with those who may know of it.
    pub(super) fn told(self) -> Told<Event> {
        let to = self.audience();
        Told { event: self, to }
    }

    /// Those who may know of it. A shield is its owner's secret until it is hit; where a shot fell both players see on
    /// their maps.
    pub(super) fn audience(&self) -> Audience {
        match self {
            Event::ShieldRaised { seat, .. }
            | Event::ShieldExpired { seat, was_hit: false }
            | Event::ShieldCharged { seat, .. }
            | Event::Refused { seat, .. }
            | Event::WarnedIdle { seat, .. }
            | Event::DidNothing { seat, .. } => Audience::Only(Seats::from_iter([*seat])),
            _ => Audience::Everyone,
        }
    }
}
