//! Ratings of many bots from the pairs they played.

use crate::pairs::PairingResult;
use crate::strength::bradley_terry::strengths;
use crate::strength::elo::ELO_PER_LOG_ODDS;
use crate::strength::normal::{DEVIATIONS_95, below};
use crate::strength::rated_pairings::{Covariance, RatedPairings, ZeroPoints};

/// The rating of one bot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// Its rating in Elo.
    pub elo: f64,
    /// Half the width of the 95 % interval; 0 for the anchor, `None` for a bot without pairs.
    pub error: Option<f64>,
    /// Bots that are linked by pairs, directly or through others, have the same number. Ratings of different groups must
    /// not be compared.
    pub group: usize,
    /// The pairs it played.
    pub pairs: u64,
}

/// The ratings of all bots of a tournament, in Elo.
///
/// ```
/// use tournament::{PairingResult, Pentanomial, Ratings};
///
/// let met = |first, second, counts| PairingResult { first, second, pairs: Pentanomial::new(counts) };
/// let results = [met(0, 1, [1, 2, 5, 8, 4]), met(1, 2, [0, 3, 6, 7, 4])];
/// let ratings = Ratings::of(3, &results, None);
/// assert!(ratings.all()[0].elo > ratings.all()[1].elo);
/// assert!(ratings.superiority(0, 2).is_some_and(|likelihood| likelihood > 0.9));
/// ```
///
/// Ratings are those of Bradley and Terry that make the points of all pairs most likely, a draw being half a point. Every
/// bot is given one drawn game more, spread over the opponents it met, so that ratings are finite at 0 % and 100 %.
///
/// Bars and likelihoods come from the sandwich estimator of the covariance (White 1980), with pairs of games as the
/// observations (and that added game, a fifth of it in each kind of result); 1.96 standard deviations are the bar. The two
/// games of a pair count as one observation, so bars are right however much they depend on each other.
///
/// The mean of every group of linked bots is 0. With an anchor, its group is moved so that it has the wanted rating, and
/// all bars of that group are those of the difference to it. Groups that never met cannot be compared: their bots have
/// no likelihood of superiority over each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    ratings: Vec<Rating>,
    covariance: Covariance,
}

impl Ratings {
    /// Rates bots 0 to `bots - 1`. A pairing may be given in parts and either way round. `anchor` is a bot and the rating in
    /// Elo that it has; without one the mean of all is 0.
    ///
    /// # Panics
    /// If a result with pairs, or the anchor, names a bot that does not exist, or a result is that of a bot against itself.
    pub fn of(bots: usize, results: &[PairingResult], anchor: Option<(usize, f64)>) -> Ratings {
        let played = RatedPairings::new(bots, results);
        let level = ZeroPoints::new(played.groups(), anchor);

        let mut found = strengths(&played.points(), bots);
        level.apply(&mut found);
        let covariance = played.covariance(&found, &level);
        let rating = |bot: usize| {
            let (group, pairs) = (level.groups[bot], played.pairs_of[bot]);
            if let Some((_, elo)) = anchor.filter(|(anchor, _)| *anchor == bot) {
                return Rating { elo, error: Some(0.0), group, pairs };
            }
            let error = DEVIATIONS_95 * ELO_PER_LOG_ODDS * covariance.of(bot).sqrt();
            Rating { elo: found[bot] * ELO_PER_LOG_ODDS, error: (pairs > 0).then_some(error), group, pairs }
        };
        Ratings { ratings: (0..bots).map(rating).collect(), covariance }
    }

    /// The rating of every bot, by index.
    pub fn all(&self) -> &[Rating] {
        &self.ratings
    }

    /// The lead of `one` over `other` and its variance, in log odds, as if all games were independent; `None` if no games link them.
    pub(crate) fn lead(&self, one: usize, other: usize) -> Option<(f64, f64)> {
        let [one_rating, other_rating] = [one, other].map(|bot| &self.ratings[bot]);
        let lead = (one_rating.elo - other_rating.elo) / ELO_PER_LOG_ODDS;
        let is_linked = one_rating.group == other_rating.group;
        is_linked.then(|| (lead, self.covariance.of_difference_by_model(one, other)))
    }

