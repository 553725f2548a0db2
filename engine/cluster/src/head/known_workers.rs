//! The workers that a head knows, by the states that they tell.

use crate::error::ClusterError;
use crate::wire::link::{Link, text};
use crate::wire::messages::{self, WorkerState};
use crate::wire::names;
use futures_util::StreamExt;
use platform::locks::lock;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The time after which a worker that tells nothing is not counted any more.
pub(crate) const SILENT: Duration = Duration::from_secs(10);

/// The most workers that a head counts.
const MOST_WORKERS: usize = 20_000;

/// The last state of each worker by its id, with the time at which it came.
#[derive(Default)]
pub(crate) struct Workers {
    pub(crate) states: BTreeMap<String, (WorkerState, Instant)>,
    /// The ids of workers of another version that were reported.
    pub(crate) told_other: BTreeSet<String>,
}

/// Notes what workers tell, from now on; they are asked at once.
pub(crate) fn watch_workers(link: &Link, workers: &Arc<Mutex<Workers>>) -> Result<(), ClusterError> {
    let client = link.client.clone();
    let mut states = link.wait("hear workers", async || client.subscribe(names::STATES).await.map_err(text))?;
    let workers = Arc::clone(workers);
    link.spawn(async move {
        while let Some(message) = states.next().await {
            let Ok(state) = messages::read_state(&message.payload) else { continue };
            let mut workers = lock(&workers);
            if !workers.states.contains_key(&state.id) {
                workers.states.retain(|_, (_, at)| at.elapsed() < 6 * SILENT);
            }
            if workers.states.len() >= MOST_WORKERS && !workers.states.contains_key(&state.id) {
                continue;
            }
            workers.states.insert(state.id.clone(), (state, Instant::now()));
        }
    });
    let asked = link.client.clone();
    link.wait("ask workers", async || {
        asked.publish_with_reply(names::ASK, names::STATES, Vec::new().into()).await.map_err(text)
    })
}
