//! The command line of a bot: program, arguments, folder, environment.
//!
//! Bots are started in every round, so the environment that they inherit is collected once. [`std::process::Command`]
//! collects it at every start, which is 20 of 100 microseconds.

use crate::sandbox::Namespaces;
use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

/// Variables of the engine's environment, each as `NAME=VALUE`.
pub(crate) type InheritedEnvironment = Arc<[CString]>;

/// A program with its arguments, folder and environment.
#[derive(Debug, Clone)]
pub struct CommandLine {
    pub(crate) program: OsString,
    pub(crate) file: Option<Arc<File>>,
    pub(crate) namespaces: Option<Arc<Namespaces>>,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) folder: PathBuf,
    pub(crate) inherited: InheritedEnvironment,
    pub(crate) variables: Vec<(OsString, OsString)>,
    pub(crate) lock_limit: Option<u64>,
    pub(crate) input: Input,
}

/// The standard input of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Input {
    /// Empty.
    Nothing,
    /// A pipe that the engine writes to.
    Pipe,
    /// A socket that the engine writes to and reads from.
    Socket,
}

/// The variables of the engine's environment whose names are `wanted`.
pub(crate) fn inherited(wanted: impl Fn(&OsStr) -> bool) -> InheritedEnvironment {
    let variables = std::env::vars_os().filter(|(name, _)| wanted(name));
    // A variable of an environment has no NUL in it.
    variables.filter_map(|(name, value)| CString::new(entry(&name, &value)).ok()).collect()
}

/// True for variables of the engine's environment that bots inherit, in a sandbox and without one: where programs are found, in
/// which language they speak, and in which time zone. Of the others some hold secrets, and some change what an interpreter does,
/// so that a bot would not play alike on two machines.
fn is_for_bots(name: &OsStr) -> bool {
    const NAMES: [&str; 7] = ["PATH", "LANG", "LANGUAGE", "TZ", "JAVA_HOME", "DOTNET_ROOT", "LD_LIBRARY_PATH"];
    name.to_str().is_some_and(|name| NAMES.contains(&name) || name.starts_with("LC_"))
}

/// A variable as it stands in an environment.
pub(crate) fn entry(name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Vec<u8> {
    [name.as_ref().as_encoded_bytes(), b"=", value.as_ref().as_encoded_bytes()].concat()
}

impl CommandLine {
    /// The program at this path, run in `folder` with the engine's environment at the time of the first call.
    pub fn new(program: impl Into<OsString>, folder: &Path) -> CommandLine {
        static ALL: LazyLock<InheritedEnvironment> = LazyLock::new(|| inherited(|_| true));
        CommandLine {
            program: program.into(),
            file: None,
            namespaces: None,
            arguments: Vec::new(),
            folder: folder.to_owned(),
            inherited: Arc::clone(&ALL),
            variables: Vec::new(),
            lock_limit: None,
            input: Input::Nothing,
        }
    }

    /// The program at this path, run in `folder` as a bot: of the engine's environment it has those variables alone that all bots
    /// have (docs/sandbox.md, "The environment of a bot").
    pub fn of_bot(program: impl Into<OsString>, folder: &Path) -> CommandLine {
        static FOR_BOTS: LazyLock<InheritedEnvironment> = LazyLock::new(|| inherited(is_for_bots));
        CommandLine { inherited: Arc::clone(&FOR_BOTS), ..CommandLine::new(program, folder) }
    }

    /// The same command, but what is run is this open file.
    #[must_use]
    pub(crate) fn of_file(self, file: &Arc<File>) -> CommandLine {
        CommandLine { file: Some(Arc::clone(file)), ..self }
    }

    /// The same command in these namespaces.
    #[must_use]
    pub(crate) fn within(self, namespaces: Option<&Arc<Namespaces>>) -> CommandLine {
        CommandLine { namespaces: namespaces.cloned(), ..self }
    }

    /// The namespaces in which it is to run.
    pub fn namespaces(&self) -> Option<&Arc<Namespaces>> {
        self.namespaces.as_ref()
    }

    /// The same command without this variable of the engine's environment.
    #[must_use]
    pub fn without_env(self, name: &str) -> CommandLine {
        let is_other = |entry: &&CString| {
            entry.as_bytes().strip_prefix(name.as_bytes()).is_none_or(|rest| !rest.starts_with(b"="))
        };
        let inherited = self.inherited.iter().filter(is_other).cloned().collect();
        CommandLine { inherited, ..self }
    }

    /// Adds arguments.
    #[must_use]
    pub fn args(mut self, arguments: impl IntoIterator<Item = impl Into<OsString>>) -> CommandLine {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> CommandLine {
        let name = name.into();
        self.variables.retain(|(other, _)| *other != name);
        self.variables.push((name, value.into()));
        self
    }

    /// The value of a variable that was set by [`CommandLine::env`].
    pub fn value(&self, name: &str) -> Option<&OsStr> {
        self.variables.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_os_str())
    }

    /// Adds environment variables. One that [`CommandLine::env`] sets counts before one of these.
    #[must_use]
    pub fn with_variables<'a>(self, variables: impl Iterator<Item = (&'a str, &'a str)>) -> CommandLine {
        let added = variables.filter_map(|(name, value)| CString::new(entry(name, value)).ok());
        CommandLine { inherited: self.inherited.iter().cloned().chain(added).collect(), ..self }
    }

    /// The same command with a standard input that the engine writes to; without this it is empty.
    #[must_use]
    pub fn with_input(self) -> CommandLine {
        CommandLine { input: Input::Pipe, ..self }
    }

    /// The same command with a standard input that is a socket, by which the program answers, too.
    #[must_use]
    pub fn with_socket(self) -> CommandLine {
        CommandLine { input: Input::Socket, ..self }
    }

    /// Sets the resource limit `RLIMIT_LOCKS`, soft and hard.
    #[must_use]
    pub(crate) fn lock_limit(self, lock_limit: Option<u64>) -> CommandLine {
        CommandLine { lock_limit, ..self }
    }
}
