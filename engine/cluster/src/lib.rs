//! A tournament's games on many machines, by a NATS server.
//!
//! The **head** is the machine of the tournament: it has the plan and the journal, and gives games out as **jobs**. A **worker**
//! asks for one job at a time for each of its slots, fetches the bots by the hash of their contents, plays the games in the strict
//! sandbox, and answers with their lines for the journal. The NATS server carries messages between them, and keeps none.
//!
//! - [`Head`] is a [`GamePool`](tournament::GamePool): one scheduler plays tournaments on threads and on a cluster.
//! - [`Worker`] plays jobs until it is asked to stop.
//! - [`Survey`] asks all heads and workers how they are.
//!
//! Exactly one line of a game gets into the journal: the head knows which worker has which games, and takes one answer for each, from
//! that worker. It does not keep what it knows: when it is started again, the journal says what is left to play. docs/cluster.md is the
//! page for users.
//!
//! Workers trust no message but those that a head signs, and heads trust none at all: whatever a worker sends is signed by its key, can
//! end games only that this key was given, and is checked by the rules. So a worker can lie about its own games, and do nothing to those
//! of others.
//!
//! The source has three layers (a test holds them): `wire/` has the connection and the messages of both sides; `head/` and `worker/`
//! use it, and know nothing of each other.

mod error;
mod head;
mod wire;
mod worker;

pub use error::ClusterError;
pub use head::pool::{AuditCounts, Head, HeadOptions, HeadReport};
pub use head::survey::{Queue, Survey, drain};
pub use wire::configuration::configuration;
pub use wire::machine::machine_kind;
pub use wire::messages::{MachineState, RunningJob, WorkerState};
pub use wire::server_address::{Login, ServerAddress};
pub use wire::signing::{PublicKey, SecretKey};
pub use worker::options::{STUCK_AFTER, WorkerOptions};
pub use worker::run::{Worker, WorkerError, WorkerReport};
