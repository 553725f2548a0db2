//! Exit codes. They are part of the interface, and listed in `broadside --help` and docs/exit-codes.md.

use std::process::ExitCode;
use tournament::Verdict;

/// The exit codes of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// The command did its work; a match was played to its end, whoever won.
    Success = 0,
    /// The engine failed: no winner.
    EngineError = 1,
    /// Wrong usage (clap uses the same code), or wrong settings.
    Usage = 2,
    /// A bot could not be found, built or started, or its files are not allowed (outside its folder, too large): no match.
    BadBot = 3,
    /// `check` found faults of the bot, or a server rejected the version that `submit` had handed in.
    BotFaulty = 4,
    /// A record, a journal or a folder of matches that is to be read is missing or damaged. Or a record is against the rules, or
    /// unfinished when it is verified; or a journal is in use.
    BadRecord = 5,
    /// `--verdict`: the first bot is not stronger.
    NotStronger = 10,
    /// `--verdict`: more games are needed to tell.
    Undecided = 11,
    /// Stopped by Ctrl-C or a signal: no winner.
    Interrupted = 130,
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Exit {
        match verdict {
            Verdict::AcceptH1 => Exit::Success,
            Verdict::AcceptH0 => Exit::NotStronger,
            Verdict::Continue => Exit::Undecided,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
