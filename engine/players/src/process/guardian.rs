//! The guardian: a process that outlives the engine just long enough to end the bots that it left behind.
//!
//! Whatever kills the engine closes the guardian's standard input. Then the guardian ends every process that bears the
//! engine's mark, brings the files in the engine's journal to their place and removes its scratch folder. An engine that
//! ends in good order ends its guardian first. The guardian is in a group of its own, so that Ctrl-C does not reach it.

use super::lineage;
use arena::ArenaError;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The hidden first argument that makes a program with [`watch`] the guardian.
pub const ARGUMENT: &str = "__guardian";
/// How often bots are looked for: each look can only find what those before it missed.
const LOOKS: u32 = 1000;

/// What the guardian does when the engine has died, besides ending its bots.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Care {
    /// The journal whose files are brought to their place.
    pub journal: Option<PathBuf>,
    /// The folder that is removed.
    pub scratch: Option<PathBuf>,
}

impl Care {
    const JOURNAL: &str = "journal";
    const SCRATCH: &str = "scratch";

    fn arguments(&self) -> Vec<&OsStr> {
        let named = [(Self::JOURNAL, &self.journal), (Self::SCRATCH, &self.scratch)];
        let pairs = named.into_iter().filter_map(|(name, path)| Some([name.as_ref(), path.as_ref()?.as_os_str()]));
        pairs.flatten().collect()
    }

    /// Out of the arguments after the mark.
    pub fn from_arguments(mut arguments: impl Iterator<Item = OsString>) -> Care {
        let mut care = Care::default();
        while let (Some(name), Some(path)) = (arguments.next(), arguments.next()) {
            match name.to_str() {
                Some(Self::JOURNAL) => care.journal = Some(path.into()),
                Some(Self::SCRATCH) => care.scratch = Some(path.into()),
                _ => {}
            }
        }
        care
    }

    fn take(&self) -> Result<(), ArenaError> {
        let journal = self.journal.as_deref().filter(|journal| journal.exists());
        let restored = journal.map(arena::folder::restore).transpose();
        if let Some(scratch) = &self.scratch {
            arena::folder::remove_folder(scratch).map_err(|e| ArenaError::disk("remove", scratch, e))?;
        }
        restored.map(|_| ())
    }
}

/// The engine's end of its guardian. Dropping it ends it.
#[derive(Debug)]
pub struct Guardian {
    process: Child,
}

impl Guardian {
    /// Starts the guardian: `program` with [`ARGUMENT`], the engine's mark and what it is to take care of.
    pub fn start(program: &Path, care: &Care) -> Result<Guardian, ArenaError> {
        let process = Command::new(program)
            .arg(ARGUMENT)
            .arg(lineage::run_mark())
            .args(care.arguments())
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
        if lineage::gave_up() {
            // Something may be left: the closing of its input makes the guardian look through all processes.
            self.process.stdin = None;
        } else {
            // Not by a message: a bot may have stopped it, and then it would never be read.
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}

/// What the guardian does: waits for the end of the engine with this mark.
pub fn watch(mut engine: impl Read, mark: &str, care: &Care) -> Result<(), ArenaError> {
    rename_process();
    io::copy(&mut engine, &mut io::sink()).map_err(|e| ArenaError::process("watch", "the engine", e))?;
    end_all(mark).map_err(|e| ArenaError::disk("look through", "/proc", e))?;
    care.take()
}

/// Who kills all programs of the engine's name is not to hit its guardian.
fn rename_process() {
    let _ = rustix::thread::set_name(c"guardian");
}

/// Ends every process whose mark begins with `mark`.
fn end_all(mark: &str) -> io::Result<()> {
    for _ in 0..LOOKS {
        let mut found = false;
        for entry in fs::read_dir("/proc")? {
            let Some(pid) = entry?.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
            // Opened before its mark is read, so that both are of the same process.
            if let Some(process) = lineage::open(pid)
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
