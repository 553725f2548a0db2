//! The errors of a server.

use arena::ArenaError;
use rules::SetupError;
use rules::salvo::BadLevel;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// The reason why a server cannot start or go on.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The journal cannot be read.
    #[error("{}, line {line}: {what}", path.display())]
    Journal {
        /// The path of the journal.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The mistake in the line.
        what: String,
    },
    /// The embedded broker cannot listen at the address: choose another port.
    #[error("cannot listen at {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        source: io::Error,
    },
    /// The external broker cannot be reached, or refuses the server.
    #[error("{broker}: {source}")]
    Broker {
        /// The broker's URL.
        broker: String,
        /// The answer of the system or the broker.
        source: io::Error,
    },
    /// The prefix of topics is not one level of a topic.
    #[error(transparent)]
    Prefix(#[from] BadLevel),
    /// The rules refuse the settings of matches.
    #[error(transparent)]
    Settings(#[from] SetupError),
    /// The engine failed, for example because the disk is full or another program uses the folder. No team is to blame.
    #[error(transparent)]
    Arena(#[from] ArenaError),
}
