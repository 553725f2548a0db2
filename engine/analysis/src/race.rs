//! The moves that are still needed to sink a fleet, by a reference policy.
//!
//! The policy fires where most places of ships are left, each weighed by its chance of now. After a hit it fires beside it until the ship is
//! sunk. It learns from its shots: places through a miss are out, and so are those of a ship that sank. It does not ask how hits
//! can be explained, so it is quick, and somewhat weaker than the hunter.

use chances::{Chances, Layout, PlaceNumber};
use rules::{Grid, Random, RngExt};
use std::ops::Range;

/// The worth of a cell beside a hit before that of its places: more than any.
const BESIDE: f64 = 1e6;
/// The worth of a cell in which no place is left, as it is reached when all others are spent.
const LAST: f64 = 1e-6;

/// A fleet that is hunted, as the hunter knows it.
pub(crate) struct Hunt<'a> {
    layout: &'a Layout,
    grid: Grid,
    /// The cells of the board.
    cells: Range<usize>,
    /// The places in which ships may lie, with their chances.
    places: Vec<(PlaceNumber, f64)>,
    /// For each cell of the board the places that lead through it, by their order in `places`.
    through: Vec<Vec<u32>>,
    /// The worth of each cell of the board at first.
    worth: Vec<f64>,
    /// True for cells in which nothing is left to hit.
    spent: Vec<bool>,
}

/// A ship that is hunted: its kind, and its cells with the hits that each still takes.
#[derive(Debug, Clone)]
pub(crate) struct Prey {
    pub(crate) kind: usize,
    pub(crate) cells: Vec<(usize, u8)>,
}

/// The shots that were needed, and how many of them hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Needed {
    pub(crate) shots: u32,
    pub(crate) hits: u32,
}

impl<'a> Hunt<'a> {
    /// A hunt on the board that these cells and kinds are. `hits` has the chance of a hit in each cell.
    pub(crate) fn new(
        layout: &'a Layout,
        chances: &Chances,
        hits: &[f64],
        grid: Grid,
        cells: Range<usize>,
        kinds: Range<usize>,
    ) -> Hunt<'a> {
        let mut hunt = Hunt {
            layout,
            grid,
            places: Vec::new(),
            through: vec![Vec::new(); cells.len()],
            worth: hits[cells.clone()].to_vec(),
            spent: hits[cells.clone()].iter().map(|chance| *chance <= 0.0).collect(),
            cells,
        };
        for place in layout.places_of(kinds) {
            let chance = chances.place(place);
            if chance > 0.0 {
                let number = hunt.places.len() as u32;
                layout.place(place).iter().for_each(|cell| hunt.through[cell - hunt.cells.start].push(number));
                hunt.places.push((place, chance));
            }
        }
        hunt
    }

    /// Plays the policy until all is sunk. Players differ, so each cell is worth up to a fourth more or less.
    pub(crate) fn shoot(&self, fleet: &[Prey], random: &mut Random) -> Needed {
        let mut shooter = Shooter {
            hunt: self,
            worth: self.worth.clone(),
            factors: self.worth.iter().map(|_| random.random_range(0.75..1.25)).collect(),
            fired: self.spent.clone(),
            beside: vec![0; self.worth.len()],
            out: vec![false; self.places.len()],
        };
        let mut ship_at = vec![None; self.worth.len()];
        let mut left: Vec<u32> = Vec::with_capacity(fleet.len());
        for (nth, ship) in fleet.iter().enumerate() {
            ship.cells.iter().for_each(|(cell, hits)| ship_at[cell - self.cells.start] = Some((nth, *hits)));
            left.push(ship.cells.iter().map(|(_, hits)| u32::from(*hits)).sum());
        }
        let mut afloat = left.iter().filter(|left| **left > 0).count();
        let mut needed = Needed { shots: 0, hits: 0 };
        // The cells beside hits of each ship.
        let mut beside: Vec<Vec<usize>> = vec![Vec::new(); fleet.len()];
        while let Some(cell) = shooter.best().filter(|_| afloat > 0) {
            shooter.fired[cell] = true;
            needed.shots += 1;
            let Some((ship, hits)) = ship_at[cell].filter(|(_, hits)| *hits > 0) else {
                shooter.close(cell);
                continue;
            };
            // Armour takes the rest of its hits at once.
            needed.shots += u32::from(hits) - 1;
            needed.hits += u32::from(hits);
            left[ship] -= u32::from(hits);
            if left[ship] == 0 {
                afloat -= 1;
                std::mem::take(&mut beside[ship]).into_iter().for_each(|cell| shooter.beside[cell] -= 1);
                shooter.sink(&fleet[ship]);
            } else {
                for near in self.near(cell).filter(|near| !shooter.fired[*near]).collect::<Vec<_>>() {
                    shooter.beside[near] += 1;
                    beside[ship].push(near);
                }
            }
        }
        needed
    }

    /// The cells beside one, by edges.
    fn near(&self, cell: usize) -> impl Iterator<Item = usize> {
        let (at, grid) = (self.grid.point(cell), self.grid);
        let steps = [(0, 1), (1, 0), (0, -1), (-1, 0)].into_iter();
        steps.filter_map(move |(dx, dy)| grid.index(at.offset(dx, dy)?))
    }
}

