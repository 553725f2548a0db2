//! The part of Broadside's crate `rules` that the hunter uses: the same names, the standard library alone.
//!
//! In Broadside's repository the hunter is also built with the crate itself, for the built-in player and for its tests.

pub mod entelect_2017;
mod random;

pub use random::{Random, RngExt, random};

/// A pair of coordinates, on a board or off it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// A direction along the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
}

/// The rectangle of cells from (0, 0) to (width - 1, height - 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

    /// True if `point` is on the grid.
    pub fn contains(self, point: Point) -> bool {
        (0..self.width()).contains(&point.x) && (0..self.height()).contains(&point.y)
    }

    /// The place of `point` in [`Grid::points`]; `None` off the grid.
    pub fn index(self, point: Point) -> Option<usize> {
        self.contains(point).then(|| (point.x * self.height() + point.y) as usize)
    }

    /// All points, x outer and y inner, both ascending.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.width()).flat_map(move |x| (0..self.height()).map(move |y| Point { x, y }))
    }
}

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
    let place = |&length: &u8| {
        let is_free = |point: Option<Point>| point.and_then(|point| grid.index(point)).is_some_and(|at| !taken[at]);
        let all = grid.points().flat_map(|start| Direction::ALL.map(|direction| (start, direction)));
        let fits = |&(start, direction): &(Point, Direction)| straight(start, direction, length).all(is_free);
        let choices: Vec<(Point, Direction)> = all.filter(fits).collect();
        if choices.is_empty() {
            return None;
        }
        let (start, direction) = choices[random.random_range(0..choices.len())];
        for point in straight(start, direction, length).flatten() {
            taken[grid.index(point)?] = true;
        }
        Some((start, direction))
    };
    lengths.iter().map(place).collect()
}
