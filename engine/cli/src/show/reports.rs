//! The runner's reports as lines on standard error.

use super::{printable, say, status, tell};
use crate::show::text::names::cut;
use crate::show::text::output::printable_output;
use platform::locks::lock;
use platform::terminal;
use players::process::{BuildError, log_excerpt};
use runner::{BotChange, Report, Reporter, with_causes};
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

/// Tells the user of builds, time limits, the sandbox and folders.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    /// The bot of several that is looked for, and its number, in words.
    finding: Mutex<String>,
}

impl Reporter for Reports {
    fn report(&self, report: &Report<'_>) {
        match report {
            Report::Finding { of: ..=1, .. } => {}
            Report::Finding { named, number, of } => {
                *lock(&self.finding) = format!("{number} of {of}: ");
                progress(&format!("{number} of {of}: {named}"));
            }
            Report::Found => {
                lock(&self.finding).clear();
                end_of_steps();
            }
            Report::BuildStep(command) => progress(&format!("{}Building … ({command})", lock(&self.finding))),
            report => {
                if let Some(text) = text(report) {
                    tell(&printable(&text));
                }
            }
        }
    }
}

fn text(report: &Report<'_>) -> Option<String> {
    Some(match report {
        Report::BuildStarted(project, reason) => format!("Building {} ({reason})", project.display()),
        Report::BuildNote(note) => (*note).to_owned(),
        Report::BuildEnded(project, result) => return built(project, result),
        Report::Rebuilt { bot, file, time } => {
            end_of_steps();
            format!("rebuilt {bot} in {:.1} s ({file} has changed)", time.as_secs_f64())
        }
        Report::WaitingForBuild(folder) => {
            format!("Waiting for another broadside to build the bot in {}", folder.display())
        }
        Report::NotRebuilt { bot, file, error } => {
            end_of_steps();
            let error = with_causes(*error);
            format!("{bot} plays with the program that is there, which is older than {file}: {error}")
        }
        Report::NothingToBuild(project) => format!("{}: nothing to build", project.display()),
        // `check` tells it beside the limit, and a time-out has the limit.
        Report::LanguageTime(..) => return None,
        Report::NoSandbox(error) => format!("Bots run without a sandbox: {}", with_causes(error)),
        Report::NoBuildSandbox(error) => format!("Bots are built without a sandbox: {}", with_causes(error)),
        Report::SandboxGaps(gaps) => format!("The sandbox has gaps: {gaps}"),
        // Forms are what the page of the game says, so they are not worth a line.
        Report::DialectFound(_, "form") => return None,
        Report::DialectFound(url, dialect) => format!("{url} is asked with {dialect}, which it answers"),
        Report::FolderNotCopied { bot, folder, error } => {
            format!("{bot}: changes in {} while games are played change the bot: {error}", folder.display())
        }
        Report::FolderLeft(path, error) => format!("{} is left behind: {error}", path.display()),
        Report::FilesRestored(path) => format!("Restored the files of an interrupted match: {}", path.display()),
        Report::EarlierMatchMoved(folder, to) => {
            format!("The match that was in {} is now in its folder '{to}'", folder.display())
        }
        Report::EntrantChanged(name) => {
            format!("{name} has changed since it entered the tournament; the changed bot plays on")
        }
        Report::EntrantAsEntered(name, BotChange::Changed) => format!(
            "{name} has changed since it entered the tournament; what it was then plays on (--allow-changed: the changed bot)"
        ),
        Report::EntrantAsEntered(name, BotChange::NotNamed) => format!(
            "{name} was not named; what it was when it entered the tournament plays on (--retire '{name}' ends its games)"
        ),
        Report::EntrantAsEntered(name, BotChange::Unusable(error)) => format!(
            "{name} plays on as it was when it entered the tournament: {}",
            rules::printable(&with_causes(&**error))
        ),
        Report::RetiredElsewhere(bot, name) => format!(
            "{bot} does not enter: it is the bot of {name}, who plays no more games (--replace '{name}={bot}' enters it)"
        ),
        Report::EntrantRetired(name, None) => format!("{name} plays no more games in the tournament"),
        Report::EntrantRetired(name, Some(new)) => {
            format!("{name} plays no more games in the tournament; {new} enters in its place")
        }
        Report::JournalRepaired(path, removed) => {
            format!("{}: removed an incomplete last line ({removed} bytes)", path.display())
        }
        Report::Oversubscribed { games, processors } => format!(
            "{games} games at the same time on {processors} processors: bots will wait for each other, and time-outs may \
             be the machine's fault; they are marked"
        ),
        _ => return None,
    })
}

/// The line on a terminal that says what is being done.
fn progress(text: &str) {
    if io::stderr().is_terminal() {
        // A line that wraps cannot be removed again.
        let columns = terminal::size().map_or(79, |size| size.columns.saturating_sub(1));
        status(&cut(&printable(text), columns));
    }
}

/// Removes the line of [`progress`].
fn end_of_steps() {
    if io::stderr().is_terminal() {
        status("");
    }
}

/// The end of a build: its time, or the last lines of the tool that failed.
fn built(project: &Path, result: &Result<Duration, BuildError>) -> Option<String> {
    end_of_steps();
    match result {
        Ok(time) => Some(format!("Built {} in {:.1} s", project.display(), time.as_secs_f64())),
        Err(BuildError::Failed { log, .. }) => {
            for line in log_excerpt(log).unwrap_or_default() {
                say(&format!("  | {}", printable_output(&line)));
            }
            None
        }
        Err(_) => None,
    }
}
