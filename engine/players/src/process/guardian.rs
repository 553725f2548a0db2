//! The guardian: a process that outlives a killed engine until it has ended the engine's bots.
//!
//! The death of the engine closes the guardian's standard input. Then the guardian ends the process groups of all bots that
//! ran, and every process with the engine's mark. The numbers of the groups are in a file in memory, which is the guardian's
//! standard output, together with the [`Cleanup`]s: the guardian moves the files in an engine's journal to their places, and removes
//! its scratch folder. An engine that ends normally ends its guardian first. The guardian has a process group of its own, so Ctrl-C
//! does not reach it.

use arena::ArenaError;
use platform::locks::lock;
use platform::process::{self, GuardianNote};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

/// The hidden first argument with which a program has to call [`watch`], and so becomes the guardian.
pub const ARGUMENT: &str = "__guardian";

/// True if this program has a guardian.
static ENABLED: AtomicBool = AtomicBool::new(false);
/// The guardian, once a bot was started.
static GUARDIAN: Mutex<Option<Child>> = Mutex::new(None);

/// Gives this program a guardian from now on, which is the same program. It is started before the first bot, build or other process
/// of a bot. The program has to call [`watch`] when its first argument is [`ARGUMENT`], and [`dismiss`] before it ends. Without
/// this, bots that run while the program is killed are not ended.
pub fn enable() {
    ENABLED.store(true, Ordering::Relaxed);
}

fn guardian() -> MutexGuard<'static, Option<Child>> {
    // It is there or not, so a panic elsewhere does not matter.
    lock(&GUARDIAN)
}

/// Starts the guardian if the program is to have one and it does not run: a bot without a sandbox may have ended it.
///
/// # Errors
/// It cannot be started.
pub(super) fn ensure() -> Result<(), ArenaError> {
    if !ENABLED.load(Ordering::Relaxed) {
        return Ok(());
    }
    let mut guardian = guardian();
    if guardian.as_mut().is_some_and(|process| matches!(process.try_wait(), Ok(None))) {
        return Ok(());
    }
    let started = process::start_guardian([ARGUMENT, process::run_mark()]);
    *guardian = Some(started.map_err(|e| ArenaError::process("start", "the guardian", e))?);
    Ok(())
}

/// Ends the guardian, if it runs. To be called when no bot runs any more.
pub fn dismiss() {
    process::end_missed_orphans();
    if let Some(mut process) = guardian().take() {
        // A message would not be enough: a bot may have stopped it, and then it never reads one.
        let _ = process.kill();
        let _ = process.wait();
    }
}

/// Files that the guardian cleans up after a killed engine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cleanup {
    /// The journal whose files are moved to their places.
    pub journal: Option<PathBuf>,
    /// The scratch folder, which is removed.
    pub scratch: Option<PathBuf>,
}

impl Cleanup {
    /// Leaves this to the guardian until the value is dropped.
    ///
    /// # Errors
    /// The paths are longer than the system allows, or it gives no memory.
    pub fn register(&self) -> Result<RegisteredCleanup, ArenaError> {
        let [journal, scratch] = [&self.journal, &self.scratch].map(|path| path.as_deref().unwrap_or(Path::new("")));
        let note = GuardianNote::leave(&[journal, scratch]);
        // A limit on the size of files counts for files in memory as well.
        let note = note.map_err(|e| ArenaError::disk("write", "the guardian's table (a file in memory)", e))?;
        Ok(RegisteredCleanup { _note: note })
    }

    fn of_note(paths: Vec<PathBuf>) -> Cleanup {
        let mut paths = paths.into_iter();
        // A path that is not set was stored as an empty one.
        let mut next = || paths.next().filter(|path| path.is_absolute());
        Cleanup { journal: next(), scratch: next() }
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

/// A [`Cleanup`] that is left to the guardian until this value is dropped.
#[derive(Debug)]
pub struct RegisteredCleanup {
    _note: GuardianNote,
}

/// Runs the guardian: waits until `engine` (standard input) is closed, then ends all processes of the engine whose marks begin with
/// `mark`, and cleans up.
///
/// # Errors
/// `engine` or the list of processes cannot be read, or a cleanup fails; the files concerned are then left as they are.
pub fn watch(mut engine: impl Read, mark: &str) -> Result<(), ArenaError> {
    process::become_guardian();
    io::copy(&mut engine, &mut io::sink()).map_err(|e| ArenaError::process("watch", "the engine", e))?;
    let notes = process::end_bots_of(mark).map_err(|e| ArenaError::disk("look through", process::PROCESSES, e))?;
    // One that fails does not prevent the others.
    let done: Vec<_> = notes.into_iter().map(|note| Cleanup::of_note(note).run()).collect();
    done.into_iter().collect()
}
