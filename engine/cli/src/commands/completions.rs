//! `broadside completions`: prints the script with which a shell completes the command line.

use crate::args::CompletionsArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show;
use clap::Command;

/// Prints the script for a shell.
///
/// # Errors
/// Errors of standard output.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut completed(), "broadside", &mut script);
    show::print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Success)
}

/// The command line without the hidden commands, and without the players of the program itself: with them, the script for
/// zsh takes the name of a command for a player and completes no flags of the command.
fn completed() -> Command {
    let all = crate::command();
    let flags = all.get_arguments().filter(|argument| !argument.is_positional()).cloned();
    let commands = all.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    let command = Command::new("broadside").version(env!("CARGO_PKG_VERSION"));
    let command = command.disable_help_flag(true).disable_version_flag(true);
    command.args(flags).subcommands(commands)
}
