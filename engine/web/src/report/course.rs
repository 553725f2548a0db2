//! How a tournament went, game by game, in little room.

use rules::Seat;
use std::collections::VecDeque;
use tournament::{Fixture, GameLine, GameResult, Results};

/// The most points of a line.
const POINTS: usize = 200;
/// The most games with faults that are kept in mind, and the most others.
const KEPT: usize = 60;

/// How a tournament went, made of its games in the order in which they ended. Its size depends on the entrants, not on the
/// games, but for a byte a game.
#[derive(Debug, Clone)]
pub struct Course {
    lines: Vec<JournalLine>,
    records: [Kept; 2],
    times: Option<[String; 2]>,
    seen: Results,
}

/// The share of points of a bot after its games.
#[derive(Debug, Clone)]
pub(super) struct JournalLine {
    half_points: u64,
    games: u64,
    every: u64,
    points: Vec<(u64, f64)>,
}

/// Games with a record; the last of them.
#[derive(Debug, Clone, Default)]
struct Kept {
    games: VecDeque<KeptGame>,
    forgotten: u64,
}

/// A game with a record.
#[derive(Debug, Clone)]
pub(super) struct KeptGame {
    pub(super) fixture: Fixture,
    pub(super) winner: Option<usize>,
    pub(super) record: String,
    /// Entrant, kind of fault, how often.
    pub(super) faults: Vec<(usize, String, u32)>,
    pub(super) suspect: Option<String>,
}

impl Course {
    /// Of a tournament of this many bots in which nothing was played yet.
    pub fn new(entrants: usize) -> Course {
        let line = JournalLine { half_points: 0, games: 0, every: 1, points: Vec::new() };
        Course { lines: vec![line; entrants], records: Default::default(), times: None, seen: Results::default() }
    }

    /// Adds a game; one that is there already changes nothing.
    ///
    /// # Panics
    /// When it is of somebody who takes no part.
    pub fn add(&mut self, game: &GameLine) {
        if !self.seen.add_game(game) {
            return;
        }
        let fixture = game.fixture;
        let result = fixture.result(&game.outcome);
        self.lines[fixture.first].add(result);
        self.lines[fixture.second].add(result.swapped());
        match &mut self.times {
            Some([_, last]) => last.clone_from(&game.ended),
            none => *none = Some([game.ended.clone(), game.ended.clone()]),
        }
        let Some(record) = &game.record else { return };
        let faults: Vec<_> = [Seat::A, Seat::B]
            .into_iter()
            .zip(fixture.seated())
            .flat_map(|(seat, bot)| game.players[seat].faults.iter().map(move |(kind, of)| (bot, kind.clone(), *of)))
            .collect();
        let winner = match result {
            GameResult::Win => Some(fixture.first),
            GameResult::Draw => None,
            GameResult::Loss => Some(fixture.second),
        };
        let plain = faults.is_empty() && game.suspect.is_none();
        let kept = &mut self.records[usize::from(plain)];
        if kept.games.len() == KEPT {
            kept.games.pop_front();
            kept.forgotten += 1;
        }
        let (record, suspect) = (record.clone(), game.suspect.clone());
        kept.games.push_back(KeptGame { fixture, winner, record, faults, suspect });
    }

    /// The line of a bot.
    pub(super) fn line(&self, entrant: usize) -> &JournalLine {
        &self.lines[entrant]
    }

    /// The games with records, those with faults first, and how many more there are.
    pub(super) fn records(&self) -> (impl Iterator<Item = &KeptGame>, u64) {
        let more = self.records.iter().map(|kept| kept.forgotten).sum();
        (self.records.iter().flat_map(|kept| &kept.games), more)
    }

    /// When its first and its last game ended, as people write it.
    pub(super) fn played(&self) -> Option<String> {
        // As far as the minute.
        let short = |time: &str| time.chars().take(16).map(|c| if c == 'T' { ' ' } else { c }).collect::<String>();
        let [first, last] = self.times.as_ref()?;
        let [first, last] = [short(first), short(last)];
        Some(if first == last { first } else { format!("{first} to {last}") })
    }
}

impl JournalLine {
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

    /// How many games it has.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// Games, and the share of points after them. The last is there always.
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
        let mut line = Course::new(1).lines.remove(0);
        (0..1_000_001).for_each(|nth| line.add(if nth % 4 == 0 { GameResult::Win } else { GameResult::Loss }));
        let points: Vec<_> = line.points().collect();
        assert!((POINTS / 2..=POINTS + 1).contains(&points.len()), "{}", points.len());
        assert_eq!(points.last().unwrap(), &(1_000_001, 250_001.0 / 1_000_001.0));
        assert!(points.is_sorted_by_key(|(games, _)| *games));
    }
}
