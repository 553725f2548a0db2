//! Errors of builds.

use super::Refusal;
use crate::process::{MissingTool, SandboxError, Tool};
use crate::tool::missing_tool_hint;
use arena::ArenaError;
use std::io;
use std::path::{Path, PathBuf};

/// An error of a build.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A tool that the build needs is missing.
    #[error("{} is needed to build the bot in {} and was not found", programs.join(" or "), project.display())]
    NoTool {
        /// Names of the tools, any of which is enough.
        programs: Vec<&'static str>,
        /// The folder of the project.
        project: PathBuf,
    },
    /// The project is not where bot.json says.
    #[error("the RunFile {} is missing, and there is no {files} in {}", run_file.display(), project.display())]
    NoProject {
        /// Names of the project files that were searched for.
        files: String,
        /// Path of the run file.
        run_file: PathBuf,
        /// The folder that was searched.
        project: PathBuf,
    },
    /// No main class was found, or several.
    #[error("cannot tell the main class of the bot in {}", project.display())]
    NoMainClass {
        /// The folder of the project.
        project: PathBuf,
        /// The class that the name of the run file suggests.
        wanted: String,
    },
    /// A tool could not be started, or the log or the program could not be written.
    #[error("cannot {doing} in {}", place.display())]
    NotRun {
        /// The action that failed.
        doing: String,
        /// The folder in which it was tried.
        place: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The sandbox of the build cannot be made.
    #[error(transparent)]
    Sandbox(Box<SandboxError>),
    /// The engine failed, or was interrupted.
    #[error(transparent)]
    Engine(Box<ArenaError>),
    /// A tool ended with an error.
    #[error("{command} failed ({ended}) in {}", project.display())]
    Failed {
        /// The command line.
        command: String,
        /// The end of the tool.
        ended: String,
        /// The folder of the project.
        project: PathBuf,
        /// The file with all output of the build.
        log: PathBuf,
        /// What it seems to have lacked.
        lack: Box<BuildLack>,
        /// The program that somebody else built, which may be what the sources make although one of them is newer.
        doubted: Option<Box<Path>>,
    },
    /// Every command succeeded, but the run file does not exist.
    #[error("the build in {} ended well, but there is no RunFile {}", project.display(), run_file.display())]
    NoRunFile {
        /// The folder of the project.
        project: PathBuf,
        /// The missing run file.
        run_file: PathBuf,
    },
}

/// What a build that failed seems to have lacked.
#[derive(Debug)]
pub struct BuildLack {
    /// The part of the sandbox that it met.
    pub refusal: Option<Refusal>,
    /// The tools that it had use for, and which are not there or do not work.
    pub tools: Vec<MissingTool>,
}

impl From<SandboxError> for BuildError {
    fn from(error: SandboxError) -> BuildError {
        BuildError::Sandbox(Box::new(error))
    }
}

impl From<ArenaError> for BuildError {
    fn from(error: ArenaError) -> BuildError {
        BuildError::Engine(Box::new(error))
    }
}

impl BuildError {
    /// Advice for the user.
    pub fn hint(&self) -> String {
        match self {
            BuildError::NoTool { programs, .. } => missing_tool_hint(Tool::of(programs), programs),
            BuildError::NoProject { .. } => {
                "correct ProjectLocation or RunFile in bot.json; they are relative to the bot's folder".to_owned()
            }
            BuildError::NoMainClass { wanted, .. } => {
                format!("have one file with a main method, or name it {wanted}, after RunFile")
            }
            BuildError::Sandbox(_) => {
                "build the bot with --sandbox off if you trust it; docs/sandbox.md lists what builds in a sandbox need"
                    .to_owned()
            }
            BuildError::Engine(_) => "see above".to_owned(),
            BuildError::NotRun { .. } => "check that the folder is there and can be written to".to_owned(),
            BuildError::Failed { log, lack, doubted, .. } => {
                let mut hint = String::new();
                for missing in &lack.tools {
                    hint.push_str(&format!("it needs {missing}: {}; ", missing.hint()));
                }
                hint.push_str(&format!("what it said is in {}", log.display()));
                hint.push_str(match lack.refusal {
                    Some(Refusal::Network) => {
                        "; a build in the sandbox has the bot's folder, the system's files and no network: \
                         --build-network opens networks; or build it with --sandbox off if you trust it"
                    }
                    Some(Refusal::Access) => {
                        "; a build in the sandbox has the bot's folder and the system's files: \
                         build it with --sandbox off if you trust it"
                    }
                    None => "",
                });
                if let Some(program) = doubted {
                    let program = crate::shell_word(&**program);
                    hint.push_str(&format!("; if the program that is there is up to date, say so: touch {program}"));
                }
                hint
            }
            BuildError::NoRunFile { .. } => {
                "correct RunFile in bot.json; it is relative to the bot's folder".to_owned()
            }
        }
    }
}
