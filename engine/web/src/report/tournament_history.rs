//! The history of a tournament for its report, in little memory.

use arena::record::shown_time;
use rules::{Scoring, Seat};
use std::collections::VecDeque;
use tournament::{Fixture, GameLine, GameResult, Results};

/// The most points of a curve.
const POINTS: usize = 200;
/// The most games with faults that are remembered, and the most games without.
const MOST_RECORDED: usize = 60;

/// The history of a tournament, made of its games in the order in which they ended. Its size depends on the number of
/// entrants; each game adds one byte.
#[derive(Debug, Clone)]
pub struct TournamentHistory {
    /// The curves of the bots in the order of the entrants.
    pub(super) curves: Vec<ScoreCurve>,
    records: [RecordedGames; 2],
    times: Option<[String; 2]>,
    seen: Results,
}

/// The share of points of a bot over its games.
#[derive(Debug, Clone)]
pub(super) struct ScoreCurve {
    half_points: u64,
    pub(super) games: u64,
    every: u64,
    points: Vec<(u64, f64)>,
}

/// The last games with a record.
#[derive(Debug, Clone, Default)]
struct RecordedGames {
    games: VecDeque<RecordedGame>,
    forgotten: u64,
}

/// A game with a record.
#[derive(Debug, Clone)]
pub(super) struct RecordedGame {
    pub(super) fixture: Fixture,
    pub(super) winner: Option<usize>,
    /// The number of turns.
    pub(super) turns: u32,
    /// The points by seats.
    pub(super) points: [u32; 2],
    /// The meaning of the points.
    pub(super) scoring: Scoring,
    pub(super) record: String,
    /// Entrant, kind of fault, number of faults.
    pub(super) faults: Vec<(usize, String, u32)>,
    pub(super) suspect: Option<String>,
}

impl TournamentHistory {
    /// The history of a tournament of this many bots, without games.
    pub fn new(entrants: usize) -> TournamentHistory {
        let line = ScoreCurve { half_points: 0, games: 0, every: 1, points: Vec::new() };
        TournamentHistory {
            curves: vec![line; entrants],
            records: Default::default(),
            times: None,
            seen: Results::default(),
        }
    }

    /// Adds a game. A game that was added before changes nothing.
    ///
    /// # Panics
    /// If an entrant of the game does not take part in the tournament.
    pub fn add(&mut self, game: &GameLine) {
        if !self.seen.add_game(game) {
            return;
        }
        let fixture = game.fixture;
        let result = fixture.result(&game.outcome);
        self.curves[fixture.first].add(result);
        self.curves[fixture.second].add(result.swapped());
        match &mut self.times {
            Some([_, last]) => last.clone_from(&game.ended),
            none => *none = Some([game.ended.clone(), game.ended.clone()]),
        }
        if game.record.is_none() {
            return;
        }
        let recorded_game = RecordedGame::new(game);
        let plain = recorded_game.faults.is_empty() && game.suspect.is_none();
        let recorded = &mut self.records[usize::from(plain)];
        if recorded.games.len() == MOST_RECORDED {
            recorded.games.pop_front();
            recorded.forgotten += 1;
        }
        recorded.games.push_back(recorded_game);
    }

    /// The games with records, those with faults first, and the number of further ones.
    pub(super) fn records(&self) -> (impl Iterator<Item = &RecordedGame>, u64) {
        let more = self.records.iter().map(|recorded| recorded.forgotten).sum();
        (self.records.iter().flat_map(|recorded| &recorded.games), more)
    }

    /// The times when the first and the last game ended, for people.
    pub(super) fn played(&self) -> Option<String> {
        let [first, last] = self.times.as_ref()?;
        let [first, last] = [shown_time(first)?, shown_time(last)?];
        Some(if first == last { first } else { format!("{first} to {last}") })
    }
}

impl RecordedGame {
    /// The facts in the line of a game.
    pub(super) fn new(game: &GameLine) -> RecordedGame {
        let fixture = game.fixture;
        let faults = [Seat::A, Seat::B]
            .into_iter()
            .zip(fixture.seated())
            .flat_map(|(seat, bot)| game.players[seat].faults.iter().map(move |(kind, of)| (bot, kind.clone(), *of)));
        let winner = match fixture.result(&game.outcome) {
            GameResult::Win => Some(fixture.first),
            GameResult::Draw => None,
            GameResult::Loss => Some(fixture.second),
        };
        RecordedGame {
            fixture,
            winner,
            turns: game.outcome.turns,
            points: [Seat::A, Seat::B].map(|seat| game.outcome.points[seat]),
            scoring: game.outcome.scoring,
            record: game.record.clone().unwrap_or_default(),
            faults: faults.collect(),
            suspect: game.suspect.clone(),
        }
    }
}

impl ScoreCurve {
    fn add(&mut self, result: GameResult) {
        self.games += 1;
        self.half_points += u64::from(result.half_points());
        if self.games.is_multiple_of(self.every) {
            self.points.push(self.now());
            if self.points.len() > POINTS {
                self.every *= 2;
                self.points.retain(|(games, _)| games.is_multiple_of(self.every));
            }
        }
    }

    fn now(&self) -> (u64, f64) {
        (self.games, self.half_points as f64 / (2 * self.games) as f64)
    }

    /// Numbers of games, and the shares of points (0 to 1) after them. The last game is always included.
    pub(super) fn points(&self) -> impl Iterator<Item = (u64, f64)> {
        let last = (self.games > 0).then(|| self.now());
        let last = last.filter(|last| self.points.last() != Some(last));
        self.points.iter().copied().chain(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_million_games_has_few_points_and_its_true_end() {
        let mut line = TournamentHistory::new(1).curves.remove(0);
        (0..1_000_001).for_each(|nth| line.add(if nth % 4 == 0 { GameResult::Win } else { GameResult::Loss }));
        let points: Vec<_> = line.points().collect();
        assert!((POINTS / 2..=POINTS + 1).contains(&points.len()), "{}", points.len());
        assert_eq!(points.last().unwrap(), &(1_000_001, 250_001.0 / 1_000_001.0));
        assert!(points.is_sorted_by_key(|(games, _)| *games));
    }
}
