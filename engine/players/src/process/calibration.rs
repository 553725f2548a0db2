//! Calibration: the time that a language takes to start (Player Rules 5). A tiny bot is timed, and all bots in that
//! language get this time in addition.

use super::build::BuildContext;
use super::{Language, Launch, TinyBot, run};
use crate::Tools;
use arena::{ArenaError, Interrupt, Limits, RunEnd};
use rules::{Part, Seat};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Runs of the tiny bot. The fastest counts, because it depends least on the load of the machine.
const RUNS: usize = 3;
/// Time limit for compiling a tiny bot.
const COMPILING: Duration = Duration::from_secs(30);

/// Puts a launch into a sandbox, or gives it back as it is.
pub type Confine<'a> = &'a dyn Fn(Launch) -> Result<Launch, ArenaError>;

/// The start-up times of languages, each measured once.
#[derive(Debug)]
pub struct Calibration {
    question: Vec<Part>,
    tools: Tools,
    interrupt: Interrupt,
    known: BTreeMap<(&'static str, PathBuf), Duration>,
}

impl Calibration {
    /// The upper limit of the extra time of any language.
    pub const CAP: Duration = Duration::from_secs(2);

    /// A calibration in which tiny bots read the files of `question` and are compiled with `tools`.
    pub fn new(question: Vec<Part>, tools: Tools, interrupt: Interrupt) -> Calibration {
        Calibration { question, tools, interrupt, known: BTreeMap::new() }
    }

    /// The extra time of this language with this interpreter, if it is already measured.
    pub fn known(&self, language: &Language, launch: &Launch) -> Option<Duration> {
        self.known.get(&(language.name, launch.tool()?.to_owned())).copied()
    }

    /// The extra time for bots of `language` that are started like `launch`. Zero if their program is run directly, or
    /// if the tiny bot fails. `confine` puts the tiny bot into the sandbox of the bots.
    ///
    /// The tiny bot is run by the interpreter of this machine, also if the bot has one of its own: nothing of a bot's
    /// folder runs, or decides how long its runs may take.
    ///
    /// # Errors
    /// The engine cannot start or watch processes, the sandbox cannot be made, or the match was interrupted.
    pub fn extra(
        &mut self,
        language: &'static Language,
        launch: &Launch,
        confine: Confine<'_>,
    ) -> Result<Duration, ArenaError> {
        let Some(tool) = launch.tool() else { return Ok(Duration::ZERO) };
        let key = (language.name, tool.to_owned());
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let extra = self.start_up(launch, confine)?.unwrap_or_default().min(Self::CAP);
        self.known.insert(key, extra);
        Ok(extra)
    }

    /// The time that the tiny bot takes when it is run by the interpreter of this machine that runs `launch`, as
    /// `confine` makes it. It is killed after twice [`Self::CAP`]. `None` if the language has no tiny bot, or if it fails.
    ///
    /// # Errors
    /// The engine cannot start or watch processes, cannot write a temporary folder, the sandbox cannot be made, or the
    /// match was interrupted.
    pub fn start_up(&self, launch: &Launch, confine: Confine<'_>) -> Result<Option<Duration>, ArenaError> {
        let Some(interpreter) = launch.interpreter else { return Ok(None) };
        let Some(tiny) = interpreter.tiny else { return Ok(None) };
        // Not in the bot's folder, whose files might be mistaken for those of the language.
        let folder = tempfile::tempdir().map_err(|e| ArenaError::disk("make a folder in", std::env::temp_dir(), e))?;
        let folder = folder.path();
        let source = (tiny.file, tiny.source.as_bytes());
        for (name, bytes) in self.question.iter().map(|part| (part.name, &part.bytes[..])).chain([source]) {
            let path = folder.join(name);
            fs::write(&path, bytes).map_err(|e| ArenaError::disk("write", path, e))?;
        }
        let (before, expected) = if self.compile(launch, tiny, folder)? {
            let arguments = interpreter.arguments.iter().map(OsString::from);
            (arguments.chain([folder.join(tiny.run_file).into()]).collect(), Some("command.txt"))
        } else if let Some(otherwise) = tiny.otherwise {
            (otherwise.iter().map(OsString::from).collect(), None)
        } else {
            return Ok(None);
        };
        self.time(&confine(launch.instead(before, folder))?, folder, expected)
    }

    /// Builds the tiny bot. False if there is no compiler, or if it fails.
    fn compile(&self, launch: &Launch, tiny: &TinyBot, folder: &Path) -> Result<bool, ArenaError> {
        let run_file = folder.join(tiny.run_file);
        let context = BuildContext { bot: folder, project: folder, run_file: &run_file, tools: &self.tools };
        let Ok(commands) = context.commands_of(tiny.build, &[PathBuf::from(tiny.file)]) else { return Ok(false) };
        for command in commands {
            let limits = Some(Limits::exactly(COMPILING, COMPILING));
            let run =
                run::run(run::RunRequest::of(command.command_line(), command.to_string()), limits, &self.interrupt)?;
            if run.end != RunEnd::Exited(0) {
                log::warn!("the calibration bot of {} cannot be made: {command} failed", launch.program().display());
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The time of the fastest run. `None` if a run does not leave the `expected` file.
    fn time(&self, tiny: &Launch, folder: &Path, expected: Option<&str>) -> Result<Option<Duration>, ArenaError> {
        // Above the cap, so that a slow start is measured and not only cut off.
        let limits = Some(Limits::exactly(Self::CAP, 2 * Self::CAP));
        let mut fastest = Duration::MAX;
        for _ in 0..RUNS {
            let run = run::run(tiny.request(Seat::A, folder, &[]), limits, &self.interrupt)?;
            if run.end == RunEnd::Killed {
                return Ok(Some(run.wall));
            }
            if expected.is_some_and(|name| fs::remove_file(folder.join(name)).is_err()) {
                log::warn!("the calibration bot of {} failed", tiny.program().display());
                return Ok(None);
            }
            fastest = fastest.min(run.wall);
        }
        Ok(Some(fastest))
    }
}
