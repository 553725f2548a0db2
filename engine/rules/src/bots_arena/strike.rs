//! Strikes and what they found.

use crate::Point;
use serde::Serialize;

/// The result of a strike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum StrikeResult {
    /// Nothing, or a ship that was sunk before.
    Nothing,
    /// A ship that is still afloat.
    Hit,
    /// The last healthy cell of a ship.
    HitAndSunk,
}

impl StrikeResult {
    /// The words in the protocol.
    pub fn text(self) -> &'static str {
        match self {
            StrikeResult::Nothing => "",
            StrikeResult::Hit => "hit",
            StrikeResult::HitAndSunk => "hit and sunk",
        }
    }
}

/// A strike at one cell of the opponent's board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Strike {
    /// The cell.
    pub target: Point,
    /// The result.
    pub result: StrikeResult,
}
