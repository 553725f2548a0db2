//! The times of answers, in a few numbers that can be added up.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::time::Duration;

/// A histogram of times in steps of about five percent, so quantiles are exact to about five percent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Times(BTreeMap<u16, u64>);

/// The number of steps from one power of two to the next.
const STEPS: f64 = 14.0;
/// The first step, in milliseconds.
const LEAST: f64 = 0.01;

impl Times {
    /// Counts one answer.
    pub fn add(&mut self, time: Duration) {
        let ms = (time.as_secs_f64() * 1000.0).max(LEAST);
        *self.0.entry(((ms / LEAST).log2() * STEPS).round() as u16).or_default() += 1;
    }

    /// Adds the counts of `others`.
    pub fn merge(&mut self, others: &Times) {
        for (step, count) in &others.0 {
            *self.0.entry(*step).or_default() += count;
        }
    }

    /// The number of answers.
    pub fn count(&self) -> u64 {
        self.0.values().sum()
    }

    /// The sum of all times, exact to about five percent.
    pub fn total(&self) -> Duration {
        let ms: f64 = self.0.iter().map(|(step, count)| time_of(*step) * *count as f64).sum();
        Duration::try_from_secs_f64(ms / 1000.0).unwrap_or(Duration::MAX)
    }

    /// True if these can be the times of one game: others come from a file or a machine that is wrong.
    pub fn can_be_of_a_game(&self) -> bool {
        const MOST_ANSWERS: u64 = 100_000;
        // More than a year.
        const LAST_STEP: u16 = 600;
        self.0.iter().all(|(step, count)| *step <= LAST_STEP && *count <= MOST_ANSWERS)
    }

    /// The time in milliseconds that this share of the answers, from 0 to 1, did not exceed; `None` without
    /// answers.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let wanted = (self.count() as f64 * share).ceil().max(1.0) as u64;
        let mut seen = 0;
        let step = self.0.iter().find_map(|(step, count)| {
            seen += count;
            (seen >= wanted).then_some(*step)
        })?;
        Some(time_of(step))
    }
}

/// The time at a step, in milliseconds.
fn time_of(step: u16) -> f64 {
    LEAST * (f64::from(step) / STEPS).exp2()
}

/// In JSON, pairs of step and count.
impl Serialize for Times {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq(&self.0)
    }
}

impl<'de> Deserialize<'de> for Times {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Times, D::Error> {
        Ok(Times(Vec::<(u16, u64)>::deserialize(from)?.into_iter().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_right_within_five_percent() {
        let mut times = Times::default();
        (1..=1000).for_each(|ms| times.add(Duration::from_millis(ms)));
        for (share, ms) in [(0.5, 500.0), (0.99, 990.0), (1.0, 1000.0), (0.001, 1.0)] {
            let found = times.quantile(share).unwrap();
            assert!((found / ms - 1.0).abs() < 0.05, "{share}: {found}");
        }
        let text = serde_json::to_string(&times).unwrap();
        assert_eq!(serde_json::from_str::<Times>(&text).unwrap(), times);
        let mut twice = times.clone();
        twice.merge(&times);
        assert_eq!((twice.count(), twice.quantile(0.5)), (2000, times.quantile(0.5)));
        assert_eq!(Times::default().quantile(0.5), None);
        let impossible = ["[[5,100001]]", "[[601,1]]"].map(|text| serde_json::from_str::<Times>(text).unwrap());
        assert!(times.can_be_of_a_game() && !impossible.iter().any(Times::can_be_of_a_game));
    }
}
