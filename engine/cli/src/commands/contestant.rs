//! Who plays: bots made ready for the match, and people.

use crate::args::Args;
use crate::failure::Failure;
use crate::show;
use players::Manifest;
use players::process::{BuildError, Launch, LaunchError, build};
use rules::entelect_2017::files::BotDetails;
use std::path::Path;

/// One who is to play.
pub(crate) struct Contestant {
    /// Who it is.
    pub(crate) details: BotDetails,
    /// How it is started; `None` for a person at the console.
    pub(crate) launch: Option<Launch>,
    /// What engine.log says where it was loaded from.
    pub(crate) source: Option<String>,
}

/// The two who are to play, in the order of their seats: bots as they were named, then people.
pub(crate) fn contestants(args: &Args, people: u8) -> Result<Vec<Contestant>, Failure> {
    let bots = args.bots.iter().map(|folder| bot(folder, args.force_rebuild));
    let people = (1..=people).map(|number| Ok(person(number)));
    bots.chain(people).collect()
}

fn person(number: u8) -> Contestant {
    Contestant { details: BotDetails::without_bot(&format!("Player {number}")), launch: None, source: None }
}

fn bot(folder: &Path, force_rebuild: bool) -> Result<Contestant, Failure> {
    let manifest = Manifest::read(folder).map_err(|source| Failure::Manifest { folder: folder.to_owned(), source })?;
    let launch =
        ready(&manifest, force_rebuild).map_err(|source| Failure::Launch { folder: folder.to_owned(), source })?;
    Ok(Contestant {
        details: manifest.details,
        launch: Some(launch),
        source: Some(manifest.folder.display().to_string()),
    })
}

/// Builds the bot if that is wanted or needed and possible, and finds out how it is started.
fn ready(manifest: &Manifest, force_rebuild: bool) -> Result<Launch, LaunchError> {
    let missing = !manifest.run_path().exists();
    if (force_rebuild || missing) && manifest.language.build.is_some() {
        let why = if missing { "its RunFile is missing" } else { "as asked" };
        show::say(&format!("Building {} ({why})", manifest.project_path().display()));
        match build(manifest) {
            // A bot that came without its source needs none.
            Err(BuildError::NoProject { file, .. }) if !missing => {
                show::say(&format!("There is nothing to build: it has no {file}"));
            }
            built => built.map(|_| ())?,
        }
    }
    Launch::of(manifest)
}
