//! The pairings that were played, with the added games that keep ratings finite, and the covariance of their strengths.

use crate::pairs::{PairingResult, Pentanomial};
use crate::strength::bradley_terry::{Points, curvature, expected};
use crate::strength::cholesky::Cholesky;
use crate::strength::elo::ELO_PER_LOG_ODDS;
use std::collections::BTreeMap;

/// The drawn game that is added for each bot, as a number of pairs.
const ADDED: f64 = 0.5;

/// The pairings with at least one pair, each once.
pub(crate) struct RatedPairings {
    pairings: Vec<RatedPairing>,
    /// The pairs that each bot played.
    pub(crate) pairs_of: Vec<u64>,
}

struct RatedPairing {
    first: usize,
    second: usize,
    counts: [u64; 5],
    /// The number of drawn pairs that are added.
    added: f64,
}

impl RatedPairings {
    pub(crate) fn new(bots: usize, results: &[PairingResult]) -> RatedPairings {
        let mut merged: BTreeMap<(usize, usize), Pentanomial> = BTreeMap::new();
        for result in results.iter().filter(|result| result.pairs.pairs() > 0) {
            assert_ne!(result.first, result.second, "a bot has no results against itself");
            let turned = result.first > result.second;
            let pairs = if turned { result.pairs.swapped() } else { result.pairs };
            let bots = if turned { (result.second, result.first) } else { (result.first, result.second) };
            *merged.entry(bots).or_default() += pairs;
        }
        let mut pairs_of = vec![0; bots];
        for (&(one, other), pairs) in &merged {
            pairs_of[one] += pairs.pairs();
            pairs_of[other] += pairs.pairs();
        }
        let share = |bot: usize, pairs: u64| ADDED * pairs as f64 / pairs_of[bot] as f64;
        let pairing = |(&(first, second), pairs): (&(usize, usize), &Pentanomial)| {
            let added = (share(first, pairs.pairs()) + share(second, pairs.pairs())) / 2.0;
            RatedPairing { first, second, counts: pairs.counts(), added }
        };
        RatedPairings { pairings: merged.iter().map(pairing).collect(), pairs_of }
    }

    /// The points of all pairings, with the added games.
    pub(crate) fn points(&self) -> Vec<Points> {
        let points = |&RatedPairing { first, second, counts, added }: &RatedPairing| {
            let points: u64 = counts.iter().zip(0..).map(|(pairs, half_points)| pairs * half_points).sum();
            let games = 2 * counts.iter().sum::<u64>();
            Points { first, second, games: games as f64 + 2.0 * added, points: points as f64 / 2.0 + added }
        };
        self.pairings.iter().map(points).collect()
    }

    /// For each bot, the lowest index in its group of linked bots.
    pub(crate) fn groups(&self) -> Vec<usize> {
        let mut groups: Vec<usize> = (0..self.pairs_of.len()).collect();
        loop {
            let before = groups.clone();
            for &RatedPairing { first, second, .. } in &self.pairings {
                let lowest = groups[first].min(groups[second]);
                (groups[first], groups[second]) = (lowest, lowest);
            }
            if groups == before {
                return groups;
            }
        }
    }

    /// The covariance of the strengths that were found: the sandwich estimator (White 1980) with pairs of games as the
    /// independent observations. `level` says which strength of each group is fixed.
    pub(crate) fn covariance(&self, found: &[f64], level: &ZeroPoints) -> Covariance {
        let bots = self.pairs_of.len();
        let bread = Cholesky::of(bots, &curvature(&self.points(), found));
        let inverse = (0..bots).map(|bot| bread.solve(&level.lead_of(bot))).collect();
        let surplus = |&RatedPairing { first, second, counts, added }: &RatedPairing| {
            let share = expected(found[first] - found[second]);
            let squares = counts.iter().zip(0..).map(|(&pairs, half_points)| {
                (pairs as f64 + added / 5.0) * (f64::from(half_points) / 2.0 - 2.0 * share).powi(2)
            });
            (first, second, squares.sum())
        };
        Covariance { inverse, surplus: self.pairings.iter().map(surplus).collect() }
    }
}

/// The covariance of strengths, in squared log odds, as the product of its factors: the product itself would take the
/// time of bots cubed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Covariance {
    /// For each bot, the inverse of the curvature times its lead over the zero of its group.
    inverse: Vec<Vec<f64>>,
    /// The variance of the surplus of each pairing.
    surplus: Vec<(usize, usize, f64)>,
}

impl Covariance {
    /// The variance of the strength of a bot.
    pub(crate) fn of(&self, bot: usize) -> f64 {
        let column = &self.inverse[bot];
        self.surplus.iter().map(|&(i, j, variance)| variance * (column[i] - column[j]).powi(2)).sum()
    }

    /// The variance of the difference of two bots of one group.
    pub(crate) fn of_difference(&self, one: usize, other: usize) -> f64 {
        let (one, other) = (&self.inverse[one], &self.inverse[other]);
        let part =
            |&(i, j, variance): &(usize, usize, f64)| variance * ((one[i] - one[j]) - (other[i] - other[j])).powi(2);
        self.surplus.iter().map(part).sum()
    }

    /// The variance of the difference of two bots of one group, in constant time, if games do not depend on each other: that of the model
    /// of Bradley and Terry.
    pub(crate) fn of_difference_by_model(&self, one: usize, other: usize) -> f64 {
        let (of_one, of_other) = (&self.inverse[one], &self.inverse[other]);
        of_one[one] - of_one[other] - of_other[one] + of_other[other]
    }
}

/// The zero of the ratings of each group of linked bots, which games do not determine.
pub(crate) struct ZeroPoints {
    /// For each bot, the lowest index in its group.
    pub(crate) groups: Vec<usize>,
    /// For the lowest index in a group, the number of its bots.
    sizes: Vec<usize>,
    /// A bot, and its rating in Elo.
    anchor: Option<(usize, f64)>,
}

impl ZeroPoints {
    /// The zero points of these groups. `anchor` is a bot and the rating in Elo that it has.
    pub(crate) fn new(groups: Vec<usize>, anchor: Option<(usize, f64)>) -> ZeroPoints {
        let mut sizes = vec![0; groups.len()];
        groups.iter().for_each(|group| sizes[*group] += 1);
        ZeroPoints { groups, sizes, anchor }
    }

    /// Moves each group so that its mean is 0, or so that the anchor has its rating.
    pub(crate) fn apply(&self, strengths: &mut [f64]) {
        let mut zeros = vec![0.0; strengths.len()];
        for (&group, strength) in self.groups.iter().zip(strengths.iter()) {
            zeros[group] += strength / self.sizes[group] as f64;
        }
        if let Some((bot, elo)) = self.anchor {
            zeros[self.groups[bot]] = strengths[bot] - elo / ELO_PER_LOG_ODDS;
        }
        self.groups.iter().zip(strengths).for_each(|(group, strength)| *strength -= zeros[*group]);
    }

    /// The coefficients of all strengths in the lead of a bot over the zero of its group: over the anchor, or over the mean.
    fn lead_of(&self, bot: usize) -> Vec<f64> {
        let group = self.groups[bot];
        let mut lead = vec![0.0; self.groups.len()];
        match self.anchor {
            Some((anchor, _)) if self.groups[anchor] == group => lead[anchor] -= 1.0,
            _ => {
                let share = 1.0 / self.sizes[group] as f64;
                let members = self.groups.iter().zip(&mut lead).filter(|(its, _)| **its == group);
                members.for_each(|(_, part)| *part -= share);
            }
        }
        lead[bot] += 1.0;
        lead
    }
}
