//! A player at the table: its fleet, what shots have left of it, and what it has done.

use super::{BOARD, Placement, PlayerStats, ShipKind};
use crate::Point;
use serde::Serialize;

/// The full state of one player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlayerState {
    /// The places of the player's ships, in the order of [`ShipKind::ALL`]; empty before they are placed.
    pub fleet: Vec<Placement>,
    /// True for the cells of the board, in their order, in which a shot fell.
    struck: Vec<bool>,
    /// Since when and why the player is out of the game; `None` if it is not.
    pub elimination: Option<Elimination>,
    /// The player's statistics of the salvos that are over.
    pub stats: PlayerStats,
}

/// Since when and why a player is out of the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Elimination {
    /// In which turn it left, counted from 0.
    pub turn: u32,
    /// The reason why the rules removed the player, as words that follow its name; `None` if it lost its last ship.
    pub removed: Option<String>,
}

/// The result of a shot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum ShotResult {
    /// Water.
    Water,
    /// A part of a ship that was hit before, which does no more damage.
    Again,
    /// A part of a ship that was whole.
    Hit,
    /// The last whole part of this ship.
    Sunk(ShipKind),
}

impl ShotResult {
    /// The ship that the shot sank.
    pub(super) fn sunk(self) -> Option<ShipKind> {
        if let ShotResult::Sunk(ship) = self { Some(ship) } else { None }
    }

    /// True for the hits of a salvo: only shots that do damage count.
    pub fn is_hit(self) -> bool {
        matches!(self, ShotResult::Hit | ShotResult::Sunk(_))
    }
}

impl std::fmt::Display for ShotResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ShotResult::Water => f.write_str("miss"),
            ShotResult::Again => f.write_str("hit again"),
            ShotResult::Hit => f.write_str("hit"),
            ShotResult::Sunk(ship) => write!(f, "sank the {ship}"),
        }
    }
}

impl Default for PlayerState {
    /// Before its fleet is placed.
    fn default() -> PlayerState {
        PlayerState {
            fleet: Vec::new(),
            struck: vec![false; BOARD.len()],
            elimination: None,
            stats: PlayerStats::default(),
        }
    }
}

impl PlayerState {
    /// True if the player is still in the game.
    pub fn is_in(&self) -> bool {
        self.elimination.is_none()
    }

    /// The player's ships in the order of [`ShipKind::ALL`], each with true if it is afloat; none before they are placed.
    pub fn ships(&self) -> impl Iterator<Item = (ShipKind, bool)> {
        self.fleet.iter().map(|ship| (ship.ship, self.is_afloat(ship)))
    }

    /// The number of the player's ships that are afloat, 0 to 5.
    pub fn ships_afloat(&self) -> u8 {
        self.ships().filter(|(_, afloat)| *afloat).count() as u8
    }

    /// The number of whole parts of the player's ships, at most [`CELLS`](super::CELLS).
    pub fn whole_parts(&self) -> u32 {
        self.fleet
            .iter()
            .flat_map(|ship| ship.cells())
            .filter(|cell| cell.is_some_and(|at| !self.is_struck(at)))
            .count() as u32
    }

    /// True if a shot fell in this cell of the player's board.
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

    /// A shot falls in a cell of the board.
    pub(super) fn strike(&mut self, at: Point) -> ShotResult {
        let before = self.is_struck(at);
        if let Some(index) = BOARD.index(at) {
            self.struck[index] = true;
        }
        match self.lying_at(at) {
            None => ShotResult::Water,
            Some(_) if before => ShotResult::Again,
            Some(ship) if self.is_afloat(ship) => ShotResult::Hit,
            Some(ship) => ShotResult::Sunk(ship.ship),
        }
    }

    /// Removes the player from the game in this turn.
    pub(super) fn leave(&mut self, turn: u32, removed: Option<String>) {
        self.elimination = Some(Elimination { turn, removed });
    }
}
