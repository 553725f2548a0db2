//! Errors of calls to bots, each charged to the bot or to the engine.

use arena::ArenaError;
use platform::is_shortage;
use rules::Fault;
use std::io;
use std::time::Duration;

/// A reason for having no answer.
#[derive(Debug)]
pub(super) enum CallError {
    /// The match is to stop.
    Interrupted,
    /// The time is up; what of an answer arrived, if that is known.
    TimedOut(String),
    /// The bot could not be reached, or was gone before it had answered.
    Gone(String),
    /// The bot's answer makes no sense: the reason, and what of it is shown to people.
    Unreadable(String, String),
    /// The answer is at this place.
    Moved(String),
    /// The system refuses the engine what a call needs for `doing` something.
    Ours { doing: &'static str, source: io::Error },
}

impl CallError {
    /// An answer that makes no sense, of which nothing is shown.
    pub(super) fn unreadable(why: impl Into<String>) -> CallError {
        CallError::Unreadable(why.into(), String::new())
    }

    /// The same error; if the time is up, with what of an answer arrived.
    pub(super) fn after(self, arrived: impl FnOnce() -> String) -> CallError {
        match self {
            CallError::TimedOut(_) => CallError::TimedOut(arrived()),
            error => error,
        }
    }

    /// The error when the system reports `error` while the engine is `doing` something with the bot's connection.
    pub(super) fn of(doing: &'static str, error: io::Error) -> CallError {
        if is_shortage(&error) { CallError::Ours { doing, source: error } } else { CallError::Gone(in_words(&error)) }
    }

    /// The fault of the bot at `address`, which used `used` of its limit, or the engine's own error.
    pub(super) fn charged(self, address: &str, used: Duration, limit: Option<Duration>) -> Result<Fault, ArenaError> {
        match self {
            CallError::Interrupted => Err(ArenaError::Interrupted),
            CallError::Ours { doing, source } => {
                Err(ArenaError::Network { doing, address: address.to_owned(), source })
            }
            CallError::TimedOut(arrived) => Ok(Fault::timed_out_after(used, limit.unwrap_or(used), &arrived)),
            CallError::Gone(why) => Ok(Fault::unreachable(&format!("{address}: {why}"))),
            CallError::Moved(place) => Ok(Fault::unreadable_text("too many redirects", &place)),
            CallError::Unreadable(why, excerpt) => Ok(Fault::unreadable_text(&why, &excerpt)),
        }
    }
}

/// `connection refused` instead of `Connection refused (os error 111)`.
pub(super) fn in_words(error: &io::Error) -> String {
    let kind = error.kind().to_string();
    let is_vague = kind.starts_with("uncategorized") || kind.starts_with("other");
    if error.raw_os_error().is_none() || is_vague { error.to_string() } else { kind }
}

#[cfg(test)]
mod tests {
    use super::CallError;
    use arena::ArenaError;
    use rules::Fault;
    use rustix::io::Errno;
    use std::time::Duration;

    fn charged(errno: Errno) -> Result<Fault, ArenaError> {
        CallError::of("open a socket", errno.into()).charged("http://bot", Duration::ZERO, None)
    }

    #[test]
    fn what_the_machine_has_run_out_of_is_not_charged_to_the_bot() {
        for errno in [Errno::MFILE, Errno::NFILE, Errno::NOBUFS, Errno::NOMEM] {
            let error = charged(errno).unwrap_err();
            assert_eq!(error.to_string(), "cannot open a socket to call http://bot");
        }
    }

    #[test]
    fn what_the_bot_does_to_a_connection_is_told_in_words() {
        let told = [
            (Errno::CONNREFUSED, "connection refused"),
            (Errno::CONNRESET, "connection reset"),
            (Errno::HOSTUNREACH, "host unreachable"),
            (Errno::NETUNREACH, "network unreachable"),
            (Errno::PROTO, "Protocol error (os error 71)"),
        ];
        for (errno, words) in told {
            let why = format!("http://bot: {words}");
            assert_eq!(charged(errno).unwrap(), Fault::Unreachable { why });
        }
    }
}
