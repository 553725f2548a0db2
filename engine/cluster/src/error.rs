//! Failures of the connection to a NATS server, and of messages and files from there.

use crate::wire::signing::PublicKey;
use std::io;
use std::path::PathBuf;

/// A failure of a cluster.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// This address, told without a password, cannot be that of a NATS server, for this reason.
    #[error("{0} is not the address of a NATS server: {1}")]
    Address(String, String),
    /// This file of the login cannot be read or used, for this reason.
    #[error("cannot use {} to log in: {}", .0.display(), .1)]
    Login(PathBuf, String),
    /// Nobody answers at the address, or the server refuses the login.
    #[error("cannot connect to {address}: {why}")]
    Connect {
        /// The address, without a password.
        address: String,
        /// The reason.
        why: String,
        /// True if the server is there and refuses the login.
        is_refused: bool,
    },
    /// The server does not do this, told as a verb with its object, for this reason.
    #[error("the NATS server cannot {0}: {1}")]
    Server(&'static str, String),
    /// The login lacks a right, in the words of the server.
    #[error("the login lacks a right on the NATS server: {0}")]
    Rights(String),
    /// The head of a job has ended.
    #[error("the head of a job has ended: its games are played again when the tournament goes on")]
    HeadEnded,
    /// The server takes no message of this length.
    #[error("an answer is longer than the NATS server takes (max_payload)")]
    TooLong,
    /// The head does not list the key of this worker, which is this one.
    #[error("a head takes no results of this worker: its --worker-keys does not list the key {0}")]
    Unlisted(PublicKey),
    /// A message of this kind, told with its article, cannot be read, for this reason.
    #[error("{0} from the NATS server cannot be read: {1}")]
    Message(&'static str, String),
    /// An archive from the server, of this kind of contents, is refused, for this reason.
    #[error("an archive of {0} is refused: {1}")]
    Archive(&'static str, String),
    /// An object from the server, of this kind of contents, is not the one whose SHA-256 its name tells; the found one is this.
    #[error("{0} from the NATS server cannot be used: somebody has changed it, its SHA-256 is {1}")]
    Changed(&'static str, String),
    /// A head with this key has jobs, and the worker does not play for it.
    #[error("jobs of a head are refused: it has the key {0}, which no --head of this worker names")]
    Stranger(PublicKey),
    /// This text, or the file of this path, is not a key.
    #[error("{0} is not a key of 64 hexadecimal digits, as `broadside cluster key` prints it")]
    Key(String),
    /// The folder of a tournament cannot be read or written.
    #[error(transparent)]
    Folder(#[from] arena::ArenaError),
    /// The entrant of this name cannot be sent to other machines, for this reason.
    #[error("{0} cannot play on other machines: {1}")]
    Entrant(String, String),
    /// No worker has this name; those that answer have these names.
    #[error("there is no worker {}: {}", .0, if .1.is_empty() { "none answers".to_owned() } else { format!("there are {}", rules::printable(&.1.join(", "))) })]
    NoWorker(String, Vec<String>),
    /// The entrant of this name cannot be played on this machine, for this reason.
    #[error("{0} cannot be played on this machine: {1}")]
    Refused(String, String),
    /// The bots of a tournament cannot be made ready on this machine.
    #[error("cannot make the bots of a tournament ready: {0}")]
    Opening(String),
    /// The disk failed.
    #[error("cannot {doing} {}", path.display())]
    Disk {
        /// The action that failed, as a verb.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The runtime of the connection cannot be started.
    #[error("cannot start the threads of the connection")]
    Threads(#[source] io::Error),
    /// Somebody asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl ClusterError {
    /// A failure of `doing` something to `path`.
    pub(crate) fn disk(doing: &'static str, path: &std::path::Path, source: impl Into<io::Error>) -> ClusterError {
        ClusterError::Disk { doing, path: path.to_owned(), source: source.into() }
    }

    /// A failure of the server at something.
    pub(crate) fn server(doing: &'static str, why: impl ToString) -> ClusterError {
        ClusterError::Server(doing, why.to_string())
    }
}
