//! The score table: the sums of a journal.

use crate::journal;
use crate::void_games::Voided;
use crate::{
    BoardShots, Entrant, FailedGame, Fixture, Format, GameLine, GameResult, JournalLine, KnockoutSeeds, LeftOutBot,
    MeanShots, PairingResult, Pentanomial, Results, Retirement, Times, TournamentHeader, WinDrawLoss,
};
use arena::record::LimitsLine;
use arena::{ArenaError, Journal};
use rules::{Fault, Scoring, Seat};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The sums of a tournament, made of its journal game by game. It owns the results. Its size depends on the
/// entrants, not on the games, but for one byte a game, and the shots of each entrant for each board where bots play alone.
///
/// ```
/// use tournament::{Format, ScoreTable, TournamentHeader};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.jsonl");
/// let header = TournamentHeader::new(rules::GameKind::SeaBattle, serde_json::json!({}), Format::RoundRobin, None, 1);
/// let (journal, table) = ScoreTable::open(&path, &header)?;
/// assert_eq!((table.entrants().len(), table.results().games()), (0, 0));
/// drop(journal);
/// assert_eq!(ScoreTable::read(&path)?.event(), &header);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ScoreTable {
    event: TournamentHeader,
    entrants: Vec<Entrant>,
    rows: Vec<EntrantRow>,
    pairings: BTreeMap<(usize, usize), PairingRow>,
    machines: BTreeMap<String, MachineRow>,
    results: Results,
    scoring: Scoring,
    /// The most shots of a game, where all play at the fleets of the first.
    most_shots: Option<u32>,
    failures: Vec<FailedGame>,
    retirements: BTreeMap<usize, Option<String>>,
    left_out: BTreeMap<String, String>,
    void_sets: u32,
}

/// The sums of one entrant.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EntrantRow {
    /// The entrant's games in seat A and in seat B, seen from the entrant.
    pub by_seat: [WinDrawLoss; 2],
    /// All points in the games themselves.
    pub points: u64,
    /// The shots by boards, if points are shots or all play at the fleets of the first.
    pub shots: BoardShots,
    /// The number of boards at which not all ships were sunk, where all play at the fleets of the first. They count with the most shots.
    pub unsunk: u64,
    /// The number of its shots that were special weapons or actions, where all play at the fleets of the first.
    pub specials: u64,
    /// All rounds of its games.
    pub rounds: u64,
    /// The times of its answers.
    pub times: Times,
    /// The time limits of its last game; `None` without limits.
    pub limits: Option<LimitsLine>,
    /// The number of turns without a usable order, by the kind of fault.
    pub faults: BTreeMap<String, u64>,
    /// The number of games in which the entrant had such turns.
    pub faulty: u64,
    /// The number of games with time-outs that may be the machine's fault, although they were played again.
    pub suspect: u64,
    /// The number of games that were played again because a time-out of the entrant might have been the machine's fault.
    pub repeated: u64,
}

impl EntrantRow {
    /// All its games, seen from the entrant.
    pub fn games(&self) -> WinDrawLoss {
        self.by_seat[0] + self.by_seat[1]
    }
}

/// The games that one machine of a cluster has played.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct MachineRow {
    /// The number of games.
    pub games: u64,
    /// The number of games in which a bot was late.
    pub late: u64,
    /// The number of games with time-outs that may be the machine's fault, although they were played again.
    pub suspect: u64,
}

/// The games of two entrants against each other, seen from the one who was named first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PairingRow {
    /// All games.
    pub games: WinDrawLoss,
    /// Pairs of games with seats swapped.
    pub pairs: Pentanomial,
    /// The points in the games themselves, of the one who was named first and of the other.
    pub points: [u64; 2],
}

impl ScoreTable {
    /// The table of a tournament without entrants and games.
    pub fn new(event: TournamentHeader) -> ScoreTable {
        ScoreTable {
            most_shots: event.most_shots(),
            event,
            entrants: Vec::new(),
            rows: Vec::new(),
            pairings: BTreeMap::new(),
            machines: BTreeMap::new(),
            results: Results::default(),
            scoring: Scoring::default(),
            failures: Vec::new(),
            retirements: BTreeMap::new(),
            left_out: BTreeMap::new(),
            void_sets: 0,
        }
    }

