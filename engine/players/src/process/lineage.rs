//! Whose child is whose: every process that a bot starts can be found again, even one that left its group.
//!
//! Each bot finds a mark in its environment, which its children inherit. The engine adopts orphans, so a process that a
//! bot leaves behind becomes our child and is ended when the bot's turn is over. Should the engine itself be killed, the
//! [`super::guardian`] looks for the mark.

use super::command_line::{CommandLine, Started, kept_open};
use rustix::event::{Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, getpid, pidfd_open, pidfd_send_signal, set_child_subreaper, waitid,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockWriteGuard};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The environment variable that marks bots and all they start.
pub(super) const MARK: &str = "BROADSIDE_RUN";
/// How long the end of what a bot left behind is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// The processes of the present engine. There is one list, because there is one set of children.
static LIVE: LazyLock<Mutex<Live>> = LazyLock::new(Mutex::default);
/// Whether something may be left that only a look through all processes can find.
static GAVE_UP: AtomicBool = AtomicBool::new(false);

#[derive(Default)]
struct Live {
    /// The bots that are not reaped yet, with the number in their mark as long as they run.
    bots: BTreeMap<i32, Option<u64>>,
    /// Children that were there before the first bot.
    others: BTreeSet<i32>,
    adopting: bool,
    launches: u64,
}

fn live() -> MutexGuard<'static, Live> {
    // The list is right after every single change, so a panic elsewhere does not spoil it.
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the engine adopt orphans. To be called before the first bot starts; more than once is no more than once.
pub(super) fn adopt() -> io::Result<()> {
    let mut live = live();
    if !live.adopting {
        set_child_subreaper(Some(getpid()))?;
        live.others = children().into_iter().collect();
        live.adopting = true;
    }
    Ok(())
}

/// What the marks of this engine begin with.
pub(super) fn run_mark() -> &'static str {
    static RUN: OnceLock<String> = OnceLock::new();
    RUN.get_or_init(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        format!("{}-{}/", getpid().as_raw_pid(), now.as_nanos())
    })
}

/// Starts a bot with its mark, and tells when it was started: not when that was asked for, because others may be started
/// first. To be followed by [`dying`] and [`end`] in every case.
pub(super) fn start(command: CommandLine) -> io::Result<(Started, Instant)> {
    let _shared = MAKING.read().unwrap_or_else(PoisonError::into_inner);
    let launch = live().next_launch();
    let at = Instant::now();
    let started = command.env(MARK, format!("{}{launch}", run_mark())).start()?;
    live().bots.insert(started.process.pid.as_raw_pid(), Some(launch));
    Ok((started, at))
}

/// Shared by those who make processes, until these run their programs and are on the list, and held by those whom they
/// would disturb. For until then a process has no mark of its own, and has open what we have open: what somebody can write
/// to cannot be executed (`ETXTBSY`).
static MAKING: RwLock<()> = RwLock::new(());

/// Keeps processes from being made.
fn alone() -> RwLockWriteGuard<'static, ()> {
    MAKING.write().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a process that is no bot.
pub(super) fn start_other(command: &mut Command) -> io::Result<Child> {
    let _shared = MAKING.read().unwrap_or_else(PoisonError::into_inner);
    command.spawn()
}

/// Writes a file while no process is made that could keep it open.
pub(super) fn undisturbed<T>(write: impl FnOnce() -> T) -> T {
    let _alone = alone();
    write()
}

/// Notes that a bot is at its end: what it started is not spared any longer.
pub(super) fn dying(pid: Pid) {
    if let Some(launch) = live().bots.get_mut(&pid.as_raw_pid()) {
        *launch = None;
    }
}

/// Strikes a bot that has been reaped off the list, and ends whatever it left behind.
pub(super) fn end(pid: Pid) {
    live().bots.remove(&pid.as_raw_pid());
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

/// Kills what nobody vouches for and reaps what is dead of it, without waiting. Whether there was anything.
pub(super) fn end_strays() -> bool {
    // Most often there is nobody, and nobody who starts a bot has to be kept from it to see that.
    if children().into_iter().all(|child| live().knows(child)) {
        return false;
    }
    let _alone = alone();
    let live = live();
    let strays: Vec<i32> = children().into_iter().filter(|child| !live.spares(*child)).collect();
    // All are killed before any is reaped: one may hold on to another.
    let strays: Vec<OwnedFd> = strays.into_iter().filter_map(open).inspect(kill).collect();
    for stray in &strays {
        // It is our child; if it is not dead yet, the next look finds it again.
        let _ = waitid(WaitId::PidFd(stray.as_fd()), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
    }
    !strays.is_empty()
}

/// Gives the kernel a moment.
pub(super) fn pause() {
    let moment = Timespec { tv_sec: 0, tv_nsec: 1_000_000 };
    let _ = poll(&mut [], Some(&moment));
}

impl Live {
    /// A number for a mark.
    fn next_launch(&mut self) -> u64 {
        self.launches += 1;
        self.launches
    }

    /// Whether `child` is a bot that is not reaped yet, or was there before.
    fn knows(&self, child: i32) -> bool {
        self.bots.contains_key(&child) || self.others.contains(&child)
    }

    /// Whether `child` is to be left alone: a bot, a child of one that runs, or no bot's business.
    fn spares(&self, child: i32) -> bool {
        self.knows(child)
            || launch_of(child).is_some_and(|launch| self.bots.values().any(|running| *running == Some(launch)))
    }
}

/// The number in the mark of a process of this engine.
fn launch_of(pid: i32) -> Option<u64> {
    mark_of(pid)?.strip_prefix(run_mark())?.parse().ok()
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
