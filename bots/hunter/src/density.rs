//! The density of the opponent's ships: a chance for every cell, from all fleets that agree with what is known.

use crate::explanations::{Explanations, Sums};
use crate::map::{CellList, Map};
use crate::prior::{CHANCES, NOTHING, PRIORS, Priors, Weights, times};
use crate::{Cells, Sight};
use rules::Random;
use rules::entelect_2017::Ship;

/// The likelihood of every place of every ship.
#[derive(Debug, Clone)]
pub struct Density {
    unknown: Cells,
    chances: [f64; Cells::MOST],
    places: [Vec<Place>; 5],
}

/// A place where a ship can lie.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    list: &'static CellList,
    /// The damaged ones among its cells.
    pub(crate) wounds: Cells,
    pub(crate) weights: Weights,
    chance: f64,
}

impl Place {
    pub(crate) fn cells(&self) -> Cells {
        self.list.cells
    }
}

impl Density {
    /// Weighs all fleets that agree with `sight`. Randomness is drawn only when they are too many to look at all.
    pub fn of(sight: &Sight, random: &mut Random) -> Density {
        Density::by(CHANCES, sight, random)
    }

    /// The same with other chances of the priors before the first shot.
    pub fn by(priors: [f64; PRIORS], sight: &Sight, random: &mut Random) -> Density {
        let (weights, before) = Priors::of(sight.grid).beside(sight.damaged);
        let mut places = Ship::ALL.map(|ship| places(sight, ship, &weights[ship.index()]));
        let Sums { free, free_places, wounded, fleets } = Explanations::of(sight, &places, random).sums();
        // A prior counts by the share of its fleets that agree with what is known.
        let scale: Weights = std::array::from_fn(|prior| priors[prior] / before[prior]);
        let all = times(&scale, &fleets, 1.0).iter().sum::<f64>();
        let scale = scale.map(|scale| if all > 0.0 { scale / all } else { 0.0 });
        let mut wounded = wounded.into_iter();
        for ((places, free), free_places) in places.iter_mut().zip(free).zip(free_places) {
            let free: Weights = std::array::from_fn(|prior| free[prior] / free_places[prior].max(f64::MIN_POSITIVE));
            for place in places {
                let weight = match place.wounds.is_empty() {
                    true => times(&free, &place.weights, 1.0),
                    false => wounded.next().unwrap_or(NOTHING),
                };
                place.chance = times(&scale, &weight, 1.0).iter().sum();
            }
        }
        let unknown = sight.unknown();
        let mut chances = [0.0; Cells::MOST];
        for place in places.iter().flatten() {
            // Most places have no wounds.
            if place.wounds.is_empty() {
                place.list.iter().for_each(|cell| chances[cell] += place.chance);
            } else {
                let healthy = place.list.iter().filter(|cell| !place.wounds.contains(*cell));
                healthy.for_each(|cell| chances[cell] += place.chance);
            }
        }
        Density { unknown, chances, places }
    }

    /// The chance that a shot at `cell` is a new hit.
    pub fn chance(&self, cell: usize) -> f64 {
        self.chances[cell]
    }

    /// The chance that `area` has at least one cell in which a shot is a new hit. Takes the places of different ships
    /// as independent of each other.
    pub fn chance_within(&self, area: Cells) -> f64 {
        let area = area.and(self.unknown);
        let all_stay_out: f64 = self
            .places
            .iter()
            .map(|places| {
                let inside = places.iter().filter(|place| place.cells().overlaps(area));
                1.0 - inside.map(|place| place.chance).sum::<f64>().min(1.0)
            })
            .product();
        1.0 - all_stay_out
    }
}