    /// Opens the journal at `path` for writing and reads it once. A missing journal is created with `header` as its first
    /// line; an incomplete line at its end is removed. The table has the journal's own header, its entrants and its games.
    ///
    /// # Errors
    /// [`arena::JournalError`], with the path: another program writes the journal, or the file is not a journal that this
    /// program knows, and is not changed. A failure of the disk.
    pub fn open(path: &Path, header: &TournamentHeader) -> Result<(Journal, ScoreTable), ArenaError> {
        let mut journal = Journal::open(path, journal::JOURNAL)?;
        let (mut table, mut voided) = (None, Voided::read(path)?);
        journal.resume(|line, _| if voided.has(&line) { Ok(()) } else { take(&mut table, &line) })?;
        let table = match table {
            Some(table) => table,
            None => {
                journal.append(&JournalLine::Tournament(header.clone()))?;
                journal.sync()?;
                ScoreTable::new(header.clone())
            }
        };
        Ok((journal, table))
    }

    /// Reads the journal at `path`, which may be written meanwhile.
    ///
    /// # Errors
    /// [`arena::JournalError`], with the path: the file is not a journal that this program knows. A failure of the disk.
    pub fn read(path: &Path) -> Result<ScoreTable, ArenaError> {
        ScoreTable::read_with(path, |_| ())
    }

    /// Reads the journal at `path`, and gives its lines to `each` in their order.
    ///
    /// # Errors
    /// As [`ScoreTable::read`].
    pub fn read_with(path: &Path, each: impl FnMut(&JournalLine)) -> Result<ScoreTable, ArenaError> {
        ScoreTable::read_some(path, |_| true, each)
    }

    /// The same without the games that are not `wanted`.
    ///
    /// # Errors
    /// As [`ScoreTable::read`].
    pub fn read_some(
        path: &Path,
        wanted: impl Fn(&GameLine) -> bool,
        mut each: impl FnMut(&JournalLine),
    ) -> Result<ScoreTable, ArenaError> {
        let (mut table, mut voided) = (None, Voided::read(path)?);
        Journal::read(path, journal::JOURNAL, |line, _| {
            if !voided.has(&line) && !matches!(&line, JournalLine::Game(game) if !wanted(game)) {
                take(&mut table, &line)?;
                each(&line);
            }
            Ok(())
        })?;
        Ok(table.expect("a journal that can be read has a first line"))
    }

    /// Removes the games that are not `wanted` from the journal at `path`, and gives their number. A tournament that goes on plays
    /// them again.
    ///
    /// # Errors
    /// As [`ScoreTable::open`]; the journal is not changed then.
    pub fn remove_games(path: &Path, wanted: impl Fn(&GameLine) -> bool) -> Result<u64, ArenaError> {
        // It must be there, and stays locked until it is replaced.
        ScoreTable::read(path)?;
        let mut journal = Journal::open(path, journal::JOURNAL)?;
        let mut kept: Vec<bool> = Vec::new();
        let mut table = None;
        journal.resume(|line: JournalLine, _| {
            kept.push(!matches!(&line, JournalLine::Game(game) if !wanted(game)));
            take(&mut table, &line)
        })?;
        let text = fs::read(path).map_err(|e| ArenaError::disk("read", path, e))?;
        let lines = text.split_inclusive(|byte| *byte == b'\n').zip(&kept);
        let left: Vec<u8> = lines.filter(|(_, kept)| **kept).flat_map(|(line, _)| line).copied().collect();
        let removed = kept.iter().filter(|kept| !**kept).count() as u64;
        if removed > 0 {
            arena::folder::replace_file(path, &left)?;
        }
        Ok(removed)
    }

    /// Adds an entrant. One whose name is there already is that entrant, which has changed. Whom it replaces plays no more games.
    pub fn enter(&mut self, entrant: Entrant) {
        let number = self.number(&entrant.name).unwrap_or(self.entrants.len());
        if let Some(old) = entrant.replaces.as_deref().and_then(|old| self.number(old)).filter(|old| *old < number) {
            self.results.replace(old, number);
            self.retirements.insert(old, Some(entrant.name.clone()));
        }
        self.left_out.remove(&entrant.bot);
        match self.entrants.get_mut(number) {
            Some(old) => *old = entrant,
            None => {
                self.entrants.push(entrant);
                self.rows.push(EntrantRow::default());
            }
        }
    }

    /// Ends the games of an entrant. Tells whether there is an entrant of that name.
    pub fn retire(&mut self, name: &str) -> bool {
        let number = self.number(name);
        if let Some(number) = number {
            self.results.retire(number);
            self.retirements.entry(number).or_default();
        }
        number.is_some()
    }

    /// Lets an entrant that was retired play again. Tells whether there is an entrant of that name.
    pub fn come_back(&mut self, name: &str) -> bool {
        let number = self.number(name);
        if let Some(number) = number {
            self.results.come_back(number);
            self.retirements.remove(&number);
        }
        number.is_some()
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.entrants.iter().position(|entrant| entrant.name == name)
    }

