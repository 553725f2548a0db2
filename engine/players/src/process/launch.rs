//! The command line that starts a bot.

use super::run::Start;
use super::sandbox::Confinement;
use super::{Allowance, Runner, Sandbox, SandboxError};
use crate::tool::{find_tool, is_executable};
use crate::{BuildError, Manifest};
use arena::Invocation;
use rules::Seat;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How one bot is started, found out once before the match.
#[derive(Debug, Clone)]
pub struct Launch {
    program: PathBuf,
    before: Vec<OsString>,
    after: Vec<String>,
    folder: PathBuf,
    seed: Option<u64>,
    confinement: Option<Confinement>,
}

/// Where bots that want to be repeatable find a seed.
const SEED: &str = "BROADSIDE_SEED";

/// Why a bot cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The run file is missing.
    #[error("the RunFile {} is missing", .0.display())]
    NoRunFile(PathBuf),
    /// The run file is to be executed, but may not be.
    #[error("the RunFile {} may not be executed", .0.display())]
    NotExecutable(PathBuf),
    /// The program that runs the language is missing.
    #[error("{language} bots are run by {}, which is not on the PATH", programs.join(" or "))]
    NoInterpreter {
        /// Which language.
        language: &'static str,
        /// What was looked for.
        programs: Vec<&'static str>,
        /// What to install.
        install: &'static str,
    },
    /// It could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl LaunchError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            LaunchError::NoRunFile(_) => {
                "build the bot, or correct RunFile in bot.json; it is relative to the bot's folder".to_owned()
            }
            LaunchError::NotExecutable(path) => format!("chmod +x '{}'", path.display()),
            LaunchError::NoInterpreter { install, .. } => format!("install {install}"),
            LaunchError::Build(error) => error.hint(),
        }
    }
}

impl Launch {
    /// Finds out how the bot is started, and whether it can be.
    pub fn of(manifest: &Manifest) -> Result<Launch, LaunchError> {
        let run_file = manifest.run_path();
        if !run_file.is_file() {
            return Err(LaunchError::NoRunFile(run_file));
        }
        let (program, before) = match &manifest.language.runner {
            Runner::Direct => (executable(run_file)?, Vec::new()),
            Runner::Interpreter { programs, arguments, install, .. } => {
                let program = interpreter(manifest, programs, install)?;
                (program, arguments.iter().map(OsString::from).chain([run_file.into()]).collect())
            }
            Runner::DotNet => {
                let extension = run_file.extension().map(|e| e.to_ascii_lowercase());
                match extension.as_deref().and_then(|e| e.to_str()) {
                    Some("exe") => {
                        let mono = interpreter(manifest, &["mono"], "Mono, e.g. the package mono-runtime")?;
                        (mono, vec![run_file.into()])
                    }
                    Some("dll") => (interpreter(manifest, &["dotnet"], "the .NET runtime")?, vec![run_file.into()]),
                    _ => (executable(run_file)?, Vec::new()),
                }
            }
        };
        let (after, folder) = (manifest.run_args.clone(), manifest.folder.clone());
        Ok(Launch { program, before, after, folder, seed: None, confinement: None })
    }

    /// The same with this seed in the bot's environment, under `BROADSIDE_SEED`.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Launch {
        Launch { seed: Some(seed), ..self }
    }

    /// The same in `sandbox`, where the `closed` folders are out of reach. `kill` is when its runs are ended.
    pub fn confined(
        self,
        sandbox: &Sandbox,
        closed: &[PathBuf],
        allowance: Allowance,
        kill: Option<Duration>,
    ) -> Result<Launch, SandboxError> {
        let script = self.before.iter().map(Path::new).filter(|argument| argument.is_absolute());
        let programs: Vec<&Path> = [self.program.as_path()].into_iter().chain(script).collect();
        let confinement = sandbox.confine(&self.folder, &programs, closed, allowance, kill)?;
        Ok(Launch { confinement: Some(confinement), ..self })
    }

    /// What is to be run for one round: the program with key and folder, in this order, then RunArgs (published text,
    /// "Your Bot"; 4.4).
    pub(super) fn start(&self, seat: Seat, round_folder: &Path) -> Start {
        let key = OsString::from(seat.to_string());
        let after = self.after.iter().map(OsString::from);
        let arguments = self.before.iter().cloned().chain([key, round_folder.into()]).chain(after).collect();
        let environment = self.seed.map(|seed| (SEED.to_owned(), seed.to_string())).into_iter().collect();
        let mut command = match &self.confinement {
            Some(confinement) => {
                let mut command = confinement.command(round_folder, &self.program);
                command.env("HOME", &self.folder);
                command
            }
            None => Command::new(&self.program),
        };
        let mut invocation = Invocation { arguments, folder: self.folder.clone(), environment };
        command.args(&invocation.arguments).current_dir(&self.folder).envs(invocation.environment.iter().cloned());
        invocation.arguments.insert(0, self.program.clone().into());
        let memory = self.confinement.as_ref().map(Confinement::memory);
        Start { command, text: self.text(seat, round_folder), invocation, memory }
    }

    /// The same for people to read: `PROGRAM … KEY "FOLDER"`.
    fn text(&self, seat: Seat, round_folder: &Path) -> String {
        let mut text = self.program.display().to_string();
        for argument in &self.before {
            text.push(' ');
            text.push_str(&argument.to_string_lossy());
        }
        text.push_str(&format!(" {seat} \"{}\"", round_folder.display()));
        for argument in &self.after {
            text.push(' ');
            text.push_str(argument);
        }
        text
    }

    /// The same program with the tiny bot of its language in place of the bot; `None` where there is none.
    pub(super) fn calibration(&self, runner: &Runner) -> Option<Launch> {
        let Runner::Interpreter { calibration, .. } = runner else { return None };
        let before: Vec<OsString> = calibration.iter().map(OsString::from).collect();
        (!before.is_empty()).then(|| Launch { before, after: Vec::new(), ..self.clone() })
    }

    /// The same in another working directory.
    pub(super) fn in_folder(self, folder: &Path) -> Launch {
        Launch { folder: folder.to_owned(), ..self }
    }

    /// The program that is executed.
    pub fn program(&self) -> &Path {
        &self.program
    }
}

fn executable(run_file: PathBuf) -> Result<PathBuf, LaunchError> {
    if is_executable(&run_file) { Ok(run_file) } else { Err(LaunchError::NotExecutable(run_file)) }
}

fn interpreter(manifest: &Manifest, programs: &[&'static str], install: &'static str) -> Result<PathBuf, LaunchError> {
    programs.iter().find_map(|name| find_tool(name)).ok_or_else(|| LaunchError::NoInterpreter {
        language: manifest.language.name,
        programs: programs.to_vec(),
        install,
    })
}
