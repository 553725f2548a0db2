//! Estimates of the difference between two bots: Elo, normalized Elo, error bars, the likelihood of superiority.

use crate::pairs::Pentanomial;
use crate::strength::normal::{DEVIATIONS_95, below};

/// Normalized Elo for one standard deviation of a game's score.
///
/// Van den Bergh, "Comments on Normalized Elo", www.cantate.be/Fishtest/normalized_elo_practical.pdf.
pub(crate) const NORMALIZED: f64 = 800.0 / std::f64::consts::LN_10;

/// Elo for one natural unit of log odds.
pub(crate) const ELO_PER_LOG_ODDS: f64 = 400.0 / std::f64::consts::LN_10;

/// A prior is added if fewer samples than this differ from the most frequent one.
const ENOUGH_DIFFERENT: f64 = 10.0;

/// The mean score, from 0 to 1, that the stronger of two bots should reach when it is `elo` stronger.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The Elo difference at which `score` (from 0 to 1) is expected. Scores of 0 and 1 give the finite ±3600 of scores 1e-9
/// away from them.
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(1e-9, 1.0 - 1e-9);
    400.0 * (score / (1.0 - score)).log10()
}

/// The difference between two bots as a match shows it, first minus second.
///
/// ```
/// use tournament::{Estimate, Pentanomial};
///
/// // The first bot won both games of 10 pairs, one of 6, and drew level in 4.
/// let estimate = Estimate::of_pairs(&Pentanomial::new([0, 0, 4, 6, 10]));
/// assert!(estimate.lower() > 0.0, "the first bot is stronger");
/// ```
///
/// In the usual case these are the formulas of fastchess and fishtest: the mean score plus and minus 1.96 standard
/// errors, each turned into Elo. They fail when nearly all samples are equal, above all at 0 % and 100 %, where they
/// give infinity, and for pairs that are all drawn, where the bar has no width. So while fewer than ten samples differ
/// from the most frequent result, half a sample is added, an equal part of it to each possible result, and the bar is that
/// of the log odds, which never leaves the possible scores. All numbers are then finite, and bars of few games are wide.
/// The likelihood of superiority is that of the same normal distribution as the bar. Equal parts are the prior of Berger, Bernardo and Sun, "Overall
/// Objective Priors" (Bayesian Analysis 10, 2015); its weights were chosen by simulation, so that in matches of 10 to 400
/// pairs the 95 % interval holds the truth in 91 % to 99 % of cases even at +700 Elo, and so that one or two won pairs
/// count as much as a fair coin makes of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    samples: f64,
    /// True if a prior was added because too few samples differed.
    helped: bool,
    spread: Spread,
}

/// The mean and variance of a sample's score, and the standard error of the mean.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Spread {
    mean: f64,
    variance: f64,
    standard_error: f64,
}

impl Spread {
    /// The moments of these counts, with `added` samples shared out among them.
    fn new(counts: [f64; 5], added: f64) -> Spread {
        let counts = counts.map(|count| count + added / 5.0);
        let total: f64 = counts.iter().sum();
        let value = |k: usize| k as f64 / 4.0;
        let mean = (0..5).map(|k| counts[k] * value(k)).sum::<f64>() / total;
        let variance = (0..5).map(|k| counts[k] * (value(k) - mean).powi(2)).sum::<f64>() / total;
        Spread { mean, variance, standard_error: (variance / total).sqrt() }
    }
}

impl Estimate {
    /// An estimate from pairs of games with swapped seats.
    pub fn of_pairs(pairs: &Pentanomial) -> Estimate {
        let counts = pairs.by_score();
        let samples: f64 = counts.iter().sum();
        let most = counts.iter().copied().fold(0.0, f64::max);
        let helped = samples - most < ENOUGH_DIFFERENT;
        let spread = Spread::new(counts, if helped { 0.5 } else { 0.0 });
        Estimate { samples, helped, spread }
    }

    /// The Elo difference.
    pub fn elo(&self) -> f64 {
        elo_of_score(self.spread.mean)
    }

    /// Half the width of the 95 % interval, in Elo.
    pub fn error(&self) -> f64 {
        (self.upper() - self.lower()) / 2.0
    }

