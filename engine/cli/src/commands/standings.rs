//! What a journal says.

use crate::args::{SprtArgs, StandingsArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, Standings, verdict_of};
use arena::tournament::{GAMES_JSONL, Table};
use std::path::{Path, PathBuf};

/// Prints the standings of a tournament.
pub(crate) fn standings(args: &StandingsArgs) -> Result<Exit, Failure> {
    let table = Table::read(&journal(&args.journal))?;
    let anchor = args.anchor.as_ref().map(|anchor| anchored(&table, anchor)).transpose()?;
    show::print(&Standings::new(&table, anchor).write(args.format))?;
    Ok(Exit::Played)
}

/// Prints what a sequential test says of two bots.
pub(crate) fn sprt(args: &SprtArgs) -> Result<Exit, Failure> {
    let table = Table::read(&journal(&args.journal))?;
    let [one, other] = match &args.bots[..] {
        [one, other] => [entrant(&table, one)?, entrant(&table, other)?],
        _ if table.entrants().len() == 2 => [0, 1],
        _ => {
            return Err(Failure::Usage {
                what: format!("the journal is of {} bots", table.entrants().len()),
                hint: "name two of them: broadside sprt JOURNAL ONE OTHER".to_owned(),
            });
        }
    };
    let sprt = args.test.sprt.with_model(args.test.model.into());
    let (text, verdict) = verdict_of(&table, one, other, &sprt);
    show::print(&text)?;
    Ok(if args.test.verdict { verdict.into() } else { Exit::Played })
}

/// The journal in a folder, or the file itself.
pub(super) fn journal(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(GAMES_JSONL) } else { path.to_owned() }
}

/// The number of the bot that is called so.
fn entrant(table: &Table, name: &str) -> Result<usize, Failure> {
    let entrants = table.entrants();
    entrants.iter().position(|entrant| entrant.name == name || entrant.bot == name).ok_or_else(|| {
        let names: Vec<&str> = entrants.iter().map(|entrant| entrant.name.as_str()).collect();
        Failure::Usage {
            what: format!("nobody in the journal is called {name}"),
            hint: format!("there are {}", show::clean(&names.join(", "))),
        }
    })
}

/// `NAME=ELO` as a number and a rating.
fn anchored(table: &Table, anchor: &str) -> Result<(usize, f64), Failure> {
    let wrong = || Failure::Usage {
        what: format!("{anchor} is no anchor"),
        hint: "an anchor is a bot and the rating it is to have: --anchor Hunter=1500".to_owned(),
    };
    let (name, elo) = anchor.rsplit_once('=').ok_or_else(wrong)?;
    let elo: f64 = elo.parse().map_err(|_| wrong())?;
    if elo.is_finite() { Ok((entrant(table, name)?, elo)) } else { Err(wrong()) }
}
