//! The Swiss format: each round pairs entrants who have done equally well so far, and nobody meets anybody twice as
//! long as that is possible. If their number is odd, one rests in each round: the lowest who has not rested yet. A
//! rest counts as won.

use crate::formats::matching::first_pairs;
use crate::{Fixture, NextGame, Results};
use std::collections::BTreeMap;

/// Both entrants of a meeting, and the number of their first game.
pub(crate) type PairedMeeting = (usize, usize, u32);

/// The rounds so far.
#[derive(Debug, Clone)]
pub(crate) struct SwissRounds {
    entrants: usize,
    games: u32,
    most: u32,
    /// The meetings of the round that is being played.
    meetings: Vec<PairedMeeting>,
    played: u32,
    /// The number of scheduled games of the present round.
    next: usize,
    /// The scores in half points.
    scores: Vec<u32>,
    rested: Vec<bool>,
    /// The entrant that rests in the present round.
    resting: Option<usize>,
    met: BTreeMap<(usize, usize), u32>,
}

impl SwissRounds {
    /// Rounds for this many entrants. The usual number is two more than a knockout needs.
    pub(crate) fn new(entrants: usize, games: u32, rounds: Option<u32>) -> SwissRounds {
        let usual = entrants.next_power_of_two().trailing_zeros() + 2;
        let most = if entrants < 2 { 0 } else { rounds.unwrap_or(usual.min(entrants.next_multiple_of(2) as u32 - 1)) };
        SwissRounds {
            entrants,
            games,
            most,
            meetings: Vec::new(),
            played: 0,
            next: 0,
            scores: vec![0; entrants],
            rested: vec![false; entrants],
            resting: None,
            met: BTreeMap::new(),
        }
    }

    pub(crate) fn total(&self) -> u64 {
        u64::from(self.most) * (self.entrants / 2) as u64 * u64::from(self.games)
    }

    /// The number of rounds in all.
    pub(crate) fn most(&self) -> u32 {
        self.most
    }

    /// Makes the meetings of the next round, and gives them and the entrant that rests.
    /// `None` if a game of the round before is missing, or there is no further round.
    pub(crate) fn begin_round(&mut self, results: &Results) -> Option<(Vec<PairedMeeting>, Option<usize>)> {
        if (!self.meetings.is_empty() && !self.count(results)) || self.played == self.most {
            return None;
        }
        self.pair();
        Some((self.meetings.clone(), self.resting))
    }

    pub(crate) fn next(&mut self, results: &Results) -> NextGame {
        loop {
            if self.meetings.is_empty() {
                if self.played == self.most {
                    return NextGame::Done;
                }
                self.pair();
            }
            while let Some(fixture) = self.fixture(self.next) {
                self.next += 1;
                if results.decided(fixture).is_none() {
                    return NextGame::Play(fixture);
                }
            }
            if !self.count(results) {
                return NextGame::Wait;
            }
        }
    }

    /// Game number `at` of the round: the first pair of games of all meetings, then the second …
    fn fixture(&self, at: usize) -> Option<Fixture> {
        let pair = at / 2;
        let (first, second, begin) = self.meetings[pair % self.meetings.len()];
        let number = (pair / self.meetings.len() * 2 + at % 2) as u32;
        (number < self.games).then_some(Fixture { first, second, number: begin + number })
    }

    /// Ends the round if all its games are finished.
    fn count(&mut self, results: &Results) -> bool {
        let scores = self.meetings.iter().map(|(first, second, begin)| {
            Some((*first, *second, results.halves(*first, *second, *begin..begin + self.games)?))
        });
        let Some(scores) = scores.collect::<Option<Vec<_>>>() else { return false };
        for (first, second, halves) in scores {
            self.scores[first] += halves;
            self.scores[second] += 2 * self.games - halves;
            *self.met.entry((first, second)).or_default() += 1;
        }
        self.meetings.clear();
        self.played += 1;
        self.next = 0;
        true
    }

