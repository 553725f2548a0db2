//! Sets of cells of one map: a bit for each cell, so that thousands of ships can be compared in no time.

use rules::{Grid, Point};

/// A set of cells, each named by its place in [`Grid::points`]. It has room for maps of up to 16 x 16 cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cells {
    low: u128,
    high: u128,
}

impl Cells {
    /// The most cells of a map.
    pub const MOST: usize = 256;
    /// No cell.
    pub const NONE: Cells = Cells { low: 0, high: 0 };

    /// Those of `points` that lie on `grid`.
    pub fn at(grid: Grid, points: impl IntoIterator<Item = Point>) -> Cells {
        points.into_iter().filter_map(|point| grid.index(point)).collect()
    }

    /// Adds a cell.
    pub fn insert(&mut self, cell: usize) {
        *self = self.or(Cells::only(cell));
    }

    /// True if `cell` is in the set.
    pub fn contains(self, cell: usize) -> bool {
        self.overlaps(Cells::only(cell))
    }

    /// True if there is no cell in the set.
    pub fn is_empty(self) -> bool {
        self.low | self.high == 0
    }

    /// The number of cells in the set.
    pub fn len(self) -> usize {
        (self.low.count_ones() + self.high.count_ones()) as usize
    }

    /// The first cell of the set.
    pub fn first(self) -> Option<usize> {
        match (self.low, self.high) {
            (0, 0) => None,
            (0, high) => Some(128 + high.trailing_zeros() as usize),
            (low, _) => Some(low.trailing_zeros() as usize),
        }
    }

    /// The cells in either set.
    pub fn or(self, other: Cells) -> Cells {
        Cells { low: self.low | other.low, high: self.high | other.high }
    }

    /// The cells in both sets.
    pub fn and(self, other: Cells) -> Cells {
        Cells { low: self.low & other.low, high: self.high & other.high }
    }

    /// The cells of this set that are not in the other.
    pub fn without(self, other: Cells) -> Cells {
        Cells { low: self.low & !other.low, high: self.high & !other.high }
    }

    /// True if the sets have a cell in common.
    pub fn overlaps(self, other: Cells) -> bool {
        !self.and(other).is_empty()
    }

    /// True if all cells of this set are also in the other.
    pub fn lies_within(self, other: Cells) -> bool {
        self.without(other).is_empty()
    }

    /// The cells in ascending order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let cell = rest.first()?;
            rest = rest.without(Cells::only(cell));
            Some(cell)
        })
    }

    fn only(cell: usize) -> Cells {
        match cell {
            0..128 => Cells { low: 1 << cell, high: 0 },
            _ => Cells { low: 0, high: 1 << (cell - 128) },
        }
    }
}

impl FromIterator<usize> for Cells {
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> Cells {
        let mut set = Cells::NONE;
        for cell in cells {
            set.insert(cell);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_back_its_cells_in_order() {
        let set: Cells = [195, 3, 64, 63, 3].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 63, 64, 195]);
        assert_eq!((set.len(), set.first()), (4, Some(3)));
        assert!(set.contains(64) && !set.contains(65));
    }

    #[test]
    fn sets_are_combined_cell_by_cell() {
        let [a, b]: [Cells; 2] = [[1, 2, 100], [2, 100, 150]].map(|cells| cells.into_iter().collect());
        assert_eq!(a.or(b).iter().collect::<Vec<_>>(), [1, 2, 100, 150]);
        assert_eq!(a.and(b).iter().collect::<Vec<_>>(), [2, 100]);
        assert_eq!(a.without(b).iter().collect::<Vec<_>>(), [1]);
        assert!(a.overlaps(b) && !a.lies_within(b) && a.and(b).lies_within(b));
    }

    #[test]
    fn points_off_the_grid_are_left_out() {
        let points = [Point::new(-1, 0), Point::new(0, 0), Point::new(7, 7)];
        assert_eq!(Cells::at(Grid::new(7, 7), points).iter().collect::<Vec<_>>(), [0]);
    }
}
