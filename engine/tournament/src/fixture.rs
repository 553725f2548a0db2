//! A game of a tournament, its seats and its seed.

use crate::GameResult;
use rules::{Outcome, Seat};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// One game of a tournament: two entrants, and the number of the game between them.
///
/// Games come in pairs with one seed: in the second the entrants change seats, so that neither has the better one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Fixture {
    /// The entrant that was named first; it sits in seat A in games of even number.
    pub first: usize,
    /// The entrant that was named second.
    pub second: usize,
    /// The number of the game between them, counted from 0.
    pub number: u32,
}

/// The answer of a plan that was asked for a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextGame {
    /// This game is to be played.
    Play(Fixture),
    /// No game can begin before running games have ended.
    Wait,
    /// No game is left.
    Done,
}

/// The games that have one seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeedScope {
    /// Both games of a pair.
    Pair,
    /// None: each game has a seed of its own.
    Game,
    /// The games of one number of all pairings, so that all entrants meet the same boards.
    Number,
    /// The same, and the seed is the base seed plus the number, so that a board can be named by its seed.
    Board,
}

impl Fixture {
    /// The entrants in the seats A and B.
    pub fn seated(self) -> [usize; 2] {
        if self.number.is_multiple_of(2) { [self.first, self.second] } else { [self.second, self.first] }
    }

    /// The seat of the entrant that was named first.
    pub fn seat_of_first(self) -> Seat {
        if self.number.is_multiple_of(2) { Seat::A } else { Seat::B }
    }

    /// The result for the entrant that was named first.
    pub fn result(self, outcome: &Outcome) -> GameResult {
        match outcome.winner {
            None => GameResult::Draw,
            Some(winner) if winner == self.seat_of_first() => GameResult::Win,
            Some(_) => GameResult::Loss,
        }
    }

    /// The points that decide a tie, of the entrant that was named first and of the other: more are better, so the shots that one
    /// took are points of the other.
    pub fn tie_points(self, outcome: &Outcome) -> [u64; 2] {
        let seat = self.seat_of_first();
        let [first, second] = [seat, seat.opponent()].map(|seat| u64::from(outcome.points[seat]));
        if outcome.scoring.is_points() { [first, second] } else { [second, first] }
    }

    /// The number of the pair of games that it belongs to.
    pub fn pair(self) -> u32 {
        self.number / 2
    }

    /// The seed of a pair of games: the beginning of a SHA-256 of the base seed, both names and the number of the
    /// pair. It is the same for both games of a pair, and does not depend on other games.
    pub fn seed(self, base: u64, names: [&str; 2]) -> u64 {
        digest(base, names, &[self.pair()])
    }

    /// The seed of the game, with the seeds of a tournament of this scope ([`Format::seeds`](crate::Format::seeds)).
    pub fn match_seed(self, base: u64, names: [&str; 2], scope: SeedScope) -> u64 {
        match scope {
            SeedScope::Pair => self.seed(base, names),
            SeedScope::Game => self.player_seed(base, names),
            SeedScope::Number => digest(base, ["", ""], &[self.number]),
            SeedScope::Board => base.wrapping_add(self.number.into()),
        }
    }

    /// The seed from which those of the players are derived: as [`Fixture::seed`], but of its own for each game. With one
    /// seed for both games of a pair, a player would learn in the first what its opponent, then in its seat, is given in the
    /// second.
    pub fn player_seed(self, base: u64, names: [&str; 2]) -> u64 {
        digest(base, names, &[self.pair(), self.number])
    }
}

fn digest(base: u64, names: [&str; 2], numbers: &[u32]) -> u64 {
    let mut hasher = Sha256::new();
    hasher.update(base.to_le_bytes());
    for name in names {
        hasher.update((name.len() as u64).to_le_bytes());
        hasher.update(name);
    }
    numbers.iter().for_each(|number| hasher.update(number.to_le_bytes()));
    let digest = hasher.finalize();
    digest[..8].iter().rev().fold(0, |seed, byte| seed << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Ending, Scoring};
    use std::collections::BTreeSet;

    #[test]
    fn shots_decide_a_tie_for_the_one_who_took_fewer() {
        let outcome = |scoring| Outcome {
            winner: None,
            ranking: vec![Seat::A, Seat::B],
            points: [50, 40].into_iter().collect(),
            scoring,
            ending: Ending::Solved { seats: Vec::new() },
            turns: 50,
        };
        let game = |number| Fixture { first: 0, second: 1, number };
        let points = |number, scoring| game(number).tie_points(&outcome(scoring));
        assert_eq!([points(0, Scoring::Points), points(1, Scoring::Points)], [[50, 40], [40, 50]]);
        assert_eq!([points(0, Scoring::Shots), points(1, Scoring::Shots)], [[40, 50], [50, 40]]);
    }

    #[test]
    fn both_games_of_a_pair_have_one_seed_and_other_seats() {
        let game = |number| Fixture { first: 3, second: 5, number };
        assert_eq!([game(4).seated(), game(5).seated()], [[3, 5], [5, 3]]);
        let seed = |number| game(number).seed(7, ["one", "two"]);
        assert_eq!(seed(4), seed(5));
        let [one, other] = [4, 5].map(|number| game(number).match_seed(7, ["one", "two"], SeedScope::Game));
        assert!(one != other && game(4).match_seed(7, ["one", "two"], SeedScope::Pair) == seed(4));
        let board = |number, names| game(number).match_seed(7, names, SeedScope::Number);
        assert!(board(4, ["one", "two"]) == board(4, ["one", "three"]) && board(4, ["", ""]) != board(5, ["", ""]));
        assert_ne!(seed(4), seed(6));
        assert_ne!(seed(4), game(4).seed(8, ["one", "two"]));
        assert_ne!(seed(4), game(4).seed(7, ["on", "etwo"]));
        let player_seeds: BTreeSet<u64> = (0..6).map(|number| game(number).player_seed(7, ["one", "two"])).collect();
        assert_eq!(player_seeds.len(), 6);
        // The seed never changes, or old tournaments could not be continued.
        assert_eq!(seed(0), 1_881_907_454_691_023_569);
    }
}
