//! Planning a build: finds the project and the tools, and fills in the placeholders of a recipe.

use super::main_class::main_class;
use crate::Tools;
use crate::process::language::{Project, Recipe, Step, When};
use platform::process::CommandLine;
use rules::input_json;
use serde_json::Value;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Depth below a project to which its files are searched for.
const DEPTH: usize = 16;
/// The most bytes of a source or of package.json that are read.
const MOST_OF_FILE: u64 = 16 << 20;
/// Folders below a project that hold output, not sources.
pub(super) const OUTPUT_FOLDERS: [&str; 6] = ["bin", "build", "node_modules", "obj", "packages", "target"];

/// One command of a build.
#[derive(Debug)]
pub(in crate::process) struct BuildCommand {
    /// The program's name, for messages.
    pub(super) name: String,
    pub(in crate::process) program: PathBuf,
    arguments: Vec<OsString>,
    /// The absolute path of the folder in which the command runs.
    pub(in crate::process) folder: PathBuf,
    /// Variables of its environment.
    pub(in crate::process) variables: Vec<(&'static str, OsString)>,
    /// True if it is left out once the run file is made.
    pub(super) only_if_not_made: bool,
}

impl BuildCommand {
    /// The command in the form in which bots are started and timed.
    pub(in crate::process) fn command_line(&self) -> CommandLine {
        let command = CommandLine::new(&self.program, &self.folder).args(&self.arguments);
        self.variables.iter().fold(command, |command, (name, value)| command.env(name, value))
    }

    /// The arguments.
    pub(in crate::process) fn arguments(&self) -> &[OsString] {
        &self.arguments
    }
}

/// The command as it is written in a shell. Long lists of files are cut.
impl fmt::Display for BuildCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 12;
        f.write_str(&self.name)?;
        for argument in self.arguments.iter().take(SHOWN) {
            write!(f, " {}", argument.to_string_lossy())?;
        }
        f.write_str(if self.arguments.len() > SHOWN { " …" } else { "" })
    }
}

/// The reason why a build cannot be planned.
#[derive(Debug)]
pub(in crate::process) enum PlanError {
    /// None of these programs is installed.
    NoTool(Vec<&'static str>),
    /// The main class cannot be determined. The name of the run file suggests this one.
    NoMainClass(String),
}

/// The folders and tools of one build.
#[derive(Debug, Clone, Copy)]
pub(in crate::process) struct BuildContext<'a> {
    /// The absolute path of the bot's folder.
    pub(in crate::process) bot: &'a Path,
    /// The absolute path of the project.
    pub(in crate::process) project: &'a Path,
    /// The absolute path of the run file that the build makes.
    pub(in crate::process) run_file: &'a Path,
    /// The programs that are installed.
    pub(in crate::process) tools: &'a Tools,
}

impl BuildContext<'_> {
    /// The files by which a project of this kind is recognized; `None` if there are none.
    pub(super) fn files(self, project: &Project) -> Option<Vec<PathBuf>> {
        files(project, self.bot, self.project)
    }

    /// The commands of the first alternative of `recipe` whose tools are all found. `files` are those of the project.
    pub(super) fn commands(self, recipe: &Recipe, files: &[PathBuf]) -> Result<Vec<BuildCommand>, PlanError> {
        let mut missing = Vec::new();
        for steps in recipe.alternatives {
            match self.commands_of(steps, files) {
                Err(PlanError::NoTool(programs)) => missing.extend(programs),
                other => return other,
            }
        }
        Err(PlanError::NoTool(missing))
    }

    /// The commands of these steps. `files` are those of the project.
    pub(in crate::process) fn commands_of(
        self,
        steps: &[Step],
        files: &[PathBuf],
    ) -> Result<Vec<BuildCommand>, PlanError> {
        // Before anything else, so that a missing tool is reported first.
        let programs: Vec<_> = steps.iter().map(|step| self.program(step)).collect::<Result<_, _>>()?;
        let mut commands = Vec::new();
        for (step, (name, program)) in steps.iter().zip(programs) {
            let times = if step.arguments.contains(&"{each}") { files.len() } else { 1 };
            for file in files.iter().take(times) {
                commands.push(BuildCommand {
                    name: name.to_owned(),
                    program: program.clone(),
                    arguments: self.arguments(step, files, file)?,
                    folder: if step.folder == BOT { self.bot.to_owned() } else { self.project.join(step.folder) },
                    variables: step.variables.iter().map(|(name, value)| (*name, self.with_parts(value))).collect(),
                    only_if_not_made: step.when == When::NotMade,
                });
            }
        }
        Ok(commands)
    }

    fn program(self, step: &Step) -> Result<(&'static str, PathBuf), PlanError> {
        if let When::Has(file) = step.when
            && !self.project.join(file).is_file()
        {
            return Err(PlanError::NoTool(vec![file]));
        }
        let find = |name: &&'static str| match name.contains('/') {
            true => Some((*name, self.project.join(name))),
            false => self.tools.find(name).map(|path| (*name, path)),
        };
        step.programs.iter().find_map(find).ok_or_else(|| PlanError::NoTool(step.programs.to_vec()))
    }

    fn arguments(self, step: &Step, files: &[PathBuf], each: &Path) -> Result<Vec<OsString>, PlanError> {
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

    /// Replaces placeholders in the middle of an argument.
    fn with_parts(self, text: &str) -> OsString {
        if let Some(before) = text.strip_suffix("{run_file}") {
            let mut argument = OsString::from(before);
            argument.push(self.run_file);
            return argument;
        }
        if text == BOT {
            return self.bot.into();
        }
        let debug = self.run_file.iter().any(|part| part.eq_ignore_ascii_case("debug"));
        text.replace("{configuration}", if debug { "Debug" } else { "Release" }).into()
    }

    fn main_class(self, files: &[PathBuf]) -> Result<String, PlanError> {
        let sources = files.iter().filter_map(|file| {
            let source = content(&self.project.join(file))?;
            Some((file.clone(), String::from_utf8_lossy(&source).into_owned()))
        });
        let stem = self.run_file.file_stem().unwrap_or_default().to_string_lossy();
        let mut letters = stem.chars();
        let wanted: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        main_class(sources, &wanted).ok_or(PlanError::NoMainClass(wanted))
    }

    /// The path of the Scala library: in `lib` beside the `bin` that really holds the compiler.
    fn scala_library(self) -> PathBuf {
        let compiler = self.tools.find("scalac").and_then(|path| fs::canonicalize(path).ok()).unwrap_or_default();
        compiler.ancestors().nth(2).unwrap_or(Path::new("")).join("lib/scala-library.jar")
    }
}

