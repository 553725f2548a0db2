//! Failures of the engine itself. They end a match without a winner and are never charged to a player.

use crate::JournalError;
use crate::record::RecordError;
use std::io;
use std::path::{Path, PathBuf};

/// What the engine could not do.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// Something on the disk failed.
    #[error("cannot {doing} {}", path.display())]
    Disk {
        /// What was tried, e.g. `write`.
        doing: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system would not start or watch a process.
    #[error("cannot {doing} a process for {program}")]
    Process {
        /// What was tried, e.g. `start`.
        doing: &'static str,
        /// The program it was for.
        program: String,
        /// What the system said.
        source: io::Error,
    },
    /// The system gave no socket, thread or the like for a call to a bot.
    #[error("cannot {doing} to call {address}")]
    Network {
        /// What was tried, e.g. `open a socket`.
        doing: &'static str,
        /// Who was to be called.
        address: String,
        /// What the system said.
        source: io::Error,
    },
    /// A person's terminal failed.
    #[error("cannot {doing} the console")]
    Console {
        /// What was tried, e.g. `read from`.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// A record cannot be used, or is not what it says.
    #[error("{}: {source}", path.display())]
    Record {
        /// Where it was read from.
        path: PathBuf,
        /// What is wrong with it.
        source: RecordError,
    },
    /// A journal cannot be used.
    #[error("{}: {source}", path.display())]
    Journal {
        /// The path of the journal.
        path: PathBuf,
        /// The reason.
        source: JournalError,
    },
    /// Somebody asked the match to stop.
    #[error("interrupted")]
    Interrupted,
}

impl ArenaError {
    /// For a failure of `doing` something to `path`.
    pub fn disk(doing: &'static str, path: impl AsRef<Path>, source: impl Into<io::Error>) -> ArenaError {
        ArenaError::Disk { doing, path: path.as_ref().to_owned(), source: source.into() }
    }

    /// For a failure of `doing` something with a process for `program`.
    pub fn process(doing: &'static str, program: impl Into<String>, source: impl Into<io::Error>) -> ArenaError {
        ArenaError::Process { doing, program: program.into(), source: source.into() }
    }
}
