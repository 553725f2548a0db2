//! The shots of bots at the same fleets, as a histogram for each.

use super::bot::ReportBot;
use askama::Template;
use tournament::{ShotBins, Standing};

/// The most bins, and the most bots that are drawn.
const BINS: u32 = 40;
const DRAWN: usize = 30;
/// The most numbers below the histograms.
const TICKS: usize = 8;

/// The histograms, of the same bins for all.
#[derive(Template)]
#[template(path = "report/shots_chart.html")]
pub(super) struct ShotsChart {
    rows: Vec<ShotsRow>,
    /// The width of a bar in percent of that of the drawing.
    bar: f64,
    /// Shots, and their places in percent of the width.
    ticks: Vec<(u32, f64)>,
}

struct ShotsRow {
    bot: ReportBot,
    /// The mean with its error, and its place in percent of the width.
    mean: (String, f64),
    /// Of each bar the place from the left and the height in percent, and its meaning in words.
    bars: Vec<(f64, f64, String)>,
}

impl ShotsChart {
    /// The histograms of these bots; `None` if none of them has met two boards or more.
    pub(super) fn new(bots: &[Standing<'_>]) -> Option<ShotsChart> {
        let drawn = || bots.iter().filter(|bot| bot.row.shots.boards() > 1).take(DRAWN);
        let bins = ShotBins::of(drawn().map(|bot| &bot.row.shots), BINS)?;
        let ranges: Vec<(u32, u32)> = bins.ranges().collect();
        let bar = 100.0 / ranges.len() as f64;
        let (first, width) = (ranges[0].0, ranges[0].1 - ranges[0].0 + 1);
        let at = |shots: f64| (shots - f64::from(first)) / f64::from(width) * bar;
        let row = |bot: &Standing<'_>| {
            let counts = bins.counts(&bot.row.shots);
            let most = counts.iter().copied().max().unwrap_or(1) as f64;
            let bars = ranges.iter().zip(counts).enumerate().filter(|(_, (_, count))| *count > 0);
            let bars = bars.map(|(nth, ((least, largest), count))| {
                let shots = if least == largest { least.to_string() } else { format!("{least} to {largest}") };
                let boards = rules::counted(count as u32, "board");
                (nth as f64 * bar, count as f64 / most * 100.0, format!("{shots} shots on {boards}"))
            });
            let mean = bot.shots.map(|shots| (shots.to_string(), at(shots.mean + 0.5))).unwrap_or_default();
            ShotsRow { bot: bot.into(), mean, bars: bars.collect() }
        };
        let apart = ranges.len().div_ceil(TICKS);
        let ticks = ranges.iter().step_by(apart).map(|(least, _)| (*least, at(f64::from(*least) + 0.5)));
        Some(ShotsChart { rows: drawn().map(row).collect(), bar, ticks: ticks.collect() })
    }
}
