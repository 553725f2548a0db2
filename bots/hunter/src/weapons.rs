//! Which weapon to fire, and where.
//!
//! A single shot costs less than a round brings in, so there is always one. The rest of the energy pays for a special
//! weapon now and then. Such a shot is worth as many single shots as make the same number of hits. Beside a wounded
//! ship single shots hit well and nothing is worth many of them; on the open sea a corner shot is worth four. Hence:
//!
//! 1. A special shot must be worth more than half the cells it reaches, or the energy is kept for later.
//! 2. Of those that there is energy for, the best bargain is fired: the most single shots saved for its energy.
//!    To pass it by and save for a dearer weapon makes no games shorter.
//! 3. When only one ship is left, there is no later: whatever is worth the most is fired.
//! 4. Before that, the double shot is for players who have no other weapon: it never saves more than one shot.

use crate::map::{CellList, Map, reach};
use crate::{Density, Sight};
use rules::entelect_2017::files::wire::Owner;
use rules::entelect_2017::{Ship, Weapon};
use rules::{Point, Random, RngExt};

/// The least worth of a special shot in single shots, as a part of the cells that it reaches.
const LEAST_WORTH: f64 = 0.5;
/// The same when only one ship is left, in single shots whatever the weapon reaches.
const LEAST_WORTH_AT_LAST: f64 = 1.6;

/// A shot and what it promises.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shot {
    /// With what.
    pub weapon: Weapon,
    /// At which point.
    pub centre: Point,
    /// The number of new hits it makes on average.
    pub hits: f64,
}

/// The map that is fired at, and what is thought of it.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// The state of the opponent's map as far as shots have shown it.
    pub sight: &'a Sight,
    /// The chances of the places of the opponent's ships.
    pub density: &'a Density,
    /// The chance of every cell to lie under the shield.
    pub shadow: &'a [f64],
}

/// The shot for this round.
pub fn choose(owner: &Owner, target: Target<'_>, random: &mut Random) -> Shot {
    let single = target.best_shot(Weapon::SingleShot, random);
    let mut best = (single, 0.0);
    let is_last = target.sight.sunk.iter().filter(|&&is_sunk| !is_sunk).count() == 1;
    for (weapon, energy) in arsenal(owner, is_last).into_iter().filter(|&(_, energy)| energy <= owner.energy) {
        let shot = target.best_shot(weapon, random);
        let worth = shot.hits / single.hits.max(f64::MIN_POSITIVE);
        let (least, value) = match is_last {
            true => (LEAST_WORTH_AT_LAST, worth),
            false => (LEAST_WORTH * reach(weapon).len() as f64, (worth - 1.0) / f64::from(energy)),
        };
        if worth > least && value > best.1 {
            best = (shot, value);
        }
    }
    best.0
}

/// The special weapons of the ships afloat that are worth their energy, and how much they take.
fn arsenal(owner: &Owner, is_last: bool) -> Vec<(Weapon, u32)> {
    let mut arms = Vec::new();
    for own in owner.ships.iter().filter(|ship| !ship.destroyed) {
        let special = own.weapons.iter().find(|weapon| weapon.weapon_type != "SingleShot");
        let (Some(ship), Some(special)) = (Ship::from_name(&own.ship_type), special) else { continue };
        let weapons = Weapon::ALL.into_iter().filter(|weapon| weapon.ship() == Some(ship));
        arms.extend(weapons.map(|weapon| (weapon, special.energy_required)));
    }
    let is_double = |weapon: Weapon| weapon.ship() == Some(Ship::Destroyer);
    if !is_last && arms.iter().any(|&(weapon, _)| !is_double(weapon)) {
        arms.retain(|&(weapon, _)| !is_double(weapon));
    }
    arms
}

