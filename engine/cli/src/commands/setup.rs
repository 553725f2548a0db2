//! The command line's options as options of the runner.

use crate::args::ProgramArgs;
use crate::failure::Failure;
use crate::settings;
use crate::show::Reports;
use runner::{BotOptions, Context, CpuLimit, SandboxLevel, TimeLimit};
use std::sync::Arc;

/// An interrupt that no signal raises yet, and reports on standard error.
pub(super) fn context() -> Result<Context, Failure> {
    Ok(Context { reporter: Arc::new(Reports::default()), ..Context::silent()? })
}

/// The options of bots that are programs, with unlimited time if `nolimit`.
pub(super) fn bot_options(args: &ProgramArgs, nolimit: bool, rebuild: bool) -> Result<BotOptions, Failure> {
    let tools = settings::tools(args.settings.as_deref())?;
    Ok(BotOptions {
        time: if nolimit { TimeLimit::Unlimited } else { args.calibration },
        cpu: CpuLimit::Unlimited,
        sandbox: args.sandbox.unwrap_or(SandboxLevel::On),
        memory: args.memory,
        variables: args.variables.clone(),
        warm: args.warm.unwrap_or(false),
        notes: args.notes,
        rebuild,
        build_network: args.build_network,
        tools,
    })
}
