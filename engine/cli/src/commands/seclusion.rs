//! The sandbox of a match, as the command line wants it.

use crate::args::Seclusion;
use crate::failure::Failure;
use crate::show;
use arena::ArenaError;
use players::process::{Allowance, Launch, Sandbox, SandboxError};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// What all bots of a match are kept from.
pub(crate) struct Cells {
    sandbox: Sandbox,
    closed: Vec<PathBuf>,
    allowance: Allowance,
}

impl Cells {
    /// With so much memory for each bot, in MiB. None where no sandbox is wanted, or none is to be had and that is
    /// accepted. The `closed` folders are out of reach
    /// of all bots, but for each bot's own.
    pub(crate) fn of(wanted: Seclusion, memory: u64, closed: Vec<PathBuf>) -> Result<Option<Cells>, Failure> {
        let strict = match wanted {
            Seclusion::Off => return Ok(None),
            Seclusion::On => false,
            Seclusion::Strict => true,
        };
        let sandbox = match Sandbox::start() {
            Ok(sandbox) => sandbox,
            Err(error) if strict => return Err(Failure::Sandbox(error)),
            Err(error) => {
                show::say(&format!("Bots run without a sandbox: {}", show::with_causes(&error)));
                return Ok(None);
            }
        };
        let lacking = sandbox.abilities().lacking();
        if !lacking.is_empty() {
            let lacking = SandboxError::Lacking(lacking);
            if strict {
                return Err(Failure::Sandbox(lacking));
            }
            show::say(&format!("The sandbox has gaps: {lacking}"));
        }
        let allowance = Allowance { memory: memory << 20, ..Allowance::DEFAULT };
        Ok(Some(Cells { sandbox, closed, allowance }))
    }

    /// What the record tells of it.
    pub(crate) fn description(&self) -> String {
        format!("Sandbox on: {}, {} MiB of memory", self.sandbox.abilities(), self.allowance.memory >> 20)
    }

    /// Puts a bot into its cell.
    pub(crate) fn confine(&self, launch: Launch, kill: Option<Duration>) -> Result<Launch, ArenaError> {
        let bot = launch.program().display().to_string();
        launch
            .confined(&self.sandbox, &self.closed, self.allowance, kill)
            .map_err(|e| ArenaError::process("make the sandbox of", bot, io::Error::other(show::with_causes(&e))))
    }
}
