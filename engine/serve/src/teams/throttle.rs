//! Rate limits of networks and of bots.

use crate::state::request_error::{RequestError, RequestResult};
use connections::DELAY_OF_GUESS;
use std::hash::Hash;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// A [`connections::Throttle`] whose refusals are answers to requests.
#[derive(Debug)]
pub(crate) struct Throttle<K>(connections::Throttle<K>);

impl<K: Eq + Hash> Throttle<K> {
    pub(crate) fn new(at_once: u32, interval: Duration) -> Throttle<K> {
        Throttle(connections::Throttle::new(at_once, interval))
    }

    /// Waits a while if too many guesses were counted before.
    pub(crate) async fn slow_down(&self, key: K) {
        if self.0.look(&key, Instant::now()).is_err() {
            sleep(DELAY_OF_GUESS).await;
        }
    }

    /// Counts a request, or a wrong guess, now.
    ///
    /// # Errors
    /// There were too many.
    pub(crate) fn count(&self, key: K) -> RequestResult<()> {
        self.0.ask(key, Instant::now()).map_err(RequestError::too_often)
    }
}
