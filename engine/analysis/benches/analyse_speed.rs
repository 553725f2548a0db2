//! The time that the analysis of a match takes: `cargo bench -p analysis --bench analyse_speed`.
//!
//! Built-in players play the same matches of each game without and with an analyst, in turns. The floor is the match alone: rules and players in
//! this process. What comes on top is the analysis with the chances of all cells, as the page of a match needs it. Moments are taken apart as
//! well: a live view has to keep up with turns.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use analysis::{Analysed, MatchAnalyst};
use arena::{ArenaError, MatchEvent, Observer, Players, Sequence, play};
use players::{BuiltIn, WithBuiltIns};
use rules::{BySeat, Game, Listed, Seats};
use std::time::{Duration, Instant};

const MATCHES: u64 = 15;

fn main() {
    println!("medians of {MATCHES} matches      turns  match alone  analysis  of a turn (p99)");
    measure::<rules::entelect_2017::Entelect2017>("hunters", BuiltIn::Hunter, 2);
    measure::<rules::entelect_2017::Entelect2017>("long", BuiltIn::Random, 2);
    measure::<rules::sea_battle::SeaBattle>("hunters", BuiltIn::Hunter, 2);
    measure::<rules::bots_arena::BotsArena>("hunters", BuiltIn::Hunter, 2);
    measure::<rules::battleship::Battleship>("hunters", BuiltIn::Hunter, 2);
    measure::<rules::salvo::Salvo>("hunters", BuiltIn::Hunter, 2);
    measure::<rules::salvo::Salvo>("three", BuiltIn::Hunter, 3);
}

fn measure<G: Analysed + WithBuiltIns>(what: &str, player: BuiltIn, seats: u8) {
    let (mut alone, mut analysed, mut turns, mut counts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for seed in 0..MATCHES {
        alone.push(played::<G>(seed, player, seats, &mut Nothing));
        let names: BySeat<String> = Seats::first(seats).iter().map(|seat| seat.to_string()).collect();
        let mut timed = Timed { analyst: MatchAnalyst::<G>::new(names, true), turns: Vec::new() };
        played::<G>(seed, player, seats, &mut timed);
        analysed.push(timed.turns.iter().sum::<Duration>());
        counts.push(timed.turns.len());
        turns.extend(timed.turns);
    }
    counts.sort_unstable();
    println!(
        "{:16} {:12} {:5} {:9.1} ms {:6.0} ms {:8.2} ms ({:.1})",
        G::KIND.title(),
        what,
        counts[counts.len() / 2],
        quantile(&mut alone, 0.5),
        quantile(&mut analysed, 0.5),
        quantile(&mut turns, 0.5),
        quantile(&mut turns, 0.99),
    );
}

fn played<G: Listed + WithBuiltIns>(
    seed: u64,
    player: BuiltIn,
    seats: u8,
    observer: &mut impl Observer<G>,
) -> Duration {
    let game = <G as Game>::start(&G::Settings::default(), seats, seed).unwrap();
    let player = |seat| player.player::<G>(rules::seat_seed(seed, seat));
    let mut players: Players<G> = Seats::first(seats).iter().map(player).collect();
    let start = Instant::now();
    play(game, &mut players, Sequence::InTurn, observer).unwrap();
    start.elapsed()
}

/// Milliseconds.
fn quantile(times: &mut [Duration], share: f64) -> f64 {
    times.sort_unstable();
    times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0
}

struct Nothing;

impl<G: Game> Observer<G> for Nothing {
    fn on(&mut self, _: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        Ok(())
    }
}

struct Timed<G: Analysed> {
    analyst: MatchAnalyst<G>,
    turns: Vec<Duration>,
}

impl<G: Analysed> Observer<G> for Timed<G> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        let start = Instant::now();
        self.analyst.on(event)?;
        if matches!(event, MatchEvent::Advanced { .. }) {
            self.turns.push(start.elapsed());
        }
        Ok(())
    }
}
