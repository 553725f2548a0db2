//! `broadside check`: tests of bots.

use super::check_folders::MatchesFolder;
use super::setup;
use crate::args::{CheckArgs, HttpFromFlags};
use crate::exit::Exit;
use crate::failure::{self, Failure};
use crate::show::{self, CheckReport, Names, Progress, results_json};
use crate::signals;
use arena::Observer;
use rules::entelect_2017::{MapSize, Settings};
use rules::{BySeat, Game, GameKind};
use runner::{
    ContestantOf, Context, GameSetup, HttpBot, Program, ProgramSetup, Report, SandboxLevel, check_program,
    check_service, fresh_seed, is_pattern,
};
use serde_json::Value;

/// Plays each bot against a built-in player, and reports every fault.
///
/// # Errors
/// A bot that cannot be found or started, if it is the only one; and errors of the engine. Faults of bots are in the report and the exit
/// code.
pub(crate) fn check(args: &CheckArgs) -> Result<Exit, Failure> {
    let context = setup::context()?;
    runner::for_setup!(args.game.kind(),
        programs _G => programs(args, context),
        services G => services::<G>(args, &context),
        built_ins _G => Err(Failure::Usage {
            what: "bots of Salvo are clients over MQTT and cannot be checked".to_owned(),
            hint: "play a match with them: broadside salvo serve".to_owned(),
        }),
    )
}

fn programs(args: &CheckArgs, context: Context) -> Result<Exit, Failure> {
    let options = setup::bot_options(&args.programs, false, args.force_rebuild)?;
    let sandboxed = options.sandbox != SandboxLevel::Off;
    let setup = ProgramSetup::new(Settings::default(), options, context);
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let sizes = args.size.map_or(MapSize::ALL.to_vec(), |size| vec![size]);
    check_all(&setup, args, "the folder of a bot: broadside check my-bot", |bot, matches| {
        let (games, left) = check_program(&setup, bot, &sizes, &matches.path, seed, &mut watch)?;
        let program = bot.bot().expect("built-in players were refused");
        Checked::of(&CheckReport {
            name: bot.info.name(),
            source: &bot.source,
            what: in_words(program),
            kind: GameKind::Entelect2017,
            dialect: None,
            differ_in: "map",
            games: &games,
            not_played: sizes.len() - games.len(),
            left: &left,
            seed,
            sandboxed,
            stays: program.launch.stays(),
            start_of_language: setup.start_of_language(program),
        })
    })
}

fn services<G: HttpFromFlags>(args: &CheckArgs, context: &Context) -> Result<Exit, Failure> {
    let options = args.game.http_options::<G>()?;
    let programs = setup::bot_options(&args.programs, false, args.force_rebuild)?;
    let setup = || options.setup(false, programs.clone(), context.clone());
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let instead = format!("the folder or the URL of a bot: broadside check --game {} my-bot", G::KIND.name());
    check_all(&setup(), args, &instead, |found, matches| {
        let games = check_service(setup, found, &matches.path, seed, &mut watch)?;
        let bot = found.bot().expect("built-in players were refused");
        let (dialect, what) = match bot {
            HttpBot::Service(service) => {
                let found = games.iter().find_map(|game| game.dialect);
                let dialect = service.dialect.as_deref().or(G::name_of(options.dialect)).or(found);
                let asked = dialect.map(|name| format!(", asked with {name}")).unwrap_or_default();
                (dialect, format!("a bot for {}, at {}{asked}", G::KIND.title(), service.url))
            }
            HttpBot::Program(program) => (None, in_words(program)),
        };
        Checked::of(&CheckReport {
            name: found.info.name(),
            source: &found.source,
            what,
            kind: G::KIND,
            dialect,
            differ_in: "match",
            games: &games,
            not_played: 2 - games.len(),
            left: &[],
            seed,
            sandboxed: bot.as_program().is_some() && programs.sandbox != SandboxLevel::Off,
            stays: true,
            start_of_language: None,
        })
    })
}

/// A bot that was checked.
struct Checked {
    is_sound: bool,
    text: String,
    json: Value,
}

