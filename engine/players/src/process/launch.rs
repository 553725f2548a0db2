//! The command line that starts a bot.

mod elf;
mod error;
mod program_file;
mod request;

use super::build::is_finished;
use super::language::StackSignal;
use super::run::{RunRequest, TOOL_TIMEOUT, run};
use super::{Allowance, Interpreter, Language, Runner, Sandbox, SandboxError};
use crate::tool::is_executable;
use crate::{Manifest, Tools};
use arena::folder::MatchFolder;
use arena::{Interrupt, Limits, RunEnd};
pub use error::LaunchError;
use platform::process::CommandLine;
use platform::sandbox::SandboxPolicy;
pub use program_file::{ProgramError, ProgramFault};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The command line of one bot, determined once before the match.
#[derive(Debug, Clone)]
pub struct Launch {
    program: PathBuf,
    before: Vec<OsString>,
    after: Vec<String>,
    folder: PathBuf,
    seed: Option<u64>,
    /// Variables that the user gives the bot.
    variables: Vec<(String, String)>,
    /// True if the program is started once a match.
    stays: bool,
    /// True if the seat and the folder of the turn are its arguments, false if it has all from its standard input.
    has_turn_folder: bool,
    policy: Option<SandboxPolicy>,
    /// True if its runs may be forks of an interpreter that is there already.
    is_warm: bool,
    /// The folder of the match as the bot has it in the sandbox, if it is in memory.
    rounds: Option<Arc<MatchFolder>>,
    /// The interpreter, if the bot is not run directly.
    pub(super) interpreter: Option<&'static Interpreter>,
    /// The signal and the variable by which its runtime tells its stack.
    stack: Option<&'static StackSignal>,
    /// The interpreter that the tools of this machine have; a bot may bring its own as `program`.
    tool: Option<PathBuf>,
    /// The launch in the bot's original folder: the private copy is deleted after the match, the original is not.
    original: Option<Box<Launch>>,
}

/// The environment variable with a seed for bots that want to be repeatable.
const SEED: &str = "BROADSIDE_SEED";
/// The environment variable that tells a bot that it may stay, and what it is set to.
const STAY: (&str, &str) = ("BROADSIDE_STAY", "1");

