//! `broadside languages`: lists the languages and the tools installed for them.

use super::new::has_starter;
use crate::args::LanguagesArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::languages::LanguageStatus;
use crate::{settings, show, signals};
use arena::{ArenaError, Interrupt};
use players::Tools;
use players::process::{Calibration, Language, Launch, Purpose, ToolCheck, ToolState};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::env;
use std::path::PathBuf;
use std::time::Duration;

/// Lists all languages in the format that the command line names.
pub(crate) fn languages(args: &LanguagesArgs) -> Result<Exit, Failure> {
    let tools = settings::tools(args.settings.as_deref())?;
    let interrupt = signals::interrupt()?;
    let calibration =
        args.measure.then(|| Calibration::new(runner::first_question(), tools.clone(), interrupt.clone()));
    let check = check_of_all(&tools, &interrupt);
    let mut survey = Survey { tools, check, calibration, times: BTreeMap::new() };
    let found = Language::all().iter().map(|language| survey.look(language)).collect::<Result<Vec<_>, _>>()?;
    let text = match () {
        () if args.json => show::written_json(&found),
        () if args.markdown => show::languages::markdown(&found),
        () => show::languages::table(&found, args.measure),
    };
    show::print(&text)?;
    Ok(Exit::Success)
}

/// The check of the tools of all languages, which have been tried.
pub(super) fn check_of_all(tools: &Tools, interrupt: &Interrupt) -> ToolCheck {
    let check = ToolCheck::new(tools.clone(), interrupt.clone());
    check.try_all(Purpose::Build);
    check
}

/// Finds and measures the tools of all languages.
struct Survey {
    tools: Tools,
    check: ToolCheck,
    calibration: Option<Calibration>,
    /// The start-up times measured so far, by program.
    times: BTreeMap<PathBuf, Option<Duration>>,
}

impl Survey {
    fn look(&mut self, language: &'static Language) -> Result<LanguageStatus, ArenaError> {
        let missing = self.check.missing(language, Purpose::Build)?;
        // The first tool of a list runs the bots; those that run by themselves are built by it.
        let first = language.needs.iter().filter_map(|list| list.first());
        let states = first.map(|tool| self.check.state(tool)).collect::<Result<Vec<_>, _>>()?;
        let tool = states.into_iter().find_map(|state| match state {
            ToolState::Absent => None,
            ToolState::Broken { path, .. } => Some((path, None)),
            ToolState::Works { path, version } => Some((path, version)),
        });
        let mut interpreters = language.interpreters().into_iter();
        let launch = interpreters.find_map(|one| Launch::by(one, language, &self.tools, &env::temp_dir()).ok());
        let (mut start_up, mut extra) = (None, None);
        if self.calibration.is_some() {
            start_up = launch.as_ref().map(|launch| self.start_up(launch)).transpose()?.flatten();
            extra = missing.is_empty().then(|| start_up.unwrap_or_default().min(Calibration::CAP));
        }
        let (tool, version) = tool.unzip();
        // It may be a script in front of the real one.
        let tool = launch.map(|launch| launch.program().to_owned()).or(tool);
        Ok(LanguageStatus {
            language: language.name,
            name: language.plain_name(),
            starter: has_starter(language),
            number: language.number,
            aliases: language.aliases,
            found: missing.is_empty(),
            version: version.flatten(),
            tool,
            missing,
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
}
