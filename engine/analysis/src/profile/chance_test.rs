//! Tests for chance: how likely a count is that was seen, if nothing but chance made it.

/// The probability, 0 to 1, that a count of `of` independent trials, each with this `share`, is as far or farther from what is expected as `times`:
/// twice the smaller of both tails (exact binomial test).
pub(crate) fn binomial_test(times: u64, of: u64, share: f64) -> f64 {
    let upper = at_least(times, of, share);
    let lower = at_least(of - times.min(of), of, 1.0 - share);
    (2.0 * upper.min(lower)).min(1.0)
}

/// The probability that at least `times` of `of` independent trials succeed, each with this `share`.
pub(crate) fn at_least(times: u64, of: u64, share: f64) -> f64 {
    let share = share.clamp(0.0, 1.0);
    if times == 0 {
        return 1.0;
    }
    if times > of || share == 0.0 {
        return 0.0;
    }
    if share == 1.0 {
        return 1.0;
    }
    let odds = (share / (1.0 - share)).ln();
    let (mut log, mut sum) =
        (log_binomial(of, times) + times as f64 * share.ln() + (of - times) as f64 * (-share).ln_1p(), 0.0);
    for count in times..=of {
        sum += log.exp();
        log += odds + ((of - count) as f64).ln() - ((count + 1) as f64).ln();
    }
    f64::min(sum, 1.0)
}

/// The logarithm of a binomial coefficient.
pub(crate) fn log_binomial(of: u64, times: u64) -> f64 {
    let times = times.min(of - times.min(of));
    (1..=times).map(|nth| ((of - times + nth) as f64 / nth as f64).ln()).sum()
}

/// The probability that at most `most` of `drawn` cells are among `marked` ones, if they are drawn from `all` without putting any back.
pub(crate) fn at_most_marked(most: u64, drawn: u64, marked: u64, all: u64) -> f64 {
    let ways = |count: u64| log_binomial(marked, count) + log_binomial(all - marked, drawn - count);
    let least = drawn.saturating_sub(all - marked);
    let counts = least..=most.min(marked).min(drawn);
    counts.map(|count| (ways(count) - log_binomial(all, drawn)).exp()).sum::<f64>().min(1.0)
}

/// The probabilities of several tests after Holm's correction, in their order: as if only one test had been made.
pub(crate) fn corrected(tests: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..tests.len()).collect();
    order.sort_by(|one, other| tests[*one].total_cmp(&tests[*other]));
    let (mut corrected, mut most) = (vec![1.0; tests.len()], 0.0_f64);
    for (rank, test) in order.into_iter().enumerate() {
        most = most.max((tests[test] * (tests.len() - rank) as f64).min(1.0));
        corrected[test] = most;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() <= 1e-9 + 1e-6 * other
    }

    #[test]
    fn tails_are_those_of_the_binomial_distribution() {
        assert!(near(at_least(0, 10, 0.3), 1.0) && near(at_least(11, 10, 0.3), 0.0));
        assert!(near(at_least(2, 3, 0.5), 0.5) && near(at_least(3, 3, 0.25), 1.0 / 64.0));
        assert!(near(at_least(39, 40, 0.9), 0.9_f64.powi(40) + 4.0 * 0.9_f64.powi(39)));
        // binom.test(12, 20, 0.5): p = 0.5034
        assert!((binomial_test(12, 20, 0.5) - 0.503_445).abs() < 1e-5);
        assert!(near(binomial_test(0, 10, 0.0), 1.0) && near(binomial_test(5, 10, 0.5), 1.0));
        assert!(binomial_test(0, 100_000, 0.01) < 1e-300);
    }

    #[test]
    fn cells_that_are_drawn_are_not_put_back() {
        // phyper(0, 36, 64, 10) and phyper(3, 36, 64, 10)
        assert!(near(at_most_marked(10, 10, 36, 100), 1.0));
        let none = (0..10).map(|nth| (64 - nth) as f64 / (100 - nth) as f64).product();
        assert!(near(at_most_marked(0, 10, 36, 100), none));
        assert!(near(at_most_marked(0, 2, 3, 4), 0.0) && near(at_most_marked(1, 2, 3, 4), 0.5));
    }

    #[test]
    fn the_correction_of_holm_counts_the_tests_that_are_left() {
        let found = corrected(&[0.01, 0.04, 0.03, 0.005]);
        for (found, expected) in found.into_iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!(near(found, expected), "{found}");
        }
        assert!(corrected(&[]).is_empty() && corrected(&[0.9, 0.8]) == [1.0, 1.0]);
    }
}
