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
//! On a cluster the NATS server has the queue: jobs and answers are streams in which a message stays until it is confirmed,
//! so a job whose worker falls silent is delivered again. What makes a game count once is the head's list of jobs that it
//! waits for. It does not survive the head, which forgets its old jobs when it begins: the journal says what is left to play.

mod answer_check;
mod archive;
mod bot_cache;
mod configuration;
mod engine;
mod error;
mod head;
mod head_start;
mod job_play;
mod job_queue;
mod job_source;
mod known_workers;
mod link;
mod machine;
mod messages;
mod names;
mod objects;
mod opened;
mod server;
mod status;
mod tournaments;
mod worker;
mod worker_state;

pub use configuration::configuration;
pub use error::ClusterError;
pub use head::{Head, HeadOptions, HeadReport};
pub use machine::machine_kind;
pub use messages::{MachineState, RunningJob, WorkerState};
pub use server::{Login, Server};
pub use status::{Queue, Survey, drain};
pub use worker::{STUCK_AFTER, Worker, WorkerError, WorkerOptions, WorkerReport};
