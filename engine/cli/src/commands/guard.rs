//! The hidden command that makes the program its own guardian.

use crate::exit::Exit;
use crate::show::SHOW_CURSOR;
use players::process::guardian;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// Waits for the end of the engine with this mark, and cleans up after an engine that was killed.
pub(crate) fn guard(mark: &str) -> ExitCode {
    match guardian::watch(io::stdin().lock(), mark) {
        Ok(()) => {
            // A killed engine has not shown the cursor again.
            if io::stderr().is_terminal() {
                let _ = write!(io::stderr(), "{SHOW_CURSOR}");
            }
            Exit::Success.into()
        }
        Err(error) => crate::failure::report(&error.into()).into(),
    }
}
