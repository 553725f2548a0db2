//! `broadside doctor`: what this machine has for bots, for the sandbox and for fair times, and how to mend what it lacks.

mod machine;
mod neighbour;
mod sandbox;

use super::languages::check_of_all;
use crate::args::DoctorArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, Finding, State};
use crate::{settings, signals};
use arena::ArenaError;
use players::process::{Language, MissingTool, Purpose, Sandbox, ToolCheck};
use std::path::Path;
use std::time::Duration;

/// The time for which other programs are looked for that use the processors.
const LOOK: Duration = Duration::from_secs(1);

/// Examines this machine and prints what was found.
///
/// # Errors
/// The settings are wrong, or standard output cannot be written.
pub(crate) fn doctor(args: &DoctorArgs) -> Result<Exit, Failure> {
    let tools = settings::tools(args.settings.as_deref())?;
    // A second Ctrl-C ends the program at once.
    let interrupt = signals::interrupt()?;
    let root = Path::new("/");
    let mut findings = vec![languages(&check_of_all(&tools, &interrupt))?];
    findings.extend(sandbox::findings(root, Sandbox::start().map(|sandbox| sandbox.abilities())));
    findings.extend(machine::findings(root));
    findings.extend(neighbour::findings(root, LOOK));
    let is_well = findings.iter().all(|finding| finding.state != State::Problem);
    show::print(&if args.json { show::findings_json(&findings) } else { show::findings_text(&findings) })?;
    Ok(if is_well { Exit::Success } else { Exit::EngineError })
}

/// The languages that are ready, and what the others lack.
fn languages(check: &ToolCheck) -> Result<Finding, ArenaError> {
    let all = Language::all();
    let missing = all.iter().map(|language| Ok((language.plain_name(), check.missing(language, Purpose::Build)?)));
    let missing = missing.collect::<Result<Vec<_>, ArenaError>>()?;
    let (ready, others): (Vec<_>, Vec<_>) = missing.into_iter().partition(|(_, missing)| missing.is_empty());
    let ready: Vec<String> = ready.into_iter().map(|(name, _)| name).collect();
    let lacks = |(name, missing): &(String, Vec<MissingTool>)| {
        let missing = missing.iter().map(|missing| match missing.tool.packages {
            [] => missing.tool.programs[0].to_owned(),
            packages => format!("{} ({})", missing.tool.programs[0], packages.join(" ")),
        });
        format!("{name}: {}", missing.collect::<Vec<_>>().join(", "))
    };
    let others: Vec<String> = others.iter().map(lacks).collect();
    let mend =
        format!("broadside languages tells more of what the others lack (and Debian packages): {}", others.join("; "));
    Ok(Finding {
        topic: "languages",
        state: State::Fine,
        text: format!("{} of {} are ready: {}", ready.len(), all.len(), ready.join(", ")),
        mend: (!others.is_empty()).then_some(mend),
    })
}
