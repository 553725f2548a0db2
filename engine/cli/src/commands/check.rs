//! `broadside check`: tests a bot before its first match.

use super::setup;
use crate::args::{CheckArgs, HttpFromFlags};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, CheckReport, Names, Progress, results_json};
use crate::signals;
use arena::{ArenaError, Observer};
use players::BuiltIn;
use rules::entelect_2017::{MapSize, Settings};
use rules::{BySeat, Game, GameKind};
use runner::{
    Contestant, Context, GameSetup, HttpBot, Program, ProgramSetup, SandboxLevel, check_program, check_service,
    fresh_seed,
};
use std::path::PathBuf;
use tempfile::TempDir;

/// Plays the bot against a built-in player, and reports every fault.
///
/// # Errors
/// A bot that cannot be found or started, and errors of the engine. Faults of the bot are in the report and the exit code.
pub(crate) fn check(args: &CheckArgs) -> Result<Exit, Failure> {
    let context = setup::context()?;
    runner::for_setup!(args.game.kind(),
        programs _G => program(args, context),
        services G => service::<G>(args, &context),
        built_ins _G => Err(Failure::Usage {
            what: "bots of Salvo are clients over MQTT and cannot be checked".to_owned(),
            hint: "play a match with them: broadside salvo serve".to_owned(),
        }),
    )
}

fn program(args: &CheckArgs, context: Context) -> Result<Exit, Failure> {
    let options = setup::bot_options(&args.programs, false, args.force_rebuild)?;
    let named = args.bot.to_string_lossy();
    if named.starts_with(BuiltIn::PREFIX) {
        return Err(no_check("the folder of a bot: broadside check my-bot"));
    }
    let bot: Contestant<_, Program> = Program::named(&named, &options, &context)?;
    let sandboxed = options.sandbox != SandboxLevel::Off;
    let setup = ProgramSetup::new(Settings::default(), options, context.clone());
    signals::raise(&context.interrupt)?;
    let matches = MatchesFolder::of(args)?;
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let sizes = args.size.map_or(MapSize::ALL.to_vec(), |size| vec![size]);
    let (games, left) = check_program(&setup, &bot, &sizes, &matches.path, seed, &mut watch)?;
    let program = bot.bot().expect("it was found as a program");
    let what = in_words(program);
    let (name, kind) = (bot.info.name(), GameKind::Entelect2017);
    let (source, dialect) = (&bot.source, None);
    let start_of_language = setup.start_of_language(program);
    let report = CheckReport {
        name,
        source,
        what,
        kind,
        dialect,
        differ_in: "map",
        games: &games,
        not_played: sizes.len() - games.len(),
        left: &left,
        seed,
        sandboxed,
        stays: program.launch.stays(),
        start_of_language,
    };
    tell(&report, args.json, matches)
}

fn service<G: HttpFromFlags>(args: &CheckArgs, context: &Context) -> Result<Exit, Failure> {
    let options = args.game.http_options::<G>()?;
    let programs = setup::bot_options(&args.programs, false, args.force_rebuild)?;
    let setup = || options.setup(false, programs.clone(), context.clone());
    let found = setup().find(&args.bot.to_string_lossy())?.remove(0);
    let bot = found.bot().ok_or_else(|| {
        no_check(&format!("the folder or the URL of a bot: broadside check --game {} my-bot", G::KIND.name()))
    })?;
    // It is built: Ctrl-C ended that at once.
    signals::raise(&context.interrupt)?;
    let matches = MatchesFolder::of(args)?;
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let games = check_service(setup, &found, &matches.path, seed, &mut watch)?;
    let (dialect, what) = match bot {
        HttpBot::Service(service) => {
            let found = games.iter().find_map(|game| game.dialect);
            let dialect = service.dialect.as_deref().or(G::name_of(options.dialect)).or(found);
            let asked = dialect.map(|name| format!(", asked with {name}")).unwrap_or_default();
            (dialect, format!("a bot for {}, at {}{asked}", G::KIND.title(), service.url))
        }
        HttpBot::Program(program) => (None, in_words(program)),
    };
    let sandboxed = bot.as_program().is_some() && programs.sandbox != SandboxLevel::Off;
    let (name, source, kind) = (found.info.name(), &found.source, G::KIND);
    let report = CheckReport {
        name,
        source,
        what,
        kind,
        dialect,
        differ_in: "match",
        games: &games,
        not_played: 2 - games.len(),
        left: &[],
        seed,
        sandboxed,
        stays: true,
        start_of_language: None,
    };
    tell(&report, args.json, matches)
}

/// The language of a program, and where it is.
fn in_words(program: &Program) -> String {
    let (folder, run_by) = (program.folder.display(), program.launch.program().display());
    format!("{}, in {folder}\n  run by {run_by}", program.language.plain_name())
}

/// The error for a built-in player, with something else to name.
fn no_check(instead: &str) -> Failure {
    Failure::Usage {
        what: "built-in players need no check: it is for bots in folders and services".to_owned(),
        hint: format!("name {instead}"),
    }
}

/// The progress line of a game of the check.
fn watch<G: Game>(label: &str, names: &BySeat<String>) -> Box<dyn Observer<G>> {
    let names = Names::of_players(names.iter().map(|(_, name)| name.as_str()));
    Box::new(Progress::new(names, false).of_game(label))
}

fn tell(report: &CheckReport<'_>, as_json: bool, matches: MatchesFolder) -> Result<Exit, Failure> {
    let sound = report.is_sound();
    show::print(&if as_json { show::written_json(&results_json::check(report)) } else { report.to_string() })?;
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
