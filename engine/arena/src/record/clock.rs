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

    /// The present time as records have it (RFC 3339 with milliseconds).
    pub fn stamp(self) -> Option<String> {
        self.now().map(|time| time.to_rfc3339_opts(SecondsFormat::Millis, false))
    }
}
