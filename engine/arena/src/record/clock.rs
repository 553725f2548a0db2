//! The clock of records and logs, and the two forms of times: RFC 3339 with milliseconds for programs, and [`SHOWN_TIME`] for
//! people.

use chrono::{DateTime, FixedOffset, Local, SecondsFormat};

/// The form of times for people, for [`chrono`]: `2026-11-26 16:50:00`.
pub const SHOWN_TIME: &str = "%Y-%m-%d %H:%M:%S";

/// A time of a record or a journal (RFC 3339) as people see it, to the minute: the local time of the machine that wrote it. `None` if
/// the text is no such time.
///
/// ```
/// use arena::record::shown_time;
///
/// assert_eq!(shown_time("2026-11-26T16:50:00.123+01:00").as_deref(), Some("2026-11-26 16:50"));
/// assert_eq!(shown_time("yesterday"), None);
/// ```
pub fn shown_time(text: &str) -> Option<String> {
    let mut shown = DateTime::parse_from_rfc3339(text).ok()?.format(SHOWN_TIME).to_string();
    // Without the seconds.
    shown.truncate(shown.rfind(':')?);
    Some(shown)
}

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
            Clock::Running => Some(Local::now().fixed_offset()),
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
        // Other spellings of a time, such as with more digits of a second, are not those of a stamp.
        Clock::stopped_at(text).is_some()
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
        let clock = Clock::Stopped(Some(DateTime::parse_from_rfc3339(text).ok()?));
        (clock.stamp().as_deref() == Some(text)).then_some(clock)
    }

    /// The present time as records have it (RFC 3339 with milliseconds).
    pub fn stamp(self) -> Option<String> {
        self.now().map(|time| time.to_rfc3339_opts(SecondsFormat::Millis, false))
    }
}
