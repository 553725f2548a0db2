//! Points, directions and the rectangle a board covers. x grows to the east, y to the north.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A pair of coordinates, on a board or off it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Point {
    /// Column, 0 in the west.
    pub x: i32,
    /// Row, 0 in the south.
    pub y: i32,
}

impl Point {
    /// The point (x, y).
    pub const fn new(x: i32, y: i32) -> Point {
        Point { x, y }
    }

    /// The point `dx` to the east and `dy` to the north; `None` where coordinates end, which is off every board.
    pub fn offset(self, dx: i32, dy: i32) -> Option<Point> {
        Some(Point { x: self.x.checked_add(dx)?, y: self.y.checked_add(dy)? })
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.x, self.y)
    }
}

/// A direction along the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// y grows.
    North,
    /// x grows.
    East,
    /// y shrinks.
    South,
    /// x shrinks.
    West,
}

impl Direction {
    /// All four, clockwise from the north.
    pub const ALL: [Direction; 4] = [Direction::North, Direction::East, Direction::South, Direction::West];

    /// One step in this direction as (dx, dy).
    pub fn step(self) -> (i32, i32) {
        match self {
            Direction::North => (0, 1),
            Direction::East => (1, 0),
            Direction::South => (0, -1),
            Direction::West => (-1, 0),
        }
    }

    /// The name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Direction::North => "north",
            Direction::East => "east",
            Direction::South => "south",
            Direction::West => "west",
        }
    }

    /// The direction with this name in any letter case.
    pub fn from_name(name: &str) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| direction.name().eq_ignore_ascii_case(name))
    }
}

/// The rectangle of cells from (0, 0) to (width - 1, height - 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grid {
    width: u8,
    height: u8,
}

impl Grid {
    /// A grid of this many columns and rows.
    pub const fn new(width: u8, height: u8) -> Grid {
        Grid { width, height }
    }

    /// The number of columns.
    pub fn width(self) -> i32 {
        i32::from(self.width)
    }

    /// The number of rows.
    pub fn height(self) -> i32 {
        i32::from(self.height)
    }

    /// The number of cells.
    pub fn len(self) -> usize {
        usize::from(self.width) * usize::from(self.height)
    }

    /// True if there are no cells.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// True if `point` is on the grid.
    pub fn contains(self, point: Point) -> bool {
        (0..self.width()).contains(&point.x) && (0..self.height()).contains(&point.y)
    }

    /// The place of `point` in [`Grid::points`]; `None` off the grid.
    pub fn index(self, point: Point) -> Option<usize> {
        self.contains(point).then(|| (point.x * self.height() + point.y) as usize)
    }

    /// The point at place `index` of [`Grid::points`].
    ///
    /// ```
    /// let grid = rules::Grid::new(3, 4);
    /// assert!(grid.points().enumerate().all(|(index, point)| grid.point(index) == point));
    /// ```
    ///
    /// # Panics
    /// The grid has no rows.
    pub fn point(self, index: usize) -> Point {
        let height = usize::from(self.height);
        Point { x: (index / height) as i32, y: (index % height) as i32 }
    }

    /// All points, x outer and y inner, both ascending.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.width()).flat_map(move |x| (0..self.height()).map(move |y| Point { x, y }))
    }
}
