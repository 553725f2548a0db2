//! The process tree: finds every process that a bot starts, even one that left its process group and its session.
//!
//! The engine adopts orphans (`PR_SET_CHILD_SUBREAPER`), so a process that a bot leaves behind becomes a child of the
//! engine, beside children that the program around the engine starts for itself. Two marks, both inherited by all that a
//! bot starts, tell a bot's processes from those:
//!
//! - a variable of its environment ([`MARK`]), by which the guardian finds bots when the engine was killed;
//! - a resource limit (`RLIMIT_LOCKS`) that Linux does not apply to anything. A process can wipe its environment, but only
//!   root can raise a limit again.
//!
//! A child with neither mark is left alone. So a process that wipes its environment, changes this limit and leaves its
//! process group is not ended. In the sandbox no bot can have child processes where the kernel filters system calls.

use super::bot_process::BotProcess;
use super::start::{ChildProcess, kept_open};
use super::usage;
use crate::process::{CommandLine, StartedBot};
use rustix::event::{Timespec, poll};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::pread;
use rustix::process::{
    Pid, PidfdFlags, Resource, Signal, WaitId, WaitIdOptions, getpid, getrlimit, kill_process_group, pidfd_open,
    pidfd_send_signal, set_child_subreaper, waitid,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::process::{Child, Command, Output, Stdio};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The environment variable that marks a bot and everything that it starts.
const MARK: &str = "BROADSIDE_RUN";
/// Time limit for ending the orphans of a bot.
const ORPHAN_TIMEOUT: Duration = Duration::from_secs(2);

/// The bots of this process. There is one list, because a process has one set of children.
static BOTS: LazyLock<Mutex<Bots>> = LazyLock::new(Mutex::default);
/// True after [`ORPHAN_TIMEOUT`] has passed: orphans may be left that only a scan of all processes finds.
static MAY_HAVE_LEFT_ORPHANS: AtomicBool = AtomicBool::new(false);
/// The `RLIMIT_LOCKS` from which the number of a launch is subtracted: the engine's own limit, or a number that nobody
/// else sets where that limit is higher (usually there is none).
static LOCK_LIMIT: LazyLock<u64> =
    LazyLock::new(|| getrlimit(Resource::Locks).maximum.map_or(1 << 62, |own| own.min(1 << 62)));

/// Launches are numbered from 1. Both marks hold this number.
#[derive(Default)]
struct Bots {
    /// Launches whose bots still run. Their processes are not ended.
    running: BTreeSet<u64>,
    /// Launches of bots that are not reaped yet, by process number.
    unreaped: BTreeMap<i32, u64>,
    /// The numbers of these processes for the guardian; zero is a free place. Each is the number of its process group, too.
    places: Vec<i32>,
    /// The file in memory with `places`, which the guardian can read when the engine was killed.
    table: Option<File>,
    adopting: bool,
    /// The number of the guardian's process. It lives as long as this program.
    guardian: Option<i32>,
    launches: u64,
}

fn bots() -> MutexGuard<'static, Bots> {
    // Every change leaves the list consistent, so a panic elsewhere does not matter.
    BOTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the engine adopt orphans. To be called before the first bot starts. Calling it again has no further effect.
///
/// # Errors
/// The system refuses.
pub fn adopt() -> io::Result<()> {
    let mut bots = bots();
    if !bots.adopting {
        set_child_subreaper(Some(getpid()))?;
        bots.adopting = true;
    }
    Ok(())
}

/// The prefix that all marks of this engine have in common.
pub fn run_mark() -> &'static str {
    static RUN: OnceLock<String> = OnceLock::new();
    RUN.get_or_init(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        format!("{}-{}/", getpid().as_raw_pid(), now.as_nanos())
    })
}

/// Starts a bot with both marks, by which all that it starts is ended with it. The start may be later than the call, because a
/// file may have to be written first.
///
/// # Errors
/// The process cannot be made, or cannot run its program.
pub fn start_bot(command: CommandLine) -> io::Result<StartedBot> {
    let _shared = SPAWNING.read().unwrap_or_else(PoisonError::into_inner);
    // The launch counts as running before its process exists, so that no other thread ends this process before it is in
    // the list.
    let launch = bots().next_launch();
    let command = command.env(MARK, format!("{}{launch}", run_mark())).lock_limit(LOCK_LIMIT.checked_sub(launch));
    let at = Instant::now();
    let started = command.start();
    let mut bots = bots();
    match &started {
        Ok(started) => {
            bots.unreaped.insert(started.process.pid.as_raw_pid(), launch);
            bots.replace(0, started.process.pid.as_raw_pid());
        }
        Err(_) => drop(bots.running.remove(&launch)),
    }
    drop(bots);
    let ChildProcess { process, stdin, stdout, stderr } = started?;
    Ok(StartedBot { process: BotProcess::of(process), stdin, stdout, stderr, at })
}

/// Read by threads that start processes, until these run their programs; written by threads that write programs. A new
/// process first has all open files of the engine, and a file that is open for writing cannot be executed (`ETXTBSY`).
static SPAWNING: RwLock<()> = RwLock::new(());

