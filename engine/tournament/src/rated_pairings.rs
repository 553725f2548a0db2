//! The pairings that were played, with the added games that keep ratings finite, and the covariance of their strengths.

use super::bradley_terry::{Points, curvature, expected};
use super::cholesky::Cholesky;
use super::elo::ELO_PER_LOG_ODDS;
use super::pairs::{PairingResult, Pentanomial};
use std::collections::BTreeMap;

/// The drawn game that is added for each bot, as a number of pairs.
const ADDED: f64 = 0.5;

/// The pairings with at least one pair, each once.
pub(super) struct RatedPairings {
    pairings: Vec<RatedPairing>,
    /// The pairs that each bot played.
    pub(super) pairs_of: Vec<u64>,
}

struct RatedPairing {
    first: usize,
    second: usize,
    counts: [u64; 5],
    /// The number of drawn pairs that are added.
    added: f64,
}

impl RatedPairings {
    pub(super) fn new(bots: usize, results: &[PairingResult]) -> RatedPairings {
        let mut merged: BTreeMap<(usize, usize), Pentanomial> = BTreeMap::new();
        for result in results.iter().filter(|result| result.pairs.pairs() > 0) {
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
    pub(super) fn points(&self) -> Vec<Points> {
        let points = |&RatedPairing { first, second, counts, added }: &RatedPairing| {
            let points: u64 = counts.iter().zip(0..).map(|(pairs, half_points)| pairs * half_points).sum();
            let games = 2 * counts.iter().sum::<u64>();
            Points { first, second, games: games as f64 + 2.0 * added, points: points as f64 / 2.0 + added }
        };
        self.pairings.iter().map(points).collect()
    }

    /// For each bot, the lowest index in its group of linked bots.
    pub(super) fn groups(&self) -> Vec<usize> {
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

    /// The covariance of the strengths that were found, in squared log odds, by rows: the sandwich estimator (White 1980) with
    /// pairs of games as the independent observations. `level` says which strength of each group is fixed.
    pub(super) fn covariance(&self, found: &[f64], level: &ZeroPoints) -> Vec<f64> {
        let bots = self.pairs_of.len();
        // An anchor does not move in a difference of strengths, and a mean stays 0.
        let of_difference =
            ZeroPoints { groups: level.groups.clone(), anchor: level.anchor.map(|(bot, _)| (bot, 0.0)) };
        let points = self.points();
        let bread = Cholesky::of(bots, curvature(&points, found));
        // The columns of the inverse, each with the zero points of its groups.
        let inverse: Vec<Vec<f64>> = (0..bots)
            .map(|bot| {
                let mut column = vec![0.0; bots];
                column[bot] = 1.0;
                let mut column = bread.solve(&column);
                of_difference.apply(&mut column);
                column
            })
            .collect();
        let mut covariance = vec![0.0; bots * bots];
        // The product of the inverse and the variance of each pairing's surplus, added up pairing by pairing into rows.
        let mut product = vec![vec![0.0; bots]; bots];
        for &RatedPairing { first: i, second: j, counts, added } in &self.pairings {
            let share = expected(found[i] - found[j]);
            let squares = counts.iter().zip(0..).map(|(&pairs, half_points)| {
                (pairs as f64 + added / 5.0) * (f64::from(half_points) / 2.0 - 2.0 * share).powi(2)
            });
            let variance: f64 = squares.sum();
            for row in 0..bots {
                let part = variance * (inverse[i][row] - inverse[j][row]);
                product[row][i] += part;
                product[row][j] -= part;
            }
        }
        for (row, product) in covariance.chunks_exact_mut(bots.max(1)).zip(&product) {
            for (factor, column) in product.iter().zip(&inverse) {
                row.iter_mut().zip(column).for_each(|(cell, part)| *cell += factor * part);
            }
        }
        covariance
    }
}

/// The zero of the ratings of each group of linked bots, which games do not determine.
pub(super) struct ZeroPoints {
    /// For each bot, the lowest index in its group.
    pub(super) groups: Vec<usize>,
    /// A bot, and its rating in Elo.
    pub(super) anchor: Option<(usize, f64)>,
}

impl ZeroPoints {
    /// Moves each group so that its mean is 0, or so that the anchor has its rating.
    pub(super) fn apply(&self, strengths: &mut [f64]) {
        let mut sums: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for (group, strength) in self.groups.iter().zip(strengths.iter()) {
            let (sum, bots) = sums.entry(*group).or_default();
            *sum += strength;
            *bots += 1.0;
        }
        let anchored = self.anchor.map(|(bot, elo)| (self.groups[bot], strengths[bot] - elo / ELO_PER_LOG_ODDS));
        for (group, strength) in self.groups.iter().zip(strengths.iter_mut()) {
            *strength -= match anchored {
                Some((its, zero)) if its == *group => zero,
                _ => sums[group].0 / sums[group].1,
            };
        }
    }
}
