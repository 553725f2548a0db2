//! The process tree: finds every process that a bot starts, even one that left its process group and its session.
//!
//! The engine adopts orphans (`PR_SET_CHILD_SUBREAPER`), so a process that a bot leaves behind becomes a child of the
//! engine, beside children that the program around the engine starts for itself. [`Marks`] tell a bot's processes from those. A
//! child without a mark is left alone. So a process that wipes its environment, changes its limit and leaves its
//! process group is not ended. In the sandbox no bot can have child processes where the kernel filters system calls.

use super::command_line::CommandLine;
use super::guardian_table::{self, GroupPlace};
use super::marks::{MARK, Marks};
use super::start::{StartedBot, kept_open};
use super::usage;
use crate::locks::lock;
use rustix::event::{Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, getpid, kill_process_group, pidfd_open, pidfd_send_signal,
    set_child_subreaper, waitid,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// The place where the system lists its processes, for messages.
pub const PROCESSES: &str = "/proc";
/// Time limit for ending the orphans of a bot.
const ORPHAN_TIMEOUT: Duration = Duration::from_secs(2);
/// Time limit for ending all that is found among all processes, of which a scan can miss those that are started meanwhile.
const SCAN_TIMEOUT: Duration = Duration::from_secs(60);

/// The bots of this process. There is one list, because a process has one set of children.
static BOTS: LazyLock<Mutex<Bots>> = LazyLock::new(Mutex::default);
/// True after [`ORPHAN_TIMEOUT`] has passed: orphans may be left that only a scan of all processes finds.
static MAY_HAVE_LEFT_ORPHANS: AtomicBool = AtomicBool::new(false);

/// Launches are numbered from 1. Both marks hold this number.
#[derive(Default)]
struct Bots {
    /// Launches whose bots still run. Their processes are not ended.
    running: BTreeSet<u64>,
    /// The bots that are not reaped yet, by process number.
    unreaped: BTreeMap<i32, Launched>,
    adopting: bool,
    /// The number of the guardian's process.
    guardian: Option<i32>,
    launches: u64,
}

/// A bot that is not reaped yet.
struct Launched {
    launch: u64,
    /// The place of its process group, which is free once it is reaped.
    _place: GroupPlace,
}

fn bots() -> MutexGuard<'static, Bots> {
    lock(&BOTS)
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
    Marks::own().prefix()
}

/// Starts a bot with both marks, by which all that it starts is ended with it. The start may be later than the call, because a
/// file may have to be written first.
///
/// # Errors
/// The process cannot be made, or cannot run its program.
pub fn start_bot(command: CommandLine) -> io::Result<StartedBot> {
    let _shared = SPAWNING.read().unwrap_or_else(PoisonError::into_inner);
    // Before the process exists, so that the guardian knows of it from its first moment.
    let place = GroupPlace::take()?;
    // The launch counts as running before its process exists, so that no other thread ends this process before it is in
    // the list.
    let launch = bots().next_launch();
    let marks = Marks::own();
    let command = command.env(MARK, marks.variable(launch)).lock_limit(marks.limit(launch));
    let started = command.start(&place);
    let mut bots = bots();
    match &started {
        Ok(bot) => drop(bots.unreaped.insert(bot.process.pid().as_raw_pid(), Launched { launch, _place: place })),
        Err(_) => drop(bots.running.remove(&launch)),
    }
    started
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
    if let Some(launch) = bots.launch_of_bot(pid) {
        bots.running.remove(&launch);
    }
}

