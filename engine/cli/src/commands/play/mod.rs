//! Plays one match.

mod built_in;
mod entelect_2017;
mod over_http;
mod recorded;
mod screen;

use super::recording::{self, Remains};
use crate::args::{Agreed, MatchArgs};
use crate::exit::Exit;
use crate::failure::{self, Failure};
use crate::show::{self, Names};
use arena::folder::MatchFolder;
use arena::record::{Bundle, move_match_aside};
use arena::{ArenaError, Interrupt, Sequence};
use chrono::Local;
use rules::salvo::Salvo;
use rules::{Game, GameKind, Outcome};
use screen::end_live_view;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, thread};
use web::Live;

/// Plays the match that the command line describes.
pub(crate) fn play(args: &MatchArgs) -> Result<Exit, Failure> {
    recording::check(args)?;
    match args.game.agreed()? {
        Agreed::Entelect2017 => entelect_2017::play(args),
        Agreed::SeaBattle(terms) => over_http::play(args, &terms),
        Agreed::BotsArena(terms) => over_http::play(args, &terms),
        Agreed::Salvo(settings) => built_in::play::<Salvo>(args, &settings),
    }
}

/// A match that is over, and what is to be told of it.
struct Played<'a> {
    game: GameKind,
    /// How it ended, or why it did not.
    result: Result<Outcome, ArenaError>,
    /// Whether everything that was to be kept of it is there.
    closed: Result<(), ArenaError>,
    names: &'a Names,
    seed: u64,
    kept: &'a Remains,
    bundles: &'a [Bundle],
}

impl Played<'_> {
    /// Tells the result, and leaves time to see it in a browser.
    fn tell(self, live: Option<Live>, interrupt: &Interrupt) -> Result<Exit, Failure> {
        let Played { game, names, seed, kept, bundles, .. } = self;
        let outcome = self.result.map_err(|error| no_winner(error, kept.shown()));
        if let Ok(outcome) = &outcome {
            show::result(game, outcome, names, seed, kept.shown(), bundles)?;
        }
        // The match was played; that not everything of it could be kept does not change who won.
        let closed = self.closed.map_err(|error| failure::report(&error.into()));
        outcome?;
        if let Some(live) = live {
            end_live_view(live, interrupt);
        }
        Ok(closed.err().unwrap_or(Exit::Played))
    }
}

/// Whether the game is for so many players; `bots` are some for whom it is.
fn right_number<G: Game>(named: usize, bots: &str) -> Result<(), Failure> {
    let (least, most) = (*G::SEATS.start(), *G::SEATS.end());
    if (usize::from(least)..=usize::from(most)).contains(&named) {
        return Ok(());
    }
    let wanted = if (least, most) == (2, 2) { "two".to_owned() } else { format!("{least} to {most}") };
    Err(Failure::Usage {
        what: format!("a match of {} is for {wanted} players; {named} were named", G::KIND.title()),
        hint: format!("broadside play --game {} -b {bots}", G::KIND.name()),
    })
}

fn no_winner(error: ArenaError, folder: Option<&Path>) -> Failure {
    let left = folder.map(|folder| format!(" What there is of it: {}", folder.display())).unwrap_or_default();
    show::say(&format!("No winner: the match was not played to its end.{left}"));
    error.into()
}

pub(super) fn own_program() -> Result<PathBuf, ArenaError> {
    env::current_exe().map_err(|e| ArenaError::process("find the program of", "broadside", e))
}

/// The folder of the match, clear of the rounds of earlier matches.
fn match_folder(args: &MatchArgs) -> Result<MatchFolder, ArenaError> {
    let now = Local::now().format("%Y-%m-%d %H-%M-%S-%3f").to_string();
    let Some(path) = &args.log else { return MatchFolder::create_fresh(&Path::new("replays").join(now)) };
    let folder = MatchFolder::create(path)?;
    let aside = format!("previous {now}");
    if move_match_aside(&folder, &aside)? {
        show::say(&format!("The match that was in {} is now in its folder '{aside}'", path.display()));
    }
    Ok(folder)
}

/// A number nobody chose.
pub(super) fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    RandomState::new().hash_one(now)
}

fn sequence(args: &MatchArgs, people: u8) -> Sequence {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let together = args.together || (!args.in_turn && processors > 1);
    // Two people share one keyboard; and what one bot is shown is on the disk as long as it runs.
    if together && people < 2 && !args.tournament_mode { Sequence::Together } else { Sequence::InTurn }
}
