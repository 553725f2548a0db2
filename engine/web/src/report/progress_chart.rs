//! Each bot's share of points over its games, drawn.

use super::TournamentHistory;
use super::bot::ReportBot;
use askama::Template;
use tournament::Standing;

/// The number of bots that are drawn: as many as there are lines that can be told apart.
const DRAWN: usize = 16;
/// The distance between the numbers at the ends of lines, in percent of the height.
const APART: f64 = 4.4;
/// The edges of the plot, in percent of the picture.
const LEFT: f64 = 8.0;
const WIDTH: f64 = 86.0;
const TOP: f64 = 3.0;
const HEIGHT: f64 = 87.0;

/// The drawing of the curves of the best bots.
#[derive(Template)]
#[template(path = "report/progress_chart.html")]
pub(super) struct ProgressChart {
    curves: Vec<Curve>,
    /// True if there are more bots than curves.
    is_cut: bool,
    /// Horizontal lines: the share of points, and the height, both in percent.
    levels: [(i32, f64); 5],
    /// Numbers of games below the plot, with their places from left to right in percent.
    counts: Vec<(String, f64)>,
}

struct Curve {
    bot: ReportBot,
    /// The share of points at the end, from 0 to 1.
    end: f64,
    /// The points of the line, in thousandths of the plot.
    points: Vec<(f64, f64)>,
    /// The height of the number at the end of the line, in percent of the picture.
    label_y: f64,
}

impl ProgressChart {
    pub(super) fn new(history: &TournamentHistory, bots: &[Standing<'_>]) -> ProgressChart {
        let drawn = bots.iter().map(|bot| (bot, &history.curves[bot.number])).filter(|(_, curve)| curve.games > 0);
        let drawn: Vec<_> = drawn.take(DRAWN).collect();
        let most = drawn.iter().map(|(_, curve)| curve.games).max().unwrap_or_default();
        let curves = drawn.iter().map(|(bot, curve)| {
            let x = |games| (games - 1) as f64 / most.saturating_sub(1).max(1) as f64 * 1000.0;
            Curve {
                bot: (*bot).into(),
                end: curve.points().last().map_or(0.0, |(_, share)| share),
                points: curve.points().map(|(games, share)| (x(games), (1.0 - share) * 1000.0)).collect(),
                label_y: 0.0,
            }
        });
        let mut curves: Vec<Curve> = curves.collect();
        let wanted: Vec<f64> = curves.iter().map(|curve| TOP + HEIGHT * (1.0 - curve.end)).collect();
        curves.iter_mut().zip(spread(&wanted)).for_each(|(curve, y)| curve.label_y = y);
        let levels = [0, 25, 50, 75, 100].map(|percent| (percent, TOP + HEIGHT * (1.0 - f64::from(percent) / 100.0)));
        let counts = [(most.div_ceil(2), LEFT + WIDTH / 2.0), (most, LEFT + WIDTH)];
        let counts = counts.into_iter().filter(|(games, _)| *games > 1).map(|(games, x)| (games.to_string(), x));
        let counts = [("1 game".to_owned(), LEFT)].into_iter().chain(counts).collect();
        ProgressChart { is_cut: bots.len() > curves.len(), curves, levels, counts }
    }
}

/// The heights nearest to the wanted ones with [`APART`] between any two.
fn spread(wanted: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&one, &other| wanted[one].total_cmp(&wanted[other]));
    let mut found = wanted.to_vec();
    let mut least = TOP;
    for &at in &order {
        found[at] = found[at].max(least);
        least = found[at] + APART;
    }
    let mut most = TOP + HEIGHT;
    for &at in order.iter().rev() {
        found[at] = found[at].min(most);
        most = found[at] - APART;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_at_the_ends_of_lines_do_not_cover_each_other() {
        for wanted in [vec![50.0; DRAWN], vec![90.0; 5], vec![3.0, 3.0, 80.0, 90.0]] {
            let mut found = spread(&wanted);
            found.sort_by(f64::total_cmp);
            assert!(found.windows(2).all(|two| two[1] - two[0] > APART - 1e-6), "{found:?}");
            assert!(found[0] > -1e-6 && found[found.len() - 1] <= TOP + HEIGHT, "{found:?}");
        }
    }
}
