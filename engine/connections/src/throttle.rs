//! Rate limits of networks, or of whatever else sends requests.

use platform::locks::lock;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The most keys that are counted.
const MOST: usize = 4096;
/// The time that a guess of a secret waits if too many before were wrong. No guess goes unchecked, so that the right one counts
/// however often others guess.
pub const DELAY_OF_GUESS: Duration = Duration::from_secs(3);

/// A rate limit for each key, e.g. the network of a client: so many requests at once, and one more after each interval.
#[derive(Debug)]
pub struct Throttle<K> {
    at_once: u32,
    interval: Duration,
    /// The time at which a key has all of its requests again.
    rested: Mutex<HashMap<K, Instant>>,
}

impl<K: Eq + Hash> Throttle<K> {
    /// A limit of `at_once` requests, and one more after each `interval`.
    pub fn new(at_once: u32, interval: Duration) -> Throttle<K> {
        Throttle { at_once, interval, rested: Mutex::default() }
    }

    /// Checks a request without counting it.
    ///
    /// # Errors
    /// The time to wait before the next one.
    pub fn look(&self, key: &K, now: Instant) -> Result<(), Duration> {
        let rested = lock(&self.rested);
        let at = rested.get(key).map_or(now, |at| (*at).max(now));
        let over = (at + self.interval).saturating_duration_since(now + self.interval * self.at_once);
        if over > Duration::ZERO { Err(over) } else { Ok(()) }
    }

    /// Counts a request.
    ///
    /// # Errors
    /// The time to wait before the next one. This one is not counted.
    pub fn ask(&self, key: K, now: Instant) -> Result<(), Duration> {
        let mut rested = lock(&self.rested);
        if rested.len() >= MOST {
            rested.retain(|_, at| *at > now);
            if rested.len() >= MOST {
                // Someone has thousands of networks. Until some are forgotten, all new requests have to wait.
                return Err(self.interval);
            }
        }
        let at = rested.entry(key).or_insert(now);
        let next = (*at).max(now) + self.interval;
        let over = next.saturating_duration_since(now + self.interval * self.at_once);
        if over > Duration::ZERO {
            return Err(over);
        }
        *at = next;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network;
    use std::net::IpAddr;

    const SECOND: Duration = Duration::from_secs(1);

    fn ip(text: &str) -> IpAddr {
        network(text.parse().unwrap())
    }

    #[test]
    fn so_many_at_once_and_then_one_each_interval() {
        let throttle = Throttle::new(3, SECOND);
        let (from, now) = (ip("10.0.0.1"), Instant::now());
        let asked = |after: Duration| throttle.ask(from, now + after);
        assert_eq!([asked(Duration::ZERO), asked(Duration::ZERO), asked(Duration::ZERO)], [Ok(()); 3]);
        assert_eq!(throttle.look(&from, now), Err(SECOND));
        assert_eq!(asked(Duration::ZERO), Err(SECOND));
        assert_eq!(asked(SECOND / 2), Err(SECOND / 2), "what was refused does not count");
        assert_eq!([asked(SECOND), asked(SECOND)], [Ok(()), Err(SECOND)]);
        assert_eq!((0..4).map(|_| asked(SECOND * 60).is_ok()).collect::<Vec<_>>(), [true, true, true, false]);
        assert_eq!(throttle.ask(ip("10.0.0.2"), now), Ok(()), "others are not kept waiting");
    }

    #[test]
    fn a_network_of_version_6_counts_as_one() {
        let throttle = Throttle::new(1, SECOND);
        let now = Instant::now();
        assert_eq!(throttle.ask(ip("2001:db8::1"), now), Ok(()));
        assert!(throttle.ask(ip("2001:db8::2"), now).is_err());
        assert_eq!(throttle.ask(ip("2001:db8:0:1::1"), now), Ok(()));
        assert_eq!(throttle.ask(ip("10.0.0.1"), now), Ok(()));
        assert!(throttle.ask(ip("::ffff:10.0.0.1"), now).is_err());
    }

    #[test]
    fn memory_is_bounded() {
        let throttle = Throttle::new(1, SECOND);
        let now = Instant::now();
        for number in 0..10_000_u32 {
            let _ = throttle.ask(IpAddr::from(number.to_be_bytes()), now);
        }
        assert!(throttle.rested.lock().unwrap().len() <= MOST);
        assert_eq!(throttle.ask(ip("10.0.0.1"), now + SECOND * 2), Ok(()));
    }
}
