//! Exit codes. They are part of the interface and listed in `broadside --help`.

use std::process::ExitCode;
use tournament::Verdict;

/// How the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// The match was played to its end, whoever won.
    Success = 0,
    /// The engine failed: no winner.
    EngineError = 1,
    /// Wrong usage (the code that clap uses, too), or wrong settings.
    Usage = 2,
    /// A bot could not be found, built or started: no match.
    BadBot = 3,
    /// `check` found something wrong with the bot.
    BotFaulty = 4,
    /// A record is missing, damaged, not what the rules make of it, or is to be verified and unfinished; a journal is
    /// damaged or in use.
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
