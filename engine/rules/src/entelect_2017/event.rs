//! Events of a round, and the seats that may know of each.

use super::{OrderKind, Refusal, Ship, Weapon};
use crate::{Audience, Fault, Point, Seat, Seats};
use serde::{Deserialize, Serialize};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A player did nothing, by its own will or because of a fault.
    DidNothing {
        /// The player.
        seat: Seat,
        /// The reason why there was no order; `None` if the player ordered nothing.
        fault: Option<Fault>,
    },
    /// A player has done nothing so often that it will soon be removed.
    WarnedIdle {
        /// The player.
        seat: Seat,
        /// The number of times in a row.
        count: u32,
    },
    /// A player's fleet is on the board.
    Placed {
        /// The player.
        seat: Seat,
    },
    /// An order was refused.
    Refused {
        /// The player.
        seat: Seat,
        /// The kind of the order.
        order: OrderKind,
        /// The reason.
        why: Refusal,
    },
    /// Phase 1 failed because of this player and will be played again.
    PhaseOneFailed {
        /// The player that failed first.
        seat: Seat,
    },
    /// The fleets are placed; phase 2 begins with the next round.
    PhaseTwoBegins,
    /// A player fired.
    Fired {
        /// The player that fired.
        seat: Seat,
        /// With what.
        weapon: Weapon,
        /// At which point.
        centre: Point,
        /// The effects on the opponent's cells, in the order they were struck.
        impacts: Vec<Impact>,
    },
    /// A ship was sunk, which counts from the end of the round on.
    Sunk {
        /// The owner of the ship.
        seat: Seat,
        /// The ship.
        ship: Ship,
    },
    /// A player raised its shield.
    ShieldRaised {
        /// The player.
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
        /// The owner of the shield.
        seat: Seat,
        /// True if a shot had struck the shield, so that the opponent sees its marks vanish.
        was_hit: bool,
    },
    /// A player's shield gained a charge.
    ShieldCharged {
        /// The owner of the shield.
        seat: Seat,
        /// The number of charges now.
        charges: u32,
    },
    /// The rules removed a player.
    KilledOff {
        /// The player.
        seat: Seat,
        /// The reason.
        why: KillOff,
    },
    /// A player has no ships left.
    Killed {
        /// The player.
        seat: Seat,
    },
}

/// The effect of a shot on one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Impact {
    /// The cell.
    pub point: Point,
    /// The effect.
    pub result: ImpactResult,
}

/// The kinds of effects of a shot on one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImpactResult {
    /// The shot hit a ship.
    Hit {
        /// True if that was the last healthy cell of the ship.
        completes: bool,
    },
    /// The shot hit a part of a ship that was hit before.
    Again,
    /// The shot fell into the water.
    Miss,
    /// A shield caught it.
    Shielded,
}

impl Event {
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

/// The reason why a player is removed from the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KillOff {
    /// The player did nothing 20 times in a row (Player Rules 4).
    DoNothings,
    /// The player failed to place its ships 5 times (Player Rules 2 and 3).
    FailedPlacements,
    /// The player gave up.
    GaveUp,
}

impl std::fmt::Display for KillOff {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            KillOff::DoNothings => "did nothing 20 times in a row",
            KillOff::FailedPlacements => "failed 5 times to place its ships",
            KillOff::GaveUp => "gave up",
        })
    }
}
