//! The options of a worker.

use crate::wire::server_address::ServerAddress;
use crate::wire::signing::PublicKey;
use players::Tools;
use std::path::PathBuf;
use std::time::Duration;

/// Options of a worker.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// The NATS server.
    pub server: ServerAddress,
    /// The public keys of the heads for which it plays.
    pub heads: Vec<PublicKey>,
    /// The name, which no other worker should have.
    pub name: String,
    /// The kind of its machine, as [`machine_kind`](crate::wire::machine::machine_kind) tells it.
    pub machine: String,
    /// The number of games at the same time.
    pub slots: usize,
    /// Labels besides those of the languages that are found here.
    pub labels: Vec<String>,
    /// The programs that run bots.
    pub tools: Tools,
    /// The time after which a job goes to other workers although this one still plays it, if no game of it has ended meanwhile:
    /// [`STUCK_AFTER`] or another.
    pub stuck_after: Duration,
    /// The folder that keeps the worker's key and bots from one run to the next. Bots that nobody has used for thirty days are removed from it.
    pub cache: PathBuf,
}

/// The time after which a job in which no game ends goes to other workers: longer than any game whose bots have time limits.
pub const STUCK_AFTER: Duration = Duration::from_secs(2 * 3600);
