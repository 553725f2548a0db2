//! The knockout format: the loser of a meeting is out. The bracket is seeded by the order of the entrants, so the
//! first and the second can meet in the last meeting only. If their number is not a power of two, the first ones
//! begin a round later.
//!
//! A tied meeting goes on by pairs of games, ten at most; then the points made in its games decide, then the order.

use crate::{Fixture, NextGame, Results, ScoreTable, WinDrawLoss};

/// The bracket, with the entrants who are still in.
#[derive(Debug, Clone)]
pub(crate) struct Bracket {
    entrants: usize,
    games: u32,
    /// The seeds of the present round; neighbours meet. `None` lets the neighbour through. Empty before the first game.
    round: Vec<Option<usize>>,
    /// The number of scheduled games of each meeting.
    given: Vec<u32>,
}

/// The number of extra pairs after which a tie is no longer played on.
const MORE_PAIRS: u32 = 10;

impl Bracket {
    pub(crate) fn new(entrants: usize, games: u32) -> Bracket {
        Bracket { entrants, games, round: Vec::new(), given: Vec::new() }
    }

    pub(crate) fn next(&mut self, results: &Results) -> NextGame {
        if self.round.is_empty() {
            self.round = places(results, self.entrants);
            self.given = vec![0; self.round.len() / 2];
        }
        loop {
            if self.round.len() < 2 {
                return NextGame::Done;
            }
            let mut winners = Vec::new();
            let mut waiting = false;
            // The pairs of all meetings are scheduled by turns.
            let mut order: Vec<usize> = (0..self.given.len()).collect();
            order.sort_by_key(|&meeting| self.given[meeting] / 2);
            for at in order {
                let [one, other] = [self.round[2 * at], self.round[2 * at + 1]];
                let (Some(one), Some(other)) = (one, other) else {
                    winners.push((at, one.or(other)));
                    continue;
                };
                // A meeting is examined only after all its games are scheduled, because that scans every game; unless somebody has
                // left, so that it may be decided without them.
                let is_plain = [one, other].iter().all(|seed| !results.is_retired(*seed));
                let winner = loop {
                    let examined = (!is_plain || self.given[at] >= self.games)
                        .then(|| Meeting::of(results, self.games, [one, other]));
                    let (pair, wanted) = match &examined {
                        Some(Meeting { winner: Some(winner), .. }) => break Some(*winner),
                        Some(meeting) => (meeting.pair, meeting.games),
                        None => ([one.min(other), one.max(other)], self.games),
                    };
                    while self.given[at] < wanted {
                        let fixture = Fixture { first: pair[0], second: pair[1], number: self.given[at] };
                        self.given[at] += 1;
                        if results.score(fixture).is_none() {
                            return NextGame::Play(fixture);
                        }
                    }
                    if examined.is_some() {
                        break None;
                    }
                };
                waiting |= winner.is_none();
                winners.push((at, winner));
            }
            if waiting {
                return NextGame::Wait;
            }
            winners.sort_unstable();
            self.round = winners.into_iter().map(|(_, winner)| winner).collect();
            self.given = vec![0; self.round.len() / 2];
        }
    }

    /// True if the entrant may still win: it has not lost a meeting, and the tournament is not over.
    pub(crate) fn has(&self, results: &Results, entrant: usize) -> bool {
        let mut rest = self.clone();
        while let NextGame::Play(_) = rest.next(results) {}
        let is_it = |seed: usize| results.versions(seed).last() == Some(&entrant);
        rest.round.len() > 1
            && rest.round.chunks(2).any(|pair| match *pair {
                [Some(one), Some(other)] if is_it(one) || is_it(other) => {
                    Meeting::of(results, self.games, [one, other]).winner.is_none_or(is_it)
                }
                [one, other] => one.or(other).is_some_and(is_it),
                _ => false,
            })
    }
}

/// A meeting as far as it has been played: the plan and all tables go by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Meeting {
    /// The entrants that play it, or have played it to its end, the one of the lower number first.
    pub(crate) pair: [usize; 2],
    /// The number of its games that is known so far: two more for every tie.
    pub(crate) games: u32,
    /// The seed that goes on; `None` if that is not known yet.
    pub(crate) winner: Option<usize>,
}

