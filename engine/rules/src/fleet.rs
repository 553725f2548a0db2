//! Straight ships, and fleets placed at random.

use crate::{Cells, Direction, Grid, Point, Random, Shape};
use rand::RngExt;
use std::borrow::Borrow;

/// The points of a ship of `length` from `start` on, start included, whether on a board or not.
/// `None` stands for a point beyond the end of coordinates.
pub fn straight(start: Point, direction: Direction, length: u8) -> impl Iterator<Item = Option<Point>> {
    let (dx, dy) = direction.step();
    (0..i32::from(length)).map(move |i| start.offset(dx * i, dy * i))
}

/// The most attempts at a whole fleet.
const ATTEMPTS: u32 = 1000;
/// The most work of all attempts together, which takes about a second: rows of cells that are looked at.
const MOST_WORK: usize = 200_000_000;

/// The cells of ships of these shapes, placed at random on `grid`; `None` if no room was found in a thousand attempts, or fewer where
/// they are much work. Each ship, largest first, lies at one of all places that those before it leave free, each of which is as
/// likely. `kept_free` gives the cells in which no further ship may lie beside one: its own, and those around it that ships may
/// not touch.
///
/// ```
/// use rules::{Cells, Grid, Shape, place_shapes, random};
///
/// let fleet = place_shapes(Grid::new(3, 1), &[Shape::straight(1), Shape::straight(2)], Cells::clone, &mut random(7));
/// assert_eq!(fleet.map(|ships| ships.iter().map(Vec::len).collect()), Some(vec![1, 2]));
/// assert_eq!(place_shapes(Grid::new(2, 2), &[Shape::straight(3)], Cells::clone, &mut random(7)), None);
/// ```
pub fn place_shapes(
    grid: Grid,
    shapes: &[impl Borrow<Shape>],
    kept_free: impl Fn(&Cells) -> Cells,
    random: &mut Random,
) -> Option<Vec<Vec<Point>>> {
    let shapes: Vec<&Shape> = shapes.iter().map(Borrow::borrow).collect();
    let mut order: Vec<usize> = (0..shapes.len()).collect();
    order.sort_by_key(|&ship| std::cmp::Reverse(shapes[ship].size()));
    let mut work = 0;
    let mut attempt = |_| {
        let mut open = Cells::all(grid);
        let mut fleet = vec![Vec::new(); shapes.len()];
        for &ship in &order {
            let shape = shapes[ship];
            work += shape.ways().len() * shape.size() * grid.height() as usize;
            if work > MOST_WORK {
                return None;
            }
            (fleet[ship], _) = shape.random_place(&open, random)?;
            open.remove_all(&kept_free(&Cells::of(grid, &fleet[ship])));
        }
        Some(fleet)
    };
    (0..ATTEMPTS).find_map(&mut attempt)
}

/// A start and direction for each of `lengths` such that all ships lie on `grid` and none shares a cell, as [`place_shapes`] places
/// them. The end at which a ship starts is drawn, too.
pub fn random_fleet(grid: Grid, lengths: &[u8], random: &mut Random) -> Option<Vec<(Point, Direction)>> {
    let shapes: Vec<Shape> = lengths.iter().map(|length| Shape::straight(*length)).collect();
    let ships = place_shapes(grid, &shapes, Cells::clone, random)?;
    let start = |cells: Vec<Point>| {
        let (first, last) = (cells[0], cells[cells.len() - 1]);
        match (first.y == last.y, random.random()) {
            (true, true) => (first, Direction::East),
            (true, false) => (last, Direction::West),
            (false, true) => (first, Direction::North),
            (false, false) => (last, Direction::South),
        }
    };
    Some(ships.into_iter().map(start).collect())
}
