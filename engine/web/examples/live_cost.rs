//! The cost of the analysis for a match that is watched: `cargo run --release -p web --example live_cost`. Each game is played several times
//! between built-in hunters. Spectators without an analysis and spectators with one watch the same match, each of them first in every other
//! match; the difference of their medians for a turn is what the analysis costs the match. The time of a turn is that of a match that nobody
//! watches. Beside them stands the time of the analysis itself, which has a thread of its own.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "an example is a program")]

use analysis::{Analysed, MatchAnalyst};
use arena::{ArenaError, MatchEvent, Observer, Observers, Players, Sequence, play};
use players::{BuiltIn, WithBuiltIns};
use rules::{Eye, Seats};
use std::sync::Arc;
use std::time::{Duration, Instant};
use web::{About, EventLog, Spectators};

/// The matches of a game.
const MATCHES: u64 = 6;

/// Takes the time of an observer for each turn.
struct Timed<O>(O, Vec<Duration>);

impl<G: Analysed, O: Observer<G>> Observer<G> for Timed<O> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        let since = Instant::now();
        self.0.on(event)?;
        if let MatchEvent::Advanced { .. } = event {
            self.1.push(since.elapsed());
        }
        Ok(())
    }
}

/// Takes the time of turns.
struct Turns(Instant, Vec<Duration>);

impl<G: Analysed> Observer<G> for Turns {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Opened { .. } => self.0 = Instant::now(),
            MatchEvent::Advanced { .. } => self.1.push(self.0.elapsed()),
            _ => {}
        }
        Ok(())
    }
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e6
}

fn measure<G: WithBuiltIns>() {
    let about = || About {
        names: ["one", "two"].into_iter().map(str::to_owned).collect(),
        title: String::new(),
        played: String::new(),
        seed: None,
        engine: String::new(),
        note: None,
        most_turns: None,
    };
    let (mut turns, mut plain, mut analysed, mut itself) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for seed in 0..MATCHES {
        let game = G::start(&G::Settings::default(), 2, seed).unwrap();
        let seats = Seats::first(2);
        let players = || -> Players<G> {
            seats.iter().map(|seat| G::built_in(BuiltIn::Hunter, rules::seat_seed(seed, seat))).collect()
        };
        let begin = || Spectators::begin(Arc::new(EventLog::new()), 1, &game, about(), vec![Eye::Everyone]);
        let mut alone = Turns(Instant::now(), Vec::new());
        play(game.clone(), &mut players(), Sequence::InTurn, &mut alone).unwrap();
        let mut without = Timed(begin(), Vec::new());
        let mut with = Timed(begin().analysed(&game), Vec::new());
        let mut watch = Observers::new();
        if seed % 2 == 0 {
            watch.add(&mut without);
            watch.add(&mut with);
        } else {
            watch.add(&mut with);
            watch.add(&mut without);
        }
        play(game.clone(), &mut players(), Sequence::InTurn, &mut watch).unwrap();
        drop(watch);
        let mut analyst = Timed(MatchAnalyst::new(about().names, true), Vec::new());
        play(game, &mut players(), Sequence::InTurn, &mut analyst).unwrap();
        turns.extend(alone.1);
        plain.extend(without.1);
        analysed.extend(with.1);
        itself.extend(analyst.1);
    }
    let count = turns.len();
    let [turn, plain, analysed, itself] = [turns, plain, analysed, itself].map(median);
    println!(
        "{:16} {count:5} turns: {turn:7.1} µs a turn; {plain:6.1} µs without, {analysed:6.1} µs with the analysis: {:4.1} %; itself {itself:7.1} µs",
        G::KIND.name(),
        100.0 * (analysed - plain) / turn
    );
}

fn main() {
    measure::<rules::entelect_2017::Entelect2017>();
    measure::<rules::sea_battle::SeaBattle>();
    measure::<rules::bots_arena::BotsArena>();
    measure::<rules::battleship::Battleship>();
    measure::<rules::salvo::Salvo>();
}
