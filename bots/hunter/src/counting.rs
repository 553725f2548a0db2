//! A shooter that counts the places of ships, to find out how long a fleet lasts. It stands for other players.

use crate::Cells;
use crate::map::{CellList, Map};
use rules::entelect_2017::Ship;
use rules::{Grid, Random, RngExt};
use std::sync::OnceLock;

/// The factor by which a place counts more for each hit in it.
const HIT: u32 = 20;

/// The places of all ships on a map of one size.
struct Places {
    /// Each with the number of its ship.
    all: Vec<(usize, &'static CellList)>,
    /// The numbers of those that have each cell.
    by_cell: Vec<Vec<u16>>,
}

impl Places {
    fn of(grid: Grid) -> &'static Places {
        const SIDES: usize = 17;
        static MAPS: [OnceLock<Places>; SIDES] = [const { OnceLock::new() }; SIDES];
        MAPS[grid.width() as usize].get_or_init(|| {
            let of = |ship: Ship| Map::of(grid).places(ship).iter().map(move |place| (ship.index(), place));
            let all: Vec<(usize, &CellList)> = Ship::ALL.into_iter().flat_map(of).collect();
            let mut by_cell = vec![Vec::new(); grid.len()];
            for (number, (_, place)) in all.iter().enumerate() {
                // Five ships have fewer than 5 * 512 places.
                place.iter().for_each(|cell| by_cell[cell].push(number as u16));
            }
            Places { all, by_cell }
        })
    }
}

/// The weights of places, and the sum of them for each cell.
struct Weights {
    places: &'static Places,
    of_places: Vec<u32>,
    of_cells: Vec<u32>,
}

impl Weights {
    fn set(&mut self, number: usize, weight: u32) {
        let before = std::mem::replace(&mut self.of_places[number], weight);
        if before != weight {
            for cell in self.places.all[number].1.iter() {
                self.of_cells[cell] = self.of_cells[cell] + weight - before;
            }
        }
    }

    fn multiply(&mut self, cell: usize, factor: u32) {
        for &number in &self.places.by_cell[cell] {
            self.set(usize::from(number), self.of_places[usize::from(number)] * factor);
        }
    }

    fn sink(&mut self, sunk: usize, cells: Cells) {
        for (number, (ship, place)) in self.places.all.iter().enumerate() {
            if *ship == sunk || place.cells.overlaps(cells) {
                self.set(number, 0);
            }
        }
    }
}

/// The number of single shots that the shooter needs to sink `ships`, in the order of [`Ship::ALL`]. Among equal cells one is drawn.
///
/// The shooter fires at the cell in which the most ships can lie; a place with hits counts as many places. When a ship sinks, the shooter is told
/// which cells were that ship's.
pub(crate) fn shots_to_sink(grid: Grid, ships: &[Cells; 5], random: &mut Random) -> u32 {
    let places = Places::of(grid);
    let of_cells = places.by_cell.iter().map(|places| places.len() as u32).collect();
    let mut weights = Weights { places, of_places: vec![1; places.all.len()], of_cells };
    let mut unknown: Vec<usize> = (0..grid.len()).collect();
    let mut left = ships.map(Cells::len);
    let mut shots = 0;
    while left != [0; 5] {
        let (mut best, mut at, mut equals) = (0, 0, 0);
        for (nth, &cell) in unknown.iter().enumerate() {
            let weight = weights.of_cells[cell];
            if weight < best {
                continue;
            }
            equals = if weight > best { 1 } else { equals + 1 };
            best = weight;
            if equals == 1 || random.random_range(0..equals) == 0 {
                at = nth;
            }
        }
        let cell = unknown.swap_remove(at);
        shots += 1;
        let Some(ship) = ships.iter().position(|ship| ship.contains(cell)) else {
            weights.multiply(cell, 0);
            continue;
        };
        left[ship] -= 1;
        match left[ship] {
            0 => weights.sink(ship, ships[ship]),
            _ => weights.multiply(cell, HIT),
        }
    }
    shots
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Point;

    const GRID: Grid = Grid::new(7, 7);

    /// Ships to the north of these points.
    fn fleet(starts: [(i32, i32); 5]) -> [Cells; 5] {
        let mut starts = starts.into_iter();
        Ship::ALL.map(|ship| {
            let (x, y) = starts.next().unwrap();
            Cells::at(GRID, (0..i32::from(ship.length())).map(|dy| Point::new(x, y + dy)))
        })
    }

    #[test]
    fn a_fleet_takes_no_more_shots_than_there_are_cells() {
        let ships = fleet([(0, 0), (1, 4), (3, 0), (5, 1), (6, 2)]);
        for seed in 0..20 {
            assert!((17..=49).contains(&shots_to_sink(GRID, &ships, &mut rules::random(seed))));
        }
    }

    #[test]
    fn ships_along_the_edges_last_longer_than_ships_in_the_middle() {
        let sum =
            |starts| -> u32 { (0..50).map(|seed| shots_to_sink(GRID, &fleet(starts), &mut rules::random(seed))).sum() };
        let edges = sum([(6, 4), (0, 5), (6, 0), (0, 0), (3, 0)]);
        let middle = sum([(2, 2), (4, 4), (3, 0), (1, 1), (4, 1)]);
        assert!(edges > middle, "{edges} and {middle} shots");
    }
}
