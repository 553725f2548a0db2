//! Which version of a program there is.

use super::command_line::CommandLine;
use super::{language, run};
use arena::{ArenaError, Interrupt, Limits};
use std::path::Path;
use std::time::Duration;

/// How long a program may think about its version.
const LIMIT: Duration = Duration::from_secs(5);

/// The first line that the program at `path` prints when it is asked for its version in the manner of `name`. `None` if
/// it prints nothing in five seconds.
pub fn version(name: &str, path: &Path, interrupt: &Interrupt) -> Result<Option<String>, ArenaError> {
    let arguments = language::version_arguments(name);
    let command = CommandLine::new(path, Path::new("/")).args(arguments);
    let text = format!("{} {}", path.display(), arguments.join(" "));
    let run = run::run(run::Start::of(command, text), Some(Limits::exactly(LIMIT, LIMIT)), interrupt)?;
    // Some say it on standard error.
    let lines = [&run.stdout, &run.stderr].map(|output| String::from_utf8_lossy(&output.bytes).into_owned());
    let mut lines = lines.iter().flat_map(|text| text.lines()).map(str::trim);
    Ok(lines.find(|line| !line.is_empty()).map(ToOwned::to_owned))
}
