//! The survey of a cluster: its workers and queues.

use crate::error::ClusterError;
use crate::wire::link::{Link, Role};
use crate::wire::messages::{self, HeadState, RunningJob, WorkerState};
use crate::wire::names;
use crate::wire::server_address::ServerAddress;
use crate::wire::signing::{PublicKey, SecretKey};
use crate::wire::version::version;
use arena::Interrupt;
use futures_util::StreamExt;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// The state of a cluster. Its texts can be shown: they have no control characters.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Survey {
    /// The version and rules of this program.
    pub engine: String,
    /// The workers, by name.
    pub workers: Vec<WorkerState>,
    /// The games of the heads that answer.
    pub queues: Vec<Queue>,
}

/// The games of a tournament that one kind of worker can play.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Queue {
    /// The name of the tournament's folder.
    pub tournament: String,
    /// The version and rules that a worker must have.
    pub engine: String,
    /// The languages and labels that a worker must have.
    pub needs: Vec<String>,
    /// The number of games that nobody has taken.
    pub waiting: u64,
    /// The number of games that workers play.
    pub running: u64,
    /// The number of games of both that another worker failed to play.
    pub again: u64,
}

/// The time in which workers answer.
const ANSWERS: Duration = Duration::from_millis(800);

impl Survey {
    /// Asks all workers and the server.
    ///
    /// # Errors
    /// There is no connection.
    pub fn take(server: &ServerAddress, interrupt: &Interrupt) -> Result<Survey, ClusterError> {
        let link = Link::connect(server, Role::Visitor, interrupt)?;
        let Heard { workers, queues } = Heard::of(&link)?;
        Ok(Survey {
            engine: version().to_owned(),
            workers: workers.into_values().collect(),
            queues: queues.into_values().flatten().collect(),
        })
    }
}

/// What heads and workers tell of themselves.
#[derive(Default)]
struct Heard {
    /// The states of all workers, by name.
    workers: BTreeMap<(String, PublicKey, String), WorkerState>,
    /// The games of heads, by tournament and run.
    queues: BTreeMap<(String, String), Vec<Queue>>,
}

impl Heard {
    /// Asks all.
    fn of(link: &Link) -> Result<Heard, ClusterError> {
        let mut heard = Heard::default();
        let (mut workers, mut heads) = (link.hear(names::STATES)?, link.hear(names::HEADS)?);
        link.tell(names::ASK, Vec::new())?;
        link.block_on(async {
            let until = tokio::time::Instant::now() + ANSWERS;
            loop {
                tokio::select! {
                    () = tokio::time::sleep_until(until) => return,
                    Some(message) = workers.next() => if let Ok((key, state)) = messages::read_state(&message.payload) {
                        let state = printable_state(state);
                        heard.workers.insert((state.name.clone(), key, state.id.clone()), state);
                    },
                    Some(message) = heads.next() => if let Ok((_, state)) = messages::read_head(&message.payload) {
                        heard.note_head(state);
                    },
                }
            }
        });
        link.check_rights()?;
        Ok(heard)
    }

    fn note_head(&mut self, state: HeadState) {
        let tournament = rules::printable(&state.tournament);
        let queues = state.queues.into_iter().filter(|_| !state.is_over).map(|(needs, counts)| Queue {
            tournament: tournament.clone(),
            engine: rules::printable(&state.engine),
            needs: names::texts_of_needs(&needs).iter().map(|need| rules::printable(need)).collect(),
            waiting: counts.waiting,
            running: counts.running,
            again: counts.again,
        });
        let queues = queues.collect();
        self.queues.insert((tournament, state.run), queues);
    }
}

/// The state with texts that may be shown: a worker tells them.
fn printable_state(state: WorkerState) -> WorkerState {
    let shown = |text: &String| rules::printable(text);
    let running = state.running.into_iter().map(|job| RunningJob {
        id: shown(&job.id),
        tournament: shown(&job.tournament),
        ..job
    });
    WorkerState {
        id: shown(&state.id),
        name: shown(&state.name),
        engine: shown(&state.engine),
        labels: state.labels.iter().map(shown).collect(),
        running: running.collect(),
        last_fault: state.last_fault.as_ref().map(shown),
        ..state
    }
}

/// Asks the workers of this name to finish their games and to end. They do so for heads whose keys they know.
///
/// # Errors
/// There is no connection, or no worker of this name.
pub fn drain(server: &ServerAddress, worker: &str, key: &SecretKey, interrupt: &Interrupt) -> Result<(), ClusterError> {
    let link = Link::connect(server, Role::Visitor, interrupt)?;
    let known: Vec<_> = Heard::of(&link)?.workers.into_values().collect();
    if !known.iter().any(|state| state.name == worker) {
        return Err(ClusterError::NoWorker(worker.to_owned(), known.into_iter().map(|state| state.name).collect()));
    }
    link.block_on(async {
        for state in known.iter().filter(|state| state.name == worker) {
            let asked = link.client.publish(names::DRAIN, messages::write_drain(&state.id, key).into()).await;
            asked.map_err(|e| ClusterError::server("ask a worker", e))?;
        }
        link.client.flush().await.map_err(|e| ClusterError::server("ask a worker", e))
    })
}
