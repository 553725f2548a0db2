//! Which of two bots is stronger?

use super::kit::Ground;
use super::programs::Programs;
use super::services::Services;
use super::setting::{Setting, Wish};
use crate::args::{Agreed, CompareArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, EventProgress, verdict_of};
use std::ops::ControlFlow;
use tournament::{Format, SchedulerEvent, ScoreTable, Sprt, Verdict};

/// Plays the two until the test has its answer, or there are no more games.
pub(crate) fn compare(args: &CompareArgs) -> Result<Exit, Failure> {
    let bots = [args.first.clone(), args.second.clone()];
    let wish = Wish { bots: &bots, plan: Format::RoundRobin, rounds: None, games: args.games, play: &args.play };
    match args.play.game.agreed()? {
        Agreed::Entelect2017 => compared_on(Programs::new(&args.play)?, &wish, args),
        Agreed::SeaBattle(terms) => compared_on(Services::new(terms, &args.play)?, &wish, args),
        Agreed::BotsArena(terms) => compared_on(Services::new(terms, &args.play)?, &wish, args),
        Agreed::Salvo(_) => Err(super::no_salvo()),
    }
}

fn compared_on(ground: impl Ground, wish: &Wish<'_>, args: &CompareArgs) -> Result<Exit, Failure> {
    let sprt = args.test.sprt.with_model(args.test.model.into());
    let setting = Setting::prepare(wish, ground)?;
    if decided(&setting.table, &sprt) {
        return told(args, &setting.table, &sprt);
    }
    let mut progress = EventProgress::new(&setting.table, setting.total(), false);
    let played = setting.play(&mut |event, table| {
        progress.on(&event, table);
        let finished = matches!(event, SchedulerEvent::Finished(_));
        if finished && decided(table, &sprt) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    progress.clear();
    let exit = played.tell();
    let verdict = told(args, &played.table, &sprt)?;
    Ok(if exit == Exit::Played { verdict } else { exit })
}

/// Whether the test has an answer.
fn decided(table: &ScoreTable, sprt: &Sprt) -> bool {
    show::first_verdict(table, 0, 1, sprt).1 != Verdict::Continue
}

fn told(args: &CompareArgs, table: &ScoreTable, sprt: &Sprt) -> Result<Exit, Failure> {
    let (text, verdict) = verdict_of(table, 0, 1, sprt);
    show::print(&text)?;
    Ok(if args.test.verdict { verdict.into() } else { Exit::Played })
}
