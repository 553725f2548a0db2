//! Resources that a running process uses.

use super::bot_process::BotProcess;
use super::start::kept_open;
use crate::sandbox::Namespaces;
use rustix::process::Pid;
use std::fs::{self, DirEntry, File};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

/// The kernel memory that a socket may hold in its buffers, in bytes: Linux's usual limit for one direction. No limit of a
/// process counts it.
const SOCKET: u64 = 208 << 10;

/// The number of threads of a process; `None` if it has ended.
pub(super) fn threads(pid: Pid) -> Option<u64> {
    stat(&folder(pid))?.field(20)
}

/// The files of one process that tell of it, kept open: opening and reading them anew would take half of the time of a turn of a
/// quick bot that stays.
#[derive(Debug, Default)]
pub(super) struct ProcessFiles {
    stat: OnceLock<File>,
    status: OnceLock<File>,
    children: OnceLock<File>,
    system_call: OnceLock<File>,
}

impl ProcessFiles {
    /// The processor time of the process and of those of its children that it waited for, and the most memory that it had
    /// resident at a time, in bytes. `None` if it has ended.
    pub(super) fn used(&self, pid: Pid) -> Option<(Duration, u64)> {
        let stat = Stat(read_again(&self.stat, pid, "stat")?);
        // In hundredths of a second.
        let children = Duration::from_millis(10 * (stat.field(16)? + stat.field(17)?));
        // Not told of a process whose first thread has ended.
        let peak = number_in(&read_again(&self.status, pid, "status")?, "VmHWM:").unwrap_or_default();
        Some((clock(pid)? + children, peak << 10))
    }

    /// The children of the process.
    pub(super) fn children(&self, pid: Pid) -> Vec<i32> {
        if !self.is_one_thread(pid) {
            return children(pid.as_raw_pid());
        }
        let list = read_again(&self.children, pid, &format!("task/{}/children", pid.as_raw_pid()));
        numbers(&list.unwrap_or_default()).collect()
    }

    /// As [`has_left_processors`].
    pub(super) fn has_left_processors(&self, pid: Pid) -> bool {
        if !self.is_one_thread(pid) {
            return has_left_processors(pid);
        }
        read_again(&self.system_call, pid, "syscall").is_none_or(|call| !call.starts_with(ON_PROCESSOR))
    }

    fn is_one_thread(&self, pid: Pid) -> bool {
        read_again(&self.stat, pid, "stat").is_some_and(|text| Stat(text).field(20) == Some(1))
    }
}

/// The system call of a thread that has a processor, as proc_pid_syscall(5) tells it.
const ON_PROCESSOR: &str = "running";

/// The text of a file of a process, which is opened the first time.
fn read_again(file: &OnceLock<File>, pid: Pid, name: &str) -> Option<String> {
    let file = match file.get() {
        Some(file) => file,
        None => kept_open(file, &format!("/proc/{}/{name}", pid.as_raw_pid())).ok()?,
    };
    let mut text = Vec::new();
    let mut chunk = [0; 4096];
    // Of such a file a read gives all that fits.
    loop {
        let read = file.read_at(&mut chunk, text.len() as u64).ok()?;
        text.extend_from_slice(&chunk[..read]);
        if read < chunk.len() {
            return Some(String::from_utf8_lossy(&text).into_owned());
        }
    }
}

fn numbers(list: &str) -> impl Iterator<Item = i32> {
    list.split_whitespace().filter_map(|number| number.parse().ok())
}

/// The process that traces this one, if there is one.
pub(super) fn tracer(pid: Pid) -> Option<i32> {
    status(&folder(pid), "TracerPid:").filter(|tracer| *tracer != 0)?.try_into().ok()
}

