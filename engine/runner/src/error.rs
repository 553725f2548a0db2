//! Reasons why a match or a tournament cannot be set up.

use arena::ArenaError;
use players::ManifestError;
use players::http::UrlError;
use players::process::{LaunchError, SandboxError};
use rules::GameKind;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// A match or a tournament cannot be set up. Nobody has won or lost.
#[derive(Debug, thiserror::Error)]
pub enum RunnerError {
    /// There is no built-in player of this name.
    #[error("there is no player builtin:{0}")]
    NoSuchBuiltIn(String),
    /// This URL, told without login and query, was named, and bots of this game are folders.
    #[error("{} is a URL, and bots of the {} are folders", .0, .1.title())]
    UrlForFolder(String, GameKind),
    /// A player was named that is neither a URL nor a built-in player, and bots of the game are web services.
    #[error("{shown} is not a bot of {}: there is no such folder, and {source}", game.title())]
    NotAUrl {
        /// The text that was named.
        named: String,
        /// The same without login and query.
        shown: String,
        /// The game.
        game: GameKind,
        /// The reason.
        source: UrlError,
    },
    /// The game has no dialect of this name.
    #[error("{} has no dialect {named:?}", game.title())]
    NoSuchDialect {
        /// The name.
        named: String,
        /// The game.
        game: GameKind,
        /// The dialects that the game has.
        known: &'static [&'static str],
    },
    /// This `https://` URL, told without login and query, was named, and the program was built without what that needs.
    #[error("{0} cannot be called: this program was built without https")]
    WithoutHttps(String),
    /// The host of this URL, told without login and query, is not on the list of allowed hosts, for this reason.
    #[error("{0} may not be called: {1}")]
    HostNotAllowed(String, String),
    /// This player was named, and bots of this game cannot be reached from here; only built-in players can play.
    #[error("{} cannot play here: bots of {} come over MQTT", .0, .1.title())]
    OnlyBuiltIns(String, GameKind),
    /// The program of a bot has to be built on this machine, and there is nothing to build it of.
    #[error("the bot in {} came without sources of which its program can be built on this machine", .0.display())]
    NoSources(PathBuf),
    /// A program is needed, and something else was named.
    #[error("{0} is not the folder of a bot")]
    NoProgram(String),
    /// A pattern for folders cannot be used.
    #[error("{0}")]
    Pattern(String),
    /// This game is for so many players by these settings, and another number was named.
    #[error("{} needs {} players, but you named {}", .0.title(), seats_in_words(.1), .2)]
    WrongNumber(GameKind, RangeInclusive<u8>, usize),
    /// A tournament has fewer than two entrants.
    #[error("a tournament needs two bots or more, but you named {0}")]
    TooFewEntrants(usize),
    /// The settings of the game are out of range.
    #[error("{0}")]
    Settings(String),
    /// There is no usable bot in a folder.
    #[error("bot {}: {source}", folder.display())]
    Manifest {
        /// The folder as it was named.
        folder: PathBuf,
        /// The reason.
        #[source]
        source: ManifestError,
    },
    /// A bot cannot be built or started.
    #[error("bot {}: {source}", folder.display())]
    Launch {
        /// The folder as it was named.
        folder: PathBuf,
        /// The reason.
        #[source]
        source: Box<LaunchError>,
    },
    /// The bot in a folder cannot be copied for the games of a tournament: it is too large, or a part of it cannot be read.
    #[error("bot {}: {source}", folder.display())]
    NotCopied {
        /// The folder.
        folder: PathBuf,
        /// The reason, in words that go with the name of the bot; [`io::ErrorKind::FileTooLarge`] if it is too large.
        source: io::Error,
    },
    /// A file that a bot chooses to be run is outside its folder, which no sandbox allows.
    #[error(transparent)]
    OutsideFolder(SandboxError),
    /// A strict sandbox was asked for, and the kernel does not offer all of it.
    #[error("no strict sandbox")]
    Sandbox(#[source] SandboxError),
    /// The journal at this path is of another tournament, with this difference.
    #[error("{} is of another tournament: {}", .0.display(), .1)]
    OtherTournament(PathBuf, String),
    /// An entrant of the journal cannot play on: its bot is not what it was, and there is no copy of that.
    #[error("{}: {name} {change}", path.display())]
    OtherEntrant {
        /// The path of the journal.
        path: PathBuf,
        /// The name of the entrant.
        name: String,
        /// What is known of its bot now.
        #[source]
        change: BotChange,
    },
    /// The journal at this path has no entrant of this name.
    #[error("{}: {} is not an entrant in it", .0.display(), .1)]
    NoSuchEntrant(PathBuf, String),
    /// The bot that was named so is new to a knockout of which games have been played.
    #[error("bot {0}: the knockout has begun, and its bracket has no place for another bot")]
    KnockoutHasBegun(String),
    /// An entrant cannot be replaced as this `NAME=FOLDER` asks, for this reason.
    #[error("--replace {0}: {1}")]
    NotReplaced(String, String),
    /// Something in the folder of a tournament is a link.
    #[error("{} is a link, and a tournament writes through none in its folder", .0.display())]
    LinkInFolder(PathBuf),
    /// The engine failed: a disk, a process, a thread; or a journal cannot be used.
    #[error(transparent)]
    Arena(#[from] ArenaError),
}

/// The difference between the bot of an entrant when it entered a tournament, and now.
#[derive(Debug, thiserror::Error)]
pub enum BotChange {
    /// Its folder has other content, or it has another name.
    #[error("has changed since it entered the tournament")]
    Changed,
    /// It was not named.
    #[error("takes part in it, and was not named")]
    NotNamed,
    /// It is gone, or cannot be built or started any more.
    #[error("takes part in it, and its bot cannot be used now")]
    Unusable(#[source] Box<RunnerError>),
}

impl RunnerError {
    /// The folder of the bot whose fault it is, as it was named, if that is known.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match self {
            RunnerError::Manifest { folder, .. } | RunnerError::Launch { folder, .. } => Some(folder),
            _ => None,
        }
    }

    /// True if it is the fault of one bot that is there: others can play without it.
    pub fn is_of_bot(&self) -> bool {
        match self {
            // A name that leads nowhere is a mistake in the command.
            RunnerError::Manifest { source, .. } => !matches!(source, ManifestError::NoFolder(_)),
            RunnerError::Launch { .. } | RunnerError::NotCopied { .. } | RunnerError::OutsideFolder(_) => true,
            RunnerError::KnockoutHasBegun(_) => true,
            _ => false,
        }
    }
}

/// A number with the verb that goes with it.
fn seats_in_words(seats: &RangeInclusive<u8>) -> String {
    match (*seats.start(), *seats.end()) {
        (2, 2) => "two".to_owned(),
        (least, most) => format!("{least} to {most}"),
    }
}
