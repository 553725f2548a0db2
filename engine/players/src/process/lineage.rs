//! The process tree: finds every process that a bot starts, even one that left its group and its session.
//!
//! The engine adopts orphans (`PR_SET_CHILD_SUBREAPER`), so a process that a bot leaves behind becomes a child of the
//! engine, beside children that the program around the engine starts for itself. Two marks, both inherited by all that a
//! bot starts, tell a bot's processes from those:
//!
//! - a variable of its environment ([`MARK`]), by which the [`super::guardian`] finds bots when the engine was killed;
//! - a resource limit (`RLIMIT_LOCKS`) that Linux does not apply to anything. A process can wipe its environment, but only
//!   root can raise a limit again.
//!
//! A child with neither mark is left alone. So a process that wipes its environment, changes this limit and leaves its
//! group is not ended; in the sandbox no bot can have child processes at all.

use super::command_line::{CommandLine, Started, kept_open};
use rustix::event::{Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Resource, Signal, WaitId, WaitIdOptions, getpid, getrlimit, pidfd_open, pidfd_send_signal,
    set_child_subreaper, waitid,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::process::{Child, Command};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The environment variable that marks bots and all they start.
pub(super) const MARK: &str = "BROADSIDE_RUN";
/// How long the end of what a bot left behind is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// The processes of the present engine. There is one list, because there is one set of children.
static LIVE: LazyLock<Mutex<Live>> = LazyLock::new(Mutex::default);
/// Whether something may be left that only a look through all processes can find.
static GAVE_UP: AtomicBool = AtomicBool::new(false);
/// The limit for file locks from which the launch of a bot is subtracted: the engine's own or, where that is higher (as it
/// is on nearly all systems), a number that nobody else sets.
static LOCK_LIMIT: LazyLock<u64> =
    LazyLock::new(|| getrlimit(Resource::Locks).maximum.map_or(1 << 62, |own| own.min(1 << 62)));

/// Starts of bots are numbered from 1. The number is in both marks.
#[derive(Default)]
struct Live {
    /// The launches whose processes are spared: their bots run.
    running: BTreeSet<u64>,
    /// The launches of bots that are not reaped yet, by the number of their process.
    unreaped: BTreeMap<i32, u64>,
    adopting: bool,
    launches: u64,
}

fn live() -> MutexGuard<'static, Live> {
    // The list is right after every single change, so a panic elsewhere does not spoil it.
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the engine adopt orphans. To be called before the first bot starts. Calling it again has no further effect.
pub(super) fn adopt() -> io::Result<()> {
    let mut live = live();
    if !live.adopting {
        set_child_subreaper(Some(getpid()))?;
        live.adopting = true;
    }
    Ok(())
}

/// The beginning of all marks of this engine.
pub(super) fn run_mark() -> &'static str {
    static RUN: OnceLock<String> = OnceLock::new();
    RUN.get_or_init(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        format!("{}-{}/", getpid().as_raw_pid(), now.as_nanos())
    })
}

/// Starts a bot with its marks, and tells when it was started: not when that was asked for, because a file may be written
/// first. To be followed by [`dying`] and [`end`] in every case.
pub(super) fn start(command: CommandLine) -> io::Result<(Started, Instant)> {
    let _shared = MAKING.read().unwrap_or_else(PoisonError::into_inner);
    // It runs before it is made, so that no other thread ends it before its number is on the list.
    let launch = live().next_launch();
    let command = command.env(MARK, format!("{}{launch}", run_mark())).lock_limit(LOCK_LIMIT.checked_sub(launch));
    let at = Instant::now();
    let started = command.start();
    let mut live = live();
    match &started {
        Ok(started) => drop(live.unreaped.insert(started.process.pid.as_raw_pid(), launch)),
        Err(_) => drop(live.running.remove(&launch)),
    }
    Ok((started?, at))
}

/// Shared by those who make processes, until these run their programs, and held by those who write programs. For until then
/// a process has open what we have open, and a file that is open for writing cannot be executed (`ETXTBSY`).
static MAKING: RwLock<()> = RwLock::new(());

/// Starts a process that is no bot.
pub(super) fn start_other(command: &mut Command) -> io::Result<Child> {
    let _shared = MAKING.read().unwrap_or_else(PoisonError::into_inner);
    command.spawn()
}

