//! A player at the table: its fleet, what shots have left of it, and what it has done.

use super::{BOARD, Fleet, Placement, ShipKind, Tally};
use crate::Point;
use serde::Serialize;

/// All that is so of one player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlayerState {
    fleet: Vec<Placement>,
    /// Whether a shot fell there, for the cells of the board in their order.
    struck: Vec<bool>,
    out: Option<Out>,
    pub(super) tally: Tally,
}

/// Since when and why a player is out of the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Out {
    /// In which turn it left, counted from 0.
    pub turn: u32,
    /// Why the rules removed it, as words that follow its name; `None` if it lost its last ship.
    pub removed: Option<String>,
}

/// What a shot finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Found {
    /// Water.
    Water,
    /// A part of a ship that was hit before, which does no more damage.
    Again,
    /// A part of a ship that was whole.
    Hit,
    /// The last whole part of this ship.
    Sunk(ShipKind),
}

impl Found {
    /// Whether it is one of the hits of its salvo: only those that do damage are.
    pub fn is_hit(self) -> bool {
        matches!(self, Found::Hit | Found::Sunk(_))
    }
}

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Found::Water => f.write_str("miss"),
            Found::Again => f.write_str("hit again"),
            Found::Hit => f.write_str("hit"),
            Found::Sunk(ship) => write!(f, "sank the {ship}"),
        }
    }
}

impl Default for PlayerState {
    /// Before its fleet is placed.
    fn default() -> PlayerState {
        PlayerState { fleet: Vec::new(), struck: vec![false; BOARD.len()], out: None, tally: Tally::default() }
    }
}

impl PlayerState {
    /// Where its ships lie, in the order of [`ShipKind::ALL`]; empty before they are placed.
    pub fn fleet(&self) -> &[Placement] {
        &self.fleet
    }

    /// Since when and why it is out of the game; `None` if it is not.
    pub fn out(&self) -> Option<&Out> {
        self.out.as_ref()
    }

    /// Whether it is still in the game.
    pub fn is_in(&self) -> bool {
        self.out.is_none()
    }

    /// What it has done in the salvos that are over.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Its ships in the order of [`ShipKind::ALL`], and whether each is afloat; none before they are placed.
    pub fn ships(&self) -> impl Iterator<Item = (ShipKind, bool)> {
        self.fleet.iter().map(|ship| (ship.ship, self.is_afloat(ship)))
    }

    /// How many of its ships are afloat, at most 5.
    pub fn ships_afloat(&self) -> u8 {
        self.ships().filter(|(_, afloat)| *afloat).count() as u8
    }

    /// How many parts of its ships are whole, at most [`CELLS`](super::CELLS).
    pub fn whole_parts(&self) -> u32 {
        self.fleet
            .iter()
            .flat_map(|ship| ship.cells())
            .filter(|cell| cell.is_some_and(|at| !self.is_struck(at)))
            .count() as u32
    }

    /// Whether a shot fell in this cell of its board.
    pub fn is_struck(&self, at: Point) -> bool {
        BOARD.index(at).is_some_and(|index| self.struck[index])
    }

    /// The ship in this cell of its board.
    pub fn ship_at(&self, at: Point) -> Option<ShipKind> {
        self.lying_at(at).map(|ship| ship.ship)
    }

    fn lying_at(&self, at: Point) -> Option<&Placement> {
        self.fleet.iter().find(|ship| ship.covers(at))
    }

    fn is_afloat(&self, ship: &Placement) -> bool {
        ship.cells().any(|cell| cell.is_some_and(|at| !self.is_struck(at)))
    }

    pub(super) fn place(&mut self, fleet: Fleet) {
        self.fleet = fleet.ships().to_vec();
    }

    /// A shot falls in a cell of the board.
    pub(super) fn strike(&mut self, at: Point) -> Found {
        let before = self.is_struck(at);
        if let Some(index) = BOARD.index(at) {
            self.struck[index] = true;
        }
        match self.lying_at(at) {
            None => Found::Water,
            Some(_) if before => Found::Again,
            Some(ship) if self.is_afloat(ship) => Found::Hit,
            Some(ship) => Found::Sunk(ship.ship),
        }
    }

    /// It leaves the game in this turn.
    pub(super) fn leave(&mut self, turn: u32, removed: Option<String>) {
        self.out = Some(Out { turn, removed });
    }
}
