//! Which weapon to fire, and where.
//!
//! A single shot costs less than a round brings in, so there is always one. The rest of the energy buys a shot with a
//! special weapon now and then, and the question is when that pays. A special shot is *worth* as many single shots as
//! make the same number of hits. Beside a wounded ship single shots hit well, and nothing is worth many of them. On
//! the open sea a corner shot is worth four. So the rule is:
//!
//! 1. A special shot that is worth less than half the cells it reaches is not fired.
//! 2. Of the others the best bargain is taken: the most single shots saved for its energy.
//! 3. If there is not enough energy for it yet, a single shot is fired and the energy is saved.

use crate::{Cells, Density, Sight};
use rand::RngExt;
use rules::entelect_2017::files::wire::Owner;
use rules::entelect_2017::{Ship, Weapon};
use rules::{Point, Random};

/// What part of the cells it reaches a special shot must be worth in single shots. Half of them, and a bit so that two
/// cells are better than one.
const LEAST_WORTH: f64 = 0.55;

/// A shot and what it promises.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shot {
    /// With what.
    pub weapon: Weapon,
    /// At which point.
    pub centre: Point,
    /// How many new hits it makes on average.
    pub hits: f64,
}

/// The map that is fired at and what is thought of it.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// What is known.
    pub sight: &'a Sight,
    /// Where the ships may lie.
    pub density: &'a Density,
    /// The chance of every cell to lie under a shield.
    pub shadow: &'a [f64],
}

/// The shot for this round.
pub fn choose(owner: &Owner, target: Target<'_>, random: &mut Random) -> Shot {
    let single = target.best(Weapon::SingleShot, random);
    let mut bargains = Vec::new();
    for (weapon, energy) in arsenal(owner) {
        let shot = target.best(weapon, random);
        let worth = shot.hits / single.hits.max(f64::MIN_POSITIVE);
        let ev = |n: &str, d: f64| std::env::var(n).ok().and_then(|t| t.parse().ok()).unwrap_or(d);
        let bar = if weapon == Weapon::SeekerMissile { ev("SK", 7.15) } else { ev("LW", 0.55) * reach(weapon).len() as f64 };
        if worth >= bar {
            bargains.push((shot, energy, (if weapon == Weapon::SeekerMissile { ev("SD", 1.0) * worth } else {worth} - 1.0) / f64::from(energy)));
        }
    }
    let best = bargains.into_iter().max_by(|(_, _, a), (_, _, b)| a.total_cmp(b));
    best.filter(|&(_, energy, _)| energy <= owner.energy).map_or(single, |(shot, _, _)| shot)
}

/// The special weapons of the ships afloat with the energy they take. The double shot is left out as long as there is
/// another: it saves one shot at most, and its energy is better kept.
pub fn arsenal(owner: &Owner) -> Vec<(Weapon, u32)> {
    let mut arms = Vec::new();
    for own in owner.ships.iter().filter(|ship| !ship.destroyed) {
        let special = own.weapons.iter().find(|weapon| weapon.weapon_type != "SingleShot");
        let (Some(ship), Some(special)) = (Ship::from_name(&own.ship_type), special) else { continue };
        let weapons = Weapon::ALL.into_iter().filter(|weapon| weapon.ship() == Some(ship));
        arms.extend(weapons.map(|weapon| (weapon, special.energy_required)));
    }
    let is_double = |weapon: Weapon| weapon.ship() == Some(Ship::Destroyer);
    if arms.iter().any(|&(weapon, _)| !is_double(weapon)) {
        arms.retain(|&(weapon, _)| !is_double(weapon));
    }
    arms
}

impl Target<'_> {
    /// The shot with `weapon` that makes the most hits. Among equals one is drawn.
    pub fn best(&self, weapon: Weapon, random: &mut Random) -> Shot {
        let grid = self.sight.grid;
        let unknown = self.sight.unknown();
        let mut best = Shot { weapon, centre: Point::new(0, 0), hits: -1.0 };
        let mut equals = 0;
        for (cell, centre) in grid.points().enumerate() {
            if weapon == Weapon::SingleShot && !unknown.contains(cell) {
                continue;
            }
            let hits = self.hits(weapon, centre, best.hits);
            const SAME: f64 = 1e-9;
            if hits > best.hits + SAME {
                equals = 0;
            } else if hits < best.hits - SAME {
                continue;
            }
            equals += 1;
            if random.random_range(0..equals) == 0 {
                best = Shot { weapon, centre, hits };
            }
        }
        best
    }

    /// How many new hits a shot makes on average. If they are fewer than `enough` for sure, any lower number will do.
    fn hits(&self, weapon: Weapon, centre: Point, enough: f64) -> f64 {
        let grid = self.sight.grid;
        let cells = Cells::at(grid, reach(weapon).iter().filter_map(|&(dx, dy)| centre.offset(dx, dy)));
        if weapon != Weapon::SeekerMissile {
            return cells.iter().map(|cell| self.density.chance(cell) * (1.0 - self.shadow[cell])).sum();
        }
        // The missile passes over what is shielded and takes the next, so the shield only narrows its reach.
        let open: Cells = cells.iter().filter(|&cell| self.shadow[cell] < 0.5).collect();
        let most = open.iter().map(|cell| self.density.chance(cell)).sum();
        if most < enough { most } else { self.density.chance_within(open) }
    }
}

/// The cells in which a weapon can hit something, relative to its centre.
fn reach(weapon: Weapon) -> &'static [(i32, i32)] {
    const NEAR: [(i32, i32); 13] = [
        (0, 2),
        (-1, 1),
        (0, 1),
        (1, 1),
        (-2, 0),
        (-1, 0),
        (0, 0),
        (1, 0),
        (2, 0),
        (-1, -1),
        (0, -1),
        (1, -1),
        (0, -2),
    ];
    if weapon == Weapon::SeekerMissile { &NEAR } else { weapon.pattern() }
}
