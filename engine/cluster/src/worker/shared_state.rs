//! The state of a worker, and the messages that it gets: questions, requests to end, stopped tournaments, new jobs.

use crate::error::ClusterError;
use crate::wire::link::{Link, text};
use crate::wire::machine;
use crate::wire::messages::{self, RunningJob, WorkerState};
use crate::wire::names;
use crate::wire::signing::{PublicKey, SecretKey};
use crate::worker::job_source::JobSource;
use crate::worker::tournaments::Tournaments;
use arena::Interrupt;
use futures_util::StreamExt;
use platform::locks::lock;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The time between two states that are told.
const TELL: Duration = Duration::from_secs(2);

/// The state of a worker, which its slots change and its connection tells.
pub(crate) struct Shared {
    pub(crate) state: Mutex<WorkerState>,
    /// The key with which it signs its states.
    key: SecretKey,
    /// The times at which games of late ended.
    finished: Mutex<VecDeque<Instant>>,
    /// The jobs that are played, by their ids.
    running: Mutex<BTreeMap<String, RunningJob>>,
}

impl Shared {
    pub(crate) fn new(state: WorkerState, key: SecretKey) -> Shared {
        Shared { state: Mutex::new(state), key, finished: Mutex::default(), running: Mutex::default() }
    }

    /// Notes that a job is played; false if it is played already.
    pub(crate) fn begin(&self, id: &str, job: RunningJob) -> bool {
        let mut running = lock(&self.running);
        let is_new = !running.contains_key(id);
        running.entry(id.to_owned()).or_insert(job);
        is_new
    }

    /// Notes that a game of a job is finished.
    pub(crate) fn note_game(&self, id: &str) {
        lock(&self.state).games += 1;
        let mut finished = lock(&self.finished);
        finished.push_back(Instant::now());
        machine::forget_old(&mut finished);
        if let Some(job) = lock(&self.running).get_mut(id) {
            job.done += 1;
        }
    }

    /// The number of games of a job that are finished.
    pub(crate) fn done(&self, id: &str) -> usize {
        lock(&self.running).get(id).map_or(0, |job| job.done)
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
        let running = lock(&self.running).values().cloned().collect();
        let games_per_second = machine::per_second(&mut lock(&self.finished));
        let state = WorkerState { running, games_per_second, is_draining, ..lock(&self.state).clone() };
        messages::write_state(&state, &self.key)
    }

    /// Tells the state from now on, and hears who asks for it, drains the worker, stops a tournament or has new jobs.
    ///
    /// # Errors
    /// The server does not answer.
    pub(crate) fn begin_telling(
        self: &Arc<Self>,
        link: &Link,
        (drain, heads): (&Interrupt, &[PublicKey]),
        tournaments: &Arc<Tournaments>,
        source: &Arc<JobSource>,
    ) -> Result<(), ClusterError> {
        let subscribe = |subject: &'static str| {
            let client = link.client.clone();
            link.wait("hear what is asked", async || client.subscribe(subject).await.map_err(text))
        };
        let (mut asked, mut drained) = (subscribe(names::ASK)?, subscribe(names::DRAIN)?);
        let (mut stopped, mut looked) = (subscribe(names::STOP)?, subscribe(names::LOOK)?);
        let (client, shared, drain) = (link.client.clone(), Arc::clone(self), drain.clone());
        let (tournaments, source) = (Arc::clone(tournaments), Arc::clone(source));
        let (id, heads) = (lock(&self.state).id.clone(), heads.to_vec());
        link.spawn(async move {
            let mut tick = tokio::time::interval(TELL);
            loop {
                let to = tokio::select! {
                    _ = tick.tick() => Some(names::STATES.into()),
                    Some(question) = asked.next() => question.reply,
                    Some(whom) = drained.next() => {
                        if messages::read_drain(&whom.payload, &heads) == Some(id.as_bytes()) {
                            drain.raise();
                        }
                        Some(names::STATES.into())
                    }
                    Some(which) = stopped.next() => {
                        if let Some(description) = messages::read_stop(&which.payload, &heads) {
                            tournaments.stop(description);
                        }
                        None
                    }
                    Some(_) = looked.next() => {
                        source.look_again();
                        None
                    }
                };
                if let Some(to) = to {
                    let state = shared.now(drain.is_raised());
                    let _ = client.publish(to, state.into()).await;
                }
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
