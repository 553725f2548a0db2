//! One run of a bot's process: started, watched to its end or its deadline, reaped.

use super::command_line::{CommandLine, Started};
use super::output::Stream;
use super::spawn::Process;
use super::{lineage, usage};
use arena::{ArenaError, Excess, Interrupt, Invocation, Limits, Output, RunEnd, RunReport};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// What is to be run.
pub(super) struct Start {
    /// The command.
    pub(super) command: CommandLine,
    /// The same for people.
    pub(super) text: String,
    /// The same for whoever wants to run it again.
    pub(super) invocation: Invocation,
    /// How much memory it can use, in bytes.
    pub(super) memory: Option<u64>,
}

impl Start {
    /// A command that is no bot.
    pub(super) fn of(command: CommandLine, text: String) -> Start {
        Start { command, text, invocation: Invocation::default(), memory: None }
    }
}

/// Runs a command until it ends by itself or has to be killed.
pub(super) fn run(start: Start, limits: Option<Limits>, interrupt: &Interrupt) -> Result<RunReport, ArenaError> {
    let Start { command, text, invocation, memory } = start;
    let failed = |doing: &'static str, e: io::Error| ArenaError::process(doing, text.clone(), e);
    lineage::adopt().map_err(|e| failed("adopt the orphans of", e))?;
    let (Started { process, stdout, stderr }, started) = match lineage::start(command) {
        Ok(started) => started,
        Err(e) if is_ours(&e) => return Err(failed("start", e)),
        Err(e) => return Ok(not_started(text, invocation, limits, &e)),
    };
    let Process { pid, handle } = process;
    let mut leash = Leash { pid, reaped: None };
    let listen = |pipe| Stream::new(pipe).map_err(|e| ArenaError::process("listen to", text.clone(), e));
    let (mut stdout, mut stderr) = (listen(stdout)?, listen(stderr)?);

    let kill_at = limits.map(|limits| started + limits.kill());
    let bounds = Bounds { kill_at, memory: memory.map(|most| (pid, most)) };
    let watched = watch(&handle, started, &mut stdout, &mut stderr, &bounds, interrupt);
    let wall = started.elapsed();
    // Before it is reaped; afterwards nobody knows any more.
    let is_late = limits.is_some_and(|limits| wall >= limits.answer());
    let queued = if is_late { usage::queued(pid) } else { Duration::ZERO };
    let (status, usage) = leash.end().map_err(|e| failed("wait for", e))?;
    let (watched, Delays { stopped, late }) = watched.map_err(|e| failed("watch", e.into()))?;
    let wall = wall.saturating_sub(stopped);
    let end = match watched {
        Watched::Interrupted => return Err(ArenaError::Interrupted),
        Watched::Late => RunEnd::Killed,
        Watched::Excessive(of) => RunEnd::Excessive(of),
        Watched::Ended => match status.signal() {
            Some(signal) => RunEnd::Signalled(signal),
            None => RunEnd::Exited(status.code().unwrap_or_default()),
        },
    };
    Ok(RunReport {
        command: text,
        invocation,
        limits,
        wall,
        waited: if is_late { queued.max(late) } else { Duration::ZERO },
        cpu: usage.cpu,
        peak_memory: usage.peak_memory,
        end,
        stdout: stdout.finish(),
        stderr: stderr.finish(),
        removed: 0,
        files_left: false,
    })
}

/// Whether a process could not be made because of the engine or the machine, not because of the bot.
fn is_ours(e: &io::Error) -> bool {
    let errors = [Errno::AGAIN, Errno::NOMEM, Errno::MFILE, Errno::NFILE, Errno::INTR];
    errors.iter().any(|errno| e.raw_os_error() == Some(errno.raw_os_error()))
}

fn not_started(text: String, invocation: Invocation, limits: Option<Limits>, e: &io::Error) -> RunReport {
    RunReport {
        command: text,
        invocation,
        limits,
        wall: Duration::ZERO,
        waited: Duration::ZERO,
        cpu: Duration::ZERO,
        peak_memory: 0,
        end: RunEnd::NotStarted(e.to_string()),
        stdout: Output::default(),
        stderr: Output::default(),
        removed: 0,
        files_left: false,
    }
}

/// Why watching a process came to an end.
enum Watched {
    /// The process ended.
    Ended,
    /// Its time is up.
    Late,
    /// It uses more than it can.
    Excessive(Excess),
    /// The match is to stop.
    Interrupted,
}

