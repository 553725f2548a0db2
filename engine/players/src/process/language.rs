//! The languages bots are written in: how the packages of each are installed, how it is built, run and calibrated.

mod table;
mod tiny;

use std::collections::BTreeSet;

/// One language.
#[derive(Debug)]
pub struct Language {
    /// The name in bot.json and in roundInfo.json.
    pub name: &'static str,
    /// The number that may stand for it in bot.json; the languages of the original have one.
    pub number: Option<u64>,
    /// Other names that are understood in bot.json.
    pub aliases: &'static [&'static str],
    /// How the packages that a project asks for are installed: the first recipe counts whose project is there.
    pub packages: &'static [Recipe],
    /// How a bot is built, in the same way. Empty where there is nothing to build.
    pub builds: &'static [Recipe],
    /// How a bot is started.
    pub runner: Runner,
}

/// How a bot is started. In each case its key, its folder for the round and its RunArgs follow.
#[derive(Debug)]
pub enum Runner {
    /// The run file itself.
    Direct,
    /// By this interpreter.
    By(&'static Interpreter),
    /// By the interpreter for the extension of the run file, in any letter case; the run file itself where none fits.
    ByExtension(&'static [(&'static str, &'static Interpreter)]),
}

/// A program that runs bots.
#[derive(Debug)]
pub struct Interpreter {
    /// Names it may have; the first that is found counts.
    pub programs: &'static [&'static str],
    /// What stands before the run file.
    pub arguments: &'static [&'static str],
    /// What to install where none is found.
    pub install: &'static str,
    /// Arguments with which it prints its own path. For those that version managers hide behind a script, which would
    /// cost time in every round.
    pub whereabouts: Option<&'static [&'static str]>,
    /// The interpreter of the project's own packages, relative to the project; used if it is there.
    pub private: Option<&'static str>,
    /// What shows how long it takes to start.
    pub tiny: Option<&'static TinyBot>,
}

/// A tiny bot: reads what bots read, writes what bots write. The time it takes is the start of its language.
#[derive(Debug)]
pub struct TinyBot {
    /// The name of its only file.
    pub file: &'static str,
    /// What stands in it.
    pub source: &'static str,
    /// What is run.
    pub run_file: &'static str,
    /// How the file becomes that, where they are not the same.
    pub build: Way,
    /// What is run instead, without a tiny bot, where a tool for that is missing.
    pub otherwise: Option<&'static [&'static str]>,
}

/// How something is done with one kind of project.
#[derive(Debug)]
pub struct Recipe {
    /// The kind of project.
    pub project: Project,
    /// The ways to do it; the first counts whose tools are all found.
    pub ways: &'static [Way],
    /// What to install where none is.
    pub install: &'static str,
    /// Whether a bot is of no use without it. If not, missing tools are only told.
    pub needed: bool,
}

/// Steps, one after the other.
pub type Way = &'static [Step];

/// One command.
#[derive(Debug)]
pub struct Step {
    /// Names the program may have; the first that is found counts. One with a `/` is made by an earlier step, and
    /// relative to the project.
    pub programs: &'static [&'static str],
    /// Its arguments. These stand for something else:
    /// - `{run_file}` the absolute path of the run file, `{run_folder}` that of its folder,
    /// - `{file}` the first file by which the project was recognized, `{each}` each of them in a command of its own,
    ///   `{files}` all of them,
    /// - `{configuration}` Debug or Release, as the path of the run file says,
    /// - `{main_class}` the class with the main method,
    /// - `{scala_library}` the library of the Scala compiler that is found.
    pub arguments: &'static [&'static str],
    /// The folder it is run in, relative to the project; made if it is not there.
    pub folder: &'static str,
}

/// How a kind of project is recognized. A name that begins with `*` stands for all names that end so.
#[derive(Debug)]
pub enum Project {
    /// One of these files is in the project's folder.
    Files(&'static [&'static str]),
    /// One of these files is there or in a folder below it.
    FilesBelow(&'static [&'static str]),
    /// A package.json that asks for packages, and a package-lock.json that fixes their versions, or none.
    Dependencies {
        /// Whether versions are fixed.
        locked: bool,
    },
    /// A package.json with a script of this name.
    Script(&'static str),
}

impl Project {
    /// The names that are looked for, for people.
    pub(super) fn names(&self) -> String {
        match self {
            Project::Files(names) | Project::FilesBelow(names) => names.join(" or "),
            Project::Dependencies { .. } => "package.json with dependencies".to_owned(),
            Project::Script(name) => format!("package.json with a script {name}"),
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

    /// The names of all programs that any language needs.
    pub fn tools() -> BTreeSet<&'static str> {
        let programs = Language::all().iter().flat_map(|language| {
            let interpreters = language.interpreters().into_iter().flat_map(|i| i.programs);
            let recipes = language.packages.iter().chain(language.builds);
            let steps = recipes.flat_map(|recipe| recipe.ways).copied().flatten();
            interpreters.chain(steps.flat_map(|step| step.programs))
        });
        programs.copied().filter(|name| !name.contains('/')).collect()
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

/// The arguments with which the program `name` tells its version.
pub(super) fn version_arguments(name: &str) -> &'static [&'static str] {
    match name {
        "go" => &["version"],
        "java" => &["-version"],
        "luajit" => &["-v"],
        lua if lua.starts_with("lua") => &["-v"],
        _ => &["--version"],
    }
}
