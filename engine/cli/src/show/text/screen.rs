//! The text that clears the terminal.

use crate::show::text::colours::Colours;
use std::io::{self, IsTerminal, Write};

/// Clears the screen and what was scrolled off it, and goes to its first line.
const CLEAR: &str = "\x1b[H\x1b[2J\x1b[3J";

/// The text that clears the screen of a person who plays; `None` if standard input or output is not a terminal. A terminal
/// that is not to get escape sequences scrolls.
pub(crate) fn clear_text() -> Option<String> {
    let stdout = io::stdout();
    if !stdout.is_terminal() || !io::stdin().is_terminal() {
        return None;
    }
    let rows = platform::terminal::size().map_or(24, |size| size.rows);
    Some(if Colours::for_stream(&stdout).escapes() { CLEAR.to_owned() } else { "\n".repeat(rows) })
}

/// Clears the terminal behind standard output for a new report, if it understands escape sequences. What was scrolled off stays.
pub(crate) fn clear_screen() {
    let mut stdout = io::stdout();
    if Colours::for_stream(&stdout).escapes() {
        // A closed terminal stops nothing.
        let _ = write!(stdout, "\x1b[2J\x1b[H").and_then(|()| stdout.flush());
    }
}
