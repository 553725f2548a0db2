//! Standard output for results, standard error for everything else.

use arena::ArenaError;
use rules::printable;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// True once `--quiet` was given.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Leaves out from now on what is not a result or an error, if `quiet`.
pub(crate) fn set_quiet(quiet: bool) {
    IS_QUIET.store(quiet, Ordering::Relaxed);
}

/// True if only results and errors are to be shown.
pub(crate) fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

/// Writes lines about what is being done to standard error, unless `--quiet` was given.
pub(crate) fn tell(text: &str) {
    if !is_quiet() {
        say(text);
    }
}

/// Writes lines that are not a result to standard error. Line ends stay; what else could change the terminal does not.
pub(crate) fn say(text: &str) {
    // The state of long work makes room, and comes again below.
    let clear = if HAS_STATUS.swap(false, Ordering::Relaxed) { CLEAR } else { "" };
    // An error only means that nobody reads; the match does not depend on it.
    let _ = writeln!(io::stderr(), "{clear}{}", printable_lines(text));
}

/// True while the state of long work is shown.
static HAS_STATUS: AtomicBool = AtomicBool::new(false);
/// Removes the line of the cursor.
const CLEAR: &str = "\r\x1b[K";

/// Shows the state of long work in one line, in place of the line before, unless `--quiet` was given; an empty text removes the
/// line.
pub(crate) fn status(text: &str) {
    if is_quiet() {
        return;
    }
    HAS_STATUS.store(!text.is_empty(), Ordering::Relaxed);
    let mut stderr = io::stderr();
    // Without line wrapping, so that a narrow terminal cuts the line, and does not keep a part of it above the next one.
    // A closed terminal stops nothing.
    let _ = write!(stderr, "\r\x1b[?7l{}\x1b[?7h\x1b[K", printable(text)).and_then(|()| stderr.flush());
}

/// `text` with every line made printable; line ends stay.
pub(crate) fn printable_lines(text: &str) -> String {
    text.split('\n').map(printable_output).collect::<Vec<_>>().join("\n")
}

/// A line that a program wrote, made printable, with spaces for tabs: stack traces and compilers begin lines with them.
pub(crate) fn printable_output(line: &str) -> String {
    printable(&line.replace('\t', "    "))
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
