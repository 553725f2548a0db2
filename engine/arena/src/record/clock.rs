//! The clock of records and logs.

use chrono::{DateTime, FixedOffset, SecondsFormat};

/// A clock for records and logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// The real time.
    Running,
    /// Always the same time, of a match that was played before; `None` if it is not known.
    Stopped(Option<DateTime<FixedOffset>>),
}

impl Clock {
    /// The present time of this clock; `None` if it is not known.
    pub fn now(self) -> Option<DateTime<FixedOffset>> {
        match self {
            Clock::Running => Some(chrono::Local::now().fixed_offset()),
            Clock::Stopped(time) => time,
        }
    }

    /// True for a time as [`Clock::stamp`] gives it.
    ///
    /// ```
    /// use arena::record::Clock;
    ///
    /// assert!(Clock::is_stamp(&Clock::Running.stamp().unwrap()) && !Clock::is_stamp("yesterday"));
    /// ```
    pub fn is_stamp(text: &str) -> bool {
        // With more digits of a second it is a time as well, but none of ours.
        const LONGEST: usize = 40;
        text.len() <= LONGEST && DateTime::parse_from_rfc3339(text).is_ok()
    }

    /// A clock that stands at a time as [`Clock::stamp`] gives it; `None` if the text is no such time.
    ///
    /// ```
    /// use arena::record::Clock;
    ///
    /// let time = "2017-06-01T12:00:00.250+02:00";
    /// assert_eq!(Clock::stopped_at(time).and_then(Clock::stamp).as_deref(), Some(time));
    /// ```
    pub fn stopped_at(text: &str) -> Option<Clock> {
        DateTime::parse_from_rfc3339(text).ok().filter(|_| Clock::is_stamp(text)).map(|time| Clock::Stopped(Some(time)))
    }

    /// The present time as records have it (RFC 3339 with milliseconds).
    pub fn stamp(self) -> Option<String> {
        self.now().map(|time| time.to_rfc3339_opts(SecondsFormat::Millis, false))
    }
}
