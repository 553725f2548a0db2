//! The process of a bot, from its start until it is reaped.

use super::process_tree::{bot_ended, bot_ending, descendants, end_orphans, end_tracer, orphans_of, pause};
use super::spawn::ProcessHandle;
use super::usage::{self, ProcessFiles};
use rustix::process::{Pid, Resource, Rlimit, Signal, WaitOptions, kill_process, kill_process_group, prlimit, waitpid};
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// Time limit for the end of what a process has started.
const OTHERS_TIMEOUT: Duration = Duration::from_secs(1);
/// Time limit for the end of a killed process.
const KILL_TIMEOUT: Duration = Duration::from_secs(10);

/// The process of a bot, which can be waited for until it has ended. It is killed with its group when this value is dropped.
#[derive(Debug)]
pub struct BotProcess {
    process: ProcessHandle,
    ended: Option<EndedProcess>,
    /// The processes that it started, as far as they were stopped with it.
    pub(super) others: Vec<i32>,
    pub(super) files: ProcessFiles,
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

impl BotProcess {
    pub(super) fn of(process: ProcessHandle) -> BotProcess {
        BotProcess { process, ended: None, others: Vec::new(), files: ProcessFiles::default() }
    }

    /// The number of the process.
    pub(super) fn pid(&self) -> Pid {
        self.process.pid
    }

    /// The number of its threads; `None` if it has ended.
    pub fn threads(&self) -> Option<u64> {
        usage::threads(self.pid())
    }

    /// The memory that it holds, in bytes: resident memory, page tables, and what its sockets may hold, which resource limits
    /// do not count. `None` if it has ended.
    pub fn memory(&self) -> Option<u64> {
        usage::memory_of(self.pid())
    }

    /// The processor time that it has used, with that of the children it waited for, and the most memory that it had resident at
    /// a time, in bytes. `None` if it has ended.
    pub fn used(&self) -> Option<(Duration, u64)> {
        self.files.used(self.pid())
    }

    /// The processor time of its threads, and of all that was stopped with it. `None` if it has been reaped.
    pub fn clock(&self) -> Option<Duration> {
        let own = if self.ended.is_some() { None } else { usage::clock(self.pid()) };
        let others = self.others.iter().filter_map(|other| usage::clock(Pid::from_raw(*other)?));
        Some(own? + others.sum::<Duration>())
    }

    /// The time for which it was ready to run and had no processor because of others: that of the thread which waited longest,
    /// less the time for which other threads of the process ran. Zero if the kernel does not count it.
    pub fn waited_for_processor(&self) -> Duration {
        usage::queued(self.pid())
    }

    /// As [`BotProcess::used`], but of its first child. `None` if it has none.
    pub fn child_used(&self) -> Option<(Duration, u64)> {
        let child = self.files.children(self.pid()).into_iter().find_map(Pid::from_raw)?;
        ProcessFiles::default().used(child)
    }

    /// As [`BotProcess::memory`] and [`BotProcess::threads`], but of its first child. `None` if it has none.
    pub fn child_memory_and_threads(&self) -> Option<(u64, u64)> {
        let child = self.files.children(self.pid()).into_iter().find_map(Pid::from_raw)?;
        Some((usage::memory_of(child)?, usage::threads(child)?))
    }

    /// As [`BotProcess::waited_for_processor`], but of the child that waited longest.
    pub fn child_waited_for_processor(&self) -> Duration {
        let children = self.files.children(self.pid()).into_iter().filter_map(Pid::from_raw);
        children.map(usage::queued).max().unwrap_or_default()
    }

    /// Sends this signal to the process, or to its first child, by which a runtime tells its stack and may end. It leaves no core
    /// dump.
    pub fn ask_for_stack(&self, signal: i32, of_child: bool) {
        let Some(signal) = Signal::from_named_raw(signal) else { return };
        let child = || self.files.children(self.pid()).into_iter().find_map(Pid::from_raw);
        let Some(asked) = (if of_child { child() } else { Some(self.pid()) }) else { return };
        let none = Rlimit { current: Some(0), maximum: Some(0) };
        // One that is gone is not an error.
        let _ = prlimit(Some(asked), Resource::Core, none);
        let _ = kill_process(asked, signal);
    }

