//! The pairings that were played, with the added draws that keep ratings finite, and tournaments drawn from them.

use super::bootstrap::multinomial;
use super::bradley_terry::{Points, Precision, strengths};
use super::elo::ELO_PER_LOG_ODDS;
use super::pairs::{PairingResult, Pentanomial};
use std::collections::BTreeMap;

/// The drawn game that is added for each bot, as a number of pairs.
const ADDED: f64 = 0.5;

/// The pairings with at least one pair, each once.
pub(super) struct RatedPairings {
    bots: usize,
    pairings: Vec<(usize, usize)>,
    counts: Vec<[u64; 5]>,
    /// The number of drawn pairs that are added to each pairing.
    added: Vec<f64>,
    pairs_of: Vec<u64>,
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
        let added = |(&(one, other), pairs): (&(usize, usize), &Pentanomial)| {
            (share(one, pairs.pairs()) + share(other, pairs.pairs())) / 2.0
        };
        RatedPairings {
            bots,
            pairings: merged.keys().copied().collect(),
            counts: merged.values().map(Pentanomial::counts).collect(),
            added: merged.iter().map(added).collect(),
            pairs_of,
        }
    }

    /// The pairs that `bot` played.
    pub(super) fn pairs_of(&self, bot: usize) -> u64 {
        self.pairs_of[bot]
    }

    /// The points of all pairings, with the added draws.
    pub(super) fn points(&self) -> Vec<Points> {
        self.points_of(self.counts.iter().copied())
    }

    /// The points of all pairings with these counts, one for each pairing.
    fn points_of(&self, counts: impl Iterator<Item = [u64; 5]>) -> Vec<Points> {
        let one = |((&(first, second), added), counts): ((&(usize, usize), &f64), [u64; 5])| {
            let points: u64 = counts.iter().zip(0..).map(|(pairs, half_points)| pairs * half_points).sum();
            let games = 2 * counts.iter().sum::<u64>();
            Points { first, second, games: games as f64 + 2.0 * added, points: points as f64 / 2.0 + added }
        };
        self.pairings.iter().zip(&self.added).zip(counts).map(one).collect()
    }

    /// For each bot, the lowest index in its group of linked bots.
    pub(super) fn groups(&self) -> Vec<usize> {
        let mut groups: Vec<usize> = (0..self.bots).collect();
        loop {
            let before = groups.clone();
            for &(one, other) in &self.pairings {
                let lowest = groups[one].min(groups[other]);
                groups[one] = lowest;
                groups[other] = lowest;
            }
            if groups == before {
                return groups;
            }
        }
    }

    /// The covariance of the strengths of drawn tournaments, by rows, in squared log odds.
    pub(super) fn covariance(
        &self,
        found: &[f64],
        level: &ZeroPoints,
        precision: Precision,
        resamples: u32,
        seed: u64,
    ) -> Vec<f64> {
        let bots = self.bots;
        let mut random = rules::random(seed);
        let cells = self.counts.iter().zip(&self.added);
        let weights: Vec<f64> =
            cells.flat_map(|(counts, added)| counts.map(|pairs| pairs as f64 + added / 5.0)).collect();
        let draws = self.counts.iter().flatten().sum();
        let mut drawn = Vec::new();
        let mut samples = Vec::with_capacity(resamples as usize);
        for _ in 0..resamples {
            multinomial(draws, &weights, &mut random, &mut drawn);
            let (counts, _) = drawn.as_chunks::<5>();
            let mut sample = strengths(&self.points_of(counts.iter().copied()), found, precision);
            level.apply(&mut sample);
            samples.push(sample);
        }
        let of = samples.len().max(1) as f64;
        let means: Vec<f64> = (0..bots).map(|bot| samples.iter().map(|sample| sample[bot]).sum::<f64>() / of).collect();
        let mut covariance = vec![0.0; bots * bots];
        for sample in &mut samples {
            sample.iter_mut().zip(&means).for_each(|(strength, mean)| *strength -= mean);
            for (row, own) in covariance.chunks_exact_mut(bots.max(1)).zip(&*sample) {
                row.iter_mut().zip(&*sample).for_each(|(cell, other)| *cell += own * other / of);
            }
        }
        covariance
    }
}

/// The zero of the ratings of each group of linked bots, which games do not determine.
pub(super) struct ZeroPoints {
    groups: Vec<usize>,
    anchor: Option<(usize, f64)>,
}

impl ZeroPoints {
    pub(super) fn new(groups: Vec<usize>, anchor: Option<(usize, f64)>) -> ZeroPoints {
        ZeroPoints { groups, anchor }
    }

    pub(super) fn group_of(&self, bot: usize) -> usize {
        self.groups[bot]
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    const WON: [u64; 5] = [0, 0, 0, 0, 1];
    const MANY: u64 = 1_000_000_000;

    /// The largest difference, as a share, between the bars of this tournament and those of drawn tournaments
    /// that are rated to the last digit.
    fn missed(bots: usize, results: &[(usize, usize, [u64; 5])]) -> f64 {
        let result = |&(first, second, counts): &_| PairingResult { first, second, pairs: Pentanomial::new(counts) };
        let played = RatedPairings::new(bots, &results.iter().map(result).collect::<Vec<_>>());
        let level = ZeroPoints::new(played.groups(), None);
        let mut found = strengths(&played.points(), &vec![0.0; bots], Precision::FULL);
        level.apply(&mut found);
        let [full, drawn] =
            [Precision::FULL, Precision::DRAWN].map(|precision| played.covariance(&found, &level, precision, 30, 0));
        let shares = (0..bots).map(|bot| (drawn[bot * bots + bot] / full[bot * bots + bot]).sqrt() - 1.0);
        shares.fold(0.0, |most, share| share.abs().max(most))
    }

    #[test]
    fn bars_are_those_of_the_exact_ratings_of_drawn_tournaments() {
        let kinds = [WON, [1, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 1, 0, 2, 0]];
        let met = |first, second| (first, second, kinds[(first * 7 + second * 3) % 4]);
        let swiss: Vec<_> = (0..200).flat_map(|one| [1, 3, 9, 27, 81].map(|far| met(one, (one + far) % 200))).collect();
        let all_or_nothing: Vec<_> =
            (0..12).flat_map(|one| (one + 1..12).map(move |other| (one, other, WON))).collect();
        let chain: Vec<_> = (0..40).map(|bot| met(bot, bot + 1)).collect();
        let star: Vec<_> = (1..40).map(|bot| met(0, bot)).collect();
        let endless = vec![(0, 1, [MANY; 5]), (1, 2, [0, 0, 0, 0, MANY]), (0, 2, [0, 1, 2, 3, MANY])];
        for (name, bots, results) in [
            ("two", 2, vec![(0, 1, [3, 4, 5, 6, 7])]),
            ("swiss", 200, swiss),
            ("all or nothing", 12, all_or_nothing),
            ("chain", 41, chain),
            ("star", 40, star),
            ("endless", 3, endless),
        ] {
            let missed = missed(bots, &results);
            assert!(missed < 0.001, "{name}: {missed}");
        }
    }
}
