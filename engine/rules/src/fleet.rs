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
    lengths
        .iter()
        .map(|&length| {
            let choices: Vec<(Point, Direction)> = grid
                .points()
                .flat_map(|start| Direction::ALL.map(|direction| (start, direction)))
                .filter(|&(start, direction)| {
                    straight(start, direction, length)
                        .all(|point| point.and_then(|p| grid.index(p)).is_some_and(|index| !taken[index]))
                })
                .collect();
            if choices.is_empty() {
                return None;
            }
            let (start, direction) = choices[random.random_range(0..choices.len())];
            for point in straight(start, direction, length).flatten() {
                taken[grid.index(point)?] = true;
            }
            Some((start, direction))
        })
        .collect()
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

    #[test]
    fn a_fleet_too_large_for_the_grid_is_none() {
        assert_eq!(random_fleet(Grid::new(2, 2), &[2, 2, 2], &mut crate::random(1)), None);
    }
}