/// The places in which `ship` can lie. A sunk ship lies on damaged cells only. A ship afloat lies on no miss, and at
/// least one of its cells is not damaged. `weights` are those of all of its places on an empty map.
fn places(sight: &Sight, ship: Ship, weights: &[Weights]) -> Vec<Place> {
    let may_lie = |place: &CellList| {
        let cells = place.cells;
        let all_damaged = cells.lies_within(sight.damaged);
        if sight.sunk[ship.index()] { all_damaged } else { !all_damaged && !cells.overlaps(sight.missed) }
    };
    let place = |(list, &weights): (&'static CellList, &Weights)| {
        let wounds = list.cells.and(sight.damaged);
        Place { list, wounds, weights, chance: 0.0 }
    };
    let all = Map::of(sight.grid).places(ship);
    let mut places = Vec::with_capacity(all.len());
    places.extend(all.iter().zip(weights).filter(|(list, _)| may_lie(list)).map(place));
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use rand::RngExt;
    use rules::{Grid, Point, random_fleet, straight};

    struct Map {
        density: Density,
        grid: Grid,
    }

    const AT_RANDOM: [f64; PRIORS] = [1.0, 0.0, 0.0, 0.0, 0.0];

    impl Map {
        fn of(rows: [&str; 7], sunk: &[Ship]) -> Map {
            let sight = example::sight(rows, sunk);
            Map { density: Density::by(AT_RANDOM, &sight, &mut rules::random(1)), grid: sight.grid }
        }

        fn at(&self, x: i32, y: i32) -> f64 {
            self.density.chance(self.grid.index(Point::new(x, y)).unwrap())
        }

        fn sum(&self) -> f64 {
            (0..self.grid.len()).map(|cell| self.density.chance(cell)).sum()
        }
    }

    fn is(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    const BUT_BATTLESHIP: [Ship; 4] = [Ship::Submarine, Ship::Destroyer, Ship::Carrier, Ship::Cruiser];

    #[test]
    fn on_an_unknown_map_the_middle_is_likelier_than_the_corner() {
        let map = Map::of(["......."; 7], &[]);
        assert!(map.at(3, 3) > map.at(0, 3) && map.at(0, 3) > map.at(0, 0));
        assert!(is(map.sum(), 17.0));
    }

    #[test]
    fn a_wounded_battleship_is_followed_along_its_line() {
        let rows = ["xxxxx..", ".......", "xxx....", ".......", "...xx..", ".......", "xxo.xxx"];
        let map = Map::of(rows, &BUT_BATTLESHIP);
        for (x, chance) in [(0, 0.0), (1, 1.0 / 3.0), (2, 2.0 / 3.0), (5, 2.0 / 3.0), (6, 1.0 / 3.0)] {
            assert!(is(map.at(x, 2), chance), "({x}, 2)");
        }
        assert!(is(map.sum(), 2.0), "nothing else is hunted");
    }

    #[test]
    fn a_miss_at_one_end_turns_the_hunt_to_the_other() {
        let rows = ["xxxxx..", ".......", "xxx....", ".......", "..oxx..", ".......", "xxo.xxx"];
        let map = Map::of(rows, &BUT_BATTLESHIP);
        assert!(is(map.at(5, 2), 1.0) && is(map.at(6, 2), 1.0) && is(map.sum(), 2.0));
    }

    #[test]
    fn a_ship_with_one_hit_is_looked_for_on_all_sides() {
        let rows = [".......", ".......", ".......", "...x...", ".......", ".......", "......."];
        let map = Map::of(rows, &[]);
        for (x, y) in [(3, 4), (4, 3), (3, 2), (2, 3)] {
            assert!(map.at(x, y) > 0.4 && is(map.at(x, y), map.at(3, 4)), "({x}, {y})");
        }
    }

    #[test]
    fn a_sunk_ships_cells_are_no_longer_hunted() {
        let rows = [".......", ".......", ".......", ".......", ".......", ".......", "xx....."];
        let (sunk, wounded) = (Map::of(rows, &[Ship::Destroyer]), Map::of(rows, &[]));
        assert!(sunk.at(2, 0) < 0.3 && wounded.at(2, 0) > 0.5);
        assert!(is(sunk.sum(), 15.0) && is(wounded.sum(), 15.0));
    }

    #[test]
    fn a_wound_in_line_with_a_sunk_ship_belongs_to_another() {
        let rows = ["ooooooo", "ooooooo", ".o.....", "xxx....", ".o.....", "ooooooo", "ooooooo"];
        let map = Map::of(rows, &[Ship::Destroyer]);
        assert!(map.at(3, 3) > 0.3 && map.at(2, 4) > 0.2, "the Destroyer may lie in the west");
        assert!(map.at(0, 4) > 0.0, "or in the east");
        assert!(is(map.sum(), 14.0));
    }

    #[test]
    fn facts_that_agree_with_no_fleet_leave_every_chance_at_zero() {
        let map = Map::of(["ooooooo"; 7], &[]);
        assert!(is(map.sum(), 0.0));
        let map = Map::of(["......."; 7], &[Ship::Destroyer]);
        assert!(is(map.sum(), 0.0));
    }

    #[test]
    fn hits_along_the_edge_raise_the_chances_there() {
        let rows = ["xxx....", ".......", ".......", ".......", ".......", ".......", "xxx...."];
        let sight = example::sight(rows, &[Ship::Submarine, Ship::Cruiser]);
        let edge = sight.grid.index(Point::new(6, 3)).unwrap();
        let [expected, learnt] = [AT_RANDOM, CHANCES].map(|priors| Density::by(priors, &sight, &mut rules::random(1)));
        assert!(learnt.chance(edge) > 1.3 * expected.chance(edge));
    }

    #[test]
    fn a_sure_hit_within_an_area_is_certain() {
        let map = Map::of(["......."; 7], &[]);
        let around: Cells = (0..map.grid.len()).collect();
        assert!(is(map.density.chance_within(around), 1.0));
        assert!(is(map.density.chance_within(Cells::NONE), 0.0));
        let one: Cells = [0].into_iter().collect();
        assert!(map.density.chance_within(one) <= map.density.chance(0) + 1e-9);
    }

    /// A position as it may come up, and how many cells of ships are not hit in it.
    fn position(grid: Grid, shots: usize, random: &mut Random) -> (Sight, usize) {
        let fleet = random_fleet(grid, &Ship::ALL.map(Ship::length), random).unwrap();
        let ships: Vec<Cells> = fleet
            .into_iter()
            .zip(Ship::ALL)
            .map(|((start, to), ship)| Cells::at(grid, straight(start, to, ship.length()).flatten()))
            .collect();
        let occupied = ships.iter().fold(Cells::NONE, |all, &ship| all.or(ship));
        let shot: Cells = (0..shots).map(|_| random.random_range(0..grid.len())).collect();
        let mut sunk = ships.iter().map(|ship| ship.lies_within(shot));
        let sunk = Ship::ALL.map(|_| sunk.next().unwrap());
        let sight = Sight { missed: shot.without(occupied), damaged: shot.and(occupied), sunk, ..Sight::blank(grid) };
        (sight, occupied.without(shot).len())
    }

    #[test]
    fn the_chances_add_up_to_the_cells_that_are_left() {
        let mut random = rules::random(7);
        for (side, shots) in [(7, 10), (7, 60), (10, 30), (10, 200), (14, 300)] {
            let grid = Grid::new(side, side);
            let (sight, left) = position(grid, shots, &mut random);
            let density = Density::of(&sight, &mut random);
            let sum: f64 = (0..grid.len()).map(|cell| density.chance(cell)).sum();
            assert!((sum - left as f64).abs() < 1e-6, "{sum} instead of {left} in {sight:?}");
            for cell in sight.missed.or(sight.damaged).iter() {
                assert!(is(density.chance(cell), 0.0));
            }
        }
    }

    #[test]
    fn five_wounded_ships_are_weighed_without_looking_at_everything() {
        let grid = Grid::new(14, 14);
        let wounds = [(2, 2), (2, 10), (6, 6), (10, 2), (10, 10)].map(|(x, y)| Point::new(x, y));
        let sight = Sight { damaged: Cells::at(grid, wounds), ..Sight::blank(grid) };
        let density = Density::of(&sight, &mut rules::random(1));
        let sum: f64 = (0..grid.len()).map(|cell| density.chance(cell)).sum();
        assert!(is(sum, 12.0));
        let beside = density.chance(grid.index(Point::new(2, 3)).unwrap());
        assert!((0.2..0.6).contains(&beside), "{beside}");
    }
}
