//! The profiles of those who play in a contest, made of the games that everyone may open.

use crate::contests::contest_folder::ContestFolder;
use crate::contests::contest_host::ContestHost;
use crate::contests::ladders::ladder::{Ladder, name_for_all};
use crate::contests::ladders::wanted::Wanted;
use crate::contests::tournaments::tournament_views::shown_games;
use crate::state::contests::contest::Contest;
use crate::state::contests::contest_settings::ContestName;
use crate::state::journal_line::now;
use crate::state::name::BotId;
use crate::state::request_error::{RequestError, RequestResult};
use analysis::profile::{Board, GameSheet, Profile, ProfileSums, RandomFleets, game_sheets};
use arena::record::{Record, shown_time};
use arena::{ArenaError, Interrupt};
use platform::locks::lock;
use rules::{Seat, counted};
use runner::game_name;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};
use tournament::{Fixture, OpponentResults, Pentanomial, ScoreTable, WinDrawLoss};
use web::{ProfileAbout, ProfiledBot};

/// The most games of a profile: the latest ones.
const MOST_GAMES: usize = 200;
/// The time in which games are analysed for one request. Those that are left are for the next request.
const WITHIN: Duration = Duration::from_secs(3);
/// The most entrants whose games are kept in memory: about ten kilobytes for each game.
const MOST_KEPT: usize = 32;

/// A contest and the path of an entrant.
type EntrantKey = (ContestName, String);

/// The games that were analysed for profiles, of the entrants that were asked for last.
#[derive(Debug, Default)]
pub(crate) struct AnalysedGames {
    /// The one that was asked for last is at the end.
    entrants: Mutex<VecDeque<(EntrantKey, Arc<Mutex<EntrantGames>>)>>,
}

/// The games of an entrant that were analysed.
#[derive(Debug, Default)]
struct EntrantGames {
    /// The board of all games of the contest, and the fleets that its rules allow.
    board: Option<(Board, RandomFleets)>,
    /// The sheets by the paths of the records, with the times when these were written.
    sheets: BTreeMap<PathBuf, (SystemTime, GameSheet)>,
}

/// A game of an entrant of which a record was kept.
struct FoundGame {
    record: PathBuf,
    seat: Seat,
    /// The name of the opponent, as everyone is told.
    opponent: String,
}

/// The games of an entrant, and what became of those that are not among them.
#[derive(Default)]
struct Followed<'a> {
    /// The games whose sheets there are, the latest first.
    latest: Vec<&'a FoundGame>,
    /// The number of records that are missing or damaged.
    wrong: u32,
    /// The number of games for which there was no time.
    waiting: u32,
}

/// The profiles of the entrants with these paths, side by side; `None` if one of them has no game that can be read. It takes processor time.
///
/// # Errors
/// The journal of a tournament cannot be read, or the server ends.
pub(crate) fn profiles(
    contests: &ContestHost,
    analysed: &AnalysedGames,
    contest: &ContestName,
    entrants: &[String],
) -> RequestResult<Option<(Vec<ProfiledBot>, ProfileAbout)>> {
    let ladder = contests.ladder(contest)?;
    let title = contests.look(contest, |contest| contest.settings.title.clone())?;
    let sources = format!("{title}: the latest games that everyone may open, {MOST_GAMES} at most");
    let (mut bots, mut notes, mut boards) = (Vec::new(), Vec::new(), Vec::new());
    for path in entrants {
        let name = contests.host.store.look(|state| Wanted::at(path, contest.as_str(), state).name);
        let found = found_games(contests, &ladder, path)?;
        let games = analysed.of((contest.clone(), path.clone()));
        let mut games = lock(&games);
        let Followed { latest, wrong, waiting } = games.follow(&found, &contests.host.ending)?;
        let Some((board, random)) = games.board.as_ref().filter(|_| !latest.is_empty()) else { return Ok(None) };
        let mut sums = ProfileSums::new(board.clone());
        let mut opponents: BTreeMap<&str, OpponentResults> = BTreeMap::new();
        for game in &latest {
            let (_, sheet) = &games.sheets[&game.record];
            sums.add(sheet);
            let results = results(game, sheet);
            opponents.entry(&game.opponent).and_modify(|known| *known += &results).or_insert(results);
        }
        if waiting > 0 {
            notes.push(format!("{name}: {}, analysed when this page is loaded again", counted(waiting, "older game")));
        }
        if wrong > 0 {
            notes.push(format!("{name}: without {} that cannot be read", counted(wrong, "record")));
        }
        let profile = Profile::new(name, &sums, random);
        bots.push(ProfiledBot { profile, opponents: opponents.into_values().collect() });
        boards.push(board.clone());
    }
    let made = shown_time(&now());
    Ok(boards.pop().map(|board| (bots, ProfileAbout { board, sources, notes, made })))
}

/// The result of a game, against its opponent.
fn results(game: &FoundGame, sheet: &GameSheet) -> OpponentResults {
    let games = WinDrawLoss {
        wins: u64::from(sheet.won == Some(true)),
        draws: u64::from(sheet.won.is_none()),
        losses: u64::from(sheet.won == Some(false)),
    };
    OpponentResults { name: game.opponent.clone(), games, pairs: Pentanomial::default() }
}

