//! Building bots: the steps for one project, run one after the other.
//!
//! # How it works
//!
//! A build is a list of commands, planned before the first is run, so a missing tool is told at once. Commands are children
//! in the engine's own process group: Ctrl-C at the terminal ends them and the engine. Nothing is caught then, because no
//! match has begun. What they write goes to a file in the system's temporary folder (the project may be read-only, the match
//! has no folder yet), which is left only when a build fails. They run with the user's rights, not in a bot's limits.
//!
//! A stamp (`.broadside-build`) has the hashes of the program and of its sources (`build/stamp.rs`). Hashes of sources are
//! those of before the build, so a file that somebody saves while it is compiled is compiled again; files that the build
//! itself made have their hashes of after it. Without a stamp of the program that is there, times decide
//! (`build/freshness.rs`). Cargo and make go by times in any case: a source that has changed but is older than the stamp, as
//! a restored version can be, gets the current time before the build. The folder is locked meanwhile, so two engines do not
//! build one bot at once. A build that is not needed costs the hashing.
//!
//! An interpreter that is a script (as pyenv and rbenv put in front of the real one) is asked once where the real one is: the
//! script would cost time in every round. One in the bot's own folder is never asked anything before the match.

mod environment;
mod error;
mod freshness;
mod log;
mod main_class;
mod plan;
mod sources;
mod stamp;

use super::build_sandbox::LIMIT;
use super::language::Recipe;
use super::output::LineListener;
use super::run::{RunRequest, run, run_heard};
use super::{BuildSandbox, Language, ToolCheck};
use crate::{Manifest, Tools};
use arena::folder::remove_oldest;
use arena::{Interrupt, Limits, Output, RunEnd};
use environment::FillingEnvironment;
pub(super) use environment::is_finished;
pub use error::{BuildError, BuildLack};
pub use freshness::{BuildLock, Freshness};
pub use log::{Refusal, log_excerpt};
pub(super) use plan::{BuildCommand, BuildContext, PlanError};
use platform::files::{check_writable, identity};
use platform::process::{CommandLine, without_spawning};
use sources::Sources;
pub(crate) use stamp::STAMP;
use stamp::Stamp;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// The beginning of the names of the logs of builds that failed, which are kept in the system's temporary folder.
const LOG_PREFIX: &str = "broadside-build-";
/// The most of these logs that stay, and the most bytes of them in all.
const MOST_LOGS: usize = 20;
const MOST_OF_LOGS: u64 = 50_000_000;

/// The commands that build one bot.
#[derive(Debug)]
pub struct Build {
    bot: PathBuf,
    project: PathBuf,
    run_file: PathBuf,
    commands: Vec<BuildCommand>,
    /// True if the commands make the program, and do not only install packages.
    makes_program: bool,
    /// True if the program may be what the sources make, although one of them is newer.
    is_doubtful: bool,
    /// Notes for the user about steps that were left out.
    pub notes: Vec<String>,
    language: &'static Language,
    tools: Tools,
    search_path: OsString,
    listener: Option<LineListener>,
}

impl Build {
    /// Plans the build of a bot: packages first. `None` if there is nothing to do.
    ///
    /// # Errors
    /// A tool is missing, the main class is not clear, or there is neither a run file nor a project in a language that
    /// is built. [`BuildError::hint`] says what to do.
    pub fn of(manifest: &Manifest, tools: &Tools) -> Result<Option<Build>, BuildError> {
        Build::plan(manifest, tools, true)
    }

    /// Plans the build of a bot whose program is not `Current`: packages only if one of the files has changed that name them.
    ///
    /// # Errors
    /// As for [`Build::of`]; or a program that somebody else built lies where nothing can be written.
    pub fn of_changed(manifest: &Manifest, tools: &Tools, freshness: &Freshness) -> Result<Option<Build>, BuildError> {
        let has_packages = matches!(freshness, Freshness::Changed { packages: false, .. });
        let is_doubtful = matches!(freshness, Freshness::Older { .. });
        if let Some(folder) = manifest.run_path().parent().filter(|_| is_doubtful) {
            check_writable(folder).map_err(|source| {
                let (doing, place) = ("write the program".to_owned(), folder.to_owned());
                BuildError::NotRun { doing, place, source }
            })?;
        }
        let build = Build::plan(manifest, tools, !has_packages)?;
        Ok(build.map(|build| Build { is_doubtful, ..build }))
    }

