//! `broadside tournament`, `broadside compare` and `broadside solo`: many games.

use super::setup;
use super::standings::show_verdict;
use crate::args::{CompareArgs, PlayArgs, SoloArgs, TestArgs, TournamentArgs};
#[cfg(feature = "full")]
use crate::commands::servers::{OnCluster, play_on_cluster};
use crate::exit::Exit;
use crate::failure::{self, Failure};
use crate::show::{self, EventProgress, ShownScore, WorkerCount};
use crate::signals;
use players::{BuiltIn, shell_word};
use rules::GameKind;
use runner::{
    BotOptions, CpuLimit, GameSetup, MatchFactory, PlayedTournament, PreparedTournament, ProgramSetup, SandboxLevel,
    TournamentOptions, kept_record,
};
use std::ops::ControlFlow;
use std::path::Path;
use tournament::{
    Fixture, Format, GAMES_JSONL, GameResult, IN_A_ROW, JournalLine, KnockoutTree, SchedulerEvent, ScoreTable,
    StopReason, Verdict,
};

/// The most games that the first bot of a comparison lost whose records are kept.
const LOST_GAMES: usize = 3;

/// Plays the tournament that the command line describes, or the games of it that are left.
///
/// # Errors
/// Bots that cannot be found or started, a folder of another tournament, and a journal that is damaged or in use.
pub(crate) fn tournament(args: &TournamentArgs) -> Result<Exit, Failure> {
    let format = args.plan();
    if args.rounds.is_some() && format != Format::Swiss {
        return Err(Failure::Usage {
            what: format!("--rounds is for the Swiss format; the format is {}", format.name()),
            hint: "leave it out, or add --format swiss".to_owned(),
        });
    }
    let options = TournamentOptions {
        format,
        rounds: args.rounds,
        games: args.games,
        strict: args.strict,
        retire: args.retire.clone(),
        replace: args.replace.clone(),
        ..args.play.options()
    };
    with_setup(&args.play, &args.bots, options, &Goal { streams: args.streams(), ..Goal::default() })
}

/// Plays two bots until the test has a verdict, or the games are over.
///
/// # Errors
/// As [`tournament()`].
pub(crate) fn compare(args: &CompareArgs) -> Result<Exit, Failure> {
    let options = TournamentOptions { games: args.games, strict: true, keep_lost: LOST_GAMES, ..args.play.options() };
    with_setup(
        &args.play,
        &[args.first.clone(), args.second.clone()],
        options,
        &Goal { test: Some(&args.test), ..Goal::default() },
    )
}

/// Plays one or two bots and the built-in players at the same fleets.
///
/// # Errors
/// As [`tournament()`].
pub(crate) fn solo(args: &SoloArgs) -> Result<Exit, Failure> {
    let options = TournamentOptions { format: Format::Solo, games: args.boards(), strict: true, ..args.play.options() };
    let built_in = |which: BuiltIn| format!("{}{}", BuiltIn::PREFIX, which.name());
    let mut named = vec![built_in(BuiltIn::Passive)];
    named.extend(args.bots.iter().cloned());
    // Where the hunter has special weapons, one with single shots only is what others can be measured by.
    let has_weapons = matches!(args.play.game.kind(), GameKind::Entelect2017 | GameKind::SeaBattle);
    let beside = BuiltIn::ALL.into_iter().chain(has_weapons.then_some(BuiltIn::SingleShots));
    named.extend(beside.map(built_in).filter(|name| !args.bots.contains(name)));
    with_setup(&args.play, &named, options, &Goal { solo: Some(args), ..Goal::default() })
}

/// The goal for which the games of a prepared tournament are played.
#[derive(Default)]
struct Goal<'a> {
    /// True to stream events.
    streams: bool,
    /// The test of the first two bots that ends the tournament with its verdict; `None` to play all games.
    test: Option<&'a TestArgs>,
    /// The arguments of the command that counts shots at fleets.
    solo: Option<&'a SoloArgs>,
    /// The cluster that plays the games; `None` for threads of this process.
    cluster: Option<OnCluster>,
}

/// Programs without the feature `full` play on no cluster.
#[cfg(not(feature = "full"))]
type OnCluster = std::convert::Infallible;

