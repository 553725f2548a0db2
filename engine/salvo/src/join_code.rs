//! The join code, and the brake on those who guess it.

use crate::teams::is_same;
use connections::{DELAY_OF_GUESS, Throttle, network};
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// The most wrong codes of an address or a network at once, and the time after which one more is let through without a delay.
const MOST_WRONG: (u32, Duration) = (10, Duration::from_secs(5));

/// The code that requests to take part must have, if there is one. The broker and the lobby share it.
pub(crate) struct JoinCode {
    code: Option<String>,
    wrong: Throttle<IpAddr>,
}

impl JoinCode {
    pub(crate) fn new(code: Option<String>) -> JoinCode {
        let (at_once, interval) = MOST_WRONG;
        JoinCode { code, wrong: Throttle::new(at_once, interval) }
    }

    /// Tells whether a request with this code is let in, and counts a wrong code. A request without a code guesses nothing.
    pub(crate) fn admits(&self, given: Option<&str>, from: Option<IpAddr>) -> bool {
        let Some(code) = &self.code else { return true };
        let is_right = given.is_some_and(|given| is_same(code, given));
        if let (false, Some(_), Some(from)) = (is_right, given, from) {
            // It is refused however many there were.
            let _ = self.wrong.ask(network(from), Instant::now());
        }
        is_right
    }

    /// The time for which a request from this address waits: none, unless there were too many wrong codes. It is the same for the
    /// right code, since who guesses would not wait for the answer to a wrong one.
    pub(crate) fn delay(&self, from: IpAddr) -> Option<Duration> {
        let is_free = self.code.is_none() || self.wrong.look(&network(from), Instant::now()).is_ok();
        (!is_free).then_some(DELAY_OF_GUESS)
    }
}
