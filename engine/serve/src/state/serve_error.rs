//! Errors at the start of a server.

use arena::ArenaError;
use std::path::PathBuf;

/// The reason why a server cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A line of the journal cannot be read, or cannot follow the lines before it. The file was changed or damaged.
    #[error("{}: line {line}: {what}", path.display())]
    Journal {
        /// The path of the journal.
        path: PathBuf,
        /// The number of the line, counted from 1.
        line: usize,
        /// The problem with the line.
        what: String,
    },
    /// The first lines of the journal cannot be written.
    #[error("the journal cannot be written: {0}")]
    Begin(String),
    /// The index cannot be made. Its file may be removed: the next start makes it again from the journal.
    #[error("{}: {source}", path.display())]
    Index {
        /// The path of the index.
        path: PathBuf,
        /// The error of SQLite.
        source: rusqlite::Error,
    },
    /// The address is in use or not allowed. Port 0 takes any free port.
    #[error("cannot listen on {address}: {source}")]
    Address {
        /// The address.
        address: std::net::SocketAddr,
        /// The system's error.
        source: std::io::Error,
    },
    /// Other machines could reach the server, and the administrator has no password, or a short one. Give one, or listen on
    /// 127.0.0.1.
    #[error("other machines can reach {address}, and the administrator has no password of 8 letters or more")]
    NoPassword {
        /// The address.
        address: std::net::SocketAddr,
    },
    /// A contest cannot have these settings.
    #[error("the contest {contest}: {why}")]
    Contest {
        /// Its name.
        contest: String,
        /// The reason.
        why: String,
    },
    /// A setting is out of its range.
    #[error("{0}")]
    Settings(String),
    /// The disk or the system failed.
    #[error(transparent)]
    Engine(#[from] ArenaError),
}
