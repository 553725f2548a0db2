//! The shots of the opponents: they count the places of each ship afloat, as the better bots of 2017 did.

use hunter::{Cells, Sight};
use rules::entelect_2017::files::wire::Owner;
use rules::entelect_2017::{MapSize, Ship, Weapon};
use rules::{Direction, Grid, Point, Random, RngExt, straight};

/// The use of special weapons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Armament {
    /// While no ship is wounded, any that is worth two single shots.
    Search,
    /// The same with the two cross shots only.
    Crosses,
    /// At any time, any that can be paid.
    Greedy,
}

/// A player's way to shoot.
#[derive(Debug)]
pub(crate) struct Shooter {
    /// The special weapons that it fires, and when.
    pub(crate) armament: Armament,
    /// True to search only cells that the shortest ship afloat cannot avoid.
    pub(crate) by_parity: bool,
    /// True to search at random where a ship afloat fits.
    pub(crate) by_chance: bool,
    /// True to fire elsewhere while the opponent's shield catches shots.
    pub(crate) sees_shield: bool,
    /// The factor of each cell for ships that cover it.
    pub(crate) weights: Vec<f64>,
}

impl Shooter {
    /// The chance on the open sea of a player that searches at random.
    const ANYWHERE: f64 = 0.1;
    /// The chance beside a wound.
    const BESIDE: f64 = 1.0;
    /// The chance in line with two wounds.
    const IN_LINE: f64 = 2.0;
    /// The part of a chance that is left beside a mark of the shield.
    const BESIDE_MARK: f64 = 0.3;
    /// The single shots that a special shot has to be worth.
    const WORTH: f64 = 2.0;

    /// The weapon to fire and its centre; `None` if there is no cell left.
    pub(crate) fn shot(&self, sight: &Sight, owner: &Owner, random: &mut Random) -> Option<(Weapon, Point)> {
        let wounds = sight.damaged.without(sunk(sight));
        let mut chances = self.chances(sight, wounds);
        // Wounds beside which all is known are left to themselves.
        let is_search = chances.iter().all(|&chance| chance < Shooter::BESIDE);
        if self.sees_shield {
            for (chance, at) in chances.iter_mut().zip(sight.grid.points()) {
                let distance = |mark: Point| mark.x.abs_diff(at.x).max(mark.y.abs_diff(at.y));
                let marks = sight.grid.points().enumerate().filter(|(cell, _)| sight.shield_hits.contains(*cell));
                match marks.map(|(_, mark)| distance(mark)).min() {
                    Some(0) => *chance *= 0.01,
                    Some(1) => *chance *= Shooter::BESIDE_MARK,
                    _ => {}
                }
            }
        }
        let smallest = Ship::ALL.into_iter().filter(|ship| !sight.sunk[ship.index()]).map(Ship::length).min();
        let step = if self.by_parity && is_search { i32::from(smallest.unwrap_or(1)) } else { 1 };
        let cells = || sight.grid.points().enumerate().filter(|(cell, _)| sight.unknown().contains(*cell));
        let on_lattice = cells().filter(|(_, at)| (at.x + at.y) % step == 0);
        let single = likeliest(on_lattice.map(|(cell, at)| (chances[cell], at)), random);
        let single = single.or_else(|| likeliest(cells().map(|(cell, at)| (chances[cell], at)), random))?;
        let mut best = (0.0, (Weapon::SingleShot, single.1));
        for weapon in self.payable(sight.grid, owner) {
            let shots = sight.grid.points().map(|at| (hits(weapon, at, sight.grid, &chances), at));
            let Some((hits, at)) = likeliest(shots, random) else { continue };
            let is_time = self.armament == Armament::Greedy || is_search && hits >= Shooter::WORTH * single.0;
            if is_time && hits > best.0 {
                best = (hits, (weapon, at));
            }
        }
        Some(best.1)
    }

    /// The special weapons that there is energy for.
    fn payable(&self, grid: Grid, owner: &Owner) -> Vec<Weapon> {
        let size = MapSize::ALL.into_iter().find(|size| size.grid() == grid).unwrap_or_default();
        let is_used = |weapon: Weapon| match self.armament {
            Armament::Greedy => true,
            Armament::Search => weapon != Weapon::SeekerMissile,
            Armament::Crosses => matches!(weapon, Weapon::CrossShot | Weapon::DiagonalCrossShot),
        };
        let is_afloat =
            |ship: Ship| owner.ships.iter().any(|own| !own.destroyed && Ship::from_name(&own.ship_type) == Some(ship));
        let all = Weapon::ALL.into_iter().filter(|&weapon| weapon.ship().is_some_and(is_afloat) && is_used(weapon));
        all.filter(|weapon| weapon.energy(size) <= owner.energy).collect()
    }

