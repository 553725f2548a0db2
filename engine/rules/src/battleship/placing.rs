//! Placing a fleet: what is legal, and one at random.

use super::Cells;
use super::order::{Placed, Refusal};
use super::rules::{MOST_OF_A_NAME, Rules, ShipType};
use crate::{Point, Random, printable_prefix};
use rand::RngExt;

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
        let mut own = Cells::none(grid);
        for &cell in &ship.cells {
            if taken.contains(cell) {
                return Err(Refusal::Overlap(cell));
            }
            if kept_free.contains(cell) {
                return Err(Refusal::Touching(cell));
            }
            own.insert(cell);
            taken.insert(cell);
        }
        kept_free.add(&rules.kept_free(&own));
    }
    Ok(fleet.into_iter().flatten().map(|ship| ship.cells.clone()).collect())
}

/// The most attempts at a whole fleet.
const ATTEMPTS: u32 = 1000;
/// The most work of all attempts together, which takes about a second.
const MOST_WORK: usize = 200_000_000;

/// A legal fleet at random; `None` if [`Rules::fits`] says that there is no room. Each ship, largest first, lies at one of all places
/// that those before it leave free, each of which is as likely. If no attempt succeeds, it is the fleet that [`Rules::fits`]
/// found.
pub fn place_at_random(rules: &Rules, random: &mut Random) -> Option<Fleet> {
    search(rules, random).or_else(|| rules.proof().cloned())
}

/// A legal fleet at random; `None` if none was found in a thousand attempts, or fewer where they are much work.
pub(super) fn search(rules: &Rules, random: &mut Random) -> Option<Fleet> {
    let mut order: Vec<usize> = (0..rules.ships().len()).collect();
    order.sort_by_key(|&ship| std::cmp::Reverse(rules.ships()[ship].shape.size()));
    let mut work = 0;
    (0..ATTEMPTS).find_map(|_| if work < MOST_WORK { attempt(rules, &order, random, &mut work) } else { None })
}

/// One attempt at a fleet; `work` counts the rows of cells that were looked at.
fn attempt(rules: &Rules, order: &[usize], random: &mut Random, work: &mut usize) -> Option<Fleet> {
    let grid = rules.grid();
    let mut open = Cells::all(grid);
    let mut fleet = vec![Vec::new(); order.len()];
    for &ship in order {
        let shape = &rules.ships()[ship].shape;
        let ways = shape.ways();
        *work += ways.len() * shape.size() * grid.height() as usize;
        let places: Vec<Cells> = ways.iter().map(|way| open.places(way)).collect();
        let all: u32 = places.iter().map(Cells::len).sum();
        let mut before = if all == 0 { return None } else { random.random_range(0..all) };
        let (way, start) = ways.iter().zip(&places).find_map(|(way, places)| {
            let start = places.nth(before);
            before = before.saturating_sub(places.len());
            Some((way, start?))
        })?;
        let mut own = Cells::none(grid);
        fleet[ship] = way.iter().map(|step| Point { x: start.x + step.x, y: start.y + step.y }).collect();
        fleet[ship].iter().for_each(|&cell| own.insert(cell));
        open.remove_all(&rules.kept_free(&own));
    }
    Some(fleet)
}

/// The order that places a fleet.
pub fn placed(rules: &Rules, fleet: &Fleet) -> Vec<Placed> {
    let ship =
        |(ship, cells): (&ShipType, &Vec<Point>)| Placed { name: Some(ship.name.to_string()), cells: cells.clone() };
    rules.ships().iter().zip(fleet).map(ship).collect()
}
