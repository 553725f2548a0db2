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
use players::process::{Language, Purpose, Sandbox, ToolCheck};
use std::path::Path;
use std::time::Duration;

/// The time for which other programs are looked for that use the processors.
const LOOK: Duration = Duration::from_millis(400);

/// Examines this machine and prints what was found.
///
/// # Errors
/// The settings are wrong, standard output cannot be written, or the user interrupts the program.
pub(crate) fn doctor(args: &DoctorArgs) -> Result<Exit, Failure> {
    let tools = settings::tools(args.settings.as_deref())?;
    // A second Ctrl-C ends the program at once.
    let interrupt = signals::interrupt()?;
    let root = Path::new("/");
    let mut findings = languages(&check_of_all(&tools, &interrupt))?;
    findings.extend(sandbox::findings(root, Sandbox::start().map(|sandbox| sandbox.abilities())));
    findings.extend(machine::findings(root));
    findings.extend(neighbour::findings(root, LOOK));
    let is_well = findings.iter().all(|finding| finding.state != State::Problem);
    show::print(&if args.json { show::written_json(&findings) } else { show::findings_text(&findings) })?;
    Ok(if is_well { Exit::Success } else { Exit::EngineError })
}

/// The languages that are ready, and a finding for each that lacks a tool.
fn languages(check: &ToolCheck) -> Result<Vec<Finding>, ArenaError> {
    let finding = |state, text, mend| Finding { topic: "languages", state, text, mend };
    let (mut ready, mut findings) = (Vec::new(), Vec::new());
    for language in Language::all() {
        let name = language.plain_name();
        let missing = match check.missing(language, Purpose::Build) {
            Ok(missing) => missing,
            Err(ArenaError::Interrupted) => return Err(ArenaError::Interrupted),
            Err(error) => {
                let text = format!("the tools for {name} cannot be tried: {}", runner::with_causes(&error));
                findings.push(finding(State::Problem, text, None));
                continue;
            }
        };
        if missing.is_empty() {
            ready.push(name);
            continue;
        }
        let tools = missing.iter().map(|missing| match missing.tool.packages {
            [] => missing.to_string(),
            packages => format!("{missing} (Debian: {})", packages.join(" ")),
        });
        let text = format!("{name} lacks {}", tools.collect::<Vec<_>>().join("; "));
        findings.push(finding(State::Note, text, None));
    }
    let text = format!("{} of {} are ready: {}", ready.len(), Language::all().len(), ready.join(", "));
    let mend = "broadside languages tells how to get what the others lack".to_owned();
    findings.insert(0, finding(State::Fine, text, (!findings.is_empty()).then_some(mend)));
    Ok(findings)
}
