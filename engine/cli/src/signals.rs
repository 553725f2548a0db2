//! Signals: the first Ctrl-C, SIGTERM or SIGHUP stops a match in good order, the second ends the program at once.

use crate::exit::Exit;
use arena::{ArenaError, Interrupt};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, low_level};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A new interrupt that signals raise.
///
/// # Errors
/// As [`raise`], and if the system has no file descriptors for a pipe.
pub(crate) fn interrupt() -> Result<Interrupt, ArenaError> {
    let interrupt = Interrupt::new().map_err(failed)?;
    raise(&interrupt)?;
    Ok(interrupt)
}

fn failed(source: io::Error) -> ArenaError {
    ArenaError::Console { doing: "listen for signals of", source }
}

/// Lets signals raise this interrupt from now on. Before that, a signal ends the program at once.
///
/// # Errors
/// [`ArenaError::Console`] if the system refuses a signal handler.
pub(crate) fn raise(interrupt: &Interrupt) -> Result<(), ArenaError> {
    let again = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal)) {
        // In this order: the first signal finds the flag false and sets it, the second finds it true.
        flag::register_conditional_shutdown(signal, Exit::Interrupted as i32, Arc::clone(&again)).map_err(failed)?;
        flag::register(signal, Arc::clone(&again)).map_err(failed)?;
        low_level::pipe::register(signal, interrupt.writer().map_err(failed)?).map_err(failed)?;
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