/// Writes a file while no process is made that could keep it open.
pub(super) fn undisturbed<T>(write: impl FnOnce() -> T) -> T {
    let _alone = MAKING.write().unwrap_or_else(PoisonError::into_inner);
    write()
}

/// Notes that a bot is at its end: what it started is not spared any longer.
pub(super) fn dying(pid: Pid) {
    let mut live = live();
    if let Some(launch) = live.unreaped.get(&pid.as_raw_pid()).copied() {
        live.running.remove(&launch);
    }
}

/// Strikes a bot that has been reaped off the list, and ends whatever it left behind.
pub(super) fn end(pid: Pid) {
    live().unreaped.remove(&pid.as_raw_pid());
    let until = Instant::now() + PATIENCE;
    while end_strays() {
        if Instant::now() > until {
            GAVE_UP.store(true, Ordering::Relaxed);
            log::warn!("a bot starts processes faster than they can be ended");
            return;
        }
        pause();
    }
}

/// Whether something may be left.
pub(super) fn gave_up() -> bool {
    GAVE_UP.load(Ordering::Relaxed)
}

/// Kills orphans of bots that do not run any more and reaps those that are dead, without waiting. True if there were any.
pub(super) fn end_strays() -> bool {
    // All are killed before any is reaped: one may hold on to another.
    let strays: Vec<OwnedFd> = children().into_iter().filter_map(open_stray).inspect(kill).collect();
    for stray in &strays {
        // It is our child; if it is not dead yet, the next look finds it again.
        let _ = waitid(WaitId::PidFd(stray.as_fd()), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
    }
    !strays.is_empty()
}

/// Holds on to `child` if it is to be ended.
fn open_stray(child: i32) -> Option<OwnedFd> {
    let live = live();
    if live.unreaped.contains_key(&child) {
        return None;
    }
    // Opened before its marks are read, so that both are of the same process.
    let handle = open(child)?;
    let launch = live.launch_of(child)?;
    (!live.running.contains(&launch)).then_some(handle)
}

/// Gives the kernel a moment.
pub(super) fn pause() {
    let moment = Timespec { tv_sec: 0, tv_nsec: 1_000_000 };
    let _ = poll(&mut [], Some(&moment));
}

impl Live {
    /// A new launch, which runs.
    fn next_launch(&mut self) -> u64 {
        self.launches += 1;
        self.running.insert(self.launches);
        self.launches
    }

    /// The launch by which a process was started, directly or not. `None` for processes that are no bot's.
    fn launch_of(&self, pid: i32) -> Option<u64> {
        let by_limit = || LOCK_LIMIT.checked_sub(hard_lock_limit(pid)?).filter(|it| (1..=self.launches).contains(it));
        let by_environment = || mark_of(pid)?.strip_prefix(run_mark())?.parse().ok();
        by_limit().or_else(by_environment)
    }
}

/// The hard limit for file locks of a process whose limits we may see.
#[expect(unsafe_code, reason = "rustix does not read the limits of another process without setting them")]
fn hard_lock_limit(pid: i32) -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: null is for no new limit, and the other pointer is to a live value of the right type.
    let read = unsafe { libc::prlimit(pid, libc::RLIMIT_LOCKS, ptr::null(), &mut limit) };
    (read == 0).then_some(limit.rlim_max)
}

/// The mark in the environment of a process, if it has one that we may see.
pub(super) fn mark_of(pid: i32) -> Option<String> {
    let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
    let prefix = format!("{MARK}=");
    let mark = environment.split(|byte| *byte == 0).find_map(|entry| entry.strip_prefix(prefix.as_bytes()))?;
    String::from_utf8(mark.to_vec()).ok()
}

/// Our children as far as they may be orphans: those are given to the first thread.
fn children() -> Vec<i32> {
    // Read after every run of a bot, so it is not opened anew each time.
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

/// Holds on to a process, so that its number cannot become another's; `None` if it is gone.
pub(super) fn open(pid: i32) -> Option<OwnedFd> {
    pidfd_open(Pid::from_raw(pid)?, PidfdFlags::empty()).ok()
}

/// Ends a process.
pub(super) fn kill(process: &OwnedFd) {
    // Whoever is gone needs no killing.
    let _ = pidfd_send_signal(process, Signal::KILL);
}
