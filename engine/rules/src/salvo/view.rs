//! The view of one seat.

use super::{Placement, ShipKind, ShotResult};
use crate::{BySeat, Mover, Point, SalvoTotal, Seat};

/// The knowledge of one seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// The seat.
    pub seat: Seat,
    /// The number of the coming turn, counted from 0; in turn 0 fleets are placed.
    pub turn: u32,
    /// The number of the round, counted from 1; 0 while fleets are placed.
    pub round: u32,
    /// The salvo that is being fired; `None` before the first and after the last.
    pub salvo: Option<Mover>,
    /// The total of the salvo before, which everyone is told.
    pub last: Option<SalvoTotal>,
    /// The public knowledge of the players.
    pub players: BySeat<PlayerView>,
    /// The places of the seat's own ships; empty before they are placed.
    pub fleet: Vec<Placement>,
    /// The shots that fell on its board, first to last.
    pub received: Vec<ReceivedShot>,
    /// The seat's own salvos that are over, first to last.
    pub own_salvos: Vec<OwnSalvo>,
    /// The shots that it has fired of a salvo that is not over.
    pub own_shots: Vec<OwnShot>,
}

/// The public knowledge of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerView {
    /// True if the player is still in the game.
    pub is_in: bool,
    /// The player's ships that are afloat, in the order of [`ShipKind::ALL`]; none before they are placed.
    pub afloat: Vec<ShipKind>,
}

/// A shot that fell on the seat's own board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReceivedShot {
    /// The shooter.
    pub by: Seat,
    /// In which cell it fell.
    pub at: Point,
    /// The result.
    pub found: ShotResult,
}

/// A salvo of the seat's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnSalvo {
    /// The shots that were fired.
    pub shots: Vec<OwnShot>,
    /// The number of shots that hit a part of a ship for the first time.
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
