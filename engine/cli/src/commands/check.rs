//! `broadside check`: tests a bot before its first match.

use super::setup;
use crate::args::{CheckArgs, ChosenGame, HttpGameOptions};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, CheckReport, Names, Progress};
use crate::signals;
use arena::{ArenaError, Observer};
use players::OverHttp;
use rules::entelect_2017::{MapSize, Settings};
use rules::{BySeat, Game, GameKind};
use runner::{Contestant, Context, GameSetup, Program, ProgramSetup, check_program, check_service, fresh_seed};
use std::path::PathBuf;
use tempfile::TempDir;

/// Plays the bot against a built-in player, and reports every fault.
///
/// # Errors
/// A bot that cannot be found or started, and errors of the engine. Faults of the bot are in the report and the exit code.
pub(crate) fn check(args: &CheckArgs) -> Result<Exit, Failure> {
    let context = setup::context()?;
    match args.game.chosen()? {
        ChosenGame::Entelect2017 => program(args, context),
        ChosenGame::SeaBattle(options) => service(args, &options, &context),
        ChosenGame::BotsArena(options) => service(args, &options, &context),
        ChosenGame::Salvo(_) => Err(Failure::Usage {
            what: "bots of Salvo are clients over MQTT and cannot be checked".to_owned(),
            hint: "play a match with them: broadside salvo serve".to_owned(),
        }),
    }
}

fn program(args: &CheckArgs, context: Context) -> Result<Exit, Failure> {
    let options = setup::bot_options(&args.programs, false, args.force_rebuild)?;
    let bot: Contestant<_, Program> = Program::named(&args.bot.to_string_lossy(), &options, &context)?;
    let setup = ProgramSetup::new(Settings::default(), options, context.clone());
    signals::raise(&context.interrupt)?;
    let matches = MatchesFolder::of(args)?;
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let sizes = args.size.map_or(MapSize::ALL.to_vec(), |size| vec![size]);
    let (games, left) = check_program(&setup, &bot, &sizes, &matches.path, seed, &mut watch)?;
    let program = bot.bot().expect("it was found as a program");
    let what = format!(
        "{}, in {}\n  run by {}",
        program.language.name,
        program.folder.display(),
        program.launch.program().display()
    );
    let (name, kind) = (bot.info.name(), GameKind::Entelect2017);
    tell(&CheckReport { name, what, kind, differ_in: "map", games: &games, left: &left, seed }, matches)
}

fn service<G: OverHttp>(args: &CheckArgs, options: &HttpGameOptions<G>, context: &Context) -> Result<Exit, Failure> {
    signals::raise(&context.interrupt)?;
    let setup = || options.setup(false, context.clone());
    let bot = setup().find(&args.bot.to_string_lossy())?.remove(0);
    let service = bot.bot().ok_or_else(|| Failure::Usage {
        what: "built-in players need no check".to_owned(),
        hint: format!("name the URL of a bot: broadside check --game {} http://localhost:4000", G::KIND.name()),
    })?;
    let matches = MatchesFolder::of(args)?;
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let games = check_service(setup, &bot, &matches.path, seed, &mut watch)?;
    let found = games.iter().find_map(|game| game.dialect);
    let dialect = service.dialect.as_deref().or(G::name_of(options.dialect)).or(found);
    let dialect = dialect.map(|name| format!(", asked with {name}")).unwrap_or_default();
    let what = format!("a bot for {}, at {}{dialect}", G::KIND.title(), service.url);
    let name = bot.info.name();
    let kind = G::KIND;
    let report = CheckReport { name, what, kind, differ_in: "match", games: &games, left: &[], seed };
    tell(&report, matches)
}

/// The progress line of a game of the check.
fn watch<G: Game>(names: &BySeat<String>) -> Box<dyn Observer<G>> {
    let names = Names::of_players(names.iter().map(|(_, name)| name.as_str()));
    Box::new(Progress::new(names, false))
}

fn tell(report: &CheckReport<'_>, matches: MatchesFolder) -> Result<Exit, Failure> {
    let sound = report.is_sound();
    show::print(&report.to_string())?;
    // The report names files in this folder, so it stays if there are faults.
    if let Some(folder) = matches.temporary.filter(|_| !sound) {
        let _ = folder.keep();
    }
    Ok(if sound { Exit::Success } else { Exit::BotFaulty })
}

/// The folder of the matches of a check.
struct MatchesFolder {
    path: PathBuf,
    /// The same folder if the user named none. It is removed afterwards, unless it is to be kept.
    temporary: Option<TempDir>,
}

impl MatchesFolder {
    fn of(args: &CheckArgs) -> Result<MatchesFolder, ArenaError> {
        if let Some(path) = &args.log {
            return Ok(MatchesFolder { path: path.clone(), temporary: None });
        }
        let folder = tempfile::Builder::new().prefix("broadside-check-").tempdir();
        let folder = folder.map_err(|e| ArenaError::disk("make a folder in", std::env::temp_dir(), e))?;
        Ok(MatchesFolder { path: folder.path().to_owned(), temporary: Some(folder) })
    }
}
