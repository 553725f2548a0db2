//! Processes of bots: their start, the resources that they use, and the end of all that they started.

#[cfg_attr(
    not(all(target_os = "linux", not(feature = "other"))),
    allow(dead_code, reason = "the other side starts no command line")
)]
pub(crate) mod command_line;

pub use crate::side::process::{
    BotProcess, GuardianNote, PROCESSES, adopt, become_guardian, end_bots_of, end_missed_orphans, is_shortage,
    machine_name, memory_of_all, output_of_other, run_mark, start_bot, start_guardian, start_other, this_thread_waited,
    without_spawning,
};
use crate::wait::Handle;
pub use command_line::CommandLine;
use std::time::{Duration, Instant};

/// A bot that was started, with the pipes of its streams.
#[derive(Debug)]
pub struct StartedBot {
    /// The process.
    pub process: BotProcess,
    /// The engine's end of its standard input, if it has one.
    pub stdin: Option<Handle>,
    /// Its standard output.
    pub stdout: Handle,
    /// Its standard error.
    pub stderr: Handle,
    /// The time of its start.
    pub at: Instant,
}

/// The end of a process, and the resources that it used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndedProcess {
    /// The signal that ended it; `None` if it ended by itself.
    pub signal: Option<i32>,
    /// Its exit status; `None` if a signal ended it.
    pub status: Option<i32>,
    /// The processor time that it and the children it waited for used.
    pub cpu: Duration,
    /// The most memory that it had at a time, in bytes; at least that of this program when it started the process.
    pub peak_memory: u64,
    /// True if this program itself has had that much, so that the process may have had less.
    pub peak_is_bound: bool,
}
