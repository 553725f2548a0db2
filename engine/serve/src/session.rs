//! The log-ins of the administrator.

use super::random::token;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The duration of a log-in.
pub(super) const LASTS: Duration = Duration::from_secs(12 * 60 * 60);
/// The most log-ins. The one that ends first makes room for a new one.
const MOST: usize = 64;

/// The current log-ins. They end with the server.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    /// The end of each log-in, by a digest of its token: the time of a look-up then says nothing about the token.
    ends: Mutex<HashMap<[u8; 32], Instant>>,
}

impl Sessions {
    /// Begins a log-in. Returns its token.
    pub(super) fn begin(&self, now: Instant) -> String {
        let token = token();
        let mut ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        ends.retain(|_, end| *end > now);
        if ends.len() >= MOST {
            let first = ends.iter().min_by_key(|(_, end)| **end).map(|(digest, _)| *digest);
            first.map(|first| ends.remove(&first));
        }
        ends.insert(digest(&token), now + LASTS);
        token
    }

    /// True if the token is that of a current log-in.
    pub(super) fn is_on(&self, token: &str, now: Instant) -> bool {
        let ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        ends.get(&digest(token)).is_some_and(|end| *end > now)
    }

    /// Ends a log-in.
    pub(super) fn end(&self, token: &str) {
        self.ends.lock().unwrap_or_else(PoisonError::into_inner).remove(&digest(token));
    }
}

fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_in_lasts_until_it_ends() {
        let sessions = Sessions::default();
        let now = Instant::now();
        let [one, other] = [sessions.begin(now), sessions.begin(now)];
        assert!(sessions.is_on(&one, now) && sessions.is_on(&other, now + LASTS / 2));
        assert!(!sessions.is_on(&one, now + LASTS) && !sessions.is_on("", now) && !sessions.is_on(&one[1..], now));
        sessions.end(&one);
        assert!(!sessions.is_on(&one, now) && sessions.is_on(&other, now));
    }

    #[test]
    fn so_many_log_ins_are_kept() {
        let sessions = Sessions::default();
        let now = Instant::now();
        let tokens: Vec<String> = (0..100).map(|at| sessions.begin(now + Duration::from_millis(at))).collect();
        assert!(!sessions.is_on(&tokens[0], now) && sessions.is_on(&tokens[99], now));
        assert_eq!(sessions.ends.lock().unwrap().len(), MOST);
    }
}
