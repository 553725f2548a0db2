//! Building bots.

use crate::Manifest;
use crate::tool::find_tool;
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};

/// Why a bot could not be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The tool is missing.
    #[error("{program} is needed to build the bot in {} and is not on the PATH", project.display())]
    NoTool {
        /// Which tool.
        program: &'static str,
        /// For which project.
        project: PathBuf,
        /// What to install.
        install: &'static str,
    },
    /// The project is not where bot.json says.
    #[error("there is no {file} in {}", project.display())]
    NoProject {
        /// What was looked for.
        file: &'static str,
        /// Where.
        project: PathBuf,
    },
    /// The tool could not be run.
    #[error("cannot run {program} in {}", project.display())]
    NotRun {
        /// Which tool.
        program: &'static str,
        /// For which project.
        project: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The tool failed.
    #[error("{program} failed ({status}) in {}", project.display())]
    Failed {
        /// Which tool.
        program: &'static str,
        /// How it ended.
        status: ExitStatus,
        /// For which project.
        project: PathBuf,
    },
}

impl BuildError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            BuildError::NoTool { install, .. } => format!("install {install}"),
            BuildError::NoProject { .. } => {
                "correct ProjectLocation in bot.json; it is relative to the bot's folder".to_owned()
            }
            BuildError::NotRun { .. } => "check that the folder can be entered".to_owned(),
            BuildError::Failed { .. } => "its messages are above".to_owned(),
        }
    }
}

/// Builds the bot. What the tool says goes to standard error. False if there is nothing to build in its language.
pub fn build(manifest: &Manifest) -> Result<bool, BuildError> {
    let Some(rule) = &manifest.language.build else { return Ok(false) };
    let project = manifest.project_path();
    if !project.join(rule.project_file).is_file() {
        return Err(BuildError::NoProject { file: rule.project_file, project });
    }
    let Some(tool) = find_tool(rule.program) else {
        return Err(BuildError::NoTool { program: rule.program, project, install: rule.install });
    };
    let run_file = manifest.run_path();
    let arguments = rule.arguments.iter().map(|argument| match *argument {
        "{run_file}" => run_file.as_os_str(),
        argument => argument.as_ref(),
    });
    let status = Command::new(tool)
        .args(arguments)
        .current_dir(&project)
        .stdin(Stdio::null())
        // Standard output is for results; what a build says is talk.
        .stdout(io::stderr())
        .status();
    match status {
        Ok(status) if status.success() => Ok(true),
        Ok(status) => Err(BuildError::Failed { program: rule.program, status, project }),
        Err(source) => Err(BuildError::NotRun { program: rule.program, project, source }),
    }
}
