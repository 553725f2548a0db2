//! The sequential test: play until it is certain enough which of two hypotheses holds.

use crate::pairs::Pentanomial;
use crate::strength::elo::{NORMALIZED, score_of_elo};
use crate::strength::likelihood::{Counts, Hypothesis};
use std::f64::consts::SQRT_2;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The largest bound, in Elo: a difference of 5000 Elo is one lost game in 3 * 10^12.
const FARTHEST: f64 = 5000.0;
/// The least distance between the bounds, in Elo: to tell closer ones apart would take 6 * 10^7 games.
const CLOSEST: f64 = 0.1;
/// The least bound in Elo that is not 0: nobody can mean a smaller one.
const FINEST: f64 = 0.001;
/// The least error rate.
const SUREST: f64 = 1e-6;

/// The kind of Elo of a test's bounds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EloModel {
    /// Normalized Elo: the number of games that are needed does not depend on the share of draws.
    #[default]
    Normalized,
    /// Ordinary Elo.
    Logistic,
}

/// The answer of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Not enough games yet.
    Continue,
    /// The difference is `elo0` or less rather than `elo1`.
    AcceptH0,
    /// The difference is `elo1` or more rather than `elo0`.
    AcceptH1,
}

/// A sequential probability ratio test between two differences in Elo, first bot minus second.
///
/// H1 is accepted with a probability of at most `alpha` if the difference is `elo0`, and H0 with at most `beta` if
/// it is `elo1`. It may be asked after every pair. Parsed from `elo0,elo1` or `elo0,elo1,alpha,beta`.
///
/// ```
/// use tournament::{Pentanomial, Sprt, Verdict};
///
/// let test: Sprt = "0,10".parse()?;
/// assert_eq!(test.verdict(&Pentanomial::new([1, 5, 20, 7, 2])), Verdict::Continue);
/// # Ok::<(), tournament::SprtError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: EloModel,
}

/// The reason why a test is refused.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SprtError {
    /// Neither two numbers nor four.
    #[error("an SPRT is elo0,elo1 or elo0,elo1,alpha,beta, but \"{0}\" has another number of parts")]
    Parts(String),
    /// A part, by its name and text, is not a number.
    #[error("{0} of an SPRT is a number, but \"{1}\" is not one")]
    NotANumber(&'static str, String),
    /// The bounds, lower and upper as given, are equal or the wrong way round.
    #[error("elo0 of an SPRT must be less than elo1, but {0} is not less than {1}")]
    Order(f64, f64),
    /// A bound, by its name and value, is further out than any difference that could be measured.
    #[error("{0} of an SPRT must be between -5000 and 5000, but is {1:?}")]
    TooFar(&'static str, f64),
    /// A bound, by its name and value, is all but 0.
    #[error("{0} of an SPRT must be 0 or at least 0.001 from it, but is {1:?}")]
    TooFine(&'static str, f64),
    /// No number of games could tell the lower and the upper bound apart.
    #[error("elo0 and elo1 of an SPRT must be at least 0.1 apart, but are {0} and {1}")]
    TooClose(f64, f64),
    /// An error rate, by its name and value, is not a probability that a test could keep.
    #[error("{0} of an SPRT must be at least 0.000001 and below 1, but is {1:?}")]
    Rate(&'static str, f64),
    /// The error rates, of this sum, are so large that the test would be over before the first game.
    #[error("alpha and beta of an SPRT must be less than 1 together, but are {0}")]
    Rates(f64),
}

impl Sprt {
    /// The error rate of both kinds when none is given.
    pub const RATE: f64 = 0.05;

    /// A test of `elo0` against `elo1` with these error rates.
    ///
    /// # Errors
    /// The bounds are equal, reversed, too far out or too close to each other or to 0, or an error rate is out
    /// of range.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: EloModel) -> Result<Sprt, SprtError> {
        for (name, elo) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-FARTHEST..=FARTHEST).contains(&elo) {
                return Err(SprtError::TooFar(name, elo));
            }
            if elo != 0.0 && elo.abs() < FINEST {
                return Err(SprtError::TooFine(name, elo));
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order(elo0, elo1));
        }
        // Slightly less, because 0.3 - 0.2 is slightly less than 0.1.
        if elo1 - elo0 < CLOSEST - 1e-9 {
            return Err(SprtError::TooClose(elo0, elo1));
        }
        for (name, rate) in [("alpha", alpha), ("beta", beta)] {
            if !(SUREST..1.0).contains(&rate) {
                return Err(SprtError::Rate(name, rate));
            }
        }
        if alpha + beta >= 1.0 {
            return Err(SprtError::Rates(alpha + beta));
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }

    /// The same test with its bounds in another Elo.
    #[must_use]
    pub fn with_model(self, model: EloModel) -> Sprt {
        Sprt { model, ..self }
    }

    /// The bounds in Elo, lower first.
    pub fn elo(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The log-likelihood ratios at which H0 and H1 are accepted (Wald 1945).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The generalized log-likelihood ratio of H1 against H0: above 0 speaks for `elo1`, below 0 for `elo0`. Always finite.
    pub fn log_likelihood_ratio(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let [one, other] = [self.elo0, self.elo1].map(|elo| match self.model {
            EloModel::Normalized => Hypothesis::TValue(SQRT_2 * elo / NORMALIZED),
            EloModel::Logistic => Hypothesis::Mean(score_of_elo(elo)),
        });
        Counts::new(pairs.by_score()).log_ratio(one, other)
    }

    /// The answer after these pairs.
    pub fn verdict(&self, pairs: &Pentanomial) -> Verdict {
        self.verdict_at(self.log_likelihood_ratio(pairs))
    }

    /// The answer at this log-likelihood ratio.
    fn verdict_at(&self, ratio: f64) -> Verdict {
        let (lower, upper) = self.bounds();
        if ratio >= upper {
            Verdict::AcceptH1
        } else if ratio <= lower {
            Verdict::AcceptH0
        } else {
            Verdict::Continue
        }
    }
}

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let number = |name, text: &str| text.parse().map_err(|_| SprtError::NotANumber(name, text.to_owned()));
        let (elo0, elo1, alpha, beta) = match parts[..] {
            [elo0, elo1] => (elo0, elo1, Sprt::RATE, Sprt::RATE),
            [elo0, elo1, alpha, beta] => (elo0, elo1, number("alpha", alpha)?, number("beta", beta)?),
            _ => return Err(SprtError::Parts(text.to_owned())),
        };
        Sprt::new(number("elo0", elo0)?, number("elo1", elo1)?, alpha, beta, EloModel::Normalized)
    }
}