impl Meeting {
    /// The meeting of two seeds, with so many games if it is not tied. Where an entrant has entered in the place of another, the two
    /// that have played the meeting to its end count; if no two have, the last ones play it, from its first game. Whoever meets an
    /// entrant that is retired before all games are played goes on; of two that are, the one that was retired last.
    pub(crate) fn of(results: &Results, games: u32, seeds: [usize; 2]) -> Meeting {
        let versions = seeds.map(|seed| results.versions(seed));
        let pairs = versions[0].iter().flat_map(|one| versions[1].iter().map(|other| [*one, *other]));
        let played = |pair: [usize; 2]| {
            let meeting = Meeting { pair: [pair[0].min(pair[1]), pair[0].max(pair[1])], games, winner: None };
            Meeting { games: meeting.wanted(results), ..meeting }
        };
        let mut present = None;
        for pair in pairs {
            let meeting = played(pair);
            let [first, second] = meeting.pair;
            let scores = (0..meeting.games).map(|number| results.score(Fixture { first, second, number }));
            if let Some(games) = scores.collect::<Option<WinDrawLoss>>() {
                let is_ahead = is_ahead(games, results.points(first, second));
                return Meeting { winner: Some(seeds[usize::from((pair[0] == first) != is_ahead)]), ..meeting };
            }
            // One that was retired later had gone on before.
            let winner = match pair.map(|entrant| results.retired_at(entrant)) {
                [None, None] => None,
                [one, other] => Some(seeds[usize::from(one.is_some_and(|one| other.is_none_or(|other| one < other)))]),
            };
            present = Some(Meeting { winner, ..meeting });
        }
        present.expect("each seed has an entrant")
    }

    fn wanted(&self, results: &Results) -> u32 {
        let [first, second] = self.pair;
        let most = self.games.saturating_add(2 * MORE_PAIRS);
        let halves = |number| Some(results.score(Fixture { first, second, number })?.half_points());
        let is_tied = |games: u32| (0..games).map(halves).sum::<Option<u32>>() == Some(games);
        (self.games..most).step_by(2).find(|games| !is_tied(*games)).unwrap_or(most)
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

/// The seeds of so many entrants in the order of the bracket. A seed is the number of an entrant; one that has entered in the place of
/// another has the seed of that.
pub(crate) fn places(results: &Results, entrants: usize) -> Vec<Option<usize>> {
    let seeds: Vec<usize> = (0..entrants).filter(|entrant| !results.is_successor(*entrant)).collect();
    order(seeds.len()).into_iter().map(|at| seeds.get(at).copied()).collect()
}

/// The round, counted from 1, in which two meet if both come so far, by their places among the seeds.
pub(crate) fn round_of(seeds: usize, one: usize, other: usize) -> u32 {
    let order = order(seeds);
    let place = |wanted| order.iter().position(|&seed| seed == wanted).unwrap_or_default();
    usize::BITS - (place(one) ^ place(other)).leading_zeros()
}

/// Tells of two that have met whether each goes on to the next round, or would by the games so far. Neither does where one of them was
/// replaced before the meeting was over.
pub(crate) fn have_gone_on(table: &ScoreTable, first: usize, second: usize) -> [bool; 2] {
    let results = table.results();
    let seeds = [first, second].map(|entrant| results.seed(entrant));
    let meeting = Meeting::of(results, games_of(table), seeds);
    if meeting.pair != [first, second] {
        return [false, false];
    }
    let ahead = || is_ahead(table.between(first, second), results.points(first, second));
    let goes_on = meeting.winner.map_or_else(ahead, |winner| winner == seeds[0]);
    [goes_on, !goes_on]
}

/// The number of games of a meeting that is not tied. The header has it; in a journal of an older version, that is the least number of a
/// meeting of a round before the last that has begun.
pub(crate) fn games_of(table: &ScoreTable) -> u32 {
    let round = |pair: &(usize, usize)| round_of(table.entrants().len(), pair.0, pair.1);
    let begun = table.pairings().keys().map(round).max().unwrap_or_default();
    let before = || {
        table.pairings().iter().filter(|(pair, _)| round(pair) < begun).map(|(_, row)| row.games.games() as u32).min()
    };
    table.event().games.or_else(before).unwrap_or(u32::MAX)
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
