//! What a journal adds up to.

use super::{
    Entrant, Fixture, GameLine, GameResult, JournalContents, JournalLine, PairingResult, Pentanomial, Results, Times,
    TournamentError, TournamentHeader, WinDrawLoss, note,
};
use arena::record::LimitsLine;
use rules::Seat;
use std::collections::BTreeMap;
use std::path::Path;

/// The standings of a tournament, made of its journal game by game. Its size depends on the entrants, not on the games,
/// but for a byte a game.
#[derive(Debug, Clone)]
pub struct ScoreTable {
    event: TournamentHeader,
    entrants: Vec<Entrant>,
    rows: Vec<EntrantRow>,
    pairings: BTreeMap<(usize, usize), PairingRow>,
    results: Results,
}

/// What one entrant has done.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EntrantRow {
    /// Its games in seat A and in seat B, seen from it.
    pub by_seat: [WinDrawLoss; 2],
    /// Points in the games themselves, in all.
    pub points: u64,
    /// Rounds of its games, in all.
    pub rounds: u64,
    /// How long its answers took.
    pub times: Times,
    /// How long it might take, as it was last.
    pub limits: Option<LimitsLine>,
    /// How many turns had no usable order, by the kind of fault.
    pub faults: BTreeMap<String, u64>,
    /// Games with time-outs that may be the machine's fault, though they were played again.
    pub suspect: u64,
}

impl EntrantRow {
    /// All its games, seen from it.
    pub fn games(&self) -> WinDrawLoss {
        let mut games = self.by_seat[0];
        games += self.by_seat[1];
        games
    }
}

/// What two have done against each other, seen from the one who was named first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PairingRow {
    /// All games.
    pub games: WinDrawLoss,
    /// Pairs of games with seats swapped.
    pub pairs: Pentanomial,
}

impl ScoreTable {
    /// Of a tournament in which nothing was played yet.
    pub fn new(event: TournamentHeader) -> ScoreTable {
        ScoreTable {
            event,
            entrants: Vec::new(),
            rows: Vec::new(),
            pairings: BTreeMap::new(),
            results: Results::default(),
        }
    }

    /// The table of the journal at `path`.
    ///
    /// # Errors
    /// The file cannot be read, or is not a journal that this program knows.
    pub fn read(path: &Path) -> Result<ScoreTable, TournamentError> {
        Ok(ScoreTable::read_with_contents(path)?.0)
    }

    /// The table of the journal at `path`, and what else is in it, in one pass.
    pub(super) fn read_with_contents(path: &Path) -> Result<(ScoreTable, JournalContents), TournamentError> {
        let mut table: Option<ScoreTable> = None;
        let journal = JournalContents::read(path, |line| match (&mut table, line) {
            (None, JournalLine::Tournament(event)) => table = Some(ScoreTable::new(event)),
            (Some(table), JournalLine::Entrant(entrant)) => table.enter(entrant),
            (Some(table), JournalLine::Game(game)) => table.add(&game),
            _ => {}
        })?;
        Ok((table.unwrap_or_else(|| ScoreTable::new(journal.event.clone())), journal))
    }

    /// Adds an entrant.
    pub fn enter(&mut self, entrant: Entrant) {
        self.entrants.push(entrant);
        self.rows.push(EntrantRow::default());
    }

    /// Adds a game; one that is there already changes nothing.
    ///
    /// # Panics
    /// When it is of somebody who takes no part, which no journal that was read has.
    pub fn add(&mut self, line: &GameLine) {
        if !note(&mut self.results, line) {
            return;
        }
        let fixture = line.fixture;
        let result = fixture.result(&line.outcome);
        for (seat, entrant) in [Seat::A, Seat::B].into_iter().zip(fixture.seated()) {
            let row = &mut self.rows[entrant];
            let own = if seat == fixture.seat_of_first() { result } else { result.swapped() };
            row.by_seat[seat.index()].count(own);
            row.points += u64::from(line.outcome.points[seat]);
            row.rounds += u64::from(line.outcome.turns);
            let player = &line.players[seat];
            row.times.merge(&player.times.clone().unwrap_or_default());
            row.limits = player.limits.or(row.limits);
            for (kind, count) in &player.faults {
                *row.faults.entry(kind.clone()).or_default() += u64::from(*count);
            }
            row.suspect += u64::from(line.suspect.is_some());
        }
        let pairing = self.pairings.entry((fixture.first, fixture.second)).or_default();
        pairing.games.count(result);
        if let Some(partner) = self.results.score(Fixture { number: fixture.number ^ 1, ..fixture }) {
            pairing.pairs.count(result, partner);
        }
    }

    /// What is the same for all games.
    pub fn event(&self) -> &TournamentHeader {
        &self.event
    }

    /// Who takes part, in the order of their numbers.
    pub fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    /// What each has done, in the order of their numbers.
    pub fn rows(&self) -> &[EntrantRow] {
        &self.rows
    }

    /// What two have done against each other, by their numbers.
    pub fn pairings(&self) -> &BTreeMap<(usize, usize), PairingRow> {
        &self.pairings
    }

    /// What `one` has done against `other`, whoever was named first.
    pub fn between(&self, one: usize, other: usize) -> WinDrawLoss {
        let games = |first, second| self.pairings.get(&(first, second)).map(|row| row.games).unwrap_or_default();
        let mut all = games(one, other);
        all += games(other, one).swapped();
        all
    }

    /// The results game by game.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// The results as ratings are made of them.
    pub fn pairing_results(&self) -> Vec<PairingResult> {
        let pairings = self.pairings.iter();
        pairings.map(|(&(first, second), row)| PairingResult { first, second, pairs: row.pairs }).collect()
    }

    /// The pairs of two entrants in their order, up to the first that is not finished: what a test that may stop early
    /// can go by, whatever was finished first.
    pub fn pairs_in_order(&self, first: usize, second: usize) -> impl Iterator<Item = [GameResult; 2]> + '_ {
        (0..).step_by(2).map_while(move |number| {
            let score = |number| self.results.score(Fixture { first, second, number });
            Some([score(number)?, score(number + 1)?])
        })
    }
}
