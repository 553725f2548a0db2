//! The view of one seat: its shots, the shots at it, and what its radar saw.

use crate::Point;
use serde::Serialize;

/// The knowledge of one seat, which a bot is told when it is asked for a move.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct View {
    /// The number of the move that is due, counted from 1 through the moves of both players; 0 while fleets are placed.
    pub turn: u32,
    /// The seat's own shots, first to last.
    pub own_shots: Vec<Shot>,
    /// The shots at it, first to last.
    pub opponent_shots: Vec<Shot>,
    /// True if the seat has used its radar.
    pub radar_used: bool,
    /// The uses of its radar, first to last; there is one at most.
    pub scans: Vec<Scan>,
}

/// A shot and what came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Shot {
    /// The cell it fell in.
    pub at: Point,
    /// The result.
    pub result: ShotResult,
}

/// The result of a shot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ShotResult {
    /// There was nothing left to hit.
    Miss,
    /// A ship was hit and is not sunk; armour may have caught the hit.
    Hit,
    /// The last cell of a ship was destroyed.
    Sunk,
}

impl ShotResult {
    /// The word in messages.
    pub fn name(self) -> &'static str {
        match self {
            ShotResult::Miss => "miss",
            ShotResult::Hit => "hit",
            ShotResult::Sunk => "sunk",
        }
    }

    /// True if something was hit.
    pub fn is_hit(self) -> bool {
        self != ShotResult::Miss
    }
}

/// A use of radar and what it saw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Scan {
    /// The cell in the middle.
    pub centre: Point,
    /// The cells of ships, row by row from the top. Submarines are not seen.
    pub visible: Vec<Point>,
}
