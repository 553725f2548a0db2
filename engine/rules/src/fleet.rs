//! Straight ships: the cells they cover and fleets placed at random.

use crate::{Direction, Grid, Point, Random};
use rand::RngExt;

/// The points of a ship of `length` from `start` on, start included, whether on a board or not.
/// `None` stands for a point beyond the end of coordinates.
pub fn straight(start: Point, direction: Direction, length: u8) -> impl Iterator<Item = Option<Point>> {
    let (dx, dy) = direction.step();
    (0..i32::from(length)).map(move |i| start.offset(dx * i, dy * i))
}

/// A start and direction for each of `lengths` such that all ships lie on `grid` and none shares a cell.
/// `None` if no such fleet was found in a thousand attempts: the ships are too many for the grid.
pub fn random_fleet(grid: Grid, lengths: &[u8], random: &mut Random) -> Option<Vec<(Point, Direction)>> {
    (0..1000).find_map(|_| attempt(grid, lengths, random))
}

fn attempt(grid: Grid, lengths: &[u8], random: &mut Random) -> Option<Vec<(Point, Direction)>> {
    let mut taken = vec![false; grid.len()];
    let mut room = vec![[0; 4]; grid.len()];
    let place = |&length: &u8| {
        measure_room(grid, &taken, &mut room);
        let fits = |room: u8| room >= length;
        let choices = room.as_flattened().iter().filter(|room| fits(**room)).count();
        if choices == 0 {
            return None;
        }
        let nth = random.random_range(0..choices);
        let chosen = room.as_flattened().iter().enumerate().filter(|(_, room)| fits(**room)).nth(nth)?.0;
        let (start, direction) = (grid.points().nth(chosen / 4)?, Direction::ALL[chosen % 4]);
        for point in straight(start, direction, length).flatten() {
            taken[grid.index(point)?] = true;
        }
        Some((start, direction))
    };
    lengths.iter().map(place).collect()
}

/// Finds for each cell, in the order of [`Grid::points`], and for each of [`Direction::ALL`], the number of free cells from there on.
fn measure_room(grid: Grid, taken: &[bool], room: &mut [[u8; 4]]) {
    let height = grid.height() as usize;
    let (is_first, is_last) = (|at: usize| at.is_multiple_of(height), |at: usize| (at + 1).is_multiple_of(height));
    let beyond = |neighbour: Option<&[u8; 4]>, direction: usize| neighbour.map_or(0, |room| room[direction]);
    for at in 0..taken.len() {
        let (south, west) = (at.checked_sub(1).filter(|_| !is_first(at)), at.checked_sub(height));
        let [south, west] = [(south, 2), (west, 3)].map(|(cell, to)| beyond(cell.and_then(|cell| room.get(cell)), to));
        room[at][2..].copy_from_slice(&if taken[at] { [0, 0] } else { [south + 1, west + 1] });
    }
    for at in (0..taken.len()).rev() {
        let north = room.get(at + 1).filter(|_| !is_last(at));
        let [north, east] = [beyond(north, 0), beyond(room.get(at + height), 1)];
        room[at][..2].copy_from_slice(&if taken[at] { [0, 0] } else { [north + 1, east + 1] });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_fleet_lies_on_the_grid_without_overlap() {
        let grid = Grid::new(7, 7);
        for seed in 0..200 {
            let lengths = [3, 2, 4, 5, 3];
            let fleet = random_fleet(grid, &lengths, &mut crate::random(seed)).unwrap();
            let mut cells: Vec<Point> =
                fleet.iter().zip(lengths).flat_map(|(&(at, to), n)| straight(at, to, n)).map(Option::unwrap).collect();
            cells.sort();
            cells.dedup();
            assert_eq!(cells.len(), 17);
            assert!(cells.iter().all(|&p| grid.contains(p)));
        }
    }

    /// Fleets are part of what a seed stands for: the choices come in the order of starts and directions.
    #[test]
    fn a_fleet_is_drawn_from_all_places_in_their_order() {
        let by_list = |grid: Grid, lengths: &[u8], random: &mut Random| {
            let mut taken = Vec::new();
            let place = |&length: &u8| {
                let is_free = |point: Option<Point>| point.is_some_and(|p| grid.contains(p) && !taken.contains(&p));
                let all = grid.points().flat_map(|start| Direction::ALL.map(|direction| (start, direction)));
                let choices: Vec<_> =
                    all.filter(|&(start, direction)| straight(start, direction, length).all(is_free)).collect();
                let chosen = *choices.get(random.random_range(0..choices.len().max(1)))?;
                taken.extend(straight(chosen.0, chosen.1, length).flatten());
                Some(chosen)
            };
            lengths.iter().map(place).collect::<Option<Vec<_>>>()
        };
        for (seed, grid) in
            (0..100).zip([Grid::new(7, 7), Grid::new(10, 10), Grid::new(14, 14), Grid::new(5, 9)].into_iter().cycle())
        {
            let lengths = [3, 2, 4, 5, 3, 1];
            let expected = by_list(grid, &lengths, &mut crate::random(seed)).unwrap();
            assert_eq!(random_fleet(grid, &lengths, &mut crate::random(seed)), Some(expected), "{grid:?}");
        }
    }

    #[test]
    fn a_fleet_too_large_for_the_grid_is_none() {
        assert_eq!(random_fleet(Grid::new(2, 2), &[2, 2, 2], &mut crate::random(1)), None);
    }
}
