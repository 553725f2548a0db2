//! Failures of the connection to a NATS server, and of messages and files from there.

use std::io;
use std::path::PathBuf;

/// A failure of a cluster.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The address cannot be that of a NATS server.
    #[error("{address} is not the address of a NATS server: {why}")]
    Address {
        /// The address that was given, without a password.
        address: String,
        /// The reason.
        why: String,
    },
    /// A file of the login cannot be read or used.
    #[error("cannot use {} to log in: {why}", path.display())]
    Login {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
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
    /// The server does not do what it was asked for.
    #[error("the NATS server cannot {doing}: {why}")]
    Server {
        /// The action that failed, as a verb with its object.
        doing: &'static str,
        /// The reason.
        why: String,
    },
    /// The server has no JetStream.
    #[error("the NATS server keeps nothing: it was started without JetStream")]
    NoJetStream,
    /// The server has forgotten what it was to keep.
    #[error("the NATS server has lost its streams: was it started without its old store? The same command goes on")]
    Forgotten,
    /// The server takes no message of this length.
    #[error("an answer is longer than the NATS server takes (max_payload)")]
    TooLong,
    /// A message cannot be read.
    #[error("{kind} from the NATS server cannot be read: {why}")]
    Message {
        /// The kind of message, with its article.
        kind: &'static str,
        /// The reason.
        why: String,
    },
    /// An archive from the server has something in it that it must not have.
    #[error("an archive of {kind} is refused: {why}")]
    Archive {
        /// The kind of contents that it should have.
        kind: &'static str,
        /// The reason.
        why: String,
    },
    /// An entrant cannot be sent to other machines.
    #[error("{entrant} cannot play on other machines: {why}")]
    Entrant {
        /// The name of the entrant.
        entrant: String,
        /// The reason.
        why: String,
    },
    /// No worker has the name that was given.
    #[error("there is no worker {worker}: {}", if known.is_empty() { "none answers".to_owned() } else { format!("there are {}", rules::printable(&known.join(", "))) })]
    NoWorker {
        /// The name.
        worker: String,
        /// The names of the workers that answer.
        known: Vec<String>,
    },
    /// An entrant cannot be played on this machine.
    #[error("{entrant} cannot be played on this machine: {why}")]
    Refused {
        /// The name of the entrant.
        entrant: String,
        /// The reason.
        why: String,
    },
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
        ClusterError::Server { doing, why: why.to_string() }
    }
}
