//! Plays tournaments.

mod compare;
mod entrants;
mod host;
mod kit;
mod observed;
mod programs;
mod services;
mod setting;

pub(crate) use compare::compare;

use crate::args::{Agreed, TournamentArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, EventProgress};
use kit::Ground;
use programs::Programs;
use services::Services;
use setting::{Setting, Wish};
use std::ops::ControlFlow;
use tournament::Format;

/// Plays the tournament that the command line describes, or what is left of it.
pub(crate) fn tournament(args: &TournamentArgs) -> Result<Exit, Failure> {
    let plan = args.plan();
    if args.rounds.is_some() && plan != Format::Swiss {
        return Err(Failure::Usage {
            what: format!("--rounds is for the Swiss format, and this is {}", plan.name()),
            hint: "leave it out, or add --format swiss".to_owned(),
        });
    }
    let wish = Wish { bots: &args.bots, plan, rounds: args.rounds, games: args.games, play: &args.play };
    match args.play.game.agreed()? {
        Agreed::Entelect2017 => played_on(Programs::new(&args.play)?, &wish, args.streams()),
        Agreed::SeaBattle(terms) => played_on(Services::new(terms, &args.play)?, &wish, args.streams()),
        Agreed::BotsArena(terms) => played_on(Services::new(terms, &args.play)?, &wish, args.streams()),
        Agreed::Salvo(_) => Err(no_salvo()),
    }
}

/// Neither tournaments nor comparisons are for this game: all who play it sit at one table.
fn no_salvo() -> Failure {
    Failure::Usage {
        what: "tournaments are not for Salvo: 2 to 16 players meet in one match of it".to_owned(),
        hint: "play a match: broadside salvo serve, or broadside play --game salvo for built-in players".to_owned(),
    }
}

fn played_on(ground: impl Ground, wish: &Wish<'_>, streams: bool) -> Result<Exit, Failure> {
    let setting = Setting::prepare(wish, ground)?;
    let mut progress = EventProgress::new(&setting.table, setting.total(), streams);
    let played = setting.play(&mut |event, table| {
        progress.on(&event, table);
        ControlFlow::Continue(())
    })?;
    progress.clear();
    show::print_standings(&played.table, streams)?;
    Ok(played.tell())
}
