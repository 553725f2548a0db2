//! A tournament's games on many machines, by NATS JetStream.
//!
//! The **head** is the machine of the tournament: it has the plan and the journal, and gives games out as **jobs**. A **worker**
//! takes one job at a time for each of its slots, fetches the bots by the hash of their contents, plays the games in the strict
//! sandbox, and answers with their lines for the journal. The NATS server keeps jobs and answers on its disk, and delivers a job
//! again if its worker says nothing for a while.
//!
//! - [`Head`] is a [`GamePool`](tournament::GamePool): one scheduler plays tournaments on threads and on a cluster.
//! - [`Worker`] plays jobs until it is asked to stop.
//! - [`Survey`] asks all workers how they are.
//!
//! Exactly one line of a game gets into the journal, however often a job is delivered: the head knows which job has which
//! games, drops answers to jobs that it does not wait for, and confirms an answer when its lines are in the journal.
//! docs/cluster.md is the page for users.
//!
//! The source has three layers (a test holds them): `wire/` has the connection and the messages of both sides; `head/` and `worker/` use it, and know nothing of each other.
//!
//! On a cluster the NATS server has the queue: jobs and answers are streams in which a message stays until it is confirmed,
//! so a job whose worker falls silent is delivered again. What makes a game count once is the head's list of jobs that it
//! waits for. It does not survive the head, which forgets its old jobs when it begins: the journal says what is left to play.

mod error;
mod head;
mod wire;
mod worker;

pub use error::ClusterError;
pub use head::pool::{AuditCounts, Head, HeadOptions, HeadReport};
pub use head::survey::{Queue, Survey, drain};
pub use head::worker_names::{ForgetError, forget};
pub use wire::configuration::configuration;
pub use wire::machine::machine_kind;
pub use wire::messages::{MachineState, RunningJob, WorkerState};
pub use wire::server_address::{Login, ServerAddress};
pub use wire::signing::{PublicKey, SecretKey};
pub use worker::options::{STUCK_AFTER, WorkerOptions};
pub use worker::run::{Worker, WorkerError, WorkerReport};