/// How the engine itself was held up.
#[derive(Default)]
struct Delays {
    /// Times in which it was stopped.
    stopped: Duration,
    /// What it woke up later than it wanted to, in all.
    late: Duration,
}

/// What ends a run.
struct Bounds {
    kill_at: Option<Instant>,
    /// The process, if it is watched for its memory, and the most of it in bytes.
    memory: Option<(Pid, u64)>,
}

/// How long is waited at once.
const STEP: Duration = Duration::from_millis(100);
/// For so long only the end of a process is waited for, not what it writes, which a pipe holds 64 KiB of: to be woken when a
/// quick bot closes its streams, and again when it ends, would cost a tenth of its time.
const UNHEARD: Duration = Duration::from_millis(5);
/// When a step takes so much longer than that, the engine itself was stopped.
const STOPPED: Duration = Duration::from_millis(500);

/// Drains the streams until the process ends or its time is up. A child of the bot that holds a stream open does not
/// matter: what counts is the end of the process itself. Tells also for how long the engine was stopped meanwhile
/// (Ctrl-Z, a suspended machine), which is not the bot's time.
fn watch(
    process: &OwnedFd,
    started: Instant,
    stdout: &mut Stream,
    stderr: &mut Stream,
    bounds: &Bounds,
    interrupt: &Interrupt,
) -> Result<(Watched, Delays), Errno> {
    let mut delays = Delays::default();
    loop {
        let before = Instant::now();
        let left = bounds.kill_at.map(|at| (at + delays.stopped).saturating_duration_since(before));
        let unheard = UNHEARD.saturating_sub(before - started);
        let step = left.map_or(STEP, |left| left.min(STEP));
        let step = if unheard.is_zero() { step } else { step.min(unheard) };
        let mut fds = vec![PollFd::new(process, PollFlags::IN), PollFd::new(interrupt, PollFlags::IN)];
        if unheard.is_zero() {
            let pipes = [&*stdout, &*stderr].into_iter().filter_map(Stream::pipe);
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
        if excess > STOPPED {
            delays.stopped += excess;
        } else {
            delays.late += excess;
        }
        stdout.drain();
        stderr.drain();
        if interrupted {
            return Ok((Watched::Interrupted, delays));
        }
        if ended {
            return Ok((Watched::Ended, delays));
        }
        if let Some(excess) = bounds.memory.and_then(|(pid, most)| usage::excess(pid, most)) {
            return Ok((Watched::Excessive(excess), delays));
        }
        // Only after a look that found it running.
        if left == Some(Duration::ZERO) {
            return Ok((Watched::Late, delays));
        }
    }
}

/// How long the end of a killed process is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Holds on to a process: when it is let go, the process and its group are gone.
struct Leash {
    pid: Pid,
    reaped: Option<(ExitStatus, Usage)>,
}

#[derive(Clone, Copy)]
struct Usage {
    cpu: Duration,
    peak_memory: u64,
}

impl Leash {
    /// Ends what is left of the process and its group, and tells what it used.
    fn end(&mut self) -> io::Result<(ExitStatus, Usage)> {
        if let Some(reaped) = self.reaped {
            return Ok(reaped);
        }
        // Before it is reaped: until then nobody else can have its number.
        let _ = kill_process_group(self.pid, Signal::KILL);
        // It may have gone to another group.
        let _ = kill_process(self.pid, Signal::KILL);
        lineage::dying(self.pid);
        let until = Instant::now() + PATIENCE;
        let reaped = loop {
            if let Some(reaped) = wait4(self.pid)? {
                break reaped;
            }
            if Instant::now() > until {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "it was killed and does not end"));
            }
            // It may be a moment from its end, or a child of its own that traces it may keep it from it.
            lineage::end_strays();
            lineage::pause();
        };
        self.reaped = Some(reaped);
        lineage::end(self.pid);
        Ok(reaped)
    }
}

impl Drop for Leash {
    fn drop(&mut self) {
        // On the way out of an error there is nobody to tell another.
        let _ = self.end();
    }
}

/// Reaps the process if it has ended, with its own use of the machine.
#[expect(unsafe_code, reason = "neither std nor rustix offers wait4")]
fn wait4(pid: Pid) -> io::Result<Option<(ExitStatus, Usage)>> {
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
    let usage = Usage { cpu: time(usage.ru_utime) + time(usage.ru_stime), peak_memory: usage.ru_maxrss as u64 * 1024 };
    Ok(Some((ExitStatus::from_raw(status), usage)))
}
