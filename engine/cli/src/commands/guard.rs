//! The hidden command that makes the program its own guardian.

use crate::exit::Exit;
use players::process::guardian;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// Waits for the end of the engine with this mark, and cleans up after it if it had no time to.
pub(crate) fn guard(mark: &str, journal: Option<&Path>) -> ExitCode {
    match guardian::watch(io::stdin().lock(), mark, journal) {
        Ok(()) => Exit::Played.into(),
        Err(error) => crate::failure::report(&error.into()).into(),
    }
}
