//! What one seat may know.

use super::{Found, Placement, ShipKind};
use crate::{BySeat, Point, Seat};

/// What one seat may know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// Whose view it is.
    pub seat: Seat,
    /// The number of the coming turn, counted from 0; in turn 0 fleets are placed.
    pub turn: u32,
    /// The number of the round, counted from 1; 0 while fleets are placed.
    pub round: u32,
    /// The salvo that is being fired; `None` before the first and after the last.
    pub salvo: Option<UnderFire>,
    /// The total of the salvo before, which everyone is told.
    pub last: Option<SalvoResult>,
    /// What everyone knows of the players.
    pub players: BySeat<Known>,
    /// Where the seat's own ships lie; empty before they are placed.
    pub fleet: Vec<Placement>,
    /// The shots that fell on its board, first to last.
    pub received: Vec<Received>,
    /// Its own salvos that are over, first to last.
    pub own_salvos: Vec<OwnSalvo>,
    /// The shots that it has fired of a salvo that is not over.
    pub own_shots: Vec<OwnShot>,
}

/// A salvo that is being fired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnderFire {
    /// Whose it is.
    pub seat: Seat,
    /// How many shots it has.
    pub shots: u8,
    /// How many of them are still to be fired.
    pub left: u8,
}

/// What everyone is told of a salvo that is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SalvoResult {
    /// Whose it was.
    pub seat: Seat,
    /// How many shots were fired.
    pub shots: u8,
    /// How many of them hit a part of a ship for the first time.
    pub hits: u8,
}

/// What everyone knows of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Whether it is still in the game.
    pub is_in: bool,
    /// Its ships that are afloat, in the order of [`ShipKind::ALL`]; none before they are placed.
    pub afloat: Vec<ShipKind>,
}

/// A shot that fell on the seat's own board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Received {
    /// Who fired it.
    pub by: Seat,
    /// In which cell it fell.
    pub at: Point,
    /// What it found.
    pub found: Found,
}

/// A salvo of the seat's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnSalvo {
    /// The shots that were fired.
    pub shots: Vec<OwnShot>,
    /// How many of them hit a part of a ship for the first time.
    pub hits: u8,
}

/// A shot of the seat's own. Whether it hit it is not told, unless it sank a ship.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnShot {
    /// At whose board.
    pub target: Seat,
    /// At which cell.
    pub at: Point,
    /// The ship that it sank.
    pub sank: Option<ShipKind>,
}
