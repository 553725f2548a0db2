//! Errors of grading.

use crate::submitted::SubmittedError;
use arena::ArenaError;
use rule_files::RulesFileError;
use runner::RunnerError;
use std::io;
use std::path::PathBuf;

/// An error of grading.
#[derive(Debug, thiserror::Error)]
pub enum GradingError {
    /// A mistake in a plan.
    #[error("{}{}: {why}", path.display(), line.map(|line| format!(", line {line}")).unwrap_or_default())]
    Plan {
        /// The path of the plan.
        path: PathBuf,
        /// The line, counted from 1; `None` for the whole file.
        line: Option<usize>,
        /// The mistake in words.
        why: String,
    },
    /// A file or a folder cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A mistake in the rules that a plan names.
    #[error(transparent)]
    Rules(#[from] RulesFileError),
    /// An error of the folder of submissions, which cannot be read.
    #[error(transparent)]
    Submitted(#[from] SubmittedError),
    /// Submissions could not be judged, or games not played.
    #[error(transparent)]
    Runner(#[from] RunnerError),
}

impl From<ArenaError> for GradingError {
    fn from(error: ArenaError) -> GradingError {
        GradingError::Runner(error.into())
    }
}