impl Target<'_> {
    /// The shot with `weapon` that makes the most new hits. Among equals one is drawn.
    pub fn best_shot(&self, weapon: Weapon, random: &mut Random) -> Shot {
        const SAME: f64 = 1e-9;
        let unknown = self.sight.unknown();
        let mut best = Shot { weapon, centre: Point::new(0, 0), hits: -1.0 };
        let mut equals = 0;
        let map = Map::of(self.sight.grid);
        for (cell, centre) in self.sight.grid.points().enumerate() {
            if weapon == Weapon::SingleShot && !unknown.contains(cell) {
                continue;
            }
            let hits = self.hits(map.reached(weapon, cell), weapon, best.hits);
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

    /// The number of new hits on average of a shot that reaches these cells. If it is certain to be below `wanted`, any lower
    /// number.
    fn hits(&self, reached: &CellList, weapon: Weapon, wanted: f64) -> f64 {
        if weapon != Weapon::SeekerMissile {
            return reached.iter().map(|cell| self.density.chance(cell) * (1.0 - self.shadow[cell])).sum();
        }
        // The missile flies past a shielded cell to the next one, so a shield only narrows its reach.
        let is_open = |cell: &usize| self.shadow[*cell] < 0.5;
        let most: f64 = reached.iter().filter(is_open).map(|cell| self.density.chance(cell)).sum();
        if most < wanted { most } else { self.density.chance_within(reached.iter().filter(is_open).collect()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use rules::entelect_2017::MapSize;

    const NOTHING: [&str; 7] = ["......."; 7];

    /// The hunter's shot at `rows` when it has this much energy and these ships left.
    fn shot_at(rows: [&str; 7], sunk: &[Ship], energy: u32, ours: &[Ship]) -> Shot {
        let sight = example::sight(rows, sunk);
        let mut owner = example::placed(MapSize::Small).player_map.unwrap().owner;
        owner.energy = energy;
        for (ship, own) in Ship::ALL.into_iter().zip(&mut owner.ships) {
            own.destroyed = !ours.contains(&ship);
        }
        let mut random = rules::random(1);
        let density = Density::of(&sight, &mut random);
        let shadow = crate::shadow::shadow(&sight, 1);
        choose(&owner, Target { sight: &sight, density: &density, shadow: &shadow }, &mut random)
    }

    #[test]
    fn there_is_always_a_single_shot() {
        for energy in 1..16 {
            assert_eq!(shot_at(NOTHING, &[], energy, &Ship::ALL).weapon, Weapon::SingleShot);
        }
    }

    #[test]
    fn the_open_sea_is_searched_with_special_weapons() {
        assert_eq!(shot_at(NOTHING, &[], 19, &[Ship::Carrier]).weapon, Weapon::SingleShot);
        assert_eq!(shot_at(NOTHING, &[], 20, &[Ship::Carrier]).weapon, Weapon::CornerShot);
        assert_eq!(shot_at(NOTHING, &[], 24, &[Ship::Battleship]).weapon, Weapon::DiagonalCrossShot);
        assert_eq!(shot_at(NOTHING, &[], 28, &[Ship::Cruiser]).weapon, Weapon::CrossShot);
    }

    #[test]
    fn a_weapon_of_a_sunk_ship_is_never_chosen() {
        for sunk in Ship::ALL {
            let ours: Vec<Ship> = Ship::ALL.into_iter().filter(|&ship| ship != sunk).collect();
            for energy in 0..200 {
                assert_ne!(shot_at(NOTHING, &[], energy, &ours).weapon.ship(), Some(sunk));
            }
        }
        assert_eq!(shot_at(NOTHING, &[], 1000, &[]).weapon, Weapon::SingleShot);
    }

    #[test]
    fn the_double_shot_is_fired_when_there_is_no_other_weapon() {
        let is_double = |ours: &[Ship]| shot_at(NOTHING, &[], 16, ours).weapon.ship() == Some(Ship::Destroyer);
        assert!(is_double(&[Ship::Destroyer]));
        assert!(!is_double(&[Ship::Destroyer, Ship::Submarine]));
    }

    #[test]
    fn a_wounded_ship_is_finished_with_single_shots_while_another_is_afloat() {
        let rows = ["xxxxx..", ".......", "xxx....", ".......", "..oxx..", ".......", "..o.xxx"];
        let shot = shot_at(rows, &[Ship::Submarine, Ship::Carrier, Ship::Cruiser], 100, &Ship::ALL);
        assert_eq!((shot.weapon, shot.centre), (Weapon::SingleShot, Point::new(5, 2)));
    }

    #[test]
    fn the_last_ship_is_finished_with_the_weapon_that_hits_the_most() {
        let rows = ["xxxxx..", ".......", "xxx....", ".......", "..oxx..", ".......", "xxo.xxx"];
        let but_battleship = [Ship::Submarine, Ship::Destroyer, Ship::Carrier, Ship::Cruiser];
        let shot = shot_at(rows, &but_battleship, 100, &Ship::ALL);
        assert_eq!((shot.weapon, shot.hits), (Weapon::CrossShot, 2.0));
    }

    #[test]
    fn a_seeker_missile_looks_for_the_last_ship() {
        let rows = ["xxxxx..", ".......", ".......", "......x", "......x", "......x", "xxxxxxx"];
        let but_destroyer = [Ship::Submarine, Ship::Battleship, Ship::Carrier, Ship::Cruiser];
        let shot = shot_at(rows, &but_destroyer, 24, &[Ship::Submarine]);
        assert_eq!(shot.weapon, Weapon::SeekerMissile);
        assert!((0.5..1.0).contains(&shot.hits), "{shot:?}");
    }

    #[test]
    fn no_shot_is_wasted_on_cells_under_the_shield() {
        let rows = [".......", ".......", ".......", ".......", "..@....", ".@x@...", "..@...."];
        for energy in [1, 100] {
            let shot = shot_at(rows, &[], energy, &Ship::ALL);
            assert!(shot.centre.x > 3 || shot.centre.y > 2, "{shot:?}");
        }
    }

    #[test]
    fn a_single_shot_never_falls_on_a_cell_that_is_known() {
        let rows = ["ooooooo", "ooooooo", "ooooooo", "oooo.oo", "ooooooo", "xxooooo", "ooooooo"];
        assert_eq!(shot_at(rows, &[], 1, &Ship::ALL).centre, Point::new(4, 3));
    }
}
