//! `broadside standings` and `broadside sprt`: results from a journal.

use crate::args::{SprtArgs, StandingsArgs, TestArgs};
use crate::commands::records::site::write_site;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, GameDetails, results_json, verdict_of, written};
use arena::{ArenaError, open_regular};
use runner::TOURNAMENTS;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tournament::{GAMES_JSONL, GameLine, JournalLine, ScoreTable, Standings, WorkerNames};

/// The largest rating of an anchor; tables have no room for more digits.
const FARTHEST: f64 = 100_000.0;

/// Prints the standings of a tournament, or writes them with all matches as pages.
///
/// # Errors
/// A journal that cannot be read or is damaged, an anchor that is not in it, and a folder for pages that cannot be written.
pub(crate) fn standings(args: &StandingsArgs) -> Result<Exit, Failure> {
    let path = match &args.journal {
        Some(path) => journal(path)?,
        None => latest()?,
    };
    let without = without_machines(&args.without_machine, &path)?;
    let wanted = |game: &GameLine| !game.machine.as_ref().is_some_and(|machine| without.contains(machine));
    let table = ScoreTable::read_some(&path, wanted, |_| ())?;
    let anchor = args.anchor.as_ref().map(|anchor| anchored(&table, anchor)).transpose()?;
    if let Some(folder) = &args.site {
        return write_site(&path, folder, title(&path), &Standings::new(&table, anchor));
    }
    let mut games = GameDetails::new(title(&path), table.entrants().len());
    if args.format.is_of_games() {
        let table = ScoreTable::read_some(&path, wanted, |line| {
            if let JournalLine::Game(game) = line {
                games.add(game);
            }
        })?;
        games.fail(table.failures().to_vec());
    }
    show::print(&written(&Standings::new(&table, anchor), args.format, &games))?;
    Ok(Exit::Success)
}

/// The names of these machines in the journal at `path`, with all others of workers that have the same keys.
///
/// # Errors
/// A machine has played no games of it, or the journal or the names of its workers cannot be read.
fn without_machines(names: &[String], path: &Path) -> Result<BTreeSet<String>, Failure> {
    if names.is_empty() {
        return Ok(BTreeSet::new());
    }
    let table = ScoreTable::read(path)?;
    if let Some(unknown) = names.iter().find(|name| !table.machines().contains_key(*name)) {
        let known: Vec<&str> = table.machines().keys().map(String::as_str).collect();
        return Err(Failure::Usage {
            what: format!("no machine {unknown} has played games of the journal"),
            hint: match known.is_empty() {
                true => "it was not played on a cluster".to_owned(),
                false => format!("its machines are {}", show::printable(&known.join(", "))),
            },
        });
    }
    let workers = WorkerNames::open(path.parent().unwrap_or(path))?;
    Ok(names.iter().flat_map(|name| workers.of_same_key(name)).collect())
}

/// The name of a tournament: that of its folder.
fn title(journal: &Path) -> String {
    let folder = journal.canonicalize().ok().and_then(|path| Some(path.parent()?.file_name()?.to_owned()));
    folder.map_or_else(|| "tournament".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Prints the result of a sequential test of two bots.
///
/// # Errors
/// A journal that cannot be read or is damaged, and bots that are not in it.
pub(crate) fn sprt(args: &SprtArgs) -> Result<Exit, Failure> {
    let table = ScoreTable::read(&journal(&args.journal)?)?;
    let [one, other] = match &args.bots[..] {
        [one, other] => [entrant(&table, one)?, entrant(&table, other)?],
        _ if table.entrants().len() == 2 => [0, 1],
        _ => {
            return Err(Failure::Usage {
                what: format!("the journal has {} bots", table.entrants().len()),
                hint: "name two of them: broadside sprt JOURNAL ONE OTHER".to_owned(),
            });
        }
    };
    if one == other {
        return Err(Failure::Usage {
            what: format!("both names are of {}", show::printable(&table.entrants()[one].name)),
            hint: "name two different bots of the journal".to_owned(),
        });
    }
    show_verdict(&table, [one, other], &args.test)
}

/// Prints the result of a test of two bots. The exit code is that of the verdict if the command line asks for it.
pub(super) fn show_verdict(table: &ScoreTable, [one, other]: [usize; 2], test: &TestArgs) -> Result<Exit, Failure> {
    let verdict = if test.json {
        let (result, verdict) = results_json::comparison(table, one, other, &test.sprt());
        show::print(&show::written_json(&result))?;
        verdict
    } else {
        let (text, verdict) = verdict_of(table, one, other, &test.sprt());
        show::print(&text)?;
        verdict
    };
    Ok(if test.verdict { verdict.into() } else { Exit::Success })
}

/// The path of the journal in a folder, or `path` itself if it is a file.
///
/// # Errors
/// There is none, or the folder has a FIFO or the like in its place, which could make the program wait without end.
pub(super) fn journal(path: &Path) -> Result<PathBuf, Failure> {
    let journal = if path.is_dir() { path.join(GAMES_JSONL) } else { path.to_owned() };
    if matches!(journal.try_exists(), Ok(false)) {
        return Err(Failure::Missing {
            what: format!("there is no journal {}", journal.display()),
            hint: "name the folder of a tournament, or the file games.jsonl in it",
        });
    }
    if !path.is_dir() {
        return Ok(journal);
    }
    open_regular(&journal).map_err(|e| ArenaError::disk("read", &journal, e))?;
    Ok(journal)
}

/// The journal of the latest tournament: in `tournaments/`, and in folders that were named with `--dir` here.
///
/// # Errors
/// There is none.
pub(super) fn latest() -> Result<PathBuf, Failure> {
    let folders = [Path::new(TOURNAMENTS), Path::new(".")].into_iter().flat_map(|folder| folder.read_dir().into_iter());
    let journals = folders.flatten().flatten().map(|folder| folder.path().join(GAMES_JSONL));
    let journals =
        journals.filter_map(|path| Some((path.symlink_metadata().ok().filter(|file| file.is_file())?, path)));
    let latest = journals.max_by_key(|(file, path)| (file.modified().ok(), path.clone()));
    let path = latest.map(|(_, path)| path.strip_prefix(".").map_or_else(|_| path.clone(), Path::to_owned));
    let path = path.ok_or(Failure::Missing {
        what: "there is no tournament in tournaments/ or in the folders of this one".to_owned(),
        hint: "name the folder of a tournament; broadside tournament plays one",
    })?;
    show::tell(&format!("The latest tournament: {}", path.parent().unwrap_or(&path).display()));
    Ok(path)
}

/// The number of the bot with this name or this folder or URL.
fn entrant(table: &ScoreTable, name: &str) -> Result<usize, Failure> {
    let entrants = table.entrants();
    entrants.iter().position(|entrant| entrant.name == name || entrant.bot == name).ok_or_else(|| {
        let names: Vec<&str> = entrants.iter().map(|entrant| entrant.name.as_str()).collect();
        Failure::Usage {
            what: format!("there is no bot {name} in the journal"),
            hint: format!("its bots are {}", show::printable(&names.join(", "))),
        }
    })
}

/// Reads `NAME=ELO` as the number of a bot and its rating.
fn anchored(table: &ScoreTable, anchor: &str) -> Result<(usize, f64), Failure> {
    let wrong = || Failure::Usage {
        what: format!("{anchor} is not an anchor"),
        hint: "name a bot and its rating, as in --anchor Hunter=1500".to_owned(),
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
