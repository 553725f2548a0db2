//! Ships and where they lie.

use rand::{Rng, RngExt};
use serde_json::json;

/// The number of columns and rows of a board.
pub const SIZE: u8 = 10;
/// The names of the ships, and how long they are.
pub const SHIPS: [(&str, u8); 5] =
    [("carrier", 5), ("battleship", 4), ("destroyer", 3), ("submarine", 3), ("patrolboat", 2)];

/// A cell of a board, counted from 0 at the left and at the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// The column.
    pub x: u8,
    /// The row.
    pub y: u8,
}

impl Cell {
    /// All cells, row by row.
    pub fn all() -> impl Iterator<Item = Cell> {
        (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| Cell { x, y }))
    }

    /// True if the other one is beside, above or below this one.
    pub fn touches(self, other: Cell) -> bool {
        self.x.abs_diff(other.x) + self.y.abs_diff(other.y) == 1
    }
}

/// The place of a ship.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    /// Its first cell, the one at the left or at the top.
    first: Cell,
    length: u8,
    is_vertical: bool,
}

impl Place {
    fn random(length: u8, random: &mut impl Rng) -> Place {
        let is_vertical = random.random();
        let (along, across) = (random.random_range(0..=SIZE - length), random.random_range(0..SIZE));
        let first = if is_vertical { Cell { x: across, y: along } } else { Cell { x: along, y: across } };
        Place { first, length, is_vertical }
    }

    fn cells(self) -> impl Iterator<Item = Cell> {
        let Cell { x, y } = self.first;
        (0..self.length)
            .map(move |step| if self.is_vertical { Cell { x, y: y + step } } else { Cell { x: x + step, y } })
    }
}

/// The team's own ships, none above another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fleet {
    /// In the order of [`SHIPS`]; fewer while the fleet is being made.
    places: Vec<Place>,
}

impl Fleet {
    /// Ships at random.
    pub fn random(random: &mut impl Rng) -> Fleet {
        let mut fleet = Fleet { places: Vec::new() };
        for (_, length) in SHIPS {
            let place = fleet.free_place(length, random);
            fleet.places.push(place);
        }
        fleet
    }

    /// Puts a ship somewhere else. Names of ships that do not exist do nothing.
    pub fn move_ship(&mut self, ship: &str, random: &mut impl Rng) {
        if let Some(nth) = SHIPS.iter().position(|(name, _)| *name == ship) {
            self.places[nth] = self.free_place(SHIPS[nth].1, random);
        }
    }

    /// The message that tells the server of a ship; `None` if there is no such ship.
    pub fn message(&self, ship: &str) -> Option<String> {
        let nth = SHIPS.iter().position(|(name, _)| *name == ship)?;
        let Place { first, is_vertical, .. } = self.places[nth];
        let orientation = if is_vertical { "VERTICAL" } else { "HORIZONTAL" };
        Some(json!({ "coordinates": format!("{};{}", first.x, first.y), "Orientation": orientation }).to_string())
    }

    /// All cells with ships.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        self.places.iter().flat_map(|place| place.cells())
    }

    /// Somewhere where no ship is. Most of the board is free, so it does not take long to find.
    fn free_place(&self, length: u8, random: &mut impl Rng) -> Place {
        loop {
            let place = Place::random(length, random);
            if !place.cells().any(|cell| self.cells().any(|taken| taken == cell)) {
                return place;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::StdRng;
    use serde_json::Value;
    use std::collections::BTreeSet;

    #[test]
    fn ships_lie_on_the_board_and_not_above_each_other() {
        let mut random = StdRng::seed_from_u64(1);
        for _ in 0..200 {
            let mut fleet = Fleet::random(&mut random);
            fleet.move_ship("battleship", &mut random);
            let cells: BTreeSet<Cell> = fleet.cells().collect();
            assert_eq!(cells.len(), 17);
            assert!(cells.iter().all(|cell| cell.x < SIZE && cell.y < SIZE));
        }
    }

    #[test]
    fn the_server_is_told_where_a_ship_begins_and_how_it_lies() {
        let places = SHIPS.map(|(_, length)| Place { first: Cell { x: 3, y: length }, length, is_vertical: false });
        let mut fleet = Fleet { places: places.to_vec() };
        let told = |fleet: &Fleet| serde_json::from_str::<Value>(&fleet.message("battleship").unwrap()).unwrap();
        assert_eq!(told(&fleet), json!({ "coordinates": "3;4", "Orientation": "HORIZONTAL" }));
        fleet.places[1].is_vertical = true;
        assert_eq!(told(&fleet), json!({ "coordinates": "3;4", "Orientation": "VERTICAL" }));
        assert_eq!(fleet.message("raft"), None);
    }
}
