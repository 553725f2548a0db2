//! What one seat may know: exactly what the requests show.

use super::{BotsArena, Settings, Strike};
use crate::Seat;

/// What one seat may know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// Whose view it is.
    pub seat: Seat,
    /// What was agreed before the match.
    pub settings: Settings,
    /// Whether the ships are still to be placed.
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
