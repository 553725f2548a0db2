//! A run of a bot: its command line, its environment, and their description.

use super::{Launch, SEED, STAY};
use crate::process::language::Heap;
use crate::process::run::RunRequest;
use crate::process::running::StackSource;
use arena::Invocation;
use platform::process::CommandLine;
use platform::sandbox::SandboxPolicy;
use rules::Seat;
use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

impl Launch {
    /// The start of the interpreter whose forks are the runs of the bot, the first one in this folder. `None` if it has no warm
    /// starts.
    pub(in crate::process) fn warm_request(&self, seat: Seat, round_folder: &Path) -> Option<RunRequest> {
        let program = self.interpreter?.warm.filter(|_| self.is_warm)?;
        let (command, confined) = match &self.policy {
            Some(policy) => {
                let rounds = self.rounds()?.path();
                (policy.for_warm_starts()?.command(&self.folder, rounds, &[], &self.program), "confined")
            }
            None => (CommandLine::of_bot(&self.program, &self.folder), "free"),
        };
        let command = self.with_environment(command, round_folder);
        let home = command.value("HOME").unwrap_or_default().to_owned();
        // Interpreters load modules of the home folder when they start, and this one is not yet to run code of the bot.
        let command = command.env("HOME", "/").args(["-c".as_ref(), program.as_ref(), home.as_os_str()]);
        let command = command.args([confined]).args(self.arguments(seat, round_folder));
        let (text, invocation) = self.description(seat, round_folder);
        let memory = self.policy.as_ref().map(SandboxPolicy::memory);
        let stack_source = Some(self.stack_source());
        Some(RunRequest { command: command.with_socket(), text, invocation, memory, processes: None, stack_source })
    }

    /// The command with the environment of the bot, the same in a sandbox and without one (docs/sandbox.md, "The environment of
    /// a bot").
    fn with_environment(&self, command: CommandLine, round_folder: &Path) -> CommandLine {
        let mut command = command.env("HOME", &self.folder).env("TMPDIR", round_folder);
        if let Some((name, value)) = self.stack.and_then(|stack| stack.variable) {
            command = command.env(name, value);
        }
        let command = self.own_variables().into_iter().fold(command, |command, (name, value)| command.env(name, value));
        self.variables.iter().fold(command, |command, (name, value)| command.env(name, value))
    }

    fn stack_source(&self) -> StackSource {
        let program = || self.interpreter.is_none().then(|| self.program.clone());
        self.stack.map_or_else(|| StackSource::Look(program()), |stack| StackSource::Signal(stack.signal))
    }

    /// The variables that tell this bot of this match. They are kept with what is told of a run; those that the user gives are not,
    /// because they may hold secrets.
    fn own_variables(&self) -> Vec<(String, String)> {
        let seed = self.seed.map(|seed| (SEED.to_owned(), seed.to_string()));
        seed.into_iter().chain(self.stays.then(|| (STAY.0.to_owned(), STAY.1.to_owned()))).collect()
    }

    /// The run of one round, or of all for a bot that stays: the program with key and folder, in this order, then RunArgs
    /// (published text, "Your Bot"; 4.4). A bot in a sandbox can also read and write its folders of `earlier` rounds.
    pub(in crate::process) fn request(&self, seat: Seat, round_folder: &Path, earlier: &[PathBuf]) -> RunRequest {
        let command = match &self.policy {
            Some(policy) => policy.command(&self.folder, round_folder, earlier, &self.program),
            None => CommandLine::of_bot(&self.program, &self.folder),
        };
        let mut command = self.with_environment(command, round_folder).args(self.arguments(seat, round_folder));
        if self.stays {
            command = command.with_input();
        }
        let memory = self.policy.as_ref().map(SandboxPolicy::memory);
        let (text, invocation) = self.description(seat, round_folder);
        let stack_source = Some(self.stack_source());
        RunRequest { command, text, invocation, memory, processes: None, stack_source }
    }

    /// The command line for messages, and for users who want to repeat a run.
    pub(in crate::process) fn description(&self, seat: Seat, round_folder: &Path) -> (String, Invocation) {
        let lasting = self.original.as_deref().unwrap_or(self);
        let program = [lasting.program.clone().into()];
        let arguments = program.into_iter().chain(lasting.arguments(seat, round_folder)).collect();
        let invocation = Invocation {
            arguments,
            folder: lasting.folder.clone(),
            environment: self.own_variables(),
            turn_folder: round_folder.to_owned(),
            input: None,
        };
        (lasting.text(seat, round_folder), invocation)
    }

    fn arguments(&self, seat: Seat, round_folder: &Path) -> impl Iterator<Item = OsString> {
        let turn = self.has_turn_folder.then(|| [seat.to_string().into(), round_folder.into()]);
        let after = self.after.iter().map(OsString::from);
        self.heap_flags()
            .into_iter()
            .map(OsString::from)
            .chain(self.before.iter().cloned())
            .chain(turn.into_iter().flatten())
            .chain(after)
    }

    /// The arguments that tell a virtual machine the size of its heap, before all others. None if the user tells it.
    fn heap_flags(&self) -> Vec<String> {
        let heap = self.interpreter.and_then(|interpreter| interpreter.heap);
        let is_told = |heap: &&Heap| self.variables.iter().any(|(name, _)| heap.variables.contains(&name.as_str()));
        let limit = self.policy.as_ref().map(SandboxPolicy::memory);
        heap.filter(|heap| !is_told(heap)).map_or_else(Vec::new, |heap| (heap.flags)(limit))
    }

    /// The command line for messages: `PROGRAM … KEY "FOLDER"`, or without the two.
    fn text(&self, seat: Seat, round_folder: &Path) -> String {
        let mut words = vec![self.program.to_string_lossy()];
        words.extend(self.heap_flags().into_iter().map(Cow::from));
        words.extend(self.before.iter().map(|argument| argument.to_string_lossy()));
        if self.has_turn_folder {
            words.push(format!("{seat} \"{}\"", round_folder.display()).into());
        }
        words.extend(self.after.iter().map(Into::into));
        words.join(" ")
    }
}
