//! The sandbox policy of a match: the level that is wanted, and what the kernel offers of it.

use crate::{Context, Report, RunnerError, with_causes};
use arena::ArenaError;
use players::process::{Allowance, Launch, Sandbox, SandboxError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The sandbox level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SandboxLevel {
    /// No sandbox.
    Off,
    /// As much of the sandbox as the kernel offers; gaps are reported.
    #[default]
    On,
    /// All of the sandbox; without it no match is played.
    Strict,
}

/// The sandbox of the bots of a match.
#[derive(Debug)]
pub(crate) struct SandboxPolicy {
    sandbox: Sandbox,
    closed: Vec<PathBuf>,
    allowance: Allowance,
}

impl SandboxPolicy {
    /// A sandbox with `memory` MiB for each bot, in which the `closed` folders are out of reach, except a bot's own. `None` at
    /// level off, or at level on if the kernel offers none.
    pub(crate) fn new(
        level: SandboxLevel,
        memory: u64,
        closed: Vec<PathBuf>,
        context: &Context,
    ) -> Result<Option<SandboxPolicy>, RunnerError> {
        let strict = match level {
            SandboxLevel::Off => return Ok(None),
            SandboxLevel::On => false,
            SandboxLevel::Strict => true,
        };
        let sandbox = match Sandbox::start() {
            Ok(sandbox) => sandbox,
            Err(error) if strict => return Err(RunnerError::Sandbox(error)),
            Err(error) => {
                context.report(&Report::NoSandbox(&error));
                return Ok(None);
            }
        };
        let lacking = sandbox.abilities().lacking();
        if !lacking.is_empty() {
            let lacking = SandboxError::Lacking(lacking);
            if strict {
                return Err(RunnerError::Sandbox(lacking));
            }
            context.report(&Report::SandboxGaps(&lacking));
        }
        let allowance = Allowance { memory: memory << 20, ..Allowance::DEFAULT };
        Ok(Some(SandboxPolicy { sandbox, closed, allowance }))
    }

    /// Checks that the files that bot.json chooses are in the bot's folder, and that what runs its program is open to it.
    pub(crate) fn check(&self, launch: &Launch) -> Result<(), SandboxError> {
        launch.stays_inside()?;
        launch.is_open_in(&self.sandbox)
    }

    /// True if bots' folders stay as they are whatever the bots write there.
    pub(crate) fn keeps_folders(&self) -> bool {
        self.sandbox.abilities().namespaces
    }

    /// True if bots may be forks of an interpreter.
    pub(crate) fn holds_forks(&self) -> bool {
        self.sandbox.abilities().can_hold_forks()
    }

    /// The line about the sandbox in records and logs.
    pub(crate) fn description(&self) -> String {
        format!("Sandbox on: {}, {} MiB of memory", self.sandbox.abilities(), self.allowance.memory >> 20)
    }

    /// The launch inside the sandbox, for a match in the folder `rounds`, or for none. A bot that runs longer than `kill` is
    /// killed.
    pub(crate) fn confine(
        &self,
        launch: Launch,
        rounds: Option<&Path>,
        kill: Option<Duration>,
    ) -> Result<Launch, ArenaError> {
        let bot = launch.program().display().to_string();
        launch
            .confined(&self.sandbox, rounds, &self.closed, self.allowance, kill)
            .map_err(|e| ArenaError::process("make the sandbox of", bot, io::Error::other(with_causes(&e))))
    }
}
