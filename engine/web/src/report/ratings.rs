//! Ratings with their error bars, drawn.

use super::bot::ReportBot;
use askama::Template;
use tournament::Standing;

/// The drawing of all ratings that are known.
#[derive(Template)]
#[template(path = "report/ratings.html")]
pub(super) struct RatingsChart {
    rated: Vec<RatedBot>,
    /// Ratings with a line, and their places in percent of the width.
    ticks: Vec<(f64, f64)>,
}

struct RatedBot {
    bot: ReportBot,
    elo: f64,
    error: f64,
    /// The place of the rating, in percent of the width.
    at: f64,
    /// The places of the lower and the upper end of the bar, in percent of the width.
    ends: [f64; 2],
}

impl RatingsChart {
    pub(super) fn new(bots: &[Standing<'_>]) -> RatingsChart {
        let rated = || bots.iter().filter_map(|bot| Some((bot, bot.rating.elo, bot.rating.error?)));
        let low = rated().map(|(_, elo, error)| elo - error).fold(f64::MAX, f64::min);
        let high = rated().map(|(_, elo, error)| elo + error).fold(f64::MIN, f64::max);
        let scale = Scale::new(low, high);
        let ticks = scale.ticks().map(|tick| (tick, scale.at(tick))).collect();
        let rated = rated().map(|(bot, elo, error)| {
            let ends = [elo - error, elo + error].map(|at| scale.at(at));
            RatedBot { bot: bot.into(), elo, error, at: scale.at(elo), ends }
        });
        RatingsChart { rated: rated.collect(), ticks }
    }
}

/// The scale of the ratings, from left to right.
struct Scale {
    low: f64,
    high: f64,
    step: f64,
}

impl Scale {
    fn new(low: f64, high: f64) -> Scale {
        let width = (high - low).max(10.0);
        let step = [1.0, 2.0, 5.0].into_iter().flat_map(|first| (0..6).map(move |tens| first * 10_f64.powi(tens)));
        let step = step.filter(|step| width / step <= 5.0).fold(f64::MAX, f64::min);
        Scale { low: low - width * 0.04, high: high.max(low + width) + width * 0.04, step: step.min(width) }
    }

    /// The place of a rating, in percent of the width.
    fn at(&self, elo: f64) -> f64 {
        (elo - self.low) / (self.high - self.low) * 100.0
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let first = (self.low / self.step).ceil() as i64;
        let last = (self.high / self.step).floor() as i64;
        let step = self.step;
        (first..=last).map(move |tick| tick as f64 * step)
    }
}

#[cfg(test)]
mod tests {
    use super::Scale;

    #[test]
    fn every_scale_has_a_few_ticks_and_all_bars_in_it() {
        for (low, high) in [(0.0, 0.0), (-3.0, 3.0), (-1900.0, 1900.0), (1480.0, 1655.0), (-9e5, 9e5)] {
            let scale = Scale::new(low, high);
            assert!((1..=7).contains(&scale.ticks().count()), "{low} {high} {}", scale.ticks().count());
            assert!(scale.at(low) > 0.0 && scale.at(high) < 100.0);
        }
    }
}
