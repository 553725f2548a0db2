//! What a journal says.

use crate::args::{SprtArgs, StandingsArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, GameDetails, verdict_of, written};
use std::path::{Path, PathBuf};
use tournament::{GAMES_JSONL, JournalContents, JournalLine, ScoreTable, Standings};

/// Anchors that are further out have no room in any table.
const FARTHEST: f64 = 100_000.0;

/// Prints the standings of a tournament.
pub(crate) fn standings(args: &StandingsArgs) -> Result<Exit, Failure> {
    let path = journal(&args.journal);
    let table = ScoreTable::read(&path)?;
    let anchor = args.anchor.as_ref().map(|anchor| anchored(&table, anchor)).transpose()?;
    let mut games = GameDetails::new(title(&path), table.entrants().len());
    if args.format.is_of_games() {
        let journal = JournalContents::read(&path, |line| {
            if let JournalLine::Game(game) = line {
                games.add(&game);
            }
        })?;
        games.fail(journal.failures);
    }
    show::print(&written(&Standings::new(&table, anchor), args.format, &games))?;
    Ok(Exit::Success)
}

/// What a tournament is called: as its folder is.
fn title(journal: &Path) -> String {
    let folder = journal.canonicalize().ok().and_then(|path| Some(path.parent()?.file_name()?.to_owned()));
    folder.map_or_else(|| "tournament".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Prints what a sequential test says of two bots.
pub(crate) fn sprt(args: &SprtArgs) -> Result<Exit, Failure> {
    let table = ScoreTable::read(&journal(&args.journal))?;
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
    if one == other {
        return Err(Failure::Usage {
            what: format!("both are {}", show::printable(&table.entrants()[one].name)),
            hint: "name two of the journal's bots".to_owned(),
        });
    }
    let sprt = args.test.sprt.with_model(args.test.model.into());
    let (text, verdict) = verdict_of(&table, one, other, &sprt);
    show::print(&text)?;
    Ok(if args.test.verdict { verdict.into() } else { Exit::Success })
}

/// The journal in a folder, or the file itself.
pub(super) fn journal(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(GAMES_JSONL) } else { path.to_owned() }
}

/// The number of the bot that is called so.
fn entrant(table: &ScoreTable, name: &str) -> Result<usize, Failure> {
    let entrants = table.entrants();
    entrants.iter().position(|entrant| entrant.name == name || entrant.bot == name).ok_or_else(|| {
        let names: Vec<&str> = entrants.iter().map(|entrant| entrant.name.as_str()).collect();
        Failure::Usage {
            what: format!("nobody in the journal is called {name}"),
            hint: format!("there are {}", show::printable(&names.join(", "))),
        }
    })
}

/// `NAME=ELO` as a number and a rating.
fn anchored(table: &ScoreTable, anchor: &str) -> Result<(usize, f64), Failure> {
    let wrong = || Failure::Usage {
        what: format!("{anchor} is no anchor"),
        hint: "an anchor is a bot and the rating it is to have: --anchor Hunter=1500".to_owned(),
    };
    let (name, elo) = anchor.rsplit_once('=').ok_or_else(wrong)?;
    let elo: f64 = elo.parse().map_err(|_| wrong())?;
    if !(-FARTHEST..=FARTHEST).contains(&elo) {
        return Err(Failure::Usage {
            what: format!("{anchor}: a rating is between -{FARTHEST} and {FARTHEST}"),
            hint: "only differences between ratings mean something: choose one that is easy to read, such as 1500"
                .to_owned(),
        });
    }
    Ok((entrant(table, name)?, elo))
}
