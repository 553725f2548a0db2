//! The survey of a cluster: its workers and queues.

use crate::error::ClusterError;
use crate::wire::link::{Link, Role, text};
use crate::wire::messages::{self, RunningJob, WorkerState};
use crate::wire::names;
use crate::wire::server_address::ServerAddress;
use crate::wire::signing::SecretKey;
use crate::wire::version::version;
use arena::Interrupt;
use async_nats::jetstream::consumer::pull;
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
    /// The queues.
    pub queues: Vec<Queue>,
    /// The number of answers that no head has taken yet.
    pub answers: u64,
}

/// The jobs for one kind of worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Queue {
    /// The version and rules that a worker must have.
    pub engine: String,
    /// The languages and labels that a worker must have.
    pub needs: Vec<String>,
    /// The number of jobs that nobody has taken.
    pub waiting: u64,
    /// The number of jobs that workers play.
    pub running: u64,
    /// The number of jobs that were delivered more than once.
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
        let workers = workers(&link)?;
        let queues = queues(&link)?;
        let answers = link.stream(names::ANSWERS)?;
        let answers = link.wait("count answers", async || answers.get_info().await.map_err(text))?.state.messages;
        Ok(Survey { engine: version().to_owned(), workers, queues, answers })
    }
}

/// The states of all workers, by name.
fn workers(link: &Link) -> Result<Vec<WorkerState>, ClusterError> {
    let mut workers = BTreeMap::new();
    let client = &link.client;
    let mut heard = link.wait("hear workers", async || client.subscribe(names::STATES).await.map_err(text))?;
    link.block_on(async {
        let asked = client.publish_with_reply(names::ASK, names::STATES, Vec::new().into()).await;
        asked.map_err(|e| ClusterError::server("ask workers", e))?;
        let until = tokio::time::Instant::now() + ANSWERS;
        while let Ok(Some(message)) = tokio::time::timeout_at(until, heard.next()).await {
            if let Ok((key, state)) = messages::read_state(&message.payload) {
                let state = printable_state(state);
                workers.insert((state.name.clone(), key, state.id.clone()), state);
            }
        }
        Ok::<_, ClusterError>(())
    })?;
    Ok(workers.into_values().collect())
}

/// The state with texts that may be shown: a worker tells them.
fn printable_state(state: WorkerState) -> WorkerState {
    let shown = |text: &String| rules::printable(text);
    let running = state.running.into_iter().map(|job| RunningJob { tournament: shown(&job.tournament), ..job });
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

fn queues(link: &Link) -> Result<Vec<Queue>, ClusterError> {
    let Some((stream, all)) = link.queues()? else { return Ok(Vec::new()) };
    let mut queues = Vec::new();
    for name in all {
        let Some((engine, needs)) = names::of_consumer(&name) else { continue };
        let info = link.wait("count jobs", async || {
            let consumer = stream.get_consumer::<pull::Config>(&name).await.map_err(text)?;
            Ok(consumer.cached_info().clone())
        })?;
        let needs = names::texts_of_needs(&names::whole_needs(needs, info.config.description.as_deref()));
        queues.push(Queue {
            engine: rules::printable(&names::text_of(engine)),
            needs: needs.iter().map(|need| rules::printable(need)).collect(),
            waiting: info.num_pending,
            running: info.num_ack_pending as u64,
            again: info.num_redelivered as u64,
        });
    }
    Ok(queues)
}

/// Asks the workers of this name to finish their games and to end. They do so for heads whose keys they know.
///
/// # Errors
/// There is no connection, or no worker of this name.
pub fn drain(server: &ServerAddress, worker: &str, key: &SecretKey, interrupt: &Interrupt) -> Result<(), ClusterError> {
    let link = Link::connect(server, Role::Visitor, interrupt)?;
    let known = workers(&link)?;
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
