//! What people see of a build.

use super::names::cut;
use super::{clean, say, screen};
use players::process::{BuildError, last_lines};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

/// The line about one build.
pub(crate) struct Building {
    what: String,
    terminal: bool,
}

impl Building {
    /// Tells that the bot in `project` is built, and why.
    pub(crate) fn start(project: &Path, why: &str) -> Building {
        let what = clean(&project.display().to_string());
        say(&format!("Building {what} ({why})"));
        Building { what, terminal: io::stderr().is_terminal() }
    }

    /// On a terminal, shows which command is at work.
    pub(crate) fn step(&self, command: &str) {
        // A line that wraps could not be taken away.
        let columns = screen::size().map_or(79, |size| size.columns.saturating_sub(1));
        self.line(&cut(&format!("Building … ({})", clean(command)), columns));
    }

    /// Tells how it went: with the last that the tool said where it failed.
    pub(crate) fn end(&self, result: &Result<Duration, BuildError>) {
        self.line("");
        match result {
            Ok(time) => say(&format!("Built {} in {:.1} s", self.what, time.as_secs_f64())),
            Err(BuildError::Failed { log, .. }) => {
                for line in last_lines(log).unwrap_or_default() {
                    say(&format!("  | {}", clean(&line)));
                }
            }
            Err(_) => {}
        }
    }

    fn line(&self, text: &str) {
        if self.terminal {
            let mut stderr = io::stderr();
            // A closed terminal stops nothing.
            let _ = write!(stderr, "\r{text}\x1b[K").and_then(|()| stderr.flush());
        }
    }
}