    fn plan(manifest: &Manifest, tools: &Tools, with_packages: bool) -> Result<Option<Build>, BuildError> {
        let (project, run_file) = (manifest.project_path(), manifest.run_path());
        let language = manifest.language;
        let context = BuildContext { bot: &manifest.folder, project: &project, run_file: &run_file, tools };
        let mut build = Build {
            bot: manifest.folder.clone(),
            project: project.clone(),
            run_file: run_file.clone(),
            commands: Vec::new(),
            makes_program: false,
            is_doubtful: false,
            notes: Vec::new(),
            language,
            tools: tools.clone(),
            search_path: tools.search_path(),
            listener: None,
        };
        let packages = language
            .packages
            .iter()
            .filter(|_| with_packages)
            .find_map(|recipe| Some((recipe, context.files(&recipe.project)?)));
        let built = language.builds.iter().find_map(|recipe| Some((recipe, context.files(&recipe.project)?)));
        if built.is_none() && !language.builds.is_empty() && !run_file.exists() {
            let mut files: Vec<_> = language.builds.iter().map(|recipe| recipe.project.names()).collect();
            files.dedup();
            return Err(BuildError::NoProject { files: files.join(" or "), run_file, project });
        }
        build.makes_program = built.is_some();
        for (recipe, files) in packages.into_iter().chain(built) {
            match context.commands(recipe, &files) {
                Ok(commands) => build.commands.extend(commands),
                Err(PlanError::NoTool(programs)) if !recipe.needed => build.notes.push(format!(
                    "{} names packages, which are not installed: there is no {}",
                    files[0].display(),
                    programs.join(" or ")
                )),
                Err(PlanError::NoTool(programs)) => {
                    return Err(BuildError::NoTool { programs, project });
                }
                Err(PlanError::NoMainClass(wanted)) => return Err(BuildError::NoMainClass { project, wanted }),
            }
        }
        let nothing = build.commands.is_empty() && build.notes.is_empty();
        Ok((!nothing).then_some(build))
    }

    /// The same build, whose commands' output is told to a listener, line by line while they run.
    pub fn heard_by(self, listener: LineListener) -> Build {
        Build { listener: Some(listener), ..self }
    }

    /// Tells whether a bot that ended with these `errors` on its standard error lacks something that a build brings: one of
    /// the packages that its project names, a class of its jar, or the run file itself.
    pub fn would_help(manifest: &Manifest, errors: &str) -> bool {
        const MISSING: [&str; 12] = [
            "ModuleNotFoundError",
            "ImportError: No module named",
            "Cannot find module",
            "ERR_MODULE_NOT_FOUND",
            "cannot load such file",
            "Bundler::GemNotFound",
            "Could not load file or assembly",
            "vendor/autoload.php",
            "NoClassDefFoundError",
            "ClassNotFoundException",
            "Could not find or load main class",
            "Unable to access jarfile",
        ];
        let (project, run_file) = (manifest.project_path(), manifest.run_path());
        let tools = Tools::in_folders([]);
        let context = BuildContext { bot: &manifest.folder, project: &project, run_file: &run_file, tools: &tools };
        let has_project = |recipes: &[Recipe]| recipes.iter().any(|recipe| context.files(&recipe.project).is_some());
        let Language { packages, builds, .. } = manifest.language;
        let is_told = MISSING.iter().any(|text| errors.contains(text));
        is_told && has_project(packages) || (is_told || !run_file.exists()) && has_project(builds)
    }

    /// True if the build of this bot may have to download something: its project names packages, or is one of Maven.
    pub fn may_download(manifest: &Manifest) -> bool {
        let (project, run_file) = (manifest.project_path(), manifest.run_path());
        let tools = Tools::in_folders([]);
        let context = BuildContext { bot: &manifest.folder, project: &project, run_file: &run_file, tools: &tools };
        let Language { packages, builds, .. } = manifest.language;
        let is_of_maven =
            |recipe: &&Recipe| recipe.alternatives.iter().copied().flatten().any(|step| step.programs == ["mvn"]);
        let recipes = packages.iter().chain(builds.iter().filter(is_of_maven));
        recipes.into_iter().any(|recipe| context.files(&recipe.project).is_some())
    }

