//! From recipes to commands: which project there is, which tools are found, what the placeholders stand for.

use super::main_class::main_class;
use crate::Tools;
use crate::process::command_line::CommandLine;
use crate::process::language::{Project, Recipe, Step};
use serde_json::Value;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// How deep below a project its files are looked for.
const DEPTH: usize = 16;
/// Folders below a project that hold what was made, not what was written.
const MADE: [&str; 6] = ["bin", "build", "node_modules", "obj", "packages", "target"];

/// One command of a build.
#[derive(Debug)]
pub(in crate::process) struct Command {
    /// As people call the program.
    name: String,
    program: PathBuf,
    arguments: Vec<OsString>,
    folder: PathBuf,
}

impl Command {
    /// The folder it is run in; absolute.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The same for a program that is timed as bots are.
    pub(in crate::process) fn command_line(&self) -> CommandLine {
        CommandLine::new(&self.program, &self.folder).args(&self.arguments)
    }

    /// The process, yet to be started.
    pub(in crate::process) fn process(&self) -> std::process::Command {
        let mut process = std::process::Command::new(&self.program);
        process.args(&self.arguments).current_dir(&self.folder);
        process
    }
}

/// As people write it. Long lists of files are cut.
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 12;
        f.write_str(&self.name)?;
        for argument in self.arguments.iter().take(SHOWN) {
            write!(f, " {}", argument.to_string_lossy())?;
        }
        f.write_str(if self.arguments.len() > SHOWN { " …" } else { "" })
    }
}

/// Why there are no commands for a project.
#[derive(Debug)]
pub(in crate::process) enum Unplanned {
    /// None of these programs is there.
    NoTool(Vec<&'static str>),
    /// The main class is not known.
    NoMainClass {
        /// The name that would be taken.
        wanted: String,
    },
}

/// Where something is built, and with what.
#[derive(Debug, Clone, Copy)]
pub(in crate::process) struct Site<'a> {
    /// The folder of the project; absolute.
    pub(in crate::process) project: &'a Path,
    /// What is to be made; absolute.
    pub(in crate::process) run_file: &'a Path,
    /// Where programs are found.
    pub(in crate::process) tools: &'a Tools,
}

