//! One run of a bot: started, watched to its end or its deadline, reaped.

use super::command_line::{ChildProcess, CommandLine};
use super::output::Stream;
use super::spawn::ProcessHandle;
use super::{process_tree, usage};
use arena::{ArenaError, Excess, Interrupt, Invocation, Limits, Output, RunEnd, RunReport};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

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
}

impl RunRequest {
    /// A command that is not a bot.
    pub(super) fn of(command: CommandLine, text: String) -> RunRequest {
        RunRequest { command, text, invocation: Invocation::default(), memory: None, processes: None }
    }
}

/// Runs a command until it ends or has to be killed.
///
/// # Errors
/// The machine cannot start, watch or end processes, or the match was interrupted. A program that cannot be executed is
/// not an error: the report says so.
pub(super) fn run(request: RunRequest, limits: Option<Limits>, interrupt: &Interrupt) -> Result<RunReport, ArenaError> {
    let RunRequest { command, text, invocation, memory, processes } = request;
    let failed = |doing: &'static str, e: io::Error| ArenaError::process(doing, text.clone(), e);
    let namespaces = command.namespaces().cloned();
    process_tree::adopt().map_err(|e| failed("adopt the orphans of", e))?;
    let (ChildProcess { process, stdout, stderr }, started) = match process_tree::start_bot(command) {
        Ok(started) => started,
        Err(e) if is_engine_failure(&e) => return Err(failed("start", e)),
        Err(e) => return Ok(unused(text, invocation, limits, RunEnd::NotStarted(e.to_string()))),
    };
    let ProcessHandle { pid, handle } = process;
    let mut guard = ProcessGuard { pid, reaped: None };
    let listen = |pipe| Stream::new(pipe).map_err(|e| ArenaError::process("listen to", text.clone(), e));
    let mut streams = [listen(stdout)?, listen(stderr)?];

    let kill_at = limits.map(|limits| started + limits.kill());
    let overuse = || match (processes, &namespaces) {
        (Some(processes), Some(namespaces)) => usage::excess_of_all(&[pid, namespaces.pid], memory?, processes),
        _ => usage::excess(pid, memory?),
    };
    let deadlines = Deadlines { answer: limits.map(|limits| started + limits.answer()), kill: kill_at };
    let checks = Checks { overuse: &overuse, queued: &|| usage::queued(pid) };
    let watched = watch(&handle, started, &mut streams, deadlines, &checks, interrupt);
    let wall = started.elapsed();
    let is_late = limits.is_some_and(|limits| wall >= limits.answer());
    let Reaped { status, cpu, peak_memory } = guard.end().map_err(|e| failed("wait for", e))?;
    let (watched, Delays { stopped, late, queued }) = watched.map_err(|e| failed("watch", e.into()))?;
    let wall = wall.saturating_sub(stopped);
    let end = match watched {
        WatchEnd::Interrupted => return Err(ArenaError::Interrupted),
        WatchEnd::ToKill(end) => end,
        WatchEnd::Ended => match status.signal() {
            Some(_) if namespaces.is_some_and(|namespaces| !namespaces.is_alive()) => {
                return Err(failed("watch", io::Error::other("somebody ended its namespaces")));
            }
            Some(signal) => RunEnd::Signalled(signal),
            None => RunEnd::Exited(status.code().unwrap_or_default()),
        },
    };
    let [stdout, stderr] = streams.map(Stream::finish);
    Ok(RunReport {
        wall,
        waited: if is_late { queued.max(late) } else { Duration::ZERO },
        cpu,
        peak_memory,
        stdout,
        stderr,
        ..unused(text, invocation, limits, end)
    })
}

/// True if a process could not be started because of the engine or the machine, not because of the bot.
fn is_engine_failure(e: &io::Error) -> bool {
    // An error without a number is one of ours.
    let errors = [Errno::AGAIN, Errno::NOMEM, Errno::MFILE, Errno::NFILE, Errno::INTR];
    e.kind() == io::ErrorKind::Other || errors.iter().any(|errno| e.raw_os_error() == Some(errno.raw_os_error()))
}

