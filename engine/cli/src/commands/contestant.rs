//! Who plays: bots made ready for the match, and people.

use crate::args::Args;
use crate::failure::Failure;
use crate::show::{self, Building};
use players::process::{Build, Language, Launch, LaunchError};
use players::{Manifest, Tools, content_hash};
use rules::entelect_2017::files::BotDetails;
use std::path::{Path, PathBuf};

/// One who is to play.
pub(crate) struct Contestant {
    /// Who it is.
    pub(crate) details: BotDetails,
    /// The program it is; `None` for a person at the console.
    pub(crate) bot: Option<Program>,
}

/// A bot that can be started.
pub(crate) struct Program {
    /// Its folder; absolute.
    pub(crate) folder: PathBuf,
    /// What it is written in.
    pub(crate) language: &'static Language,
    /// How it is started.
    pub(crate) launch: Launch,
    /// The SHA-256 of what is in its folder; `None` if that is too much.
    pub(crate) content: Option<String>,
}

/// The two who are to play, in the order of their seats: bots as they were named, then people.
pub(crate) fn contestants(args: &Args, people: u8, tools: &Tools) -> Result<Vec<Contestant>, Failure> {
    let bots = args.bots.iter().map(|folder| bot(folder, args.force_rebuild, tools));
    let people = (1..=people).map(|number| Ok(person(number)));
    bots.chain(people).collect()
}

fn person(number: u8) -> Contestant {
    Contestant { details: BotDetails::without_bot(&format!("Player {number}")), bot: None }
}

/// The bot in `folder`, built if that is needed or wanted.
pub(crate) fn bot(folder: &Path, force_rebuild: bool, tools: &Tools) -> Result<Contestant, Failure> {
    let manifest = Manifest::read(folder).map_err(|source| Failure::Manifest { folder: folder.to_owned(), source })?;
    let launch = ready(&manifest, force_rebuild, tools)
        .map_err(|source| Failure::Launch { folder: folder.to_owned(), source })?;
    let content = content_hash(&manifest.folder, &manifest.run_path());
    let program = Program { folder: manifest.folder, language: manifest.language, launch, content };
    Ok(Contestant { details: manifest.details, bot: Some(program) })
}

/// Builds the bot if that is wanted or needed and possible, and finds out how it is started.
fn ready(manifest: &Manifest, force_rebuild: bool, tools: &Tools) -> Result<Launch, LaunchError> {
    let missing = !manifest.run_path().exists();
    let is_built = !manifest.language.builds.is_empty();
    // A script that is not there is made by nobody.
    if if missing { is_built } else { force_rebuild } {
        match Build::of(manifest, tools)? {
            Some(build) => carry_out(&build, manifest, missing)?,
            // A bot that came without its source needs none.
            None if is_built => {
                show::say(&format!("{}: nothing to build", manifest.project_path().display()));
            }
            None => {}
        }
    }
    Launch::of(manifest, tools)
}

fn carry_out(build: &Build, manifest: &Manifest, missing: bool) -> Result<(), LaunchError> {
    let why = if missing { "its RunFile is missing" } else { "as asked" };
    let shown = Building::start(&manifest.project_path(), why);
    build.notes().iter().for_each(|note| show::say(note));
    let result = build.run(&mut |command| shown.step(command));
    shown.end(&result);
    result.map(|_| ()).map_err(LaunchError::from)
}
