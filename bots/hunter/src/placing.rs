//! The placement of our own ships.

use crate::Cells;
use crate::counting::shots_to_sink;
use rules::entelect_2017::{Placement, Ship, ShipPlacement};
use rules::{Direction, Grid, Point, Random, random_fleet, straight};

/// The number of random fleets to choose from.
const FLEETS: usize = 60;
/// The number of times that each of them is attacked.
const ATTACKS: i64 = 6;

/// A fleet at random. `None` if the grid is too small for one.
///
/// Of several fleets the one that is hardest to find is taken: a shooter that counts places needs the most shots.
/// Ships that touch are bad: one shot at several cells finds both. The Destroyer is found last, so it lies along the edge, where most
/// hunters look last. The other ships keep away from the edge a little: the shooter would have all of them there, and players who learn
/// where our ships lie would find them sooner.
pub fn place(grid: Grid, random: &mut Random) -> Option<Placement> {
    let lengths = Ship::ALL.map(Ship::length);
    let fleets: Vec<_> = (0..FLEETS).map_while(|_| random_fleet(grid, &lengths, random)).collect();
    let fleet = fleets.into_iter().min_by_key(|fleet| cost(grid, &ship_points(fleet), random))?;
    let placed = |((start, direction), ship)| ShipPlacement { ship, start, direction };
    let ships: Vec<ShipPlacement> = fleet.into_iter().zip(Ship::ALL).map(placed).collect();
    Some(Placement::new(ships.try_into().ok()?))
}

/// The cost of a fleet in shots, times [`ATTACKS`]: the lower, the harder it is to find.
fn cost(grid: Grid, ships: &[Vec<Point>; 5], random: &mut Random) -> i64 {
    let cells = ships.each_ref().map(|ship| Cells::at(grid, ship.iter().copied()));
    let shots: i64 = (0..ATTACKS).map(|_| i64::from(shots_to_sink(grid, &cells, random))).sum();
    let depths = |ship: &[Point]| ship.iter().map(|&point| depth(grid, point)).collect::<Vec<u32>>();
    let at_edge = ships.iter().flat_map(|ship| depths(ship)).filter(|&depth| depth == 0).count() as i64;
    let destroyer: u32 = depths(&ships[Ship::Destroyer.index()]).iter().sum();
    ATTACKS * (2 * i64::from(contacts(ships) + destroyer) + at_edge) - shots
}

/// The points of the ships, in the order of [`Ship::ALL`].
fn ship_points(fleet: &[(Point, Direction)]) -> [Vec<Point>; 5] {
    Ship::ALL.map(|ship| {
        let (start, to) = fleet[ship.index()];
        straight(start, to, ship.length()).flatten().collect()
    })
}

/// The number of pairs of cells of different ships that touch, also at their corners.
fn contacts(ships: &[Vec<Point>]) -> u32 {
    let touch = |a: &Point, b: &Point| a.x.abs_diff(b.x) <= 1 && a.y.abs_diff(b.y) <= 1;
    let mut count = 0;
    for (nth, ship) in ships.iter().enumerate() {
        for other in ships[nth + 1..].iter().flatten() {
            count += ship.iter().filter(|point| touch(point, other)).count() as u32;
        }
    }
    count
}

/// The distance of `point` from the edge; from two cells on, all is the middle.
fn depth(grid: Grid, point: Point) -> u32 {
    let from_edge = |at: i32, side: i32| at.min(side - 1 - at).unsigned_abs();
    from_edge(point.x, grid.width()).min(from_edge(point.y, grid.height())).min(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::entelect_2017::{Entelect2017, MapSize, Settings};
    use rules::{Game, Seat};

    #[test]
    fn a_fleet_is_legal_on_every_size() {
        for size in MapSize::ALL {
            let game = Entelect2017::start(&Settings { size }, 2, 0).unwrap();
            for seed in 0..5 {
                let fleet = place(size.grid(), &mut rules::random(seed)).unwrap();
                assert_eq!(game.check(Seat::A, &fleet.into()), Ok(()));
            }
        }
    }

    #[test]
    fn a_fleet_is_as_random_as_its_seed() {
        let fleet = |seed| place(Grid::new(10, 10), &mut rules::random(seed));
        assert_eq!(fleet(1), fleet(1));
        assert_ne!(fleet(1), fleet(2));
    }

    #[test]
    fn ships_touch_less_often_than_by_chance() {
        let (grid, mut random) = (Grid::new(10, 10), rules::random(1));
        let (mut chosen, mut by_chance) = (0, 0);
        for _ in 0..10 {
            let ships = place(grid, &mut random).unwrap().ships;
            chosen += contacts(&ship_points(&ships.map(|ship| (ship.start, ship.direction))));
            let fleet = random_fleet(grid, &Ship::ALL.map(Ship::length), &mut random).unwrap();
            by_chance += contacts(&ship_points(&fleet));
        }
        assert!(2 * chosen < by_chance, "{chosen} contacts, {by_chance} by chance");
    }

    #[test]
    fn corners_touch_too() {
        let (a, b, c) = (Point::new(0, 0), Point::new(1, 1), Point::new(3, 1));
        assert_eq!(contacts(&[vec![a], vec![b], vec![c]]), 1);
    }

    #[test]
    fn depth_is_counted_from_the_nearest_edge() {
        let depths = [(0, 3), (3, 1), (3, 3), (6, 6)].map(|(x, y)| depth(Grid::new(7, 7), Point::new(x, y)));
        assert_eq!(depths, [0, 1, 2, 0]);
    }

    #[test]
    fn a_map_without_room_gets_no_fleet() {
        assert_eq!(place(Grid::new(2, 2), &mut rules::random(1)), None);
    }
}