/// The report of a run that used and left nothing.
pub(super) fn unused(text: String, invocation: Invocation, limits: Option<Limits>, end: RunEnd) -> RunReport {
    RunReport {
        command: text,
        invocation,
        limits,
        wall: Duration::ZERO,
        waited: Duration::ZERO,
        cpu: Duration::ZERO,
        peak_memory: 0,
        end,
        stdout: Output::default(),
        stderr: Output::default(),
        removed: 0,
        files_left: false,
    }
}

/// The reason why watching a process ended.
enum WatchEnd {
    /// The process ended.
    Ended,
    /// The process has reached a limit: it has to be killed, and ends so.
    ToKill(RunEnd),
    /// The match was interrupted.
    Interrupted,
}

/// Times for which the engine itself was held up.
#[derive(Default)]
struct Delays {
    /// Total time for which the engine was stopped.
    stopped: Duration,
    /// Total time by which the engine woke up later than planned.
    late: Duration,
    /// The time for which the process waited for a processor because of others, as far as that was seen.
    queued: Duration,
}

/// The times at which an answer is late and at which the process is killed, if there are limits.
#[derive(Clone, Copy)]
struct Deadlines {
    answer: Option<Instant>,
    kill: Option<Instant>,
}

/// Questions about a process while it runs.
struct Checks<'a> {
    /// The resource that it uses too much of.
    overuse: &'a dyn Fn() -> Option<Excess>,
    /// The time for which it waited for a processor because of others.
    queued: &'a dyn Fn() -> Duration,
}

/// The longest wait before the next check.
const STEP: Duration = Duration::from_millis(100);
/// Time after the start in which only the end of the process is waited for, not its output (a pipe holds 64 KiB):
/// waking up when a quick bot closes its streams, and again when it ends, would cost a tenth of its time.
const STREAM_DELAY: Duration = Duration::from_millis(5);
/// From so long before its answer is late, it is looked at how long the process has waited for a processor: once it has ended
/// only its first thread can be asked, and in many runtimes that is not the one which works.
const BEFORE_LATE: Duration = Duration::from_millis(200);
/// A wait that takes longer than planned by this time means that the engine itself was stopped, or waited for a processor.
const STOP_THRESHOLD: Duration = Duration::from_millis(500);

