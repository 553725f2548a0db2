//! All fleets of a board, each with the chance that it is drawn.

use std::collections::BTreeMap;

/// The columns of a row of cells: cell (x, y) is bit 8 y + x of a mask.
pub(crate) const STRIDE: u32 = 8;

/// A board with its ships.
#[derive(Debug, Clone)]
pub(crate) struct Board {
    /// The number of columns, at most 8.
    pub(crate) columns: u32,
    /// The number of rows, at most 8.
    pub(crate) rows: u32,
    /// The lengths of the ships, longest first.
    pub(crate) ships: Vec<u32>,
    /// True if ships may not touch, corners included.
    pub(crate) apart: bool,
    /// True if ships are placed one after the other, as `rules::place_shapes` does; otherwise all fleets are equally likely.
    pub(crate) in_turn: bool,
}

/// The places of a straight ship of `length`, as masks.
fn places(board: &Board, length: u32) -> Vec<u64> {
    let mut places = Vec::new();
    for (dx, dy) in [(1, 0), (0, 1)] {
        let line = (0..length).fold(0, |line, step| line | 1_u64 << (step * (dx + STRIDE * dy)));
        for y in 0..(board.rows + 1).saturating_sub(1 + dy * (length - 1)) {
            places.extend(
                (0..(board.columns + 1).saturating_sub(1 + dx * (length - 1))).map(|x| line << (y * STRIDE + x)),
            );
        }
    }
    // A ship of one cell lies alike in both directions.
    places.sort_unstable();
    places.dedup();
    places
}

/// The cells and those around them; off the board, too.
fn widened(cells: u64) -> u64 {
    let (west, east) = (u64::MAX / 0xff * 0x7f, u64::MAX / 0xff * 0xfe);
    let row = cells | (cells & west) << 1 | (cells & east) >> 1;
    row | row << STRIDE | row >> STRIDE
}

impl Board {
    /// The cells of the ships of every fleet, with its weight. Ships of equal lengths are in the order of their masks. Weights of a
    /// fleet that is one of all are whole numbers.
    pub(crate) fn fleets(&self) -> Vec<(Vec<u64>, f64)> {
        let places: Vec<Vec<u64>> = self.ships.iter().map(|length| places(self, *length)).collect();
        let mut fleets = BTreeMap::new();
        self.place(&places, &mut Vec::new(), 1.0, &mut fleets);
        fleets.into_iter().collect()
    }

    fn place(&self, places: &[Vec<u64>], placed: &mut Vec<u64>, weight: f64, fleets: &mut BTreeMap<Vec<u64>, f64>) {
        let Some((first, others)) = places.split_first() else {
            let mut fleet = placed.clone();
            let mut nth = 0;
            for equal in self.ships.chunk_by(|a, b| a == b) {
                fleet[nth..nth + equal.len()].sort_unstable();
                nth += equal.len();
            }
            *fleets.entry(fleet).or_default() += weight;
            return;
        };
        let taken = placed.iter().fold(0, |taken, ship| taken | if self.apart { widened(*ship) } else { *ship });
        let free: Vec<u64> = first.iter().copied().filter(|place| place & taken == 0).collect();
        for place in &free {
            placed.push(*place);
            self.place(others, placed, if self.in_turn { weight / free.len() as f64 } else { weight }, fleets);
            placed.pop();
        }
    }
}

/// The numbers of the bits that are set.
pub(crate) fn bits(cells: u64) -> impl Iterator<Item = usize> {
    let mut left = cells;
    std::iter::from_fn(move || {
        let bit = left.trailing_zeros() as usize;
        left &= left.checked_sub(1)?;
        Some(bit)
    })
}
