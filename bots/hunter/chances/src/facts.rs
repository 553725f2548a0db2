//! Facts: the knowledge that a player has of one fleet.

use crate::Layout;
use crate::search::Problem;

/// The time of what has not happened.
pub const NEVER: u32 = u32::MAX;

/// The knowledge of a fleet. Times are numbers that grow, such as those of shots.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    kinds: Vec<KindFacts>,
    pub(crate) occupied: Vec<bool>,
    /// The sinkings that are told; `None` if none ever is.
    pub(crate) sinkings: Option<Vec<Sunk>>,
    pub(crate) sums: Vec<Sum>,
}

/// The knowledge of the ships of a kind.
#[derive(Debug, Clone, PartialEq)]
struct KindFacts {
    /// True for cells in which none of them lies.
    closed: Vec<bool>,
    /// The time at which a cell of such a ship was destroyed; [`NEVER`] if it was not.
    destroyed: Vec<u32>,
}

/// The sinking of a ship.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sunk {
    /// The time; `None` if it is not known.
    pub time: Option<u32>,
    /// A cell of the ship; `None` if none is known.
    pub cell: Option<usize>,
    /// The kinds of which it may be; `None` if nothing is told of that.
    pub kinds: Option<Vec<usize>>,
}

/// Bounds of the number of ships' cells among some cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sum {
    /// The cells.
    pub cells: Vec<usize>,
    /// The least number.
    pub least: usize,
    /// The most.
    pub most: usize,
}

impl Facts {
    /// The facts of a fleet of which nothing is known, in a game that tells no sinkings.
    pub fn new(layout: &Layout) -> Facts {
        let kind = KindFacts { closed: vec![false; layout.cells()], destroyed: vec![NEVER; layout.cells()] };
        Facts {
            kinds: vec![kind; layout.kinds()],
            occupied: vec![false; layout.cells()],
            sinkings: None,
            sums: Vec::new(),
        }
    }

    /// No ship lies in the cell.
    pub fn close(&mut self, cell: usize) {
        (0..self.kinds.len()).for_each(|kind| self.close_for(kind, cell));
    }

    /// No ship of the kind lies in the cell.
    pub fn close_for(&mut self, kind: usize, cell: usize) {
        self.kinds[kind].closed[cell] = true;
    }

    /// A ship lies in the cell.
    pub fn occupy(&mut self, cell: usize) {
        self.occupied[cell] = true;
    }

    /// A ship lies in the cell, and this cell of it was destroyed at a time, of whatever kind it is.
    pub fn destroy(&mut self, cell: usize, time: u32) {
        self.occupy(cell);
        (0..self.kinds.len()).for_each(|kind| self.destroy_for(kind, cell, time));
    }

    /// If a ship of the kind lies in the cell, this cell of it was destroyed at a time.
    pub fn destroy_for(&mut self, kind: usize, cell: usize, time: u32) {
        self.kinds[kind].destroyed[cell] = time;
    }

    /// Sinkings are told in this game: a ship of which all cells are destroyed is one of these.
    pub fn tell_sinkings(&mut self, sinkings: Vec<Sunk>) {
        self.sinkings = Some(sinkings);
    }

    /// Among some cells there are so many of ships.
    pub fn add_sum(&mut self, sum: Sum) {
        self.sums.push(sum);
    }

    /// True if a ship lies in the cell for certain.
    pub fn is_occupied(&self, cell: usize) -> bool {
        self.occupied[cell]
    }

    /// True if a ship of the kind may lie in the cell.
    pub fn is_open(&self, kind: usize, cell: usize) -> bool {
        !self.kinds[kind].closed[cell]
    }

    /// The time at which a cell of a ship of the kind was destroyed; [`NEVER`] if it was not.
    pub fn destroyed(&self, kind: usize, cell: usize) -> u32 {
        self.kinds[kind].destroyed[cell]
    }

    /// True if the same fleets agree with other facts: what was learned between them leaves out none.
    pub fn leave_the_same_fleets(&self, other: &Facts, layout: &Layout) -> bool {
        self.sums == other.sums && Problem::new(layout, self).leaves_the_same(&Problem::new(layout, other))
    }

    /// The time at which the last of these cells of a ship of the kind was destroyed; [`NEVER`] if one was not.
    pub fn sank(&self, kind: usize, cells: &[usize]) -> u32 {
        cells.iter().map(|cell| self.destroyed(kind, *cell)).max().unwrap_or(NEVER)
    }
}
