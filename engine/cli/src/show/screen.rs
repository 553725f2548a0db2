//! The size of the terminal behind standard output.

use std::io::{self, IsTerminal};

/// The columns and rows of a terminal, each at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TerminalSize {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
}

/// The size of the terminal; `None` if standard output is not a terminal or its size is not known.
pub(crate) fn size() -> Option<TerminalSize> {
    let stdout = io::stdout();
    if !stdout.is_terminal() {
        return None;
    }
    let size = rustix::termios::tcgetwinsize(stdout).ok()?;
    let (columns, rows) = (usize::from(size.ws_col), usize::from(size.ws_row));
    (columns > 0 && rows > 0).then_some(TerminalSize { columns, rows })
}
