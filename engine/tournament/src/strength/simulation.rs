//! Checks that tests and error bars keep their error rates: thousands of simulated matches between bots of known
//! strength.

use crate::strength::elo::{NORMALIZED, score_of_elo};
use crate::{EloModel, Estimate, PairingResult, Pentanomial, Ratings, Sprt, Verdict, elo_of_score};
use rand::RngExt;
use rules::Random;

/// Draws pairs between two bots of known strength.
///
/// A seed may favour one bot: it then has a lead of `favour` Elo in the first game and as much less in the second. So the
/// games of a pair depend on each other, as they do with seats swapped on one seed.
struct Match {
    lead: f64,
    favour: f64,
    draws: f64,
}

impl Match {
    /// The chances of 0, 1/2, 1, 3/2 and 2 points.
    fn chances(&self) -> [f64; 5] {
        let one = self.game(self.lead + self.favour);
        let other = self.game(self.lead - self.favour);
        let mut chances = [0.0; 5];
        for (a, p) in one.iter().enumerate() {
            for (b, q) in other.iter().enumerate() {
                chances[a + b] += p * q;
            }
        }
        chances
    }

    /// The chances of a loss, a draw, a win; the more even, the more draws.
    fn game(&self, lead: f64) -> [f64; 3] {
        let score = score_of_elo(lead);
        let draw = self.draws * 4.0 * score * (1.0 - score);
        [1.0 - score - draw / 2.0, draw, score - draw / 2.0]
    }

    fn normalized_elo(&self) -> f64 {
        let (mut mean, mut square) = (0.0, 0.0);
        for (quarters, chance) in self.chances().iter().enumerate() {
            let value = quarters as f64 / 4.0;
            mean += chance * value;
            square += chance * value * value;
        }
        (mean - 0.5) / (2.0 * (square - mean * mean)).sqrt() * NORMALIZED
    }

    /// The same kind of match with the lead that has this normalized Elo.
    fn of_normalized(favour: f64, draws: f64, elo: f64) -> Match {
        let (mut low, mut high) = (0.0, 500.0);
        for _ in 0..60 {
            let lead = (low + high) / 2.0;
            if (Match { lead, favour, draws }).normalized_elo() < elo { low = lead } else { high = lead }
        }
        Match { lead: low, favour, draws }
    }
}

/// Draws so many pairs.
fn drawn(pairs: u32, chances: &[f64; 5], random: &mut Random) -> Pentanomial {
    let mut counts = [0; 5];
    (0..pairs).for_each(|_| counts[draw(chances, random)] += 1);
    Pentanomial::new(counts)
}

fn draw(chances: &[f64; 5], random: &mut Random) -> usize {
    let mut rest: f64 = random.random();
    chances
        .iter()
        .position(|chance| {
            rest -= chance;
            rest < 0.0
        })
        .unwrap_or(4)
}

/// The share of 2,000 runs in which H1 was accepted, and the mean number of pairs.
fn accepted(sprt: &Sprt, chances: &[f64; 5], seed: u64) -> (f64, f64) {
    const RUNS: u64 = 2000;
    let mut random = rules::random(seed);
    let (mut accepted, mut pairs) = (0_u64, 0_u64);
    for _ in 0..RUNS {
        let mut counts = [0; 5];
        let verdict = loop {
            counts[draw(chances, &mut random)] += 1;
            match sprt.verdict(&Pentanomial::new(counts)) {
                Verdict::Continue => {}
                verdict => break verdict,
            }
        };
        accepted += u64::from(verdict == Verdict::AcceptH1);
        pairs += counts.iter().sum::<u64>();
    }
    (accepted as f64 / RUNS as f64, pairs as f64 / RUNS as f64)
}

/// The bound that 2,000 runs with a true rate of `rate` stay below in 999 of 1,000 cases.
fn with_noise(rate: f64) -> f64 {
    rate + 3.1 * (rate * (1.0 - rate) / 2000.0).sqrt()
}

/// Checks that H1 is accepted wrongly in equal matches, and H0 in those of a better bot, no more often than these rates.
fn assert_keeps_rates(sprt: Sprt, [alpha, beta]: [f64; 2], [equal, better]: [Match; 2], seed: u64) {
    let (wrong, pairs) = accepted(&sprt, &equal.chances(), seed);
    assert!(wrong < with_noise(alpha), "{wrong} instead of {alpha}, after {pairs} pairs");
    let (right, pairs) = accepted(&sprt, &better.chances(), seed + 1);
    assert!(1.0 - right < with_noise(beta), "{} instead of {beta}, after {pairs} pairs", 1.0 - right);
}

#[test]
fn tests_in_both_kinds_of_elo_keep_their_error_rates() {
    let normalized = [Match { lead: 0.0, favour: 60.0, draws: 0.1 }, Match::of_normalized(60.0, 0.1, 120.0)];
    assert_keeps_rates("0,120,0.05,0.05".parse().unwrap(), [0.05, 0.05], normalized, 1);
    let ordinary = [0.0, 60.0].map(|lead| Match { lead, favour: 0.0, draws: 0.0 });
    let sprt = "0,60,0.05,0.1".parse::<Sprt>().unwrap().with_model(EloModel::Logistic);
    assert_keeps_rates(sprt, [0.05, 0.1], ordinary, 3);
}

/// The bars of four bots with 45 pairs each, in 400 tournaments.
#[test]
fn bars_of_ratings_hold_the_truth_nineteen_times_in_twenty() {
    const TRUE: [f64; 4] = [120.0, 30.0, -40.0, -110.0];
    let mut random = rules::random(5);
    let (mut held, mut bars) = (0_u32, 0_u32);
    for _ in 0..400 {
        let mut results = Vec::new();
        for (first, strong) in TRUE.iter().enumerate() {
            for (second, weak) in TRUE.iter().enumerate().skip(first + 1) {
                let chances = Match { lead: strong - weak, favour: 50.0, draws: 0.05 }.chances();
                results.push(PairingResult { first, second, pairs: drawn(15, &chances, &mut random) });
            }
        }
        let ratings = Ratings::of(4, &results, None);
        for (rating, truth) in ratings.all().iter().zip(TRUE) {
            bars += 1;
            held += u32::from((rating.elo - truth).abs() <= rating.error.unwrap());
        }
    }
    let share = f64::from(held) / f64::from(bars);
    assert!((0.93..=0.97).contains(&share), "{share}");
}

/// The intervals of 2,000 matches for each difference and number of pairs. Few results are possible where one bot wins nearly
/// all games, so the share cannot always be near 95 %.
#[test]
fn intervals_of_matches_hold_the_truth_about_nineteen_times_in_twenty() {
    let mut random = rules::random(6);
    for (lead, pairs) in [(0.0, 20), (35.0, 100), (150.0, 60), (400.0, 40), (700.0, 60), (100.0, 300)] {
        let game = Match { lead, favour: 30.0, draws: 0.0 };
        let chances = game.chances();
        let score = chances.iter().zip(0..).map(|(chance, quarters)| chance * f64::from(quarters) / 4.0).sum();
        let truth = elo_of_score(score);
        let mut held = 0;
        for _ in 0..2000 {
            let estimate = Estimate::of_pairs(&drawn(pairs, &chances, &mut random));
            held += u32::from(estimate.lower() <= truth && truth <= estimate.upper());
        }
        let share = f64::from(held) / 2000.0;
        assert!((0.91..=0.995).contains(&share), "{lead} Elo, {pairs} pairs: {share}");
    }
}
