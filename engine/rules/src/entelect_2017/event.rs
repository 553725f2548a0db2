//! Events of a round, and the seats that may know of each.

use super::board::PackedPoint;
use super::{OrderKind, Refusal, Ship, Weapon};
use crate::{Audience, Fault, Point, Seat, Seats, Told};
use serde::{Deserialize, Serialize};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A player did nothing, by its own will or because of a fault.
    DidNothing {
        /// The player.
        seat: Seat,
        /// The reason why there was no order; `None` if the player ordered nothing.
        fault: Option<Box<Fault>>,
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
        impacts: Impacts,
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

/// The events of a round, with those who may know of each.
#[derive(Debug)]
pub(super) struct EventLog(Vec<Told<Event>>);

impl EventLog {
    /// No events yet. They take the memory of earlier ones.
    pub(super) fn again(mut earlier: Vec<Told<Event>>) -> EventLog {
        earlier.clear();
        EventLog(earlier)
    }

    pub(super) fn push(&mut self, event: Event) {
        self.0.push(Told { to: event.audience(), event });
    }
}

impl From<EventLog> for Vec<Told<Event>> {
    fn from(log: EventLog) -> Vec<Told<Event>> {
        log.0
    }
}

/// The effect of a shot on one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Impact {
    /// The cell.
    pub point: Point,
    /// The effect.
    pub result: ImpactResult,
}

/// The effects of a shot, in the order in which cells were struck: five at most.
///
/// ```
/// use rules::Point;
/// use rules::entelect_2017::{Impact, ImpactResult, Impacts};
///
/// let miss = Impact { point: Point::new(3, 4), result: ImpactResult::Miss };
/// let impacts: Impacts = [miss, miss].into_iter().collect();
/// assert!(impacts.iter().eq([miss, miss]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Impacts(
    /// The number of effects, and above it the effects. In one word, because events are moved, and small ones faster.
    u64,
);

impl Impacts {
    /// The most cells that a weapon strikes.
    pub const MOST: usize = 5;
    /// The bits of the number of effects.
    const COUNT: u32 = 3;
    /// The bits of a result, and those of an effect.
    const RESULT: u32 = 3;
    const EFFECT: u32 = Impacts::RESULT + u8::BITS;

    /// No effects yet.
    pub(super) const fn none() -> Impacts {
        Impacts(0)
    }

    /// The number of effects.
    pub fn len(&self) -> usize {
        (self.0 & ((1 << Impacts::COUNT) - 1)) as usize
    }

    /// True if no cell on the map was struck.
    pub fn is_empty(&self) -> bool {
        self.0 == 0
    }

    /// Adds the effect on the next cell.
    ///
    /// # Panics
    /// There are five already.
    pub(super) fn push(&mut self, Impact { point, result }: Impact) {
        let count = self.len();
        assert!(count < Impacts::MOST, "no weapon strikes more than five cells");
        let effect = u64::from(PackedPoint::new(point).byte()) << Impacts::RESULT | result.bits();
        self.0 += 1 | effect << (Impacts::COUNT + Impacts::EFFECT * count as u32);
    }

    /// The effects.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Impact> + Clone + use<> {
        let effects = self.0 >> Impacts::COUNT;
        (0..self.len()).map(move |at| {
            let effect = effects >> (Impacts::EFFECT * at as u32);
            let point = PackedPoint::of((effect >> Impacts::RESULT) as u8).get().unwrap_or_default();
            Impact { point, result: ImpactResult::of(effect & ((1 << Impacts::RESULT) - 1)) }
        })
    }
}

impl ImpactResult {
    const ALL: [ImpactResult; 5] = [
        ImpactResult::Miss,
        ImpactResult::Hit { completes: false },
        ImpactResult::Hit { completes: true },
        ImpactResult::Again,
        ImpactResult::Shielded,
    ];

    /// Its place in the list of all.
    fn bits(self) -> u64 {
        match self {
            ImpactResult::Miss => 0,
            ImpactResult::Hit { completes } => 1 + u64::from(completes),
            ImpactResult::Again => 3,
            ImpactResult::Shielded => 4,
        }
    }

    fn of(bits: u64) -> ImpactResult {
        ImpactResult::ALL[bits as usize]
    }
}

impl FromIterator<Impact> for Impacts {
    /// # Panics
    /// There are more than five, or one is on no map.
    fn from_iter<I: IntoIterator<Item = Impact>>(all: I) -> Impacts {
        let mut impacts = Impacts::none();
        all.into_iter().for_each(|impact| impacts.push(impact));
        impacts
    }
}

impl std::fmt::Debug for Impacts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impacts_are_read_as_they_were_added() {
        for first in ImpactResult::ALL {
            let all =
                [first, ImpactResult::Shielded, ImpactResult::Again, ImpactResult::Hit { completes: true }, first];
            let at = |(nth, result)| Impact { point: Point::new(13 - nth, 3 * nth), result };
            let all: Vec<Impact> = (0..).zip(all).map(at).collect();
            for count in 0..=Impacts::MOST {
                let impacts: Impacts = all[..count].iter().copied().collect();
                assert!(impacts.iter().eq(all[..count].iter().copied()), "{impacts:?}");
                assert_eq!((impacts.len(), impacts.is_empty()), (count, count == 0));
            }
        }
    }
}
