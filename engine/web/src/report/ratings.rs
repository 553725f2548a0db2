//! Ratings with their error bars, drawn.

use super::text::{colour, label};
use std::fmt::Write as _;
use tournament::Standing;

pub(super) fn write(out: &mut String, bots: &[Standing<'_>]) {
    let rated: Vec<&Standing<'_>> = bots.iter().filter(|bot| bot.rating.error.is_some()).collect();
    out.push_str("<section aria-labelledby=\"ratings\"><h2 id=\"ratings\">Ratings</h2>\n");
    if rated.is_empty() {
        out.push_str("<p class=\"hint\">No pair of games is finished yet.</p></section>\n");
        return;
    }
    out.push_str(
        "<p class=\"hint\">Elo with 95 % bars. Bars that overlap do not settle who is stronger.</p>\n<ol class=\"ratings\">\n",
    );
    let ends = rated.iter().flat_map(|bot| {
        let error = bot.rating.error.unwrap_or_default();
        [bot.rating.elo - error, bot.rating.elo + error]
    });
    let (low, high) = ends.fold((f64::MAX, f64::MIN), |(low, high), end| (low.min(end), high.max(end)));
    let scale = Scale::new(low, high);
    for bot in rated {
        let (elo, error) = (bot.rating.elo, bot.rating.error.unwrap_or_default());
        let _ = write!(
            out,
            "<li>{}<svg class=\"plot {}\" role=\"img\" aria-label=\"{elo:+.0} Elo, from {:+.0} to {:+.0}\">",
            label(bot),
            colour(bot),
            elo - error,
            elo + error
        );
        scale.rules(out);
        let (from, to, at) = (scale.at(elo - error), scale.at(elo + error), scale.at(elo));
        let _ = write!(out, "<line class=\"error\" x1=\"{from:.2}%\" x2=\"{to:.2}%\" y1=\"50%\" y2=\"50%\"/>");
        for end in [from, to] {
            let _ = write!(out, "<line class=\"error\" x1=\"{end:.2}%\" x2=\"{end:.2}%\" y1=\"30%\" y2=\"70%\"/>");
        }
        let _ = write!(out, "<circle class=\"estimate\" cx=\"{at:.2}%\" cy=\"50%\" r=\"4.5\"/></svg>");
        let _ = writeln!(out, "<span class=\"elo\">{elo:+.0} <span class=\"quiet\">± {error:.0}</span></span></li>");
    }
    out.push_str("<li aria-hidden=\"true\"><span class=\"quiet\">Elo</span><svg class=\"plot\">");
    for tick in scale.ticks() {
        let _ = write!(out, "<text x=\"{:.2}%\" y=\"60%\">{tick:.0}</text>", scale.at(tick));
    }
    out.push_str("</svg><span></span></li>\n</ol></section>\n");
}

/// Where a rating is, from left to right.
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

    /// In percent of the width.
    fn at(&self, elo: f64) -> f64 {
        (elo - self.low) / (self.high - self.low) * 100.0
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let first = (self.low / self.step).ceil() as i64;
        let last = (self.high / self.step).floor() as i64;
        let step = self.step;
        (first..=last).map(move |tick| tick as f64 * step)
    }

    fn rules(&self, out: &mut String) {
        for tick in self.ticks() {
            let x = self.at(tick);
            let zero = if tick == 0.0 { " zero" } else { "" };
            let _ = write!(out, "<line class=\"rule{zero}\" x1=\"{x:.2}%\" x2=\"{x:.2}%\" y1=\"0\" y2=\"100%\"/>");
        }
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
