//! The clock of the screens, which never goes back.

use chrono::{DateTime, TimeDelta, Utc};
use platform::locks::lock;
use std::sync::Mutex;
use std::time::Instant;

/// A clock that has the time of the machine, and goes on at its own rate while that is set back: otherwise a final would stop until the
/// time is again what it was.
#[derive(Debug)]
pub(crate) struct ScreenClock(Mutex<(DateTime<Utc>, Instant)>);

impl Default for ScreenClock {
    fn default() -> ScreenClock {
        ScreenClock(Mutex::new((Utc::now(), Instant::now())))
    }
}

impl ScreenClock {
    /// The present time.
    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.after(Utc::now(), Instant::now())
    }

    /// The time at which the machine has this time, and its clock that nobody sets the other one.
    fn after(&self, told: DateTime<Utc>, at: Instant) -> DateTime<Utc> {
        let mut last = lock(&self.0);
        let (time, since) = *last;
        let passed = TimeDelta::from_std(at.saturating_duration_since(since)).unwrap_or_default();
        *last = ((time + passed).max(told), at.max(since));
        last.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_clock_that_is_set_back_stops_nothing() {
        let clock = ScreenClock::default();
        let (begin, at) = *lock(&clock.0);
        let after = |told: i64, passed: u64| {
            let told = begin + TimeDelta::seconds(told);
            (clock.after(told, at + Duration::from_secs(passed)) - begin).num_seconds()
        };
        assert_eq!((after(10, 10), after(-3600, 11), after(-3595, 16)), (10, 11, 16));
        assert_eq!((after(7200, 17), after(20, 20)), (7200, 7203), "the machine was asleep for two hours");
    }
}
