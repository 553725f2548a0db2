//! Languages of bots: installing the packages, building, running and calibrating each.

mod steps;
mod table;
mod tiny;
mod tools;

use std::collections::BTreeSet;
use std::path::Path;

/// One language.
#[derive(Debug)]
pub struct Language {
    /// The name in bot.json and in roundInfo.json.
    pub name: &'static str,
    /// The number that may stand for it in bot.json; the languages of the original have one.
    pub number: Option<u64>,
    /// Other names that are understood in bot.json.
    pub aliases: &'static [&'static str],
    /// Recipes that install the packages of a project. The first counts whose project exists.
    pub packages: &'static [Recipe],
    /// Recipes that build a bot. The first counts whose project exists. Empty if there is nothing to build.
    pub builds: &'static [Recipe],
    /// The program that starts a bot.
    pub runner: Runner,
    /// The way in which its runtime tells the stack of a bot that runs, if it has one.
    pub(in crate::process) stack: Option<StackSignal>,
    /// Lists of tools. The language is ready where one whole list works: with these a bot is built and run that needs no packages
    /// and no other build tool.
    pub needs: &'static [&'static [&'static Tool]],
}

/// A program that builds or runs bots.
#[derive(Debug, PartialEq, Eq)]
pub struct Tool {
    /// Names of the program; the first that is found counts.
    pub programs: &'static [&'static str],
    /// A description for messages, with the place to get it from where Debian does not have it.
    pub title: &'static str,
    /// The Debian packages that have it.
    pub packages: &'static [&'static str],
    /// The arguments with which it prints its version and ends with status 0.
    pub(in crate::process) version: &'static [&'static str],
    /// The name and text of a source of which a compiler that works makes a program.
    pub(in crate::process) trial: Option<(&'static str, &'static str)>,
}

impl Tool {
    /// All tools.
    pub fn all() -> &'static [&'static Tool] {
        &tools::ALL
    }

    /// The tool of which any of these is a program: the last one that Debian has, because what it has not stands first.
    pub(crate) fn of(programs: &[&str]) -> Option<&'static Tool> {
        let named = |name: &&str| Tool::all().iter().copied().find(|tool| tool.programs.contains(name));
        let mut found = programs.iter().filter_map(named);
        found.clone().rfind(|tool| !tool.packages.is_empty()).or_else(|| found.next())
    }

    /// The advice where to get it: `a C compiler, e.g. the packages gcc and libc6-dev`.
    pub fn install(&self) -> String {
        let s = if self.packages.len() > 1 { "s" } else { "" };
        match self.packages {
            [] => self.title.to_owned(),
            packages => format!("{}, e.g. the package{s} {}", self.title, packages.join(" and ")),
        }
    }
}

/// The program that starts a bot. The bot's key, its folder of the round and its RunArgs are the last arguments.
#[derive(Debug)]
pub enum Runner {
    /// The run file itself.
    Direct,
    /// An interpreter.
    By(&'static Interpreter),
    /// The interpreter for the extension of the run file, in any letter case; the run file itself if none fits.
    ByExtension(&'static [(&'static str, &'static Interpreter)]),
}

/// A program that runs bots.
#[derive(Debug)]
pub struct Interpreter {
    /// The program.
    pub tool: &'static Tool,
    /// Arguments before the run file.
    pub arguments: &'static [&'static str],
    /// The size of its heap, if it has to be told.
    pub(in crate::process) heap: Option<&'static Heap>,
    /// Arguments with which the interpreter prints its own path. For interpreters that version managers hide behind a
    /// script, which would cost time in every round.
    pub whereabouts: Option<&'static [&'static str]>,
    /// The interpreter in the project's own packages, relative to the project; used if it exists.
    pub private: Option<&'static str>,
    /// The program by which it is started once a match instead, and forks once a turn (`warm`). Its arguments are `-c`, this text,
    /// the home folder of the bot in a sandbox, the run file, and the bot's own.
    pub warm: Option<&'static str>,
    /// The tiny bot by which the start-up time is measured.
    pub tiny: Option<&'static TinyBot>,
}

/// The way in which a runtime tells the stack of a program that runs, on one of its streams.
#[derive(Debug)]
pub(in crate::process) struct StackSignal {
    /// The signal by which it is asked. It may end the program.
    pub(in crate::process) signal: i32,
    /// The variable of the environment with which it listens to the signal.
    pub(in crate::process) variable: Option<(&'static str, &'static str)>,
}

/// The size of the heap of a virtual machine.
#[derive(Debug)]
pub(in crate::process) struct Heap {
    /// Variables of the bot that may tell it: where the bot has one of them, the engine tells nothing.
    pub(in crate::process) variables: &'static [&'static str],
    /// The arguments for a bot with this limit of memory, in bytes.
    pub(in crate::process) flags: fn(Option<u64>) -> Vec<String>,
}

/// A tiny bot: reads the files and writes an answer as a bot does. Its time is the start-up time of its language.
#[derive(Debug)]
pub struct TinyBot {
    /// The name of its only source file.
    pub file: &'static str,
    /// The text of this file.
    pub source: &'static str,
    /// The file that is run.
    pub run_file: &'static str,
    /// Steps that build the run file, if it is not the source itself.
    pub build: Steps,
    /// Arguments for the interpreter that are timed instead if a build tool is missing.
    pub otherwise: Option<&'static [&'static str]>,
}

