//! Why a server cannot begin or go on.

use arena::ArenaError;
use rules::SetupError;
use rules::salvo::BadLevel;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Why a server cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Another server is at work in the folder.
    #[error("another server is at work in {}", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// The journal cannot be used.
    #[error("{}, line {line}: {what}", path.display())]
    Journal {
        /// Where it is.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// A broker of our own cannot listen there.
    #[error("cannot listen at {address}: {source}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// There is no broker.
    #[error("{broker}: {source}")]
    Broker {
        /// Where it was to be.
        broker: String,
        /// What the system or the broker said.
        source: io::Error,
    },
    /// The prefix cannot be part of a topic.
    #[error(transparent)]
    Prefix(#[from] BadLevel),
    /// No match can be played with these settings.
    #[error(transparent)]
    Settings(#[from] SetupError),
    /// The disk failed, or something else that no player is to blame for.
    #[error(transparent)]
    Arena(#[from] ArenaError),
}
