//! Sets of cells as bit masks, and the places of shapes on them.

use crate::{Grid, Point};

/// A set of cells of a board at most 128 columns wide: a mask for each row, in which bit x is the cell of column x.
///
/// ```
/// use rules::{Cells, Grid, Point};
///
/// let all = Cells::all(Grid::new(3, 2));
/// // A straight ship of two cells has two places in each of the rows.
/// let starts = all.places(&[Point::new(0, 0), Point::new(1, 0)]);
/// assert_eq!((all.len(), starts.len(), starts.contains(Point::new(2, 0))), (6, 4, false));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cells {
    rows: Vec<u128>,
}

impl Cells {
    /// No cells of a board with so many rows.
    pub fn none(grid: Grid) -> Cells {
        Cells { rows: vec![0; grid.height() as usize] }
    }

    /// These cells of a board.
    pub fn of(grid: Grid, cells: &[Point]) -> Cells {
        let mut set = Cells::none(grid);
        cells.iter().for_each(|&cell| set.insert(cell));
        set
    }

    /// All cells of a board.
    pub fn all(grid: Grid) -> Cells {
        Cells { rows: vec![(1 << grid.width()) - 1; grid.height() as usize] }
    }

    /// True if the cell is in the set.
    pub fn contains(&self, cell: Point) -> bool {
        let row = usize::try_from(cell.y).ok().and_then(|y| self.rows.get(y));
        row.is_some_and(|row| (0..128).contains(&cell.x) && row >> cell.x & 1 != 0)
    }

    /// Adds a cell; one in no row is passed over.
    pub fn insert(&mut self, cell: Point) {
        if let Some(row) = usize::try_from(cell.y).ok().and_then(|y| self.rows.get_mut(y)) {
            *row |= 1 << cell.x;
        }
    }

    /// Adds the cells of the other set.
    pub fn add(&mut self, other: &Cells) {
        self.rows.iter_mut().zip(&other.rows).for_each(|(row, other)| *row |= other);
    }

    /// Takes the cells of the other set away.
    pub fn remove_all(&mut self, other: &Cells) {
        self.rows.iter_mut().zip(&other.rows).for_each(|(row, other)| *row &= !other);
    }

    /// The number of cells.
    pub fn len(&self) -> u32 {
        self.rows.iter().map(|row| row.count_ones()).sum()
    }

    /// True if there is no cell.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|row| *row == 0)
    }

    /// The cells, row by row.
    pub fn iter(&self) -> impl Iterator<Item = Point> {
        self.rows.iter().zip(0..).flat_map(|(&row, y)| {
            let mut left = row;
            std::iter::from_fn(move || {
                let x = left.trailing_zeros();
                left &= left.checked_sub(1)?;
                Some(Point { x: x as i32, y })
            })
        })
    }

    /// The cell that `before` others of the set precede in the order of [`Cells::iter`].
    pub fn nth(&self, mut before: u32) -> Option<Point> {
        for (&row, y) in self.rows.iter().zip(0..) {
            let here = row.count_ones();
            if before < here {
                let rest = (0..before).fold(row, |row, _| row & (row - 1));
                return Some(Point { x: rest.trailing_zeros() as i32, y });
            }
            before -= here;
        }
        None
    }

    /// The cells at which a shape can begin so that it lies in the set: all rows at once for each cell of the shape. `shape` has
    /// steps from the beginning, none of them negative.
    pub fn places(&self, shape: &[Point]) -> Cells {
        let mut places = Cells { rows: vec![0; self.rows.len()] };
        let down = shape.iter().map(|step| step.y as usize).max().unwrap_or(0);
        for y in 0..self.rows.len().saturating_sub(down) {
            places.rows[y] = shape.iter().fold(u128::MAX, |row, step| row & self.rows[y + step.y as usize] >> step.x);
        }
        places
    }

    /// The cells and those beside them, by edges, and with `corners` by corners as well. Some may be off the board.
    pub fn widened(&self, corners: bool) -> Cells {
        let beside = |row: u128| row | row << 1 | row >> 1;
        let at = |y: Option<usize>| y.and_then(|y| self.rows.get(y)).copied().unwrap_or(0);
        let row = |y: usize| {
            let across = at(y.checked_sub(1)) | at(Some(y + 1));
            beside(self.rows[y]) | if corners { beside(across) } else { across }
        };
        Cells { rows: (0..self.rows.len()).map(row).collect() }
    }
}
