//! Placing ships: all of a fleet at once, or one after the other as they come over the network.

use super::{BOARD, Orientation, Placement, Refusal, ShipKind};
use crate::{Direction, Point, Random, straight};

/// Ships that lie as they may: on the board, no two in the same cell, none twice. It may lack some.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fleet(Vec<Placement>);

impl Fleet {
    /// Puts a ship on the board; one that lies there already is put elsewhere. Refused, it changes nothing: the ship stays
    /// where it lay before, if it did.
    ///
    /// # Errors
    /// [`Refusal::ShipOffBoard`] if a cell is off the board, [`Refusal::Overlap`] if another ship covers a cell.
    pub fn place(&mut self, ship: Placement) -> Result<(), Refusal> {
        self.check(ship)?;
        self.0.retain(|other| other.ship != ship.ship);
        self.0.push(ship);
        self.0.sort_by_key(|ship| ship.ship);
        Ok(())
    }

    /// Checks that this ship may lie there beside the others.
    ///
    /// # Errors
    /// [`Refusal::ShipOffBoard`] if a cell is off the board, [`Refusal::Overlap`] if another ship covers a cell.
    pub fn check(&self, placement: Placement) -> Result<(), Refusal> {
        let ship = placement.ship;
        if placement.cells().any(|cell| cell.is_none_or(|cell| !BOARD.contains(cell))) {
            return Err(Refusal::ShipOffBoard { ship, at: placement.at, orientation: placement.orientation });
        }
        let others = self.0.iter().filter(|other| other.ship != ship);
        let shared =
            |other: &Placement| Some((other.ship, placement.cells().flatten().find(|cell| other.covers(*cell))?));
        match others.into_iter().find_map(shared) {
            Some((other, at)) => Err(Refusal::Overlap { ship, other, at }),
            None => Ok(()),
        }
    }

    /// The ships that are still to be placed, in the order of [`ShipKind::ALL`].
    pub fn missing(&self) -> impl Iterator<Item = ShipKind> {
        ShipKind::ALL.into_iter().filter(|ship| self.0.iter().all(|placed| placed.ship != *ship))
    }

    /// True if all ships are placed.
    pub fn is_complete(&self) -> bool {
        self.missing().next().is_none()
    }

    /// The ships in the order of [`ShipKind::ALL`], whatever order they were placed in.
    pub fn ships(&self) -> &[Placement] {
        &self.0
    }

    /// The fleet that an order places: every ship once. Nothing depends on the order in which they are named, not even the
    /// words of a refusal: records keep each ship by its name.
    pub(super) fn of(ships: &[Placement]) -> Result<Fleet, Refusal> {
        let mut fleet = Fleet::default();
        let mut ships = ships.to_vec();
        ships.sort_by_key(|ship| ship.ship);
        for ship in &ships {
            if fleet.0.iter().any(|placed| placed.ship == ship.ship) {
                return Err(Refusal::Twice { ship: ship.ship });
            }
            fleet.place(*ship)?;
        }
        let missing = fleet.missing().next();
        missing.map_or(Ok(fleet), |ship| Err(Refusal::Missing { ship }))
    }
}

/// A fleet that lies as it may, in the order of [`ShipKind::ALL`].
pub fn random_fleet(random: &mut Random) -> Vec<Placement> {
    let lengths = ShipKind::ALL.map(ShipKind::length);
    let places = crate::random_fleet(BOARD, &lengths, random).expect("17 of 100 cells leave room for every ship");
    let ships = ShipKind::ALL.into_iter().zip(places);
    ships.map(|(ship, (start, to))| counted_from_the_corner(ship, start, to)).collect()
}

/// The same cells, named by the one that is nearest to (0, 0).
fn counted_from_the_corner(ship: ShipKind, start: Point, to: Direction) -> Placement {
    let at = straight(start, to, ship.length()).flatten().min().unwrap_or(start);
    Placement { ship, at, orientation: Orientation::of(to) }
}
