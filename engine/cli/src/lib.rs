//! The command line of `broadside`, the referee and arena for Battleship bots.
//!
//! The feature `full` adds the servers, clusters, the live view, people in the browser, bots under https:// URLs and pictures.
//! Without it their commands and flags say how to get them.

mod args;
mod commands;
mod exit;
mod failure;
mod game_flags;
mod reference;
mod settings;
mod show;
mod signals;

use args::{Args, Command};
use exit::Exit;
use failure::Failure;
use players::process::guardian;
pub use reference::commands_page;
use std::process::ExitCode;

/// The full command line of `broadside`, with all commands and the flags of all games: for completions, man pages and other
/// references. It is the same with and without the feature `full`.
///
/// ```
/// let command = broadside::command();
/// assert!(command.find_subcommand("salvo").is_some_and(|salvo| salvo.find_subcommand("join").is_some()));
/// ```
pub fn command() -> clap::Command {
    with_all_texts(args::command())
}

/// The command without the marks of flags that `-h` leaves out: man pages would leave out their texts.
fn with_all_texts(command: clap::Command) -> clap::Command {
    command.mut_args(|arg| arg.hide_short_help(false)).mut_subcommands(with_all_texts)
}

/// Does what the command line of this process says, and returns the exit code.
///
/// Ends the process with exit code 2 if clap cannot read the command line, and with 0 after `--help` and `--version`.
pub fn main() -> ExitCode {
    let mut raw = std::env::args_os().skip(1);
    if raw.next().is_some_and(|first| first == guardian::ARGUMENT) {
        let mark = raw.next().unwrap_or_default();
        return commands::guard(&mark.to_string_lossy());
    }
    platform::process::forget_parent();
    guardian::enable();
    let done = Args::of_command_line().and_then(|args| {
        show::set_quiet(args.quiet);
        show::set_colours(args.color);
        signals::begin()?;
        run(&args.into_command())
    });
    guardian::dismiss();
    match signals::why_stopped(done) {
        Ok(code) => code.into(),
        Err(error) => failure::report(&error).into(),
    }
}

fn run(command: &Command) -> Result<Exit, Failure> {
    show::log::start(matches!(command, Command::Play(args) if args.clog));
    match command {
        Command::Play(args) => commands::play(args),
        Command::New(args) => commands::new(args),
        Command::Check(args) => commands::check(args),
        Command::Dev(args) => commands::dev(args),
        Command::Languages(args) => commands::languages(args),
        Command::Doctor(args) => commands::doctor(args),
        Command::Docs(args) => commands::docs(args),
        Command::Rules(command) => commands::rules(command),
        Command::Verify(args) => commands::verify(args),
        Command::Replay(args) => commands::replay(args),
        Command::Analyse(args) => commands::analyse(args),
        Command::Profile(args) => commands::profile(args),
        Command::Matches(args) => commands::matches(args),
        Command::Tournament(args) => commands::tournament(args),
        Command::Compare(args) => commands::compare(args),
        Command::Solo(args) => commands::solo(args),
        Command::Standings(args) => commands::standings(args),
        Command::Sprt(args) => commands::sprt(args),
        #[cfg(feature = "full")]
        Command::Grade(args) => commands::grade(args),
        #[cfg(feature = "full")]
        Command::Bridge(args) => commands::bridge(args),
        #[cfg(feature = "full")]
        Command::Serve(args) => commands::servers::serve(args),
        #[cfg(feature = "full")]
        Command::Submit(args) => commands::servers::submit(args),
        #[cfg(feature = "full")]
        Command::Salvo(args) => commands::servers::salvo(args),
        #[cfg(feature = "full")]
        Command::Worker(args) => commands::servers::worker(args),
        #[cfg(feature = "full")]
        Command::Cluster(args) => commands::servers::cluster(args),
        #[cfg(not(feature = "full"))]
        Command::Grade(_) => Err(Failure::NotBuilt { command: "grade" }),
        #[cfg(not(feature = "full"))]
        Command::Bridge(_) => Err(Failure::NotBuilt { command: "bridge" }),
        #[cfg(not(feature = "full"))]
        Command::Worker(_) => Err(Failure::NotBuilt { command: "worker" }),
        #[cfg(not(feature = "full"))]
        Command::Cluster(_) => Err(Failure::NotBuilt { command: "cluster" }),
        #[cfg(not(feature = "full"))]
        Command::Serve(_) => Err(Failure::NotBuilt { command: "serve" }),
        #[cfg(not(feature = "full"))]
        Command::Submit(_) => Err(Failure::NotBuilt { command: "submit" }),
        #[cfg(not(feature = "full"))]
        Command::Salvo(_) => Err(Failure::NotBuilt { command: "salvo" }),
        Command::Expand(args) => commands::expand(args),
        Command::Import(args) => commands::import(args),
        Command::Completions(args) => commands::completions(args),
        Command::Man(args) => commands::man(args),
    }
}