impl Goal<'_> {
    fn reach<F: MatchFactory>(&self, prepared: PreparedTournament<F>) -> Result<Exit, Failure> {
        let before = prepared.table.results().games();
        if before > 0 {
            let games = if before == 1 { "1 game was".to_owned() } else { format!("{before} games were") };
            show::tell(&format!("{games} played before, in {}", prepared.folder().display()));
        }
        if let Some(test) = self.test.filter(|_| self.is_decided(&prepared.table)) {
            let exit = show_verdict(&prepared.table, [0, 1], test)?;
            tell_lost(prepared.folder())?;
            return Ok(exit);
        }
        let workers = WorkerCount::default();
        let usual = if self.solo.is_some() { ShownScore::Shots } else { ShownScore::Leader };
        let score = self.test.map_or(usual, |test| ShownScore::Test(test.sprt()));
        let total = prepared.total();
        let mut progress = EventProgress::new(&prepared.table, total, self.streams, workers.clone(), score);
        let mut watch = |event: SchedulerEvent<'_>, table: &ScoreTable| {
            progress.on(&event, table);
            let finished = matches!(event, SchedulerEvent::Finished(_));
            if finished && self.is_decided(table) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let played = match &self.cluster {
            None => prepared.play(&mut watch)?,
            #[cfg(feature = "full")]
            Some(cluster) => play_on_cluster(prepared, cluster, &workers, &mut watch)?,
            #[cfg(not(feature = "full"))]
            Some(none) => match *none {},
        };
        progress.clear();
        Ok(match (self.test, self.solo) {
            (None, Some(args)) => {
                show::print(&show::solo(&played.table, &args.bots, args.json))?;
                tell(&played)
            }
            (None, None) => {
                show::print_standings(&played.table, self.streams)?;
                tell_final(&played);
                tell(&played)
            }
            (Some(test), _) => {
                let exit = tell(&played);
                let verdict = show_verdict(&played.table, [0, 1], test)?;
                tell_lost(&played.folder)?;
                if exit == Exit::Success { verdict } else { exit }
            }
        })
    }

    fn is_decided(&self, table: &ScoreTable) -> bool {
        self.test.is_some_and(|test| show::first_verdict(table, 0, 1, &test.sprt()).1 != Verdict::Continue)
    }
}

fn with_setup(play: &PlayArgs, named: &[String], options: TournamentOptions, goal: &Goal<'_>) -> Result<Exit, Failure> {
    let context = setup::context()?;
    let bots = || {
        let bots = setup::bot_options(&play.programs, play.nolimit, play.force_rebuild)?;
        let (cpu, warm) = (play.limit_cpu.unwrap_or(CpuLimit::AsTime), play.programs.warm.unwrap_or(true));
        Ok::<_, Failure>(BotOptions { cpu, warm, ..bots })
    };
    let on_cluster = |bots: &BotOptions| Ok::<_, Failure>(Goal { cluster: on_cluster(play, bots)?, ..*goal });
    runner::for_setup!(play.game.kind(),
        programs _G => {
            let bots = bots()?;
            let goal = on_cluster(&bots)?;
            let settings = rules::entelect_2017::Settings { size: play.size };
            prepare(ProgramSetup::new(settings, bots, context), named, options, &goal)
        },
        services G => {
            let http = play.game.http_options::<G>()?;
            let http = if goal.solo.is_some() { http.alone() } else { http };
            let bots = bots()?;
            let goal = on_cluster(&bots)?;
            prepare(http.setup(play.nolimit, bots, context), named, options, &goal)
        },
        built_ins _G => Err(Failure::Usage {
            what: "Salvo has no tournaments: 2 to 16 players meet in one match".to_owned(),
            hint: "play a match: broadside salvo serve, or broadside play --game salvo for built-in players".to_owned(),
        }),
    )
}

/// The cluster that the command line names. Mistakes in it are told before bots are built.
fn on_cluster(play: &PlayArgs, bots: &BotOptions) -> Result<Option<OnCluster>, Failure> {
    if play.on_cluster.cluster.is_none() {
        return Ok(None);
    }
    if bots.sandbox == SandboxLevel::Off {
        return Err(Failure::Usage {
            what: "workers play bots in the strict sandbox only, not with --sandbox off".to_owned(),
            hint: "leave --sandbox off away, or play without --cluster".to_owned(),
        });
    }
    if let Some((name, _)) = bots.variables.first() {
        return Err(Failure::Usage {
            what: format!("bots on workers have no variables of this machine, so not {name} (--env)"),
            hint: "leave --env away, or play without --cluster".to_owned(),
        });
    }
    #[cfg(feature = "full")]
    return OnCluster::new(&play.on_cluster, bots, play.programs.settings.as_deref()).map(Some);
    #[cfg(not(feature = "full"))]
    return Err(Failure::NotBuilt { command: "tournament --cluster" });
}