    /// The entrants that play no more games, by their numbers, each with the name of the one that has entered in its place, if there is
    /// one.
    pub fn retirements(&self) -> &BTreeMap<usize, Option<String>> {
        &self.retirements
    }

    /// Adds a bot that was named and could not enter. Tells whether that is new.
    pub fn leave_out(&mut self, LeftOutBot { bot, reason }: LeftOutBot) -> bool {
        self.left_out.insert(bot, reason.clone()) != Some(reason)
    }

    /// The bots that were named and could not enter, each with the reason.
    pub fn left_out(&self) -> &BTreeMap<String, String> {
        &self.left_out
    }

    /// The number of sets of games that were declared void.
    pub fn void_sets(&self) -> u32 {
        self.void_sets
    }

    /// Adds a game; one that is there already changes nothing.
    ///
    /// # Panics
    /// If the game is of somebody who is not an entrant. No journal that can be read has such a game.
    pub fn add(&mut self, line: &GameLine) {
        if !self.results.add_game(line) {
            return;
        }
        let fixture = line.fixture;
        let result = fixture.result(&line.outcome);
        self.scoring = line.outcome.scoring;
        let board = line.seed.parse().ok().filter(|_| !self.scoring.is_points() || self.most_shots.is_some());
        for (seat, entrant) in [Seat::A, Seat::B].into_iter().zip(fixture.seated()) {
            let row = &mut self.rows[entrant];
            let own = if seat == fixture.seat_of_first() { result } else { result.swapped() };
            row.by_seat[seat.index()].count(own);
            row.points += u64::from(line.outcome.points[seat]);
            let player = &line.players[seat];
            match (board, self.most_shots) {
                (Some(board), Some(most)) if entrant > 0 => {
                    row.shots.count(board, player.shots.unwrap_or(most));
                    row.unsunk += u64::from(player.shots.is_none());
                    row.specials += u64::from(player.specials);
                }
                (Some(board), None) => row.shots.count(board, line.outcome.points[seat]),
                _ => {}
            }
            row.rounds += u64::from(line.outcome.turns);
            row.times.merge(&player.times.clone().unwrap_or_default());
            row.limits = player.limits.or(row.limits);
            for (kind, count) in &player.faults {
                *row.faults.entry(kind.clone()).or_default() += u64::from(*count);
            }
            row.faulty += u64::from(!player.faults.is_empty());
            row.suspect += u64::from(line.suspect.is_some());
            row.repeated += u64::from(player.repeats > 0);
        }
        if let Some(machine) = &line.machine {
            let row = self.machines.entry(machine.clone()).or_default();
            row.games += 1;
            let is_late = line.players.iter().any(|(_, player)| player.faults.contains_key(Fault::TIMED_OUT));
            row.late += u64::from(is_late);
            row.suspect += u64::from(line.suspect.is_some());
        }
        let pairing = self.pairings.entry((fixture.first, fixture.second)).or_default();
        pairing.games.count(result);
        let first = fixture.seat_of_first();
        for (sum, seat) in pairing.points.iter_mut().zip([first, first.opponent()]) {
            *sum += u64::from(line.outcome.points[seat]);
        }
        if let Some(partner) = self.results.score(Fixture { number: fixture.number ^ 1, ..fixture }) {
            pairing.pairs.count(result, partner);
        }
    }

    /// Adds a game that the engine could not play.
    pub fn fail(&mut self, failure: FailedGame) {
        self.failures.push(failure);
    }

    /// The games that the engine could not play at some time; some may be finished by now.
    pub fn failures(&self) -> &[FailedGame] {
        &self.failures
    }

    /// Checks that a game is of two entrants.
    fn check(&self, Fixture { first, second, .. }: Fixture) -> Result<(), String> {
        let entrants = self.entrants.len();
        if first == second || first.max(second) >= entrants {
            return Err(format!("it is a game of {first} and {second}, and there are {entrants} entrants"));
        }
        Ok(())
    }

    /// The header of the tournament.
    pub fn event(&self) -> &TournamentHeader {
        &self.event
    }

    /// The entrants in the order of their numbers.
    pub fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    /// The seeds of the entrants of a knockout; `None` in other formats.
    pub fn knockout_seeds(&self) -> Option<KnockoutSeeds> {
        (self.event.plan == Format::Knockout).then(|| KnockoutSeeds::of(&self.entrants))
    }

    /// The sums of the entrants in the order of their numbers.
    pub fn rows(&self) -> &[EntrantRow] {
        &self.rows
    }

