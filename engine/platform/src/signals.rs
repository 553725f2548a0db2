//! Signals that ask the program to stop: SIGINT (Ctrl-C), SIGTERM and SIGHUP.

use crate::wait::Flag;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, low_level};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Lets the first signal raise this flag from now on, and the second end the program at once with this exit status. Before
/// that, a signal ends the program at once.
///
/// # Errors
/// The system refuses a signal handler, or has no file descriptors for a pipe.
pub fn raise_on_stop(raised: &Flag, status: i32) -> io::Result<()> {
    raise_on(&[(SIGINT, raised), (SIGTERM, raised), (SIGHUP, raised)], status)
}

/// Lets SIGTERM raise `finish` from now on, and SIGINT and SIGHUP `stop`. The second signal ends the program at once with this
/// exit status.
///
/// # Errors
/// As [`raise_on_stop`].
pub fn raise_on_finish_or_stop(finish: &Flag, stop: &Flag, status: i32) -> io::Result<()> {
    raise_on(&[(SIGINT, stop), (SIGTERM, finish), (SIGHUP, stop)], status)
}

fn raise_on(signals: &[(i32, &Flag)], status: i32) -> io::Result<()> {
    let again = Arc::new(AtomicBool::new(false));
    for &(signal, raised) in signals.iter().filter(|(signal, _)| !is_ignored(*signal)) {
        // In this order: the first signal finds the flag false and sets it, the second finds it true.
        flag::register_conditional_shutdown(signal, status, Arc::clone(&again))?;
        flag::register(signal, Arc::clone(&again))?;
        let (was_raised, writer) = raised.raised_by()?;
        flag::register(signal, was_raised)?;
        low_level::pipe::register(signal, writer)?;
    }
    Ok(())
}

/// True if the parent process, such as nohup, has set this signal to be ignored.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).map(str::trim);
    let mask = mask.and_then(|mask| u64::from_str_radix(mask, 16).ok()).unwrap_or_default();
    mask & 1 << (signal - 1) != 0
}
