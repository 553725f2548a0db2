//! `broadside tournament` and `broadside compare`: many games.

use super::setup;
use crate::args::{ChosenGame, CompareArgs, PlayArgs, TournamentArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, EventProgress, verdict_of};
use crate::{settings, signals};
use runner::{GameSetup, MatchFactory, PlayedTournament, PreparedTournament, ProgramSetup, TournamentOptions};
use std::ops::ControlFlow;
use tournament::{Format, IN_A_ROW, SchedulerEvent, ScoreTable, Sprt, StopReason, Verdict};

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
    let options = TournamentOptions { format, rounds: args.rounds, games: args.games, ..args.play.options() };
    let whole = Whole { streams: args.streams() };
    with_setup(&args.play, &args.bots, options, &whole)
}

/// Plays two bots until the test has a verdict, or the games are over.
///
/// # Errors
/// As [`tournament()`].
pub(crate) fn compare(args: &CompareArgs) -> Result<Exit, Failure> {
    let options = TournamentOptions { games: args.games, ..args.play.options() };
    let sprt = args.test.sprt.with_model(args.test.model.into());
    with_setup(&args.play, &[args.first.clone(), args.second.clone()], options, &Comparison { args, sprt })
}

/// The way in which the games of a prepared tournament are played and reported.
trait Goal {
    fn reach<F: MatchFactory>(&self, prepared: PreparedTournament<F>) -> Result<Exit, Failure>;
}

/// Plays all games.
struct Whole {
    streams: bool,
}

impl Goal for Whole {
    fn reach<F: MatchFactory>(&self, prepared: PreparedTournament<F>) -> Result<Exit, Failure> {
        let mut progress = EventProgress::new(prepared.table(), prepared.total(), self.streams);
        let played = prepared.play(&mut |event, table| {
            progress.on(&event, table);
            ControlFlow::Continue(())
        })?;
        progress.clear();
        show::print_standings(&played.table, self.streams)?;
        Ok(tell(&played))
    }
}

/// Plays games until a test has a verdict.
struct Comparison<'a> {
    args: &'a CompareArgs,
    sprt: Sprt,
}

impl Goal for Comparison<'_> {
    fn reach<F: MatchFactory>(&self, prepared: PreparedTournament<F>) -> Result<Exit, Failure> {
        if self.is_decided(prepared.table()) {
            return self.verdict(prepared.table());
        }
        let mut progress = EventProgress::new(prepared.table(), prepared.total(), false);
        let played = prepared.play(&mut |event, table| {
            progress.on(&event, table);
            let finished = matches!(event, SchedulerEvent::Finished(_));
            if finished && self.is_decided(table) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        progress.clear();
        let exit = tell(&played);
        let verdict = self.verdict(&played.table)?;
        Ok(if exit == Exit::Success { verdict } else { exit })
    }
}

impl Comparison<'_> {
    fn is_decided(&self, table: &ScoreTable) -> bool {
        show::first_verdict(table, 0, 1, &self.sprt).1 != Verdict::Continue
    }

    fn verdict(&self, table: &ScoreTable) -> Result<Exit, Failure> {
        let (text, verdict) = verdict_of(table, 0, 1, &self.sprt);
        show::print(&text)?;
        Ok(if self.args.test.verdict { verdict.into() } else { Exit::Success })
    }
}

fn with_setup(
    play: &PlayArgs,
    named: &[String],
    options: TournamentOptions,
    goal: &impl Goal,
) -> Result<Exit, Failure> {
    let context = setup::context()?;
    match play.game.chosen()? {
        ChosenGame::Entelect2017 => {
            let bots = setup::bot_options(play.bot_args(), settings::tools(None)?)?;
            let settings = rules::entelect_2017::Settings { size: play.size };
            prepare(ProgramSetup::new(settings, bots, context), named, options, goal)
        }
        ChosenGame::SeaBattle(http) => prepare(http.setup(play.nolimit, context), named, options, goal),
        ChosenGame::BotsArena(http) => prepare(http.setup(play.nolimit, context), named, options, goal),
        ChosenGame::Salvo(_) => Err(Failure::Usage {
            what: "Salvo has no tournaments: 2 to 16 players meet in one match".to_owned(),
            hint: "play a match: broadside salvo serve, or broadside play --game salvo for built-in players".to_owned(),
        }),
    }
}

fn prepare<S: GameSetup>(
    setup: S,
    named: &[String],
    options: TournamentOptions,
    goal: &impl Goal,
) -> Result<Exit, Failure> {
    let contestants = setup.find_all(named)?;
    // Only after the bots were built, so that Ctrl-C ends a build at once.
    signals::raise(&setup.context().interrupt)?;
    goal.reach(PreparedTournament::new(setup, contestants, options)?)
}

/// Reports games that were not played, with the reason, and returns the exit code.
fn tell(played: &PlayedTournament) -> Exit {
    let PlayedTournament { given_up, folder, left, .. } = played;
    match played.stopped {
        StopReason::Interrupted => {
            show::say(&format!("Stopped; the same command continues it, with --dir '{}'", folder.display()));
            Exit::Interrupted
        }
        StopReason::Failing => {
            let failure = played.failure.as_deref().unwrap_or_default();
            show::say(&format!("Stopped: the engine could not play {IN_A_ROW} games in a row: {failure}"));
            show::say(&format!(
                "{left} games are left; the same command continues with them, with --dir '{}'",
                folder.display()
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