/// Removes a bot that has been reaped from the list, and ends its orphans.
pub(super) fn bot_ended(pid: Pid) {
    bots().unreaped.remove(&pid.as_raw_pid());
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

/// Ends the orphans of bots that ended while they started processes faster than these could be ended. Without such bots it does
/// nothing.
pub fn end_missed_orphans() {
    if MAY_HAVE_LEFT_ORPHANS.swap(false, Ordering::Relaxed) {
        // The list of processes could be read when a bot's processor time was.
        let _ = end_all(open_orphan);
        end_orphans();
    }
}

/// Kills every process that `choose` opens, until there is none that has not ended.
///
/// # Errors
/// [`PROCESSES`] cannot be read.
fn end_all(choose: impl Fn(i32) -> Option<OwnedFd>) -> io::Result<()> {
    let until = Instant::now() + SCAN_TIMEOUT;
    loop {
        let mut found = false;
        for entry in fs::read_dir(PROCESSES)? {
            let Some(pid) = entry?.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
            // Some that have ended are never reaped: this process may not be their parent, or not the only one that reaps.
            if let Some(process) = choose(pid).filter(|_| !usage::has_ended(pid)) {
                kill(&process);
                found = true;
            }
        }
        if !found || Instant::now() > until {
            return Ok(());
        }
        pause();
    }
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
    if let Some(handle) = open(tracer).filter(|_| Marks::own().launch_of(tracer).is_some()) {
        kill(&handle);
    }
}

/// Opens a process if it is an orphan to be ended.
fn open_orphan(child: i32) -> Option<OwnedFd> {
    let bots = bots();
    if bots.is_known(child) {
        return None;
    }
    // Opened before the marks are read, so that both belong to the same process.
    let handle = open(child)?;
    let launch = Marks::own().launch_of(child)?;
    (!bots.running.contains(&launch)).then_some(handle)
}

/// Waits for a millisecond.
pub(super) fn pause() {
    let moment = Timespec { tv_sec: 0, tv_nsec: 1_000_000 };
    let _ = poll(&mut [], Some(&moment));
}

/// Notes that this child is the guardian.
pub(super) fn note_guardian(child: &Child) {
    bots().guardian = i32::try_from(child.id()).ok();
}

/// Ends the bots of an engine that is gone, by its `table` and by the `prefix` of its marks.
///
/// A bot in a sandbox cannot leave its process group, whatever it does to its marks and with its first thread. A number in the table may
/// be that of a bot that has ended, and another process may have it now.
///
/// # Errors
/// [`PROCESSES`] cannot be read.
pub(super) fn end_bots_of(prefix: &str, table: impl AsFd) -> io::Result<()> {
    let marks = Marks::of(prefix);
    for number in guardian_table::groups(table) {
        // A group may be left without its first process.
        if let Some(group) = Pid::from_raw(number).filter(|_| !marks.excludes(number)) {
            // One that is gone is not an error.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
    // Opened before the marks are read, so that both belong to the same process.
    end_all(|pid| open(pid).filter(|_| marks.launch_of(pid).is_some()))
}

impl Bots {
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

    /// The launch of a bot that is not reaped yet.
    fn launch_of_bot(&self, pid: Pid) -> Option<u64> {
        self.unreaped.get(&pid.as_raw_pid()).map(|bot| bot.launch)
    }
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
    let Some(launch) = bots.launch_of_bot(bot) else { return Vec::new() };
    let is_orphan = |child: &i32| !bots.is_known(*child) && Marks::own().launch_of(*child) == Some(launch);
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
    use rustix::fs::{MemfdFlags, memfd_create};
    use rustix::process::kill_process;
    use std::os::unix::process::{CommandExt, ExitStatusExt};

    /// A table with the number of this process.
    fn table_of(child: &Child) -> File {
        let table = File::from(memfd_create("bots", MemfdFlags::CLOEXEC).unwrap());
        table.write_at(&child.id().to_ne_bytes(), 0).unwrap();
        table
    }

    #[test]
    fn a_process_that_got_the_number_of_a_bot_is_not_ended() {
        let mut child = start_other(Command::new("sleep").arg("1000").process_group(0)).unwrap();
        end_bots_of("1-1/", table_of(&child)).unwrap();
        // A process that is already being killed cannot end of anything else.
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(Signal::TERM.as_raw()));
    }
}
