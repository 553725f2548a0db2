//! Leaderboards: results of bots, and their ranks.

use rules::{Ending, Outcome, Seat};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::fmt;
use utoipa::ToSchema;

/// A result for one bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ResultView {
    /// The bot won.
    Win,
    /// Nobody won.
    Draw,
    /// The bot lost. Both bots may.
    Loss,
}

/// Writes the name, as in JSON.
impl fmt::Display for ResultView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// The numbers of matches that a bot won, drew and lost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BotStats {
    /// Matches won.
    pub wins: u32,
    /// Matches that nobody won and nobody lost.
    pub draws: u32,
    /// Matches lost. Both bots lose if neither has a fleet.
    pub losses: u32,
}

impl BotStats {
    /// Counts a match.
    pub(crate) fn add(&mut self, result: ResultView) {
        match result {
            ResultView::Win => self.wins += 1,
            ResultView::Draw => self.draws += 1,
            ResultView::Loss => self.losses += 1,
        }
    }

    /// The numbers without these matches; `None` if there are not so many.
    pub(crate) fn without(self, void: BotStats) -> Option<BotStats> {
        Some(BotStats {
            wins: self.wins.checked_sub(void.wins)?,
            draws: self.draws.checked_sub(void.draws)?,
            losses: self.losses.checked_sub(void.losses)?,
        })
    }

    /// The sort key of a leaderboard: most wins first, then most draws, then fewest losses.
    fn worth(self) -> (Reverse<u32>, Reverse<u32>, u32) {
        (Reverse(self.wins), Reverse(self.draws), self.losses)
    }
}

/// The results of a match for the players in the seats A and B.
pub(crate) fn results(outcome: &Outcome) -> [ResultView; 2] {
    let both_lost = matches!(&outcome.ending, Ending::KilledOff { seats } if seats.len() > 1);
    [Seat::A, Seat::B].map(|seat| match outcome.winner {
        Some(winner) if winner == seat => ResultView::Win,
        Some(_) => ResultView::Loss,
        None if both_lost => ResultView::Loss,
        None => ResultView::Draw,
    })
}

/// A row of a leaderboard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct LeaderboardRow {
    /// The rank, counted from 1. Bots with the same numbers share a rank.
    pub rank: u32,
    /// The bot's number.
    pub id: String,
    /// The bot's name.
    pub name: String,
    /// The numbers of matches won, drawn and lost.
    #[serde(flatten)]
    pub stats: BotStats,
}

/// The rows of a leaderboard, best first. Bots with the same numbers are sorted by name.
pub(crate) fn leaderboard(bots: impl Iterator<Item = (String, String, BotStats)>) -> Vec<LeaderboardRow> {
    let mut rows: Vec<LeaderboardRow> =
        bots.map(|(id, name, stats)| LeaderboardRow { rank: 0, id, name, stats }).collect();
    rows.sort_by(|one, other| (one.stats.worth(), &one.name).cmp(&(other.stats.worth(), &other.name)));
    for at in 0..rows.len() {
        rows[at].rank = match at.checked_sub(1).map(|above| &rows[above]) {
            Some(above) if above.stats == rows[at].stats => above.rank,
            _ => at as u32 + 1,
        };
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(tallies: &[(u32, u32, u32)]) -> Vec<(u32, String)> {
        let bots = tallies.iter().enumerate().map(|(at, &(wins, draws, losses))| {
            (at.to_string(), format!("bot {at}"), BotStats { wins, draws, losses })
        });
        leaderboard(bots).into_iter().map(|row| (row.rank, row.id)).collect()
    }

    #[test]
    fn wins_come_first_then_draws_then_few_losses() {
        let ranked = order(&[(1, 0, 0), (2, 0, 9), (1, 1, 5), (1, 1, 4)]);
        assert_eq!(ranked, [(1, "1"), (2, "3"), (3, "2"), (4, "0")].map(|(rank, id)| (rank, id.to_owned())));
    }

    #[test]
    fn equal_rows_share_a_rank_and_the_next_one_is_counted() {
        let ranked = order(&[(1, 0, 1), (3, 0, 0), (1, 0, 1), (0, 0, 2)]);
        assert_eq!(ranked, [(1, "1"), (2, "0"), (2, "2"), (4, "3")].map(|(rank, id)| (rank, id.to_owned())));
    }

    fn outcome(winner: Option<Seat>, ending: Ending) -> Outcome {
        let (ranking, points) = (vec![Seat::A, Seat::B], [0, 0].into_iter().collect());
        Outcome { winner, ranking, points, scoring: Default::default(), ending, turns: 1 }
    }

    #[test]
    fn if_both_placements_fail_both_lose() {
        let failed = |seats: &[Seat]| Ending::KilledOff {
            seats: seats.iter().map(|seat| (*seat, "wrote nothing".to_owned())).collect(),
        };
        assert_eq!(results(&outcome(None, failed(&[Seat::A, Seat::B]))), [ResultView::Loss; 2]);
        assert_eq!(results(&outcome(Some(Seat::B), failed(&[Seat::A]))), [ResultView::Loss, ResultView::Win]);
        assert_eq!(results(&outcome(None, Ending::MoveLimit { moves: 120 })), [ResultView::Draw; 2]);
    }
}
