//! `broadside`: the referee and arena for Battleship bots.

mod args;
mod commands;
mod exit;
mod failure;
mod settings;
mod show;
mod signals;

use args::{Args, Command};
use clap::Parser;
use players::process::guardian::{self, Care};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut raw = std::env::args_os().skip(1);
    if raw.next().is_some_and(|first| first == guardian::ARGUMENT) {
        let mark = raw.next().unwrap_or_default();
        return commands::guard(&mark.to_string_lossy(), &Care::from_arguments(raw));
    }
    let args = Args::parse();
    show::log::start(args.clog);
    let done = match &args.command {
        None => commands::play(&args),
        Some(Command::New(wanted)) => commands::new(wanted),
        Some(Command::Check(wanted)) => commands::check(wanted),
        Some(Command::Languages(wanted)) => commands::languages(wanted),
        Some(Command::Verify(wanted)) => commands::verify(wanted),
        Some(Command::Replay(wanted)) => commands::replay(wanted),
        Some(Command::Tournament(wanted)) => commands::tournament(wanted),
        Some(Command::Compare(wanted)) => commands::compare(wanted),
        Some(Command::Standings(wanted)) => commands::standings(wanted),
        Some(Command::Sprt(wanted)) => commands::sprt(wanted),
        Some(Command::Serve(wanted)) => commands::serve(wanted),
        Some(Command::Expand(wanted)) => commands::expand(wanted),
        Some(Command::Import(wanted)) => commands::import(wanted),
    };
    match done {
        Ok(code) => code.into(),
        Err(error) => failure::report(&error).into(),
    }
}
