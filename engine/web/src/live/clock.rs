//! The clock of a turn.

use crate::frame_log::json;
use crate::wire::ClockView;
use rules::Seat;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The clock of a turn: until when a player may take it.
#[derive(Debug)]
pub(super) struct Clock {
    seat: Seat,
    until: Instant,
    limit: Duration,
}

impl Clock {
    /// A clock that starts now; `None` if it would never end.
    pub(super) fn start(seat: Seat, limit: Duration) -> Option<Clock> {
        Some(Clock { seat, until: Instant::now().checked_add(limit)?, limit })
    }

    /// The clock as a viewer gets it: with the time that is left now.
    pub(super) fn json(&self) -> Arc<str> {
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let left = self.until.saturating_duration_since(Instant::now());
        json(&ClockView { seat: self.seat.letter(), left_ms: milliseconds(left), limit_ms: milliseconds(self.limit) })
    }
}