impl Checked {
    fn of(report: &CheckReport<'_>) -> Result<Checked, Failure> {
        Ok(Checked { is_sound: report.is_sound(), text: report.to_string(), json: results_json::check(report) })
    }
}

/// Finds all bots that the command line names, checks them with `check` one after the other, and prints the reports. Of a built-in player
/// it says what to name `instead`.
fn check_all<S: GameSetup>(
    setup: &S,
    args: &CheckArgs,
    instead: &str,
    check: impl Fn(&ContestantOf<S>, &MatchesFolder) -> Result<Checked, Failure>,
) -> Result<Exit, Failure> {
    let found = find(setup, args, instead)?;
    // They are built: Ctrl-C ended that at once.
    signals::raise(&setup.context().interrupt)?;
    let is_one = matches!(&args.bots[..], [named] if !is_pattern(&named.to_string_lossy()));
    let all = found.len();
    let (mut exit, mut ready, mut told) = (Exit::Success, 0, Vec::new());
    for (number, (name, bot)) in (1..).zip(found) {
        let matches = MatchesFolder::of(args.log.as_deref(), (!is_one).then_some((number, &*name)))?;
        let checked = match bot.and_then(|bot| check(&bot, &matches)) {
            Ok(checked) => checked,
            Err(failure) if failure.exit() != Exit::BadBot => return Err(failure),
            Err(failure) => {
                told.push(results_json::unusable(S::Game::KIND, &name, &failure));
                failure::tell("broadside: ", &failure);
                exit = Exit::BadBot;
                continue;
            }
        };
        if !args.json {
            let gap = if number > 1 { "\n" } else { "" };
            show::print(&format!("{gap}{}", checked.text))?;
        }
        told.push(checked.json);
        if checked.is_sound {
            ready += 1;
        } else {
            // The report names files in this folder, so it stays.
            matches.keep();
            exit = if exit == Exit::Success { Exit::BotFaulty } else { exit };
        }
    }
    if args.json {
        let json = if is_one { told.swap_remove(0) } else { told.into() };
        show::print(&show::written_json(&json))?;
    }
    if !is_one {
        show::say(&format!("{ready} of {} ready", rules::counted(all as u32, "bot")));
    }
    Ok(exit)
}

/// A bot as it was named, or the reason why it cannot be used.
type NamedBot<S> = (String, Result<ContestantOf<S>, Failure>);

/// The bots that the command line names, in place of one that cannot be used the reason.
fn find<S: GameSetup>(setup: &S, args: &CheckArgs, instead: &str) -> Result<Vec<NamedBot<S>>, Failure> {
    let mut names = Vec::new();
    for named in &args.bots {
        names.extend(setup.expanded(&named.to_string_lossy())?);
    }
    let of = names.len();
    let report = |report: &Report<'_>| setup.context().reporter.report(report);
    let mut found = Vec::new();
    for (number, name) in (1..).zip(names) {
        report(&Report::Finding { named: &name, number, of });
        let bot = setup.find_one(&name).map_err(Failure::from);
        match bot {
            Ok(bot) if bot.bot().is_none() => {
                return Err(Failure::Usage {
                    what: "built-in players need no check: it is for bots in folders and services".to_owned(),
                    hint: format!("name {instead}"),
                });
            }
            Err(failure) if failure.exit() != Exit::BadBot => return Err(failure),
            bot => found.push((name, bot)),
        }
    }
    report(&Report::Found);
    Ok(found)
}

/// The language of a program, and where it is.
fn in_words(program: &Program) -> String {
    let (folder, run_by) = (program.folder.display(), program.launch.program().display());
    format!("{}, in {folder}\n  run by {run_by}", program.language.plain_name())
}

/// The progress line of a game of the check.
fn watch<G: Game>(label: &str, names: &BySeat<String>) -> Box<dyn Observer<G>> {
    let names = Names::of_players(names.iter().map(|(_, name)| name.as_str()));
    Box::new(Progress::new(names, false).of_game(label))
}
