//! The state of a worker, and the messages that all workers get: questions, requests to end, and the states of heads.

use crate::error::ClusterError;
use crate::wire::link::Link;
use crate::wire::machine;
use crate::wire::messages::{self, HeadState, RunningJob, WorkerState};
use crate::wire::names;
use crate::wire::signing::{PublicKey, SecretKey};
use arena::Interrupt;
use futures_util::StreamExt;
use platform::locks::lock;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// The time between two states that are told.
const TELL: Duration = Duration::from_secs(2);

/// The state of a worker, which its slots change and its connection tells.
pub(crate) struct Shared {
    pub(crate) state: Mutex<WorkerState>,
    /// The key with which it signs its states.
    key: SecretKey,
    /// The times at which games of late ended.
    finished: Mutex<VecDeque<Instant>>,
    /// The jobs that are played, by their names.
    running: Mutex<BTreeMap<String, Running>>,
    /// True if others should hear the state sooner than usual.
    is_due: Notify,
}

/// A job that is played.
struct Running {
    job: RunningJob,
    /// The time at which its last game ended.
    since: Instant,
    /// The time after which the head takes it for lost, unless it hears of it.
    lost_after: Duration,
    /// The time without an end of a game after which the head shall do so.
    stuck_after: Duration,
}

impl Shared {
    pub(crate) fn new(state: WorkerState, key: SecretKey) -> Shared {
        let (finished, running, is_due) = (Mutex::default(), Mutex::default(), Notify::new());
        Shared { state: Mutex::new(state), key, finished, running, is_due }
    }

    /// Notes that a job is played, which the head takes for lost after this time, and as soon as no game of it ends for the other.
    pub(crate) fn begin(&self, job: RunningJob, lost_after: Duration, stuck_after: Duration) {
        let running = Running { since: Instant::now(), lost_after, stuck_after, job };
        lock(&self.running).insert(running.job.id.clone(), running);
        self.is_due.notify_one();
    }

    /// Notes that a game of a job is finished.
    pub(crate) fn note_game(&self, id: &str) {
        lock(&self.state).games += 1;
        let mut finished = lock(&self.finished);
        finished.push_back(Instant::now());
        machine::forget_old(&mut finished);
        if let Some(running) = lock(&self.running).get_mut(id) {
            running.job.done += 1;
            running.since = Instant::now();
        }
    }

    /// The time until the state must be told again, so that no head takes a job for lost.
    fn step(&self) -> Duration {
        let shortest = lock(&self.running).values().map(|running| running.lost_after / 4).min();
        shortest.unwrap_or(TELL).clamp(Duration::from_millis(50), TELL)
    }

    /// The jobs that are played and not stuck.
    fn jobs(&self) -> Vec<RunningJob> {
        let mut jobs = Vec::new();
        for Running { job, since, stuck_after, .. } in lock(&self.running).values() {
            if since.elapsed() < *stuck_after {
                jobs.push(job.clone());
            } else {
                let seconds = stuck_after.as_secs();
                lock(&self.state).last_fault = Some(format!("no game of a job has ended for {seconds} s"));
            }
        }
        jobs
    }

    /// Notes that a job is not played any more.
    pub(crate) fn end(&self, id: &str) {
        lock(&self.running).remove(id);
    }

    /// True if a job is played.
    pub(crate) fn plays(&self) -> bool {
        !lock(&self.running).is_empty()
    }

    /// The number of games that were played.
    pub(crate) fn games(&self) -> u64 {
        lock(&self.state).games
    }

    /// The message with the present state.
    fn now(&self, is_draining: bool) -> Vec<u8> {
        let running = self.jobs();
        let games_per_second = machine::per_second(&mut lock(&self.finished));
        let state = WorkerState { running, games_per_second, is_draining, ..lock(&self.state).clone() };
        messages::write_state(&state, &self.key)
    }

    /// Tells the state from now on, and hears who asks for it, drains the worker, or has jobs: `on_head` gets the state of each head,
    /// with its key.
    ///
    /// # Errors
    /// The connection is closed.
    pub(crate) fn begin_telling(
        self: &Arc<Self>,
        link: &Link,
        (drain, heads): (&Interrupt, &[PublicKey]),
        on_head: impl Fn(PublicKey, HeadState) + Send + 'static,
    ) -> Result<(), ClusterError> {
        let (mut asked, mut drained) = (link.hear(names::ASK)?, link.hear(names::DRAIN)?);
        let mut told = link.hear(names::HEADS)?;
        let (client, shared, drain) = (link.client.clone(), Arc::clone(self), drain.clone());
        let (id, heads) = (lock(&self.state).id.clone(), heads.to_vec());
        link.spawn(async move {
            // The first is told at once.
            let mut next = tokio::time::Instant::now();
            loop {
                tokio::select! {
                    () = tokio::time::sleep_until(next) => {}
                    () = shared.is_due.notified() => {}
                    Some(_) = asked.next() => {}
                    Some(whom) = drained.next() => {
                        if messages::read_drain(&whom.payload, &heads) == Some(id.as_bytes()) {
                            drain.raise();
                        }
                    }
                    Some(head) = told.next() => {
                        if let Ok((key, state)) = messages::read_head(&head.payload) {
                            on_head(key, state);
                        }
                        continue;
                    }
                }
                let state = shared.now(drain.is_raised());
                let _ = client.publish(names::STATES, state.into()).await;
                next = tokio::time::Instant::now() + shared.step();
            }
        });
        let shared = Arc::clone(self);
        machine::watch_lag(link, move |lag| lock(&shared.state).machine.lag_ms = lag.as_secs_f64() * 1e3);
        Ok(())
    }

    /// Tells that the worker takes no more jobs.
    pub(crate) fn tell_end(&self, link: &Link) {
        let state = self.now(true);
        let told = async {
            let _ = link.client.publish(names::STATES, state.into()).await;
            let _ = link.client.flush().await;
        };
        let _ = link.block_on(async { tokio::time::timeout(Duration::from_secs(2), told).await });
    }
}