    /// The lower end of the 95 % interval, in Elo.
    pub fn lower(&self) -> f64 {
        self.end(-DEVIATIONS_95)
    }

    /// The upper end of the 95 % interval, in Elo.
    pub fn upper(&self) -> f64 {
        self.end(DEVIATIONS_95)
    }

    fn end(&self, deviations: f64) -> f64 {
        if self.helped {
            self.elo() + deviations * self.deviation_of_log_odds() * ELO_PER_LOG_ODDS
        } else {
            elo_of_score(self.spread.mean + deviations * self.spread.standard_error)
        }
    }

    /// The difference in normalized Elo: the mean score in standard deviations of a game, so that a difference of the same
    /// size needs the same number of games whatever the share of draws.
    pub fn normalized_elo(&self) -> f64 {
        (self.spread.mean - 0.5) * self.normalized_elo_per_score()
    }

    /// Half the width of the 95 % interval, in normalized Elo.
    pub fn normalized_error(&self) -> f64 {
        DEVIATIONS_95 * self.spread.standard_error * self.normalized_elo_per_score()
    }

    /// The likelihood of superiority: the probability, from 0 to 1, that the first bot is the stronger one, if
    /// nothing else is known of them.
    pub fn superiority(&self) -> f64 {
        let Spread { mean, standard_error, .. } = self.spread;
        below(if self.helped {
            self.elo() / ELO_PER_LOG_ODDS / self.deviation_of_log_odds()
        } else {
            (mean - 0.5) / standard_error
        })
    }

    /// The standard error of the logarithm of the odds.
    fn deviation_of_log_odds(&self) -> f64 {
        let Spread { mean, standard_error, .. } = self.spread;
        standard_error / (mean * (1.0 - mean))
    }

    fn normalized_elo_per_score(&self) -> f64 {
        NORMALIZED / (2.0 * self.spread.variance).sqrt()
    }

