//! The guardian: a process that outlives a killed engine until it has ended the engine's bots.
//!
//! The death of the engine closes the guardian's standard input. Then the guardian ends the process groups of all bots that
//! ran, and every process with the engine's mark. The numbers of the groups are in a file in memory, which is the guardian's
//! standard output. It moves the files in the engine's journal to their places, and removes the engine's scratch folder. An
//! engine that ends normally ends its guardian first. The guardian has a process group of its own, so Ctrl-C does not reach it.

use arena::ArenaError;
use platform::process;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The hidden first argument with which a program has to call [`watch`], and so becomes the guardian.
pub const ARGUMENT: &str = "__guardian";

/// Files that the guardian cleans up after a killed engine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cleanup {
    /// The journal whose files are moved to their places.
    pub journal: Option<PathBuf>,
    /// The scratch folder, which is removed.
    pub scratch: Option<PathBuf>,
}

impl Cleanup {
    const JOURNAL: &str = "journal";
    const SCRATCH: &str = "scratch";

    fn arguments(&self) -> Vec<&OsStr> {
        let named = [(Self::JOURNAL, &self.journal), (Self::SCRATCH, &self.scratch)];
        let pairs = named.into_iter().filter_map(|(name, path)| Some([name.as_ref(), path.as_ref()?.as_os_str()]));
        pairs.flatten().collect()
    }

    /// Reads the arguments that follow the engine's mark.
    pub fn from_arguments(mut arguments: impl Iterator<Item = OsString>) -> Cleanup {
        let mut cleanup = Cleanup::default();
        while let (Some(name), Some(path)) = (arguments.next(), arguments.next()) {
            match name.to_str() {
                Some(Self::JOURNAL) => cleanup.journal = Some(path.into()),
                Some(Self::SCRATCH) => cleanup.scratch = Some(path.into()),
                _ => {}
            }
        }
        cleanup
    }

    fn run(&self) -> Result<(), ArenaError> {
        let journal = self.journal.as_deref().filter(|journal| journal.exists());
        let restored = journal.map(arena::folder::restore).transpose();
        if let Some(scratch) = &self.scratch {
            arena::folder::remove_folder(scratch).map_err(|e| ArenaError::disk("remove", scratch, e))?;
        }
        restored.map(|_| ())
    }
}

/// The engine's handle of its guardian. Dropping it ends the guardian.
#[derive(Debug)]
pub struct Guardian {
    process: Child,
}

impl Guardian {
    /// Starts `program` as the guardian: with [`ARGUMENT`], the engine's mark and `cleanup`.
    ///
    /// # Errors
    /// `program` cannot be started.
    pub fn start(program: &Path, cleanup: &Cleanup) -> Result<Guardian, ArenaError> {
        let mut command = Command::new(program);
        command.arg(ARGUMENT).arg(process::run_mark()).args(cleanup.arguments()).current_dir("/");
        let process = process::start_guardian(command.stdin(Stdio::piped()).stderr(Stdio::inherit()))
            .map_err(|e| ArenaError::process("start", program.display().to_string(), e))?;
        Ok(Guardian { process })
    }
}

impl Drop for Guardian {
    fn drop(&mut self) {
        if process::may_have_left_orphans() {
            // Orphans may be left: closing its input makes the guardian scan all processes.
            self.process.stdin = None;
        } else {
            // A message would not be enough: a bot may have stopped the guardian, which then never reads it.
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}

/// Runs the guardian: waits until `engine` (standard input) is closed, then ends all processes whose mark begins with
/// `mark`, and cleans up.
///
/// # Errors
/// `engine` or the list of processes cannot be read, or the cleanup fails; the files concerned are then left as they are.
pub fn watch(mut engine: impl Read, mark: &str, cleanup: &Cleanup) -> Result<(), ArenaError> {
    process::become_guardian();
    io::copy(&mut engine, &mut io::sink()).map_err(|e| ArenaError::process("watch", "the engine", e))?;
    process::end_marked(mark).map_err(|e| ArenaError::disk("look through", process::PROCESSES, e))?;
    cleanup.run()
}
