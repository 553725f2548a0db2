//! Who is logged in as administrator, and which forms are ours.

use super::secret::{hex, random_bytes, token};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use subtle::ConstantTimeEq;

/// How long a log-in lasts.
pub(super) const LASTS: Duration = Duration::from_secs(12 * 60 * 60);
/// More are not kept; the one that ends first makes room.
const MOST: usize = 64;

/// The log-ins of the administrator. They end with the server.
#[derive(Debug)]
pub(super) struct Sessions {
    /// When each ends, by a digest of its token, so that looking it up tells nothing about the token.
    ends: Mutex<HashMap<[u8; 32], Instant>>,
}

impl Sessions {
    pub(super) fn new() -> Sessions {
        Sessions { ends: Mutex::default() }
    }

    /// Begins one, and gives its token.
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

    /// Whether the token is that of one.
    pub(super) fn is_on(&self, token: &str, now: Instant) -> bool {
        let ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        ends.get(&digest(token)).is_some_and(|end| *end > now)
    }

    /// Ends one.
    pub(super) fn end(&self, token: &str) {
        self.ends.lock().unwrap_or_else(PoisonError::into_inner).remove(&digest(token));
    }
}

fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

/// Marks forms as ours: what a form has to bring along follows from a cookie that only its browser has, and from a
/// secret of the server.
#[derive(Debug)]
pub(super) struct Seals {
    secret: [u8; 32],
}

impl Seals {
    pub(super) fn new() -> Seals {
        Seals { secret: random_bytes() }
    }

    /// What a form has to bring along in a browser with this cookie.
    pub(super) fn of(&self, cookie: &str) -> String {
        hex(&Sha256::new().chain_update(self.secret).chain_update(Sha256::digest(cookie)).finalize())
    }

    /// Whether a form has brought that along.
    pub(super) fn is_ours(&self, cookie: &str, brought: &str) -> bool {
        self.of(cookie).as_bytes().ct_eq(brought.as_bytes()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_in_lasts_until_it_ends() {
        let sessions = Sessions::new();
        let now = Instant::now();
        let [one, other] = [sessions.begin(now), sessions.begin(now)];
        assert!(sessions.is_on(&one, now) && sessions.is_on(&other, now + LASTS / 2));
        assert!(!sessions.is_on(&one, now + LASTS) && !sessions.is_on("", now) && !sessions.is_on(&one[1..], now));
        sessions.end(&one);
        assert!(!sessions.is_on(&one, now) && sessions.is_on(&other, now));
    }

    #[test]
    fn so_many_log_ins_are_kept() {
        let sessions = Sessions::new();
        let now = Instant::now();
        let tokens: Vec<String> = (0..100).map(|at| sessions.begin(now + Duration::from_millis(at))).collect();
        assert!(!sessions.is_on(&tokens[0], now) && sessions.is_on(&tokens[99], now));
        assert_eq!(sessions.ends.lock().unwrap().len(), MOST);
    }

    #[test]
    fn a_form_of_another_browser_or_server_is_not_ours() {
        let seals = Seals::new();
        let brought = seals.of("cookie");
        assert!(seals.is_ours("cookie", &brought));
        assert!(
            !seals.is_ours("other", &brought)
                && !seals.is_ours("cookie", "")
                && !Seals::new().is_ours("cookie", &brought)
        );
    }
}
