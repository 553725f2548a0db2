//! Bots that are programs in a folder with a `bot.json`: found, and built where that is needed.

use crate::bots::http_bot;
use crate::{BotOptions, Contestant, ContestantKind, Context, REPLAYS, Report, RunnerError, SandboxLevel, TOURNAMENTS};
use arena::GAMES_JSONL;
use players::process::{
    Build, BuildError, BuildLock, BuildSandbox, Freshness, Language, Launch, LaunchError, LineListener, Sandbox,
    SandboxError,
};
use players::{Manifest, content_hash};
use rules::Listed;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

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
    /// The error of a bot that cannot be started.
    pub(crate) fn refused(&self, source: LaunchError) -> RunnerError {
        RunnerError::Launch { folder: self.folder.clone(), source: Box::new(source) }
    }

    /// Finds the bot in the folder that was named, as [`Program::find`] does. `NAME=FOLDER` calls it otherwise.
    ///
    /// # Errors
    /// [`RunnerError::UrlForFolder`] if it is a URL; else as [`Program::find`].
    pub fn named<G: Listed>(
        named: &str,
        options: &BotOptions,
        context: &Context,
    ) -> Result<Contestant<G, Program>, RunnerError> {
        let folder = Path::new(named);
        if let Some((name, inner)) = named.split_once('=')
            && !folder.exists()
            && !name.is_empty()
            && Path::new(inner).is_dir()
        {
            return Ok(Program::find(Path::new(inner), options, context)?.called(name));
        }
        match http_bot::url_in(named).filter(|_| !folder.is_dir()) {
            Some(url) => Err(RunnerError::UrlForFolder(url, G::KIND)),
            None => Program::find(folder, options, context),
        }
    }

    /// Finds the bot in `folder`, and builds it if its RunFile is missing, its sources have changed or `options.rebuild` asks
    /// for it.
    ///
    /// # Errors
    /// [`RunnerError::Manifest`] if there is no usable `bot.json`, [`RunnerError::Launch`] if the bot cannot be built or
    /// started.
    pub fn find<G: Listed>(
        folder: &Path,
        options: &BotOptions,
        context: &Context,
    ) -> Result<Contestant<G, Program>, RunnerError> {
        Program::made_ready(folder, options, |manifest| {
            Launch::check_run_file(manifest)?;
            build_if_needed(manifest, options, context)?;
            let launch = Launch::of(manifest, &options.tools)?;
            launch.check_program()?;
            Ok(launch)
        })
    }

    /// Finds the bot in `folder` as it is: nothing is built.
    ///
    /// # Errors
    /// As for [`Program::find`].
    pub(crate) fn find_built<G: Listed>(
        folder: &Path,
        options: &BotOptions,
    ) -> Result<Contestant<G, Program>, RunnerError> {
        Program::made_ready(folder, options, |manifest| Launch::of(manifest, &options.tools))
    }

    /// The bot in `folder` as it is, whose games are played with copies of the folder.
    ///
    /// # Errors
    /// As for [`Program::find`].
    pub(crate) fn as_template<G: Listed>(
        folder: &Path,
        options: &BotOptions,
    ) -> Result<Contestant<G, Program>, RunnerError> {
        let found = Program::find_built(folder, options)?;
        Ok(found.map_bot(|program| Program { template: Some(program.folder.clone()), ..program }))
    }

    fn made_ready<G: Listed>(
        folder: &Path,
        options: &BotOptions,
        ready: impl FnOnce(&Manifest) -> Result<Launch, LaunchError>,
    ) -> Result<Contestant<G, Program>, RunnerError> {
        let manifest =
            Manifest::read(folder).map_err(|source| RunnerError::Manifest { folder: folder.to_owned(), source })?;
        let launch = ready(&manifest).map_err(|source| match source {
            LaunchError::Build(BuildError::Engine(error)) => RunnerError::Arena(*error),
            source => RunnerError::Launch { folder: folder.to_owned(), source: Box::new(source) },
        })?;
        let launch = launch.with_variables(options.variables.iter().cloned());
        let content = content_hash(&manifest.folder, &manifest.run_path());
        let (info, language) = (manifest.details.clone(), manifest.language);
        let program = Program { folder: manifest.folder.clone(), language, launch, manifest, template: None };
        let kind = ContestantKind::Bot(program);
        Ok(Contestant { source: folder.display().to_string(), info, content, kind })
    }
}