impl Launch {
    /// Determines the command line of a bot.
    ///
    /// # Errors
    /// The run file or the interpreter is missing, or the run file is not executable. [`LaunchError::hint`] says what
    /// to do.
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
        let launch = match interpreter {
            Some(interpreter) => {
                let mut launch = Launch::by(interpreter, manifest.language, tools, &manifest.folder)?;
                let private = interpreter.private.map(|path| manifest.project_path().join(path));
                if let Some(private) = private.filter(|path| is_executable(path) && is_finished(path)) {
                    // Not asked for its real path: it belongs to the bot, and nothing of the bot runs before the match.
                    launch.program = private;
                }
                launch.before.push(run_file.into());
                launch
            }
            None if is_executable(&run_file) => Launch::direct(run_file, &manifest.folder),
            None => return Err(LaunchError::NotExecutable(run_file)),
        };
        let (after, stays, stack) = (manifest.run_args.clone(), manifest.stay, manifest.language.stack.as_ref());
        Ok(Launch { after, stays, stack, ..launch })
    }

    /// A launch of `program` in `folder`, without arguments.
    fn direct(program: PathBuf, folder: &Path) -> Launch {
        Launch {
            program,
            before: Vec::new(),
            after: Vec::new(),
            folder: folder.to_owned(),
            seed: None,
            variables: Vec::new(),
            stays: false,
            has_turn_folder: true,
            policy: None,
            is_warm: false,
            rounds: None,
            interpreter: None,
            stack: None,
            tool: None,
            original: None,
        }
    }

    /// A launch of an interpreter of `language` in `folder`, without a bot.
    ///
    /// # Errors
    /// No interpreter is found. [`LaunchError::hint`] says what to install.
    pub fn by(
        interpreter: &'static Interpreter,
        language: &Language,
        tools: &Tools,
        folder: &Path,
    ) -> Result<Launch, LaunchError> {
        let mut programs = interpreter.tool.programs.iter().filter_map(|name| tools.find(name));
        let program = programs.find_map(|program| real(program, interpreter)).ok_or_else(|| {
            LaunchError::NoInterpreter { language: language.name, programs: interpreter.tool.programs.to_vec() }
        })?;
        let before = interpreter.arguments.iter().map(OsString::from).collect();
        let tool = Some(program.clone());
        Ok(Launch { before, interpreter: Some(interpreter), tool, ..Launch::direct(program, folder) })
    }

    /// The same launch with this seed in the environment variable `BROADSIDE_SEED`.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Launch {
        Launch { seed: Some(seed), ..self }
    }

    /// The same launch with these environment variables. They count before those that all bots have.
    #[must_use]
    pub fn with_variables(mut self, variables: impl IntoIterator<Item = (String, String)>) -> Launch {
        self.variables.extend(variables);
        self
    }

    /// The same launch for a copy of its folder at `folder`: paths in the original folder become paths in the copy.
    #[must_use]
    pub fn moved(self, folder: &Path) -> Launch {
        let from = self.folder.clone();
        // Files beside the folder were not copied.
        let leads_out = |relative: &Path| relative.components().any(|part| part == Component::ParentDir);
        let moved = |path: &Path| match path.strip_prefix(&from) {
            Ok(relative) if !leads_out(relative) => folder.join(relative),
            _ => path.to_owned(),
        };
        let before = self.before.iter().map(|argument| moved(Path::new(argument)).into_os_string()).collect();
        let (program, folder) = (moved(&self.program), folder.to_owned());
        Launch { program, before, folder, original: Some(Box::new(self.clone())), ..self }
    }

    /// The same launch in `sandbox`, where the `closed` folders are out of reach. `rounds` is the folder of the match, if it
    /// is to play one: then files that it writes are gone at the end, as far as the kernel allows. `kill` is the time after
    /// which its runs are killed.
    ///
    /// # Errors
    /// [`SandboxError::Outside`] as for [`Launch::stays_inside`]; or the sandbox helper cannot be started, or cannot
    /// apply the rules.
    pub fn confined(
        self,
        sandbox: &Sandbox,
        rounds: Option<&Path>,
        closed: &[PathBuf],
        allowance: Allowance,
        kill: Option<Duration>,
    ) -> Result<Launch, SandboxError> {
        self.stays_inside()?;
        // One that stays has this time for each turn.
        let kill = kill.filter(|_| !self.stays);
        let (policy, open) = sandbox.confine(&self.folder, self.tool.as_deref(), rounds, closed, allowance, kill)?;
        let rounds = rounds.zip(open).map(|(path, open)| Arc::new(MatchFolder::within(path, open)));
        let policy = if self.stays { policy.for_staying() } else { policy };
        Ok(Launch { policy: Some(policy), rounds, ..self })
    }

    /// Checks that all files that bot.json chooses, its run file and an interpreter of its own, lie in the bot's
    /// folder after links are followed. The interpreter may also be a link to the one of this machine, as Python's
    /// virtual environments have it.
    ///
    /// The sandbox opens programs of this machine to bots. If a bot could choose them, it could choose what is opened.
    ///
    /// # Errors
    /// [`SandboxError::Outside`] with the first file that lies elsewhere.
    pub fn stays_inside(&self) -> Result<(), SandboxError> {
        let real = |path: &Path| path.canonicalize().ok();
        let (folder, tool) = (real(&self.folder), self.tool.as_deref().and_then(real));
        let is_inside = |path: &Path| folder.as_ref().is_some_and(|folder| path.starts_with(folder));
        let files = self.before.iter().map(Path::new).filter(|argument| argument.is_absolute());
        for file in files.chain([self.program.as_path()]) {
            let found = real(file);
            let is_tool = file == self.program && found.is_some() && found == tool;
            if !is_tool && !found.as_deref().is_some_and(is_inside) {
                return Err(SandboxError::Outside {
                    bot: self.folder.clone(),
                    file: file.to_owned(),
                    leads: found.filter(|found| found != file),
                });
            }
        }
        Ok(())
    }

    /// True if the program is started once a match and stays, false if it is started for every turn.
    pub fn stays(&self) -> bool {
        self.stays
    }

    /// The same launch with a start for every turn, whatever its bot.json says.
    #[must_use]
    pub fn per_round(self) -> Launch {
        Launch { stays: false, ..self }
    }

    /// The same launch for a bot that is asked by lines on its standard input ([`Lines`](super::Lines)): it is started once a
    /// match, whatever its bot.json says, and its arguments are RunArgs alone.
    #[must_use]
    pub fn by_lines(self) -> Launch {
        Launch { stays: true, has_turn_folder: false, ..self }
    }

    /// The same launch with warm starts, if the bot [can start so](Launch::can_start_warm), and has namespaces and its folders in
    /// memory if it has a sandbox.
    #[must_use]
    pub fn with_warm_starts(self) -> Launch {
        let holds = |policy: &SandboxPolicy| self.rounds.is_some() && policy.for_warm_starts().is_some();
        let is_warm = self.can_start_warm() && self.policy.as_ref().is_none_or(holds);
        Launch { is_warm, ..self }
    }

    /// True if the bot is started for every turn by an interpreter of this machine that can be started once a match and fork. One
    /// that the bot brings would run its code before the fork.
    pub fn can_start_warm(&self) -> bool {
        let is_machines = self.tool.as_ref() == Some(&self.program) && self.before.len() == 1;
        is_machines && self.interpreter.is_some_and(|interpreter| interpreter.warm.is_some()) && !self.stays
    }

    /// True if the runs of the bot are forks of an interpreter that is started once a match.
    pub fn has_warm_starts(&self) -> bool {
        self.is_warm
    }

    /// The bot's folder, if it is a copy that nobody needs after the match and that the bot can write to.
    pub(super) fn copy(&self) -> Option<&Path> {
        let is_copy = self.original.is_some() && self.rounds().is_none();
        is_copy.then_some(self.folder.as_path())
    }

    /// The folder in which the bot runs: its own, or the copy of it.
    pub(super) fn working_folder(&self) -> &Path {
        &self.folder
    }

    /// True if the bot runs in a sandbox.
    pub(super) fn is_confined(&self) -> bool {
        self.policy.is_some()
    }

    /// The folder in memory for messages to the bot and its answers; `None` if it shares that of the match.
    pub(super) fn rounds(&self) -> Option<&MatchFolder> {
        self.rounds.as_deref()
    }

    /// The interpreter of this machine by which the bot, or a bot of its language, is run. `None` if the bot is run
    /// directly.
    pub fn tool(&self) -> Option<&Path> {
        self.tool.as_deref()
    }

    /// The interpreter of this machine in another folder, with these arguments in place of the bot and of everything
    /// before it. Nothing of the bot is left.
    pub(super) fn instead(&self, before: Vec<OsString>, folder: &Path) -> Launch {
        let program = self.tool.clone().unwrap_or_else(|| self.program.clone());
        Launch {
            program,
            before,
            after: Vec::new(),
            folder: folder.to_owned(),
            stays: false,
            policy: None,
            is_warm: false,
            rounds: None,
            original: None,
            ..self.clone()
        }
    }

    /// The program that is executed.
    pub fn program(&self) -> &Path {
        &self.program
    }
}

/// The real path of `program`: version managers put scripts in front of interpreters. `None` if such a script finds no
/// interpreter.
fn real(program: PathBuf, interpreter: &Interpreter) -> Option<PathBuf> {
    let Some(whereabouts) = interpreter.whereabouts.filter(|_| program_file::is_script(&program)) else {
        return Some(program);
    };
    // Not in the bot's folder, whose files could choose the interpreter, and with it what is run and what the sandbox opens.
    let ask = CommandLine::new(&program, Path::new("/")).args(whereabouts);
    let request = RunRequest::of(ask, program.display().to_string());
    let limits = Limits::exactly(TOOL_TIMEOUT, TOOL_TIMEOUT);
    let told = run(request, Some(limits), &Interrupt::new().ok()?).ok()?;
    if told.end == RunEnd::Killed {
        log::warn!("{} did not answer within {} s", program.display(), TOOL_TIMEOUT.as_secs());
    }
    let path = PathBuf::from(String::from_utf8(told.stdout.bytes).ok()?.trim());
    (told.end == RunEnd::Exited(0) && path.is_absolute() && is_executable(&path)).then_some(path)
}
