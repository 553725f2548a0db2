//! The placement of the own fleet: anywhere that is allowed.

use crate::chart::around;
use crate::wire::{BOARD, Cell, FLEET, Fleet, PlacedShip};
use rand::{Rng, RngExt};

/// A fleet at random, of which no two ships touch.
pub fn fleet(random: &mut impl Rng) -> Fleet {
    loop {
        // Nearly every attempt finds room for all.
        if let Some(ships) = attempt(random) {
            return Fleet { ships };
        }
    }
}

fn attempt(random: &mut impl Rng) -> Option<Vec<PlacedShip>> {
    let mut ships: Vec<PlacedShip> = Vec::new();
    let all = FLEET.iter().flat_map(|(kind, ship, count)| (0..*count).map(move |_| (*kind, ship.length)));
    for (kind, length) in all {
        let taken: Vec<Cell> = ships.iter().flat_map(|ship| &ship.cells).flat_map(|cell| around(*cell)).collect();
        let is_free = |place: &Vec<Cell>| place.iter().all(|cell| !taken.contains(cell));
        let mut free: Vec<Vec<Cell>> = BOARD.places(length).filter(is_free).collect();
        if free.is_empty() {
            return None;
        }
        ships.push(PlacedShip { kind, cells: free.swap_remove(random.random_range(0..free.len())) });
    }
    Some(ships)
}
