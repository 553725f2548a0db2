//! The lead of one bot over another by the points in the games themselves.

use crate::ScoreTable;
use crate::strength::normal::DEVIATIONS_95;
use rules::Game;
use std::collections::BTreeMap;

/// The points in the games themselves that one bot makes more than another: the mean of the differences, with the bar that their
/// spread gives. Where each bot plays alone, as in Battleship in solo, points are shots that it did not need.
///
/// The two games of a pair are not independent, so a pair is one sample; a game without its partner is left out.
///
/// ```
/// let mut lead = tournament::PointsLead::default();
/// for (pair, [one, other]) in [[40, 31], [28, 30], [50, 29], [33, 30]].into_iter().enumerate() {
///     lead.count(pair as u32, one, other);
///     lead.count(pair as u32, one, other);
/// }
/// assert_eq!((lead.pairs(), lead.mean()), (4, Some(7.75)));
/// assert_eq!(lead.error().map(|error| format!("{error:.2}")).as_deref(), Some("9.71"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PointsLead {
    /// The differences of games without their partner, by the numbers of their pairs.
    open: BTreeMap<u32, i64>,
    pairs: u64,
    sum: i128,
    squares: i128,
}

impl PointsLead {
    /// Counts a game of the pair with this number, with the points of the first bot and of the other.
    pub fn count(&mut self, pair: u32, first: u32, second: u32) {
        let difference = i64::from(first) - i64::from(second);
        match self.open.remove(&pair) {
            None => drop(self.open.insert(pair, difference)),
            Some(partner) => {
                let both = i128::from(difference + partner);
                self.pairs += 1;
                self.sum += both;
                self.squares += both * both;
            }
        }
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The mean difference of a game; `None` without pairs.
    pub fn mean(&self) -> Option<f64> {
        (self.pairs > 0).then(|| self.sum as f64 / (2 * self.pairs) as f64)
    }

    /// Half the width of the 95 % interval around the mean; `None` with fewer than two pairs.
    pub fn error(&self) -> Option<f64> {
        let (pairs, sum, squares) = (self.pairs as f64, self.sum as f64, self.squares as f64);
        let variance = (squares - sum * sum / pairs).max(0.0) / 4.0 / (pairs - 1.0);
        (self.pairs > 1).then(|| DEVIATIONS_95 * (variance / pairs).sqrt())
    }

    /// The result as a sentence about the first bot, where points are shots that were not needed, such as `A needs 1.2 ± 0.5 shots
    /// fewer than B on the same board (95 %)`; `None` with fewer than two pairs.
    pub fn in_shots(&self, first: &str, second: &str) -> Option<String> {
        let (mean, error) = (self.mean()?, self.error()?);
        let than = if mean < 0.0 { "more" } else { "fewer" };
        let shots =
            format!("{first} needs {:.1} ± {error:.1} shots {than} than {second} on the same board (95 %)", mean.abs());
        Some(if mean.abs() > error { shots } else { format!("not decided by shots: {shots}") })
    }
}

impl ScoreTable {
    /// The lead of `one` over `other` by the shots that they did not need, whoever was named first; `None` if points are not shots
    /// ([`Game::points_are_shots`]).
    pub fn lead_in_shots(&self, one: usize, other: usize) -> Option<PointsLead> {
        let header = self.event();
        let settings = header.settings.clone();
        rules::for_game!(header.game, G => serde_json::from_value(settings).ok().filter(G::points_are_shots).map(drop))?;
        let lead =
            |first, second| self.pairings().get(&(first, second)).map(|row| row.lead.clone()).unwrap_or_default();
        let (own, others) = (lead(one, other), lead(other, one));
        Some(PointsLead {
            open: BTreeMap::new(),
            pairs: own.pairs + others.pairs,
            sum: own.sum - others.sum,
            squares: own.squares + others.squares,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, TournamentHeader};
    use rules::GameKind;

    #[test]
    fn points_are_shots_in_solo_only() {
        let lead = |game, settings| {
            ScoreTable::new(TournamentHeader::new(game, settings, Format::RoundRobin, None, 1)).lead_in_shots(0, 1)
        };
        let solo = serde_json::json!({ "turns": "solo" });
        assert_eq!(lead(GameKind::Battleship, solo.clone()), Some(PointsLead::default()));
        assert_eq!(lead(GameKind::Battleship, serde_json::json!({})), None);
        assert_eq!(lead(GameKind::SeaBattle, solo), None);
    }

    fn lead(pairs: &[[u32; 4]]) -> PointsLead {
        let mut lead = PointsLead::default();
        for (number, [one, other, _, _]) in (0..).zip(pairs) {
            lead.count(number, *one, *other);
        }
        for (number, [_, _, one, other]) in (0..).zip(pairs) {
            lead.count(number, *one, *other);
        }
        lead
    }

    #[test]
    fn a_pair_is_one_sample() {
        let all = lead(&[[5, 3, 4, 4], [9, 1, 8, 2], [0, 6, 3, 5]]);
        // The means of the pairs are 1, 7 and -4: their mean is 4/3, and their standard deviation the root of 91/3.
        let error = DEVIATIONS_95 * (91.0_f64 / 9.0).sqrt();
        assert_eq!(all.mean(), Some(4.0 / 3.0));
        assert!((all.error().unwrap() - error).abs() < 1e-12, "{all:?}");
        let mut more = all.clone();
        more.count(3, 100, 0);
        assert_eq!((more.pairs(), more.mean(), more.error()), (3, all.mean(), all.error()), "it has no partner");
    }

    #[test]
    fn one_pair_has_no_bar_and_equal_ones_one_without_width() {
        assert_eq!((PointsLead::default().mean(), PointsLead::default().error()), (None, None));
        let one = lead(&[[5, 3, 4, 4]]);
        assert_eq!((one.mean(), one.error(), one.in_shots("A", "B")), (Some(1.0), None, None));
        assert_eq!(lead(&[[5, 3, 4, 4]; 3]).error(), Some(0.0));
    }

    #[test]
    fn the_lead_is_told_in_shots() {
        let told = |pairs: &[[u32; 4]]| lead(pairs).in_shots("A", "B").unwrap();
        assert_eq!(
            told(&[[5, 3, 4, 4], [6, 4, 5, 4]]),
            "A needs 1.2 ± 0.5 shots fewer than B on the same board (95 %)"
        );
        assert_eq!(told(&[[3, 5, 4, 4], [4, 6, 4, 5]]), "A needs 1.2 ± 0.5 shots more than B on the same board (95 %)");
        assert_eq!(
            told(&[[5, 3, 4, 4], [4, 6, 4, 5]]),
            "not decided by shots: A needs 0.2 ± 2.4 shots more than B on the same board (95 %)"
        );
    }
}
