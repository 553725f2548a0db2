//! Counts of results: single games, and pairs of games on one seed with the seats swapped.

use serde::{Deserialize, Serialize};
use std::ops::{Add, AddAssign};

/// The result of a game for the first of its two bots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameResult {
    /// The first bot won.
    Win,
    /// The game was drawn.
    Draw,
    /// The second bot won.
    Loss,
}

impl GameResult {
    /// The same game seen from the second bot.
    #[must_use]
    pub fn swapped(self) -> GameResult {
        match self {
            GameResult::Win => GameResult::Loss,
            GameResult::Draw => GameResult::Draw,
            GameResult::Loss => GameResult::Win,
        }
    }

    /// 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points(self) -> u32 {
        match self {
            GameResult::Win => 2,
            GameResult::Draw => 1,
            GameResult::Loss => 0,
        }
    }
}

/// Single games by their result for the first bot.
///
/// All games are counted here, also those whose partner with swapped seats was never played.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WinDrawLoss {
    /// Games that the first bot won.
    pub wins: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Games that the second bot won.
    pub losses: u64,
}

impl WinDrawLoss {
    /// Counts one game more.
    pub fn count(&mut self, result: GameResult) {
        match result {
            GameResult::Win => self.wins += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Loss => self.losses += 1,
        }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The points that the first bot won: 1 for a win, 1/2 for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The first bot's mean points per game, from 0 to 1; `None` without games.
    pub fn mean_score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The share of games that were drawn, from 0 to 1; `None` without games.
    pub fn draw_ratio(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.draws as f64 / self.games() as f64)
    }

    /// The points out of the games, such as `7.5/10`; `None` without games.
    pub fn in_figures(&self) -> Option<String> {
        (self.games() > 0).then(|| format!("{}/{}", self.points(), self.games()))
    }

    /// The same games seen from the second bot.
    #[must_use]
    pub fn swapped(self) -> WinDrawLoss {
        WinDrawLoss { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl Add for WinDrawLoss {
    type Output = WinDrawLoss;

    fn add(self, WinDrawLoss { wins, draws, losses }: WinDrawLoss) -> WinDrawLoss {
        WinDrawLoss { wins: self.wins + wins, draws: self.draws + draws, losses: self.losses + losses }
    }
}

impl FromIterator<GameResult> for WinDrawLoss {
    fn from_iter<I: IntoIterator<Item = GameResult>>(results: I) -> WinDrawLoss {
        let mut tally = WinDrawLoss::default();
        results.into_iter().for_each(|result| tally.count(result));
        tally
    }
}

/// Pairs of games by the points that the first bot won in both together: 0, 1/2, 1, 3/2, 2.
///
/// The two games of a pair have the same seed and swapped seats, so they are not independent: what the seed gives to one
/// bot it gives to the other in the second game. Pairs are independent of each other, and that is all that the
/// statistics of this module assume. A game without its partner is left out; it counts in the [`WinDrawLoss`] only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pentanomial([u64; 5]);

impl Pentanomial {
    /// A count of pairs with 0, 1/2, 1, 3/2 and 2 points for the first bot.
    pub fn new(counts: [u64; 5]) -> Pentanomial {
        Pentanomial(counts)
    }

    /// Counts one pair more. Both results are seen from the first bot, whatever its seat was.
    pub fn count(&mut self, one: GameResult, other: GameResult) {
        self.0[(one.half_points() + other.half_points()) as usize] += 1;
    }

    /// The numbers of pairs with 0, 1/2, 1, 3/2 and 2 points for the first bot.
    pub fn counts(&self) -> [u64; 5] {
        self.0
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The number of games: two for each pair.
    pub fn games(&self) -> u64 {
        2 * self.pairs()
    }

    /// The first bot's mean points per game, from 0 to 1; `None` without pairs.
    pub fn mean_score(&self) -> Option<f64> {
        let points: f64 =
            self.0.iter().enumerate().map(|(quarters, &pairs)| quarters as f64 / 4.0 * pairs as f64).sum();
        (self.pairs() > 0).then(|| points / self.pairs() as f64)
    }

    /// The same pairs seen from the second bot.
    #[must_use]
    pub fn swapped(self) -> Pentanomial {
        let [a, b, c, d, e] = self.0;
        Pentanomial([e, d, c, b, a])
    }

    /// The counts, from the lowest score to the highest.
    pub(crate) fn by_score(&self) -> [f64; 5] {
        self.0.map(|pairs| pairs as f64)
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Pentanomial) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
    }
}

/// The pairs that two bots played against each other, seen from the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairingResult {
    /// The index of the bot that the counts are seen from.
    pub first: usize,
    /// The index of its opponent.
    pub second: usize,
    /// Their pairs of games.
    pub pairs: Pentanomial,
}

/// The counts of any match, even of one without pairs.
#[cfg(test)]
pub(crate) fn any_counts() -> impl proptest::strategy::Strategy<Value = [u64; 5]> {
    use proptest::prelude::*;
    proptest::array::uniform5(prop_oneof![Just(0), 0..4_u64, 0..100_u64, 0..=1_000_000_000_u64])
}

#[cfg(test)]
mod tests {
    use super::GameResult::{Draw, Loss, Win};
    use super::*;

    #[test]
    fn a_pair_counts_by_the_points_of_both_games() {
        let mut pairs = Pentanomial::default();
        [(Loss, Loss), (Loss, Draw), (Draw, Draw), (Win, Loss), (Loss, Win), (Win, Draw), (Win, Win)]
            .into_iter()
            .for_each(|(one, other)| pairs.count(one, other));
        assert_eq!(pairs.counts(), [1, 1, 3, 1, 1]);
        assert_eq!((pairs.pairs(), pairs.games()), (7, 14));
        assert_eq!(pairs.mean_score(), Some(0.5));
        assert_eq!(pairs.swapped(), pairs);
    }

    /// Printed by fastchess in pull request 1899 of lynx-chess/Lynx: games 11440, wins 3025, losses 3060, draws 5355, points
    /// 5702.5 (49.85 %), Ptnml(0-2) as below.
    #[test]
    fn the_ratios_are_those_of_fastchess() {
        let pairs = Pentanomial::new([235, 1384, 2521, 1341, 239]);
        let games = WinDrawLoss { wins: 3025, draws: 5355, losses: 3060 };
        assert_eq!((pairs.games(), games.games()), (11440, 11440));
        assert_eq!(games.points(), 5702.5);
        assert_eq!(pairs.mean_score(), games.mean_score());
        assert_eq!(format!("{:.3}", games.draw_ratio().unwrap()), "0.468");
    }

    #[test]
    fn nothing_has_no_ratios() {
        let games = WinDrawLoss::default();
        assert_eq!((Pentanomial::default().mean_score(), games.mean_score(), games.draw_ratio()), (None, None, None));
    }

    #[test]
    fn sums_are_sums_of_counts() {
        let mut pairs = Pentanomial::new([1, 2, 3, 4, 5]);
        pairs += Pentanomial::new([10, 0, 0, 0, 1]);
        assert_eq!(pairs, Pentanomial::new([11, 2, 3, 4, 6]));
        let games: WinDrawLoss = [Win, Draw, Win].into_iter().collect();
        let games = games + WinDrawLoss { wins: 0, draws: 0, losses: 2 };
        assert_eq!(games, WinDrawLoss { wins: 2, draws: 1, losses: 2 });
        assert_eq!(games.swapped().swapped(), games);
        assert_eq!(Win.swapped(), Loss);
    }
}