/// The placeholder of the bot's folder.
const BOT: &str = "{bot}";

/// The path of the package `project` in the Go workspace that the folder `bot` is.
fn go_package(bot: &Path, project: &Path) -> Option<PathBuf> {
    let sources = bot.join("src");
    // As the original had it, or the folder itself.
    let package = project.strip_prefix(&sources).or_else(|_| project.strip_prefix(bot)).ok()?;
    let folder = sources.join(package);
    let has_module = folder.ancestors().take_while(|at| at.starts_with(bot)).any(|at| at.join("go.mod").is_file());
    let is_package = package.components().next().is_some() && !matching(&["*.go"], &folder, 1).is_empty();
    (is_package && !has_module).then(|| package.to_owned())
}

/// The files by which a project of this kind is recognized in `folder`, relative to it; `None` if there are none. `bot` is the
/// bot's folder.
fn files(project: &Project, bot: &Path, folder: &Path) -> Option<Vec<PathBuf>> {
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
        Project::FileWith(name, text) => {
            let found = content(&folder.join(name))?;
            String::from_utf8_lossy(&found).contains(text).then(|| PathBuf::from(name)).into_iter().collect()
        }
        Project::GoWorkspace => go_package(bot, folder).into_iter().collect(),
    };
    (!found.is_empty()).then_some(found)
}

/// Files that match `names`, in the order of `names` and then of the alphabet, so that every build has the same
/// commands.
fn matching(names: &[&str], folder: &Path, depth: usize) -> Vec<PathBuf> {
    let entries = WalkDir::new(folder).min_depth(1).max_depth(depth).sort_by_file_name().into_iter();
    let written = entries.filter_entry(|entry| {
        let name = entry.file_name().to_string_lossy();
        !(entry.file_type().is_dir() && (name.starts_with('.') || OUTPUT_FOLDERS.contains(&&*name)))
    });
    let all: Vec<_> = written.flatten().filter(|entry| entry.path().is_file()).collect();
    let fitting = names.iter().flat_map(|wanted| {
        all.iter().filter(move |entry| {
            let name = entry.file_name().to_string_lossy();
            wanted.strip_prefix('*').map_or(name == *wanted, |end| name.ends_with(end))
        })
    });
    // With `./` before it, no name looks like an option.
    fitting.filter_map(|entry| Some(Path::new(".").join(entry.path().strip_prefix(folder).ok()?))).collect()
}

fn package_json(folder: &Path) -> Option<Value> {
    input_json(&content(&folder.join("package.json"))?).ok()
}

/// The content of a regular file; `None` if it cannot be read.
fn content(path: &Path) -> Option<Vec<u8>> {
    let mut content = Vec::new();
    arena::open_regular(path).ok()?.take(MOST_OF_FILE).read_to_end(&mut content).ok()?;
    Some(content)
}