    /// The result as a sentence about the first bot, such as `A is 35 ± 18 Elo stronger than B (95 %)`.
    pub fn in_words(&self, first: &str, second: &str) -> String {
        let (elo, error) = (self.elo(), self.error());
        if self.samples == 0.0 {
            format!("nothing can be said about {first} and {second}: no games were counted")
        } else if self.lower() > 0.0 {
            format!("{first} is {elo:.0} ± {error:.0} Elo stronger than {second} (95 %)")
        } else if self.upper() < 0.0 {
            format!("{first} is {:.0} ± {error:.0} Elo weaker than {second} (95 %)", -elo)
        } else {
            let elo = if elo.round() == 0.0 { 0.0 } else { elo };
            format!(
                "not decided: more games are needed; {first} minus {second} is {elo:.0} ± {error:.0} \
                 Elo (95 %)"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::any_counts;
    use proptest::prelude::*;

    fn pairs(counts: [u64; 5]) -> Estimate {
        Estimate::of_pairs(&Pentanomial::new(counts))
    }

    fn two_digits(estimate: Estimate) -> [String; 5] {
        [
            estimate.elo(),
            estimate.error(),
            estimate.normalized_elo(),
            estimate.normalized_error(),
            100.0 * estimate.superiority(),
        ]
        .map(|number| format!("{number:.2}"))
    }

    /// app/tests/elo_test.cpp of Disservin/fastchess, EloPentanomial 1 to 3; of the third no LOS is given there.
    #[test]
    fn pairs_are_estimated_as_by_fastchess() {
        assert_eq!(two_digits(pairs([34, 54, 63, 64, 75])), ["55.58", "27.65", "57.94", "28.28", "100.00"]);
        assert_eq!(two_digits(pairs([332, 433, 498, 333, 334])), ["-8.64", "10.33", "-9.17", "10.96", "5.05"]);
        assert_eq!(two_digits(pairs([7895, 8757, 5685, 568, 9999]))[..4], ["-21.04", "2.95", "-19.01", "2.65"]);
    }

    /// Printed by fastchess in pull requests: 1899 of lynx-chess/Lynx, and 882 and 881 of Disservin/fastchess.
    #[test]
    fn lopsided_matches_are_estimated_as_by_fastchess() {
        let printed = two_digits(pairs([235, 1384, 2521, 1341, 239]));
        assert_eq!(printed, ["-1.06", "4.05", "-1.67", "6.37", "30.33"]);
        assert_eq!(two_digits(pairs([72, 10, 0, 0, 0]))[..4], ["-600.97", "118.46", "-1409.98", "53.17"]);
        assert_eq!(two_digits(pairs([549, 54, 33, 1, 0]))[..4], ["-517.92", "38.60", "-856.15", "19.08"]);
    }

    #[test]
    fn elo_and_score_are_inverse() {
        assert!((score_of_elo(200.0) - 0.759_746_926_647_957_5).abs() < 1e-15);
        for elo in [-1500.0, -35.0, 0.0, 4.5, 400.0, 2000.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-6);
        }
        assert_eq!((elo_of_score(1.0).round(), elo_of_score(0.0).round()), (3600.0, -3600.0));
    }

    /// The exact interval of Clopper and Pearson for 40 won games of 40 begins at 0.025^(1/40), which is 403 Elo.
    #[test]
    fn twenty_pairs_won_of_twenty_are_a_wide_interval_and_not_infinity() {
        let all = pairs([0, 0, 0, 0, 20]);
        assert!(all.helped && !pairs([4, 10, 10, 10, 4]).helped);
        assert!((150.0..403.0).contains(&all.lower()), "{}", all.lower());
        assert!(all.upper() > 900.0 && all.upper().is_finite());
        assert!(all.superiority() > 0.99);
        assert!(pairs([0, 0, 0, 0, 2000]).lower() > 500.0);
    }

    /// A pair may be won or lost by its seed alone: a fair coin gives five of five once in 32, which leaves 0.97.
    #[test]
    fn a_few_wins_are_not_certainty() {
        let likely = [1, 2, 5].map(|won| (100.0 * pairs([0, 0, 0, 0, won]).superiority()).round());
        assert_eq!(likely, [81.0, 89.0, 96.0]);
    }

    #[test]
    fn pairs_that_are_all_drawn_leave_a_doubt() {
        let error = |drawn: u64| pairs([0, 0, drawn, 0, 0]).error();
        assert!(error(3) > 80.0 && error(100) > 3.0 && error(10_000) < 0.1);
        assert!((pairs([0, 0, 100, 0, 0]).superiority() - 0.5).abs() < 1e-12);
    }

    #[test]
    fn results_are_told_in_words_from_the_first_bot() {
        let stronger = pairs([34, 54, 63, 64, 75]);
        assert_eq!(stronger.in_words("A", "B"), "A is 56 ± 28 Elo stronger than B (95 %)");
        assert_eq!(pairs([75, 64, 63, 54, 34]).in_words("A", "B"), "A is 56 ± 28 Elo weaker than B (95 %)");
        let open = pairs([332, 433, 498, 333, 334]);
        let undecided = "not decided: more games are needed; new minus old is -9 ± 10 Elo (95 %)";
        assert_eq!(open.in_words("new", "old"), undecided);
        assert!(pairs([0; 5]).in_words("A", "B").starts_with("nothing can be said about A and B"));
    }

    proptest! {
        #[test]
        fn everything_is_finite_and_turns_its_sign_when_the_bots_are_swapped(counts in any_counts()) {
            let pairs = Pentanomial::new(counts);
            let (one, other) = (Estimate::of_pairs(&pairs), Estimate::of_pairs(&pairs.swapped()));
            for (a, b) in [
                (one.elo(), other.elo()),
                (one.normalized_elo(), other.normalized_elo()),
                (one.lower(), other.upper()),
                (one.error(), -other.error()),
                (one.normalized_error(), -other.normalized_error()),
                (one.superiority() - 0.5, other.superiority() - 0.5),
            ] {
                prop_assert!(a.is_finite() && b.is_finite(), "{one:?}");
                prop_assert!((a + b).abs() <= 1e-6 * (1.0 + a.abs()), "{a} and {b} of {one:?}");
            }
            // The bar and the likelihood say the same.
            prop_assert_eq!(one.lower() > 0.0, one.superiority() > below(DEVIATIONS_95), "{:?}", one);
            prop_assert!(one.lower() <= one.elo() && one.elo() <= one.upper());
            prop_assert!((0.0..=1.0).contains(&one.superiority()));
        }
    }
}