    /// The games of each machine of a cluster, by its name.
    pub fn machines(&self) -> &BTreeMap<String, MachineRow> {
        &self.machines
    }

    /// The games of two entrants against each other, by their numbers.
    pub fn pairings(&self) -> &BTreeMap<(usize, usize), PairingRow> {
        &self.pairings
    }

    /// The games of `one` against `other`, seen from `one`, whoever was named first.
    pub fn between(&self, one: usize, other: usize) -> WinDrawLoss {
        let games = |first, second| self.pairings.get(&(first, second)).map(|row| row.games).unwrap_or_default();
        games(one, other) + games(other, one).swapped()
    }

    /// The points in the games themselves, of `one` and of `other`, over all games of the two.
    pub fn points_between(&self, one: usize, other: usize) -> [u64; 2] {
        let points = |first, second| self.pairings.get(&(first, second)).map(|row| row.points).unwrap_or_default();
        let ([own, against], [turned, of_one]) = (points(one, other), points(other, one));
        [own + of_one, against + turned]
    }

    /// The shots that `one` takes more than `other` on the boards that both have met; `None` without such boards.
    pub fn shots_between(&self, one: usize, other: usize) -> Option<MeanShots> {
        self.rows[one].shots.more_than(&self.rows[other].shots)
    }

    /// The meaning of the points in the games themselves.
    pub fn scoring(&self) -> Scoring {
        self.scoring
    }

    /// All finished pairs of `one` and `other`, by the points of `one`, whoever was named first.
    pub fn pairs_between(&self, one: usize, other: usize) -> Pentanomial {
        let pairs = |first, second| self.pairings.get(&(first, second)).map(|row| row.pairs).unwrap_or_default();
        let mut all = pairs(one, other);
        all += pairs(other, one).swapped();
        all
    }

    /// The results game by game.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// The results by pairings, for [`crate::Ratings`].
    pub fn pairing_results(&self) -> Vec<PairingResult> {
        let pairings = self.pairings.iter();
        pairings.map(|(&(first, second), row)| PairingResult { first, second, pairs: row.pairs }).collect()
    }

    /// The pairs of two entrants in their order, up to the first that is not finished. A test that may stop
    /// early uses these: the order in which games end does not change its answer.
    pub fn pairs_in_order(&self, first: usize, second: usize) -> impl Iterator<Item = [GameResult; 2]> + '_ {
        (0..).step_by(2).map_while(move |number| {
            let score = |number| self.results.score(Fixture { first, second, number });
            Some([score(number)?, score(number + 1)?])
        })
    }
}

/// Checks a line of a journal against the lines before, and adds it to their table.
fn take(table: &mut Option<ScoreTable>, line: &JournalLine) -> Result<(), String> {
    match (table, line) {
        (table @ None, JournalLine::Tournament(header)) => {
            header.seed.parse::<u64>().map_err(|_| "seed: it is not a number of 64 bits".to_owned())?;
            *table = Some(ScoreTable::new(header.clone()));
        }
        (None, _) => return Err("the header of a tournament is missing before it".to_owned()),
        (Some(_), JournalLine::Tournament(_)) => return Err("a second tournament begins".to_owned()),
        (Some(table), JournalLine::Entrant(entrant)) => {
            let at = table.number(&entrant.name).unwrap_or(table.entrants.len());
            if let Some(old) = &entrant.replaces
                && table.number(old).is_none_or(|old| old >= at)
            {
                return Err(format!("it replaces {old}, who is not an entrant of before"));
            }
            table.enter(entrant.clone());
        }
        (Some(table), JournalLine::Retired(Retirement { name })) => {
            if !table.retire(name) {
                return Err(format!("it ends the games of {name}, who is not an entrant"));
            }
        }
        (Some(table), JournalLine::Returned(Retirement { name })) => {
            if !table.come_back(name) {
                return Err(format!("it lets {name} play again, who is not an entrant"));
            }
        }
        // What is void was left out when it came.
        (Some(table), JournalLine::Void(void)) => table.void_sets = void.number,
        (Some(table), JournalLine::LeftOut(bot)) => drop(table.leave_out(bot.clone())),
        (Some(table), JournalLine::Failure(failure)) => {
            table.check(failure.fixture)?;
            table.fail(failure.clone());
        }
        (Some(table), JournalLine::Game(game)) => {
            table.check(game.fixture)?;
            if game.players.len() != 2 || game.outcome.points.len() != 2 {
                return Err("it is not a game of two players".to_owned());
            }
            table.add(game);
        }
    }
    Ok(())
}
