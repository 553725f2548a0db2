//! What the program shows: results on standard output, everything else on standard error.

mod about;
pub(crate) mod board;
mod check_report;
mod colours;
mod debug_halt;
mod event_progress;
mod event_stream;
mod junit;
pub(crate) mod languages;
pub(crate) mod log;
mod names;
mod pretty;
mod progress;
mod reports;
mod result;
mod screen;
mod standings;
mod verdict;
pub(crate) mod viewer;

pub(crate) use about::about;
pub(crate) use check_report::CheckReport;
pub(crate) use debug_halt::DebugHalt;
pub(crate) use event_progress::EventProgress;
pub(crate) use names::Names;
pub(crate) use pretty::{Pretty, SHOW_CURSOR};
pub(crate) use progress::Progress;
pub(crate) use reports::Reports;
pub(crate) use result::result;
pub(crate) use rules::printable;
pub(crate) use runner::with_causes;
pub(crate) use standings::{GameDetails, StandingsFormat, print_standings, written};
pub(crate) use verdict::{first_verdict, verdict_of};

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
