//! Signals that ask the program to stop: SIGINT (Ctrl-C), SIGTERM, SIGHUP and SIGQUIT (Ctrl-\); and those of the limits of the
//! shell, `ulimit`.

use crate::wait::Flag;
use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
use signal_hook::{flag, low_level};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Lets a write fail that would make a file larger than the limit (`ulimit -f`), from now on: its signal would end the program
/// without a word. Programs that are started afterwards have the usual action of the signal, as it is with every handler.
///
/// # Errors
/// The system refuses a signal handler.
pub fn let_large_writes_fail() -> io::Result<()> {
    flag::register(SIGXFSZ, Arc::clone(flag_of(&TOO_LARGE))).map(drop)
}

/// The error of a write that has failed because of the limit for the size of files, for those whose library does not tell it;
/// `None` if no write has failed so.
pub fn size_limit_error() -> Option<io::Error> {
    flag_of(&TOO_LARGE).load(Ordering::SeqCst).then(|| Errno::FBIG.into())
}

/// Lets the first signal raise this flag from now on, and the second end the program at once with this exit status. Before
/// that, a signal ends the program at once. The end of the processor time raises the flag, too.
///
/// # Errors
/// The system refuses a signal handler, or has no file descriptors for a pipe.
pub fn raise_on_stop(raised: &Flag, status: i32) -> io::Result<()> {
    raise_on(&[(SIGINT, raised), (SIGTERM, raised), (SIGHUP, raised), (SIGQUIT, raised)], status)?;
    raise_on_end_of_time(raised)
}

/// Lets SIGTERM raise `finish` from now on, and the other signals `stop`. The second signal ends the program at once with this
/// exit status.
///
/// # Errors
/// As [`raise_on_stop`].
pub fn raise_on_finish_or_stop(finish: &Flag, stop: &Flag, status: i32) -> io::Result<()> {
    raise_on(&[(SIGINT, stop), (SIGTERM, finish), (SIGHUP, stop), (SIGQUIT, stop)], status)?;
    raise_on_end_of_time(stop)
}

/// Tells whether this process has used all the processor time that it may (`ulimit -t`), since the first flag was to be raised.
pub fn is_out_of_time() -> bool {
    flag_of(&OUT_OF_TIME).load(Ordering::SeqCst)
}

type SignalFlag = OnceLock<Arc<AtomicBool>>;

static TOO_LARGE: SignalFlag = OnceLock::new();
static OUT_OF_TIME: SignalFlag = OnceLock::new();

fn flag_of(flag: &'static SignalFlag) -> &'static Arc<AtomicBool> {
    flag.get_or_init(Arc::default)
}

/// Lets the end of the processor time raise this flag. Its signal comes every second from then on.
fn raise_on_end_of_time(raised: &Flag) -> io::Result<()> {
    let Rlimit { current, maximum } = getrlimit(Resource::Cpu);
    if current.is_none() {
        return Ok(());
    }
    // At the hard limit the kernel kills without a signal before. A shell sets both limits to the same.
    if let Some(most) = maximum.filter(|most| current == Some(*most) && *most > 1) {
        setrlimit(Resource::Cpu, Rlimit { current: Some(most - 1), maximum })?;
    }
    flag::register(SIGXCPU, Arc::clone(flag_of(&OUT_OF_TIME)))?;
    let (was_raised, writer) = raised.raised_by()?;
    flag::register(SIGXCPU, was_raised)?;
    low_level::pipe::register(SIGXCPU, writer).map(drop)
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
