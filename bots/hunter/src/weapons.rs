//! Which weapon to fire, and where.

use crate::{Cells, Density, Sight};
use rand::RngExt;
use rules::entelect_2017::files::wire::Owner;
use rules::entelect_2017::{Ship, Weapon};
use rules::{Grid, Point, Random};

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

/// A weapon that can be fired, now or later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arm {
    /// The weapon.
    pub weapon: Weapon,
    /// Energy it takes.
    pub energy: u32,
}

fn env(name: &str, default: f64) -> f64 {
    std::env::var(name).ok().and_then(|t| t.parse().ok()).unwrap_or(default)
}

/// The shot for this round.
pub fn choose(owner: &Owner, sight: &Sight, density: &Density, shielded: &[f64], random: &mut Random) -> Shot {
    let energy = match sight.grid.width() { 7 => 2, 10 => 3, _ => 4 };
    let target = Target { sight, density, shielded, energy };
    let single = target.best(Weapon::SingleShot, random);
    if crate::tune(0) > 0.0 {
        return single;
    }
    let mut best: Option<(f64, u32, Shot)> = None;
    for arm in arsenal(owner) {
        let income = target.energy as f64 - 1.0;
        if owner.energy as f64 + env("WAIT", 3.0) * income < arm.energy as f64 { continue }
        let shot = target.best(arm.weapon, random);
        let saved = shot.hits / single.hits.max(0.01) - 1.0;
        let bar = match arm.weapon {
            Weapon::DoubleShotVertical | Weapon::DoubleShotHorizontal => env("BAR2", 0.6),
            Weapon::SeekerMissile => env("BARS", 5.0),
            w => env("BAR", 0.6) * (w.pattern().len() as f64 - 1.0),
        };
        let rate = saved / arm.energy as f64;
        if saved >= bar && best.is_none_or(|(other, _, _)| rate > other) {
            best = Some((rate, arm.energy, shot));
        }
    }
    match best {
        Some((_, energy, shot)) if energy <= owner.energy => {
            if env("LOG", 0.0) > 0.0 { eprintln!("{:?} {:.2} {:.2}", shot.weapon, shot.hits, single.hits); }
            shot
        }
        _ => single,
    }
}

/// The special weapons of the ships that are not sunk.
pub fn arsenal(owner: &Owner) -> Vec<Arm> {
    let mut arms = Vec::new();
    for own in owner.ships.iter().filter(|ship| !ship.destroyed) {
        let Some(ship) = Ship::from_name(&own.ship_type) else { continue };
        let Some(special) = own.weapons.iter().find(|weapon| weapon.weapon_type != "SingleShot") else { continue };
        let energy = special.energy_required;
        arms.extend(Weapon::ALL.into_iter().filter(|w| w.ship() == Some(ship)).map(|weapon| Arm { weapon, energy }));
    }
    arms
}

struct Target<'a> {
    energy: u32,
    sight: &'a Sight,
    density: &'a Density,
    shielded: &'a [f64],
}

impl Target<'_> {
    fn best(&self, weapon: Weapon, random: &mut Random) -> Shot {
        let mut best = Shot { weapon, centre: Point::new(0, 0), hits: -1.0 };
        let mut ties = 0;
        for centre in self.sight.grid.points() {
            let hits = self.hits(weapon, centre);
            if hits > best.hits + 1e-9 {
                ties = 0;
            } else if hits < best.hits - 1e-9 {
                continue;
            }
            ties += 1;
            if random.random_range(0..ties) == 0 {
                best = Shot { weapon, centre, hits };
            }
        }
        best
    }

    fn hits(&self, weapon: Weapon, centre: Point) -> f64 {
        let grid = self.sight.grid;
        if weapon == Weapon::SeekerMissile {
            let open = near(grid, centre).iter().filter(|&cell| self.shielded[cell] < 0.5).collect();
            return self.density.chance_within(open);
        }
        let cells = Cells::at(grid, weapon.cells(centre));
        cells.iter().map(|cell| self.density.chance(cell) * (1.0 - self.shielded[cell])).sum()
    }
}

fn near(grid: Grid, centre: Point) -> Cells {
    let offsets = (-2..=2).flat_map(|dx: i32| (-2..=2).map(move |dy: i32| (dx, dy))).filter(|(dx, dy)| dx * dx + dy * dy <= 4);
    Cells::at(grid, offsets.filter_map(|(dx, dy)| centre.offset(dx, dy)))
}
