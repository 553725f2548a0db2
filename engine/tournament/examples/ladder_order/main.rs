//! Prints how many pairs of games a ladder needs until at most a share of the order of its bots is wrong, beside a round robin and
//! random pairings: medians of five ladders, whose bots have strengths with a deviation of 200 Elo.
//!
//! ```sh
//! cargo run --release -p tournament --example ladder_order -- 300
//! ```
#![allow(clippy::print_stdout, reason = "a program that prints what it measures")]

mod simulation;

use simulation::{Choice, Simulation};
use std::time::Instant;

fn main() {
    let bots = std::env::args().nth(1).map_or(Ok(300), |bots| bots.parse()).expect("the number of bots");
    println!("{bots} bots; pairs of games until this share of their order is wrong");
    println!("wrong   ladder  round robin  random");
    for wrong in [0.1, 0.07, 0.05] {
        let needs = |choice| {
            let mut needed: Vec<u64> =
                (0..5).map(|seed| Simulation::of_deviation(bots, 200.0, seed).pairs_until(wrong, choice)).collect();
            needed.sort_unstable();
            needed[2]
        };
        let [ladder, round_robin, random] = [Choice::Ladder, Choice::RoundRobin, Choice::Random].map(needs);
        println!("{wrong:5} {ladder:8} {round_robin:12} {random:7}");
    }
    let mut ladder = Simulation::of_deviation(bots, 200.0, 1).with_crasher_and_slow(30);
    ladder.play_on(30 * bots as u64, Choice::Ladder);
    let (crasher, slow) = ladder.shares();
    println!("a bot that loses all games plays {crasher:.2} times the median");
    println!("one that is 30 times as slow takes {:.1} % of the time", slow * 100.0);
    let mut simulation = Simulation::of_deviation(bots, 200.0, 1);
    simulation.play_on(20 * bots as u64, Choice::Random);
    let begun = Instant::now();
    simulation.play_on(1, Choice::Ladder);
    println!("one choice after {} pairs took {:.1} ms", 20 * bots, begun.elapsed().as_secs_f64() * 1e3);
}
