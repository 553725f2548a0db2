//! `broadside`: the referee and arena for Battleship bots.

mod args;
mod commands;
mod exit;
mod failure;
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
    let done = Args::of_command_line().and_then(|args| done(&args.wanted()));
    match done {
        Ok(code) => code.into(),
        Err(error) => failure::report(&error).into(),
    }
}

fn done(command: &Command) -> Result<Exit, Failure> {
    show::log::start(matches!(command, Command::Play(wanted) if wanted.clog));
    match command {
        Command::Play(wanted) => commands::play(wanted),
        Command::New(wanted) => commands::new(wanted),
        Command::Check(wanted) => commands::check(wanted),
        Command::Languages(wanted) => commands::languages(wanted),
        Command::Verify(wanted) => commands::verify(wanted),
        Command::Replay(wanted) => commands::replay(wanted),
        Command::Tournament(wanted) => commands::tournament(wanted),
        Command::Compare(wanted) => commands::compare(wanted),
        Command::Standings(wanted) => commands::standings(wanted),
        Command::Sprt(wanted) => commands::sprt(wanted),
        Command::Serve(wanted) => commands::serve(wanted),
        Command::Salvo(wanted) => commands::salvo(wanted),
        Command::Expand(wanted) => commands::expand(wanted),
        Command::Import(wanted) => commands::import(wanted),
    }
}
