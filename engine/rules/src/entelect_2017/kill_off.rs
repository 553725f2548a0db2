//! Removing players who can't or won't play.

use super::{Entelect2017, KillOff, PlayerState};
use crate::Seats;

/// Do-nothings in a row after which a player is removed (Player Rules 4; the original counts 20, not 21).
pub(super) const DO_NOTHINGS: u32 = 20;
/// Do-nothings in a row from which a player is warned.
pub(super) const DO_NOTHINGS_WARNING: u32 = 10;
/// Failed placements after which a player is removed (Player Rules 2 and 3).
pub(super) const FAILED_PLACEMENTS: u32 = 5;

/// The reason why this player is to be removed at the start of the coming round; `None` if it is not.
pub(super) fn due(player: &PlayerState) -> Option<KillOff> {
    if player.gave_up {
        Some(KillOff::GaveUp)
    } else if player.do_nothings >= DO_NOTHINGS {
        Some(KillOff::DoNothings)
    } else if player.failed_first_phase_commands >= FAILED_PLACEMENTS {
        Some(KillOff::FailedPlacements)
    } else {
        None
    }
}

/// The seats due to be removed at the start of the coming round. Then no player is asked in that round.
pub(super) fn seats_due(game: &Entelect2017) -> Seats {
    game.players.iter().filter(|(_, player)| due(player).is_some()).map(|(seat, _)| seat).collect()
}
