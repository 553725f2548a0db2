//! The guardian's part: it outlives a killed engine, and ends the engine's bots.

use super::process_tree;
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

/// The place where the system lists its processes, for messages.
pub const PROCESSES: &str = "/proc";
/// Number of scans of all processes: a scan can miss processes that are started meanwhile.
const MAX_SCANS: u32 = 1000;

/// Starts a guardian: in a process group of its own, so that Ctrl-C does not reach it, and with the numbers of the process
/// groups of all bots that run in its standard output, a file in memory.
///
/// # Errors
/// The program cannot be started.
pub fn start_guardian(command: &mut Command) -> io::Result<Child> {
    let guardian = process_tree::start_other(command.stdout(process_tree::table()?).process_group(0))?;
    process_tree::note_guardian(&guardian);
    Ok(guardian)
}

/// Gives this process another name: killing all programs of the engine's name must not kill the guardian.
pub fn become_guardian() {
    let _ = rustix::thread::set_name(c"guardian");
}

/// Ends the process groups that are in the standard output of a guardian, and every process whose mark begins with `mark`.
///
/// # Errors
/// [`PROCESSES`] cannot be read.
pub fn end_marked(mark: &str) -> io::Result<()> {
    process_tree::end_groups(rustix::stdio::stdout());
    end_all(mark)
}

/// Ends every process whose mark begins with `mark`.
fn end_all(mark: &str) -> io::Result<()> {
    for _ in 0..MAX_SCANS {
        let mut found = false;
        for entry in fs::read_dir(PROCESSES)? {
            let Some(pid) = entry?.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
            // Opened before the mark is read, so that both belong to the same process.
            if let Some(process) = process_tree::open(pid)
                && process_tree::mark_of(pid).is_some_and(|of| of.starts_with(mark))
            {
                process_tree::kill(&process);
                found = true;
            }
        }
        if !found {
            return Ok(());
        }
    }
    Ok(())
}
