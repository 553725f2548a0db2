//! `broadside check`: tests a bot before its first match.

use super::setup;
use crate::args::{CheckArgs, ChosenGame, HttpGameOptions};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, CheckReport, Names, Progress};
use crate::{settings, signals};
use arena::{ArenaError, Observer};
use players::OverHttp;
use rules::entelect_2017::Settings;
use rules::{BySeat, Game, GameKind};
use runner::{Contestant, Context, GameSetup, Program, ProgramSetup, check_program, check_service, fresh_seed};
use std::path::{Path, PathBuf};
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
    let options = setup::bot_options(args.bot_args(), settings::tools(None)?)?;
    let bot: Contestant<_, Program> = Program::named(&args.bot.to_string_lossy(), &options, &context)?;
    let setup = ProgramSetup::new(Settings::default(), options, context.clone());
    signals::raise(&context.interrupt)?;
    let matches = MatchesFolder::of(args.log.as_deref())?;
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let (games, left) = check_program(&setup, &bot, matches.path(), seed, &mut watch)?;
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
    let Some(service) = bot.bot() else { return Err(nothing_to_check(G::KIND)) };
    let matches = MatchesFolder::of(args.log.as_deref())?;
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let games = check_service(setup, &bot, matches.path(), seed, &mut watch)?;
    let dialect = G::name_of(options.dialect).map(|name| format!(", asked with {name}")).unwrap_or_default();
    let what = format!("a bot for {}, at {}{dialect}", G::KIND.title(), service.url);
    let name = bot.info.name();
    tell(&CheckReport { name, what, kind: G::KIND, differ_in: "match", games: &games, left: &[], seed }, matches)
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
    matches.keep_if(!sound);
    Ok(if sound { Exit::Success } else { Exit::BotFaulty })
}

fn nothing_to_check(game: GameKind) -> Failure {
    Failure::Usage {
        what: "built-in players need no check".to_owned(),
        hint: format!("name the URL of a bot: broadside check --game {} http://localhost:4000", game.name()),
    }
}

/// The folder of the matches of a check.
enum MatchesFolder {
    /// A folder that the user named.
    Named(PathBuf),
    /// A folder that is removed afterwards, unless it is to be kept.
    Temporary(TempDir),
}

impl MatchesFolder {
    fn of(named: Option<&Path>) -> Result<MatchesFolder, ArenaError> {
        match named {
            Some(path) => Ok(MatchesFolder::Named(path.to_owned())),
            None => {
                let folder = tempfile::Builder::new().prefix("broadside-check-").tempdir();
                let folder = folder.map_err(|e| ArenaError::disk("make a folder in", std::env::temp_dir(), e))?;
                Ok(MatchesFolder::Temporary(folder))
            }
        }
    }

    fn path(&self) -> &Path {
        match self {
            MatchesFolder::Named(path) => path,
            MatchesFolder::Temporary(folder) => folder.path(),
        }
    }

    fn keep_if(self, wanted: bool) {
        if let MatchesFolder::Temporary(folder) = self
            && wanted
        {
            let _ = folder.keep();
        }
    }
}
