//! What a final may be: its bots, and the games of its meetings.

use chrono::{DateTime, Utc};

/// The numbers of bots that a final may have.
const ENTRANTS: [u32; 3] = [2, 4, 8];
/// The most games of a meeting.
const MOST_GAMES: u32 = 15;

/// The time when a final begins, of a plan that can be played.
///
/// # Errors
/// The reason why there cannot be such a final.
pub(crate) fn planned_start(start: &str, entrants: u32, best_of: u32) -> Result<DateTime<Utc>, String> {
    if !ENTRANTS.contains(&entrants) {
        return Err(format!("a final has 2, 4 or 8 bots, not {entrants}"));
    }
    if best_of.is_multiple_of(2) || best_of > MOST_GAMES {
        return Err(format!("a meeting is the best of an odd number of games, at most {MOST_GAMES}, not {best_of}"));
    }
    time(start)
}

/// A time of the journal.
pub(crate) fn time(text: &str) -> Result<DateTime<Utc>, String> {
    DateTime::parse_from_rfc3339(text).map(|time| time.to_utc()).map_err(|_| format!("{text:?} is not a time"))
}
