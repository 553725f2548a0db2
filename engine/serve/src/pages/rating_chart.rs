//! The chart of a bot's rating over its versions.

use crate::contests::wire::VersionView;

/// The size of the chart, in units of its own.
pub(crate) const WIDTH: f64 = 640.0;
pub(crate) const HEIGHT: f64 = 220.0;
/// The space for the words at the left, and around the rest.
pub(crate) const LEFT: f64 = 56.0;
pub(crate) const EDGE: f64 = 14.0;
const BELOW: f64 = 28.0;
/// The most versions that are drawn.
const MOST: usize = 40;

/// A chart of ratings with their intervals.
pub(crate) struct RatingChart {
    /// The oldest version first.
    pub(crate) points: Vec<ChartPoint>,
    pub(crate) lines: Vec<ChartLine>,
    /// The line through all points, as `x,y x,y`.
    pub(crate) path: String,
    /// The chart in a sentence.
    pub(crate) description: String,
}

/// A version in the chart.
pub(crate) struct ChartPoint {
    pub(crate) version: u32,
    /// True if its number has room below.
    pub(crate) is_named: bool,
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// The ends of its interval.
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

/// A line across the chart.
pub(crate) struct ChartLine {
    pub(crate) elo: f64,
    pub(crate) y: f64,
}

impl RatingChart {
    /// The chart of versions, the newest first; `None` of fewer than two that are rated.
    pub(crate) fn of(versions: &[VersionView]) -> Option<RatingChart> {
        let rated = versions.iter().filter_map(|version| Some((version.version, version.rating?)));
        let mut rated: Vec<(u32, [f64; 2])> = rated.take(MOST).collect();
        rated.reverse();
        let [(first, [first_elo, _]), .., (last, [last_elo, _])] = *rated else { return None };
        let lowest = rated.iter().map(|(_, [elo, error])| elo - error).fold(f64::INFINITY, f64::min);
        let highest = rated.iter().map(|(_, [elo, error])| elo + error).fold(f64::NEG_INFINITY, f64::max);
        let step = step_of(highest - lowest);
        let (lowest, highest) = ((lowest / step).floor() * step, (highest / step).ceil() * step);
        let range = (highest - lowest).max(step);
        let y = |elo: f64| EDGE + (lowest + range - elo) / range * (HEIGHT - EDGE - BELOW);
        let apart = (WIDTH - LEFT - 2.0 * EDGE) / (rated.len() - 1) as f64;
        let point = |(at, (version, [elo, error])): (usize, &(u32, [f64; 2]))| ChartPoint {
            version: *version,
            is_named: (rated.len() - 1 - at).is_multiple_of(1 + rated.len() / 12),
            x: LEFT + EDGE + apart * at as f64,
            y: y(*elo),
            top: y(elo + error),
            bottom: y(elo - error),
        };
        let points: Vec<ChartPoint> = rated.iter().enumerate().map(point).collect();
        let path: Vec<String> = points.iter().map(|point| format!("{:.1},{:.1}", point.x, point.y)).collect();
        let count = (range / step).round() as u32;
        let line = |at: u32| lowest + step * f64::from(at);
        Some(RatingChart {
            lines: (0..=count).map(line).map(|elo| ChartLine { elo, y: y(elo) }).collect(),
            path: path.join(" "),
            description: format!(
                "From version {first} with {first_elo:.0} to version {last} with {last_elo:.0}; the table of versions has all figures."
            ),
            points,
        })
    }
}

/// The distance of the lines across a chart of this range: 1, 2 or 5 times a power of ten, so that there are a few.
fn step_of(range: f64) -> f64 {
    let least = (range / 5.0).max(1.0);
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|times| times * power).into_iter().find(|step| *step >= least).unwrap_or(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contests::wire::{GamesView, VersionState};

    fn version(version: u32, rating: Option<[f64; 2]>) -> VersionView {
        VersionView {
            version,
            state: VersionState::Accepted,
            place: None,
            is_active: false,
            reason: None,
            submitted: String::new(),
            archive: None,
            bytes: None,
            url: None,
            language: None,
            slowest: None,
            rating,
            games: GamesView::default(),
        }
    }

    #[test]
    fn a_chart_has_the_rated_versions_within_its_frame() {
        let versions = [version(4, Some([120.0, 40.0])), version(3, None), version(1, Some([-30.0, 200.0]))];
        let chart = RatingChart::of(&versions).unwrap();
        assert_eq!(chart.points.iter().map(|point| point.version).collect::<Vec<_>>(), [1, 4]);
        for point in &chart.points {
            assert!(point.top < point.y && point.y < point.bottom);
            assert!(point.top >= EDGE && point.bottom <= HEIGHT - BELOW && point.x <= WIDTH - EDGE, "{}", point.x);
        }
        assert!(chart.points[1].y < chart.points[0].y, "the better one is above");
        assert_eq!(
            chart.lines.iter().map(|line| line.elo).collect::<Vec<_>>(),
            [-300.0, -200.0, -100.0, 0.0, 100.0, 200.0]
        );
        assert!(RatingChart::of(&versions[..2]).is_none());
    }

    #[test]
    fn a_chart_of_many_or_equal_versions_can_be_drawn() {
        let many: Vec<VersionView> = (1..=300).rev().map(|number| version(number, Some([0.0, 0.0]))).collect();
        let chart = RatingChart::of(&many).unwrap();
        assert_eq!((chart.points.len(), chart.points[MOST - 1].version), (MOST, 300));
        assert!(chart.points.iter().all(|point| point.y.is_finite() && point.x.is_finite()));
        assert!(chart.points.iter().filter(|point| point.is_named).count() <= 14 && chart.points[MOST - 1].is_named);
    }
}
