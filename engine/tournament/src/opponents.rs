//! The results of a player against each of its opponents.

use crate::{Estimate, Pentanomial, ScoreTable, WinDrawLoss, score_of_elo};
use std::ops::AddAssign;

/// The games of a player against one opponent, seen from the player.
///
/// ```
/// use tournament::{OpponentResults, Pentanomial, WinDrawLoss};
///
/// let games = WinDrawLoss { wins: 12, draws: 0, losses: 8 };
/// let results = OpponentResults { name: "Hunter".to_owned(), games, pairs: Pentanomial::default() };
/// let [low, high] = results.interval().unwrap();
/// assert!(low > 0.35 && low < 0.6 && high > 0.6 && high < 0.85);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpponentResults {
    /// The name of the opponent.
    pub name: String,
    /// All games.
    pub games: WinDrawLoss,
    /// Pairs of games with seats swapped; none if the games were not played in pairs.
    pub pairs: Pentanomial,
}

impl OpponentResults {
    /// The results of an entrant against all others that it has met, in the order of the entrants.
    pub fn of(table: &ScoreTable, entrant: usize) -> Vec<OpponentResults> {
        let others = table.entrants().iter().enumerate().filter(|(other, _)| *other != entrant);
        let results = others.map(|(other, of)| OpponentResults {
            name: of.name.clone(),
            games: table.between(entrant, other),
            pairs: table.pairs_between(entrant, other),
        });
        results.filter(|results| results.games.games() > 0).collect()
    }

    /// The 95 % interval of the mean score, 0 to 1, as [`Estimate`] has it: of pairs where all games are in pairs, otherwise of games that are
    /// independent of each other. `None` without games.
    pub fn interval(&self) -> Option<[f64; 2]> {
        let WinDrawLoss { wins, draws, losses } = self.games;
        let is_paired = self.pairs.games() == self.games.games();
        let samples = if is_paired { self.pairs } else { Pentanomial::new([losses, 0, draws, 0, wins]) };
        let estimate = Estimate::of_pairs(&samples);
        (self.games.games() > 0).then(|| [estimate.lower(), estimate.upper()].map(score_of_elo))
    }
}

/// Adds games against the same opponent.
impl AddAssign<&OpponentResults> for OpponentResults {
    fn add_assign(&mut self, other: &OpponentResults) {
        self.games = self.games + other.games;
        self.pairs += other.pairs;
    }
}