/// A way to install packages or to build, for one kind of project.
#[derive(Debug)]
pub struct Recipe {
    /// The kind of project.
    pub project: Project,
    /// Alternative lists of steps; the first counts whose tools are all found.
    pub alternatives: &'static [Steps],
    /// True if a bot cannot run without it. Otherwise missing tools are only reported.
    pub needed: bool,
}

/// Commands that run one after the other.
pub type Steps = &'static [Step];

/// One command.
#[derive(Debug)]
pub struct Step {
    /// Names of the program; the first that is found counts. A name with a `/` is a program that an earlier step makes,
    /// relative to the project.
    pub programs: &'static [&'static str],
    /// The arguments. These stand for something else:
    /// - `{run_file}` the absolute path of the run file, `{run_folder}` that of its folder,
    /// - `{file}` the first file by which the project was recognized, `{each}` each of them in a command of its own,
    ///   `{files}` all of them,
    /// - `{configuration}` Debug or Release, as the path of the run file says,
    /// - `{main_class}` the class with the main method,
    /// - `{scala_library}` the library of the Scala compiler that is found.
    pub arguments: &'static [&'static str],
    /// The folder in which the command runs, relative to the project; made if it does not exist. `{bot}` is the bot's folder.
    pub folder: &'static str,
    /// Variables for the command, with their values; `{bot}` is the bot's folder.
    pub variables: &'static [(&'static str, &'static str)],
    /// The condition under which the command runs.
    pub when: When,
}

/// The condition under which a step of a build is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Always.
    Always,
    /// The project has this file. Otherwise the step counts as one whose tool is missing.
    Has(&'static str),
    /// The steps before it did not write the run file.
    NotMade,
}

/// The files by which a kind of project is recognized. A name that begins with `*` stands for all names with this
/// ending.
#[derive(Debug)]
pub enum Project {
    /// One of these files is in the project's folder.
    Files(&'static [&'static str]),
    /// One of these files is there or in a folder below it.
    FilesBelow(&'static [&'static str]),
    /// A package.json that asks for packages, and a package-lock.json that fixes their versions, or none.
    Dependencies {
        /// True if package-lock.json exists.
        locked: bool,
    },
    /// A package.json with a script of this name.
    Script(&'static str),
    /// A file of this name with this text in it.
    FileWith(&'static str, &'static str),
    /// Sources of Go in `src/PROJECT` of the bot's folder, and no go.mod: the bot's folder is a workspace (`GOPATH`), and the
    /// project is the path of a package in it. The file by which it is recognized is that path.
    GoWorkspace,
}

impl Project {
    /// The names of the files that are searched for, for messages.
    pub(super) fn names(&self) -> String {
        match self {
            Project::Files(names) | Project::FilesBelow(names) => names.join(" or "),
            Project::Dependencies { .. } => "package.json with dependencies".to_owned(),
            Project::Script(name) => format!("package.json with a script {name}"),
            Project::FileWith(name, _) => (*name).to_owned(),
            Project::GoWorkspace => "src/PACKAGE/*.go".to_owned(),
        }
    }
}

impl Language {
    /// All languages.
    pub fn all() -> &'static [Language] {
        &table::LANGUAGES
    }

    /// The names of all languages.
    pub fn names() -> Vec<&'static str> {
        Language::all().iter().map(|language| language.name).collect()
    }

    /// The language with this name or alias in any letter case.
    pub fn from_name(name: &str) -> Option<&'static Language> {
        let is = |known: &str| known.eq_ignore_ascii_case(name.trim());
        let called = |language: &&Language| is(language.name) || language.aliases.iter().any(|alias| is(alias));
        Language::all().iter().find(called)
    }

    /// The language with this number.
    pub fn from_number(number: u64) -> Option<&'static Language> {
        Language::all().iter().find(|language| language.number == Some(number))
    }

    /// The name that people type, in small letters: `python`, `c++`. [`Language::from_name`] knows it.
    pub fn plain_name(&self) -> String {
        match self.name {
            "CPlusPlus" => "c++".to_owned(),
            "Golang" => "go".to_owned(),
            "Python3" => "python".to_owned(),
            name => name.to_ascii_lowercase(),
        }
    }

    /// True if a file is a source of this language by its name, and bots in it are built.
    pub(super) fn is_source(&self, file: &Path) -> bool {
        let Some(extension) = file.extension().and_then(|extension| extension.to_str()) else { return false };
        let is_own = |name: &&str| name.strip_prefix("*.").is_some_and(|own| own.eq_ignore_ascii_case(extension));
        let mut projects = self.builds.iter().map(|recipe| &recipe.project);
        let is_recognized = projects.any(|project| match project {
            Project::Files(names) | Project::FilesBelow(names) => names.iter().any(is_own),
            _ => false,
        });
        is_recognized || self.name == "Rust" && extension.eq_ignore_ascii_case("rs")
    }

    /// The names of all programs that any language needs.
    pub fn tools() -> BTreeSet<&'static str> {
        Tool::all().iter().flat_map(|tool| tool.programs).copied().collect()
    }

    /// The interpreters that may run a bot in this language.
    pub fn interpreters(&self) -> Vec<&'static Interpreter> {
        match &self.runner {
            Runner::Direct => Vec::new(),
            Runner::By(interpreter) => vec![interpreter],
            Runner::ByExtension(cases) => cases.iter().map(|(_, interpreter)| *interpreter).collect(),
        }
    }
}
