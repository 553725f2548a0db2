//! The results of the games so far, as a plan needs them.

use crate::{Fixture, GameLine, GameResult};
use rules::Seat;
use std::collections::BTreeMap;

/// The results of a tournament by pairings. A game takes one byte.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Results {
    pairings: BTreeMap<(usize, usize), Pairing>,
    games: u64,
    /// The entrants that play no more games, in the order in which they were retired.
    retired: Vec<usize>,
    /// The time of the answers of each entrant, in milliseconds.
    spent: Vec<u64>,
    /// The entrants that have entered in the place of others, by the numbers of those.
    successors: BTreeMap<usize, usize>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Pairing {
    scores: Vec<Option<GameResult>>,
    /// The points of both that decide a tie.
    points: [u64; 2],
}

impl Results {
    /// Adds a finished game; of two reports of one game the first counts. Tells whether it was new.
    pub fn add_game(&mut self, line: &GameLine) -> bool {
        let points = line.fixture.tie_points(&line.outcome);
        let is_new = self.add(line.fixture, line.fixture.result(&line.outcome), points);
        for (seat, entrant) in [Seat::A, Seat::B].into_iter().zip(line.fixture.seated()).filter(|_| is_new) {
            if self.spent.len() <= entrant {
                self.spent.resize(entrant + 1, 0);
            }
            let times = line.players[seat].times.as_ref();
            self.spent[entrant] += times.map_or(0, |times| times.total().as_millis() as u64);
        }
        is_new
    }

    /// The time of the answers of an entrant, in milliseconds.
    pub(crate) fn spent(&self, entrant: usize) -> u64 {
        self.spent.get(entrant).copied().unwrap_or_default()
    }

    /// Adds a game with its score for the first entrant and the points of both, the first entrant's first. Of two reports
    /// of one game the first counts. Tells whether it was new.
    pub fn add(&mut self, fixture: Fixture, score: GameResult, points: [u64; 2]) -> bool {
        let pairing = self.pairings.entry((fixture.first, fixture.second)).or_default();
        let at = fixture.number as usize;
        if pairing.scores.len() <= at {
            pairing.scores.resize(at + 1, None);
        }
        if pairing.scores[at].is_some() {
            return false;
        }
        pairing.scores[at] = Some(score);
        pairing.points[0] += points[0];
        pairing.points[1] += points[1];
        self.games += 1;
        true
    }

    /// The result of a game; `None` if it was not played yet.
    pub fn score(&self, fixture: Fixture) -> Option<GameResult> {
        *self.pairings.get(&(fixture.first, fixture.second))?.scores.get(fixture.number as usize)?
    }

    /// Ends the games of an entrant: those that it has not played are not played.
    pub fn retire(&mut self, entrant: usize) {
        if !self.is_retired(entrant) {
            self.retired.push(entrant);
        }
    }

    /// Lets an entrant play on that was retired.
    pub fn come_back(&mut self, entrant: usize) {
        self.retired.retain(|retired| *retired != entrant);
        self.successors.remove(&entrant);
    }

    /// Ends the games of an entrant in whose place `new` has entered.
    pub fn replace(&mut self, old: usize, new: usize) {
        self.retire(old);
        self.successors.insert(old, new);
    }

    /// The entrant and those that have entered in its place one after another; the last one plays.
    pub(crate) fn versions(&self, entrant: usize) -> Vec<usize> {
        std::iter::successors(Some(entrant), |entrant| self.successors.get(entrant).copied()).collect()
    }

    /// The first of the entrants that have entered one in the place of another, of which this is one.
    pub(crate) fn seed(&self, entrant: usize) -> usize {
        let before = |entrant: &usize| self.successors.iter().find(|(_, new)| *new == entrant).map(|(old, _)| *old);
        std::iter::successors(Some(entrant), before).last().unwrap_or(entrant)
    }

    /// True if the entrant has entered in the place of another.
    pub(crate) fn is_successor(&self, entrant: usize) -> bool {
        self.successors.values().any(|new| *new == entrant)
    }

    /// True if the entrant plays no more games.
    pub fn is_retired(&self, entrant: usize) -> bool {
        self.retired.contains(&entrant)
    }

    /// The number of entrants that were retired before this one; `None` if it plays on.
    pub(crate) fn retired_at(&self, entrant: usize) -> Option<usize> {
        self.retired.iter().position(|retired| *retired == entrant)
    }

    /// The result of a game as a plan sees it; `None` if it is still to be played. A game that is not played because an entrant
    /// is retired is won by the other, and drawn if both are. Such games have no other effect than on who meets whom.
    pub(crate) fn decided(&self, fixture: Fixture) -> Option<GameResult> {
        let walkover = match [fixture.first, fixture.second].map(|entrant| self.is_retired(entrant)) {
            [false, false] => None,
            [true, false] => Some(GameResult::Loss),
            [false, true] => Some(GameResult::Win),
            [true, true] => Some(GameResult::Draw),
        };
        self.score(fixture).or(walkover)
    }

    /// The number of games, of the first `games` of a pairing, that were played or are still to be played.
    pub(crate) fn played_at_last(&self, first: usize, second: usize, games: u32) -> u64 {
        let fixtures = (0..games).map(|number| Fixture { first, second, number });
        fixtures.filter(|fixture| self.score(*fixture).is_some() || self.decided(*fixture).is_none()).count() as u64
    }

    /// The scores of these games of a pairing, in half points for its first entrant; `None` if one is still to be played.
    pub fn halves(&self, first: usize, second: usize, games: std::ops::Range<u32>) -> Option<u32> {
        games.map(|number| Some(self.decided(Fixture { first, second, number })?.half_points())).sum()
    }

    /// The points of both in all their games that decide a tie ([`Fixture::tie_points`]).
    pub fn points(&self, first: usize, second: usize) -> [u64; 2] {
        self.pairings.get(&(first, second)).map_or([0, 0], |pairing| pairing.points)
    }

    /// The results of all pairings by the numbers of their games, as far as there are some.
    pub(crate) fn pairings(&self) -> impl Iterator<Item = ((usize, usize), &[Option<GameResult>])> {
        self.pairings.iter().map(|(pairing, played)| (*pairing, &played.scores[..]))
    }

    /// The number of games that were played.
    pub fn games(&self) -> u64 {
        self.games
    }
}