    /// Runs the commands, notes what the program was built of ([`Freshness`]), and returns the time that it took. Each is passed to
    /// `begin` before it runs. The output goes to a file, which is kept only if a command fails. What a command leaves running is
    /// ended with it. `interrupt` ends a build.
    ///
    /// # Errors
    /// A command cannot be started, or its log not written; the sandbox cannot be made; a command fails, or is interrupted; the
    /// program cannot be copied to its place; or there is no run file at the end. [`BuildError::hint`] says what to do.
    pub fn run(
        &self,
        sandbox: Option<&BuildSandbox>,
        interrupt: &Interrupt,
        begin: &mut dyn FnMut(&str),
    ) -> Result<Duration, BuildError> {
        let (started, listener) = (Instant::now(), self.listener.as_ref());
        let temporary = std::env::temp_dir();
        let not_logged = |source| BuildError::NotRun {
            doing: "write the log of a build".to_owned(),
            place: temporary.clone(),
            source,
        };
        // Not in the project: its folder may be read-only.
        let log = tempfile::Builder::new().prefix(LOG_PREFIX).suffix(".log").tempfile_in(&temporary);
        let mut log = log.map_err(not_logged)?;
        // Not those of the project: the sandbox would open whatever they lead to.
        let is_own = |program: &Path| program.starts_with(&self.bot) || program.starts_with(&self.project);
        let programs = self.commands.iter().map(|command| command.program.clone());
        let programs: Vec<PathBuf> = programs.filter(|program| !is_own(program)).collect();
        let before = self.run_file_state();
        let sources = Sources { bot: &self.bot, project: &self.project, run_file: &self.run_file };
        let unbuilt = sources.snapshot().filter(|_| self.makes_program);
        if let Some(unbuilt) = &unbuilt {
            Stamp::touch_changed(sources, unbuilt);
        }
        let mut private = self.commands.iter().find(|command| command.name.ends_with("/python"));
        let mut filling = None;
        for command in &self.commands {
            if command.only_if_not_made && self.run_file_state() != before {
                continue;
            }
            let text = command.to_string();
            begin(&text);
            writeln!(log, "$ {text}").map_err(not_logged)?;
            let not_run =
                |source| BuildError::NotRun { doing: format!("run {text}"), place: self.project.clone(), source };
            // Nothing that an earlier command left behind runs while the folders are made.
            self.make_folders(command, sandbox.map(|_| self.bot.as_path())).map_err(not_run)?;
            let prepared = sandbox.map(|sandbox| sandbox.prepare(&self.bot, &programs)).transpose()?;
            // Before the first command, and after all that can fail before it.
            if let Some(python) = private.take() {
                filling = FillingEnvironment::begin(&python.program).map_err(|source| BuildError::NotRun {
                    doing: "begin an environment of Python".to_owned(),
                    place: self.project.clone(),
                    source,
                })?;
            }
            let report = match prepared {
                Some(prepared) => prepared.run(command, &self.search_path, interrupt, listener)?,
                None => run_heard(self.unsandboxed(command.command_line(), text.clone()), None, interrupt, listener)?,
            };
            for output in [&report.stdout, &report.stderr] {
                log::write_output(&mut log, output).map_err(not_logged)?;
            }
            if report.end != RunEnd::Exited(0) {
                let ended = report.end.to_string();
                let (_, log) = log.keep().map_err(|e| not_logged(e.error))?;
                // What stays too long harms nobody but the disk.
                let _ = remove_oldest(&log, LOG_PREFIX, None, MOST_LOGS, MOST_OF_LOGS);
                let said = log::end_of(&log).unwrap_or_default();
                return Err(BuildError::Failed {
                    command: text,
                    ended,
                    project: self.project.clone(),
                    lack: Box::new(BuildLack {
                        refusal: sandbox.and_then(|sandbox| Refusal::told_by(&said, sandbox.has_network())),
                        tools: ToolCheck::new(self.tools.clone(), interrupt.clone())
                            .missing_of_build(self.language, &said),
                    }),
                    log,
                    doubted: self.is_doubtful.then(|| self.run_file.as_path().into()),
                });
            }
        }
        let copied = |source| BuildError::NotRun {
            doing: format!("copy the program to {}", self.run_file.display()),
            place: self.project.clone(),
            source,
        };
        self.name_as_on_windows().map_err(copied)?;
        // A build in a sandbox writes to the bot's folder only, and cargo does in the project what its files say.
        if sandbox.is_none()
            && let Some(made) = self.made_in_workspace(interrupt)?
        {
            self.fetch(&made).map_err(copied)?;
        }
        if !self.run_file.is_file() {
            let (project, run_file) = (self.project.clone(), self.run_file.clone());
            return Err(BuildError::NoRunFile { project, run_file });
        }
        filling.map(FillingEnvironment::finish).transpose().map_err(|source| BuildError::NotRun {
            doing: "finish an environment of Python".to_owned(),
            place: self.project.clone(),
            source,
        })?;
        if let Some(stamp) = unbuilt.and_then(|before| Stamp::of(sources, before))
            && let Err(error) = stamp.write(&self.bot)
        {
            // The times of files will tell instead.
            ::log::warn!("cannot note in {} what the bot was built of: {error}", self.bot.display());
        }
        Ok(started.elapsed())
    }

    /// The number, length and time of the run file, which differ once it is written anew; `None` without one.
    fn run_file_state(&self) -> Option<(u64, u64, Option<SystemTime>)> {
        self.run_file.metadata().ok().map(|file| (identity(&file).number, file.len(), file.modified().ok()))
    }

