//! How long a language takes to start (Player Rules 5): a tiny bot is timed, and all bots in that language get the time.

use super::build::Site;
use super::{Language, Launch, TinyBot, run};
use crate::Tools;
use arena::{ArenaError, Interrupt, Limits, RunEnd};
use rules::{Part, Seat};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often the tiny bot is run; the fastest run counts, because only that shows the language and not the machine.
const RUNS: usize = 3;
/// What the compiler of a tiny bot may take.
const COMPILING: Duration = Duration::from_secs(30);

/// The time that each language takes to start, found out once.
#[derive(Debug)]
pub struct Calibration {
    question: Vec<Part>,
    tools: Tools,
    interrupt: Interrupt,
    known: BTreeMap<(&'static str, PathBuf), Duration>,
}

impl Calibration {
    /// The most that is granted to any language.
    pub const CAP: Duration = Duration::from_secs(2);

    /// With these files for the tiny bots to read, and the compilers for those that need one.
    pub fn new(question: Vec<Part>, tools: Tools, interrupt: Interrupt) -> Calibration {
        Calibration { question, tools, interrupt, known: BTreeMap::new() }
    }

    /// Whether the time of this language, run like this, has been found out.
    pub fn knows(&self, language: &Language, launch: &Launch) -> bool {
        self.known.contains_key(&(language.name, launch.program().to_owned()))
    }

    /// What bots of `language`, started like `launch`, get in addition to their own time. Zero where their program is
    /// run directly, or the tiny bot fails.
    pub fn extra(&mut self, language: &'static Language, launch: &Launch) -> Result<Duration, ArenaError> {
        let key = (language.name, launch.program().to_owned());
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let extra = self.start_up(launch)?.unwrap_or_default().min(Self::CAP);
        self.known.insert(key, extra);
        Ok(extra)
    }

    /// How long the tiny bot takes that is run like `launch`; no longer than twice the cap is waited. `None` if there
    /// is none, or it fails.
    pub fn start_up(&self, launch: &Launch) -> Result<Option<Duration>, ArenaError> {
        let Some(interpreter) = launch.interpreter() else { return Ok(None) };
        let Some(tiny) = interpreter.tiny else { return Ok(None) };
        // Not in the bot's folder, where files of its own might be taken for the language's.
        let folder = tempfile::tempdir().map_err(|e| ArenaError::disk("make a folder in", std::env::temp_dir(), e))?;
        let folder = folder.path();
        let source = (tiny.file, tiny.source.as_bytes());
        for (name, bytes) in self.question.iter().map(|part| (part.name, &part.bytes[..])).chain([source]) {
            let path = folder.join(name);
            fs::write(&path, bytes).map_err(|e| ArenaError::disk("write", path, e))?;
        }
        if self.compile(launch, tiny, folder)? {
            let arguments = interpreter.arguments.iter().map(OsString::from);
            let before = arguments.chain([folder.join(tiny.run_file).into()]).collect();
            self.time(&launch.instead(before, folder), folder, Some("command.txt"))
        } else if let Some(otherwise) = tiny.otherwise {
            self.time(&launch.instead(otherwise.iter().map(OsString::from).collect(), folder), folder, None)
        } else {
            Ok(None)
        }
    }

    /// Makes of the tiny bot what is run. False if there is no compiler, or it fails.
    fn compile(&self, launch: &Launch, tiny: &TinyBot, folder: &Path) -> Result<bool, ArenaError> {
        let run_file = folder.join(tiny.run_file);
        let site = Site { project: folder, run_file: &run_file, tools: &self.tools };
        let Ok(commands) = site.way(tiny.build, &[PathBuf::from(tiny.file)]) else { return Ok(false) };
        for command in commands {
            let limits = Some(Limits::exactly(COMPILING, COMPILING));
            let run = run::run(run::Start::of(command.command_line(), command.to_string()), limits, &self.interrupt)?;
            if run.end != RunEnd::Exited(0) {
                log::warn!("the calibration bot of {} cannot be made: {command} failed", launch.program().display());
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The time of the fastest run. `None` if one leaves no file of the name that is expected.
    fn time(&self, tiny: &Launch, folder: &Path, expected: Option<&str>) -> Result<Option<Duration>, ArenaError> {
        // A little more than is granted, so that a slow start is shown for what it is.
        let limits = Some(Limits::exactly(Self::CAP, 2 * Self::CAP));
        let mut fastest = Duration::MAX;
        for _ in 0..RUNS {
            let run = run::run(tiny.start(Seat::A, folder), limits, &self.interrupt)?;
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
