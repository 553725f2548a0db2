//! Who plays: bots made ready for the match, built-in players, and people.

use super::service::url_in;
use crate::args::{MatchArgs, games_over_http};
use crate::failure::Failure;
use crate::show::{self, Building};
use arena::record::RecordedSeat;
use players::process::{Build, Language, Launch, LaunchError};
use players::{BuiltIn, Manifest, Tools, content_hash};
use rules::GameKind;
use rules::PlayerInfo;
use std::path::{Path, PathBuf};

/// One who is to play.
pub(crate) struct Contestant {
    /// Who it is.
    pub(crate) details: PlayerInfo,
    /// What it is; `None` for a person at the console.
    pub(crate) who: Option<Who<Program>>,
}

/// What plays, if it is not a person; `B` is what a bot is in a game.
pub(crate) enum Who<B> {
    /// A player of the engine's own.
    BuiltIn(BuiltIn),
    /// A bot.
    Bot(B),
}

impl Contestant {
    /// The program that it is, if it is one.
    pub(crate) fn program(&self) -> Option<&Program> {
        match &self.who {
            Some(Who::Bot(program)) => Some(program),
            Some(Who::BuiltIn(_)) | None => None,
        }
    }

    /// What a record says of it before its limits are known.
    pub(crate) fn sitter(&self) -> RecordedSeat {
        let content = self.program().and_then(|program| program.content.clone());
        RecordedSeat { details: self.details.clone(), content, limits: None }
    }
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
pub(crate) fn contestants(args: &MatchArgs, people: u8, tools: &Tools) -> Result<Vec<Contestant>, Failure> {
    let bots = args.bots.iter().map(|named| match named.to_str().and_then(|name| name.strip_prefix(BuiltIn::PREFIX)) {
        Some(which) => {
            let details = PlayerInfo::named(&named.to_string_lossy());
            Ok(Contestant { details, who: Some(Who::BuiltIn(built_in(which)?)) })
        }
        None => {
            let (details, program) = bot(named, args.force_rebuild, tools)?;
            Ok(Contestant { details, who: Some(Who::Bot(program)) })
        }
    });
    let people = (1..=people).map(|number| Ok(person(number)));
    bots.chain(people).collect()
}

fn person(number: u8) -> Contestant {
    Contestant { details: PlayerInfo::named(&format!("Player {number}")), who: None }
}

/// The built-in player of this name, as it stands behind `builtin:`.
pub(crate) fn built_in(name: &str) -> Result<BuiltIn, Failure> {
    BuiltIn::from_name(name).ok_or_else(|| {
        let all = BuiltIn::ALL.map(|one| format!("{}{}", BuiltIn::PREFIX, one.name())).join(" and ");
        Failure::Usage {
            what: format!("there is no player {}{name}", BuiltIn::PREFIX),
            hint: format!("there are {all}"),
        }
    })
}

/// The bot in `folder`, built if that is needed or wanted.
pub(crate) fn bot(folder: &Path, force_rebuild: bool, tools: &Tools) -> Result<(PlayerInfo, Program), Failure> {
    if let Some(url) = folder.to_str().filter(|_| !folder.is_dir()).and_then(url_in) {
        return Err(Failure::Usage {
            what: format!("{url} is a URL, and bots of the {} are folders", GameKind::Entelect2017.title()),
            hint: format!("name the game, if its bots are services: {}", games_over_http()),
        });
    }
    let manifest = Manifest::read(folder).map_err(|source| Failure::Manifest { folder: folder.to_owned(), source })?;
    let launch = ready(&manifest, force_rebuild, tools)
        .map_err(|source| Failure::Launch { folder: folder.to_owned(), source })?;
    let content = content_hash(&manifest.folder, &manifest.run_path());
    let program = Program { folder: manifest.folder, language: manifest.language, launch, content };
    Ok((manifest.details, program))
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
