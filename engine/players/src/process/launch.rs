//! The command line that starts a bot.

use super::command_line::CommandLine;
use super::run::Start;
use super::sandbox::Confinement;
use super::{Allowance, Interpreter, Language, Runner, Sandbox, SandboxError};
use crate::tool::is_executable;
use crate::{BuildError, Manifest, Tools};
use arena::Invocation;
use rules::Seat;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
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
    interpreter: Option<&'static Interpreter>,
    /// What it was before it was moved: that is still there when the match is over.
    original: Option<Box<Launch>>,
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
    #[error("{language} bots are run by {}, which was not found", programs.join(" or "))]
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
            LaunchError::NoInterpreter { install, .. } => {
                format!("install {install}; or give its place in broadside.toml, under [tools]")
            }
            LaunchError::Build(error) => error.hint(),
        }
    }
}

impl Launch {
    /// Finds out how the bot is started, and whether it can be.
    pub fn of(manifest: &Manifest, tools: &Tools) -> Result<Launch, LaunchError> {
        let run_file = manifest.run_path();
        if !run_file.is_file() {
            return Err(LaunchError::NoRunFile(run_file));
        }
        let interpreter = match &manifest.language.runner {
            Runner::Direct => None,
            Runner::By(interpreter) => Some(*interpreter),
            Runner::ByExtension(cases) => {
                let extension = run_file.extension().unwrap_or_default();
                cases.iter().find(|(case, _)| extension.eq_ignore_ascii_case(case)).map(|(_, interpreter)| *interpreter)
            }
        };
        let Some(interpreter) = interpreter else {
            let (program, after) = (executable(run_file)?, manifest.run_args.clone());
            let folder = manifest.folder.clone();
            return Ok(Launch {
                program,
                before: Vec::new(),
                after,
                folder,
                seed: None,
                interpreter: None,
                confinement: None,
                original: None,
            });
        };
        let mut launch = Launch::by(interpreter, manifest.language, tools, &manifest.folder)?;
        let private = interpreter.private.map(|path| manifest.project_path().join(path));
        if let Some(private) = private.filter(|path| is_executable(path)) {
            // Not asked where it really is: it belongs to the bot, and nothing of the bot runs before the match.
            launch.program = private;
        }
        launch.before.push(run_file.into());
        Ok(Launch { after: manifest.run_args.clone(), ..launch })
    }

    /// An interpreter of `language` in `folder`, without a bot for it to run.
    pub fn by(
        interpreter: &'static Interpreter,
        language: &Language,
        tools: &Tools,
        folder: &Path,
    ) -> Result<Launch, LaunchError> {
        let programs = interpreter.programs.iter().filter_map(|name| tools.find(name));
        let program = programs.filter_map(|program| real(program, interpreter, folder)).next().ok_or_else(|| {
            let (programs, install) = (interpreter.programs.to_vec(), interpreter.install);
            LaunchError::NoInterpreter { language: language.name, programs, install }
        })?;
        let before = interpreter.arguments.iter().map(OsString::from).collect();
        let folder = folder.to_owned();
        Ok(Launch {
            program,
            before,
            after: Vec::new(),
            folder,
            seed: None,
            interpreter: Some(interpreter),
            confinement: None,
            original: None,
        })
    }

    /// The same with this seed in the bot's environment, under `BROADSIDE_SEED`.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Launch {
        Launch { seed: Some(seed), ..self }
    }

    /// The same for a copy of its folder, which lies in `folder`: whatever it was to run or read there is that of the copy.
    #[must_use]
    pub fn moved(self, folder: &Path) -> Launch {
        let from = self.folder.clone();
        // What lies beside the folder was not copied.
        let leads_out = |relative: &Path| relative.components().any(|part| part == Component::ParentDir);
        let moved = |path: &Path| match path.strip_prefix(&from) {
            Ok(relative) if !leads_out(relative) => folder.join(relative),
            _ => path.to_owned(),
        };
        let before = self.before.iter().map(|argument| moved(Path::new(argument)).into_os_string()).collect();
        let (program, folder) = (moved(&self.program), folder.to_owned());
        Launch { program, before, folder, original: Some(Box::new(self.clone())), ..self }
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
        let seed = self.seed.map(|seed| seed.to_string());
        let mut command = match &self.confinement {
            Some(confinement) => {
                confinement.command(&self.folder, round_folder, &self.program).env("HOME", &self.folder)
            }
            None => CommandLine::new(&self.program, &self.folder),
        };
        command = command.args(self.arguments(seat, round_folder));
        if let Some(seed) = &seed {
            command = command.env(SEED, seed);
        }
        let memory = self.confinement.as_ref().map(Confinement::memory);
        let lasting = self.original.as_deref().unwrap_or(self);
        let program = [lasting.program.clone().into()];
        let arguments = program.into_iter().chain(lasting.arguments(seat, round_folder)).collect();
        let environment = seed.map(|seed| (SEED.to_owned(), seed)).into_iter().collect();
        let invocation = Invocation { arguments, folder: lasting.folder.clone(), environment };
        Start { command, text: lasting.text(seat, round_folder), invocation, memory }
    }

    fn arguments(&self, seat: Seat, round_folder: &Path) -> impl Iterator<Item = OsString> {
        let key = OsString::from(seat.to_string());
        let after = self.after.iter().map(OsString::from);
        self.before.iter().cloned().chain([key, round_folder.into()]).chain(after)
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

    /// What runs the bot, if it does not run by itself.
    pub(super) fn interpreter(&self) -> Option<&'static Interpreter> {
        self.interpreter
    }

    /// The same program with these arguments in place of the bot and of what stood before it, in another folder.
    pub(super) fn instead(&self, before: Vec<OsString>, folder: &Path) -> Launch {
        Launch { before, after: Vec::new(), folder: folder.to_owned(), ..self.clone() }
    }

    /// The program that is executed.
    pub fn program(&self) -> &Path {
        &self.program
    }
}

fn executable(run_file: PathBuf) -> Result<PathBuf, LaunchError> {
    if is_executable(&run_file) { Ok(run_file) } else { Err(LaunchError::NotExecutable(run_file)) }
}

/// Where `program` really is: version managers put scripts in front of interpreters, which choose by the folder. `None`
/// if such a script finds no interpreter behind it.
fn real(program: PathBuf, interpreter: &Interpreter, folder: &Path) -> Option<PathBuf> {
    let Some(whereabouts) = interpreter.whereabouts.filter(|_| is_script(&program)) else { return Some(program) };
    let told = Command::new(&program).args(whereabouts).current_dir(folder).stdin(Stdio::null()).output().ok()?;
    let path = PathBuf::from(String::from_utf8(told.stdout).ok()?.trim());
    (told.status.success() && path.is_absolute() && is_executable(&path)).then_some(path)
}

fn is_script(program: &Path) -> bool {
    let mut start = [0; 2];
    File::open(program).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *b"#!"
}