    /// The probability, from 0 to 1, that `one` is stronger than `other`; `None` if no games link them.
    pub fn superiority(&self, one: usize, other: usize) -> Option<f64> {
        if one == other || self.ratings[one].group != self.ratings[other].group {
            return None;
        }
        let variance = self.covariance.of_difference(one, other);
        let lead = (self.ratings[one].elo - self.ratings[other].elo) / ELO_PER_LOG_ODDS;
        Some(if lead == 0.0 { 0.5 } else { below(lead / variance.sqrt()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::Pentanomial;

    fn result(first: usize, second: usize, counts: [u64; 5]) -> PairingResult {
        PairingResult { first, second, pairs: Pentanomial::new(counts) }
    }

    fn rated(bots: usize, results: &[PairingResult]) -> Ratings {
        Ratings::of(bots, results, None)
    }

    #[test]
    fn two_bots_are_as_far_apart_as_their_match_says() {
        let counts = [34, 54, 63, 64, 75];
        let ratings = rated(2, &[result(0, 1, counts)]);
        let [one, other] = ratings.all() else { panic!("two bots") };
        let estimate = crate::Estimate::of_pairs(&Pentanomial::new(counts));
        assert!((one.elo - other.elo - estimate.elo()).abs() < 0.2, "{ratings:?}");
        assert!((one.elo + other.elo).abs() < 1e-6);
        assert!((2.0 * one.error.unwrap() - estimate.error()).abs() < 2.5, "{ratings:?}");
        assert!((ratings.superiority(0, 1).unwrap() - estimate.superiority()).abs() < 1e-3);
        assert!(one.elo > other.elo);
    }

    #[test]
    fn a_rating_and_a_comparison_of_few_games_are_as_sure() {
        for counts in [[5, 0, 0, 0, 0], [0, 0, 0, 0, 1], [0, 0, 0, 0, 20], [1, 0, 2, 0, 7], [0, 0, 9, 0, 0]] {
            let estimate = crate::Estimate::of_pairs(&Pentanomial::new(counts));
            let rated = rated(2, &[result(0, 1, counts)]).superiority(0, 1).unwrap();
            assert!((rated - estimate.superiority()).abs() < 1e-3, "{counts:?}: {rated} and {estimate:?}");
        }
    }

    #[test]
    fn a_pairing_may_be_given_in_parts_and_either_way_round() {
        let whole = rated(3, &[result(0, 1, [1, 2, 3, 4, 5]), result(1, 2, [5, 5, 5, 5, 9])]);
        let parts = [result(1, 0, [3, 4, 3, 0, 1]), result(2, 1, [9, 5, 5, 5, 5]), result(0, 1, [0, 2, 0, 0, 2])];
        assert_eq!(rated(3, &parts), whole);
    }

    #[test]
    fn bots_that_won_or_lost_everything_have_finite_ratings_and_wide_bars() {
        let all = [0, 0, 0, 0, 20];
        let ratings = rated(3, &[result(0, 1, all), result(0, 2, all), result(1, 2, all)]);
        let [best, middle, last] = ratings.all() else { panic!("three bots") };
        assert!(best.elo > middle.elo + 300.0 && middle.elo > last.elo + 300.0, "{ratings:?}");
        assert!(best.elo < 2000.0 && last.elo > -2000.0, "{ratings:?}");
        assert!(best.error.unwrap() > 80.0 && best.error.unwrap() < 1000.0, "{ratings:?}");
        assert!(ratings.superiority(0, 1).unwrap() > 0.99);
    }

    #[test]
    fn one_pair_for_each_pairing_still_has_bars() {
        let won = [0, 0, 0, 0, 1];
        let ratings = rated(3, &[result(0, 1, won), result(1, 2, won), result(2, 0, won)]);
        for rating in ratings.all() {
            assert!(rating.elo.abs() < 1e-6 && rating.error.unwrap() > 100.0, "{rating:?}");
        }
    }

    #[test]
    fn groups_that_never_met_are_not_compared() {
        let ratings = rated(5, &[result(0, 1, [0, 0, 5, 5, 5]), result(2, 3, [9, 9, 9, 0, 0])]);
        let groups: Vec<usize> = ratings.all().iter().map(|rating| rating.group).collect();
        assert_eq!(groups, [0, 0, 2, 2, 4]);
        assert_eq!(ratings.superiority(0, 2), None);
        assert!(ratings.superiority(3, 2).unwrap() > 0.5);
        assert!((ratings.all()[2].elo + ratings.all()[3].elo).abs() < 1e-6);
        let idle = ratings.all()[4];
        assert_eq!((idle.elo, idle.error, idle.pairs), (0.0, None, 0));
    }

    #[test]
    fn the_anchor_has_its_rating_and_others_their_bar_to_it() {
        let results = [result(0, 1, [1, 2, 3, 4, 5]), result(1, 2, [5, 5, 5, 5, 9]), result(3, 4, [1, 1, 1, 1, 9])];
        let anchored = Ratings::of(5, &results, Some((2, 1500.0)));
        let free = rated(5, &results);
        assert!((anchored.all()[2].elo, anchored.all()[2].error) == (1500.0, Some(0.0)));
        let lead = |ratings: &Ratings| ratings.all()[0].elo - ratings.all()[1].elo;
        assert!((lead(&anchored) - lead(&free)).abs() < 1e-6);
        assert!(anchored.all()[0].error > free.all()[0].error);
        assert!((anchored.superiority(0, 1).unwrap() - free.superiority(0, 1).unwrap()).abs() < 1e-5);
        assert_eq!(anchored.all()[3].elo, free.all()[3].elo);
    }

    #[test]
    fn superiority_is_shared_between_two_bots() {
        let ratings = rated(3, &[result(0, 1, [1, 2, 3, 4, 5]), result(1, 2, [5, 5, 5, 5, 9])]);
        for (one, other) in [(0, 1), (1, 2), (0, 2)] {
            let sum = ratings.superiority(one, other).unwrap() + ratings.superiority(other, one).unwrap();
            assert!((sum - 1.0).abs() < 1e-12);
        }
        assert_eq!(ratings.superiority(1, 1), None);
    }

    #[test]
    fn ten_to_the_ninth_pairs_are_no_more_work_than_ten() {
        let many = 1_000_000_000;
        let ratings =
            rated(3, &[result(0, 1, [many; 5]), result(1, 2, [0, 0, 0, 0, many]), result(0, 2, [0, 1, 2, 3, many])]);
        assert!(ratings.all().iter().all(|rating| rating.elo.is_finite() && rating.error.unwrap().is_finite()));
    }
}
