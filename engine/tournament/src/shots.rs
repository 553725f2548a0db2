//! The shots of bots that play alone or at the fleets of a passive player, and the comparison of two on the same boards.

use crate::strength::normal::DEVIATIONS_95;
use serde::Serialize;
use std::collections::BTreeMap;

/// The shots of an entrant by boards. A board is one sample, also if the entrant has met it several times.
///
/// ```
/// let (mut one, mut other) = (tournament::BoardShots::default(), tournament::BoardShots::default());
/// for (board, [shots, others]) in [[40, 31], [28, 30], [50, 29], [33, 30]].into_iter().enumerate() {
///     one.count(board as u64, shots);
///     other.count(board as u64, others);
/// }
/// let (mean, more) = (one.mean().unwrap(), one.more_than(&other).unwrap());
/// assert_eq!((mean.mean, more.boards, more.mean), (37.75, 4, 7.75));
/// assert_eq!(more.to_string(), "7.8 ± 9.7");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BoardShots(BTreeMap<u64, [u64; 2]>);

/// A mean of shots over boards.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MeanShots {
    /// The number of boards.
    pub boards: u64,
    /// The mean.
    pub mean: f64,
    /// Half the width of the 95 % interval around the mean; `None` with one board.
    #[serde(rename = "error_95")]
    pub error: Option<f64>,
}

impl BoardShots {
    /// Counts a game on the board with this seed.
    pub fn count(&mut self, board: u64, shots: u32) {
        let [sum, games] = self.0.entry(board).or_default();
        *sum += u64::from(shots);
        *games += 1;
    }

    /// The number of boards.
    pub fn boards(&self) -> u64 {
        self.0.len() as u64
    }

    /// The mean for a board; `None` without games.
    pub fn mean(&self) -> Option<MeanShots> {
        MeanShots::of(self.means().map(|(_, shots)| shots))
    }

    /// The shots that this entrant takes more than another on the same board; `None` if they have met none in common.
    pub fn more_than(&self, other: &BoardShots) -> Option<MeanShots> {
        let others: BTreeMap<u64, f64> = other.means().collect();
        MeanShots::of(self.means().filter_map(|(board, shots)| Some(shots - others.get(&board)?)))
    }

    /// The shots that this share of the boards, from 0 to 1, did not exceed; `None` without games.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let mut all: Vec<f64> = self.means().map(|(_, shots)| shots).collect();
        all.sort_by(f64::total_cmp);
        let wanted = (all.len() as f64 * share).ceil() as usize;
        all.get(wanted.saturating_sub(1)).copied()
    }

    /// The boards with the mean of the games on each.
    fn means(&self) -> impl Iterator<Item = (u64, f64)> {
        self.0.iter().map(|(board, [sum, games])| (*board, *sum as f64 / *games as f64))
    }
}

impl MeanShots {
    fn of(shots: impl Iterator<Item = f64>) -> Option<MeanShots> {
        let shots: Vec<f64> = shots.collect();
        let boards = shots.len() as f64;
        let mean = shots.iter().sum::<f64>() / boards;
        let variance = shots.iter().map(|shots| (shots - mean).powi(2)).sum::<f64>() / (boards - 1.0);
        let error = (shots.len() > 1).then(|| DEVIATIONS_95 * (variance / boards).sqrt());
        (!shots.is_empty()).then_some(MeanShots { boards: shots.len() as u64, mean, error })
    }

    /// The number of boards after which the interval of such a difference does not include 0 in four cases of five; `None` for no
    /// difference at all.
    ///
    /// ```
    /// let more = tournament::MeanShots { boards: 200, mean: -0.5, error: Some(1.0) };
    /// assert_eq!((more.is_settled(), more.boards_to_settle()), (false, Some(1635)));
    /// ```
    pub fn boards_to_settle(&self) -> Option<u64> {
        // Four values of five of a normal distribution are above its mean less so many standard deviations.
        const OF_FIVE: f64 = 0.8416;
        let wider = 1.0 + OF_FIVE / DEVIATIONS_95;
        let boards = self.boards as f64 * (wider * self.error? / self.mean).powi(2);
        // Of two boards or more there is an interval.
        boards.is_finite().then_some((boards.ceil() as u64).max(2))
    }

    /// True if the interval does not include 0.
    pub fn is_settled(&self) -> bool {
        self.error.is_some_and(|error| self.mean.abs() > error)
    }

    /// The difference of `first` to `second` as a sentence, such as `A takes 1.2 ± 0.5 shots fewer than B on the same board (95 %)`;
    /// `None` with one board.
    pub fn in_words(&self, first: &str, second: &str) -> Option<String> {
        let error = self.error?;
        let than = if self.mean > 0.0 { "more" } else { "fewer" };
        let undecided = if self.is_settled() { "" } else { "not decided by shots: " };
        let mean = self.mean.abs();
        Some(format!(
            "{undecided}{first} takes {mean:.1} ± {error:.1} shots {than} than {second} on the same board (95 %)"
        ))
    }
}

/// The bins of a histogram of shots, all of one width.
///
/// ```
/// let mut shots = tournament::BoardShots::default();
/// [31, 38, 38, 52].into_iter().zip(0..).for_each(|(shots_of_board, board)| shots.count(board, shots_of_board));
/// let bins = tournament::ShotBins::of([&shots], 6).unwrap();
/// assert_eq!(bins.counts(&shots), [1, 2, 0, 0, 1]);
/// assert_eq!(bins.ranges().next(), Some((30, 34)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShotBins {
    first: u32,
    width: u32,
    count: u32,
}

