//! Signals: the first Ctrl-C, SIGTERM, SIGHUP or SIGQUIT stops a match in good order, the second ends the program at once.

use crate::exit::Exit;
use crate::failure::Failure;
use arena::{ArenaError, Interrupt};
#[cfg(feature = "full")]
use platform::signals::raise_on_finish_or_stop;
use platform::signals::{is_out_of_time, let_large_writes_fail, raise_on_stop};
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

/// Lets a write beyond the limit of the shell for the size of files fail, as one on a full disk does.
///
/// # Errors
/// [`ArenaError::Console`] if the system refuses a signal handler.
pub(crate) fn begin() -> Result<(), ArenaError> {
    let_large_writes_fail().map_err(failed)
}

/// The reason why a command ended, if it is not that somebody stopped it: the processor time that the shell allows is used up.
pub(crate) fn why_stopped(done: Result<Exit, Failure>) -> Result<Exit, Failure> {
    match done {
        Ok(Exit::Interrupted) | Err(Failure::Engine(ArenaError::Interrupted)) if is_out_of_time() => {
            Err(Failure::OutOfTime)
        }
        done => done,
    }
}
