//! The sequential test of a mean: play until it is certain enough on which side of a bound a mean is.

/// The answer of a [`MeanTest`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeanVerdict {
    /// Not enough values yet.
    Continue,
    /// The mean is at least the bound.
    AtLeast,
    /// The mean is less than the bound.
    Less,
}

/// A sequential test on which side of a bound the mean of values between 0 and 1 is, whatever their distribution.
///
/// It bets on each side: a bettor who has 1 at first and stakes a fixed share of it on each value being beyond the bound loses in the
/// long run if the mean is not beyond it, and has `1 / error` at any time with a probability of at most `error` (Ville's inequality). The
/// money is spread over several shares, of which the best soon has the most (Waudby-Smith and Ramdas 2024, "Estimating means of bounded
/// random variables by betting", section 4). So each answer is wrong with a probability of at most `error`, though it may be asked
/// after every value. The order of values does not matter.
///
/// ```
/// use tournament::{MeanTest, MeanVerdict};
///
/// let test = MeanTest { bound: 0.6, error: 0.01 };
/// assert_eq!(test.verdict(&[(1.0, 8), (0.0, 2)]), MeanVerdict::Continue);
/// assert_eq!(test.verdict(&[(1.0, 80), (0.0, 20)]), MeanVerdict::AtLeast);
/// assert_eq!(test.verdict(&[(1.0, 30), (0.0, 70)]), MeanVerdict::Less);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanTest {
    /// The bound, 0 to 1.
    pub bound: f64,
    /// The probability of a wrong answer, 0 to 1.
    pub error: f64,
}

/// The number of shares of the money that are staked.
const SHARES: i32 = 24;

impl MeanTest {
    /// The answer after these values, each with the number of times it came.
    pub fn verdict(&self, values: &[(f64, u64)]) -> MeanVerdict {
        let enough = -self.error.ln();
        let below = |&(value, count): &(f64, u64)| (1.0 - value, count);
        match (log_money(values.iter().copied(), self.bound), log_money(values.iter().map(below), 1.0 - self.bound)) {
            (above, below) if above >= enough && above >= below => MeanVerdict::AtLeast,
            (_, below) if below >= enough => MeanVerdict::Less,
            _ => MeanVerdict::Continue,
        }
    }
}

/// The logarithm of what the bettor has who bets that the mean is beyond the bound.
fn log_money(values: impl Iterator<Item = (f64, u64)> + Clone, bound: f64) -> f64 {
    // All of the money at stake loses all of it at a value of 0, and a bound of 0 is nothing to bet against.
    let most = 1.0 / bound.max(1e-9);
    let logs = (0..SHARES).map(|share| {
        let stake = most * 0.75f64.powi(share) * 0.999;
        values.clone().map(|(value, count)| count as f64 * (stake * (value - bound)).ln_1p()).sum::<f64>()
    });
    let logs: Vec<f64> = logs.collect();
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    largest + logs.iter().map(|log| (log - largest).exp()).sum::<f64>().ln() - f64::from(SHARES).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::RngExt;

    /// The answer in games of a player that wins so often, and the number of games, up to so many.
    fn played(test: MeanTest, strength: f64, most: u64, random: &mut rules::Random) -> (MeanVerdict, u64) {
        let mut won = 0;
        for games in 1..=most {
            won += u64::from(random.random_bool(strength));
            let verdict = test.verdict(&[(1.0, won), (0.0, games - won)]);
            if verdict != MeanVerdict::Continue {
                return (verdict, games);
            }
        }
        (MeanVerdict::Continue, most)
    }

    #[test]
    fn answers_are_wrong_no_more_often_than_was_asked_for() {
        let mut random = rules::random(1);
        let test = MeanTest { bound: 0.6, error: 0.05 };
        let answers: Vec<_> = (0..1000).map(|_| played(test, 0.6, 300, &mut random).0).collect();
        // At the bound itself one side is wrong: it is at least the bound.
        let wrong = answers.iter().filter(|answer| **answer == MeanVerdict::Less).count();
        assert!(wrong <= 50 + 3 * 7, "{wrong} of 1000");
        let too_good = answers.iter().filter(|answer| **answer == MeanVerdict::AtLeast).count();
        assert!(too_good <= 50 + 3 * 7, "{too_good} of 1000");
    }

    #[test]
    fn clear_cases_take_few_games() {
        let mut random = rules::random(2);
        let test = MeanTest { bound: 0.6, error: 1e-4 };
        let mut median = |strength| {
            let mut games: Vec<_> = (0..101).map(|_| played(test, strength, 5000, &mut random)).collect();
            games.sort_by_key(|(_, games)| *games);
            games[50]
        };
        // Nobody can tell them with less than ln(10,000) / KL games on average: 18, 6, 126.
        assert_eq!(median(1.0).0, MeanVerdict::AtLeast);
        assert!(median(1.0).1 <= 26, "{:?}", median(1.0));
        assert!(median(0.0).1 <= 16, "{:?}", median(0.0));
        assert!(matches!(median(0.8), (MeanVerdict::AtLeast, 60..=180)), "{:?}", median(0.8));
    }

    #[test]
    fn bounds_at_the_ends_are_decided() {
        let all = MeanTest { bound: 0.0, error: 0.01 };
        assert_eq!(all.verdict(&[(0.5, 10)]), MeanVerdict::AtLeast);
        let none = MeanTest { bound: 1.0, error: 0.01 };
        assert_eq!(none.verdict(&[(0.0, 1)]), MeanVerdict::Less);
        assert_eq!(none.verdict(&[(1.0, 1000)]), MeanVerdict::Continue);
    }
}