    /// Kills and reaps what the process has started, also what its children left behind, but not the process itself. False if they
    /// start others faster than they can be ended.
    pub fn end_others(&mut self) -> bool {
        let pid = self.pid();
        let until = Instant::now() + OTHERS_TIMEOUT;
        loop {
            let mut found = self.files.children(pid);
            found.extend(orphans_of(pid));
            if found.is_empty() {
                return true;
            }
            if Instant::now() > until {
                return false;
            }
            let below: Vec<i32> = found.iter().flat_map(|other| descendants(*other)).collect();
            for other in found.into_iter().chain(below).filter_map(Pid::from_raw) {
                // One that is gone is not an error, nor one that is not ours to reap.
                let _ = kill_process(other, Signal::KILL);
                let _ = waitpid(Some(other), WaitOptions::NOHANG);
            }
            pause();
        }
    }

    /// Kills what is left of the process and its group, reaps the process, ends what it left behind, and returns the resources
    /// that it used.
    ///
    /// # Errors
    /// The process does not end within ten seconds; the system's error.
    pub fn end(&mut self) -> io::Result<EndedProcess> {
        if let Some(ended) = self.ended {
            return Ok(ended);
        }
        let pid = self.pid();
        // Before the process is reaped: until then its number cannot be used again.
        let _ = kill_process_group(pid, Signal::KILL);
        // The process may have moved to another group.
        let _ = kill_process(pid, Signal::KILL);
        bot_ending(pid);
        let until = Instant::now() + KILL_TIMEOUT;
        let ended = loop {
            if let Some(ended) = wait4(pid)? {
                break ended;
            }
            if Instant::now() > until {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "it was killed and does not end"));
            }
            // The process may need another moment to end, or a child of its own or another bot that traces it may prevent its end.
            end_orphans();
            end_tracer(pid);
            pause();
        };
        self.ended = Some(ended);
        bot_ended(pid);
        Ok(ended)
    }
}

impl AsFd for BotProcess {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.process.handle.as_fd()
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        // After another error nobody is left to report this one to.
        let _ = self.end();
    }
}

/// The most by which the kernel's count of a program's memory may be wrong, in bytes: each processor adds to it now and then.
const COUNTING_ERROR: u64 = 1 << 20;

/// The most memory that this program has had at a time, in bytes.
#[expect(unsafe_code, reason = "rustix does not offer getrusage")]
fn own_peak_memory() -> u64 {
    // SAFETY: as in `wait4`.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is to a live value of the right type.
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    usage.ru_maxrss as u64 * 1024
}

/// Reaps the process if it has ended, and returns the resources that it used.
#[expect(unsafe_code, reason = "neither std nor rustix offers wait4")]
fn wait4(pid: Pid) -> io::Result<Option<EndedProcess>> {
    let mut status = 0;
    // SAFETY: rusage is plain numbers, for which all zeros are values.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to live values of the right types.
    match unsafe { libc::wait4(pid.as_raw_pid(), &mut status, libc::WNOHANG, &mut usage) } {
        0 => return Ok(None),
        -1 => return Err(io::Error::last_os_error()),
        _ => {}
    }
    let status = ExitStatus::from_raw(status);
    let time = |t: libc::timeval| Duration::from_secs(t.tv_sec as u64) + Duration::from_micros(t.tv_usec as u64);
    let peak_memory = usage.ru_maxrss as u64 * 1024;
    Ok(Some(EndedProcess {
        signal: status.signal(),
        status: status.code(),
        cpu: time(usage.ru_utime) + time(usage.ru_stime),
        peak_memory,
        // The kernel counts what the process had before it became the bot, too: a copy of this program.
        peak_is_bound: peak_memory <= own_peak_memory() + COUNTING_ERROR,
    }))
}
