//! The view of one seat: exactly what the requests show.

use super::{BotsArena, Settings, Strike};
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

impl View {
    pub(super) fn of(game: &BotsArena, seat: Seat) -> View {
        let strikes = |seat| game.player(seat).strikes().iter().copied().collect();
        View {
            seat,
            settings: *game.settings(),
            placing: game.is_placing(),
            own_strikes: strikes(seat),
            opponent_strikes: strikes(seat.opponent()),
        }
    }
}
