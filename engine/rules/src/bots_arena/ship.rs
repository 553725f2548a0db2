//! A ship on a board and where it was hit.

use super::StrikeResult;
use crate::{Direction, Point, straight};
use serde::Serialize;

/// A ship on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Ship {
    /// The cell with the lowest coordinates.
    start: Point,
    along_x: bool,
    length: u8,
    /// Bit n is set if the cell n steps from the start was hit.
    hits: u8,
}

impl Ship {
    /// A healthy ship from one of these cells to the other, which are in one row or column and no more than
    /// [`super::LONGEST`] cells.
    pub(super) fn new(one: Point, other: Point) -> Ship {
        let along_x = one.y == other.y;
        let steps = if along_x { one.x.abs_diff(other.x) } else { one.y.abs_diff(other.y) };
        Ship { start: one.min(other), along_x, length: steps as u8 + 1, hits: 0 }
    }

    /// The number of cells, 1 to 6.
    pub fn length(&self) -> u8 {
        self.length
    }

    /// The cells, each with true if it was hit.
    pub fn cells(&self) -> impl Iterator<Item = (Point, bool)> + use<> {
        let direction = if self.along_x { Direction::East } else { Direction::North };
        let hits = self.hits;
        let is_hit = move |(step, point)| (point, hits & (1_u8 << step) != 0);
        straight(self.start, direction, self.length).flatten().enumerate().map(is_hit)
    }

    /// The number of cells that were hit.
    pub fn hits(&self) -> u32 {
        self.hits.count_ones()
    }

    /// True if all cells were hit.
    pub fn is_sunk(&self) -> bool {
        self.hits() == u32::from(self.length)
    }

    /// The result of a strike at `target`, and true if it hits that cell for the first time; `None` if the ship does not lie
    /// there.
    pub(super) fn strike(&mut self, target: Point) -> Option<(StrikeResult, bool)> {
        let step = self.cells().position(|(point, _)| point == target)?;
        let is_new = self.hits & (1 << step) == 0;
        self.hits |= 1 << step;
        let result = match (self.is_sunk(), is_new) {
            (false, _) => StrikeResult::Hit,
            (true, true) => StrikeResult::HitAndSunk,
            (true, false) => StrikeResult::Nothing,
        };
        Some((result, is_new))
    }
}
