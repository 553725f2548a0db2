//! A fleet on its board, and what shots have left of it.

use super::{HITS, Ship, ShipKind, ShotResult};
use crate::Point;
use serde::Serialize;

/// A fleet on its board; empty before it is placed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(super) struct FleetState(Vec<ShipState>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct ShipState {
    kind: ShipKind,
    parts: Vec<(Point, u8)>,
}

impl ShipState {
    fn is_sunk(&self) -> bool {
        self.parts.iter().all(|(_, left)| *left == 0)
    }
}

impl FleetState {
    pub(super) fn of(ships: Vec<Ship>) -> FleetState {
        let state = |ship: Ship| {
            let whole = |point| (point, ship.kind.strength());
            ShipState { kind: ship.kind, parts: ship.cells.into_iter().map(whole).collect() }
        };
        FleetState(ships.into_iter().map(state).collect())
    }

    /// A shot falls at `point`.
    pub(super) fn strike(&mut self, point: Point) -> ShotResult {
        let struck = |ship: &mut ShipState| {
            let (_, left) = ship.parts.iter_mut().find(|(at, left)| *at == point && *left > 0)?;
            *left -= 1;
            Some(if ship.is_sunk() { ShotResult::Sunk } else { ShotResult::Hit })
        };
        self.0.iter_mut().find_map(struck).unwrap_or(ShotResult::Miss)
    }

    /// The ship at `point` and the number of hits that this cell of it still takes, 0 to 2.
    pub(super) fn part(&self, point: Point) -> Option<(ShipKind, u8)> {
        let part = |ship: &ShipState| Some((ship.kind, ship.parts.iter().find(|(at, _)| *at == point)?.1));
        self.0.iter().find_map(part)
    }

    /// True if there is a fleet and all of it is sunk.
    pub(super) fn is_sunk(&self) -> bool {
        !self.0.is_empty() && self.0.iter().all(ShipState::is_sunk)
    }

    /// The ships in the order they were placed, and whether each is sunk.
    pub(super) fn ships(&self) -> impl Iterator<Item = (ShipKind, bool)> {
        self.0.iter().map(|ship| (ship.kind, ship.is_sunk()))
    }

    /// The ships in the order they were placed, with their cells.
    pub(super) fn cells(&self) -> impl Iterator<Item = (ShipKind, Vec<Point>)> {
        self.0.iter().map(|ship| (ship.kind, ship.parts.iter().map(|(at, _)| *at).collect()))
    }

    /// The number of hits taken.
    pub(super) fn hits_taken(&self) -> u32 {
        let left: u32 = self.0.iter().flat_map(|ship| &ship.parts).map(|(_, left)| u32::from(*left)).sum();
        if self.0.is_empty() { 0 } else { HITS - left }
    }
}
