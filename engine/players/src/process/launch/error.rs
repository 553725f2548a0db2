//! The reasons why a bot cannot be started.

use super::program_file::ProgramError;
use crate::BuildError;
use crate::process::Tool;
use crate::tool::missing_tool_hint;
use std::path::{Path, PathBuf};

/// The reason why a bot cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The run file is missing.
    #[error("the RunFile {} is {}", .0.display(), missing(.0))]
    NoRunFile(PathBuf),
    /// The run file has to be executed, but the user has no right to.
    #[error("the RunFile {} may not be executed", .0.display())]
    NotExecutable(PathBuf),
    /// The run file is a source of a language whose bots are built.
    #[error("the RunFile {} is source code of {language}, which is built before it is run", file.display())]
    Source {
        /// The run file.
        file: PathBuf,
        /// The name of the language.
        language: &'static str,
    },
    /// Linux refuses to run the program.
    #[error(transparent)]
    Refused(#[from] ProgramError),
    /// The interpreter of the language is missing.
    #[error("{language} bots are run by {}, which was not found", programs.join(" or "))]
    NoInterpreter {
        /// The name of the language.
        language: &'static str,
        /// Names of the interpreters, any of which is enough.
        programs: Vec<&'static str>,
    },
    /// The build failed.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl LaunchError {
    /// Advice for the user.
    pub fn hint(&self) -> String {
        match self {
            LaunchError::NoRunFile(_) => {
                "build the bot, or correct RunFile in bot.json; it is relative to the bot's folder".to_owned()
            }
            LaunchError::NotExecutable(path) => format!("chmod +x {}", crate::shell_word(path)),
            LaunchError::Source { .. } => {
                "name the compiled program in RunFile; it is then built if it is missing".to_owned()
            }
            LaunchError::Refused(refusal) => refusal.hint(),
            LaunchError::NoInterpreter { programs, .. } => missing_tool_hint(Tool::of(programs), programs),
            LaunchError::Build(error) => error.hint(),
        }
    }
}

/// The reason in words why a path is not a file.
fn missing(path: &Path) -> String {
    match path.read_link() {
        Ok(target) if !path.exists() => format!("a link to {}, which is missing", target.display()),
        _ if path.is_dir() => "a folder".to_owned(),
        _ => "missing".to_owned(),
    }
}
