//! `broadside play`: one match.

#[cfg(feature = "full")]
mod browser;
mod people;
mod screen;

use super::setup;
use crate::args::{MatchArgs, SettingsFromFlags};
use crate::exit::Exit;
use crate::failure::{self, Failure};
use crate::show::{self, Names, results_json};
use crate::signals;
use arena::{ArenaError, Sequence};
#[cfg(feature = "full")]
use browser::{BrowserPeople, BrowserViews};
use players::ConsoleGame;
#[cfg(feature = "full")]
use players::PersonGame;
use runner::{
    BotOptions, BuiltInSetup, Contestants, GameSetup, MatchOptions, MatchOutput, PlayedMatch, PreparedMatch,
    ProgramSetup, RunnerError, SandboxLevel,
};
use screen::play_on_screen;
#[cfg(feature = "full")]
use std::net::SocketAddr;
use std::path::Path;

/// Programs without the feature `full` have no people in the browser.
#[cfg(not(feature = "full"))]
type BrowserPeople = std::convert::Infallible;

/// Plays the match that the command line describes, and prints the result.
///
/// # Errors
/// Wrong options, bots that cannot be found or started, and errors of the engine, after which there is no winner.
pub(crate) fn play(args: &MatchArgs) -> Result<Exit, Failure> {
    check(args)?;
    let context = setup::context()?;
    let bots = || setup::bot_options(&args.programs, args.nolimit, args.force_rebuild);
    runner::for_setup!(args.game.kind(),
        programs _G => {
            let usual = if args.tournament_mode { SandboxLevel::On } else { SandboxLevel::Off };
            let options = bots()?;
            let options = BotOptions { sandbox: args.programs.sandbox.unwrap_or(usual), ..options };
            let settings = rules::entelect_2017::Settings { size: args.size };
            with_people(ProgramSetup::new(settings, options, context), args)
        },
        services G => {
            let http = args.game.http_options::<G>()?;
            let http = if args.is_on_board_of_day() { http.alone() } else { http };
            with_people(http.setup(args.nolimit, bots()?, context), args)
        },
        built_ins G => {
            let settings = G::from_flags(&args.game)?.unwrap_or_default();
            let setup = BuiltInSetup::<G> { settings, context };
            #[cfg(feature = "full")]
            if let Some(address) = args.web {
                return in_browser(setup, args, address);
            }
            let contestants = find(&setup, args)?;
            play_match(setup, contestants, args, 0, None)
        },
    )
}

fn with_people<S: GameSetup<Game: ConsoleGame>>(setup: S, args: &MatchArgs) -> Result<Exit, Failure> {
    #[cfg(feature = "full")]
    if let Some(address) = args.web {
        return in_browser(setup, args, address);
    }
    let people = people::count::<S::Game>(args, setup.settings())?;
    let mut contestants = find(&setup, args)?;
    people::seat(&setup, &mut contestants, people)?;
    play_match(setup, contestants, args, people, None)
}

/// Plays a match with people in the browser.
#[cfg(feature = "full")]
fn in_browser<S: GameSetup<Game: PersonGame>>(
    setup: S,
    args: &MatchArgs,
    address: SocketAddr,
) -> Result<Exit, Failure> {
    let people = browser::count::<S::Game>(args, setup.settings())?;
    // Before any bot is built, because the port may be taken.
    let mut table = BrowserPeople::open(address)?;
    let mut contestants = find(&setup, args)?;
    table.seat(&setup, &mut contestants, people)?;
    play_match(setup, contestants, args, people, Some(table))
}

/// Checks that the options about files do not contradict each other, and that the program has what they ask for.
fn check(args: &MatchArgs) -> Result<(), Failure> {
    #[cfg(not(feature = "full"))]
    failure::refuse_what_is_not_built(&[("play --live", args.live.is_some()), ("play --web", args.web.is_some())])?;
    let useless = [("--log", args.log.is_some()), ("--zstd", args.zstd)];
    match useless.iter().find(|(_, given)| *given && args.record == MatchOutput::Nothing) {
        None => Ok(()),
        Some((flag, _)) => Err(Failure::Usage {
            what: format!("{flag} and --record none contradict each other"),
            hint: "with --record none no file of the match is kept: remove one of the two".to_owned(),
        }),
    }
}

fn find<S: GameSetup>(setup: &S, args: &MatchArgs) -> Result<Contestants<S>, RunnerError> {
    setup.find_all(args.named().map(|named| named.to_string_lossy()))
}

fn play_match<S: GameSetup>(
    setup: S,
    contestants: Contestants<S>,
    args: &MatchArgs,
    people: usize,
    table: Option<BrowserPeople>,
) -> Result<Exit, Failure> {
    let interrupt = setup.context().interrupt.clone();
    // Only after the bots were built, so that Ctrl-C ends a build at once.
    signals::raise(&interrupt)?;
    let at_one_keyboard = if table.is_some() { 0 } else { people };
    let prepared = PreparedMatch::new(setup, contestants, options(args, at_one_keyboard, people))?;
    let names = Names::of_players(prepared.names().iter().map(|(_, name)| name.as_str()));
    // Before any file is written, because the port may be taken.
    #[cfg(feature = "full")]
    let mut views = BrowserViews::begin(table, args, &interrupt, &prepared.header, &prepared.first, &names)?;
    #[cfg(feature = "full")]
    views.wait_for_viewers(&interrupt);
    #[cfg(feature = "full")]
    let in_browser = views.observers();
    #[cfg(not(feature = "full"))]
    let in_browser = Vec::new();
    let played = play_on_screen(prepared, args, people, &names, &interrupt, in_browser)?;
    #[cfg(feature = "full")]
    views.tell_people(&played, args.zstd);
    tell(played, args, &names)
}

fn options(args: &MatchArgs, at_one_keyboard: usize, people: usize) -> MatchOptions {
    // In tournament mode a bot's files must not be on the disk while the other bot runs.
    let in_turn = args.in_turn || args.tournament_mode || at_one_keyboard > 1;
    // People with pages of their own need not wait for each other.
    let together = args.together || people > 1;
    let sequence = match (in_turn, together) {
        (true, _) => Some(Sequence::InTurn),
        (false, true) => Some(Sequence::Together),
        (false, false) => None,
    };
    MatchOptions {
        seed: args.seed,
        sequence,
        output: args.record,
        folder: args.log.clone(),
        compress: args.zstd,
        bundles: args.bundles,
        // The original asks in each round.
        asks_until_late: false,
        hide_files: args.tournament_mode,
        ..MatchOptions::default()
    }
}

/// Prints the result.
fn tell(played: PlayedMatch, args: &MatchArgs, names: &Names) -> Result<Exit, Failure> {
    match &played.result {
        Ok(outcome) if args.json => {
            show::print(&show::written_json(&results_json::match_result(&played, outcome)))?;
        }
        Ok(outcome) => show::result(&played, outcome, names)?,
        Err(_) => {}
    }
    let PlayedMatch { result, closed, folder, .. } = played;
    let outcome = result.map_err(|error| no_winner(error, folder.as_ref().map(|folder| folder.path())));
    // The match was played: a failure to keep its files does not change the winner.
    let closed = closed.map_err(|error| failure::report(&error.into()));
    outcome?;
    Ok(closed.err().unwrap_or(Exit::Success))
}

fn no_winner(error: ArenaError, folder: Option<&Path>) -> Failure {
    let left = folder.map(|folder| format!(" Its files so far: {}", folder.display())).unwrap_or_default();
    show::say(&format!("No winner: the match was not played to its end.{left}"));
    error.into()
}
