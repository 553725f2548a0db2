//! `broadside`: the referee and arena for Battleship bots.

mod args;
mod commands;
mod exit;
mod failure;
mod game_flags;
mod settings;
mod show;
mod signals;

use args::{Args, Command};
use exit::Exit;
use failure::Failure;
use players::process::guardian::{self, Cleanup};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut raw = std::env::args_os().skip(1);
    if raw.next().is_some_and(|first| first == guardian::ARGUMENT) {
        let mark = raw.next().unwrap_or_default();
        return commands::guard(&mark.to_string_lossy(), &Cleanup::from_arguments(raw));
    }
    let done = Args::of_command_line().and_then(|args| run(&args.into_command()));
    match done {
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
        Command::Languages(args) => commands::languages(args),
        Command::Verify(args) => commands::verify(args),
        Command::Replay(args) => commands::replay(args),
        Command::Tournament(args) => commands::tournament(args),
        Command::Compare(args) => commands::compare(args),
        Command::Standings(args) => commands::standings(args),
        Command::Sprt(args) => commands::sprt(args),
        Command::Serve(args) => commands::serve(args),
        Command::Salvo(args) => commands::salvo(args),
        Command::Expand(args) => commands::expand(args),
        Command::Import(args) => commands::import(args),
    }
}
