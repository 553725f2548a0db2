//! `broadside doctor`: what this machine has for bots, for the sandbox and for fair times, and how to mend what it lacks.

mod machine;
mod neighbour;
mod sandbox;

use super::languages::has_tools;
use crate::args::DoctorArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, Finding, State};
use crate::{settings, signals};
use players::process::{Language, Sandbox};
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
    let _interrupt = signals::interrupt()?;
    let root = Path::new("/");
    let mut findings = vec![languages(&tools)];
    findings.extend(sandbox::findings(root, Sandbox::start().map(|sandbox| sandbox.abilities())));
    findings.extend(machine::findings(root));
    findings.extend(neighbour::findings(root, LOOK));
    let is_well = findings.iter().all(|finding| finding.state != State::Problem);
    show::print(&if args.json { show::findings_json(&findings) } else { show::findings_text(&findings) })?;
    Ok(if is_well { Exit::Success } else { Exit::EngineError })
}

/// The languages whose tools are there.
fn languages(tools: &players::Tools) -> Finding {
    let all = Language::all();
    let found: Vec<String> =
        all.iter().filter(|language| has_tools(language, tools)).map(Language::plain_name).collect();
    let text = format!("{} of {} have their tools: {}", found.len(), all.len(), found.join(", "));
    Finding {
        topic: "languages",
        state: State::Fine,
        text,
        mend: Some("broadside languages tells what to install for the others".to_owned()),
    }
}
