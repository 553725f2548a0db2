//! The screening of a game of a final: the time that the screens take for it, and the pause before the next game.

use crate::state::journal_line::MatchLine;
use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;

/// The longest time between the last move of a game on the screens and its result, in milliseconds.
const MOST_WAIT_MS: u64 = 1000;
/// The longest time between the result of a game and the next game, in milliseconds.
const MOST_REST_MS: u64 = 8000;

/// The times at which the turns of a game are published: turn number `t` at `begunAt` and `t` times `pace`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Screening {
    /// The time when the game was over, and its first turn is published.
    pub(crate) begun_at: String,
    /// The time for which a turn is shown, in milliseconds.
    pub(crate) pace: u64,
}

impl Screening {
    /// The screening of a match that is over. The pace of the settings is for lines of before, which have none.
    pub(crate) fn of(line: &MatchLine, of_settings: u64) -> Option<Screening> {
        let pace = line.final_game.as_ref()?.pace.unwrap_or(of_settings);
        Some(Screening { begun_at: line.at.clone(), pace })
    }
}

/// The time after which a turn is shown.
pub(crate) fn shown_after(turn: u32, pace: u64) -> Duration {
    Duration::from_millis(u64::from(turn) * pace)
}

/// The time that the screens take for a game of this many turns.
pub(crate) fn duration(turns: u32, pace: u64) -> Duration {
    shown_after(turns, pace) + Duration::from_millis((5 * pace).min(MOST_WAIT_MS))
}

/// The time between the result of a game and the next game.
pub(crate) fn rest(pace: u64) -> Duration {
    Duration::from_millis((25 * pace).min(MOST_REST_MS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_shown_at_the_pace_of_the_screen() {
        assert_eq!(duration(101, 300).as_millis(), 101 * 300 + 1000);
        assert_eq!(duration(101, 0).as_millis(), 0);
        assert_eq!([rest(0), rest(300)].map(|rest| rest.as_millis()), [0, 7500]);
    }
}
