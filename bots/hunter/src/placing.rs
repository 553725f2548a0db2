//! Where our own ships go.

use rand::RngExt;
use rules::entelect_2017::{Placement, Ship, ShipPlacement};
use rules::{Direction, Grid, Point, Random, random_fleet, straight};

/// How many random fleets are looked at.
const FLEETS: usize = 40;

/// A fleet placed at random. Of some random fleets the one whose ships touch least is taken: a shot at several cells
/// at once should not find two ships, nor a hit on one ship lead to the next. `None` if the map is too small.
pub fn place(grid: Grid, random: &mut Random) -> Option<Placement> {
    let fleets: Vec<_> = (0..FLEETS).map_while(|_| random_fleet(grid, &Ship::ALL.map(Ship::length), random)).collect();
    let fleet = fleets.into_iter().min_by_key(|fleet| match crate::tune(6) as i32 {
        0 => contacts(fleet) * 10,
        1 => 0,
        2 => contacts(fleet) * 10 + centrality(grid, fleet),
        3 => contacts(fleet) * 2 + centrality(grid, fleet),
        4 => 10000 - contacts(fleet),
        _ => contacts(fleet) * 1000 - centrality(grid, fleet),
    })?;
    let _ = random.random_range(0..2);
    let ships =
        fleet.into_iter().zip(Ship::ALL).map(|((start, direction), ship)| ShipPlacement { ship, start, direction });
    Some(Placement::new(ships.collect::<Vec<_>>().try_into().ok()?))
}

fn contacts(fleet: &[(Point, Direction)]) -> usize {
    let ships: Vec<Vec<Point>> = fleet
        .iter()
        .zip(Ship::ALL)
        .map(|(&(start, direction), ship)| straight(start, direction, ship.length()).flatten().collect())
        .collect();
    let touch = |a: Point, b: Point| (a.x - b.x).abs() <= 1 && (a.y - b.y).abs() <= 1;
    let mut count = 0;
    for (nth, ship) in ships.iter().enumerate() {
        for other in &ships[nth + 1..] {
            count +=
                ship.iter().flat_map(|&a| other.iter().map(move |&b| (a, b))).filter(|&(a, b)| touch(a, b)).count();
        }
    }
    count
}

fn centrality(grid: Grid, fleet: &[(Point, Direction)]) -> usize {
    let edge = |v: i32| v.min(grid.width() - 1 - v) as usize;
    fleet
        .iter()
        .zip(Ship::ALL)
        .flat_map(|(&(s, d), ship)| straight(s, d, ship.length()).flatten())
        .map(|p| edge(p.x).min(edge(p.y)).min(2))
        .sum()
}
