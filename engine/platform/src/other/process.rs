//! Processes, which are started here but not held together.

use super::missing;
use crate::process::{CommandLine, EndedProcess, StartedBot};
use crate::sandbox::Namespaces;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

const FILE: &str = "process.rs";
const HELD: &str = "processes of bots cannot be found and ended together";

/// The place where the system lists its processes, for messages.
pub const PROCESSES: &str = "the processes";

/// The name of this machine, which is not known here.
pub fn machine_name() -> String {
    String::new()
}

/// The process of a bot.
#[derive(Debug)]
pub enum BotProcess {}

impl BotProcess {
    /// The number of its threads.
    pub fn threads(&self) -> Option<u64> {
        match *self {}
    }

    /// The memory that it holds, in bytes.
    pub fn memory(&self) -> Option<u64> {
        match *self {}
    }

    /// The time for which it was ready to run and had no processor because of others.
    pub fn waited_for_processor(&self) -> Duration {
        match *self {}
    }

    /// As [`BotProcess::used`], but of a child.
    pub fn child_used(&self) -> Option<(Duration, u64)> {
        match *self {}
    }

    /// As [`BotProcess::memory`] and [`BotProcess::threads`], but of a child.
    pub fn child_memory_and_threads(&self) -> Option<(u64, u64)> {
        match *self {}
    }

    /// The time for which a child was ready to run and had no processor.
    pub fn child_waited_for_processor(&self) -> Duration {
        match *self {}
    }

    /// The processor time that it has used, and the most memory that it had resident at a time, in bytes.
    pub fn used(&self) -> Option<(Duration, u64)> {
        match *self {}
    }

    /// The processor time of its threads, and of all that was stopped with it.
    pub fn clock(&self) -> Option<Duration> {
        match *self {}
    }

    /// Stops the process and all that it started.
    ///
    /// # Errors
    /// None.
    pub fn stop(&mut self) -> io::Result<bool> {
        match *self {}
    }

    /// Lets the process go on.
    pub fn go_on(&mut self) {
        match *self {}
    }

    /// Ends what the process has started.
    pub fn end_others(&mut self) -> bool {
        match *self {}
    }

    /// Ends the process with all that it started.
    ///
    /// # Errors
    /// None.
    pub fn end(&mut self) -> io::Result<EndedProcess> {
        match *self {}
    }
}

/// Makes the engine adopt orphans.
///
/// # Errors
/// Always.
pub fn adopt() -> io::Result<()> {
    missing(HELD, FILE)
}

/// Starts a bot.
///
/// # Errors
/// Always: what it leaves behind could not be ended.
pub fn start_bot(_command: CommandLine) -> io::Result<StartedBot> {
    missing(HELD, FILE)
}

/// The prefix that all marks of this engine have in common.
pub fn run_mark() -> &'static str {
    ""
}

/// Starts a process that is not a bot.
///
/// # Errors
/// As [`Command::spawn`].
pub fn start_other(command: &mut Command) -> io::Result<Child> {
    command.spawn()
}

/// Runs a process that is not a bot to its end, and gives its output.
///
/// # Errors
/// As [`Command::output`].
pub fn output_of_other(command: &mut Command) -> io::Result<Output> {
    command.stdin(Stdio::null()).output()
}

/// Writes a file.
pub fn without_spawning<T>(write: impl FnOnce() -> T) -> T {
    write()
}

/// Does nothing: no bot is started.
pub fn end_missed_orphans() {}

/// Starts a guardian.
///
/// # Errors
/// Always.
pub fn start_guardian(_arguments: [&str; 2]) -> io::Result<Child> {
    missing(HELD, FILE)
}

/// Gives this process another name, where processes have names.
pub fn become_guardian() {}

/// Ends the bots of an engine that is gone.
///
/// # Errors
/// Always.
pub fn end_bots_of(_prefix: &str) -> io::Result<Vec<Vec<PathBuf>>> {
    missing(HELD, FILE)
}

/// A note for the guardian, of which there is none.
#[derive(Debug)]
pub struct GuardianNote(());

impl GuardianNote {
    /// Leaves no note: there is no guardian to read it.
    ///
    /// # Errors
    /// None.
    pub fn leave(_paths: &[&Path]) -> io::Result<GuardianNote> {
        Ok(GuardianNote(()))
    }
}

/// False: no error is known to say that the machine lacks something.
pub fn is_shortage(_error: &io::Error) -> bool {
    false
}

/// The memory that a bot holds in its namespaces, in bytes.
pub fn memory_of_all(bot: &BotProcess, _namespaces: &Namespaces, _processes: usize) -> Option<u64> {
    match *bot {}
}

/// The time for which this thread was ready to run and had no processor: not known.
pub fn this_thread_waited() -> Option<Duration> {
    None
}