    /// Makes the meetings of the next round.
    fn pair(&mut self) {
        let mut order: Vec<usize> = (0..self.entrants).collect();
        // The sort is stable: an entrant that was named earlier comes first.
        order.sort_by_key(|&entrant| std::cmp::Reverse(self.scores[entrant]));
        if self.entrants % 2 == 1 {
            let resting = order.iter().rposition(|&entrant| !self.rested[entrant]);
            let entrant = order.remove(resting.unwrap_or(self.entrants - 1));
            self.rested[entrant] = true;
            self.scores[entrant] += 2 * self.games;
            self.resting = Some(entrant);
        }
        let meeting = |one: usize, other: usize| {
            let (first, second) = (order[one].min(order[other]), order[one].max(order[other]));
            (first, second, self.met.get(&(first, second)).copied().unwrap_or_default())
        };
        // Each meets the next one in the order whom it has not met more than `repeats` times.
        let pairs = (0..).find_map(|repeats| first_pairs(order.len(), &|one, other| meeting(one, other).2 <= repeats));
        let meetings = pairs.into_iter().flatten().map(|(one, other)| meeting(one, other));
        self.meetings = meetings.map(|(first, second, times)| (first, second, times * self.games)).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameResult;
    use crate::formats::plan::play_out;
    use rand::RngExt;

    fn played(rounds: &mut SwissRounds, score: impl FnMut(Fixture) -> GameResult) -> Vec<Fixture> {
        play_out(|results| rounds.next(results), [1, 0], score).0
    }

    #[test]
    fn winners_meet_winners_and_nobody_meets_twice() {
        let games = played(&mut SwissRounds::new(8, 2, None), |_| GameResult::Win);
        assert!(games.iter().all(|game| game.number < 2), "a second meeting: {games:?}");
        let meetings: Vec<_> =
            games.iter().filter(|game| game.number == 0).map(|game| (game.first, game.second)).collect();
        assert_eq!(meetings.len(), 5 * 4, "five rounds of four meetings");
        assert_eq!(meetings[..4], [(0, 1), (2, 3), (4, 5), (6, 7)]);
        assert_eq!(meetings[4..8], [(0, 2), (4, 6), (1, 3), (5, 7)], "winners with winners, losers with losers");
    }

    #[test]
    fn a_round_waits_for_its_last_game() {
        let mut rounds = SwissRounds::new(4, 2, Some(2));
        let mut results = Results::default();
        let games: Vec<Fixture> = (0..4)
            .map(|_| match rounds.next(&results) {
                NextGame::Play(fixture) => fixture,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(rounds.next(&results), NextGame::Wait);
        games.iter().for_each(|game| assert!(results.add(*game, GameResult::Draw, [0, 0])));
        assert!(matches!(rounds.next(&results), NextGame::Play(Fixture { number: 0, .. })));
    }

    #[test]
    fn with_an_odd_number_everybody_rests_once_before_anybody_rests_twice() {
        let games = played(&mut SwissRounds::new(5, 2, Some(5)), |_| GameResult::Draw);
        for entrant in 0..5 {
            assert_eq!(games.iter().filter(|game| game.seated().contains(&entrant)).count(), 8, "{entrant}");
        }
    }

    #[test]
    fn when_everybody_has_met_they_meet_again_with_new_games() {
        let games = played(&mut SwissRounds::new(2, 2, Some(3)), |_| GameResult::Win);
        assert_eq!(games.iter().map(|game| game.number).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn many_rounds_of_many_are_paired_soon() {
        let mut rounds = SwissRounds::new(40, 2, Some(60));
        let mut random = rules::random(1);
        let games = played(&mut rounds, |_| if random.random_bool(0.7) { GameResult::Win } else { GameResult::Loss });
        assert_eq!(games.len(), 60 * 20 * 2);
        assert!(rounds.met.values().all(|times| (1..=3).contains(times)), "{:?}", rounds.met);
    }
}