    /// The chance of each cell to be hit for the first time, as these players guess it: where a wound goes on in line with another
    /// or beside one, and by the number of places on the open sea.
    fn chances(&self, sight: &Sight, wounds: Cells) -> Vec<f64> {
        let grid = sight.grid;
        let mut chances = vec![0.0; grid.len()];
        for ship in Ship::ALL.into_iter().filter(|ship| !sight.sunk[ship.index()]) {
            // A wound that is thought to be a sunk ship's may be this ship's.
            let open =
                places(grid, ship).filter(|place| !place.overlaps(sight.missed) && !place.lies_within(sight.damaged));
            let weight = |place: Cells| place.iter().map(|cell| self.weights[cell]).product::<f64>();
            let open: Vec<(Cells, f64)> = open.map(|place| (place, weight(place))).collect();
            let sum: f64 = open.iter().map(|(_, weight)| weight).sum();
            for (place, weight) in open {
                place.iter().for_each(|cell| chances[cell] += weight / sum);
            }
        }
        if self.by_chance {
            chances.iter_mut().for_each(|chance| *chance = if *chance > 0.0 { Shooter::ANYWHERE } else { 0.0 });
        }
        let is_wound = |at: Option<Point>| at.and_then(|at| grid.index(at)).is_some_and(|cell| wounds.contains(cell));
        for (cell, at) in grid.points().enumerate() {
            let wounds_along = |(dx, dy)| match (is_wound(at.offset(dx, dy)), is_wound(at.offset(2 * dx, 2 * dy))) {
                (true, true) => Shooter::IN_LINE,
                (true, false) => Shooter::BESIDE,
                _ => 0.0,
            };
            chances[cell] += Direction::ALL.map(Direction::step).map(wounds_along).into_iter().fold(0.0, f64::max);
        }
        sight.missed.or(sight.damaged).iter().for_each(|cell| chances[cell] = 0.0);
        chances
    }
}

/// The cells that sunk ships are thought to lie on: a run of damaged cells for each, the longest ships first.
fn sunk(sight: &Sight) -> Cells {
    let mut ships: Vec<Ship> = Ship::ALL.into_iter().filter(|ship| sight.sunk[ship.index()]).collect();
    ships.sort_by_key(|ship| std::cmp::Reverse(ship.length()));
    let mut taken = Cells::NONE;
    for ship in ships {
        let free = sight.damaged.without(taken);
        // A run that leaves the fewest wounds beside it is the likeliest to be a whole ship.
        let beside = |place: &Cells| {
            let around = place.iter().flat_map(|cell| {
                let at = sight.grid.points().nth(cell);
                Direction::ALL.into_iter().filter_map(move |to| at?.offset(to.step().0, to.step().1))
            });
            Cells::at(sight.grid, around).and(free).without(*place).len()
        };
        let runs = places(sight.grid, ship).filter(|place| place.lies_within(free));
        taken = taken.or(runs.min_by_key(beside).unwrap_or_default());
    }
    taken
}

/// All places of a ship on an empty map.
fn places(grid: Grid, ship: Ship) -> impl Iterator<Item = Cells> {
    let starts = grid.points().flat_map(|start| [Direction::East, Direction::North].map(|to| (start, to)));
    starts.filter_map(move |(start, to)| straight(start, to, ship.length()).map(|at| grid.index(at?)).collect())
}

/// The new hits of a shot on average.
fn hits(weapon: Weapon, centre: Point, grid: Grid, chances: &[f64]) -> f64 {
    let at =
        |&(dx, dy): &(i32, i32)| centre.offset(dx, dy).and_then(|point| grid.index(point)).map(|cell| chances[cell]);
    if weapon == Weapon::SeekerMissile {
        let around = Weapon::CrossShot.pattern().iter().chain(Weapon::CornerShot.pattern());
        return 1.0 - around.filter_map(at).map(|chance| 1.0 - chance.min(1.0)).product::<f64>();
    }
    weapon.pattern().iter().filter_map(at).sum()
}

/// The best of some shots. Among equals one is drawn.
fn likeliest(shots: impl Iterator<Item = (f64, Point)>, random: &mut Random) -> Option<(f64, Point)> {
    let mut best: Option<(f64, Point)> = None;
    let mut equals = 0;
    for shot in shots {
        match best {
            Some(best) if shot.0 < best.0 => continue,
            Some(best) if shot.0 == best.0 => equals += 1,
            _ => equals = 1,
        }
        if random.random_range(0..equals) == 0 {
            best = Some(shot);
        }
    }
    best
}
