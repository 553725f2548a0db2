//! The reasons why there is no sandbox.

use std::io;
use std::path::PathBuf;

/// The reason why there is no sandbox.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The helper cannot be started.
    #[error("the sandbox's helper cannot be started")]
    NoHelper(#[source] io::Error),
    /// The kernel lacks features.
    #[error("the kernel has no {}", .0.join(" and no "))]
    Lacking(Vec<&'static str>),
    /// A file that bot.json chooses is outside the bot's folder.
    #[error(
        "the bot in {} may not play in a sandbox: {}{} is outside its folder",
        bot.display(), file.display(), leads.as_ref().map(|to| format!(" leads to {}, which", to.display())).unwrap_or_default()
    )]
    Outside {
        /// The bot's folder.
        bot: PathBuf,
        /// The run file, or the bot's own interpreter.
        file: PathBuf,
        /// The file that it leads to, if it is a link.
        leads: Option<PathBuf>,
    },
    /// A file that Linux needs to run the bot's program is closed to it.
    #[error(
        "the bot in {} may not play in a sandbox: {} is run by {}, which the sandbox does not open",
        bot.display(), program.display(), file.display()
    )]
    Closed {
        /// The bot's folder.
        bot: PathBuf,
        /// The program.
        program: PathBuf,
        /// Its interpreter or loader.
        file: PathBuf,
    },
    /// The rules for a bot cannot be applied.
    #[error("the sandbox for {} cannot be set up: {why}", bot.display())]
    NotSetUp {
        /// The bot's folder.
        bot: PathBuf,
        /// The message of the helper.
        why: String,
    },
}
