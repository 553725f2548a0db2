//! The beginning of a head: what it finds out about the bots of its tournament before workers play them.

use crate::error::ClusterError;
use arena::{ArenaError, Interrupt};
use runner::{BotOptions, Context, Program, RunnerError, Silent, TEMPLATES};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// True if the program of the bot in this folder can be started on this machine.
pub(crate) fn starts(folder: &Path, bots: &BotOptions, interrupt: &Interrupt) -> Result<bool, ClusterError> {
    let context = Context { interrupt: interrupt.clone(), reporter: Arc::new(Silent) };
    let failure = Program::start_failure(folder, Vec::new(), bots, &context).map_err(|error| match error {
        RunnerError::Arena(ArenaError::Interrupted) => ClusterError::Interrupted,
        error => ClusterError::Opening(runner::with_causes(&error)),
    })?;
    Ok(failure.is_none())
}

/// The folder of an entrant as it was when it entered the tournament in `folder`.
pub(crate) fn template(folder: &Path, entrant: usize) -> PathBuf {
    folder.join(TEMPLATES).join(entrant.to_string())
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
