//! Draws tournaments like the one that was played, to see how far chance alone moves its ratings.

use rand::RngExt;
use rules::Random;

/// Splits `draws` among kinds of results with these weights (not negative, of any sum), as drawing one after the other would.
pub(super) fn multinomial(mut draws: u64, weights: &[f64], random: &mut Random, counts: &mut Vec<u64>) {
    counts.clear();
    let mut rest: f64 = weights.iter().sum();
    for (index, &weight) in weights.iter().enumerate() {
        let last = index + 1 == weights.len();
        let share = if rest > 0.0 { (weight / rest).clamp(0.0, 1.0) } else { 0.0 };
        let count = if last { draws } else { binomial(draws, share, random) };
        counts.push(count);
        draws -= count;
        rest -= weight;
    }
}

/// Draws the number of `trials` that succeed, each with `probability`.
fn binomial(trials: u64, probability: f64, random: &mut Random) -> u64 {
    if probability > 0.5 {
        return trials - binomial(trials, 1.0 - probability, random);
    }
    if trials == 0 || probability <= 0.0 {
        0
    } else if trials as f64 * probability < 10.0 {
        waiting(trials, probability, random)
    } else {
        transformed(trials, probability, random)
    }
}

/// Draws by the waiting times between successes, in time proportional to their number.
fn waiting(trials: u64, probability: f64, random: &mut Random) -> u64 {
    let trials = trials as f64;
    let mut chance = uniform(random);
    // By Bernoulli's inequality there is no success; the logarithms would tell the same.
    if chance <= 1.0 - trials * probability {
        return 0;
    }
    let scale = (-probability).ln_1p();
    let (mut successes, mut trial) = (0, 0.0);
    loop {
        trial += (chance.ln() / scale).floor() + 1.0;
        if trial > trials {
            return successes;
        }
        successes += 1;
        chance = uniform(random);
    }
}

/// Algorithm BTRS of Hörmann, "The generation of binomial random variates", Journal of Statistical Computation and
/// Simulation 46 (1993); for a probability of at most 1/2 and at least ten expected successes.
fn transformed(trials: u64, probability: f64, random: &mut Random) -> u64 {
    let n = trials as f64;
    let odds = probability / (1.0 - probability);
    let deviation = (n * probability * (1.0 - probability)).sqrt();
    let b = 1.15 + 2.53 * deviation;
    let a = -0.0873 + 0.0248 * b + 0.01 * probability;
    let centre = n * probability + 0.5;
    let inside = 0.92 - 4.2 / b;
    let alpha = (2.83 + 5.1 / b) * deviation;
    let mode = ((n + 1.0) * probability).floor();
    loop {
        let u = uniform(random) - 0.5;
        let v = uniform(random);
        let edge = 0.5 - u.abs();
        let found = ((2.0 * a / edge + b) * u + centre).floor();
        if edge >= 0.07 && v <= inside {
            return found as u64;
        }
        if found < 0.0 || found > n {
            continue;
        }
        let height = (v * alpha / (a / (edge * edge) + b)).ln();
        let limit = (mode + 0.5) * ((mode + 1.0) / (odds * (n - mode + 1.0))).ln()
            + (n + 1.0) * ((n - mode + 1.0) / (n - found + 1.0)).ln()
            + (found + 0.5) * (odds * (n - found + 1.0) / (found + 1.0)).ln()
            + stirling_rest(mode)
            + stirling_rest(n - mode)
            - stirling_rest(found)
            - stirling_rest(n - found);
        if height <= limit {
            return found as u64;
        }
    }
}

/// The error of Stirling's formula for the logarithm of `k!`, written for `k + 1`.
fn stirling_rest(k: f64) -> f64 {
    const SMALL: [f64; 10] = [
        0.081_061_466_795_327_8,
        0.041_340_695_955_409_3,
        0.027_677_925_684_998_3,
        0.020_790_672_103_765_1,
        0.016_644_691_189_821_2,
        0.013_876_128_823_070_7,
        0.011_896_709_945_891_8,
        0.010_411_265_261_972_1,
        0.009_255_462_182_712_73,
        0.008_330_563_433_362_87,
    ];
    if k < 10.0 {
        return SMALL[k as usize];
    }
    let square = (k + 1.0) * (k + 1.0);
    (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / square) / square) / (k + 1.0)
}

/// A number between 0 and 1, exclusive.
fn uniform(random: &mut Random) -> f64 {
    1.0 - random.random::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chi-square against the exact probabilities: 99.9 % of samples stay below the mean plus 3.1 deviations or so.
    #[test]
    fn drawn_counts_have_the_binomial_distribution() {
        const DRAWS: usize = 20_000;
        let mut random = rules::random(1);
        for (trials, probability) in [(5, 0.3), (40, 0.1), (40, 0.5), (60, 0.45), (200, 0.07), (300, 0.8)] {
            let mut exact = vec![(1.0_f64 - probability).powi(trials)];
            for k in 0..trials {
                let ratio = f64::from(trials - k) / f64::from(k + 1) * probability / (1.0 - probability);
                exact.push(exact[k as usize] * ratio);
            }
            let mut seen = vec![0.0; exact.len()];
            for _ in 0..DRAWS {
                seen[binomial(trials as u64, probability, &mut random) as usize] += 1.0;
            }
            let likely: Vec<usize> = (0..exact.len()).filter(|&k| exact[k] * DRAWS as f64 > 5.0).collect();
            let expected = |k: &usize| exact[*k] * DRAWS as f64;
            let chi: f64 = likely.iter().map(|k| (seen[*k] - expected(k)).powi(2) / expected(k)).sum();
            let limit = likely.len() as f64 + 3.5 * (2.0 * likely.len() as f64).sqrt();
            assert!(chi < limit, "{trials} trials at {probability}: {chi} of {limit}");
        }
    }

    #[test]
    fn a_thousand_million_trials_have_the_right_mean_and_deviation() {
        let mut random = rules::random(2);
        let found: Vec<f64> = (0..4000).map(|_| binomial(1_000_000_000, 0.3, &mut random) as f64).collect();
        let mean = found.iter().sum::<f64>() / 4000.0;
        let deviation = (found.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 4000.0).sqrt();
        assert!((mean - 3e8).abs() < 3.5 * 14491.0 / 4000_f64.sqrt(), "{mean}");
        assert!((deviation / 14491.0 - 1.0).abs() < 0.04, "{deviation}");
    }

    #[test]
    fn all_draws_are_dealt_out_and_nothing_to_what_weighs_nothing() {
        let mut random = rules::random(3);
        let mut counts = Vec::new();
        for draws in [0, 1, 7, 100, 12345] {
            multinomial(draws, &[0.0, 3.0, 0.5, 0.0, 2.0, 0.0], &mut random, &mut counts);
            assert_eq!(counts.iter().sum::<u64>(), draws);
            assert_eq!([counts[0], counts[3]], [0, 0]);
        }
    }
}
