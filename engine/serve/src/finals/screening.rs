//! The screens that show a game of a final: the time that they take, and the result that they are told afterwards.

use super::state::time;
use crate::app::App;
use crate::event_stream::EventScope;
use crate::journal_line::MatchLine;
use crate::request_error::RequestResult;
use crate::wire::MatchOver;
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
        Some(Screening { begun_at: crate::journal_line::written(begun), pace })
    }
}

impl App {
    /// The number of the match whose result the screens have not shown yet.
    pub(crate) fn match_on_screen(&self) -> Option<u64> {
        let now = Utc::now();
        self.store.look(|state| Some(state.present_final.as_ref()?.on_screen(now)?.id))
    }

    /// Publishes again the game that the screens were showing when the server before ended.
    pub(crate) fn resume_screening(&self) {
        let Some(id) = self.match_on_screen() else { return };
        self.matches.lock().on_screen = Some(id);
        let reveals = self.store.look(|state| state.settings.reveal_fleets);
        let whole = self.kept_match(id).and_then(|line| self.whole_match(line, reveals));
        match whole {
            Ok(whole) => {
                self.events.publish("match-begun", EventScope::MatchBegins(id), &whole.begun);
                for turn in &whole.turns {
                    self.events.publish("turn", EventScope::MatchGoesOn(id), turn);
                }
            }
            Err(error) => self.matches.report_trouble(&error.to_string()),
        }
    }

    /// Tells the result of a game of which the screens have shown all, or which nobody waits for any more.
    pub(crate) fn reveal(&self, id: u64) {
        let over = self.kept_match(id).and_then(|line| self.whole_match(line, true)).map(|whole| whole.over);
        let over = over.unwrap_or_else(|error| MatchOver {
            r#match: id,
            result: None,
            broken_off: Some(error.to_string()),
            fleets: [None, None],
        });
        self.events.publish("match-over", EventScope::MatchEnds(id), &over);
        self.tell_final();
    }

    fn kept_match(&self, id: u64) -> RequestResult<MatchLine> {
        let line = self.store.index.match_line(id).map_err(crate::request_error::RequestError::internal)?;
        line.ok_or_else(|| crate::request_error::RequestError::missing("the history was cleared"))
    }
}

/// The time when the screens have shown a game of this many turns.
pub(crate) fn shown_at(begun: DateTime<Utc>, ended: DateTime<Utc>, turns: u32, pace: u64) -> DateTime<Utc> {
    let last_turn = begun + milliseconds(u64::from(turns) * pace);
    last_turn.max(ended) + milliseconds((5 * pace).min(MOST_WAIT_MS))
}

/// The time between the result of a game and the next game.
pub(super) fn rest(pace: u64) -> TimeDelta {
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