/// The signs of patterns.
const SIGNS: [char; 3] = ['*', '?', '['];

/// True if the name is a pattern of folders. A folder that is there is meant as it stands, also behind a name and `=`.
pub fn is_pattern(named: &str) -> bool {
    let behind_name = named.split_once('=').map(|(_, folder)| folder);
    let exists = [Some(named), behind_name].into_iter().flatten().any(|named| Path::new(named).exists());
    named.contains(SIGNS) && !exists
}

/// The folders that a name stands for: that folder itself, or those that fit a pattern, without hidden ones and those in which this
/// program puts matches and tournaments.
///
/// # Errors
/// [`RunnerError::Pattern`] for a pattern that no folder of a bot fits.
pub(crate) fn expanded(named: &str) -> Result<Vec<String>, RunnerError> {
    if !is_pattern(named) {
        return Ok(vec![named.to_owned()]);
    }
    let found =
        glob::glob(&escaped(named)).map_err(|e| RunnerError::Pattern(format!("{named} is not a pattern: {e}")))?;
    let is_meant = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_own = [REPLAYS, TOURNAMENTS].contains(&&*name) || path.join(GAMES_JSONL).is_file();
        path.is_dir() && !name.starts_with('.') && !is_own
    };
    // One that may not be looked into is told when it is read.
    let may_be_bot = |path: &PathBuf| match path.join("bot.json").metadata() {
        Ok(file) => file.is_file(),
        Err(error) => error.kind() == io::ErrorKind::PermissionDenied,
    };
    let folders: Vec<PathBuf> = found.filter_map(Result::ok).filter(is_meant).collect();
    if !folders.iter().any(may_be_bot) {
        return Err(RunnerError::Pattern(format!("no folder with a bot.json fits {named}")));
    }
    Ok(folders.iter().map(|folder| folder.display().to_string()).collect())
}

/// A pattern as the folder that stands before the pattern proper, and the rest: folders that are there are meant as they stand.
pub(crate) fn split_pattern(pattern: &str) -> (&str, &str) {
    let first_sign = pattern.find(SIGNS).unwrap_or(pattern.len());
    let mut ends = pattern.match_indices('/').map(|(at, _)| at + 1);
    let is_folder = |at: &usize| *at <= first_sign || Path::new(&pattern[..*at]).is_dir();
    pattern.split_at(ends.rfind(is_folder).unwrap_or(0))
}

/// The pattern in which signs in the names of folders that are there stand for themselves.
fn escaped(pattern: &str) -> String {
    let (folder, rest) = split_pattern(pattern);
    glob::Pattern::escape(folder) + rest
}

/// The reason why a bot is built.
enum Reason {
    Asked,
    Missing,
    Stale { freshness: Freshness, file: String },
}

impl Reason {
    /// The reason to build the bot; `None` if nothing is to be done.
    fn of(manifest: &Manifest, options: &BotOptions) -> Option<Reason> {
        // A script that is missing is not made by any build.
        let is_built = !manifest.language.builds.is_empty();
        if !manifest.run_path().exists() {
            return is_built.then_some(Reason::Missing);
        }
        if options.rebuild {
            return Some(Reason::Asked);
        }
        let freshness = Freshness::of(manifest);
        let file = match &freshness {
            Freshness::Current => return None,
            Freshness::Changed { file, .. } | Freshness::Older { file } => file.clone(),
        };
        Some(Reason::Stale { freshness, file })
    }
}

