//! Signals: the first Ctrl-C, SIGTERM or SIGHUP stops a match in good order, the second ends the program at once.

use crate::exit::Exit;
use arena::{ArenaError, Interrupt};
#[cfg(feature = "full")]
use platform::signals::raise_on_finish_or_stop;
use platform::signals::raise_on_stop;
use std::io;

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
    raise_on_stop(interrupt, Exit::Interrupted as i32).map_err(failed)
}

/// New interrupts: SIGTERM raises the first, which lets work be finished, and Ctrl-C the second.
///
/// # Errors
/// As [`interrupt`].
#[cfg(feature = "full")]
pub(crate) fn finish_and_stop() -> Result<[Interrupt; 2], ArenaError> {
    let [finish, stop] = [Interrupt::new().map_err(failed)?, Interrupt::new().map_err(failed)?];
    raise_on_finish_or_stop(&finish, &stop, Exit::Interrupted as i32).map_err(failed)?;
    Ok([finish, stop])
}
