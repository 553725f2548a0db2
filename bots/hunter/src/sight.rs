//! What a shooter knows of the map it fires at.

use crate::Cells;
use rules::entelect_2017::Ship;
use rules::entelect_2017::files::wire::{OpponentMap, PlayerMap};
use rules::{Grid, Point};

/// A map as the player sees it who fires at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sight {
    /// The cells there are.
    pub grid: Grid,
    /// Where shots fell into the water.
    pub missed: Cells,
    /// Where shots hit ships.
    pub damaged: Cells,
    /// Where the shield that is up caught shots.
    pub shield_hits: Cells,
    /// Which ships were sunk, in the order of [`Ship::ALL`].
    pub sunk: [bool; 5],
}

impl Sight {
    /// A map of which nothing is known.
    pub fn blank(grid: Grid) -> Sight {
        Sight { grid, missed: Cells::NONE, damaged: Cells::NONE, shield_hits: Cells::NONE, sunk: [false; 5] }
    }

    /// The opponent's map as we see it.
    pub fn of_opponent(grid: Grid, map: &OpponentMap) -> Sight {
        let mut sight = Sight::blank(grid);
        for cell in &map.cells {
            let Some(index) = grid.index(Point::new(cell.x, cell.y)) else { continue };
            sight.note(index, cell.missed, cell.damaged, cell.shield_hit);
        }
        for ship in map.ships.iter().filter(|ship| ship.destroyed) {
            sight.note_sunk(&ship.ship_type);
        }
        sight
    }

    /// Our own map as the opponent sees it.
    pub fn of_own(grid: Grid, map: &PlayerMap) -> Sight {
        let mut sight = Sight::blank(grid);
        for cell in &map.cells {
            let Some(index) = grid.index(Point::new(cell.x, cell.y)) else { continue };
            sight.note(index, cell.hit && !cell.occupied, cell.hit && cell.occupied, cell.shield_hit);
        }
        for ship in map.owner.ships.iter().filter(|ship| ship.destroyed) {
            sight.note_sunk(&ship.ship_type);
        }
        sight
    }

    /// The cells that no shot has reached yet.
    pub fn unknown(&self) -> Cells {
        let all: Cells = (0..self.grid.len()).collect();
        all.without(self.missed.or(self.damaged))
    }

    fn note(&mut self, cell: usize, missed: bool, damaged: bool, shield_hit: bool) {
        for (set, is_so) in
            [(&mut self.missed, missed), (&mut self.damaged, damaged), (&mut self.shield_hits, shield_hit)]
        {
            if is_so {
                set.insert(cell);
            }
        }
    }

    fn note_sunk(&mut self, name: &str) {
        if let Some(ship) = Ship::from_name(name) {
            self.sunk[ship.index()] = true;
        }
    }
}
