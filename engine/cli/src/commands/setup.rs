//! The command line's options as options of the runner.

use crate::args::{BotArgs, SandboxArg};
use crate::failure::Failure;
use crate::show::Reports;
use arena::{ArenaError, Interrupt};
use players::Tools;
use runner::{BotOptions, Context};
use std::env;
use std::sync::Arc;

/// An interrupt that no signal raises yet, and reports on standard error.
pub(super) fn context() -> Result<Context, Failure> {
    let interrupt = Interrupt::new().map_err(|e| ArenaError::process("make a pipe in", "the engine", e))?;
    Ok(Context { interrupt, reporter: Arc::new(Reports) })
}

/// The options of bots that are programs.
pub(super) fn bot_options(args: BotArgs, tools: Tools) -> Result<BotOptions, Failure> {
    let program = env::current_exe().map_err(|e| ArenaError::process("find the program of", "broadside", e))?;
    Ok(BotOptions {
        time: args.time,
        cpu: args.cpu,
        sandbox: args.sandbox.into(),
        memory: args.memory,
        rebuild: args.rebuild,
        tools,
        guardian: Some(program),
    })
}

impl From<SandboxArg> for runner::SandboxLevel {
    fn from(level: SandboxArg) -> runner::SandboxLevel {
        match level {
            SandboxArg::Off => runner::SandboxLevel::Off,
            SandboxArg::On => runner::SandboxLevel::On,
            SandboxArg::Strict => runner::SandboxLevel::Strict,
        }
    }
}
