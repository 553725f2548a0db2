//! How long a language takes to start (Player Rules 5): a tiny bot is timed, and all bots in that language get the time.

use super::{Language, Launch, run};
use arena::{ArenaError, Interrupt, Limits, RunEnd};
use rules::{Part, Seat};
use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

/// How often the tiny bot is run; the fastest run counts, because only that shows the language and not the machine.
const RUNS: usize = 3;

/// The time that each language takes to start, found out once.
#[derive(Debug)]
pub struct Calibration {
    question: Vec<Part>,
    interrupt: Interrupt,
    known: BTreeMap<&'static str, Duration>,
}

impl Calibration {
    /// The most that is granted to any language.
    pub const CAP: Duration = Duration::from_secs(2);

    /// With these files for the tiny bots to read.
    pub fn new(question: Vec<Part>, interrupt: Interrupt) -> Calibration {
        Calibration { question, interrupt, known: BTreeMap::new() }
    }

    /// Whether the time of this language has been found out.
    pub fn knows(&self, language: &Language) -> bool {
        self.known.contains_key(language.name)
    }

    /// What bots of `language`, started like `launch`, get in addition to their own time. Zero where their program is
    /// run directly, or the tiny bot fails.
    pub fn extra(&mut self, language: &'static Language, launch: &Launch) -> Result<Duration, ArenaError> {
        if let Some(known) = self.known.get(language.name) {
            return Ok(*known);
        }
        let extra = match launch.calibration(&language.runner) {
            Some(tiny) => self.time(tiny)?.min(Self::CAP),
            None => Duration::ZERO,
        };
        self.known.insert(language.name, extra);
        Ok(extra)
    }

    fn time(&self, tiny: Launch) -> Result<Duration, ArenaError> {
        let folder = tempfile::tempdir().map_err(|e| ArenaError::disk("make a folder in", std::env::temp_dir(), e))?;
        // Not in the bot's folder, where files of its own might be taken for the language's.
        let tiny = tiny.in_folder(folder.path());
        for part in &self.question {
            let path = folder.path().join(part.name);
            fs::write(&path, &part.bytes).map_err(|e| ArenaError::disk("write", path, e))?;
        }
        let limits = Some(Limits::exactly(Self::CAP, Self::CAP));
        let mut fastest = Duration::MAX;
        for _ in 0..RUNS {
            let run = run::run(tiny.start(Seat::A, folder.path()), limits, &self.interrupt)?;
            if run.end == RunEnd::Killed {
                return Ok(Self::CAP);
            }
            if fs::remove_file(folder.path().join("command.txt")).is_err() {
                log::warn!("the calibration bot of {} failed", tiny.program().display());
                return Ok(Duration::ZERO);
            }
            fastest = fastest.min(run.wall);
        }
        Ok(fastest)
    }
}
