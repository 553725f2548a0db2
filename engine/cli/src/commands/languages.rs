//! `broadside languages`: lists the languages and the tools installed for them.

use super::new::has_starter;
use crate::args::LanguagesArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::languages::LanguageStatus;
use crate::{settings, show, signals};
use arena::{ArenaError, Interrupt};
use players::Tools;
use players::process::{Calibration, Language, Launch, version};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Lists all languages in the format that the command line names.
pub(crate) fn languages(args: &LanguagesArgs) -> Result<Exit, Failure> {
    let tools = settings::tools(args.settings.as_deref())?;
    let interrupt = signals::interrupt()?;
    let calibration =
        args.measure.then(|| Calibration::new(runner::first_question(), tools.clone(), interrupt.clone()));
    let mut survey = Survey { tools, interrupt, calibration, versions: BTreeMap::new(), times: BTreeMap::new() };
    let found = Language::all().iter().map(|language| survey.look(language)).collect::<Result<Vec<_>, _>>()?;
    let text = match () {
        () if args.json => show::languages::json(&found),
        () if args.markdown => show::languages::markdown(&found),
        () => show::languages::table(&found, args.measure),
    };
    show::print(&text)?;
    Ok(Exit::Success)
}

/// True if bots in this language can be run; for those that run by themselves, if they can be built.
pub(super) fn has_tools(language: &'static Language, tools: &Tools) -> bool {
    // A language without interpreter and build is that of any executable.
    let needs_none = language.interpreters().is_empty() && language.builds.is_empty();
    needs_none || launch(language, tools).is_some() || compiler(language, tools).is_some()
}

/// The first interpreter of a language that is there, with its name.
fn launch(language: &'static Language, tools: &Tools) -> Option<(&'static str, Launch)> {
    language.interpreters().iter().find_map(|interpreter| {
        let launch = Launch::by(interpreter, language, tools, &env::temp_dir()).ok()?;
        Some((interpreter.programs[0], launch))
    })
}

/// The tool that builds bots in a language whose bots run by themselves: that of the last recipe, which is for sources without
/// a project, so it is the compiler.
fn compiler(language: &'static Language, tools: &Tools) -> Option<(&'static str, PathBuf)> {
    let recipe = language.builds.last().filter(|_| language.interpreters().is_empty())?;
    let programs = recipe.alternatives.iter().copied().flatten().flat_map(|step| step.programs);
    programs.copied().find_map(|name| Some((name, tools.find(name)?)))
}

/// Finds and measures the tools of all languages.
struct Survey {
    tools: Tools,
    interrupt: Interrupt,
    calibration: Option<Calibration>,
    /// The versions found so far, by program: several languages share a program.
    versions: BTreeMap<PathBuf, Option<String>>,
    /// The start-up times measured so far, by program.
    times: BTreeMap<PathBuf, Option<Duration>>,
}

impl Survey {
    fn look(&mut self, language: &'static Language) -> Result<LanguageStatus, ArenaError> {
        let interpreters = language.interpreters();
        let launch = launch(language, &self.tools);
        let tool = match &launch {
            Some((name, launch)) => Some((*name, launch.program().to_owned())),
            None => compiler(language, &self.tools),
        };
        let install = match interpreters.first() {
            Some(interpreter) => Some(interpreter.install),
            None => language.builds.last().map(|recipe| recipe.install),
        };
        let found = has_tools(language, &self.tools);
        let (mut start_up, mut extra) = (None, None);
        if self.calibration.is_some() {
            start_up = launch.as_ref().map(|(_, launch)| self.start_up(launch)).transpose()?.flatten();
            extra = found.then(|| start_up.unwrap_or_default().min(Calibration::CAP));
        }
        Ok(LanguageStatus {
            language: language.name,
            name: language.plain_name(),
            starter: has_starter(language),
            number: language.number,
            aliases: language.aliases,
            found,
            version: tool.as_ref().map(|(name, path)| self.version(name, path)).transpose()?.flatten(),
            tool: tool.map(|(_, path)| path),
            install: install.filter(|_| !found),
            start_up,
            extra,
        })
    }

    fn start_up(&mut self, launch: &Launch) -> Result<Option<Duration>, ArenaError> {
        let Some(calibration) = &self.calibration else { return Ok(None) };
        match self.times.entry(launch.program().to_owned()) {
            Entry::Occupied(known) => Ok(*known.get()),
            Entry::Vacant(unknown) => Ok(*unknown.insert(calibration.start_up(launch, &Ok)?)),
        }
    }

    fn version(&mut self, name: &str, path: &Path) -> Result<Option<String>, ArenaError> {
        match self.versions.entry(path.to_owned()) {
            Entry::Occupied(known) => Ok(known.get().clone()),
            Entry::Vacant(unknown) => Ok(unknown.insert(version(name, path, &self.interrupt)?).clone()),
        }
    }
}