/// The processor time of all threads of a process; `None` if it is gone.
#[expect(unsafe_code, reason = "rustix does not read the clock of another process")]
pub(super) fn clock(pid: Pid) -> Option<Duration> {
    let mut clock = 0;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: both pointers are to live values of the right types.
    let is_read = unsafe {
        libc::clock_getcpuclockid(pid.as_raw_pid(), &mut clock) == 0 && libc::clock_gettime(clock, &mut time) == 0
    };
    is_read.then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

/// True if no thread of a stopped process is on a processor, as far as the system tells it. Where it does, it waits until a thread that
/// is called stopped has left its processor (proc_pid_syscall(5)).
pub(super) fn has_left_processors(pid: Pid) -> bool {
    let threads = fs::read_dir(folder(pid).join("task")).into_iter().flatten().flatten();
    let mut calls = threads.filter_map(|thread| fs::read(thread.path().join("syscall")).ok());
    calls.all(|call| !call.starts_with(ON_PROCESSOR.as_bytes()))
}

/// The processor time of a thread, by its folder in `/proc`, in hundredths of a second.
pub(super) fn processor_time_of_thread(thread: &Path) -> Option<u64> {
    let stat = stat(thread)?;
    Some(stat.field(14)? + stat.field(15)?)
}

/// The children of a process.
pub(super) fn children(of: i32) -> Vec<i32> {
    let threads = fs::read_dir(format!("/proc/{of}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| numbers(&list).collect::<Vec<_>>()).collect()
}

/// True if a process is stopped or has ended.
pub(super) fn stands_still(pid: i32) -> bool {
    let state = stat(Path::new(&format!("/proc/{pid}")));
    state.is_none_or(|stat| matches!(stat.state(), "T" | "Z" | "X"))
}

/// True if a process has ended, whether it has been reaped or not.
pub(super) fn has_ended(pid: i32) -> bool {
    let stat = stat(Path::new(&format!("/proc/{pid}")));
    // The state is that of the first thread, which may end before others.
    stat.is_none_or(|stat| matches!(stat.state(), "Z" | "X") && stat.field(20).is_none_or(|threads| threads <= 1))
}

/// As [`memory`].
pub(super) fn memory_of(pid: Pid) -> Option<u64> {
    memory(folder(pid))
}

fn folder(pid: Pid) -> PathBuf {
    PathBuf::from(format!("/proc/{}", pid.as_raw_pid()))
}

/// The memory that a process holds, in bytes: resident memory, page tables, and what its sockets may hold. `None` if it has
/// ended.
fn memory(process: PathBuf) -> Option<u64> {
    // A first thread that has ended, while others go on, has neither memory nor files.
    let alive = |task: &PathBuf| stat(task).is_some_and(|stat| stat.state() != "Z");
    let task = if alive(&process) {
        process
    } else {
        fs::read_dir(process.join("task")).ok()?.flatten().map(|task| task.path()).find(alive)?
    };
    let resident = stat(&task)?.field(24)? * rustix::param::page_size() as u64;
    Some(resident + page_tables(&task) + sockets(&task) * SOCKET)
}

/// The number of sockets that a process has open. If its descriptors cannot be read (its program is executable but not
/// readable), counts every one as a socket.
fn sockets(task: &Path) -> u64 {
    let is_socket =
        |file: &DirEntry| fs::read_link(file.path()).is_ok_and(|to| to.as_os_str().as_bytes().starts_with(b"socket:"));
    match fs::read_dir(task.join("fd")) {
        Ok(files) => files.flatten().filter(is_socket).count() as u64,
        Err(e) if e.kind() == ErrorKind::PermissionDenied => status(task, "FDSize:").unwrap_or_default(),
        Err(_) => 0,
    }
}

/// The memory that a bot holds in its namespaces, in bytes: its process and the first one there, with all below them. `None`
/// if these are more than so many `processes`.
pub fn memory_of_all(bot: &BotProcess, namespaces: &Namespaces, processes: usize) -> Option<u64> {
    let mut below: Vec<i32> = [bot.pid(), namespaces.pid].iter().map(|pid| pid.as_raw_pid()).collect();
    let (mut count, mut held) = (0, 0);
    while let Some(parent) = below.pop() {
        below.extend(children(parent));
        count += 1;
        if count > processes {
            return None;
        }
        held += memory(PathBuf::from(format!("/proc/{parent}"))).unwrap_or_default();
    }
    Some(held)
}

/// The time for which this thread was ready to run and had no processor, since it began. `None` if the kernel does not count
/// it.
pub fn this_thread_waited() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

/// The memory for the page tables of a process, in bytes, which pages that were only read take as well.
fn page_tables(task: &Path) -> u64 {
    status(task, "VmPTE:").unwrap_or_default() << 10
}

/// The number with this name in the `status` file of a process.
fn status(task: &Path, name: &str) -> Option<u64> {
    number_in(&fs::read_to_string(task.join("status")).ok()?, name)
}

/// The number with this name in the text of a `status` file.
fn number_in(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
}

/// The text of a `stat` file of a process or thread.
struct Stat(String);

fn stat(task: &Path) -> Option<Stat> {
    fs::read_to_string(task.join("stat")).ok().map(Stat)
}

impl Stat {
    /// The fields after the name, which may contain anything but is followed by the last parenthesis.
    fn fields(&self) -> impl Iterator<Item = &str> {
        self.0.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace()
    }

    fn state(&self) -> &str {
        self.fields().next().unwrap_or_default()
    }

    /// The field with this number in proc_pid_stat(5), which counts from 1; the third is the first after the name.
    fn field(&self, number: usize) -> Option<u64> {
        self.fields().nth(number - 3)?.parse().ok()
    }
}

/// The time for which a process was ready to run and had no processor because of others: that of the thread which waited
/// longest, less the time for which other threads of the process ran. Zero if the kernel does not count it.
///
/// A thread can wait for its own process: without the subtraction a bot with many busy threads would seem to be slowed
/// down by the machine.
pub(super) fn queued(pid: Pid) -> Duration {
    let process = folder(pid);
    let tasks = fs::read_dir(process.join("task")).into_iter().flatten().flatten();
    let threads = tasks.filter_map(|task| {
        // Nanoseconds on a processor, nanoseconds waiting for one, how often.
        let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
        let mut numbers = text.split_whitespace().map_while(|number| number.parse().ok().map(Duration::from_nanos));
        Some((numbers.next()?, numbers.next()?))
    });
    let threads: Vec<_> = threads.collect();
    // Also of threads that have ended, in hundredths of a second.
    let ran = |stat: Stat| Some(Duration::from_millis(10 * (stat.field(14)? + stat.field(15)?)));
    waited_for_others(&threads, stat(&process).and_then(ran).unwrap_or_default())
}

/// Of threads that ran and waited for so long, the longest wait that others of the process cannot have caused, which ran for
/// `all` in sum.
fn waited_for_others(threads: &[(Duration, Duration)], all: Duration) -> Duration {
    let all = all.max(threads.iter().map(|(ran, _)| ran).sum());
    threads.iter().map(|(ran, waited)| waited.saturating_sub(all - *ran)).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::getpid;

    #[test]
    fn waiting_for_ones_own_threads_does_not_count() {
        let ms = |ran, waited| (Duration::from_millis(ran), Duration::from_millis(waited));
        let waited = |threads: &[_]| waited_for_others(threads, Duration::ZERO).as_millis();
        assert_eq!(waited(&[ms(1000, 1000)]), 1000, "one thread beside a busy stranger");
        assert_eq!(waited(&[ms(1000, 1000), ms(1000, 1000)]), 0, "two threads on one processor");
        assert_eq!(waited(&[ms(100, 3900); 40]), 0, "40 threads on one processor");
        assert_eq!(waited(&[ms(500, 2000), ms(200, 100)]), 1800, "a busy machine, and a helper thread");
        assert_eq!(waited(&[]), 0);
        let ended = waited_for_others(&[ms(1000, 1000)], Duration::from_secs(2));
        assert_eq!(ended.as_millis(), 0, "a thread that has ended was on the processor");
    }

    #[test]
    fn this_process_uses_more_than_nothing_and_less_than_everything() {
        assert!(memory_of(getpid()).is_some_and(|bytes| (1..1 << 40).contains(&bytes)));
        assert!(threads(getpid()).is_some_and(|threads| (1..1000).contains(&threads)));
    }
}
