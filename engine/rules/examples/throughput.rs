//! The number of random games a second of each game, in one thread.
//!
//! `cargo run --release --example throughput`, in the folder `engine/rules`; a number behind `--` is that of the games.
//!
//! Fleets and targets are drawn before the clock starts, so the figure is that of [`Game::step`] and [`Game::awaited`] alone.
//! Orders are borrowed: a turn copies none.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a program that takes a number and measures time"
)]

use rand::seq::SliceRandom;
use rules::battleship::{self, Battleship};
use rules::bots_arena::{self, BotsArena};
use rules::entelect_2017::{self, Entelect2017, MapSize, Placement, Weapon};
use rules::salvo::{self, Salvo};
use rules::sea_battle::{self, SeaBattle};
use rules::{Game, Grid, Point, Random, Seat, SetupError};
use std::time::Instant;

fn main() -> Result<(), SetupError> {
    let games = std::env::args().nth(1).and_then(|games| games.parse().ok()).unwrap_or(10_000);
    let games_of =
        [measure::<Entelect2017>, measure::<SeaBattle>, measure::<BotsArena>, measure::<Salvo>, measure::<Battleship>];
    for measure in games_of {
        println!("{}", measure(games)?);
    }
    Ok(())
}

/// A player that has decided everything before: a fleet, and an order for each cell of the opponent's board.
struct Script<O> {
    fleet: O,
    shots: Vec<O>,
}

/// A game for which scripts can be drawn at random.
trait Scripted: Game<Settings: Default> {
    /// The script of the player in `seat`, by the default settings.
    fn script(seat: Seat, random: &mut Random) -> Script<Self::Order>;
}

/// Plays `games` matches by the default settings, all between the same 100 pairs of scripts, and tells how long they took.
fn measure<G: Scripted>(games: usize) -> Result<String, SetupError> {
    let mut random = rules::random(7);
    let scripts: Vec<_> = (0..100).map(|_| [Seat::A, Seat::B].map(|seat| G::script(seat, &mut random))).collect();
    let (settings, mut turns) = (G::Settings::default(), 0);
    let start = Instant::now();
    for nth in 0..games {
        turns += play::<G>(&settings, &scripts[nth % scripts.len()], nth as u64)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let (speed, turns) = (games as f64 / seconds, f64::from(turns) / games as f64);
    Ok(format!("{:<23} {speed:>8.0} games/s of {turns:.0} {}s", G::KIND.title(), G::KIND.turn()))
}

/// Plays one match and gives the number of its turns.
fn play<G: Scripted>(settings: &G::Settings, scripts: &[Script<G::Order>; 2], seed: u64) -> Result<u32, SetupError> {
    let mut game = G::start(settings, 2, seed)?;
    let (mut turns, mut asked) = (0, [0; 2]);
    loop {
        let awaited = game.awaited();
        game.step(|seat| {
            let (script, asked) = (&scripts[seat.index()], asked[seat.index()]);
            Ok(if asked == 0 { &script.fleet } else { &script.shots[(asked - 1) % script.shots.len()] })
        });
        turns += 1;
        for seat in awaited.iter() {
            asked[seat.index()] += 1;
        }
        // Nobody is awaited when the match is over, or in a turn that goes on by itself.
        if game.awaited().is_empty() && game.outcome().is_some() {
            return Ok(turns);
        }
    }
}

/// The cells of a board in random order.
fn shuffled(grid: Grid, random: &mut Random) -> impl Iterator<Item = Point> + use<> {
    let mut cells: Vec<Point> = grid.points().collect();
    cells.shuffle(random);
    cells.into_iter()
}

impl Scripted for Entelect2017 {
    fn script(_seat: Seat, random: &mut Random) -> Script<entelect_2017::Order> {
        use entelect_2017::Order;
        let size = MapSize::default();
        let fleet = Placement::at_random(size, random).map_or(Order::DoNothing, Order::from);
        let shot = |centre| Order::Fire { weapon: Weapon::SingleShot, centre };
        Script { fleet, shots: shuffled(size.grid(), random).map(shot).collect() }
    }
}

impl Scripted for SeaBattle {
    fn script(_seat: Seat, random: &mut Random) -> Script<sea_battle::Order> {
        use sea_battle::{BOARD, Order, random_fleet};
        let fleet = Order::Place(random_fleet(random));
        Script { fleet, shots: shuffled(BOARD, random).map(Order::Shoot).collect() }
    }
}

impl Scripted for BotsArena {
    fn script(_seat: Seat, random: &mut Random) -> Script<bots_arena::Order> {
        use bots_arena::{Order, Settings, place_at_random};
        let settings = Settings::default();
        let fleet = Order::Place(place_at_random(&settings, random).unwrap_or_default());
        Script { fleet, shots: shuffled(settings.grid(), random).map(Order::Strike).collect() }
    }
}

impl Scripted for Battleship {
    fn script(_seat: Seat, random: &mut Random) -> Script<battleship::Order> {
        use battleship::{Order, Rules, Target, place_at_random, placed};
        let rules = Rules::default();
        let ships = place_at_random(&rules, random).map(|fleet| placed(&rules, &fleet));
        let shot = |cell| Order::Fire(vec![Target::cell(cell)]);
        Script {
            fleet: Order::Place(ships.unwrap_or_default()),
            shots: shuffled(rules.grid(), random).map(shot).collect(),
        }
    }
}

impl Scripted for Salvo {
    fn script(seat: Seat, random: &mut Random) -> Script<salvo::Order> {
        use salvo::{BOARD, Order, random_fleet};
        let fleet = Order::Place(random_fleet(random));
        let shot = |at| Order::Fire { target: seat.opponent(), at };
        Script { fleet, shots: shuffled(BOARD, random).map(shot).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails for orders that are refused: then no fleet would be sunk.
    fn fleets_are_sunk<G: Scripted>() {
        let mut random = rules::random(7);
        for seed in 0..20 {
            let scripts = [Seat::A, Seat::B].map(|seat| G::script(seat, &mut random));
            let turns = play::<G>(&G::Settings::default(), &scripts, seed).unwrap();
            assert!((30..=250).contains(&turns), "{}: {turns} turns", G::KIND.title());
        }
    }

    #[test]
    fn scripts_sink_fleets_in_all_games() {
        fleets_are_sunk::<Entelect2017>();
        fleets_are_sunk::<SeaBattle>();
        fleets_are_sunk::<BotsArena>();
        fleets_are_sunk::<Salvo>();
        fleets_are_sunk::<Battleship>();
    }

    #[test]
    fn a_line_names_the_game() {
        assert!(measure::<BotsArena>(10).unwrap().starts_with("botsArena "));
    }
}
