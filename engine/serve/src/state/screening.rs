//! The screening of a game of a final: the time that the screens take for it, and the pause before the next game.

use crate::state::final_state::time;
use crate::state::journal_line::{MatchLine, written};
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use utoipa::ToSchema;

/// The longest time between the last move of a game on the screens and its result, in milliseconds.
const MOST_WAIT_MS: u64 = 1000;
/// The longest time between the result of a game and the next game, in milliseconds.
const MOST_REST_MS: u64 = 8000;

/// The times at which the screens show the turns of a game: turn number `t` at `begunAt` and `t` times `pace`, or as soon as it was
/// played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Screening {
    /// The time when the game began.
    pub(crate) begun_at: String,
    /// The time for which a turn is shown, in milliseconds.
    pub(crate) pace: u64,
}

impl Screening {
    /// The screening of a match that is over.
    pub(crate) fn of(line: &MatchLine, pace: u64) -> Option<Screening> {
        line.final_game.as_ref()?;
        let begun = time(&line.at).ok()? - milliseconds(line.took_ms);
        Some(Screening { begun_at: written(begun), pace })
    }
}

/// The time when the screens have shown a game of this many turns.
pub(crate) fn shown_at(begun: DateTime<Utc>, ended: DateTime<Utc>, turns: u32, pace: u64) -> DateTime<Utc> {
    let last_turn = begun + milliseconds(u64::from(turns) * pace);
    last_turn.max(ended) + milliseconds((5 * pace).min(MOST_WAIT_MS))
}

/// The time between the result of a game and the next game.
pub(crate) fn rest(pace: u64) -> TimeDelta {
    milliseconds((25 * pace).min(MOST_REST_MS))
}

fn milliseconds(count: u64) -> TimeDelta {
    TimeDelta::milliseconds(i64::try_from(count).unwrap_or(i64::MAX / 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_shown_at_the_pace_of_the_screen_or_of_slow_bots() {
        let begun = DateTime::UNIX_EPOCH;
        let after = |seconds| begun + TimeDelta::milliseconds(seconds);
        assert_eq!(shown_at(begun, after(200), 101, 300), after(101 * 300 + 1000));
        assert_eq!(shown_at(begun, after(90_000), 101, 300), after(91_000));
        assert_eq!(shown_at(begun, after(200), 101, 0), after(200));
        assert_eq!([rest(0), rest(300)].map(|rest| rest.num_milliseconds()), [0, 7500]);
    }
}
