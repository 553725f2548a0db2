//! The board of a player: its ships and what is left of them.

use super::event::ShotResult;
use super::placing::Fleet;
use super::rules::Rules;
use crate::{Grid, Point};
use serde::Serialize;

/// The board of a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Board {
    #[serde(skip)]
    grid: Grid,
    ships: Vec<Ship>,
    /// For each cell the number of the ship there, from 1 on; 0 for water.
    #[serde(skip)]
    ship_at: Vec<u8>,
    /// For each cell the hits that it took.
    #[serde(skip)]
    wear: Vec<u8>,
    /// The hits that are left until all ships are sunk.
    left: u32,
}

/// A ship on a board, in the order of [`Rules::ships`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ship {
    /// The cells.
    pub cells: Vec<Point>,
    /// The hits that are left until it sinks.
    pub left: u32,
}

impl Board {
    /// A board with this fleet, healthy.
    pub(super) fn new(rules: &Rules, fleet: Fleet) -> Board {
        let grid = rules.grid();
        let (mut ship_at, wear) = (vec![0; grid.len()], vec![0; grid.len()]);
        let mut ships = Vec::with_capacity(fleet.len());
        for ((number, cells), of) in (1..).zip(fleet).zip(rules.ships()) {
            cells.iter().filter_map(|&cell| grid.index(cell)).for_each(|index| ship_at[index] = number);
            ships.push(Ship { left: cells.len() as u32 * u32::from(of.armour), cells });
        }
        Board { grid, ship_at, wear, left: ships.iter().map(|ship| ship.left).sum(), ships }
    }

    /// The ships.
    pub fn ships(&self) -> &[Ship] {
        &self.ships
    }

    /// The number of the ship in a cell, counted from 0; `None` for water.
    pub fn ship_at(&self, index: usize) -> Option<usize> {
        usize::from(self.ship_at[index]).checked_sub(1)
    }

    /// The hits that a cell took.
    pub fn wear(&self, index: usize) -> u8 {
        self.wear[index]
    }

    /// True if the cell has a ship and takes hits no more.
    pub fn is_destroyed(&self, rules: &Rules, index: usize) -> bool {
        self.ship_at(index).is_some_and(|ship| self.wear[index] >= rules.ships()[ship].armour)
    }

    /// True if all ships are sunk.
    pub fn is_sunk(&self) -> bool {
        self.left == 0
    }

    /// The number of cells of ships that are not destroyed.
    pub fn cells_left(&self, rules: &Rules) -> u32 {
        let grid = self.grid;
        let cells = self.ships.iter().filter(|ship| ship.left > 0).flat_map(|ship| &ship.cells);
        cells.filter_map(|&cell| grid.index(cell)).filter(|&index| !self.is_destroyed(rules, index)).count() as u32
    }

    /// The result of a shot at a cell.
    pub(super) fn hit(&mut self, rules: &Rules, index: usize) -> ShotResult {
        let Some(number) = self.ship_at(index) else { return ShotResult::Miss };
        let armour = rules.ships()[number].armour;
        if self.wear[index] >= armour {
            return ShotResult::Again;
        }
        self.wear[index] += 1;
        self.left -= 1;
        let ship = &mut self.ships[number];
        ship.left -= 1;
        match (ship.left, self.wear[index] == armour) {
            (0, _) => ShotResult::Sunk,
            (_, true) => ShotResult::Hit,
            (_, false) => ShotResult::Damaged,
        }
    }
}
