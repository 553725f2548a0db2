//! The workers that a head knows, by the states that they tell and sign.

use crate::error::ClusterError;
use crate::wire::link::Link;
use crate::wire::messages::{self, HeadState, WorkerState};
use crate::wire::names;
use crate::wire::signing::{PublicKey, SecretKey, claimed_signer};
use futures_util::StreamExt;
use platform::locks::lock;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The time after which a worker that tells nothing is not counted any more.
const SILENT: Duration = Duration::from_secs(10);

/// The time between two states of a head, and the time in which it tells one at most.
const TELL: Duration = Duration::from_secs(2);
const STEP: Duration = Duration::from_millis(100);
/// The most workers that are not listed and that a head tells of.
const MOST_UNLISTED: usize = 100;
/// The most workers that a head counts, and the most of one key.
const MOST_WORKERS: usize = 20_000;
const MOST_OF_KEY: usize = 100;

/// The last state of each worker by its key and its id, with the time at which it came.
#[derive(Default)]
pub(crate) struct Workers {
    pub(crate) states: BTreeMap<(PublicKey, String), (WorkerState, Instant)>,
    /// The ids of workers of another version that were reported.
    pub(crate) told_other: BTreeSet<String>,
    /// The names of workers whose keys are not listed, and whether they were reported.
    pub(crate) unlisted: BTreeMap<PublicKey, (String, bool)>,
}

impl Workers {
    /// Notes the state of a worker with this key; true if it is new.
    fn note(&mut self, key: PublicKey, state: WorkerState) -> bool {
        let worker = (key, state.id.clone());
        let is_new = !self.states.contains_key(&worker);
        if is_new {
            self.states.retain(|_, (_, at)| at.elapsed() < 6 * SILENT);
            let of_key = self.states.range((key, String::new())..).take_while(|((other, _), _)| *other == key).count();
            if self.states.len() >= MOST_WORKERS || of_key >= MOST_OF_KEY {
                return false;
            }
        }
        self.states.insert(worker, (state, Instant::now()));
        is_new
    }

    /// The number of games that workers with this key play at the same time, as they tell.
    pub(crate) fn slots_of(&self, key: PublicKey) -> usize {
        let of_key = self.states.range((key, String::new())..).take_while(|((other, _), _)| *other == key);
        of_key.filter(|(_, (_, at))| at.elapsed() < SILENT).map(|(_, (state, _))| state.slots).sum()
    }

    /// The times at which workers told at last that they play these jobs.
    pub(crate) fn heard_of_jobs(&self) -> BTreeMap<(PublicKey, String), Instant> {
        let mut heard = BTreeMap::new();
        for ((key, _), (state, at)) in &self.states {
            for job in &state.running {
                let last = heard.entry((*key, job.id.clone())).or_insert(*at);
                *last = (*last).max(*at);
            }
        }
        heard
    }

    /// True if there is such a worker with another key than these.
    pub(crate) fn has_others(&self, engine: &str, needs: &str, keys: &[PublicKey]) -> bool {
        self.able(engine, needs).any(|(key, _)| !keys.contains(key))
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

/// Hears what workers tell, and tells the state of the head, from now on: at once when somebody asks or a worker comes, and again
/// and again.
///
/// # Errors
/// The connection is closed.
pub(crate) fn begin_telling(
    link: &Link,
    workers: &Arc<Mutex<Workers>>,
    listed: &[PublicKey],
    (state, key): (&Arc<Mutex<HeadState>>, &SecretKey),
) -> Result<(), ClusterError> {
    let (mut states, mut asked) = (link.hear(names::STATES)?, link.hear(names::ASK)?);
    let (client, workers, listed) = (link.client.clone(), Arc::clone(workers), listed.to_vec());
    let (state, key) = (Arc::clone(state), key.clone());
    link.spawn(async move {
        let mut tick = tokio::time::interval(STEP);
        // Many workers may come at the same time.
        let (mut told, mut is_due): (Option<Instant>, _) = (None, true);
        loop {
            tokio::select! {
                _ = tick.tick() => is_due |= told.is_none_or(|at| at.elapsed() >= TELL),
                Some(_) = asked.next() => is_due = true,
                Some(message) = states.next() => is_due |= take_state(&message.payload, &workers, &listed),
            }
            if is_due && told.is_none_or(|at| at.elapsed() >= STEP) {
                (told, is_due) = (Some(Instant::now()), false);
                let now = messages::write_head(&lock(&state), &key);
                let _ = client.publish(names::HEADS, now.into()).await;
            }
        }
    });
    link.tell(names::ASK, Vec::new())
}

/// Notes the state of a worker; true if the worker is new. Of those that are not listed, only the first state of a key is read.
fn take_state(message: &[u8], workers: &Mutex<Workers>, listed: &[PublicKey]) -> bool {
    let Some(claimed) = claimed_signer(message) else { return false };
    if is_listed(&claimed, listed) {
        return messages::read_state(message).is_ok_and(|(key, state)| lock(workers).note(key, state));
    }
    let is_new = {
        let unlisted = &lock(workers).unlisted;
        unlisted.len() < MOST_UNLISTED && !unlisted.contains_key(&claimed)
    };
    if is_new && let Ok((key, state)) = messages::read_state(message) {
        lock(workers).unlisted.insert(key, (state.name, false));
    }
    false
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
        (0..2 * MOST_OF_KEY).for_each(|number| _ = workers.note(liar, state(&number.to_string(), liar, false)));
        assert_eq!(workers.states.len(), MOST_OF_KEY);
        assert!(workers.note(honest, state("id", honest, false)));
        workers.note(liar, state("id", liar, true));
        let able = |workers: &Workers| workers.able("engine", "-").any(|(key, _)| *key == honest);
        assert!(able(&workers));
        assert!(!workers.note(honest, state("id", honest, true)));
        assert!(!able(&workers));
    }
}
