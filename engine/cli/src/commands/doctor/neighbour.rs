//! Other programs that use the processors, measured for a moment.

use super::machine::timing;
use crate::show::{Finding, State};
use platform::process::this_thread_waited;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// More than this share of the time is worth a word.
const MUCH: f64 = 0.03;

/// Keeps every processor busy for this time, and tells for how much of it a thread had to wait, and how much of it the host of
/// a virtual machine took.
pub(super) fn findings(root: &Path, time: Duration) -> Vec<Finding> {
    let before = stolen(root);
    let waited = waited(time);
    let taken = before.zip(stolen(root)).map(|(before, after)| after.saturating_sub(before).as_secs_f64());
    let processors = thread::available_parallelism().map_or(1, usize::from) as f64;
    let taken = taken.map(|taken| taken / (time.as_secs_f64() * processors));
    let mut findings = vec![neighbours(waited.map(|waited| waited.as_secs_f64() / time.as_secs_f64()))];
    findings.extend(taken.filter(|share| *share > MUCH).map(|share| {
        let text = format!("host: it took {:.0} % of the processors' time from this virtual machine", share * 100.0);
        timing(State::Note, text, Some("play where nobody else computes, or with fewer games at a time (-j)"))
    }));
    findings
}

fn neighbours(share: Option<f64>) -> Finding {
    match share {
        None => timing(State::Note, "other programs: the kernel does not count waiting times".to_owned(), None),
        Some(share) if share > MUCH => {
            let text =
                format!("other programs: a busy thread waited {:.0} % of the time for a processor", share * 100.0);
            timing(State::Note, text, Some("end them (top lists them), or use fewer processors with -j"))
        }
        Some(_) => timing(State::Fine, "other programs: none that matter at the moment".to_owned(), None),
    }
}

/// The longest time for which one of as many threads as processors waited, all of them busy for `time`.
fn waited(time: Duration) -> Option<Duration> {
    let busy = move || {
        let end = Instant::now() + time;
        while Instant::now() < end {
            std::hint::spin_loop();
        }
        this_thread_waited()
    };
    let count = thread::available_parallelism().map_or(1, usize::from);
    let threads: Vec<_> = (0..count).map(|_| thread::spawn(busy)).collect();
    threads.into_iter().filter_map(|thread| thread.join().ok().flatten()).max()
}

/// The time that the host of a virtual machine took from its processors since the start; `None` if it is not known.
fn stolen(root: &Path) -> Option<Duration> {
    let text = fs::read_to_string(root.join("proc/stat")).ok()?;
    let steal: u64 = text.lines().next()?.split_whitespace().nth(8)?.parse().ok()?;
    // Hundredths of a second.
    Some(Duration::from_millis(10 * steal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_machine_is_told() {
        assert_eq!(neighbours(Some(0.01)).state, State::Fine);
        let busy = neighbours(Some(0.4));
        assert!(busy.state == State::Note && busy.text.contains("40 %"), "{}", busy.text);
        assert_eq!(neighbours(None).state, State::Note);
    }

    #[test]
    fn waiting_and_stolen_times_are_read() {
        assert!(waited(Duration::from_millis(20)).is_some());
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("proc")).unwrap();
        fs::write(root.path().join("proc/stat"), "cpu  1 2 3 4 5 6 7 850 9 10\ncpu0 1 2\n").unwrap();
        assert_eq!(stolen(root.path()), Some(Duration::from_millis(8500)));
        assert_eq!(stolen(Path::new("/nowhere")), None);
    }
}
