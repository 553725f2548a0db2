//! The strengths that make the points of many pairings most likely, by the model of Bradley and Terry (Biometrika 39, 1952).

use crate::strength::cholesky::Cholesky;

/// The games of one pairing, with the points of the first bot. Neither is necessarily a whole number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Points {
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) games: f64,
    pub(crate) points: f64,
}

/// The step in log odds below which strengths count as found.
const SHORTEST: f64 = 1e-9;

/// The strengths of `bots` bots in log odds; every bot must have won and lost a part of its points.
///
/// Newton's method with steps that are halved until the likelihood grows: it is concave, so there is one maximum for every
/// group of bots that are linked by games, up to where its zero is.
pub(crate) fn strengths(pairings: &[Points], bots: usize) -> Vec<f64> {
    let mut now = Slope::at(pairings, vec![0.0; bots]);
    for _ in 0..200 {
        let step = Cholesky::of(bots, &curvature(pairings, &now.strengths)).solve(&now.gradient);
        let most = step.iter().fold(0.0_f64, |most, part| most.max(part.abs()));
        let mut scale = (2.0 / most).min(1.0);
        let better = loop {
            let next = now.strengths.iter().zip(&step).map(|(strength, part)| strength + scale * part);
            let next = Slope::at(pairings, next.collect());
            if next.likelihood >= now.likelihood {
                break Some(next);
            }
            scale /= 2.0;
            if scale * most < SHORTEST {
                break None;
            }
        };
        let Some(next) = better else { break };
        now = next;
        if scale * most < SHORTEST {
            break;
        }
    }
    now.strengths
}

/// The expected share of the points of a bot that leads by so many log odds.
pub(crate) fn expected(lead: f64) -> f64 {
    let odds = (-lead.abs()).exp();
    if lead > 0.0 { 1.0 / (1.0 + odds) } else { odds / (1.0 + odds) }
}

/// The negative second derivatives of the likelihood, a weight for each pairing.
pub(crate) fn curvature(pairings: &[Points], strengths: &[f64]) -> Vec<(usize, usize, f64)> {
    let weight = |&Points { first, second, games, .. }| {
        let share = expected((strengths[first] - strengths[second]).abs());
        (first, second, games * share * expected(-(strengths[first] - strengths[second]).abs()))
    };
    pairings.iter().map(weight).collect()
}

/// The likelihood of strengths, and where it grows.
struct Slope {
    strengths: Vec<f64>,
    /// The logarithm of the likelihood.
    likelihood: f64,
    gradient: Vec<f64>,
}

impl Slope {
    fn at(pairings: &[Points], strengths: Vec<f64>) -> Slope {
        let bots = strengths.len();
        let mut likelihood = 0.0;
        let mut gradient = vec![0.0; bots];
        for pairing in pairings {
            let (i, j) = (pairing.first, pairing.second);
            let lead = strengths[i] - strengths[j];
            let odds = (-lead.abs()).exp();
            let upset = if lead > 0.0 { pairing.games - pairing.points } else { pairing.points };
            likelihood -= upset * lead.abs() + pairing.games * odds.ln_1p();
            let surplus = pairing.points - pairing.games * expected(lead);
            gradient[i] += surplus;
            gradient[j] -= surplus;
        }
        Slope { strengths, likelihood, gradient }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eastern Division of the American League, 1987: wins at home and away of both teams, from data/baseball.csv of
    /// hturner/BradleyTerry2. The strengths are column 3 of table 10.11 in Agresti, "Categorical Data Analysis" (2002), as
    /// the package's own tests have them: 0.68, 1.11, 1.25, 1.29, 1.44, 1.58 above the last.
    #[test]
    fn the_strengths_of_the_baseball_teams_are_those_of_agresti() {
        const TEAMS: [&str; 7] = ["Baltimore", "Cleveland", "Boston", "New York", "Toronto", "Detroit", "Milwaukee"];
        /// The wins of each team, a row, over each team, a column.
        const WINS: [[u8; 7]; 7] = [
            [0, 7, 1, 3, 1, 4, 2],
            [6, 0, 6, 6, 5, 4, 4],
            [12, 7, 0, 7, 6, 2, 6],
            [10, 7, 6, 0, 6, 8, 6],
            [12, 8, 7, 7, 0, 6, 4],
            [9, 9, 11, 5, 7, 0, 6],
            [11, 9, 7, 7, 9, 7, 0],
        ];
        let pairing = |first: usize, second: usize| {
            let (won, lost) = (WINS[first][second], WINS[second][first]);
            Points { first, second, games: f64::from(won + lost), points: f64::from(won) }
        };
        let pairings: Vec<_> = (0..7).flat_map(|first| (0..first).map(move |second| pairing(first, second))).collect();
        let found = strengths(&pairings, 7);
        let above: Vec<String> = found.iter().map(|strength| format!("{:.2}", strength - found[0])).collect();
        assert_eq!(above, ["0.00", "0.68", "1.11", "1.25", "1.29", "1.44", "1.58"], "{TEAMS:?}");
    }

    #[test]
    fn two_bots_get_the_log_odds_of_their_points() {
        for (points, games) in [(30.0, 40.0), (0.5, 1e9), (999.5, 1000.0), (1e-3, 1.0)] {
            let found = strengths(&[Points { first: 1, second: 0, games, points }], 2);
            let odds: f64 = points / (games - points);
            assert!((found[1] - found[0] - odds.ln()).abs() < 1e-6, "{points} of {games}: {found:?}");
            assert!((found[0] + found[1]).abs() < 1e-6);
        }
    }

    #[test]
    fn the_strengths_of_many_bots_explain_their_points() {
        const BOTS: usize = 1000;
        let pairing = |round: usize, bot: usize| {
            let points = ((bot * 7919 + round * 31) % 17) as f64 / 4.0 + 0.1;
            Points { first: bot, second: (bot + 1 + round * 111) % BOTS, games: 4.2, points }
        };
        let pairings: Vec<_> = (0..4).flat_map(|round| (0..BOTS).map(move |bot| pairing(round, bot))).collect();
        let found = Slope::at(&pairings, strengths(&pairings, BOTS));
        let worst = found.gradient.iter().fold(0.0_f64, |worst, part| worst.max(part.abs()));
        assert!(worst < 1e-5, "{worst} points are not explained");
    }

    #[test]
    fn a_chain_of_bots_adds_up() {
        let link = |first| Points { first, second: first + 1, games: 10.0, points: 7.5 };
        let found = strengths(&[link(0), link(1), link(2), link(3)], 5);
        assert!((found[0] - found[4] - 4.0 * 3.0_f64.ln()).abs() < 1e-6);
    }
}
