//! Log-ins: of the administrator, and of teams.

use crate::state::random::token;
use platform::locks::lock;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The duration of a log-in.
pub(crate) const LASTS: Duration = Duration::from_secs(12 * 60 * 60);

/// The current log-ins of holders `T`, such as the bots of teams. They end with the server.
#[derive(Debug)]
pub(crate) struct Sessions<T> {
    /// The most log-ins of one holder. The one that ends first makes room for a new one, so nobody can end those of others.
    most: usize,
    /// The holder and the end of each log-in, by a digest of its token: the time of a look-up then says nothing about the
    /// token.
    open: Mutex<HashMap<[u8; 32], (T, Instant)>>,
}

impl<T: Copy + PartialEq> Sessions<T> {
    /// No log-ins yet; a holder may have so many.
    pub(crate) fn new(most: usize) -> Sessions<T> {
        Sessions { most, open: Mutex::default() }
    }

    /// Begins a log-in. Returns its token.
    pub(crate) fn begin(&self, holder: T, now: Instant) -> String {
        let token = token();
        let mut open = lock(&self.open);
        open.retain(|_, (_, end)| *end > now);
        let own = || open.iter().filter(|(_, (other, _))| *other == holder);
        if own().count() >= self.most {
            let first = own().min_by_key(|(_, (_, end))| *end).map(|(digest, _)| *digest);
            first.map(|first| open.remove(&first));
        }
        open.insert(digest(&token), (holder, now + LASTS));
        token
    }

    /// The holder of a current log-in with this token.
    pub(crate) fn holder(&self, token: &str, now: Instant) -> Option<T> {
        lock(&self.open).get(&digest(token)).filter(|(_, end)| *end > now).map(|(holder, _)| *holder)
    }

    /// Ends all log-ins of a holder.
    pub(crate) fn end_all(&self, holder: T) {
        lock(&self.open).retain(|_, (other, _)| *other != holder);
    }

    /// Ends a log-in.
    pub(crate) fn end(&self, token: &str) {
        lock(&self.open).remove(&digest(token));
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
        let sessions = Sessions::new(64);
        let now = Instant::now();
        let [one, other] = ["Ann", "Bob"].map(|holder| sessions.begin(holder, now));
        assert_eq!(sessions.holder(&one, now), Some("Ann"));
        assert_eq!(sessions.holder(&other, now + LASTS / 2), Some("Bob"));
        for (token, at) in [(&*one, now + LASTS), ("", now), (&one[1..], now)] {
            assert_eq!(sessions.holder(token, at), None);
        }
        sessions.end_all("Ann");
        assert_eq!((sessions.holder(&one, now), sessions.holder(&other, now)), (None, Some("Bob")));
        let one = sessions.begin("Ann", now);
        sessions.end(&one);
        assert_eq!((sessions.holder(&one, now), sessions.holder(&other, now)), (None, Some("Bob")));
    }

    #[test]
    fn so_many_log_ins_are_kept_of_each() {
        let sessions = Sessions::new(8);
        let now = Instant::now();
        let other = sessions.begin("Ann", now);
        let tokens: Vec<String> = (1..=20).map(|at| sessions.begin("Bob", now + Duration::from_millis(at))).collect();
        let held = tokens.iter().filter(|token| sessions.holder(token, now).is_some()).count();
        assert_eq!((held, sessions.holder(&tokens[19], now)), (8, Some("Bob")));
        assert_eq!(sessions.holder(&other, now), Some("Ann"), "one's log-ins do not end another's");
    }
}
