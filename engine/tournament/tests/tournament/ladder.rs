//! Ladders of bots of known strength.

use crate::simulation::{Choice, Simulation};
use tournament::LadderRules;

/// Ten ladders of 40 bots for each way.
#[test]
fn a_ladder_finds_the_order_with_fewer_pairs_than_all_pairings_and_than_random_ones() {
    for (deviation, wrong) in [(200.0, 0.06), (400.0, 0.03)] {
        let needs = |choice| -> u64 {
            (0..10).map(|seed| Simulation::of_deviation(40, deviation, seed).pairs_until(wrong, choice)).sum()
        };
        let [ladder, round_robin, random] = [Choice::Ladder, Choice::RoundRobin, Choice::Random].map(needs);
        let told = format!("{deviation} Elo: {ladder} pairs, {round_robin} in a round robin, {random} at random");
        assert!(ladder * 10 < round_robin * 9 && ladder * 10 < random * 8, "{told}");
    }
}

/// Its rating stays provisional for ever.
#[test]
fn who_loses_everything_plays_no_more_than_others() {
    let strengths = [vec![-2000.0], vec![0.0; 11]].concat();
    let mut ladder = Simulation::new(strengths, 1);
    ladder.play_on(400, Choice::Ladder);
    let ratings = ladder.ratings.all();
    let pairs: Vec<u64> = ratings.iter().map(|rating| rating.pairs).collect();
    let mean = pairs.iter().sum::<u64>() / 12;
    assert!(pairs[0] <= mean, "{pairs:?}");
    assert!(LadderRules::default().is_provisional(&ratings[0]));
    assert!(pairs.iter().all(|played| (mean / 2..=mean * 2).contains(played)), "{pairs:?}");
}

#[test]
fn a_crasher_plays_no_more_than_its_share_and_a_slow_bot_takes_a_share_of_the_time() {
    let mut ladder = Simulation::of_deviation(40, 200.0, 1).with_crasher_and_slow(30);
    ladder.play_on(1200, Choice::Ladder);
    let (crasher, slow) = ladder.shares();
    assert!(crasher <= 1.0, "the crasher has played {crasher} times the median");
    // Without a bound it would be 30 of 69.
    assert!(slow <= 0.15, "the slow one has taken {slow} of the time");
}