/// Starts a process that is not a bot.
///
/// # Errors
/// As [`Command::spawn`].
pub fn start_other(command: &mut Command) -> io::Result<Child> {
    let _shared = SPAWNING.read().unwrap_or_else(PoisonError::into_inner);
    command.spawn()
}

/// Runs a process that is not a bot to its end, and gives its output.
///
/// # Errors
/// As [`Command::output`].
pub fn output_of_other(command: &mut Command) -> io::Result<Output> {
    start_other(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()))?.wait_with_output()
}

/// Writes a file while no process is started that would have it open.
pub fn without_spawning<T>(write: impl FnOnce() -> T) -> T {
    let _alone = SPAWNING.write().unwrap_or_else(PoisonError::into_inner);
    write()
}

/// Notes that a bot ends: its processes are ended from now on.
pub(super) fn bot_ending(pid: Pid) {
    let mut bots = bots();
    if let Some(launch) = bots.unreaped.get(&pid.as_raw_pid()).copied() {
        bots.running.remove(&launch);
    }
}

/// Removes a bot that has been reaped from the list, and ends its orphans.
pub(super) fn bot_ended(pid: Pid) {
    let mut bots = bots();
    bots.unreaped.remove(&pid.as_raw_pid());
    bots.replace(pid.as_raw_pid(), 0);
    drop(bots);
    let until = Instant::now() + ORPHAN_TIMEOUT;
    while end_orphans() {
        if Instant::now() > until {
            MAY_HAVE_LEFT_ORPHANS.store(true, Ordering::Relaxed);
            log::warn!("a bot starts processes faster than they can be ended");
            return;
        }
        pause();
    }
}

/// True if orphans may be left.
pub fn may_have_left_orphans() -> bool {
    MAY_HAVE_LEFT_ORPHANS.load(Ordering::Relaxed)
}

