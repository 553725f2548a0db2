//! Standard output for results, standard error for everything else.

use arena::ArenaError;
use std::io::{self, Write};

/// Tells the user something that is no result.
pub(crate) fn say(text: &str) {
    // Nobody may be listening; the match does not depend on it.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Shows where a long work is, in a line that the next one takes the place of; none for an empty text.
pub(crate) fn status(text: &str) {
    let mut stderr = io::stderr();
    // A closed terminal stops nothing.
    let _ = write!(stderr, "\r{text}\x1b[K").and_then(|()| stderr.flush());
}

/// Writes a result to standard output.
pub(crate) fn print(text: &str) -> Result<(), ArenaError> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // A reader that left early has what it wanted.
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            say(text);
            Err(ArenaError::disk("write the result to", "standard output", e))
        }
        _ => Ok(()),
    }
}
