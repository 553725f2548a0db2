//! The strength of the hunter: `cargo bench -p hunter -- [GAMES [OPPONENT…]]`.
//!
//! Prints how many games it wins on the medium map against opponents with the habits of real bots, and against two weak players:
//! the share with its 95 % interval (Wilson), and the rounds of the games won. Seats are swapped from game to game, and the same
//! games are played every time.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement for people")]

#[path = "../tests/games/mod.rs"]
mod games;
#[path = "../opponents/mod.rs"]
#[allow(dead_code, reason = "the memory of a bot, which plays here without files")]
mod opponents;

use games::{Brain, Played, hunter, play, random_shooter, single_shooter};
use opponents::{Habit, Opponent};
use rules::entelect_2017::MapSize;

const GAMES: u64 = 400;
/// Each thread has an opponent of its own, whose memory grows with its games.
const THREADS: u64 = 2;

type NewBrain = fn() -> Box<Brain<'static>>;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let games = arguments.first().map_or(GAMES, |games| games.parse().unwrap());
    let is_asked_for = |name: &str| arguments.len() < 2 || arguments[1..].iter().any(|argument| argument == name);
    for habit in Habit::ALL.into_iter().filter(|habit| is_asked_for(&habit.name())) {
        let new = || -> Box<Brain<'static>> {
            let mut opponent = Opponent::new(habit, "");
            Box::new(move |state, random| opponent.decide(state, random).unwrap())
        };
        report(&habit.name(), games, &new);
    }
    let weak: [(&str, NewBrain); 2] =
        [("RandomShots", || Box::new(random_shooter)), ("SingleShots", || Box::new(single_shooter))];
    for (name, new) in weak.into_iter().filter(|(name, _)| is_asked_for(name)) {
        report(name, games, &new);
    }
}

fn report(name: &str, games: u64, new: &(impl Fn() -> Box<Brain<'static>> + Sync)) {
    let played: Vec<Played> = std::thread::scope(|scope| {
        let part = |thread| {
            let mut opponent = new();
            let seeds = (0..games).filter(|seed| seed / 2 % THREADS == thread);
            seeds.map(|seed| play(MapSize::Medium, seed, &mut hunter, &mut opponent)).collect::<Vec<_>>()
        };
        let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || part(thread))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let won = played.iter().filter(|played| played.is_won).count();
    let rounds: u32 = played.iter().filter(|played| played.is_won).map(|played| played.rounds).sum();
    let (low, high) = wilson(won as f64, played.len() as f64);
    let share = 100.0 * won as f64 / played.len() as f64;
    let rounds = f64::from(rounds) / won.max(1) as f64;
    println!("{name:14} {share:5.1} % [{low:4.1}, {high:4.1}] of {games} games, won in {rounds:.1} rounds");
}

/// The 95 % interval of a share, in per cent.
fn wilson(won: f64, games: f64) -> (f64, f64) {
    const Z: f64 = 1.96;
    let share = won / games;
    let middle = share + Z * Z / (2.0 * games);
    let half = Z * (share * (1.0 - share) / games + Z * Z / (4.0 * games * games)).sqrt();
    let scale = 100.0 / (1.0 + Z * Z / games);
    ((middle - half) * scale, (middle + half) * scale)
}
