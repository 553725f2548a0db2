//! Asking a program for its version.

use super::{language, run};
use arena::{ArenaError, Interrupt, Limits};
use platform::process::CommandLine;
use std::path::Path;
use std::time::Duration;

/// Time limit for printing the version.
const LIMIT: Duration = Duration::from_secs(5);

/// The first line that the program at `path` prints when it is asked for its version in the manner of `name`. `None` if
/// it prints nothing within five seconds.
///
/// # Errors
/// The engine cannot start or watch processes, or the match was interrupted.
pub fn version(name: &str, path: &Path, interrupt: &Interrupt) -> Result<Option<String>, ArenaError> {
    let arguments = language::version_arguments(name);
    let command = CommandLine::new(path, Path::new("/")).args(arguments);
    let text = format!("{} {}", path.display(), arguments.join(" "));
    let run = run::run(run::RunRequest::of(command, text), Some(Limits::exactly(LIMIT, LIMIT)), interrupt)?;
    // Some programs print it on standard error.
    let lines = [&run.stdout, &run.stderr].map(|output| String::from_utf8_lossy(&output.bytes).into_owned());
    let mut lines = lines.iter().flat_map(|text| text.lines()).map(str::trim);
    Ok(lines.find(|line| !line.is_empty()).map(ToOwned::to_owned))
}