/// Drains the streams until the process ends or its time is up. A child of the bot that holds a stream open does not
/// matter: only the end of the bot itself counts. Also returns the time for which the engine was stopped meanwhile (Ctrl-Z, a
/// suspended machine), which is not the bot's time.
fn watch(
    process: &OwnedFd,
    started: Instant,
    streams: &mut [Stream; 2],
    deadlines: Deadlines,
    checks: &Checks<'_>,
    interrupt: &Interrupt,
) -> Result<(WatchEnd, Delays), Errno> {
    let mut delays = Delays::default();
    // Only looked at in long runs, because it takes a thirtieth of the time of a short one.
    let mut waited = None;
    let mut asked: Option<Instant> = None;
    loop {
        let before = Instant::now();
        if before - started > STEP {
            waited = Some(usage::waited());
        }
        let until = |at: Instant| (at + delays.stopped).saturating_duration_since(before);
        let (left, in_time) = (deadlines.kill.map(until), deadlines.answer.map(until));
        let delay = STREAM_DELAY.saturating_sub(before - started);
        let step = left.map_or(STEP, |left| left.min(STEP));
        let step = in_time.filter(|left| !left.is_zero()).map_or(step, |left| left.min(step));
        let step = if delay.is_zero() { step } else { step.min(delay) };
        let mut fds = vec![PollFd::new(process, PollFlags::IN), PollFd::new(interrupt, PollFlags::IN)];
        if delay.is_zero() {
            let pipes = streams.iter().filter_map(|stream| stream.pipe.as_ref());
            fds.extend(pipes.map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        }
        let wait = Timespec { tv_sec: 0, tv_nsec: step.subsec_nanos().into() };
        match poll(&mut fds, Some(&wait)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(e) => return Err(e),
        }
        let ready = |fd: &PollFd<'_>| !fd.revents().is_empty();
        let (ended, interrupted) = (ready(&fds[0]), ready(&fds[1]));
        drop(fds);
        let excess = before.elapsed().saturating_sub(step);
        if excess > STOP_THRESHOLD {
            // The bot itself can make the engine wait for a processor: that is no reason to give it more time.
            let queued = waited.map_or(Duration::ZERO, |before| usage::waited().saturating_sub(before)).min(excess);
            delays.stopped += excess - queued;
            delays.late += queued;
        } else {
            delays.late += excess;
        }
        streams.iter_mut().for_each(Stream::drain);
        if interrupted {
            return Ok((WatchEnd::Interrupted, delays));
        }
        if ended {
            return Ok((WatchEnd::Ended, delays));
        }
        // Not each time that the bot writes something.
        let is_due = asked.is_none_or(|asked| asked.elapsed() >= STEP / 2) || left == Some(Duration::ZERO);
        if is_due && in_time.is_some_and(|left| left <= BEFORE_LATE) {
            delays.queued = delays.queued.max((checks.queued)());
            asked = Some(Instant::now());
        }
        if let Some(excess) = (checks.overuse)() {
            return Ok((WatchEnd::ToKill(RunEnd::Excessive(excess)), delays));
        }
        // Only after a check that found the process running.
        if left == Some(Duration::ZERO) {
            return Ok((WatchEnd::ToKill(RunEnd::Killed), delays));
        }
    }
}

/// Time limit for the end of a killed process.
const KILL_TIMEOUT: Duration = Duration::from_secs(10);

/// A process that is killed with its group when this value is dropped.
struct ProcessGuard {
    pid: Pid,
    reaped: Option<Reaped>,
}

/// The end of a process, and the resources that it used.
#[derive(Clone, Copy)]
struct Reaped {
    status: ExitStatus,
    cpu: Duration,
    peak_memory: u64,
}

impl ProcessGuard {
    /// Kills what is left of the process and its group, reaps the process and returns the resources that it used.
    fn end(&mut self) -> io::Result<Reaped> {
        if let Some(reaped) = self.reaped {
            return Ok(reaped);
        }
        // Before the process is reaped: until then its number cannot be used again.
        let _ = kill_process_group(self.pid, Signal::KILL);
        // The process may have moved to another group.
        let _ = kill_process(self.pid, Signal::KILL);
        process_tree::bot_ending(self.pid);
        let until = Instant::now() + KILL_TIMEOUT;
        let reaped = loop {
            if let Some(reaped) = wait4(self.pid)? {
                break reaped;
            }
            if Instant::now() > until {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "it was killed and does not end"));
            }
            // The process may need another moment to end, or a child of its own that traces it may prevent its end.
            process_tree::end_orphans();
            process_tree::pause();
        };
        self.reaped = Some(reaped);
        process_tree::bot_ended(self.pid);
        Ok(reaped)
    }
}

impl Drop for ProcessGuard {
    fn drop(&mut self) {
        // After another error nobody is left to report this one to.
        let _ = self.end();
    }
}

/// Reaps the process if it has ended, and returns the resources that it used.
#[expect(unsafe_code, reason = "neither std nor rustix offers wait4")]
fn wait4(pid: Pid) -> io::Result<Option<Reaped>> {
    let mut status = 0;
    // SAFETY: rusage is plain numbers, for which all zeros are values.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to live values of the right types.
    match unsafe { libc::wait4(pid.as_raw_pid(), &mut status, libc::WNOHANG, &mut usage) } {
        0 => return Ok(None),
        -1 => return Err(io::Error::last_os_error()),
        _ => {}
    }
    let time = |t: libc::timeval| Duration::from_secs(t.tv_sec as u64) + Duration::from_micros(t.tv_usec as u64);
    let cpu = time(usage.ru_utime) + time(usage.ru_stime);
    Ok(Some(Reaped { status: ExitStatus::from_raw(status), cpu, peak_memory: usage.ru_maxrss as u64 * 1024 }))
}
