//! Bots that are programs in a folder with a `bot.json`: found, and built where that is needed.

use crate::{BotOptions, Contestant, ContestantKind, Context, Report, RunnerError, SandboxLevel, service};
use arena::{RunEnd, RunReport};
use players::process::{Build, BuildError, BuildSandbox, Language, Launch, LaunchError, Sandbox, SandboxError};
use players::{Manifest, content_hash};
use rules::GameKind;
use rules::entelect_2017::Entelect2017;
use std::path::{Path, PathBuf};

/// A bot that can be started.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its folder, absolute.
    pub folder: PathBuf,
    /// Its language.
    pub language: &'static Language,
    /// The command that starts it.
    pub launch: Launch,
    /// The contents of its bot.json.
    pub(crate) manifest: Manifest,
    /// The folder that is copied for each game; `None` if games use the bot's own folder.
    pub(crate) template: Option<PathBuf>,
}

impl Program {
    /// Tells whether the bot lacks something in this run that building it would bring, such as packages that its project names.
    pub(crate) fn lacks_build(&self, run: &RunReport) -> bool {
        let ended_well = run.end == RunEnd::Exited(0);
        !ended_well && Build::would_help(&self.manifest, &run.stderr.lines().join("\n"))
    }

    /// Finds the bot in the folder that was named, as [`Program::find`] does. `NAME=FOLDER` calls it otherwise.
    ///
    /// # Errors
    /// [`RunnerError::UrlForFolder`] if it is a URL; else as [`Program::find`].
    pub fn named(
        named: &str,
        options: &BotOptions,
        context: &Context,
    ) -> Result<Contestant<Entelect2017, Program>, RunnerError> {
        let folder = Path::new(named);
        if let Some((name, inner)) = named.split_once('=')
            && !folder.exists()
            && !name.is_empty()
            && Path::new(inner).is_dir()
        {
            return Ok(Program::find(Path::new(inner), options, context)?.called(name));
        }
        match service::url_in(named).filter(|_| !folder.is_dir()) {
            Some(url) => Err(RunnerError::UrlForFolder { url, game: GameKind::Entelect2017 }),
            None => Program::find(folder, options, context),
        }
    }

    /// Finds the bot in `folder`, and builds it if its RunFile is missing or `options.rebuild` asks for it.
    ///
    /// # Errors
    /// [`RunnerError::Manifest`] if there is no usable `bot.json`, [`RunnerError::Launch`] if the bot cannot be built or
    /// started.
    pub fn find(
        folder: &Path,
        options: &BotOptions,
        context: &Context,
    ) -> Result<Contestant<Entelect2017, Program>, RunnerError> {
        let manifest =
            Manifest::read(folder).map_err(|source| RunnerError::Manifest { folder: folder.to_owned(), source })?;
        let launch = ready(&manifest, options, context).map_err(|source| match source {
            LaunchError::Build(BuildError::Engine(error)) => RunnerError::Arena(*error),
            source => RunnerError::Launch { folder: folder.to_owned(), source: Box::new(source) },
        })?;
        let content = content_hash(&manifest.folder, &manifest.run_path());
        let (info, language) = (manifest.details.clone(), manifest.language);
        let program = Program { folder: manifest.folder.clone(), language, launch, manifest, template: None };
        let kind = ContestantKind::Bot(program);
        Ok(Contestant { source: folder.display().to_string(), info, content, kind })
    }
}

/// Builds the bot if that is wanted, or needed and possible, and finds the command that starts it.
fn ready(manifest: &Manifest, options: &BotOptions, context: &Context) -> Result<Launch, LaunchError> {
    let missing = !manifest.run_path().exists();
    let is_built = !manifest.language.builds.is_empty();
    // A script that is missing is not made by any build.
    if if missing { is_built } else { options.rebuild } {
        if options.sandbox != SandboxLevel::Off {
            has_its_project(manifest).map_err(BuildError::from)?;
        }
        match Build::of(manifest, &options.tools)? {
            Some(build) => {
                let sandbox = build_sandbox(options, context).map_err(BuildError::from)?;
                carry_out(&build, manifest, missing, sandbox.as_ref(), context)?;
            }
            // A bot that came without its source needs no build.
            None if is_built => context.report(&Report::NothingToBuild { project: &manifest.project_path() }),
            None => {}
        }
    }
    Launch::of(manifest, &options.tools)
}

/// Checks that the project lies in the bot's folder: nothing else is looked through for a bot that plays in a sandbox.
fn has_its_project(manifest: &Manifest) -> Result<(), SandboxError> {
    let (project, folder) = (manifest.project_path(), &manifest.folder);
    let found = project.canonicalize().unwrap_or_else(|_| project.clone());
    let is_inside = folder.canonicalize().is_ok_and(|folder| found.starts_with(folder));
    let leads = Some(found).filter(|found| *found != project);
    if is_inside { Ok(()) } else { Err(SandboxError::Outside { bot: folder.clone(), file: project, leads }) }
}

/// The sandbox of builds. `None` at level off, or at level on if the kernel lacks something of it.
fn build_sandbox(options: &BotOptions, context: &Context) -> Result<Option<BuildSandbox>, SandboxError> {
    let made = || BuildSandbox::new(Sandbox::start()?, options.build_network, context.interrupt.clone());
    match options.sandbox {
        SandboxLevel::Off => Ok(None),
        SandboxLevel::Strict => made().map(Some),
        SandboxLevel::On => Ok(made().map_err(|error| context.report(&Report::NoBuildSandbox(&error))).ok()),
    }
}

fn carry_out(
    build: &Build,
    manifest: &Manifest,
    missing: bool,
    sandbox: Option<&BuildSandbox>,
    context: &Context,
) -> Result<(), LaunchError> {
    let reason = if missing { "its RunFile is missing" } else { "as asked" };
    let project = &manifest.project_path();
    context.report(&Report::BuildStarted { project, reason });
    build.notes.iter().for_each(|note| context.report(&Report::BuildNote(note)));
    let result = build.run(sandbox, &mut |command| context.report(&Report::BuildStep(command)));
    context.report(&Report::BuildEnded { project, result: &result });
    result.map(|_| ()).map_err(LaunchError::from)
}
