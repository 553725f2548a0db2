//! The shield of one player and its clock (published text, "Shield Rules").

use super::MapSize;
use crate::Point;
use serde::Serialize;

/// Rounds without the shield in use after which it gains a charge (Shield Rules 3).
pub(super) const CHARGE_TIME: u32 = 7;

/// A player's shield.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shield {
    /// True if the shield protects cells now.
    pub active: bool,
    /// Rounds it would protect, or still protects.
    pub charges: u32,
    /// Cells it reaches from its centre in each direction.
    pub radius: u32,
    /// The largest radius it can have.
    pub max_radius: u32,
    /// The point around which the shield was last raised; (0, 0) before that.
    pub centre: Point,
    /// The round in which it was placed or, once it is gone, in which it expired; 0 before it was first used.
    pub round_last_used: u32,
}

impl Shield {
    /// A shield with no charges and radius 0 (Shield Rules 1).
    pub(super) fn new(size: MapSize) -> Shield {
        let max_radius = size.max_shield_radius();
        Shield { active: false, charges: 0, radius: 0, max_radius, centre: Point::default(), round_last_used: 0 }
    }

    /// Takes a charge at the start of `round`; true if that was the last and the shield is gone before any command of
    /// the round (Shield Rules 11; release notes 1.2.2).
    pub(super) fn count_down(&mut self, round: u32) -> bool {
        if !self.active {
            return false;
        }
        self.charges -= 1;
        if self.charges == 0 {
            self.active = false;
            self.radius = 0;
            self.round_last_used = round;
        }
        !self.active
    }

    /// Gains a charge, and radius up to its maximum, if it is due at the end of `round` (Shield Rules 3, 4, 6, 10).
    /// There is no limit to the charges.
    pub(super) fn charge(&mut self, round: u32) -> bool {
        let idle = round - self.round_last_used;
        let due = !self.active && idle != 0 && idle.is_multiple_of(CHARGE_TIME);
        if due {
            self.charges += 1;
            self.radius = (self.radius + 1).min(self.max_radius);
        }
        due
    }
}
