//! The reasons why a bot is not handed in: message, exit code and hint.

use super::folder_archive::{MOST_BYTES, size};
use crate::exit::Exit;
use arena::ArenaError;
use players::ManifestError;
use std::path::PathBuf;

/// An error of `broadside submit`.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SubmitError {
    /// There is no bot in the folder.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A link leads out of the folder.
    #[error("{} leads out of the folder, to {}", link.display(), target.display())]
    LeadsOut {
        /// The link.
        link: PathBuf,
        /// The path to which it leads.
        target: PathBuf,
    },
    /// A link leads to nothing that is packed.
    #[error("{} leads to {}, which is not packed", link.display(), target.display())]
    LeadsNowhere {
        /// The link.
        link: PathBuf,
        /// The path to which it leads.
        target: PathBuf,
    },
    /// There is something in the folder that is no file, folder or link.
    #[error("{} is no file, folder or link", .0.display())]
    Kind(PathBuf),
    /// A file has changed while it was read.
    #[error("{} has changed while it was packed", .0.display())]
    Changed(PathBuf),
    /// The packed folder is too large.
    #[error("{} has more than {} when it is packed; the largest files are {}", folder.display(), size(MOST_BYTES), largest.join(", "))]
    TooLarge {
        /// The folder.
        folder: PathBuf,
        /// The largest files, each with its size.
        largest: Vec<String>,
    },
    /// The server cannot be asked.
    #[error("{url} does not answer: {why}")]
    NoAnswer {
        /// The URL of the server.
        url: String,
        /// The reason.
        why: String,
    },
    /// The server answers something else than its API does.
    #[error("{url} does not answer as a server of contests: {why}")]
    Unreadable {
        /// The URL that was asked.
        url: String,
        /// The mistake.
        why: String,
    },
    /// The server refuses what it is asked, or fails.
    #[error("{url} answers {status}: {words}")]
    Status {
        /// The URL that was asked.
        url: String,
        /// The status of HTTP.
        status: u16,
        /// The words of the server.
        words: String,
    },
    /// The server does not take the password.
    #[error("{url} does not take this password of {bot}")]
    Password {
        /// The URL of the server.
        url: String,
        /// The bot.
        bot: String,
    },
    /// The server has no bot of this name.
    #[error("{url} has no bot {bot}")]
    NoBot {
        /// The URL of the server.
        url: String,
        /// The bot.
        bot: String,
    },
    /// The server does not take the token.
    #[error("{url} does not take the token of {bot}")]
    Token {
        /// The URL of the server.
        url: String,
        /// The bot.
        bot: String,
    },
    /// Somebody has stopped the program, or the disk failed.
    #[error(transparent)]
    Engine(#[from] ArenaError),
}

impl SubmitError {
    /// True if the same request may have another answer in a moment.
    pub(super) fn is_passing(&self) -> bool {
        match self {
            SubmitError::NoAnswer { .. } => true,
            SubmitError::Status { status, .. } => *status >= 500 || *status == TOO_OFTEN,
            _ => false,
        }
    }

    /// The exit code of the program.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            SubmitError::Manifest(_) | SubmitError::LeadsOut { .. } | SubmitError::LeadsNowhere { .. } => Exit::BadBot,
            SubmitError::Kind(_) | SubmitError::Changed(_) | SubmitError::TooLarge { .. } => Exit::BadBot,
            SubmitError::NoAnswer { .. } | SubmitError::Unreadable { .. } | SubmitError::Engine(_) => Exit::EngineError,
            SubmitError::Status { status, .. } if (400..500).contains(status) => Exit::Usage,
            SubmitError::Status { .. } => Exit::EngineError,
            SubmitError::Password { .. } | SubmitError::NoBot { .. } | SubmitError::Token { .. } => Exit::Usage,
        }
    }

    /// The advice to the user; `None` where the message says everything.
    pub(crate) fn hint(&self) -> Option<String> {
        let hint = match self {
            SubmitError::Manifest(source) => return Some(source.hint()),
            SubmitError::LeadsOut { .. } => {
                "remove the link, or put what it leads to in its place; links within the folder are relative"
            }
            SubmitError::LeadsNowhere { .. } => "remove the link, or put what it leads to in its place",
            SubmitError::Kind(_) => "remove it, or move it out of the folder",
            SubmitError::Changed(_) => "run the command again when nothing writes to the folder",
            SubmitError::TooLarge { .. } => "move what the bot does not need out of the folder",
            SubmitError::NoAnswer { .. } => "check the URL behind --to, and that the server runs",
            SubmitError::Unreadable { .. } | SubmitError::Status { status: 300..400 | 404, .. } => {
                "check the URL behind --to, which is that of the first page of a Broadside server, and the names behind --bot and \
                 --contest"
            }
            SubmitError::Status { status: 403, words, .. } if words.contains("code") => {
                "give the code of the contest, which its organiser has told, with --code"
            }
            SubmitError::Status { status: TOO_OFTEN, .. } => "wait for a minute, and run the command again",
            SubmitError::Status { status: 500.., .. } => "run the command again later, or tell who runs the server",
            SubmitError::Password { .. } => "type the password with which the bot was registered",
            SubmitError::NoBot { .. } => {
                "--bot has the name with which the bot was registered on the server, which is not that in bot.json"
            }
            SubmitError::Token { .. } => {
                "a newer token has taken its place: run the command on a terminal, where it asks for the password, or set \
                 BROADSIDE_TOKEN to the newest"
            }
            SubmitError::Status { .. } | SubmitError::Engine(_) => return None,
        };
        Some(hint.to_owned())
    }
}

/// The status of a server that is asked too often.
const TOO_OFTEN: u16 = 429;
