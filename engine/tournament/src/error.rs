//! Failures of a tournament: its journal cannot be used, or the engine failed.

use crate::JournalError;
use arena::ArenaError;
use std::path::PathBuf;

/// A failure that ends a tournament. Games that are in the journal by then count; the same tournament can go on later.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// The journal cannot be used.
    #[error("{}: {source}", path.display())]
    Journal {
        /// The path of the journal.
        path: PathBuf,
        /// The reason.
        source: JournalError,
    },
    /// The engine failed: a disk, a thread.
    #[error(transparent)]
    Arena(#[from] ArenaError),
}
