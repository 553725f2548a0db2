//! Standard output for results, standard error for everything else.

use arena::ArenaError;
use rules::printable;
use std::io::{self, Write};

/// Writes lines that are not a result to standard error. Line ends stay; what else could change the terminal does not.
pub(crate) fn say(text: &str) {
    // An error only means that nobody reads; the match does not depend on it.
    let _ = writeln!(io::stderr(), "{}", printable_lines(text));
}

/// Shows the state of long work in one line, in place of the line before; an empty text removes the line.
pub(crate) fn status(text: &str) {
    let mut stderr = io::stderr();
    // A closed terminal stops nothing.
    let _ = write!(stderr, "\r{}\x1b[K", printable(text)).and_then(|()| stderr.flush());
}

/// `text` with every line made printable; line ends stay.
pub(super) fn printable_lines(text: &str) -> String {
    text.split('\n').map(printable).collect::<Vec<_>>().join("\n")
}

/// The place that errors of [`print`] name.
pub(crate) const STANDARD_OUTPUT: &str = "standard output";

/// Writes a result to standard output.
///
/// # Errors
/// [`ArenaError::Disk`] if standard output cannot be written; the result then goes to standard error. A closed pipe is
/// not an error.
pub(crate) fn print(text: &str) -> Result<(), ArenaError> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // A reader that closed the pipe needs nothing more.
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            say(text);
            Err(ArenaError::disk("write the result to", STANDARD_OUTPUT, e))
        }
        _ => Ok(()),
    }
}
