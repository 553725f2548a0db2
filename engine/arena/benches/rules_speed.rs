//! The number of random games a second that the rules play, alone, in one thread.
//!
//! `cargo bench -p arena --bench rules_speed`. Each game: fleets at random, then both players fire single shots at cells
//! in random order until one fleet is sunk; fleets and orders are drawn before the clock starts. The second line mixes in
//! special weapons and shields. Medians of several runs.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use rand::seq::SliceRandom;
use rules::entelect_2017::{Entelect2017, MapSize, Order, Phase, Placement, Settings, Ship, ShipPlacement, Weapon};
use rules::{Game, Point, Random, Seat};
use std::time::Instant;

const GAMES: usize = 4_000;
const RUNS: usize = 9;

fn main() {
    for (size, special) in MapSize::ALL.into_iter().flat_map(|size| [(size, false), (size, true)]) {
        let mut random = rules::random(7);
        let scripts: Vec<[Script; 2]> = (0..500)
            .map(|_| [Script::new(size, special, &mut random), Script::new(size, special, &mut random)])
            .collect();
        let mut rounds = 0;
        let mut speeds: Vec<f64> = (0..RUNS)
            .map(|_| {
                let start = Instant::now();
                rounds = (0..GAMES).map(|game| play(size, &scripts[game % scripts.len()])).sum();
                GAMES as f64 / start.elapsed().as_secs_f64()
            })
            .collect();
        speeds.sort_by(f64::total_cmp);
        println!(
            "{0:>2} x {0:<2} {1:<38} {2:>8.0} games/s (min {3:.0}, max {4:.0}), {5:.0} rounds a game",
            size.side(),
            if special { "single shots, special weapons, shields" } else { "single shots" },
            speeds[RUNS / 2],
            speeds[0],
            speeds[RUNS - 1],
            rounds as f64 / GAMES as f64,
        );
    }
}

/// The moves of one player: its fleet, then its orders one after the other.
struct Script {
    fleet: Order,
    orders: Vec<Order>,
}

impl Script {
    fn new(size: MapSize, special: bool, random: &mut Random) -> Script {
        let places = rules::random_fleet(size.grid(), &Ship::ALL.map(Ship::length), random).unwrap();
        let mut places = places.into_iter();
        let ships = Ship::ALL.map(|ship| {
            let (start, direction) = places.next().unwrap();
            ShipPlacement { ship, start, direction }
        });
        let mut cells: Vec<Point> = size.grid().points().collect();
        cells.shuffle(random);
        let orders = cells.into_iter().enumerate().map(|(n, centre)| match n % 14 {
            9 if special => Order::Shield { centre },
            11 if special => Order::Fire { weapon: Weapon::ALL[n / 14 % 7], centre },
            _ => Order::Fire { weapon: Weapon::SingleShot, centre },
        });
        Script { fleet: Placement::new(ships).into(), orders: orders.collect() }
    }
}

fn play(size: MapSize, scripts: &[Script; 2]) -> u32 {
    let mut game = Entelect2017::start(&Settings { size }, 2, 0).unwrap();
    while game.outcome().is_none() {
        let (n, phase) = (game.round() as usize, game.phase());
        let order = |seat: Seat| {
            let script = &scripts[seat.index()];
            match phase {
                Phase::One => &script.fleet,
                Phase::Two => &script.orders[n % script.orders.len()],
            }
        };
        std::hint::black_box(game.step(|seat| Ok(order(seat))));
    }
    game.round()
}
