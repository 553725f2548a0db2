//! A fleet on its board, and what shots have left of it.

use super::{HITS, Ship, ShipKind, ShotResult};
use crate::Point;
use serde::Serialize;

/// A fleet on its board; empty before it is placed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(super) struct Waters(Vec<Afloat>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Afloat {
    kind: ShipKind,
    parts: Vec<(Point, u8)>,
}

/// A cell of a ship.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) kind: ShipKind,
    /// How many hits it still takes.
    pub(super) left: u8,
}

impl Afloat {
    fn is_sunk(&self) -> bool {
        self.parts.iter().all(|(_, left)| *left == 0)
    }
}

impl Waters {
    pub(super) fn of(ships: Vec<Ship>) -> Waters {
        let afloat = |ship: Ship| {
            let whole = |point| (point, ship.kind.strength());
            Afloat { kind: ship.kind, parts: ship.cells.into_iter().map(whole).collect() }
        };
        Waters(ships.into_iter().map(afloat).collect())
    }

    /// A shot falls at `point`.
    pub(super) fn strike(&mut self, point: Point) -> ShotResult {
        let struck = |ship: &mut Afloat| {
            let (_, left) = ship.parts.iter_mut().find(|(at, left)| *at == point && *left > 0)?;
            *left -= 1;
            Some(if ship.is_sunk() { ShotResult::Sunk } else { ShotResult::Hit })
        };
        self.0.iter_mut().find_map(struck).unwrap_or(ShotResult::Miss)
    }

    /// The part of a ship at `point`.
    pub(super) fn part(&self, point: Point) -> Option<Part> {
        let part = |ship: &Afloat| {
            let (_, left) = ship.parts.iter().find(|(at, _)| *at == point)?;
            Some(Part { kind: ship.kind, left: *left })
        };
        self.0.iter().find_map(part)
    }

    /// Whether there is a fleet and all of it is sunk.
    pub(super) fn are_empty(&self) -> bool {
        !self.0.is_empty() && self.0.iter().all(Afloat::is_sunk)
    }

    /// The ships in the order they were placed, and whether each is sunk.
    pub(super) fn ships(&self) -> impl Iterator<Item = (ShipKind, bool)> {
        self.0.iter().map(|ship| (ship.kind, ship.is_sunk()))
    }

    /// How many hits were taken.
    pub(super) fn hits_taken(&self) -> u32 {
        let left: u32 = self.0.iter().flat_map(|ship| &ship.parts).map(|(_, left)| u32::from(*left)).sum();
        if self.0.is_empty() { 0 } else { HITS - left }
    }
}
