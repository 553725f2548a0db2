//! The guardian's part: it outlives a killed engine, and ends the engine's bots.

use super::guardian_table;
use super::process_tree;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command};

/// Starts a guardian: in a process group of its own, so that Ctrl-C does not reach it, and with the table of the process groups of
/// all bots that run, and of all [notes](super::GuardianNote), in its standard output.
///
/// # Errors
/// The program cannot be started.
pub fn start_guardian(command: &mut Command) -> io::Result<Child> {
    let table = guardian_table::file()?.try_clone()?;
    let guardian = process_tree::start_other(command.stdout(table).process_group(0))?;
    process_tree::note_guardian(&guardian);
    Ok(guardian)
}

/// Gives this process another name: killing all programs of the engine's name must not kill the guardian.
pub fn become_guardian() {
    let _ = rustix::thread::set_name(c"guardian");
}

/// Ends the bots of an engine that is gone: every process group in the table in the standard output of its guardian, and every process
/// whose mark begins with `prefix`. Gives the paths of each note in the table.
///
/// # Errors
/// [`PROCESSES`](super::PROCESSES) cannot be read.
pub fn end_bots_of(prefix: &str) -> io::Result<Vec<Vec<PathBuf>>> {
    process_tree::end_bots_of(prefix, rustix::stdio::stdout())?;
    Ok(guardian_table::notes(rustix::stdio::stdout()))
}
