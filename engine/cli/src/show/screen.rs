//! The terminal behind standard output.

use std::io::{self, IsTerminal};

/// How much fits on the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TerminalSize {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
}

/// The size of the terminal; `None` where there is none or it does not tell.
pub(crate) fn size() -> Option<TerminalSize> {
    let stdout = io::stdout();
    if !stdout.is_terminal() {
        return None;
    }
    let size = rustix::termios::tcgetwinsize(stdout).ok()?;
    let (columns, rows) = (usize::from(size.ws_col), usize::from(size.ws_row));
    (columns > 0 && rows > 0).then_some(TerminalSize { columns, rows })
}
