//! Reports of the work before, between and after matches: builds, calibration, the sandbox, folders.

use crate::BotChange;
use arena::ArenaError;
use players::process::{BuildError, SandboxError};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Something worth telling that is not part of a match. The runner prints nothing; a [`Reporter`] decides what is shown.
#[derive(Debug)]
#[non_exhaustive]
pub enum Report<'a> {
    /// The bot that was named so is looked for, and built if that is needed.
    Finding {
        /// Its folder or other name.
        named: &'a str,
        /// Its number, counted from 1.
        number: usize,
        /// The number of all bots.
        of: usize,
    },
    /// All bots have been looked for.
    Found,
    /// The project in this folder is being built, for this reason in words.
    BuildStarted(&'a Path, &'a str),
    /// A note about the build, for a person.
    BuildNote(&'a str),
    /// A command of the build is running.
    BuildStep(&'a str),
    /// A line that a command of the build has written, without its end.
    BuildOutput(&'a [u8]),
    /// The build of the project in this folder has ended, after this time or with this error.
    BuildEnded(&'a Path, &'a Result<Duration, BuildError>),
    /// A bot was built because a source had changed.
    Rebuilt {
        /// The name of the bot's folder.
        bot: &'a str,
        /// The path of the source, in that folder.
        file: &'a str,
        /// The time it took.
        time: Duration,
    },
    /// Another program is building the bot in this folder; this one waits for its end.
    WaitingForBuild(&'a Path),
    /// A source is newer than a program that somebody else built, and the bot cannot be built here; the program that is
    /// there plays.
    NotRebuilt {
        /// The name of the bot's folder.
        bot: &'a str,
        /// The path of the source, in that folder.
        file: &'a str,
        /// The reason.
        error: &'a BuildError,
    },
    /// A build was asked for, and the project in this folder has no sources.
    NothingToBuild(&'a Path),
    /// Bots of this language get this time beyond their own, because the language takes it to start (Player Rules 5).
    LanguageTime(&'a str, Duration),
    /// Bots run without a sandbox, because the kernel offers none.
    NoSandbox(&'a SandboxError),
    /// A bot is built without a sandbox, for this reason.
    NoBuildSandbox(&'a SandboxError),
    /// The kernel does not offer all parts of the sandbox.
    SandboxGaps(&'a SandboxError),
    /// The bot at this URL, told without login and query, has answered the first question of a match in this dialect, and in none
    /// that was tried before.
    DialectFound(&'a str, &'static str),
    /// A bot's folder could not be copied at the start, so changes in it change the bot while games are played.
    FolderNotCopied {
        /// The name of the bot.
        bot: &'a str,
        /// Its folder.
        folder: &'a Path,
        /// The reason.
        error: &'a io::Error,
    },
    /// The temporary folder at this path could not be removed, for this reason.
    FolderLeft(&'a Path, &'a io::Error),
    /// The files of a match that was cut short in an earlier run were restored.
    FilesRestored(&'a Path),
    /// The match that was in this folder was moved into the subfolder of this name.
    EarlierMatchMoved(&'a Path, &'a str),
    /// A bot has changed since it entered a tournament as the entrant of this name; the changed bot plays on.
    EntrantChanged(&'a str),
    /// The bot of the entrant of this name is not what it was when it entered a tournament; the copy of what it was plays on.
    EntrantAsEntered(&'a str, &'a BotChange),
    /// The bot that was named so is that of the entrant of the other name, which plays no more games, in another folder.
    RetiredElsewhere(&'a str, &'a str),
    /// The entrant of this name plays no more games; that of the other name, if there is one, plays on in its place.
    EntrantRetired(&'a str, Option<&'a str>),
    /// The last line of the journal at this path was cut off, and this number of bytes has been removed.
    JournalRepaired(&'a Path, u64),
    /// More games run at the same time than the processors can play without slowing bots down.
    Oversubscribed {
        /// Games at the same time.
        games: usize,
        /// Processors.
        processors: usize,
    },
}

/// Receiver of [`Report`]s. Called from the threads that play games, too.
pub trait Reporter: std::fmt::Debug + Send + Sync {
    /// Takes in a report.
    fn report(&self, report: &Report<'_>);
}

/// A [`Reporter`] that drops every report.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Reporter for Silent {
    fn report(&self, _: &Report<'_>) {}
}

/// The way to stop every match and tournament of a program, and the receiver of their reports.
#[derive(Debug, Clone)]
pub struct Context {
    /// Stops matches and tournaments when it is raised.
    pub interrupt: arena::Interrupt,
    /// Receives the reports.
    pub reporter: Arc<dyn Reporter>,
}

impl Context {
    /// A context that nobody stops and that drops all reports.
    ///
    /// # Errors
    /// [`ArenaError::Process`] if the system gives no pipe.
    pub fn silent() -> Result<Context, ArenaError> {
        let interrupt = arena::Interrupt::new().map_err(|e| ArenaError::process("make a pipe in", "the engine", e))?;
        Ok(Context { interrupt, reporter: Arc::new(Silent) })
    }

    pub(crate) fn report(&self, report: &Report<'_>) {
        self.reporter.report(report);
    }
}

/// An error and its causes in one line, without repeating a cause that the message already contains.
pub fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |error| error.source());
    let mut text = error.to_string();
    for cause in causes.map(ToString::to_string) {
        if !text.contains(&cause) {
            text.push_str(&format!(": {cause}"));
        }
    }
    text
}
