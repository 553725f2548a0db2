//! The strength of the hunter: `cargo bench -p hunter`.
//!
//! Prints how many games it wins against players that place their ships as it does and fire single shots only: at
//! random, or at the likeliest cell.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement for people")]

#[path = "../tests/opponents/mod.rs"]
mod opponents;

use opponents::{Brain, random_shooter, single_shooter, wins};
use rules::entelect_2017::MapSize;

const GAMES: u64 = 400;

fn main() {
    for size in MapSize::ALL {
        let players: [(&str, Brain); 2] = [("random shots", random_shooter), ("aimed single shots", single_shooter)];
        for (name, player) in players {
            let won = wins(size, GAMES, player);
            println!("{size:?}: wins {won} of {GAMES} games against {name}");
        }
    }
}
