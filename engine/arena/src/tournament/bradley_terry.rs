//! The strengths that make the points of many pairings most likely, by the model of Bradley and Terry (Biometrika 39, 1952).

/// The games of one pairing, with the points that the first won. Neither needs to be a whole number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Points {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) games: f64,
    pub(super) points: f64,
}

/// When no strength moves by more than this any more, they are found.
const SETTLED: f64 = 1e-9;

/// The strengths in log odds, from those of `beginning`; every bot must have won and lost a part of its points.
///
/// Newton's method with steps that are halved until the likelihood grows: it is concave, so there is one maximum for every
/// group of bots that are linked by games. A group's sum stays what it was in the beginning.
pub(super) fn strengths(pairings: &[Points], beginning: &[f64]) -> Vec<f64> {
    let bots = beginning.len();
    let mut now = beginning.to_vec();
    let mut likelihood = log_likelihood(pairings, &now);
    let mut matrix = vec![0.0; bots * bots];
    let mut step = vec![0.0; bots];
    for _ in 0..200 {
        derive(pairings, &now, &mut matrix, &mut step);
        solve(&mut matrix, &mut step);
        let most = step.iter().fold(0.0_f64, |most, part| most.max(part.abs()));
        let mut scale = (2.0 / most).min(1.0);
        let better = loop {
            let next: Vec<f64> = now.iter().zip(&step).map(|(strength, part)| strength + scale * part).collect();
            let found = log_likelihood(pairings, &next);
            if found >= likelihood {
                break Some((next, found));
            }
            scale /= 2.0;
            if scale * most < SETTLED {
                break None;
            }
        };
        let Some((next, found)) = better else { break };
        (now, likelihood) = (next, found);
        if scale * most < SETTLED {
            break;
        }
    }
    now
}

fn log_likelihood(pairings: &[Points], strengths: &[f64]) -> f64 {
    let one = |pairing: &Points| {
        let lead = strengths[pairing.first] - strengths[pairing.second];
        let odds = if lead > 0.0 { lead + (-lead).exp().ln_1p() } else { lead.exp().ln_1p() };
        pairing.points * lead - pairing.games * odds
    };
    pairings.iter().map(one).sum()
}

/// The gradient, and the negative second derivatives by rows.
fn derive(pairings: &[Points], strengths: &[f64], matrix: &mut [f64], gradient: &mut [f64]) {
    let bots = strengths.len();
    matrix.fill(0.0);
    gradient.fill(0.0);
    for pairing in pairings {
        let (i, j) = (pairing.first, pairing.second);
        let expected = 1.0 / (1.0 + (strengths[j] - strengths[i]).exp());
        let surplus = pairing.points - pairing.games * expected;
        gradient[i] += surplus;
        gradient[j] -= surplus;
        let weight = pairing.games * expected * (1.0 - expected);
        matrix[i * bots + i] += weight;
        matrix[j * bots + j] += weight;
        matrix[i * bots + j] -= weight;
        matrix[j * bots + i] -= weight;
    }
}

/// Solves the positive definite system in place (Cholesky). A trifle on the diagonal stands for what the games leave open:
/// the level of each group. It changes the steps, not where they end.
fn solve(matrix: &mut [f64], vector: &mut [f64]) {
    let n = vector.len();
    for i in 0..n {
        matrix[i * n + i] = matrix[i * n + i] * (1.0 + 1e-9) + 1e-12;
    }
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| matrix[i * n + k] * matrix[j * n + k]).sum();
            let rest = matrix[i * n + j] - known;
            matrix[i * n + j] = if i == j { rest.max(1e-15).sqrt() } else { rest / matrix[j * n + j] };
        }
    }
    for i in 0..n {
        let known: f64 = (0..i).map(|k| matrix[i * n + k] * vector[k]).sum();
        vector[i] = (vector[i] - known) / matrix[i * n + i];
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|k| matrix[k * n + i] * vector[k]).sum();
        vector[i] = (vector[i] - known) / matrix[i * n + i];
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
        const WINS: [(usize, usize, u8, u8); 21] = [
            (6, 5, 7, 6),
            (6, 4, 9, 4),
            (6, 3, 7, 6),
            (6, 2, 7, 6),
            (6, 1, 9, 4),
            (6, 0, 11, 2),
            (5, 4, 7, 6),
            (5, 3, 5, 8),
            (5, 2, 11, 2),
            (5, 1, 9, 4),
            (5, 0, 9, 4),
            (4, 3, 7, 6),
            (4, 2, 7, 6),
            (4, 1, 8, 5),
            (4, 0, 12, 1),
            (3, 2, 6, 7),
            (3, 1, 7, 6),
            (3, 0, 10, 3),
            (2, 1, 7, 6),
            (2, 0, 12, 1),
            (1, 0, 6, 7),
        ];
        let pairings = WINS.map(|(first, second, won, lost)| Points {
            first,
            second,
            games: f64::from(won + lost),
            points: f64::from(won),
        });
        let found = strengths(&pairings, &[0.0; 7]);
        let above: Vec<String> = found.iter().map(|strength| format!("{:.2}", strength - found[0])).collect();
        assert_eq!(above, ["0.00", "0.68", "1.11", "1.25", "1.29", "1.44", "1.58"], "{TEAMS:?}");
    }

    #[test]
    fn two_bots_get_the_log_odds_of_their_points() {
        for (points, games) in [(30.0, 40.0), (0.5, 1e9), (999.5, 1000.0), (1e-3, 1.0)] {
            let found = strengths(&[Points { first: 1, second: 0, games, points }], &[0.0; 2]);
            let odds: f64 = points / (games - points);
            assert!((found[1] - found[0] - odds.ln()).abs() < 1e-6, "{points} of {games}: {found:?}");
            assert!((found[0] + found[1]).abs() < 1e-6);
        }
    }

    #[test]
    fn a_chain_of_bots_adds_up() {
        let link = |first| Points { first, second: first + 1, games: 10.0, points: 7.5 };
        let found = strengths(&[link(0), link(1), link(2), link(3)], &[0.0; 5]);
        assert!((found[0] - found[4] - 4.0 * 3.0_f64.ln()).abs() < 1e-6);
    }
}
