//! The place where a worker gets jobs: the consumers of the jobs that it can play.

use crate::error::ClusterError;
use crate::wire::link::{Link, text};
use crate::wire::names;
use crate::wire::version::version;
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{Consumer, pull};
use futures_util::StreamExt;
use platform::locks::lock;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The time in which the list of consumers is good, unless a head tells of a new one.
const CONSUMERS: Duration = Duration::from_secs(30);
/// The time for which a slot waits for a job before it looks whether it shall end.
const WAIT: Duration = Duration::from_secs(1);

/// A job that a worker has taken.
pub(crate) struct TakenJob {
    /// The job, and the way to confirm it.
    pub(crate) message: Message,
    /// The time without a word of it after which others get it.
    pub(crate) lost_after: Duration,
}

/// The consumers of the jobs that a worker can play.
pub(crate) struct JobSource {
    labels: Vec<String>,
    known: Mutex<Known>,
    /// True if a head has told of jobs of a new kind.
    is_old: AtomicBool,
}

#[derive(Default)]
struct Known {
    at: Option<Instant>,
    consumers: Vec<Consumer<pull::Config>>,
    /// Other versions whose jobs wait, and that were told.
    told: Vec<String>,
}

impl JobSource {
    /// The source of a worker with these labels.
    pub(crate) fn new(labels: Vec<String>) -> JobSource {
        JobSource { labels, known: Mutex::default(), is_old: AtomicBool::new(false) }
    }

    /// Looks for new consumers when the next job is asked for.
    pub(crate) fn look_again(&self) {
        self.is_old.store(true, Ordering::Relaxed);
    }

    /// The next job that the worker can play, if one comes soon. Slots that begin `at` different numbers look at different places
    /// first. `on_other` is called with another version of the program that has jobs here.
    ///
    /// # Errors
    /// The server does not answer.
    pub(crate) fn next(
        &self,
        link: &Link,
        at: usize,
        on_other: &dyn Fn(String),
    ) -> Result<Option<TakenJob>, ClusterError> {
        let mut consumers = self.consumers(link, on_other)?;
        let count = consumers.len();
        if count == 0 {
            link.pause(WAIT / 5);
            return Ok(None);
        }
        consumers.rotate_left(at % count);
        // What is there already comes first, and only then each is waited for.
        let each = (WAIT / count as u32).max(Duration::from_millis(100));
        let waits = [None].into_iter().filter(|_| count > 1).chain([Some(each)]);
        for wait in waits {
            for consumer in &consumers {
                let fetched = link.block_on(fetched(consumer, wait));
                let message = fetched.map_err(|why| {
                    self.look_again();
                    ClusterError::server("give a job", why)
                })?;
                if let Some(message) = message {
                    return Ok(Some(TakenJob { message, lost_after: consumer.cached_info().config.ack_wait }));
                }
            }
        }
        Ok(None)
    }

    fn consumers(&self, link: &Link, on_other: &dyn Fn(String)) -> Result<Vec<Consumer<pull::Config>>, ClusterError> {
        let mut known = lock(&self.known);
        let is_old = self.is_old.swap(false, Ordering::Relaxed);
        if !is_old && known.at.is_some_and(|at| at.elapsed() < CONSUMERS) {
            return Ok(known.consumers.clone());
        }
        let Some((stream, all)) = link.queues()? else {
            known.at = Some(Instant::now());
            return Ok(Vec::new());
        };
        let ours = names::token(version());
        let mut mine = Vec::new();
        for name in &all {
            let Some((theirs, needs)) = names::of_consumer(name) else { continue };
            let is_hashed = names::are_hashed(needs);
            if theirs == ours && !is_hashed && !names::has(&self.labels, needs) {
                continue;
            }
            let consumer: Consumer<pull::Config> =
                link.wait("find jobs", async || stream.get_consumer(name).await.map_err(text))?;
            if theirs == ours {
                let needs = names::whole_needs(needs, consumer.cached_info().config.description.as_deref());
                if names::has(&self.labels, &needs) {
                    mine.push(consumer);
                }
            } else if consumer.cached_info().num_pending > 0 && !known.told.iter().any(|told| told == theirs) {
                known.told.push(theirs.to_owned());
                on_other(names::text_of(theirs));
            }
        }
        known.at = Some(Instant::now());
        known.consumers = mine;
        Ok(known.consumers.clone())
    }
}

/// The next message of a consumer; it is waited for if that is wanted.
async fn fetched(consumer: &Consumer<pull::Config>, wait: Option<Duration>) -> Result<Option<Message>, String> {
    /// The time beyond `wait` in which the server must answer.
    const MOST: Duration = Duration::from_secs(5);
    let next = async {
        let fetch = consumer.fetch().max_messages(1);
        let fetch = if let Some(wait) = wait { fetch.expires(wait) } else { fetch };
        let fetched = fetch.messages().await.map_err(text)?;
        std::pin::pin!(fetched).next().await.transpose().map_err(text)
    };
    let next = tokio::time::timeout(wait.unwrap_or_default() + MOST, next).await;
    next.unwrap_or_else(|_| Err("no answer".to_owned()))
}
