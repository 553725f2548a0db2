//! The knowledge of a shooter of the map it fires at.

use crate::Cells;
use crate::map::Map;
use rules::entelect_2017::Ship;
use rules::entelect_2017::files::wire::OpponentMap;
use rules::{Grid, Point};

/// A map as the player sees it who fires at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sight {
    /// The cells there are.
    pub grid: Grid,
    /// The cells in which shots fell into the water.
    pub missed: Cells,
    /// The cells in which shots hit ships.
    pub damaged: Cells,
    /// The cells in which the raised shield caught shots.
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
            sight.note(Point::new(cell.x, cell.y), cell.missed, cell.damaged, cell.shield_hit);
        }
        for ship in &map.ships {
            sight.note_ship(&ship.ship_type, ship.destroyed);
        }
        sight
    }

    /// The cells that no shot has reached yet.
    pub fn unknown(&self) -> Cells {
        Map::of(self.grid).all.without(self.missed.or(self.damaged))
    }

    fn note(&mut self, point: Point, missed: bool, damaged: bool, shield_hit: bool) {
        let Some(cell) = self.grid.index(point) else { return };
        let facts = [(missed, &mut self.missed), (damaged, &mut self.damaged), (shield_hit, &mut self.shield_hits)];
        for (_, cells) in facts.into_iter().filter(|(is_so, _)| *is_so) {
            cells.insert(cell);
        }
    }

    fn note_ship(&mut self, name: &str, sunk: bool) {
        if let Some(ship) = Ship::from_name(name) {
            self.sunk[ship.index()] = sunk;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use rules::entelect_2017::MapSize;

    #[test]
    fn the_opponents_map_shows_hits_misses_and_sunk_ships() {
        let (ours, _) = example::after_some_shots(MapSize::Small);
        let grid = MapSize::Small.grid();
        let sight = Sight::of_opponent(grid, ours.opponent_map.as_ref().unwrap());
        assert_eq!(sight.damaged, Cells::at(grid, [Point::new(0, 0), Point::new(0, 1)]));
        assert_eq!(sight.missed, Cells::at(grid, [Point::new(1, 1)]));
        assert_eq!(sight.sunk, Ship::ALL.map(|ship| ship == Ship::Destroyer));
    }
}
