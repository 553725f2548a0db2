//! The most likely distributions of a sample's score under a hypothesis, and how much more likely one makes the counts.
//!
//! The theory is Van den Bergh's: "Support of the multinomial MLE" (www.cantate.be/Fishtest/support_MLE_multinomial.pdf,
//! proposition 1.1) for a given mean and "Comments on Normalized Elo" (normalized_elo_practical.pdf, section 4.1) for a given
//! t-value. fishtest and fastchess follow it, too, but iterate the second from one fixed beginning, which does not settle
//! for extreme bounds (fastchess issues 877 and 879); here it begins with the counts' own moments, and there are more beginnings to fall back on.

/// The counts of samples by their score; the scores are [`VALUES`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counts {
    total: f64,
    shares: [f64; 5],
}

/// The scores of a pair, in parts of the most points.
const VALUES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// The count of a kind of result that never happened: fishtest's `regularize` in server/fishtest/stats/LLRcalc.py.
const NEVER: f64 = 1e-3;
/// The most iterations; usually five to ten are enough.
const PATIENCE: usize = 500;
/// The number of beginnings that are tried if the first does not settle.
const BEGINNINGS: usize = 32;

/// A hypothesis about the distribution of a sample's score.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Hypothesis {
    /// Its mean, from 0 to 1 exclusive.
    Mean(f64),
    /// Its mean less 1/2, in its own standard deviations.
    TValue(f64),
}

impl Counts {
    pub(crate) fn new(counts: [f64; 5]) -> Counts {
        let counts = counts.map(|count| if count == 0.0 { NEVER } else { count });
        let total = counts.iter().sum();
        Counts { total, shares: counts.map(|count| count / total) }
    }

    /// The logarithm of how much more likely `other` makes the counts than `one`, each with its most likely distribution.
    pub(crate) fn log_ratio(&self, one: Hypothesis, other: Hypothesis) -> f64 {
        match (self.log_likelihood(one), self.log_likelihood(other), one, other) {
            (Some(one), Some(other), ..) => other - one,
            (_, _, Hypothesis::TValue(one), Hypothesis::TValue(other)) => self.approximate_log_ratio(one, other),
            _ => 0.0,
        }
    }

    fn log_likelihood(&self, hypothesis: Hypothesis) -> Option<f64> {
        match hypothesis {
            Hypothesis::Mean(mean) => Some(self.total * self.tilted(VALUES.map(|value| value - mean))?.log_likelihood),
            Hypothesis::TValue(t) if t < 0.0 => self.mirrored().log_likelihood(Hypothesis::TValue(-t)),
            Hypothesis::TValue(t) => self.log_likelihood_of_t_value(t),
        }
    }

    fn mirrored(&self) -> Counts {
        let mut mirrored = *self;
        mirrored.shares.reverse();
        mirrored
    }

    /// The iteration begins with the mean and deviation of the counts themselves. It settles when their t-value is
    /// above `t >= 0`, for the distributions up to there are a convex set. When it is below, it may lead nowhere; then it
    /// begins with those of even chances, as fishtest does, and last with several that have the wanted t-value, of
    /// which the best end counts.
    fn log_likelihood_of_t_value(&self, t: f64) -> Option<f64> {
        let even = moments(&[0.2; 5]);
        let widest = 0.5 / (1.0 + t * t).sqrt();
        let wanted = |step: usize| {
            let deviation = widest * step as f64 / (BEGINNINGS + 1) as f64;
            Moments { mean: 0.5 + t * deviation, deviation }
        };
        let best = self
            .settle(t, moments(&self.shares))
            .or_else(|| self.settle(t, even))
            .or_else(|| (1..=BEGINNINGS).filter_map(|step| self.settle(t, wanted(step))).reduce(f64::max));
        best.map(|best| self.total * best)
    }