/// As text that can be parsed: `elo0,elo1,alpha,beta`.
impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{},{}", self.elo0, self.elo1, self.alpha, self.beta)
    }
}

#[cfg(test)]
mod tests {
    use super::EloModel::{Logistic, Normalized};
    use super::*;
    use crate::pairs::any_counts;
    use proptest::prelude::*;
    use std::ops::Range;

    fn test(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    fn of_pairs(elo: (f64, f64), model: EloModel, counts: [u64; 5]) -> f64 {
        test(elo.0, elo.1, model).log_likelihood_ratio(&Pentanomial::new(counts))
    }

    fn two_digits<const N: usize>(ratios: [f64; N]) -> [String; N] {
        ratios.map(|ratio| format!("{ratio:.2}"))
    }

    /// app/tests/sprt_test.cpp of Disservin/fastchess: normalized pentanomial 1 and 2, logistic pentanomial 1 and 2. Its
    /// normalized case 3, 104 won pairs and nothing else, is 2.94 there, because fastchess ends its iteration when nothing
    /// moves by more than 1e-4. It is 2.0950 when it is iterated to the end: 104 * ln(0.51 / 0.5) and a little.
    #[test]
    fn ratios_are_those_of_fastchess() {
        let pairs = [
            of_pairs((0.0, 2.0), Normalized, [365, 16618, 36229, 16974, 390]),
            of_pairs((-1.75, 0.25), Normalized, [127, 4883, 10712, 5150, 104]),
            of_pairs((0.5, 2.5), Logistic, [223, 9863, 21279, 10037, 246]),
            of_pairs((0.0, 2.0), Logistic, [871, 26175, 55983, 26678, 821]),
            of_pairs((0.0, 5.0), Normalized, [0, 0, 0, 0, 104]),
        ];
        assert_eq!(two_digits(pairs), ["2.25", "3.01", "-3.07", "-4.98", "2.09"]);
    }

    /// projects/lib/tests/sprt/tst_sprt.cpp of cutechess/cutechess.
    #[test]
    fn bounds_are_those_of_cutechess() {
        let bounds = [0.01, 0.05].map(|rate| Sprt::new(0.0, 10.0, rate, rate, Logistic).unwrap().bounds());
        assert_eq!(bounds.map(|(lower, upper)| two_digits([lower, upper])), [["-4.60", "4.60"], ["-2.94", "2.94"]]);
    }

    /// The counts and bounds are those at the end of server/fishtest/stats/stat_util.py of official-stockfish/fishtest. It
    /// prints no values; these are from an own script with scipy's brentq for the equations of the two papers.
    #[test]
    fn ratios_follow_the_formulas_of_fishtest() {
        let close = |ratio: f64, exact: f64| assert!((ratio - exact).abs() < 1e-7, "{ratio} is not {exact}");
        close(of_pairs((-3.0, 1.0), Logistic, [10789, 19328, 33806, 19402, 10543]), 2.131_067_811_8);
        close(of_pairs((0.2, 0.9), Logistic, [39, 2226, 31451, 2412, 40]), 2.162_542_580_1);
        close(of_pairs((0.764, 3.439), Normalized, [39, 2226, 31451, 2412, 40]), 2.162_940_869_6);
    }

    /// Printed by fastchess in pull request 1899 of lynx-chess/Lynx, with bounds of -2.25 and 2.89.
    #[test]
    fn rates_may_differ() {
        let sprt = Sprt::new(-5.0, 0.0, 0.05, 0.1, Logistic).unwrap();
        let pairs = Pentanomial::new([235, 1384, 2521, 1341, 239]);
        let (lower, upper) = sprt.bounds();
        assert_eq!(two_digits([lower, upper, sprt.log_likelihood_ratio(&pairs)]), ["-2.25", "2.89", "1.69"]);
        assert_eq!(sprt.verdict(&pairs), Verdict::Continue);
    }

    /// Issues 877 and 879 of Disservin/fastchess: these hung, or were not a number. The two ratios are from pull request
    /// 882, which mended it.
    #[test]
    fn extreme_bounds_and_one_sided_matches_have_an_answer() {
        let far = (-1000.0, -500.0);
        let ratios = [of_pairs(far, Normalized, [77, 1, 0, 0, 0]), of_pairs(far, Normalized, [72, 10, 0, 0, 0])];
        assert_eq!(two_digits(ratios), ["-2.95", "-2.97"]);
        assert!(of_pairs((-1500.0, -500.0), Normalized, [144, 3, 1, 0, 0]) < -2.94);
        assert!(of_pairs((-1500.0, -500.0), Normalized, [1, 0, 0, 0, 0]) > -0.1);
    }

    /// Of this match fastchess said in pull request 881 that H1 was accepted: 4.8 % of the points, and 1500 rather than 500
    /// Elo ahead. The ratio is from an own script that searches all deviations with scipy.
    #[test]
    fn a_lost_match_never_speaks_for_the_better_hypothesis() {
        let ratio = of_pairs((500.0, 1500.0), Normalized, [549, 54, 33, 1, 0]);
        assert!((ratio + 1303.6).abs() < 1e-3, "{ratio}");
    }

    #[test]
    fn no_pairs_say_nothing_and_the_verdict_is_reached_at_the_bounds() {
        let sprt = test(0.0, 10.0, Normalized);
        let (lower, upper) = sprt.bounds();
        assert_eq!(sprt.log_likelihood_ratio(&Pentanomial::default()), 0.0);
        assert_eq!(sprt.verdict(&Pentanomial::default()), Verdict::Continue);
        let verdicts = [lower, 0.0, upper].map(|ratio| sprt.verdict_at(ratio));
        assert_eq!(verdicts, [Verdict::AcceptH0, Verdict::Continue, Verdict::AcceptH1]);
    }

    #[test]
    fn a_test_is_read_from_two_or_four_numbers() {
        let sprt: Sprt = "0,10".parse().unwrap();
        assert_eq!(sprt, test(0.0, 10.0, Normalized));
        let sprt: Sprt = "-5, 0, 0.1, 0.01".parse().unwrap();
        assert_eq!(sprt, Sprt::new(-5.0, 0.0, 0.1, 0.01, Normalized).unwrap());
        assert_eq!(sprt.to_string(), "-5,0,0.1,0.01");
        assert_eq!(sprt.with_model(Logistic).model, Logistic);
        assert!("0.2,0.3".parse::<Sprt>().is_ok() && "0,0.1,0.000001,0.000001".parse::<Sprt>().is_ok());
    }

    #[test]
    fn what_is_no_test_is_refused_with_the_reason() {
        for (text, reason) in [
            ("5", "an SPRT is elo0,elo1 or elo0,elo1,alpha,beta, but \"5\" has another number of parts"),
            ("0,1,0.05", "an SPRT is elo0,elo1 or elo0,elo1,alpha,beta, but \"0,1,0.05\" has another number of parts"),
            ("0,ten", "elo1 of an SPRT is a number, but \"ten\" is not one"),
            ("10,0", "elo0 of an SPRT must be less than elo1, but 10 is not less than 0"),
            ("3,3", "elo0 of an SPRT must be less than elo1, but 3 is not less than 3"),
            ("NaN,3", "elo0 of an SPRT must be between -5000 and 5000, but is NaN"),
            ("0,inf", "elo1 of an SPRT must be between -5000 and 5000, but is inf"),
            ("0,1e300", "elo1 of an SPRT must be between -5000 and 5000, but is 1e300"),
            ("0,1e-300", "elo1 of an SPRT must be 0 or at least 0.001 from it, but is 1e-300"),
            ("-1e-9,5", "elo0 of an SPRT must be 0 or at least 0.001 from it, but is -1e-9"),
            ("0,0.05", "elo0 and elo1 of an SPRT must be at least 0.1 apart, but are 0 and 0.05"),
            ("0,10,0,0.05", "alpha of an SPRT must be at least 0.000001 and below 1, but is 0.0"),
            ("0,10,1e-300,0.05", "alpha of an SPRT must be at least 0.000001 and below 1, but is 1e-300"),
            ("0,10,0.05,1.5", "beta of an SPRT must be at least 0.000001 and below 1, but is 1.5"),
            ("0,10,0.5,0.5", "alpha and beta of an SPRT must be less than 1 together, but are 1"),
        ] {
            assert_eq!(text.parse::<Sprt>().unwrap_err().to_string(), reason);
        }
    }

    fn model() -> impl Strategy<Value = EloModel> {
        prop_oneof![Just(Normalized), Just(Logistic)]
    }

    /// elo0 and elo1, whole thousandths: those that are nearer to 0 are refused.
    fn bounds(low: Range<f64>, width: impl Strategy<Value = f64>) -> impl Strategy<Value = (f64, f64)> {
        let rounded = |elo: f64| (elo * 1000.0).round() / 1000.0;
        (low, width).prop_map(move |(low, width)| (rounded(low), rounded(low + width).min(5000.0)))
    }

    proptest! {
        #[test]
        fn ratios_are_finite_whatever_was_counted(
            counts in any_counts(),
            bounds in bounds(-5000.0..4999.0, prop_oneof![0.2..10.0, 1.0..5000.0]),
            model in model(),
        ) {
            prop_assert!(of_pairs(bounds, model, counts).is_finite());
        }

        #[test]
        fn swapped_bots_with_swapped_bounds_turn_the_sign(
            counts in any_counts(),
            (low, high) in bounds(-500.0..500.0, 0.2..500.0),
            model in model(),
        ) {
            let pairs = Pentanomial::new(counts);
            let one = of_pairs((low, high), model, counts);
            let other = of_pairs((-high, -low), model, pairs.swapped().counts());
            prop_assert!((one + other).abs() <= 1e-6 * (pairs.pairs() as f64).max(1.0), "{one} and {other}");
        }

        #[test]
        fn a_better_pair_never_lowers_the_ratio(
            counts in proptest::array::uniform5(1..200_u64),
            from in 0..4_usize,
            bounds in bounds(-50.0..50.0, 1.0..100.0),
        ) {
            let mut better = counts;
            better[from] -= 1;
            better[from + 1] += 1;
            let [before, after] = [counts, better].map(|counts| of_pairs(bounds, Logistic, counts));
            prop_assert!(after > before - 1e-9, "{before} to {after}");
        }
    }
}
