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
