//! Reasons why a match or a tournament cannot be set up.

use arena::ArenaError;
use players::ManifestError;
use players::http::UrlError;
use players::process::{LaunchError, SandboxError};
use rules::GameKind;
use std::path::PathBuf;

/// A match or a tournament cannot be set up. Nobody has won or lost.
#[derive(Debug, thiserror::Error)]
pub enum RunnerError {
    /// There is no built-in player of this name.
    #[error("there is no player builtin:{0}")]
    NoSuchBuiltIn(String),
    /// A URL was named, and bots of the game are folders.
    #[error("{url} is a URL, and bots of the {} are folders", game.title())]
    UrlForFolder {
        /// The URL, without login and query.
        url: String,
        /// The game.
        game: GameKind,
    },
    /// A player was named that is neither a URL nor a built-in player, and bots of the game are web services.
    #[error("{shown} is not a bot of {}: {source}", game.title())]
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
    /// An `https://` URL was named, and the program was built without what that needs.
    #[error("{url} cannot be called: this program was built without https")]
    WithoutHttps {
        /// The URL, without login and query.
        url: String,
    },
    /// The host of a bot is not on the list of allowed hosts.
    #[error("{url} may not be called: {why}")]
    HostNotAllowed {
        /// The URL, without login and query.
        url: String,
        /// The reason.
        why: String,
    },
    /// Bots of the game cannot be reached from here; only built-in players can play.
    #[error("{named} cannot play here: bots of {} come over MQTT", game.title())]
    OnlyBuiltIns {
        /// The player that was named.
        named: String,
        /// The game.
        game: GameKind,
    },
    /// The program of a bot has to be built on this machine, and there is nothing to build it of.
    #[error("the bot in {} came without sources of which its program can be built on this machine", .0.display())]
    NoSources(PathBuf),
    /// A program is needed, and something else was named.
    #[error("{0} is not the folder of a bot")]
    NoProgram(String),
    /// A pattern for folders cannot be used.
    #[error("{0}")]
    Pattern(String),
    /// The number of players does not fit the game.
    #[error("{} needs {} players, but you named {named}", game.title(), seats_in_words(*game))]
    WrongNumber {
        /// The game.
        game: GameKind,
        /// The number of players that were named.
        named: usize,
    },
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
    /// A bot's folder is too large to be copied for each game of a tournament.
    #[error("bot {}: its files hold more than {} MiB", folder.display(), most >> 20)]
    LargeFolder {
        /// The folder.
        folder: PathBuf,
        /// The largest size, in bytes.
        most: u64,
    },
    /// A file that a bot chooses to be run is outside its folder, which no sandbox allows.
    #[error(transparent)]
    OutsideFolder(SandboxError),
    /// A strict sandbox was asked for, and the kernel does not offer all of it.
    #[error("no strict sandbox")]
    Sandbox(#[source] SandboxError),
    /// The journal in the folder is of another tournament.
    #[error("{} is of another tournament: {what}", path.display())]
    OtherTournament {
        /// The path of the journal.
        path: PathBuf,
        /// The difference.
        what: String,
    },
    /// An entrant of the journal was not named, or its folder has changed.
    #[error("{}: {name} {}", path.display(), if *changed { "has changed since it played in it" } else { "takes part in it, and was not named" })]
    OtherEntrant {
        /// The path of the journal.
        path: PathBuf,
        /// The name of the entrant.
        name: String,
        /// True if a bot of that name was named, with other content.
        changed: bool,
    },
    /// The engine failed: a disk, a process, a thread; or a journal cannot be used.
    #[error(transparent)]
    Arena(#[from] ArenaError),
}

impl RunnerError {
    /// True if it is the fault of one bot that is there: others can play without it.
    pub fn is_of_bot(&self) -> bool {
        match self {
            // A name that leads nowhere is a mistake in the command.
            RunnerError::Manifest { source, .. } => {
                !matches!(source, ManifestError::NoFolder(_) | ManifestError::NoManifest(_))
            }
            RunnerError::Launch { .. } | RunnerError::LargeFolder { .. } | RunnerError::OutsideFolder(_) => true,
            _ => false,
        }
    }
}

/// A number with the verb that goes with it.
fn seats_in_words(game: GameKind) -> String {
    let seats = game.seats();
    match (*seats.start(), *seats.end()) {
        (2, 2) => "two".to_owned(),
        (least, most) => format!("{least} to {most}"),
    }
}
