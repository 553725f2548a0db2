//! The view of one seat: exactly what the requests show.

use super::{Settings, Strike};
use crate::Seat;

/// The knowledge of one seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// The seat.
    pub seat: Seat,
    /// The settings of the match.
    pub settings: Settings,
    /// True before the ships are placed.
    pub placing: bool,
    /// All strikes of the player, first to last.
    pub own_strikes: Vec<Strike>,
    /// All strikes of its opponent, first to last.
    pub opponent_strikes: Vec<Strike>,
}