    /// Repeats the linear problem that a mean and a deviation pose with those of its solution until they stay.
    fn settle(&self, t: f64, beginning: Moments) -> Option<f64> {
        let mut now = beginning;
        for _ in 0..PATIENCE {
            let Moments { mean, deviation } = now;
            let bent = VALUES.map(|v| v - 0.5 - t * deviation * (1.0 + ((v - mean) / deviation).powi(2)) / 2.0);
            let solution = self.tilted(bent)?;
            let next = moments(&solution.shares);
            if next.deviation <= 0.0 {
                return None;
            }
            if (next.mean - mean).abs() + (next.deviation - deviation).abs() < 1e-10 * deviation {
                return Some(solution.log_likelihood);
            }
            now = next;
        }
        None
    }

    /// The most likely distribution in which the mean of `weights` is zero; none when they all have one sign.
    ///
    /// Each share is divided by `1 + tilt * weight`, where the tilt solves `sum of share * weight / (1 + tilt * weight) = 0`.
    /// The sum falls between its two poles, which are on both sides of 0, so there is one solution; Newton's method within a
    /// bracket finds it. The unknown is the distance to the pole on the solution's side, so that a solution close to it,
    /// where a rare result gets much weight, is found with as many digits as any other.
    fn tilted(&self, weights: [f64; 5]) -> Option<Tilted> {
        let least = weights.iter().copied().fold(f64::INFINITY, f64::min);
        let most = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if !(least < 0.0 && most > 0.0) {
            return None;
        }
        let mean: f64 = self.shares.iter().zip(weights).map(|(share, weight)| share * weight).sum();
        let extreme = if mean > 0.0 { least } else { most };
        let pole = -1.0 / extreme;
        let margins = weights.map(|weight| if weight == extreme { 0.0 } else { 1.0 - weight / extreme });
        let divisor = |k: usize, distance: f64| margins[k] - distance * pole * weights[k];
        let (mut near, mut far, mut distance) = (0.0, 1.0, 1.0);
        for _ in 0..200 {
            let (mut value, mut slope) = (0.0, 0.0);
            for (k, share) in self.shares.iter().enumerate() {
                let term = weights[k] / divisor(k, distance);
                value += share * term;
                slope += share * term * term;
            }
            if (value > 0.0) == (mean > 0.0) {
                far = distance;
            } else {
                near = distance;
            }
            let newton = distance - value / (slope * pole);
            let next = if newton > near && newton < far { newton } else { (near + far) / 2.0 };
            let moved = (next - distance).abs();
            distance = next;
            if moved <= 1e-15 * distance {
                break;
            }
        }
        let mut shares = self.shares;
        let mut log_likelihood = 0.0;
        for (k, share) in shares.iter_mut().enumerate() {
            let tilted = *share / divisor(k, distance);
            log_likelihood += *share * tilted.ln();
            *share = tilted;
        }
        log_likelihood.is_finite().then_some(Tilted { shares, log_likelihood })
    }

    /// Section 4.2 of "Comments on Normalized Elo": close where differences are small, and always finite.
    fn approximate_log_ratio(&self, one: f64, other: f64) -> f64 {
        let t = moments(&self.shares).t_value();
        self.total / 2.0 * ((1.0 + (t - one).powi(2)) / (1.0 + (t - other).powi(2))).ln()
    }
}

struct Tilted {
    shares: [f64; 5],
    log_likelihood: f64,
}

#[derive(Debug, Clone, Copy)]
struct Moments {
    mean: f64,
    deviation: f64,
}

impl Moments {
    fn t_value(self) -> f64 {
        (self.mean - 0.5) / self.deviation
    }
}

fn moments(shares: &[f64; 5]) -> Moments {
    let mean: f64 = (0..5).map(|k| shares[k] * VALUES[k]).sum();
    let variance: f64 = (0..5).map(|k| shares[k] * (VALUES[k] - mean).powi(2)).sum();
    Moments { mean, deviation: variance.sqrt() }
}
