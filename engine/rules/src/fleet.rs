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
    let mut room = Direction::ALL.map(|_| vec![0; grid.len()]);
    let place = |&length: &u8| {
        measure_room(grid, &taken, &mut room);
        let fits = |room: &u8| *room >= length;
        let choices: usize = room.iter().map(|room| room.iter().filter(|room| fits(room)).count()).sum();
        if choices == 0 {
            return None;
        }
        let mut before = random.random_range(0..choices);
        // Choices are in the order of their starts, and of their directions.
        let (at, direction) = (0..grid.len()).find_map(|at| {
            let here = room.each_ref().map(|room| fits(&room[at]));
            let count = here.iter().filter(|fits| **fits).count();
            if before >= count {
                before -= count;
                return None;
            }
            let directions = Direction::ALL.into_iter().zip(here).filter(|(_, fits)| *fits);
            Some((at, directions.map(|(direction, _)| direction).nth(before)?))
        })?;
        let start = grid.point(at);
        for point in straight(start, direction, length).flatten() {
            taken[grid.index(point)?] = true;
        }
        Some((start, direction))
    };
    lengths.iter().map(place).collect()
}

/// Finds for each of [`Direction::ALL`], and for each cell in the order of [`Grid::points`], the number of free cells from there on.
fn measure_room(grid: Grid, taken: &[bool], room: &mut [Vec<u8>; 4]) {
    let height = grid.height() as usize;
    if height == 0 {
        return;
    }
    let [north, east, south, west] = room;
    let taken = || taken.chunks_exact(height);
    for (room, taken) in north.chunks_exact_mut(height).zip(taken()) {
        count_free(room.iter_mut().zip(taken).rev());
    }
    for (room, taken) in south.chunks_exact_mut(height).zip(taken()) {
        count_free(room.iter_mut().zip(taken));
    }
    count_free_columns(east.chunks_exact_mut(height).zip(taken()).rev());
    count_free_columns(west.chunks_exact_mut(height).zip(taken()));
}

/// Gives each cell of a line the number of free cells from there back.
fn count_free<'a>(line: impl Iterator<Item = (&'a mut u8, &'a bool)>) {
    let mut before = 0;
    for (room, taken) in line {
        before = if *taken { 0 } else { before + 1 };
        *room = before;
    }
}

/// As [`count_free`], for all rows at once.
fn count_free_columns<'a>(columns: impl Iterator<Item = (&'a mut [u8], &'a [bool])>) {
    let mut before: &[u8] = &[0; u8::MAX as usize];
    for (room, taken) in columns {
        for ((room, taken), before) in room.iter_mut().zip(taken).zip(before) {
            *room = if *taken { 0 } else { before + 1 };
        }
        before = room;
    }
}
