//! Resources that a running process uses.

use arena::Excess;
use rustix::process::Pid;
use std::fs::{self, DirEntry};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The allowed number of threads: more than any runtime starts by itself.
const MOST_THREADS: u64 = 1000;

/// The kernel memory that a socket may hold in its buffers, in bytes: Linux's usual limit for one direction. No limit of a
/// process counts it.
const SOCKET: u64 = 208 << 10;

/// The resource that the process uses too much of: resident memory and that of its sockets above `most` bytes, which
/// resource limits do not count where it is shared; or threads, which no limit counts for root.
pub(super) fn excess(pid: Pid, most: u64) -> Option<Excess> {
    let process = PathBuf::from(format!("/proc/{}", pid.as_raw_pid()));
    let threads = stat(&process)?.field(20)?;
    if threads > MOST_THREADS {
        return Some(Excess::Threads);
    }
    (memory(process)? > most).then_some(Excess::Memory)
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

/// The number of sockets that a process has open. Of one whose files nobody may look at (its program may be run and not read),
/// any file could be one.
fn sockets(task: &Path) -> u64 {
    let is_socket =
        |file: &DirEntry| fs::read_link(file.path()).is_ok_and(|to| to.as_os_str().as_bytes().starts_with(b"socket:"));
    match fs::read_dir(task.join("fd")) {
        Ok(files) => files.flatten().filter(is_socket).count() as u64,
        Err(e) if e.kind() == ErrorKind::PermissionDenied => status(task, "FDSize:").unwrap_or_default(),
        Err(_) => 0,
    }
}

/// As [`excess`], for these processes and all below them together: more than `processes`, or more than `most` bytes of memory.
pub(super) fn excess_of_all(first: &[Pid], most: u64, processes: usize) -> Option<Excess> {
    let mut below: Vec<String> = first.iter().map(|pid| pid.as_raw_pid().to_string()).collect();
    let (mut count, mut held) = (0, 0);
    while let Some(parent) = below.pop() {
        let threads = fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
        for thread in threads {
            let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            below.extend(children.split_whitespace().map(ToOwned::to_owned));
        }
        count += 1;
        if count > processes {
            return Some(Excess::Processes);
        }
        held += memory(PathBuf::from(format!("/proc/{parent}"))).unwrap_or_default();
    }
    (held > most).then_some(Excess::Memory)
}

/// The time for which this thread was ready to run and had no processor, since it began. Zero if the kernel does not count
/// it.
pub(super) fn waited() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let waited = text.split_whitespace().nth(1).and_then(|number| number.parse().ok());
    waited.map_or(Duration::ZERO, Duration::from_nanos)
}

/// The memory for the page tables of a process, in bytes, which pages that were only read take as well.
fn page_tables(task: &Path) -> u64 {
    status(task, "VmPTE:").unwrap_or_default() << 10
}

/// The number with this name in the `status` file of a process.
fn status(task: &Path, name: &str) -> Option<u64> {
    let status = fs::read_to_string(task.join("status")).ok()?;
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
    let process = PathBuf::from(format!("/proc/{}", pid.as_raw_pid()));
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
        assert_eq!(excess(getpid(), 0), Some(Excess::Memory));
        assert_eq!(excess(getpid(), u64::MAX), None);
    }
}
