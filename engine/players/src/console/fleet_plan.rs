//! A fleet that is to be placed: its ships with the ways in which they may lie.

use rules::{Direction, Grid, Point, straight};
use std::borrow::Cow;
use std::sync::Arc;

/// A kind of ship, as a person places it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FleetShip {
    /// The name to type, in lower case and without blanks.
    pub name: Cow<'static, str>,
    /// The letter on boards.
    pub letter: char,
    /// The ways in which the ship may lie, one or more, the usual one first.
    pub ways: Arc<[ShipWay]>,
}

/// A way in which a ship may lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShipWay {
    /// The word to type: a direction, or the number of the way.
    pub name: Cow<'static, str>,
    /// The cells, first to last, as steps from the one that is typed.
    pub cells: Vec<(i32, i32)>,
}

impl FleetShip {
    /// A straight ship of so many cells that may lie in these directions.
    pub fn straight(
        name: impl Into<Cow<'static, str>>,
        letter: char,
        length: u8,
        directions: &[(&'static str, Direction)],
    ) -> FleetShip {
        let way = |&(name, direction): &(&'static str, Direction)| {
            let cells = straight(Point::default(), direction, length).flatten().map(|cell| (cell.x, cell.y));
            ShipWay { name: name.into(), cells: cells.collect() }
        };
        FleetShip { name: name.into(), letter, ways: directions.iter().map(way).collect() }
    }

    /// The words for directions on boards whose row 0 is at the bottom, the usual one first.
    pub fn compass() -> [(&'static str, Direction); 4] {
        [Direction::East, Direction::North, Direction::South, Direction::West].map(|to| (to.name(), to))
    }

    /// The number of cells.
    pub fn length(&self) -> usize {
        self.ways[0].cells.len()
    }

    /// True if the ways are directions of a straight ship.
    pub(super) fn is_straight(&self) -> bool {
        self.ways[0].cells.iter().all(|(_, dy)| *dy == 0) || self.ways[0].cells.iter().all(|(dx, _)| *dx == 0)
    }

    /// The ship from a cell on in a direction; in its usual way if it has no such direction.
    pub fn towards(self, start: Point, direction: Direction) -> PlacedShip {
        let (dx, dy) = direction.step();
        let way = self.ways.iter().position(|way| way.cells.get(1) == Some(&(dx, dy))).unwrap_or(0);
        PlacedShip { ship: self, start, way }
    }

    /// The sets of cells that the ways cover, each as steps from the least column and row: ways that differ only in the cell that
    /// is typed are one turn.
    pub fn turns(&self) -> Vec<Vec<(i32, i32)>> {
        let mut turns = Vec::new();
        for (_, cells) in self.ways.iter().map(ShipWay::by_corner) {
            if !turns.contains(&cells) {
                turns.push(cells);
            }
        }
        turns
    }

    /// The ship in a turn of [`FleetShip::turns`], with its least column and row in this cell; `None` if there is no such turn.
    pub fn turned(self, corner: Point, turn: usize) -> Option<PlacedShip> {
        let cells = self.turns().into_iter().nth(turn)?;
        let ways = || self.ways.iter().map(ShipWay::by_corner).enumerate();
        let (way, ((dx, dy), _)) = ways().find(|(_, (_, covered))| *covered == cells)?;
        let start = corner.offset(-dx, -dy)?;
        Some(PlacedShip { ship: self, start, way })
    }
}

impl ShipWay {
    /// The least column and row, and the cells as steps from them, in order.
    fn by_corner(&self) -> ((i32, i32), Vec<(i32, i32)>) {
        let least = |of: fn(&(i32, i32)) -> i32| self.cells.iter().map(of).min().unwrap_or(0);
        let (x, y) = (least(|cell| cell.0), least(|cell| cell.1));
        let mut cells: Vec<(i32, i32)> = self.cells.iter().map(|(dx, dy)| (dx - x, dy - y)).collect();
        cells.sort_unstable();
        ((x, y), cells)
    }
}

/// A ship and where it lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedShip {
    /// The kind of the ship.
    pub ship: FleetShip,
    /// The cell from which the way counts its steps.
    pub start: Point,
    /// The number of the way.
    pub way: usize,
}

impl PlacedShip {
    /// The cells, first to last; `None` stands for a cell beyond the end of coordinates.
    pub fn cells(&self) -> impl Iterator<Item = Option<Point>> {
        self.ship.ways[self.way].cells.iter().map(|&(dx, dy)| self.start.offset(dx, dy))
    }

    /// True if the ship lies in this cell.
    pub fn covers(&self, at: Point) -> bool {
        self.cells().any(|cell| cell == Some(at))
    }

    /// The direction of a straight ship from its first cell on; east for a ship of one cell.
    pub fn direction(&self) -> Direction {
        let step = self.ship.ways[self.way].cells.get(1).copied();
        Direction::ALL.into_iter().find(|direction| Some(direction.step()) == step).unwrap_or(Direction::East)
    }

    /// The least column and row, and the number of the turn in [`FleetShip::turns`].
    pub fn turn(&self) -> (Point, usize) {
        let ((dx, dy), cells) = self.ship.ways[self.way].by_corner();
        let turn = self.ship.turns().iter().position(|turn| *turn == cells).unwrap_or(0);
        (self.start.offset(dx, dy).unwrap_or(self.start), turn)
    }
}

/// A board, and the fleet to be placed on it.
#[derive(Debug, Clone)]
pub struct FleetPlan {
    /// The board.
    pub grid: Grid,
    /// All ships: a kind of which there are several is named several times, side by side.
    pub ships: Vec<FleetShip>,
    /// The steps from a cell of a ship to those in which another ship may not lie.
    pub near: Vec<(i32, i32)>,
    /// The line of the help about keys.
    pub keys: &'static str,
}

impl FleetPlan {
    /// The line of the help about keys at the console.
    pub(super) const KEYS: &'static str = "Ctrl-D               gives up";

    /// The steps from a cell to those next to it for which the condition holds.
    pub(super) fn near(is_too_close: impl Fn(i32, i32) -> bool) -> Vec<(i32, i32)> {
        let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
        around.filter(|&(dx, dy)| (dx, dy) != (0, 0) && is_too_close(dx, dy)).collect()
    }

    /// The ships that are not among those placed.
    pub(super) fn left(&self, placed: &[PlacedShip]) -> Vec<FleetShip> {
        let mut left = self.ships.clone();
        for placed in placed {
            if let Some(at) = left.iter().position(|ship| *ship == placed.ship) {
                left.remove(at);
            }
        }
        left
    }

    /// The kinds of ships.
    pub(super) fn kinds(&self) -> Vec<FleetShip> {
        let mut kinds = self.ships.clone();
        kinds.dedup();
        kinds
    }
}