impl ShotBins {
    /// At most `most` bins for the shots of all of these; `None` without games.
    pub fn of<'a>(all: impl IntoIterator<Item = &'a BoardShots>, most: u32) -> Option<ShotBins> {
        let shots: Vec<u32> = all.into_iter().flat_map(BoardShots::means).map(|(_, shots)| shots as u32).collect();
        let (least, largest) = (*shots.iter().min()?, *shots.iter().max()?);
        let bins =
            |width: u32| ShotBins { first: least / width * width, width, count: largest / width - least / width + 1 };
        // 1, 2, 5, 10, 20, 50 …
        let widths = (0..9).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_u32.pow(power)));
        widths.map(bins).find(|bins| bins.count <= most.max(2))
    }

    /// The numbers of boards in the bins.
    pub fn counts(&self, shots: &BoardShots) -> Vec<u64> {
        let mut counts = vec![0; self.count as usize];
        for (_, shots) in shots.means() {
            let bin = (shots as u32).saturating_sub(self.first) / self.width;
            counts[bin.min(self.count - 1) as usize] += 1;
        }
        counts
    }

    /// The least and the largest number of shots of each bin.
    pub fn ranges(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let ShotBins { first, width, count } = *self;
        (0..count).map(move |bin| (first + bin * width, first + (bin + 1) * width - 1))
    }
}

impl std::fmt::Display for MeanShots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.1}", self.mean)?;
        self.error.map_or(Ok(()), |error| write!(f, " ± {error:.1}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shots(boards: &[(u64, u32)]) -> BoardShots {
        let mut all = BoardShots::default();
        boards.iter().for_each(|(board, shots)| all.count(*board, *shots));
        all
    }

    #[test]
    fn a_board_is_one_sample() {
        let all = shots(&[(7, 40), (7, 42), (9, 40), (8, 51)]).mean().unwrap();
        // The means of the boards are 41, 51 and 40: their mean is 44, and their standard deviation the root of 37.
        let error = DEVIATIONS_95 * (37.0_f64 / 3.0).sqrt();
        assert_eq!((all.boards, all.mean), (3, 44.0));
        assert!((all.error.unwrap() - error).abs() < 1e-12, "{all:?}");
        assert_eq!(shots(&[(1, 40)]).mean(), Some(MeanShots { boards: 1, mean: 40.0, error: None }));
        assert_eq!(shots(&[]).mean(), None);
    }

    #[test]
    fn quantiles_are_those_of_boards() {
        let all = shots(&[(1, 40), (2, 42), (3, 50), (4, 31), (5, 90)]);
        assert_eq!([0.5, 0.95, 0.0, 1.0].map(|share| all.quantile(share).unwrap()), [42.0, 90.0, 31.0, 90.0]);
        assert_eq!(shots(&[]).quantile(0.5), None);
    }

    #[test]
    fn a_histogram_has_no_more_bins_than_fit() {
        let all = shots(&[(1, 17), (2, 42), (3, 50), (4, 31), (5, 90)]);
        let bins = ShotBins::of([&all, &shots(&[(1, 100)])], 12).unwrap();
        assert_eq!(bins.ranges().collect::<Vec<_>>()[..2], [(10, 19), (20, 29)]);
        assert_eq!(bins.counts(&all), [1, 0, 1, 1, 1, 0, 0, 0, 1, 0]);
        let one = ShotBins::of([&shots(&[(1, 41)])], 12).unwrap();
        assert_eq!((one.ranges().collect::<Vec<_>>(), one.counts(&all).len()), (vec![(41, 41)], 1));
        assert_eq!(ShotBins::of([&shots(&[])], 12), None);
    }

    #[test]
    fn two_are_compared_on_the_boards_that_both_have_met() {
        let (one, other) = (shots(&[(1, 50), (2, 30), (3, 99)]), shots(&[(1, 48), (2, 28), (4, 1)]));
        let more = one.more_than(&other).unwrap();
        assert_eq!((more.boards, more.mean, more.error), (2, 2.0, Some(0.0)));
        assert_eq!(other.more_than(&one).unwrap().mean, -2.0);
        assert_eq!(one.more_than(&shots(&[(5, 1)])), None);
    }

    #[test]
    fn a_difference_is_told_in_shots() {
        let told = |all: &[(u64, u32)]| {
            let zero = shots(&(0..10).map(|board| (board, 50)).collect::<Vec<_>>());
            shots(all).more_than(&zero).unwrap().in_words("A", "B")
        };
        let sentence = |text: &str| Some(text.to_owned());
        assert_eq!(
            told(&[(1, 48), (2, 49)]),
            sentence("A takes 1.5 ± 1.0 shots fewer than B on the same board (95 %)")
        );
        assert_eq!(told(&[(1, 52), (2, 51)]), sentence("A takes 1.5 ± 1.0 shots more than B on the same board (95 %)"));
        let undecided = "not decided by shots: A takes 1.0 ± 2.0 shots more than B on the same board (95 %)";
        assert_eq!(told(&[(1, 52), (2, 50)]), sentence(undecided));
        assert_eq!(told(&[(1, 52)]), None);
    }
}
