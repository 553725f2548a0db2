//! The workers that a head knows, by the states that they tell and sign.

use crate::error::ClusterError;
use crate::wire::link::{Link, text};
use crate::wire::messages::{self, WorkerState};
use crate::wire::names;
use crate::wire::signing::PublicKey;
use futures_util::StreamExt;
use platform::locks::lock;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The time after which a worker that tells nothing is not counted any more.
const SILENT: Duration = Duration::from_secs(10);

/// The most workers that a head counts, and the most of one key.
const MOST_WORKERS: usize = 20_000;
const MOST_OF_KEY: usize = 100;

/// The last state of each worker by its key and its id, with the time at which it came.
#[derive(Default)]
pub(crate) struct Workers {
    pub(crate) states: BTreeMap<(PublicKey, String), (WorkerState, Instant)>,
    /// The ids of workers of another version that were reported.
    pub(crate) told_other: BTreeSet<String>,
}

impl Workers {
    /// Notes the state of a worker with this key.
    fn note(&mut self, key: PublicKey, state: WorkerState) {
        let worker = (key, state.id.clone());
        if !self.states.contains_key(&worker) {
            self.states.retain(|_, (_, at)| at.elapsed() < 6 * SILENT);
            let of_key = self.states.range((key, String::new())..).take_while(|((other, _), _)| *other == key).count();
            if self.states.len() >= MOST_WORKERS || of_key >= MOST_OF_KEY {
                return;
            }
        }
        self.states.insert(worker, (state, Instant::now()));
    }

    /// The workers of this engine that can play games with these needs now, each with its key.
    pub(crate) fn able(&self, engine: &str, needs: &str) -> impl Iterator<Item = (&PublicKey, &WorkerState)> {
        self.states.iter().filter_map(move |((key, _), (state, at))| {
            let is_fresh = at.elapsed() < SILENT && state.engine == engine && !state.is_draining;
            (is_fresh && names::has(&state.labels, needs)).then_some((key, state))
        })
    }
}

/// True if the results of the worker with this key count: that of each, if no keys are listed.
pub(crate) fn is_listed(key: &PublicKey, listed: &[PublicKey]) -> bool {
    listed.is_empty() || listed.contains(key)
}

/// Notes what workers with these keys tell, from now on; they are asked at once. Without keys it is each worker.
pub(crate) fn watch_workers(
    link: &Link,
    workers: &Arc<Mutex<Workers>>,
    listed: &[PublicKey],
) -> Result<(), ClusterError> {
    let client = link.client.clone();
    let mut states = link.wait("hear workers", async || client.subscribe(names::STATES).await.map_err(text))?;
    let (workers, listed) = (Arc::clone(workers), listed.to_vec());
    link.spawn(async move {
        while let Some(message) = states.next().await {
            match messages::read_state(&message.payload) {
                Ok((key, state)) if is_listed(&key, &listed) => lock(&workers).note(key, state),
                _ => {}
            }
        }
    });
    let asked = link.client.clone();
    link.wait("ask workers", async || {
        asked.publish_with_reply(names::ASK, names::STATES, Vec::new().into()).await.map_err(text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::messages::MachineState;
    use crate::wire::signing::SecretKey;

    fn state(id: &str, key: PublicKey, is_draining: bool) -> WorkerState {
        WorkerState {
            id: id.to_owned(),
            name: "name".to_owned(),
            key: key.to_string(),
            engine: "engine".to_owned(),
            slots: 1,
            labels: Vec::new(),
            machine: MachineState { processors: 1, speed: 1.0, lag_ms: 0.0 },
            running: Vec::new(),
            games: 0,
            games_per_second: 0.0,
            last_fault: None,
            is_draining,
        }
    }

    #[test]
    fn a_worker_changes_its_own_state_only_and_leaves_room_for_others() {
        let [honest, liar] = [(); 2].map(|()| SecretKey::drawn().public());
        let mut workers = Workers::default();
        (0..2 * MOST_OF_KEY).for_each(|number| workers.note(liar, state(&number.to_string(), liar, false)));
        assert_eq!(workers.states.len(), MOST_OF_KEY);
        workers.note(honest, state("id", honest, false));
        workers.note(liar, state("id", liar, true));
        let able = |workers: &Workers| workers.able("engine", "-").any(|(key, _)| *key == honest);
        assert!(able(&workers));
        workers.note(honest, state("id", honest, true));
        assert!(!able(&workers));
    }
}