/// Kills orphans of bots that do not run any more and reaps those that are dead, without waiting. Returns true if there
/// were any.
pub(super) fn end_orphans() -> bool {
    // All are killed before any is reaped: one may hold on to another.
    let orphans: Vec<OwnedFd> = children().into_iter().filter_map(open_orphan).inspect(kill).collect();
    for orphan in &orphans {
        // The orphan is our child. If it is not dead yet, the next call finds it again.
        let _ = waitid(WaitId::PidFd(orphan.as_fd()), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
    }
    !orphans.is_empty()
}

/// Kills the process that traces this one if it descends from a bot, which may be stopped: until a tracer lets go of a process,
/// nobody can reap it.
pub(super) fn end_tracer(of: Pid) {
    let Some(tracer) = usage::tracer(of) else { return };
    // As for orphans.
    if let Some(handle) = open(tracer).filter(|_| bots().launch_of(tracer).is_some()) {
        kill(&handle);
    }
}

/// Opens `child` if it is an orphan to be ended.
fn open_orphan(child: i32) -> Option<OwnedFd> {
    let bots = bots();
    if bots.is_known(child) {
        return None;
    }
    // Opened before the marks are read, so that both belong to the same process.
    let handle = open(child)?;
    let launch = bots.launch_of(child)?;
    (!bots.running.contains(&launch)).then_some(handle)
}

/// Waits for a millisecond.
pub(super) fn pause() {
    let moment = Timespec { tv_sec: 0, tv_nsec: 1_000_000 };
    let _ = poll(&mut [], Some(&moment));
}

/// Makes the file in memory with the process groups of the bots that run, for the guardian.
///
/// # Errors
/// The system gives no file.
pub(super) fn table() -> io::Result<File> {
    let mut bots = bots();
    if bots.table.is_none() {
        bots.table = Some(File::from(memfd_create("running bots", MemfdFlags::CLOEXEC)?));
        let places = bots.places.clone();
        places.into_iter().enumerate().for_each(|(at, pid)| bots.write(at, pid));
    }
    bots.table.as_ref().map_or_else(|| Err(io::ErrorKind::NotFound.into()), File::try_clone)
}

/// Notes that this child is the guardian.
pub(super) fn note_guardian(child: &Child) {
    bots().guardian = i32::try_from(child.id()).ok();
}

/// Ends the process groups in the [`table`] of an engine that is gone. A bot in a sandbox cannot leave its group, whatever it
/// does to its environment and with its first thread. A process without the mark of a bot has got the number of one since.
pub(super) fn end_groups(table: impl AsFd) {
    let mut numbers = Vec::new();
    let mut chunk = [0; 4096];
    while let Ok(read @ 1..) = pread(&table, &mut chunk, numbers.len() as u64) {
        numbers.extend_from_slice(&chunk[..read]);
    }
    for number in numbers.chunks_exact(4) {
        let number = number.iter().rev().fold(0, |number, byte| number << 8 | i32::from(*byte));
        let is_stranger = hard_lock_limit(number).is_some_and(|limit| limit >= *LOCK_LIMIT);
        if let Some(group) = Pid::from_raw(number).filter(|_| !is_stranger) {
            // One that is gone is not an error.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Bots {
    /// Puts a process in the place of another one, or in a free place.
    fn replace(&mut self, old: i32, new: i32) {
        let at = self.places.iter().position(|pid| *pid == old).unwrap_or(self.places.len());
        if at == self.places.len() {
            self.places.push(0);
        }
        self.places[at] = new;
        self.write(at, new);
    }

    fn write(&self, at: usize, pid: i32) {
        // Memory that is not there would be noticed elsewhere, and this is for an engine that is killed.
        let _ = self.table.as_ref().map(|table| table.write_at(&pid.to_le_bytes(), 4 * at as u64));
    }

    /// Numbers a new launch, which counts as running.
    fn next_launch(&mut self) -> u64 {
        self.launches += 1;
        self.running.insert(self.launches);
        self.launches
    }

    /// True for a process of which it is known that it is not an orphan: a bot that runs, or the guardian.
    fn is_known(&self, child: i32) -> bool {
        self.unreaped.contains_key(&child) || self.guardian == Some(child)
    }

    /// The launch from which a process descends. `None` for processes that do not descend from a bot.
    fn launch_of(&self, pid: i32) -> Option<u64> {
        let by_limit = || LOCK_LIMIT.checked_sub(hard_lock_limit(pid)?).filter(|it| (1..=self.launches).contains(it));
        let by_environment = || mark_of(pid)?.strip_prefix(run_mark())?.parse().ok();
        by_limit().or_else(by_environment)
    }
}

/// The hard limit `RLIMIT_LOCKS` of a process; `None` if the process is gone or belongs to another user.
#[expect(unsafe_code, reason = "rustix does not read the limits of another process without setting them")]
fn hard_lock_limit(pid: i32) -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: null is for no new limit, and the other pointer is to a live value of the right type.
    let read = unsafe { libc::prlimit(pid, libc::RLIMIT_LOCKS, ptr::null(), &mut limit) };
    (read == 0).then_some(limit.rlim_max)
}

/// The mark in the environment of a process; `None` if it has none or belongs to another user.
pub(super) fn mark_of(pid: i32) -> Option<String> {
    let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
    let prefix = format!("{MARK}=");
    let mark = environment.split(|byte| *byte == 0).find_map(|entry| entry.strip_prefix(prefix.as_bytes()))?;
    String::from_utf8(mark.to_vec()).ok()
}

/// The children of the first thread of this process, to which the kernel gives orphans.
fn children() -> Vec<i32> {
    // Read after every run of a bot, so the file is opened only once.
    static LIST: OnceLock<File> = OnceLock::new();
    let me = getpid().as_raw_pid();
    let Ok(list) = kept_open(&LIST, &format!("/proc/{me}/task/{me}/children")) else { return Vec::new() };
    let mut text = Vec::new();
    let mut chunk = [0; 1024];
    while let Ok(read @ 1..) = list.read_at(&mut chunk, text.len() as u64) {
        text.extend_from_slice(&chunk[..read]);
    }
    let text = String::from_utf8_lossy(&text);
    text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

/// All processes that descend from a process.
pub(super) fn descendants(of: i32) -> Vec<i32> {
    let mut found = Vec::new();
    let mut left = vec![of];
    while let Some(parent) = left.pop() {
        let children = usage::children(parent);
        found.extend(&children);
        left.extend(children);
    }
    found
}

/// The processes that a running bot started and whose parents are gone.
pub(super) fn orphans_of(bot: Pid) -> Vec<i32> {
    let children = children();
    let bots = bots();
    let Some(launch) = bots.unreaped.get(&bot.as_raw_pid()).copied() else { return Vec::new() };
    let is_orphan = |child: &i32| !bots.is_known(*child) && bots.launch_of(*child) == Some(launch);
    children.into_iter().filter(is_orphan).collect()
}

/// Opens a process, so that its number cannot be used again; `None` if it is gone.
pub(crate) fn open(pid: i32) -> Option<OwnedFd> {
    pidfd_open(Pid::from_raw(pid)?, PidfdFlags::empty()).ok()
}

/// Kills a process.
pub(super) fn kill(process: &OwnedFd) {
    // A process that is already gone is not an error.
    let _ = pidfd_send_signal(process, Signal::KILL);
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::kill_process;
    use std::os::unix::process::{CommandExt, ExitStatusExt};

    /// A table with the number of this process.
    fn table_of(child: &Child) -> File {
        let table = File::from(memfd_create("bots", MemfdFlags::CLOEXEC).unwrap());
        table.write_at(&child.id().to_le_bytes(), 0).unwrap();
        table
    }

    #[test]
    fn a_process_that_got_the_number_of_a_bot_is_not_ended() {
        let mut child = start_other(Command::new("sleep").arg("1000").process_group(0)).unwrap();
        end_groups(table_of(&child));
        // A process that is already being killed cannot end of anything else.
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(Signal::TERM.as_raw()));
    }
}
