//! The games of bots that play alone: each plays each board once, beside another.

use crate::formats::plan::circle;
use crate::{Fixture, GameResult, NextGame, Results};
use std::collections::{BTreeSet, VecDeque};

/// The games of a round robin of bots that play alone. On each board, which is a number of games, all are seated by twos, so that each
/// plays it once; two boards have the same games, and then others sit together. Of an odd number of bots the last one sits with a bot
/// that plays the board twice.
#[derive(Debug, Clone)]
pub(super) struct BoardGames {
    entrants: usize,
    boards: u32,
    /// The board whose games are given next.
    next: u32,
    given: VecDeque<Fixture>,
}

impl BoardGames {
    pub(super) fn new(entrants: usize, boards: u32) -> BoardGames {
        BoardGames { entrants, boards, next: 0, given: VecDeque::new() }
    }

    pub(super) fn next(&mut self, results: &Results) -> NextGame {
        loop {
            // An entrant may have been retired since the games of the board were made.
            while let Some(fixture) = self.given.pop_front() {
                if results.decided(fixture).is_none() {
                    return NextGame::Play(fixture);
                }
            }
            if self.next == self.boards {
                return NextGame::Done;
            }
            self.given.extend(self.games_of(self.next, results));
            self.next += 1;
        }
    }

    /// The games in all: those that were played, and those of the boards that entrants have not played yet.
    pub(super) fn total(&self, results: &Results) -> u64 {
        results.games() + (0..self.boards).map(|board| self.games_of(board, results).len() as u64).sum::<u64>()
    }

    /// The games of a board for the entrants that play on and have not played it yet.
    fn games_of(&self, board: u32, results: &Results) -> Vec<Fixture> {
        let is_played = |scores: &[Option<GameResult>]| matches!(scores.get(board as usize), Some(Some(_)));
        let played = results.pairings().filter(|(_, scores)| is_played(scores));
        let seated: BTreeSet<usize> = played.flat_map(|((first, second), _)| [first, second]).collect();
        let playing: Vec<usize> = (0..self.entrants).filter(|entrant| !results.is_retired(*entrant)).collect();
        let open: Vec<usize> = playing.iter().copied().filter(|entrant| !seated.contains(entrant)).collect();
        let round = (board / 2) as usize;
        let games = circle(open.len(), round).filter_map(|(one, other)| {
            let one = open[one];
            let other = match open.get(other) {
                Some(other) => *other,
                None => {
                    let others = playing.iter().filter(|entrant| **entrant != one);
                    *others.cycle().nth(round % playing.len())?
                }
            };
            Some(Fixture { first: one.min(other), second: one.max(other), number: board })
        });
        games.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play_on(mut games: BoardGames, results: &mut Results, most: usize) -> Vec<Fixture> {
        let mut played = Vec::new();
        while let NextGame::Play(game) = games.next(results) {
            assert!(results.add(game, GameResult::Win, [0, 0]), "{game:?} is given once");
            played.push(game);
            if played.len() == most {
                break;
            }
        }
        played
    }

    /// The number of times that each entrant has played each board.
    fn plays(results: &Results, entrants: usize, boards: u32) -> Vec<usize> {
        let plays = |entrant: usize, board: u32| {
            let pairings = results.pairings().filter(|((first, second), _)| [*first, *second].contains(&entrant));
            pairings.filter(|(_, scores)| matches!(scores.get(board as usize), Some(Some(_)))).count()
        };
        (0..boards).flat_map(|board| (0..entrants).map(move |entrant| plays(entrant, board))).collect()
    }

    #[test]
    fn everybody_plays_each_board_once_and_sits_with_everybody() {
        for entrants in [2, 4, 6, 10] {
            let (mut results, boards) = (Results::default(), 2 * (entrants as u32 - 1));
            let games = BoardGames::new(entrants, boards);
            assert_eq!(games.total(&results), u64::from(boards) * entrants as u64 / 2);
            let played = play_on(games.clone(), &mut results, usize::MAX);
            assert!(plays(&results, entrants, boards).iter().all(|plays| *plays == 1), "{entrants}");
            assert_eq!((games.total(&results), results.games()), (played.len() as u64, played.len() as u64));
            let pairs = results.pairings().filter(|(_, scores)| scores.iter().flatten().count() == 2).count();
            assert_eq!(pairs, entrants * (entrants - 1) / 2, "each pairing has a pair of games");
        }
    }

    #[test]
    fn an_odd_one_sits_with_a_bot_that_plays_the_board_twice() {
        for entrants in [3, 5, 7] {
            let (mut results, games) = (Results::default(), BoardGames::new(entrants, 14));
            assert_eq!(games.total(&results), 14 * (entrants as u64 + 1) / 2);
            play_on(games, &mut results, usize::MAX);
            let plays = plays(&results, entrants, 14);
            assert!(plays.iter().all(|plays| (1..=2).contains(plays)));
            assert_eq!(plays.iter().filter(|plays| **plays == 2).count(), 14);
        }
    }

    #[test]
    fn a_stopped_tournament_goes_on_with_more_boards_and_more_bots() {
        for stop in 0..12 {
            let mut results = Results::default();
            play_on(BoardGames::new(4, 6), &mut results, stop);
            let games = BoardGames::new(5, 8);
            let total = games.total(&results);
            play_on(games, &mut results, usize::MAX);
            assert!(plays(&results, 5, 8).iter().all(|plays| (1..=2).contains(plays)), "after {stop}");
            assert_eq!(results.games(), total, "after {stop}");
        }
    }

    #[test]
    fn who_is_retired_plays_no_more_and_nobody_waits_for_it() {
        for (stop, retired) in (0..12).flat_map(|stop| (0..4).map(move |retired| (stop, retired))) {
            let (mut results, mut games) = (Results::default(), BoardGames::new(4, 6));
            for _ in 0..stop {
                let NextGame::Play(game) = games.next(&results) else { panic!("there is more to play") };
                results.add(game, GameResult::Win, [0, 0]);
            }
            results.retire(retired);
            // The running program leaves out at most the games of the board that it has begun; the next run plays them.
            for games in [games, BoardGames::new(4, 6)] {
                let played = play_on(games, &mut results, usize::MAX);
                assert!(played.iter().all(|game| ![game.first, game.second].contains(&retired)));
            }
            let plays = plays(&results, 4, 6);
            assert!((0..24).all(|at| at % 4 == retired || plays[at] >= 1), "after {stop} without {retired}");
        }
    }

    #[test]
    fn nothing_is_played_with_nobody_and_with_one() {
        for entrants in [0, 1] {
            assert_eq!(BoardGames::new(entrants, 4).next(&Results::default()), NextGame::Done);
        }
    }
}