/// Builds the bot if that is wanted, or needed and possible.
fn build_if_needed(manifest: &Manifest, options: &BotOptions, context: &Context) -> Result<(), BuildError> {
    if Reason::of(manifest, options).is_none() {
        return Ok(());
    }
    // Without locks, as on some network disks, two programs may build at once, as two calls of a compiler may.
    let _lock = BuildLock::of(&manifest.folder, || context.report(&Report::WaitingForBuild(&manifest.folder)));
    // Another program may have built it meanwhile.
    let Some(reason) = Reason::of(manifest, options) else { return Ok(()) };
    let result = build(manifest, &reason, options, context);
    match (&reason, result) {
        (Reason::Stale { freshness: Freshness::Older { .. }, file }, Err(error)) if is_impossible_here(&error) => {
            context.report(&Report::NotRebuilt { bot: &name(manifest), file, error: &error });
            Ok(())
        }
        (_, result) => result,
    }
}

fn name(manifest: &Manifest) -> String {
    manifest.folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// True if this machine lacks something for the build, which says nothing about the sources.
fn is_impossible_here(error: &BuildError) -> bool {
    matches!(error, BuildError::NoTool { .. } | BuildError::NotRun { .. } | BuildError::Sandbox(_))
}

fn build(manifest: &Manifest, reason: &Reason, options: &BotOptions, context: &Context) -> Result<(), BuildError> {
    if options.sandbox != SandboxLevel::Off {
        has_its_project(manifest)?;
    }
    let build = match reason {
        Reason::Asked | Reason::Missing => Build::of(manifest, &options.tools)?,
        Reason::Stale { freshness, .. } => Build::of_changed(manifest, &options.tools, freshness)?,
    };
    let project = &manifest.project_path();
    let Some(build) = build else {
        // A bot that came without its source needs no build.
        if !manifest.language.builds.is_empty() {
            context.report(&Report::NothingToBuild(project));
        }
        return Ok(());
    };
    let sandbox = build_sandbox(options, context)?;
    match reason {
        Reason::Asked => context.report(&Report::BuildStarted(project, "-f asks for it")),
        Reason::Missing => context.report(&Report::BuildStarted(project, "its RunFile is missing")),
        Reason::Stale { .. } => {}
    }
    build.notes.iter().for_each(|note| context.report(&Report::BuildNote(note)));
    let reporter = Arc::clone(&context.reporter);
    let build = build.heard_by(LineListener::new(move |line| reporter.report(&Report::BuildOutput(line))));
    let mut begin = |command: &str| context.report(&Report::BuildStep(command));
    let result = build.run(sandbox.as_ref(), &context.interrupt, &mut begin);
    match (reason, &result) {
        (Reason::Stale { file, .. }, Ok(time)) => {
            context.report(&Report::Rebuilt { bot: &name(manifest), file, time: *time });
        }
        _ => context.report(&Report::BuildEnded(project, &result)),
    }
    result.map(|_: Duration| ())
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
    let made = || BuildSandbox::new(Sandbox::start()?, options.build_network);
    match options.sandbox {
        SandboxLevel::Off => Ok(None),
        SandboxLevel::Strict => made().map(Some),
        SandboxLevel::On => Ok(made().map_err(|error| context.report(&Report::NoBuildSandbox(&error))).ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn folders_that_are_there_are_meant_as_they_stand() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        for name in ["a[1]", "in [x]/{b}*?", "in [x]/c"] {
            fs::create_dir_all(path(name)).unwrap();
        }
        for name in ["a[1]", "in [x]/{b}*?"] {
            assert!(!is_pattern(&path(name)) && !is_pattern(&format!("Ann={}", path(name))), "{name}");
        }
        assert!(is_pattern(&path("a[2]")) && is_pattern(&path("in [x]/*")));
        let found = |pattern: &str| -> Vec<PathBuf> {
            glob::glob(&escaped(&path(pattern))).unwrap().map(Result::unwrap).collect()
        };
        assert_eq!(found("in [x]/*"), ["in [x]/c", "in [x]/{b}*?"].map(|name| PathBuf::from(path(name))));
        assert_eq!(found("a[[]1]"), [PathBuf::from(path("a[1]"))]);
        assert_eq!(found("*/c"), [PathBuf::from(path("in [x]/c"))]);
        assert_eq!(split_pattern("no/such/a*/b"), ("no/such/", "a*/b"));
        assert_eq!(split_pattern("a*"), ("", "a*"));
    }
}
