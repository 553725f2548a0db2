//! Points in time that also count the time for which the machine sleeps.

use std::time::{Duration, Instant, SystemTime};

/// A point in time. [`Instant`] stands still while a machine sleeps, and the clock of the day can be set: the longer of both times
/// counts, for bounds that must not be too short.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RealInstant {
    monotonic: Instant,
    day: SystemTime,
}

impl RealInstant {
    pub(crate) fn now() -> RealInstant {
        RealInstant { monotonic: Instant::now(), day: SystemTime::now() }
    }

    /// The time since then.
    pub(crate) fn elapsed(self) -> Duration {
        self.monotonic.elapsed().max(self.day.elapsed().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn the_time_for_which_a_machine_sleeps_counts() {
        let now = RealInstant::now();
        let slept = RealInstant { day: now.day - HOUR, ..now };
        assert!(slept.elapsed() >= HOUR);
        // The clock of the day was set back.
        let passed = now.monotonic.elapsed();
        assert!(RealInstant { day: now.day + HOUR, ..now }.elapsed() >= passed);
    }
}
