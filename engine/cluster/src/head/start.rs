//! The beginning of a head: what it finds out about the bots of its tournament before workers play them.

use crate::error::ClusterError;
use arena::{ArenaError, Interrupt};
use runner::{BotOptions, Context, Program, RunnerError, Silent};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// True if the program of the bot in this folder can be started on this machine, where it cannot read the `closed` folders.
pub(crate) fn starts(
    folder: &Path,
    closed: &[PathBuf],
    bots: &BotOptions,
    interrupt: &Interrupt,
) -> Result<bool, ClusterError> {
    let context = Context { interrupt: interrupt.clone(), reporter: Arc::new(Silent) };
    let failure = Program::start_failure(folder, closed.to_vec(), bots, &context).map_err(|error| match error {
        RunnerError::Arena(ArenaError::Interrupted) => ClusterError::Interrupted,
        error => ClusterError::Opening(runner::with_causes(&error)),
    })?;
    Ok(failure.is_none())
}

/// The beginning of the names of folders for files of games whose results have not come.
const UPLOADS: &str = ".uploads-";

/// A new folder for such files, in that of the tournament. Those of heads that were killed are removed: only one plays it.
pub(crate) fn uploads(folder: &Path) -> Result<TempDir, ClusterError> {
    for entry in fs::read_dir(folder).map_err(|e| ClusterError::disk("read", folder, e))?.flatten() {
        if entry.file_name().to_string_lossy().starts_with(UPLOADS) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    let made = tempfile::Builder::new().prefix(UPLOADS).tempdir_in(folder);
    made.map_err(|e| ClusterError::disk("make a folder in", folder, e))
}
