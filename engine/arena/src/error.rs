//! Failures of the engine itself. They end a match without a winner and are never charged to a player.

use crate::record::RecordError;
use std::io;
use std::path::{Path, PathBuf};

/// A failure of the engine.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// Something on the disk failed.
    #[error("cannot {doing} {}", path.display())]
    Disk {
        /// The action that failed, as a verb such as `write` or `open a socket`.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The system would not start or watch a process.
    #[error("cannot {doing} a process for {program}")]
    Process {
        /// The action that failed, as a verb such as `write` or `open a socket`.
        doing: &'static str,
        /// The program that the process was for.
        program: String,
        /// The system's error.
        source: io::Error,
    },
    /// The system gave no socket, thread or the like for a call to a bot.
    #[error("cannot {doing} to call {address}")]
    Network {
        /// The action that failed, as a verb such as `write` or `open a socket`.
        doing: &'static str,
        /// The address that was to be called.
        address: String,
        /// The system's error.
        source: io::Error,
    },
    /// A person's terminal failed.
    #[error("cannot {doing} the console")]
    Console {
        /// The action that failed, as a verb such as `write` or `open a socket`.
        doing: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// A record cannot be used, or is not what it says.
    #[error("{}: {source}", path.display())]
    Record {
        /// The path of the record.
        path: PathBuf,
        /// The reason.
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
    /// Another machine failed, in its words.
    #[error("{0}")]
    Elsewhere(String),
    /// Somebody asked the match to stop.
    #[error("interrupted")]
    Interrupted,
}

impl ArenaError {
    /// A failure of `doing` something to `path`.
    pub fn disk(doing: &'static str, path: impl AsRef<Path>, source: impl Into<io::Error>) -> ArenaError {
        ArenaError::Disk { doing, path: path.as_ref().to_owned(), source: source.into() }
    }

    /// A failure of `doing` something with a process for `program`.
    pub fn process(doing: &'static str, program: impl Into<String>, source: impl Into<io::Error>) -> ArenaError {
        ArenaError::Process { doing, program: program.into(), source: source.into() }
    }
}

impl RecordError {
    /// The error with the path of the record.
    pub fn of(self, path: &Path) -> ArenaError {
        ArenaError::Record { path: path.to_owned(), source: self }
    }
}

/// The reason why a journal cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JournalError {
    /// Another program keeps a journal in this folder: the program, as in `broadside serve (process 4711, since …)`. The path of
    /// the error is the folder's.
    #[error("{0} uses this folder")]
    Locked(String),
    /// The file is something else.
    #[error("this is not a {0}: its first line is not that of a journal")]
    Foreign(&'static str),
    /// A newer program wrote it.
    #[error("its format is version {version}, and this program knows versions up to {known}")]
    Newer {
        /// The version of the file.
        version: u32,
        /// The newest version that this program reads.
        known: u32,
    },
    /// A line, by its number counted from 1, has this fault.
    #[error("line {0}: {1}")]
    Line(usize, String),
    /// A line that was to be written is longer than lines may be.
    #[error("a line of {bytes} bytes is longer than a journal takes ({most} bytes)")]
    TooLong {
        /// The length of the line, in bytes.
        bytes: usize,
        /// The longest that is written, in bytes.
        most: usize,
    },
}

impl JournalError {
    /// The error with the path of the journal.
    pub fn of(self, path: &Path) -> ArenaError {
        ArenaError::Journal { path: path.to_owned(), source: self }
    }
}
