//! The guardian's part: it outlives a killed engine, and ends the engine's bots.

use super::guardian_table;
use super::process_tree;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// Starts a guardian, which is this program with these arguments: in a process group of its own, so that Ctrl-C does not reach it, and
/// with the table of the process groups of all bots that run, and of all [notes](super::GuardianNote), in its standard output. Its
/// standard input is closed when this process ends.
///
/// # Errors
/// The program cannot be started.
pub fn start_guardian(arguments: [&str; 2]) -> io::Result<Child> {
    // The same program, even if its file was replaced or removed.
    let mut command = Command::new("/proc/self/exe");
    command.args(arguments).current_dir("/").stdin(Stdio::piped()).stdout(guardian_table::file()?.try_clone()?);
    let guardian = process_tree::start_other(command.process_group(0))?;
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