/// The games of an entrant that everyone may open: those of the ladder, and of tournaments as far as they are told.
fn found_games(contests: &ContestHost, ladder: &Ladder, path: &str) -> RequestResult<Vec<FoundGame>> {
    let is_open = |contest: &Contest, number: usize| {
        let plan = &contest.tournaments[number].plan;
        plan.by.is_none() && plan.entrants.iter().any(|entrant| entrant == path)
    };
    let (hidden, tournaments) = contests.look(&ladder.name, |contest| {
        let numbers = (0..contest.tournaments.len()).rev().filter(|number| is_open(contest, *number));
        (contest.hidden(), numbers.map(|number| number as u32 + 1).collect::<Vec<_>>())
    })?;
    let mut found = ladder.look(|state| games_in(&ladder.folder, &state.table, path, &hidden, state.kept()));
    let mut in_tournaments = Vec::new();
    for number in tournaments {
        if in_tournaments.len() >= MOST_GAMES {
            break;
        }
        let mut kept = Vec::new();
        let table = shown_games(&contests.host, ladder, number, |game| {
            kept.extend(game.record.is_some().then_some(game.fixture));
        })?;
        let newest_first = kept.into_iter().rev();
        let games = table.map(|table| games_in(&ladder.folder.tournament(number), &table, path, &hidden, newest_first));
        in_tournaments.extend(games.unwrap_or_default());
    }
    found.extend(in_tournaments);
    Ok(found)
}

/// The latest games of an entrant among these, which come the newest first, and whose records are in this folder.
fn games_in(
    folder: &ContestFolder,
    table: &ScoreTable,
    path: &str,
    hidden: &BTreeSet<BotId>,
    newest_first: impl Iterator<Item = Fixture>,
) -> Vec<FoundGame> {
    let entrants = table.entrants();
    let Some(own) = entrants.iter().position(|entrant| entrant.bot == path) else { return Vec::new() };
    let game = |fixture: Fixture| {
        let (seat, opponent) = match fixture.first == own {
            true => (fixture.seat_of_first(), fixture.second),
            false => (fixture.seat_of_first().opponent(), fixture.first),
        };
        let record = folder.record(&game_name(fixture));
        FoundGame { record, seat, opponent: name_for_all(&entrants[opponent], hidden) }
    };
    newest_first.filter(|fixture| fixture.seated().contains(&own)).take(MOST_GAMES).map(game).collect()
}

impl AnalysedGames {
    /// The games of an entrant that are known.
    fn of(&self, key: EntrantKey) -> Arc<Mutex<EntrantGames>> {
        let mut entrants = lock(&self.entrants);
        let at = entrants.iter().position(|(known, _)| *known == key);
        let games = at.and_then(|at| entrants.remove(at)).map(|(_, games)| games).unwrap_or_default();
        entrants.push_back((key, Arc::clone(&games)));
        if entrants.len() > MOST_KEPT {
            entrants.pop_front();
        }
        games
    }
}

impl EntrantGames {
    /// Analyses the latest of these games that are not known yet, as far as there is time, and forgets all others.
    fn follow<'a>(&mut self, found: &'a [FoundGame], stop: &Interrupt) -> RequestResult<Followed<'a>> {
        let begun = Instant::now();
        let written = |game: &FoundGame| fs::metadata(&game.record).and_then(|file| file.modified()).ok();
        let mut there: Vec<_> = found.iter().filter_map(|game| Some((written(game)?, game))).collect();
        let mut followed = Followed { wrong: (found.len() - there.len()) as u32, ..Followed::default() };
        there.sort_by_key(|(written, _)| Reverse(*written));
        there.truncate(MOST_GAMES);
        let mut before = std::mem::take(&mut self.sheets);
        for (written, game) in there {
            let known = before.remove(&game.record).filter(|(known, _)| *known == written);
            let sheet = match known {
                Some((_, sheet)) => Some(sheet),
                None if begun.elapsed() > WITHIN => {
                    followed.waiting += 1;
                    continue;
                }
                // Whatever is wrong with it, its own page tells.
                None => self.sheet(game, stop).unwrap_or_default(),
            };
            if stop.is_raised() {
                return Err(RequestError::busy("the server ends"));
            }
            match sheet {
                Some(sheet) => {
                    self.sheets.insert(game.record.clone(), (written, sheet));
                    followed.latest.push(game);
                }
                None => followed.wrong += 1,
            }
        }
        Ok(followed)
    }

    /// The sheet of a game; `None` if it is one on another board, which no game of the contest is.
    fn sheet(&mut self, game: &FoundGame, stop: &Interrupt) -> Result<Option<GameSheet>, ArenaError> {
        let record = Arc::new(Record::read(&game.record)?);
        let (board, mut sheets) = game_sheets(&record, [game.seat].into_iter().collect(), stop)?;
        if self.board.is_none() {
            self.board = Some((board.clone(), RandomFleets::of(&record, &board)?));
        }
        let is_alike = self.board.as_ref().is_some_and(|(known, _)| *known == board);
        Ok(sheets.pop().filter(|_| is_alike))
    }
}
