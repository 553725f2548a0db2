//! The knockout format: the loser of a meeting is out. The bracket is seeded by the order of the entrants, so the
//! first and the second can meet in the last meeting only. If their number is not a power of two, the first ones
//! begin a round later.
//!
//! A tied meeting goes on by pairs of games, ten at most; then the points made in its games decide, then the order.

use crate::{Fixture, NextGame, Results, ScoreTable, WinDrawLoss};

/// The bracket, with the entrants who are still in.
#[derive(Debug, Clone)]
pub(crate) struct Bracket {
    games: u32,
    /// The entrants of the present round; neighbours meet. `None` lets the neighbour through.
    round: Vec<Option<usize>>,
    /// The number of scheduled games of each meeting.
    given: Vec<u32>,
}

/// The number of extra pairs after which a tie is no longer played on.
pub(crate) const MORE_PAIRS: u32 = 10;

impl Bracket {
    pub(crate) fn new(entrants: usize, games: u32) -> Bracket {
        let round: Vec<_> = order(entrants).into_iter().map(|seed| (seed < entrants).then_some(seed)).collect();
        Bracket { games, given: vec![0; round.len() / 2], round }
    }

    pub(crate) fn next(&mut self, results: &Results) -> NextGame {
        loop {
            if self.round.len() < 2 {
                return NextGame::Done;
            }
            let mut winners = Vec::new();
            let mut waiting = false;
            // The pairs of all meetings are scheduled by turns.
            let mut order: Vec<usize> = (0..self.given.len()).collect();
            order.sort_by_key(|&meeting| self.given[meeting] / 2);
            for meeting in order {
                let [one, other] = [self.round[2 * meeting], self.round[2 * meeting + 1]];
                let (Some(one), Some(other)) = (one, other) else {
                    winners.push((meeting, one.or(other)));
                    continue;
                };
                let (first, second) = (one.min(other), one.max(other));
                // Check for a tie only after all games are scheduled, because the check scans every
                // game.
                let given = self.given[meeting];
                let wanted = if given < self.games { self.games } else { self.wanted(results, first, second) };
                while self.given[meeting] < wanted {
                    let fixture = Fixture { first, second, number: self.given[meeting] };
                    self.given[meeting] += 1;
                    if results.decided(fixture).is_none() {
                        return NextGame::Play(fixture);
                    }
                }
                match self.winner(results, first, second) {
                    Some(winner) => winners.push((meeting, Some(winner))),
                    None => waiting = true,
                }
            }
            if waiting {
                return NextGame::Wait;
            }
            winners.sort_unstable();
            self.round = winners.into_iter().map(|(_, winner)| winner).collect();
            self.given = vec![0; self.round.len() / 2];
        }
    }

    /// The number of games of the meeting that is known so far: two more for every tie.
    fn wanted(&self, results: &Results, first: usize, second: usize) -> u32 {
        let most = self.games + 2 * MORE_PAIRS;
        let tied = |games: u32| results.halves(first, second, 0..games) == Some(games);
        (self.games..most).step_by(2).find(|games| !tied(*games)).unwrap_or(most)
    }

    fn winner(&self, results: &Results, first: usize, second: usize) -> Option<usize> {
        let games = self.wanted(results, first, second);
        let scores = (0..games).map(|number| results.decided(Fixture { first, second, number }));
        let ahead = is_ahead(scores.collect::<Option<WinDrawLoss>>()?, results.points(first, second));
        Some(if ahead { first } else { second })
    }
}

/// The order of the seeds in the bracket, from one end to the other.
pub(crate) fn order(entrants: usize) -> Vec<usize> {
    let mut order = vec![0];
    // Each time the bracket doubles, each seed gets the opponent that makes the sum of their numbers the same.
    while order.len() < entrants.next_power_of_two() {
        let sum = order.len() * 2 - 1;
        order = order.iter().flat_map(|&seed| [seed, sum - seed]).collect();
    }
    order
}

/// The round, counted from 1, in which two seeds meet if both come so far.
pub(crate) fn round_of(entrants: usize, one: usize, other: usize) -> u32 {
    let order = order(entrants);
    let place = |wanted| order.iter().position(|&seed| seed == wanted).unwrap_or_default();
    usize::BITS - (place(one) ^ place(other)).leading_zeros()
}