impl Site<'_> {
    /// The commands of the first way of `recipe` whose tools are all found. `files` are those of the project.
    pub(super) fn commands(self, recipe: &Recipe, files: &[PathBuf]) -> Result<Vec<Command>, Unplanned> {
        let mut missing = Vec::new();
        for way in recipe.ways {
            match self.way(way, files) {
                Err(Unplanned::NoTool(programs)) => missing.extend(programs),
                other => return other,
            }
        }
        Err(Unplanned::NoTool(missing))
    }

    /// The commands of this way.
    pub(in crate::process) fn way(self, way: &[Step], files: &[PathBuf]) -> Result<Vec<Command>, Unplanned> {
        // First of all, so that a missing tool is the first thing told.
        let programs: Vec<_> = way.iter().map(|step| self.program(step)).collect::<Result<_, _>>()?;
        let mut commands = Vec::new();
        for (step, (name, program)) in way.iter().zip(programs) {
            let times = if step.arguments.contains(&"{each}") { files.len() } else { 1 };
            for file in files.iter().take(times) {
                commands.push(Command {
                    name: name.to_owned(),
                    program: program.clone(),
                    arguments: self.arguments(step, files, file)?,
                    folder: self.project.join(step.folder),
                });
            }
        }
        Ok(commands)
    }

    fn program(self, step: &Step) -> Result<(&'static str, PathBuf), Unplanned> {
        let find = |name: &&'static str| match name.contains('/') {
            true => Some((*name, self.project.join(name))),
            false => self.tools.find(name).map(|path| (*name, path)),
        };
        step.programs.iter().find_map(find).ok_or_else(|| Unplanned::NoTool(step.programs.to_vec()))
    }

    fn arguments(self, step: &Step, files: &[PathBuf], each: &Path) -> Result<Vec<OsString>, Unplanned> {
        let mut arguments = Vec::new();
        for argument in step.arguments {
            match *argument {
                "{files}" => arguments.extend(files.iter().map(OsString::from)),
                "{file}" => arguments.extend(files.first().map(OsString::from)),
                "{each}" => arguments.push(each.into()),
                "{run_file}" => arguments.push(self.run_file.into()),
                "{run_folder}" => arguments.extend(self.run_file.parent().map(OsString::from)),
                "{main_class}" => arguments.push(self.main_class(files)?.into()),
                "{scala_library}" => arguments.push(self.scala_library().into()),
                text => arguments.push(self.with_parts(text)),
            }
        }
        Ok(arguments)
    }

    /// Placeholders in the middle of an argument.
    fn with_parts(self, text: &str) -> OsString {
        if let Some(before) = text.strip_suffix("{run_file}") {
            let mut argument = OsString::from(before);
            argument.push(self.run_file);
            return argument;
        }
        let debug = self.run_file.iter().any(|part| part.eq_ignore_ascii_case("debug"));
        text.replace("{configuration}", if debug { "Debug" } else { "Release" }).into()
    }

    fn main_class(self, files: &[PathBuf]) -> Result<String, Unplanned> {
        let sources = files.iter().filter_map(|file| {
            let source = fs::read(self.project.join(file)).ok()?;
            Some((file.clone(), String::from_utf8_lossy(&source).into_owned()))
        });
        let stem = self.run_file.file_stem().unwrap_or_default().to_string_lossy();
        let mut letters = stem.chars();
        let wanted: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        main_class(sources, &wanted).ok_or(Unplanned::NoMainClass { wanted })
    }

    /// Where the compiler keeps it: `lib` beside the `bin` it is really in.
    fn scala_library(self) -> PathBuf {
        let compiler = self.tools.find("scalac").and_then(|path| fs::canonicalize(path).ok()).unwrap_or_default();
        compiler.ancestors().nth(2).unwrap_or(Path::new("")).join("lib/scala-library.jar")
    }
}

/// The files by which a project of this kind is recognized in `folder`, relative to it; `None` if it is not there.
pub(super) fn files(project: &Project, folder: &Path) -> Option<Vec<PathBuf>> {
    let found = match project {
        Project::Files(names) => matching(names, folder, 1),
        Project::FilesBelow(names) => matching(names, folder, DEPTH),
        Project::Dependencies { locked } => {
            let package = package_json(folder)?;
            let some = |key: &str| package.get(key).and_then(Value::as_object).is_some_and(|them| !them.is_empty());
            let wanted = some("dependencies") || some("devDependencies");
            let fits = wanted && folder.join("package-lock.json").is_file() == *locked;
            fits.then(|| PathBuf::from("package.json")).into_iter().collect()
        }
        Project::Script(name) => {
            package_json(folder)?.get("scripts")?.get(name)?;
            vec![PathBuf::from("package.json")]
        }
    };
    (!found.is_empty()).then_some(found)
}

/// In the order of `names`, then of the alphabet, so that every build gives the same commands.
fn matching(names: &[&str], folder: &Path, depth: usize) -> Vec<PathBuf> {
    let entries = WalkDir::new(folder).min_depth(1).max_depth(depth).sort_by_file_name().into_iter();
    let written = entries.filter_entry(|entry| {
        let name = entry.file_name().to_string_lossy();
        !(entry.file_type().is_dir() && (name.starts_with('.') || MADE.contains(&&*name)))
    });
    let all: Vec<_> = written.flatten().filter(|entry| entry.path().is_file()).collect();
    let fitting = names.iter().flat_map(|wanted| {
        all.iter().filter(move |entry| {
            let name = entry.file_name().to_string_lossy();
            wanted.strip_prefix('*').map_or(name == *wanted, |end| name.ends_with(end))
        })
    });
    // With a dot before, no name looks like an option.
    fitting.filter_map(|entry| Some(Path::new(".").join(entry.path().strip_prefix(folder).ok()?))).collect()
}

fn package_json(folder: &Path) -> Option<Value> {
    serde_json::from_slice(&fs::read(folder.join("package.json")).ok()?).ok()
}
