//! Resources that a running process uses.

use arena::Excess;
use rustix::process::Pid;
use std::fs;
use std::time::Duration;

/// The allowed number of threads: more than any runtime starts by itself.
const MOST_THREADS: u64 = 1000;

/// The resource that the process uses too much of: resident memory above `most` bytes, which resource limits do not
/// count where it is shared; or threads, which no limit counts for root.
pub(super) fn excess(pid: Pid, most: u64) -> Option<Excess> {
    let status = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid())).ok()?;
    // After the name, which may contain anything but is followed by the last parenthesis.
    let fields: Vec<&str> = status.rsplit_once(')')?.1.split_whitespace().collect();
    // proc_pid_stat(5) counts from 1, and two fields are before these.
    let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
    let (threads, pages) = (field(20)?, field(24)?);
    if pages * rustix::param::page_size() as u64 > most {
        Some(Excess::Memory)
    } else if threads > MOST_THREADS {
        Some(Excess::Threads)
    } else {
        None
    }
}

/// The time for which a process was ready to run and had no processor: that of the thread which waited longest. Zero if
/// the kernel does not count it.
pub(super) fn queued(pid: Pid) -> Duration {
    let tasks = format!("/proc/{}/task", pid.as_raw_pid());
    let Ok(tasks) = fs::read_dir(tasks) else { return Duration::ZERO };
    let waited = tasks.flatten().filter_map(|task| {
        // Nanoseconds on a processor, nanoseconds waiting for one, how often.
        let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
    });
    waited.max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::getpid;

    #[test]
    fn this_process_uses_more_than_nothing_and_less_than_everything() {
        assert_eq!(excess(getpid(), 0), Some(Excess::Memory));
        assert_eq!(excess(getpid(), u64::MAX), None);
    }
}
