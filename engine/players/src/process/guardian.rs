//! The guardian: a process that outlives the engine just long enough to end the bots that it left behind.
//!
//! Whatever kills the engine closes the guardian's standard input. If no farewell came before, the guardian ends every
//! process that bears the engine's mark and brings the files in the engine's journal to their place. It is in a group
//! of its own, so that Ctrl-C does not reach it.

use super::lineage;
use arena::ArenaError;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::fs;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The hidden first argument that makes a program with [`watch`] the guardian.
pub const ARGUMENT: &str = "__guardian";
const FAREWELL: &str = "farewell";
/// How often bots are looked for: each look can only find what those before it missed.
const LOOKS: u32 = 1000;

/// The engine's end of its guardian. Dropping it says farewell.
#[derive(Debug)]
pub struct Guardian {
    process: Child,
}

impl Guardian {
    /// Starts the guardian: `program` with [`ARGUMENT`], the engine's mark and, if there is one, its journal.
    pub fn start(program: &Path, journal: Option<&Path>) -> Result<Guardian, ArenaError> {
        let process = Command::new(program)
            .arg(ARGUMENT)
            .arg(lineage::run_mark())
            .args(journal)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::inherit())
            .process_group(0)
            .spawn()
            .map_err(|e| ArenaError::process("start", program.display().to_string(), e))?;
        Ok(Guardian { process })
    }
}

impl Drop for Guardian {
    fn drop(&mut self) {
        if let Some(mut end) = self.process.stdin.take() {
            // A guardian that is gone already needs no farewell.
            let _ = writeln!(end, "{FAREWELL}");
        }
        let _ = self.process.wait();
    }
}

/// What the guardian does: waits for the end of the engine with this mark.
pub fn watch(engine: impl BufRead, mark: &str, journal: Option<&Path>) -> Result<(), ArenaError> {
    let last = engine.lines().map_while(Result::ok).last();
    if last.as_deref() == Some(FAREWELL) {
        return Ok(());
    }
    end_all(mark).map_err(|e| ArenaError::disk("look through", "/proc", e))?;
    if let Some(journal) = journal.filter(|journal| journal.exists()) {
        arena::record::restore(journal)?;
    }
    Ok(())
}

/// Ends every process whose mark begins with `mark`.
fn end_all(mark: &str) -> io::Result<()> {
    for _ in 0..LOOKS {
        let mut found = false;
        for entry in fs::read_dir("/proc")? {
            let Some(pid) = entry?.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
            // Opened before its mark is read, so that both are of the same process.
            let process = Pid::from_raw(pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
            if let Some(process) = process
                && lineage::mark_of(pid).is_some_and(|of| of.starts_with(mark))
            {
                lineage::kill(&process);
                found = true;
            }
        }
        if !found {
            return Ok(());
        }
    }
    Ok(())
}
