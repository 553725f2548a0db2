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
use players::process::guardian;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut raw = std::env::args_os().skip(1);
    if raw.next().is_some_and(|first| first == guardian::ARGUMENT) {
        let mark = raw.next().unwrap_or_default();
        let journal = raw.next();
        return commands::guard(&mark.to_string_lossy(), journal.as_deref().map(Path::new));
    }
    let args = Args::parse();
    show::log::start(args.clog);
    let done = match &args.command {
        None => commands::play(&args),
        Some(Command::New(wanted)) => commands::new(wanted),
        Some(Command::Check(wanted)) => commands::check(wanted),
        Some(Command::Languages(wanted)) => commands::languages(wanted),
    };
    match done {
        Ok(code) => code.into(),
        Err(error) => failure::report(&error).into(),
    }
}
