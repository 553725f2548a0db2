//! The marks of an engine's bots, by which they and all that they start are told from other processes.
//!
//! Both marks are inherited, and hold the number of the launch:
//!
//! - a variable of the environment ([`MARK`]);
//! - a resource limit (`RLIMIT_LOCKS`) that Linux does not apply to anything. A process can wipe its environment, but only
//!   root can raise a limit again.

use rustix::process::{Resource, getpid, getrlimit};
use std::fs;
use std::ptr;
use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// The environment variable that marks a bot and everything that it starts.
pub(super) const MARK: &str = "BROADSIDE_RUN";
/// More launches than one engine makes.
const LAUNCHES: u64 = 1 << 32;
/// The highest limit that is used as a mark: usually there is none, and nobody else sets one as high as this.
const HIGHEST_LIMIT: u64 = 1 << 63;

/// The marks of all bots of one engine.
#[derive(Debug)]
pub(super) struct Marks {
    /// The beginning of the variable's value: the number of the engine's process and the time of its start.
    prefix: String,
    /// The limit from which the number of a launch is subtracted, a different one for each engine. `None` where the engine's own
    /// limit leaves no room, as deep inside of other engines.
    limit: Option<u64>,
    /// The limit of this process.
    own_limit: u64,
}

impl Marks {
    /// The marks of the bots of this process.
    pub(super) fn own() -> &'static Marks {
        static OWN: LazyLock<Marks> = LazyLock::new(|| {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            Marks::of(&format!("{}-{}/", getpid().as_raw_pid(), now.as_nanos()))
        });
        &OWN
    }

    /// The marks that have this prefix.
    pub(super) fn of(prefix: &str) -> Marks {
        let mut numbers = prefix.trim_end_matches('/').split('-').map(|number| number.parse().unwrap_or(0_u64));
        let (process, time) = (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
        // Linux numbers processes with 22 bits. The time tells engines of the same number in two containers apart.
        let engine = 1 + (process << 8 | time & 0xff);
        let own_limit = getrlimit(Resource::Locks).maximum.unwrap_or(libc::RLIM_INFINITY);
        let limit = own_limit.min(HIGHEST_LIMIT).checked_sub(engine * LAUNCHES);
        Marks { prefix: prefix.to_owned(), limit, own_limit }
    }

    /// The beginning of the variable's value.
    pub(super) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// The value of the variable for this launch.
    pub(super) fn variable(&self, launch: u64) -> String {
        format!("{}{launch}", self.prefix)
    }

    /// The limit for this launch.
    pub(super) fn limit(&self, launch: u64) -> Option<u64> {
        self.limit?.checked_sub(launch)
    }

    /// The launch from which a process descends; `None` for a process that does not descend from a bot of this engine, or that is
    /// gone.
    pub(super) fn launch_of(&self, pid: i32) -> Option<u64> {
        let by_limit = || self.limit?.checked_sub(hard_lock_limit(pid)?).filter(|it| (1..LAUNCHES).contains(it));
        let by_environment = || mark_of(pid)?.strip_prefix(&self.prefix)?.parse().ok();
        by_limit().or_else(by_environment)
    }

    /// True for a process that cannot descend from a bot of this engine: it has no mark, and its limit was never lowered, though
    /// every bot's is.
    pub(super) fn excludes(&self, pid: i32) -> bool {
        let is_lowered = hard_lock_limit(pid).is_none_or(|limit| limit < self.own_limit);
        self.limit.is_some() && !is_lowered && self.launch_of(pid).is_none()
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
fn mark_of(pid: i32) -> Option<String> {
    let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
    let prefix = format!("{MARK}=");
    let mark = environment.split(|byte| *byte == 0).find_map(|entry| entry.strip_prefix(prefix.as_bytes()))?;
    String::from_utf8(mark.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_have_limits_of_their_own() {
        let [one, other, contained] = ["17-1000/", "18-1000/", "17-1001/"].map(Marks::of);
        let most = |marks: &Marks| marks.limit(1).unwrap();
        let least = |marks: &Marks| marks.limit(LAUNCHES - 1).unwrap();
        assert!(least(&one) > most(&other) && least(&one) > most(&contained));
        assert_eq!(one.variable(3), "17-1000/3");
        let last = Marks::of(&format!("{}-{}/", (1 << 22) - 1, u64::MAX));
        assert!(last.limit(LAUNCHES - 1).is_some(), "there is room for every process");
    }
}