    /// Gives the program that cargo has made the name that bot.json has for it, if that ends in `.exe` as on Windows.
    fn name_as_on_windows(&self) -> io::Result<()> {
        let is_cargo = self.commands.iter().any(|command| command.name == "cargo");
        let is_named_so = self.run_file.extension().is_some_and(|end| end.eq_ignore_ascii_case("exe"));
        let made = self.run_file.with_extension("");
        let is_made = || made.symlink_metadata().is_ok_and(|file| file.is_file());
        // The folder may be a link of the bot's that leads elsewhere.
        let around = self.run_file.parent().and_then(|folder| folder.canonicalize().ok());
        let is_inside = || {
            let homes = [&self.bot, &self.project].into_iter().filter_map(|home| home.canonicalize().ok());
            around.is_some_and(|folder| homes.into_iter().any(|home| folder.starts_with(home)))
        };
        if !is_cargo || !is_named_so || !is_made() || !is_inside() {
            return Ok(());
        }
        match fs::remove_file(&self.run_file) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
            _ => {}
        }
        fs::hard_link(&made, &self.run_file)
    }

    /// The program of a Rust bot where Cargo made it elsewhere: programs of a workspace go into the workspace's own folder.
    fn made_in_workspace(&self, interrupt: &Interrupt) -> Result<Option<PathBuf>, BuildError> {
        let Some(cargo) = self.commands.iter().find(|command| command.name == "cargo") else {
            return Ok(None);
        };
        let ask = CommandLine::new(&cargo.program, &self.project);
        let ask =
            self.unsandboxed(ask.args(["metadata", "--no-deps", "--format-version", "1"]), "cargo metadata".into());
        let told = run(ask, Some(Limits::exactly(LIMIT, LIMIT)), interrupt)?;
        if told.end != RunEnd::Exited(0) {
            let said = format!("{}: {}", told.end, String::from_utf8_lossy(&told.stderr.bytes).trim());
            let (doing, place) = ("ask cargo where it made the program".to_owned(), self.project.clone());
            return Err(BuildError::NotRun { doing, place, source: io::Error::other(said) });
        }
        let (Some(target), Some(name)) = (target_folder(&told.stdout), self.run_file.file_name()) else {
            return Ok(None);
        };
        let usual = Path::new("target/release").join(name);
        let made = target.join("release").join(name);
        let is_elsewhere = self.run_file.ends_with(usual)
            && self.project.canonicalize().is_ok_and(|project| !target.starts_with(project));
        Ok((is_elsewhere && made.is_file()).then_some(made))
    }

    /// Copies a program into the bot's folder, where a sandbox and copies have it.
    fn fetch(&self, made: &Path) -> io::Result<()> {
        // Beside the old program, which another match may run, and under a name that no link of the bot can have.
        let folder = self.run_file.parent().unwrap_or(&self.project);
        let fresh = tempfile::NamedTempFile::new_in(folder)?.into_temp_path();
        without_spawning(|| fs::copy(made, &fresh))?;
        fresh.persist(&self.run_file).map_err(|e| e.error)
    }

    /// Makes the folders that a command expects, if they lie in the folder `within`.
    fn make_folders(&self, command: &BuildCommand, within: Option<&Path>) -> io::Result<()> {
        // Only the folder for the output of a build may be missing; and compilers do not create the folder of their output.
        for folder in [Some(command.folder.as_path()), self.run_file.parent()].into_iter().flatten() {
            let present = folder.ancestors().find_map(|present| present.canonicalize().ok());
            let leads_up = folder.components().any(|part| part == Component::ParentDir);
            let is_inside = |within: &Path| {
                within.canonicalize().is_ok_and(|within| !leads_up && present.is_some_and(|it| it.starts_with(within)))
            };
            if within.is_none_or(is_inside) {
                fs::create_dir_all(folder)?;
            }
        }
        Ok(())
    }

    /// The start of a command without a sandbox.
    fn unsandboxed(&self, line: CommandLine, text: String) -> RunRequest {
        // With the variable, Cargo would write the program elsewhere.
        RunRequest::of(line.without_env("CARGO_TARGET_DIR").env("PATH", self.search_path.clone()), text)
    }
}

/// The folder for what Cargo makes, of the output of `cargo metadata`.
fn target_folder(metadata: &Output) -> Option<PathBuf> {
    // Of a large workspace only the beginning and the end are kept. The folder stands behind the list of its packages.
    let text = [&*metadata.bytes, &*metadata.end].concat();
    let text = String::from_utf8_lossy(&text);
    let (_, value) = text.rsplit_once("\"target_directory\":")?;
    serde_json::Deserializer::from_str(value).into_iter().next()?.ok()
}