fn prepare<S: GameSetup>(
    setup: S,
    named: &[String],
    options: TournamentOptions,
    goal: &Goal<'_>,
) -> Result<Exit, Failure> {
    let (contestants, left_out) =
        if options.strict { (setup.find_all(named)?, Vec::new()) } else { setup.find_entrants(named)? };
    if let [one, other] = &contestants[..]
        && goal.test.is_some()
        && one.content.is_some()
        && one.content == other.content
    {
        let (one, other) = (&one.source, &other.source);
        show::say(&format!("{one} and {other} have the same content: this compares a bot with itself"));
    }
    // Only after the bots were built, so that Ctrl-C ends a build at once.
    signals::raise(&setup.context().interrupt)?;
    let is_named = options.folder.is_some();
    let (prepared, left_out) = PreparedTournament::with_left_out(setup, contestants, left_out, options)?;
    let missing = left_out.len() as u32;
    for out in left_out {
        failure::tell("left out: ", &Failure::from(out.error));
    }
    let folder = prepared.folder().to_owned();
    let exit = goal.reach(prepared)?;
    if !is_named {
        show::tell(&format!("The games are in {}", folder.display()));
    }
    if missing > 0 {
        let bots = rules::counted(missing, "bot");
        show::say(&format!("{bots} of those that were named did not take part, as said at the beginning"));
        // Other entrants have another usual folder.
        show::say(&format!("When that is mended, the same command enters them, with --dir {}", shell_word(&folder)));
    }
    Ok(exit)
}

/// Tells where the record of the last game of a knockout's final is.
fn tell_final(played: &PlayedTournament) {
    let Some(last) = KnockoutTree::of(&played.table).map(|tree| *tree.last()).filter(|last| last.winner.is_some())
    else {
        return;
    };
    let [Some(one), Some(other)] = last.entrants else { return };
    let number = last.games.games().saturating_sub(1) as u32;
    let fixture = Fixture { first: one.min(other), second: one.max(other), number };
    if let Some(record) = kept_record(&played.folder, fixture) {
        show::say(&format!("The last game of the final: broadside replay {}", shell_word(&record)));
    }
}

/// Tells which games that the first bot has lost can be watched.
///
/// # Errors
/// The journal cannot be read.
fn tell_lost(folder: &Path) -> Result<(), Failure> {
    let mut kept = Vec::new();
    let table = ScoreTable::read_with(&folder.join(GAMES_JSONL), |line| {
        if let JournalLine::Game(game) = line
            && game.fixture.result(&game.outcome) == GameResult::Loss
            && kept.len() < LOST_GAMES
        {
            kept.extend(kept_record(folder, game.fixture));
        }
    })?;
    let Some(first) = kept.first() else { return Ok(()) };
    let name = show::printable(&table.entrants()[0].name);
    let lost = rules::counted(table.between(0, 1).losses as u32, "game");
    show::say(&format!("{name} lost {lost}, of which {} can be watched; the first:", kept.len()));
    show::say(&format!("  broadside replay {}", shell_word(first)));
    Ok(())
}

/// Reports games that were not played, with the reason, and returns the exit code.
fn tell(played: &PlayedTournament) -> Exit {
    let PlayedTournament { given_up, folder, left, .. } = played;
    match played.stopped {
        StopReason::Interrupted => {
            show::say(&format!("Stopped; the same command continues it, with --dir {}", shell_word(folder)));
            Exit::Interrupted
        }
        StopReason::Failing => {
            let failure = played.failure.as_deref().unwrap_or_default();
            show::say(&format!("Stopped: the engine could not play {IN_A_ROW} games in a row: {failure}"));
            show::say(&format!(
                "{left} games are left; the same command continues with them, with --dir {}",
                shell_word(folder)
            ));
            Exit::EngineError
        }
        _ if !given_up.is_empty() => {
            show::say(&format!("the engine could not play {} games; they do not count", given_up.len()));
            Exit::EngineError
        }
        _ => Exit::Success,
    }
}
