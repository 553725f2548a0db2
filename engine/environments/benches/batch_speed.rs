//! Steps and games a second of a batch in which agents choose among the allowed actions at random, by game and number of threads.
//! The floor is the same game without observations: states that are stepped with shots at random cells.
//!
//!     cargo bench -p environments --bench batch_speed -- [SECONDS] [GAME]
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use environments::{Batch, BatchOptions, Buffers, Encoded};
use rand::RngExt;
use rules::{GameKind, Seat};
use std::time::{Duration, Instant};

const MATCHES: usize = 512;
const ROUNDS: usize = 5;

/// Games and steps a second.
type Rate = (f64, f64);

fn rate(time: Duration, mut work: impl FnMut() -> (usize, usize)) -> Rate {
    let begun = Instant::now();
    let (mut games, mut steps) = (0, 0);
    while begun.elapsed() < time {
        let (more_games, more_steps) = work();
        games += more_games;
        steps += more_steps;
    }
    let seconds = begun.elapsed().as_secs_f64();
    (games as f64 / seconds, steps as f64 / seconds)
}

fn batched<G: Encoded>(threads: usize, time: Duration) -> Rate {
    let settings = serde_json::from_value(G::KIND.default_settings().into()).unwrap();
    let options = BatchOptions { matches: MATCHES, threads, ..BatchOptions::default() };
    let mut batch = Batch::<G>::new(&settings, 2, options, None).unwrap();
    let layout = batch.layout().clone();
    let seen = MATCHES * batch.seen();
    let mut planes = vec![0; seen * layout.planes.len() * layout.grid.len()];
    let (mut scalars, mut masks) = (vec![0.0; seen * layout.scalars.len()], vec![0; seen * layout.actions()]);
    let (mut rewards, mut to_act, mut actions) = (vec![0.0; seen], vec![false; seen], vec![0; seen]);
    let (mut terminated, mut truncated) = (vec![false; MATCHES], vec![false; MATCHES]);
    let (mut winners, mut steps) = (vec![0; MATCHES], vec![0; MATCHES]);
    let mut is_new = true;
    rate(time, || {
        if !is_new {
            batch.sample(&masks, &mut actions);
        }
        let buffers = Buffers {
            planes: &mut planes,
            scalars: &mut scalars,
            masks: &mut masks,
            rewards: &mut rewards,
            terminated: &mut terminated,
            truncated: &mut truncated,
            to_act: &mut to_act,
            winners: &mut winners,
            steps: &mut steps,
        };
        if std::mem::take(&mut is_new) {
            batch.reset(Some(1), buffers).unwrap();
            return (0, 0);
        }
        batch.step(&actions, None, buffers).unwrap();
        (terminated.iter().filter(|ended| **ended).count(), MATCHES)
    })
}

/// The game alone: random orders of the first kind, which is the plain shot, at cells that were not shot at.
fn floor<G: Encoded>(time: Duration) -> Rate {
    let settings: G::Settings = serde_json::from_value(G::KIND.default_settings().into()).unwrap();
    let cells: Vec<_> = G::grid(&settings).points().collect();
    let mut random = rules::random(1);
    let mut seed = 0;
    rate(time, || {
        seed += 1;
        let mut game = G::start(&settings, 2, seed).unwrap();
        let fleets = [0, 1].map(|seat| {
            let mut random = rules::random(rules::seat_seed(seed, Seat::new(seat).unwrap()));
            G::placing_at_random(&settings, &mut random)
        });
        game.step(|seat| Ok(&fleets[seat.index()]));
        let mut shots = [cells.clone(), cells.clone()];
        let mut steps = 0;
        while game.outcome().is_none() {
            let orders = [Seat::A, Seat::B].map(|seat| {
                let left = &mut shots[seat.index()];
                let cell =
                    if left.is_empty() { cells[0] } else { left.swap_remove(random.random_range(0..left.len())) };
                G::order(&settings, 2, seat, 0, cell)
            });
            game.step(|seat| Ok(&orders[seat.index()]));
            steps += 1;
        }
        (1, steps)
    })
}

fn measure<G: Encoded>(time: Duration) {
    let median = |rates: &mut Vec<Rate>| {
        rates.sort_by(|one, other| one.1.total_cmp(&other.1));
        rates[rates.len() / 2]
    };
    let mut all = [const { Vec::new() }; 3];
    for _ in 0..ROUNDS {
        all[0].push(floor::<G>(time));
        all[1].push(batched::<G>(1, time));
        all[2].push(batched::<G>(2, time));
    }
    let names = ["game alone, shots only, 1 thread", "batch, all orders, 1 thread", "batch, all orders, 2 threads"];
    for (name, rates) in names.into_iter().zip(&mut all) {
        let (games, steps) = median(rates);
        println!("{:16}{name:36}{games:12.0} games/s{steps:14.0} steps/s", G::KIND.name());
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let seconds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1.0);
    let only = arguments.next().and_then(|name| GameKind::from_name(&name));
    let time = Duration::from_secs_f64(seconds);
    for kind in GameKind::ALL.into_iter().filter(|kind| only.is_none_or(|only| only == *kind)) {
        rules::for_game!(kind, G => measure::<G>(time));
    }
}
