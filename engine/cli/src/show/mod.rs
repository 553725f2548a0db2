//! What the program shows: results on standard output, everything else on standard error.

pub(crate) mod board;
mod debug_halt;
pub(crate) mod log;
mod names;
mod paint;
mod pretty;
mod progress;
mod result;
mod screen;

pub(crate) use debug_halt::DebugHalt;
pub(crate) use names::{Names, clean};
pub(crate) use pretty::{Pretty, SHOW_CURSOR};
pub(crate) use progress::Progress;
pub(crate) use result::result;

use std::io::{self, Write};

/// Tells the user something that is no result.
pub(crate) fn say(text: &str) {
    // Nobody may be listening; the match does not depend on it.
    let _ = writeln!(io::stderr(), "{text}");
}

/// An error and what it came from, in one line.
pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |error| error.source());
    let mut text = error.to_string();
    for cause in causes.map(ToString::to_string) {
        // Some messages already contain the one they come from.
        if !text.contains(&cause) {
            text.push_str(&format!(": {cause}"));
        }
    }
    text
}
