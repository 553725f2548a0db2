//! Stopping the processes of a bot between its turns, by SIGSTOP and SIGCONT.

use super::bot_process::BotProcess;
use super::process_tree::{descendants, orphans_of, pause};
use super::usage;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};
use std::io;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

/// The time within which a stopped bot has to stand still. It needs a processor for that, which others may have.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);
/// The time for which it is looked at again and again: a process on another processor usually stops within that.
const SPIN: Duration = Duration::from_micros(100);
/// The first pause between two looks after that. Each is twice as long as the one before, up to a millisecond.
const FIRST_PAUSE: Duration = Duration::from_micros(20);

impl BotProcess {
    /// Stops the process and all that it started. Tells whether all of them stand still; a process that has ended does.
    /// False if one of them did not within a second, as a process that waits for a child of vfork(2).
    ///
    /// # Errors
    /// The system refuses to look at the process.
    pub fn stop(&mut self) -> io::Result<bool> {
        let pid = self.pid();
        let start = Instant::now();
        let until = start + STOP_TIMEOUT;
        signal(pid, &[], Signal::STOP);
        let mut wait = FIRST_PAUSE;
        while !self.has_stopped()? {
            if start.elapsed() < SPIN {
                std::hint::spin_loop();
                continue;
            }
            if Instant::now() > until {
                return Ok(false);
            }
            // Not a yield: on a busy machine that lets others have whole slices of time.
            std::thread::sleep(wait);
            wait = (2 * wait).min(Duration::from_millis(1));
        }
        // In the sandbox a bot has no other processes where the kernel filters system calls.
        self.others.clear();
        loop {
            let mut found = self.files.children(pid);
            found.extend(orphans_of(pid));
            let below: Vec<i32> = found.iter().flat_map(|other| descendants(*other)).collect();
            found.extend(below);
            let is_complete = found.iter().all(|other| self.others.contains(other));
            if is_complete && found.iter().all(|other| usage::stands_still(*other)) {
                return Ok(self.leaves_processors(until));
            }
            if Instant::now() > until {
                return Ok(false);
            }
            found.iter().for_each(|other| signal_one(*other, Signal::STOP));
            self.others = found;
            pause();
        }
    }

    /// Lets the process go on, and all that was stopped with it.
    pub fn go_on(&mut self) {
        signal(self.pid(), &self.others, Signal::CONT);
        self.others.clear();
    }

    /// Waits until it uses no processor time any more, so that what it uses from then on is its own doing. The system calls a thread
    /// stopped shortly before the thread leaves its processor, and that takes milliseconds if the host of a virtual machine takes the
    /// processor away just then. False if it uses some for ever, as one that somebody has woken.
    fn leaves_processors(&self, until: Instant) -> bool {
        let mut before = self.clock();
        loop {
            // The clock of a thread that holds a processor is another one at each look, but for times that the host took away.
            let now = self.clock();
            if now == before && self.have_left_processors() {
                return true;
            }
            if Instant::now() > until {
                return false;
            }
            before = now;
        }
    }

    /// True if no thread is on a processor, of it and of all that was stopped with it.
    fn have_left_processors(&self) -> bool {
        let mut others = self.others.iter().filter_map(|other| Pid::from_raw(*other));
        self.files.has_left_processors(self.pid()) && others.all(usage::has_left_processors)
    }

    /// True if the process has ended, or all its threads are stopped.
    fn has_stopped(&self) -> io::Result<bool> {
        // It stays to be reaped.
        let options = WaitIdOptions::STOPPED | WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::PidFd(self.as_fd()), options) {
            Ok(status) => Ok(status.is_some()),
            Err(Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

/// Sends a signal to a bot, its process group and `others`. One that is gone is not an error.
fn signal(bot: Pid, others: &[i32], signal: Signal) {
    let _ = kill_process_group(bot, signal);
    // The process may have moved to another group.
    let _ = kill_process(bot, signal);
    others.iter().for_each(|other| signal_one(*other, signal));
}

fn signal_one(process: i32, signal: Signal) {
    if let Some(process) = Pid::from_raw(process) {
        let _ = kill_process(process, signal);
    }
}
