//! The fleets of the opponents.

use super::Habit;
use rules::entelect_2017::{Placement, Ship, ShipPlacement};
use rules::{Direction, Grid, Point, Random, RngExt, random_fleet, straight};

type Ships = Vec<(Point, Direction)>;

/// A fleet by this habit, on a map of 7 x 7 or more.
pub(crate) fn place(grid: Grid, habit: Habit, random: &mut Random) -> Option<Placement> {
    let side = grid.width();
    let from_edge = |at: Point| at.x.min(at.y).min(side - 1 - at.x).min(side - 1 - at.y);
    let fleet = match habit {
        Habit::FixedFleet => fixed(side),
        Habit::SideBySide => side_by_side(side, random),
        Habit::Edges => within(grid, |at| from_edge(at) == 0, random)?,
        Habit::Middle => within(grid, |at| from_edge(at) > i32::from(side > 7), random)?,
        _ => random_fleet(grid, &Ship::ALL.map(Ship::length), random)?,
    };
    let placed = |((start, direction), ship)| ShipPlacement { ship, start, direction };
    let ships: Vec<ShipPlacement> = fleet.into_iter().zip(Ship::ALL).map(placed).collect();
    Some(Placement::new(ships.try_into().ok()?))
}

/// Destroyer and Cruiser in corners, the others apart from each other.
fn fixed(side: i32) -> Ships {
    let ship = |x, y, to| (Point::new(x, y), to);
    vec![
        ship(side / 2, 2, Direction::East),
        ship(0, 0, Direction::East),
        ship(side - 2, side / 2, Direction::North),
        ship(1, side / 2 - 1, Direction::North),
        ship(side - 1, 0, Direction::North),
    ]
}

/// All ships beside each other in any order, along rows or columns.
fn side_by_side(side: i32, random: &mut Random) -> Ships {
    let (x, y) = (random.random_range(0..side - 4), random.random_range(0..side - 4));
    let mut lines = [0, 1, 2, 3, 4];
    (1..lines.len()).for_each(|last| lines.swap(last, random.random_range(0..last + 1)));
    let along_rows = random.random_range(0..2) == 0;
    let ship = |line: i32| match along_rows {
        true => (Point::new(x, y + line), Direction::East),
        false => (Point::new(x + line, y), Direction::North),
    };
    lines.into_iter().map(ship).collect()
}

/// Each ship at random where all of its cells are allowed.
fn within(grid: Grid, is_allowed: impl Fn(Point) -> bool, random: &mut Random) -> Option<Ships> {
    (0..1000).find_map(|_| {
        let mut taken: Vec<Point> = Vec::new();
        let place = |ship: Ship| {
            let is_free =
                |at: Option<Point>| at.is_some_and(|at| grid.contains(at) && is_allowed(at) && !taken.contains(&at));
            let all = grid.points().flat_map(|start| [Direction::East, Direction::North].map(|to| (start, to)));
            let places: Ships = all.filter(|&(start, to)| straight(start, to, ship.length()).all(is_free)).collect();
            if places.is_empty() {
                return None;
            }
            let (start, to) = places[random.random_range(0..places.len())];
            taken.extend(straight(start, to, ship.length()).flatten());
            Some((start, to))
        };
        Ship::ALL.into_iter().map(place).collect()
    })
}
