//! Whose child is whose: every process that a bot starts can be found again, even one that left its group.
//!
//! Each bot finds a mark in its environment, which its children inherit. The engine adopts orphans, so a process that a
//! bot leaves behind becomes our child and is ended when the bot's turn is over. Should the engine itself be killed, the
//! [`super::guardian`] looks for the mark.

use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, getpid, pidfd_open, pidfd_send_signal, set_child_subreaper, waitid,
};
use std::collections::{BTreeMap, BTreeSet};
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, Command};
use std::sync::{LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fs, io};

/// The environment variable that marks bots and all they start.
pub(super) const MARK: &str = "BROADSIDE_RUN";
/// How often the orphans of a bot are looked for: each look can only find what those before it set free.
const LOOKS: u32 = 100;

/// The processes of the present engine. There is one list, because there is one set of children.
static LIVE: LazyLock<Mutex<Live>> = LazyLock::new(Mutex::default);

#[derive(Default)]
struct Live {
    /// The bots that run now, with the number in their mark.
    bots: BTreeMap<i32, u64>,
    /// Children that were there before the first bot.
    others: BTreeSet<i32>,
    launches: u64,
}

fn live() -> MutexGuard<'static, Live> {
    // The list is right after every single change, so a panic elsewhere does not spoil it.
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the marks of this engine begin with.
pub(super) fn run_mark() -> &'static str {
    static RUN: OnceLock<String> = OnceLock::new();
    RUN.get_or_init(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        format!("{}-{}/", getpid().as_raw_pid(), now.as_nanos())
    })
}

/// Starts a bot with its mark. To be followed by [`end`] in every case.
pub(super) fn start(command: &mut Command) -> io::Result<Child> {
    // The lock is held while the process is made: until it runs its own program it has no mark of its own.
    let mut live = live();
    if live.launches == 0 {
        set_child_subreaper(Some(getpid()))?;
        live.others = children().into_iter().collect();
    }
    live.launches += 1;
    let launch = live.launches;
    let child = command.env(MARK, format!("{}{launch}", run_mark())).spawn()?;
    live.bots.insert(child.id() as i32, launch);
    Ok(child)
}

/// Strikes a bot that has been reaped off the list, and ends whatever it left behind.
pub(super) fn end(pid: Pid) {
    let mut live = live();
    live.bots.remove(&pid.as_raw_pid());
    for _ in 0..LOOKS {
        let orphans: Vec<i32> = children().into_iter().filter(|child| !live.spares(*child)).collect();
        if orphans.is_empty() {
            return;
        }
        for orphan in orphans {
            kill_and_reap(orphan);
        }
    }
    log::warn!("a bot starts processes faster than they can be ended");
}

impl Live {
    /// Whether `child` is to be left alone: a bot that runs, an orphan of one, or no bot's business.
    fn spares(&self, child: i32) -> bool {
        self.bots.contains_key(&child)
            || self.others.contains(&child)
            || launch_of(child).is_some_and(|launch| self.bots.values().any(|live| *live == launch))
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
    let me = getpid().as_raw_pid();
    let list = fs::read_to_string(format!("/proc/{me}/task/{me}/children")).unwrap_or_default();
    list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

fn kill_and_reap(pid: i32) {
    let Some(process) = Pid::from_raw(pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok()) else { return };
    kill(&process);
    // It is our child and has been sent the one signal nobody survives.
    let _ = waitid(WaitId::PidFd(process.as_fd()), WaitIdOptions::EXITED);
}

/// Ends a process, whoever has its number by now.
pub(super) fn kill(process: &OwnedFd) {
    let _ = pidfd_send_signal(process, Signal::KILL);
}
