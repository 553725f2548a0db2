//! One run of a bot: started, watched to its end or its deadline, reaped.

use super::output::LineListener;
use super::running::{RunningBot, StackSource, Watch, WatchEnd};
use arena::{ArenaError, Interrupt, Invocation, Limits, Output, RunEnd, RunReport};
use platform::process::{CommandLine, EndedProcess};
use std::time::Duration;

/// Time limit for a tool to tell its version or its place. A busy machine can take a minute for what takes it a second when idle.
pub(super) const TOOL_TIMEOUT: Duration = Duration::from_secs(120);

/// A program to run, and its description.
pub(super) struct RunRequest {
    pub(super) command: CommandLine,
    /// The command line for messages.
    pub(super) text: String,
    /// The command line for users who want to repeat the run.
    pub(super) invocation: Invocation,
    /// The memory that it may use, in bytes.
    pub(super) memory: Option<u64>,
    /// The number of processes that it may have in its namespaces; `memory` is then that of all of them.
    pub(super) processes: Option<usize>,
    /// The way to learn where it stands when its time is up; `None` if nobody wants to know.
    pub(super) stack_source: Option<StackSource>,
}

impl RunRequest {
    /// A command that is not a bot.
    pub(super) fn of(command: CommandLine, text: String) -> RunRequest {
        RunRequest {
            command,
            text,
            invocation: Invocation::default(),
            memory: None,
            processes: None,
            stack_source: None,
        }
    }
}

/// Runs a command until it ends or has to be killed.
///
/// # Errors
/// The machine cannot start, watch or end processes, or the match was interrupted. A program that cannot be executed is
/// not an error: the report says so.
pub(super) fn run(request: RunRequest, limits: Option<Limits>, interrupt: &Interrupt) -> Result<RunReport, ArenaError> {
    run_heard(request, limits, interrupt, None)
}

/// [`run`] with a listener that is told each line of the output while the command runs.
///
/// # Errors
/// Those of [`run`].
pub(super) fn run_heard(
    request: RunRequest,
    limits: Option<Limits>,
    interrupt: &Interrupt,
    listener: Option<&LineListener>,
) -> Result<RunReport, ArenaError> {
    let RunRequest { command, text, invocation, memory, processes, stack_source } = request;
    let mut bot = match RunningBot::start(command, &text, memory, processes, stack_source)? {
        Ok(bot) => bot,
        Err(end) => return Ok(unused(text, invocation, limits, end)),
    };
    if let Some(listener) = listener {
        bot.streams.iter_mut().for_each(|stream| stream.tell(listener.clone()));
    }
    let since = bot.started;
    let watched = bot.watch(Watch::new(since, limits, false), interrupt);
    let wall = since.elapsed();
    let ended = bot.end()?;
    let (watched, delays) = watched?;
    let waited = delays.waited(wall, limits);
    let wall = wall.saturating_sub(delays.stopped);
    let end = match watched {
        WatchEnd::Interrupted => return Err(ArenaError::Interrupted),
        WatchEnd::ToKill(end) => end,
        WatchEnd::Ended | WatchEnd::Answered => bot.own_end(ended)?,
    };
    let EndedProcess { cpu, peak_memory, peak_is_bound, .. } = ended;
    let stood = bot.stood;
    let [stdout, stderr] = bot.streams.map(|stream| stream.finish());
    Ok(RunReport {
        wall,
        waited,
        cpu,
        peak_memory,
        peak_is_bound,
        stood,
        stdout,
        stderr,
        ..unused(text, invocation, limits, end)
    })
}

/// The report of a run that used and left nothing.
pub(super) fn unused(text: String, invocation: Invocation, limits: Option<Limits>, end: RunEnd) -> RunReport {
    RunReport {
        command: text,
        invocation,
        limits,
        has_started: true,
        wall: Duration::ZERO,
        waited: Duration::ZERO,
        cpu: Duration::ZERO,
        peak_memory: 0,
        peak_is_bound: false,
        end,
        stood: None,
        stdout: Output::default(),
        stderr: Output::default(),
        removed: 0,
        files_left: false,
        bad_notes: None,
        instead: None,
    }
}