/// The policy in the middle of a hunt. Cells are those of the board.
struct Shooter<'a> {
    hunt: &'a Hunt<'a>,
    worth: Vec<f64>,
    factors: Vec<f64>,
    fired: Vec<bool>,
    /// The number of hits of ships afloat beside each cell.
    beside: Vec<u8>,
    /// True for places that are out.
    out: Vec<bool>,
}

impl Shooter<'_> {
    fn best(&self) -> Option<usize> {
        let mut best = (0.0, None);
        for cell in (0..self.worth.len()).filter(|cell| !self.fired[*cell]) {
            let extra = if self.beside[cell] > 0 { BESIDE } else { LAST };
            let worth = (self.worth[cell].max(0.0) + extra) * self.factors[cell];
            if worth > best.0 {
                best = (worth, Some(cell));
            }
        }
        best.1
    }

    /// No ship is in the cell.
    fn close(&mut self, cell: usize) {
        for &place in &self.hunt.through[cell] {
            self.remove(place as usize, 1.0);
        }
    }

    /// Takes a share of a place's chance away.
    fn remove(&mut self, nth: usize, share: f64) {
        let (number, chance) = self.hunt.places[nth];
        if !self.out[nth] {
            self.out[nth] = share == 1.0;
            let cells = self.hunt.layout.place(number).iter();
            cells.for_each(|cell| self.worth[cell - self.hunt.cells.start] -= share * chance);
        }
    }

    /// A ship sank: there is one less of its kind, and none around it where ships keep apart.
    fn sink(&mut self, ship: &Prey) {
        let alike = self.hunt.layout.count(ship.kind) as f64;
        let of_kind = |nth: &usize| self.hunt.layout.kind_of(self.hunt.places[*nth].0) == ship.kind;
        for nth in (0..self.hunt.places.len()).filter(of_kind).collect::<Vec<_>>() {
            self.remove(nth, 1.0 / alike);
        }
        let cells: Vec<usize> = ship.cells.iter().map(|(cell, _)| *cell).collect();
        for cell in self.hunt.layout.apart(ship.kind, &cells) {
            let cell = cell - self.hunt.cells.start;
            self.fired[cell] = true;
            self.close(cell);
        }
    }
}

/// The mean and the variance of the moves that are needed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Race {
    pub(crate) mean: f64,
    pub(crate) variance: f64,
}

impl Race {
    /// The race of moves that were needed for several fleets, each as likely.
    pub(crate) fn of(moves: &[f64]) -> Race {
        let count = moves.len().max(1) as f64;
        let mean = moves.iter().sum::<f64>() / count;
        let squares: f64 = moves.iter().map(|moves| (moves - mean).powi(2)).sum();
        Race { mean, variance: squares / count }
    }
}