/// Tells whether the first of two that have met goes on to the next round, or would by the games so far. Whoever meets a retired
/// entrant goes on, unless that has won before it was retired: it has played on since, or as many games as a meeting has.
pub(crate) fn has_gone_on(table: &ScoreTable, first: usize, second: usize) -> bool {
    let (entrants, games) = (table.entrants().len(), table.between(first, second));
    let round = round_of(entrants, first, second);
    let plays_later = |entrant: usize| {
        let mut pairs = table.pairings().keys().filter(|pair| pair.0 == entrant || pair.1 == entrant);
        pairs.any(|pair| round_of(entrants, pair.0, pair.1) > round)
    };
    let most = table.pairings().values().map(|row| row.games.games()).max().unwrap_or_default();
    let is_out = |entrant: usize| table.results().is_retired(entrant) && games.games() < most && !plays_later(entrant);
    match [is_out(first), is_out(second)] {
        [true, false] => false,
        [false, true] => true,
        _ => is_ahead(games, table.results().points(first, second)),
    }
}

/// Tells whether the first of two is ahead: by games, then by the points made in them, then by the order.
pub(crate) fn is_ahead(games: WinDrawLoss, points: [u64; 2]) -> bool {
    games.wins.cmp(&games.losses).then(points[0].cmp(&points[1])).is_ge()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameResult;
    use crate::formats::plan::play_out;

    fn played(entrants: usize, score: impl Fn(Fixture) -> GameResult) -> Vec<(usize, usize)> {
        let mut bracket = Bracket::new(entrants, 2);
        let (games, _) = play_out(|results| bracket.next(results), [7, 7], score);
        games.iter().filter(|game| game.number == 0).map(|game| (game.first, game.second)).collect()
    }

    #[test]
    fn the_best_two_can_meet_in_the_last_meeting_only() {
        let meetings = played(8, |_| GameResult::Win);
        assert_eq!(meetings, [(0, 7), (3, 4), (1, 6), (2, 5), (0, 3), (1, 2), (0, 1)]);
    }

    #[test]
    fn the_first_ones_begin_later_where_somebody_is_missing() {
        assert_eq!(played(5, |_| GameResult::Win), [(3, 4), (0, 3), (1, 2), (0, 1)]);
        assert_eq!(played(3, |_| GameResult::Loss), [(1, 2), (0, 2)]);
    }

    #[test]
    fn a_tie_is_played_on_and_in_the_end_the_order_decides() {
        let mut bracket = Bracket::new(2, 2);
        let score = |game: Fixture| if game.number == 7 { GameResult::Loss } else { GameResult::Draw };
        let (games, _) = play_out(|results| bracket.next(results), [7, 7], score);
        assert_eq!((games.len(), bracket.round), (8, vec![Some(1)]));

        let mut bracket = Bracket::new(2, 2);
        let (games, _) = play_out(|results| bracket.next(results), [7, 8], |_| GameResult::Draw);
        assert_eq!((games.len(), bracket.round), (22, vec![Some(1)]), "the points decide");
    }

    #[test]
    fn the_round_of_a_meeting_follows_from_who_meets() {
        let rounds = |entrants, meetings: &[(usize, usize)]| -> Vec<u32> {
            meetings.iter().map(|&(one, other)| round_of(entrants, one, other)).collect()
        };
        assert_eq!(rounds(8, &played(8, |_| GameResult::Win)), [1, 1, 1, 1, 2, 2, 3]);
        assert_eq!(rounds(5, &played(5, |_| GameResult::Loss)), [1, 2, 2, 3]);
        assert_eq!(rounds(2, &[(1, 0)]), [1]);
    }

    #[test]
    fn a_meeting_waits_for_its_games() {
        let mut bracket = Bracket::new(2, 2);
        let results = Results::default();
        let steps: Vec<NextGame> = (0..3).map(|_| bracket.next(&results)).collect();
        assert!(matches!(steps[..], [NextGame::Play(_), NextGame::Play(_), NextGame::Wait]));
    }
}
