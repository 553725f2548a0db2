//! The ratings of a ladder, whose entrants come and go.

use crate::{GameResult, PairingResult, Pentanomial, Rating, Ratings, Results};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The ratings of those that play on a ladder.
///
/// Games against entrants that play no more tell something about those that do, so they count. The time of a fit grows with the cube
/// of those that are rated (9 s for 2,000), so of the retired ones only those are rated, and their games counted, that have the most
/// games against active ones.
///
/// ```
/// use tournament::{Fixture, GameResult, LadderRatings, Results};
///
/// let mut results = Results::default();
/// for number in 0..2 {
///     results.add(Fixture { first: 0, second: 1, number }, GameResult::Win, [10, 5]);
///     results.add(Fixture { first: 1, second: 2, number }, GameResult::Win, [10, 5]);
/// }
/// results.retire(1);
/// let rated = LadderRatings::of(3, &results);
/// assert_eq!(rated.active(), [0, 2]);
/// // They have not met; what is known comes from games against the retired one.
/// assert!(rated.ratings().all()[0].elo > rated.ratings().all()[1].elo);
/// ```
#[derive(Debug, Clone)]
pub struct LadderRatings {
    /// The entrants that are rated: the active ones in the order of their numbers, then others.
    rated: Vec<usize>,
    active: usize,
    ratings: Ratings,
    /// Made when it is asked for: its time grows with the active ones and with the pairings.
    places: OnceLock<Vec<LadderPlace>>,
}

/// The place of an active entrant on a ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LadderPlace {
    /// Its position in [`LadderRatings::active`].
    pub at: usize,
    /// The place, counted from 1.
    pub place: usize,
    /// True if it shares the place: the games do not tell it apart from a neighbour with 97.5 %.
    pub is_tied: bool,
}

impl LadderRatings {
    /// The probability to be stronger than the next one from which on two have different places.
    const APART: f64 = 0.975;
    /// The most entrants that are rated if some of them are retired.
    pub const MOST: usize = 500;

    /// The ratings of so many entrants by their results.
    pub fn of(entrants: usize, results: &Results) -> LadderRatings {
        let mut rated: Vec<usize> = (0..entrants).filter(|entrant| !results.is_retired(*entrant)).collect();
        let active = rated.len();
        let is_active = |entrant: usize| rated.binary_search(&entrant).is_ok();
        let mut met: BTreeMap<usize, usize> = BTreeMap::new();
        for ((first, second), scores) in results.pairings() {
            match [first, second].map(is_active) {
                [true, false] => *met.entry(second).or_default() += scores.len(),
                [false, true] => *met.entry(first).or_default() += scores.len(),
                _ => {}
            }
        }
        let mut met: Vec<(usize, usize)> = met.into_iter().collect();
        met.sort_by_key(|(entrant, games)| (std::cmp::Reverse(*games), *entrant));
        rated.extend(met.into_iter().map(|(entrant, _)| entrant).take(LadderRatings::MOST.saturating_sub(active)));

        let at: BTreeMap<usize, usize> = rated.iter().copied().zip(0..).collect();
        let result = |((first, second), scores): ((usize, usize), &[Option<GameResult>])| {
            let (first, second) = (*at.get(&first)?, *at.get(&second)?);
            let mut pairs = Pentanomial::default();
            for pair in scores.chunks_exact(2) {
                if let [Some(one), Some(other)] = *pair {
                    pairs.count(one, other);
                }
            }
            Some(PairingResult { first, second, pairs })
        };
        let played: Vec<PairingResult> = results.pairings().filter_map(result).collect();
        let ratings = Ratings::of(rated.len(), &played, None);
        LadderRatings { rated, active, ratings, places: OnceLock::new() }
    }

    /// The numbers of the entrants that play on. The rating of the first is the first of [`LadderRatings::ratings`], and so on.
    pub fn active(&self) -> &[usize] {
        &self.rated[..self.active]
    }

    /// The places of the active ones, the best first. Those without games come last, each with a place of its own, since nothing is known
    /// of them.
    pub fn places(&self) -> &[LadderPlace] {
        self.places.get_or_init(|| {
            let all = self.ratings.all();
            let mut order: Vec<usize> = (0..self.active).collect();
            order.sort_by(|one, other| {
                let [one, other] = [one, other].map(|at| &all[*at]);
                one.error.is_none().cmp(&other.error.is_none()).then(other.elo.total_cmp(&one.elo))
            });
            let mut places: Vec<LadderPlace> = Vec::new();
            for (index, at) in order.into_iter().enumerate() {
                let apart = |last: &LadderPlace| {
                    let sure = self.ratings.superiority(last.at, at);
                    all[at].error.is_none() || sure.is_some_and(|sure| sure >= LadderRatings::APART)
                };
                match places.last_mut().filter(|last| !apart(last)) {
                    Some(last) => {
                        last.is_tied = true;
                        let place = last.place;
                        places.push(LadderPlace { at, place, is_tied: true });
                    }
                    None => places.push(LadderPlace { at, place: index + 1, is_tied: false }),
                }
            }
            places
        })
    }

    /// The rating of an entrant, if it is rated.
    pub fn rating_of(&self, entrant: usize) -> Option<&Rating> {
        let at = self.rated.iter().position(|rated| *rated == entrant)?;
        Some(&self.ratings.all()[at])
    }

    /// The ratings of all that are rated, the active ones first. The mean of all is 0.
    pub fn ratings(&self) -> &Ratings {
        &self.ratings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fixture;

    #[test]
    fn places_are_shared_where_games_tell_too_little() {
        let mut results = Results::default();
        // 0 beats 1 always, 1 and 2 draw, and 3 has not played.
        for number in 0..40 {
            results.add(Fixture { first: 0, second: 1, number }, GameResult::Win, [1, 1]);
            results.add(Fixture { first: 1, second: 2, number }, GameResult::Draw, [1, 1]);
        }
        let rated = LadderRatings::of(4, &results);
        let places: Vec<_> = rated.places().iter().map(|one| (one.at, one.place, one.is_tied)).collect();
        assert_eq!((places[0], places[3]), ((0, 1, false), (3, 4, false)));
        assert!(places[1..3].iter().all(|(_, place, is_tied)| (*place, *is_tied) == (2, true)), "{places:?}");
    }

    #[test]
    fn the_retired_who_met_the_active_most_often_are_rated_with_them() {
        let entrants = LadderRatings::MOST + 10;
        let mut results = Results::default();
        // Each but the first two is retired; the higher its number the more games it has against the first.
        for retired in 2..entrants {
            for number in 0..2 * (1 + retired as u32 / 100) {
                results.add(Fixture { first: 0, second: retired, number }, GameResult::Draw, [1, 1]);
            }
            results.retire(retired);
        }
        let rated = LadderRatings::of(entrants, &results);
        assert_eq!((rated.active(), rated.ratings().all().len()), (&[0, 1][..], LadderRatings::MOST));
        assert!(!rated.rated.contains(&99) && rated.rated.contains(&(entrants - 1)), "{:?}", rated.rated);
    }
}
