//! Placing a fleet: what is legal, and one at random.

use super::order::{Placed, Refusal};
use super::rules::{MOST_OF_A_NAME, Rules, ShipType};
use crate::{Cells, Point, Random, Shape, place_shapes, printable_prefix};

/// The cells of each ship, in the order of [`Rules::ships`].
pub type Fleet = Vec<Vec<Point>>;

/// The fleet that an order places.
pub(super) fn fleet(rules: &Rules, placed: &[Placed]) -> Result<Fleet, Refusal> {
    let grid = rules.grid();
    if let Some(cell) = placed.iter().flat_map(|ship| &ship.cells).find(|cell| !grid.contains(**cell)) {
        return Err(Refusal::OffBoard(*cell));
    }
    let mut fleet: Vec<Option<&Placed>> = vec![None; rules.ships().len()];
    // Those with names come first, so that none without one takes their place.
    let (named, unnamed): (Vec<&Placed>, Vec<&Placed>) = placed.iter().partition(|ship| ship.name.is_some());
    for ship in named.into_iter().chain(unnamed) {
        let is_it =
            |of: &ShipType| ship.name.as_deref().is_none_or(|name| name == &*of.name) && of.shape.is(&ship.cells);
        let free = rules.ships().iter().zip(&mut fleet).find(|(of, taken)| taken.is_none() && is_it(of));
        match free {
            Some((_, free)) => *free = Some(ship),
            None => {
                let name = ship.name.as_ref().map(|name| printable_prefix(name, MOST_OF_A_NAME));
                return Err(Refusal::NoSuchShip { name, cells: ship.cells.len() });
            }
        }
    }
    let missing = rules.ships().iter().zip(&fleet).find(|(_, placed)| placed.is_none());
    if let Some((ship, _)) = missing {
        return Err(Refusal::MissingShip(ship.name.to_string()));
    }
    let mut taken = Cells::none(grid);
    let mut kept_free = Cells::none(grid);
    for ship in fleet.iter().flatten() {
        for &cell in &ship.cells {
            if taken.contains(cell) {
                return Err(Refusal::Overlap(cell));
            }
            if kept_free.contains(cell) {
                return Err(Refusal::Touching(cell));
            }
            taken.insert(cell);
        }
        kept_free.add(&rules.kept_free(&Cells::of(grid, &ship.cells)));
    }
    Ok(fleet.into_iter().flatten().map(|ship| ship.cells.clone()).collect())
}

/// A legal fleet as [`place_shapes`] places it; `None` if [`Rules::fits`] says that there is no room. If no attempt succeeds, it is the
/// fleet that [`Rules::fits`] found.
pub fn place_at_random(rules: &Rules, random: &mut Random) -> Option<Fleet> {
    search(rules, random).or_else(|| rules.proof().cloned())
}

/// A legal fleet at random; `None` if none was found.
pub(super) fn search(rules: &Rules, random: &mut Random) -> Option<Fleet> {
    let shapes: Vec<&Shape> = rules.ships().iter().map(|ship| &*ship.shape).collect();
    place_shapes(rules.grid(), &shapes, |ship| rules.kept_free(ship), random)
}

/// The order that places a fleet.
pub fn placed(rules: &Rules, fleet: &Fleet) -> Vec<Placed> {
    let ship =
        |(ship, cells): (&ShipType, &Vec<Point>)| Placed { name: Some(ship.name.to_string()), cells: cells.clone() };
    rules.ships().iter().zip(fleet).map(ship).collect()
}
