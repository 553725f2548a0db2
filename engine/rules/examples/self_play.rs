//! Two functions play the Entelect Challenge 2017 against each other.
//!
//! `cargo run --release --example self_play`, in the folder `engine/rules`; a number behind `--` is the seed.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program that takes a seed and prints the outcome"
)]

use rand::seq::{IndexedRandom, IteratorRandom};
use rules::entelect_2017::{Entelect2017, OpponentCell, Order, Phase, Placement, Settings, View, Weapon};
use rules::{BySeat, Direction, Game, Outcome, Point, Random, Seat, SetupError};

/// A player: an order for what its seat may know.
type Player = fn(&View, &mut Random) -> Order;

fn main() -> Result<(), SetupError> {
    let seed = std::env::args().nth(1).and_then(|seed| seed.parse().ok()).unwrap_or(7);
    let outcome = play([scatter, chase], seed)?;
    let names = BySeat::from_iter(["scatter", "chase"]);
    let ending = outcome.ending.told(|seat| names[seat].to_owned());
    match outcome.winner {
        Some(winner) => println!("{} wins in round {}: {ending}", names[winner], outcome.turns),
        None => println!("A draw in round {}: {ending}", outcome.turns),
    }
    for (seat, name) in names.iter() {
        println!("{seat} {name}: {} points", outcome.points[seat]);
    }
    Ok(())
}

/// Plays a match on the medium map. Each player has a generator of its own, so it cannot disturb that of the other.
fn play(players: [Player; 2], seed: u64) -> Result<Outcome, SetupError> {
    let mut game = Entelect2017::start(&Settings::default(), 2, seed)?;
    let mut random = [Seat::A, Seat::B].map(|seat| rules::random(rules::seat_seed(seed, seat)));
    loop {
        if let Some(outcome) = game.outcome() {
            return Ok(outcome);
        }
        // Nobody is awaited in a round in which a player is removed: then there are no answers.
        let mut order = |seat: Seat| players[seat.index()](&game.view(seat), &mut random[seat.index()]);
        let answers = game.awaited().iter().map(|seat| (seat, Ok(order(seat)))).collect();
        game.advance(answers);
    }
}

/// Fires single shots at cells that it has not fired at.
fn scatter(view: &View, random: &mut Random) -> Order {
    match view.phase {
        Phase::One => place(view, random),
        Phase::Two => fire(untouched(view).choose(random)),
    }
}

/// Fires beside its hits first; then as `scatter` does.
fn chase(view: &View, random: &mut Random) -> Order {
    if view.phase == Phase::One {
        return place(view, random);
    }
    let is_hit = |point| view.opponent.cell(view.size, point).is_some_and(|cell| cell.damaged);
    let beside_a_hit = |point: &Point| {
        let neighbours = Direction::ALL.map(Direction::step).map(|(dx, dy)| point.offset(dx, dy));
        neighbours.into_iter().flatten().any(is_hit)
    };
    let near: Vec<Point> = untouched(view).filter(beside_a_hit).collect();
    fire(near.choose(random).copied().or_else(|| untouched(view).choose(random)))
}

fn place(view: &View, random: &mut Random) -> Order {
    Placement::at_random(view.size, random).map_or(Order::DoNothing, Order::from)
}

/// The cells of the opponent's map that show nothing yet. Where a shield caught a shot, there may still be a ship.
fn untouched(view: &View) -> impl Iterator<Item = Point> {
    let is_open = |cell: OpponentCell| !cell.damaged && !cell.missed;
    view.size.grid().points().filter(move |&point| view.opponent.cell(view.size, point).is_some_and(is_open))
}

fn fire(target: Option<Point>) -> Order {
    target.map_or(Order::DoNothing, |centre| Order::Fire { weapon: Weapon::SingleShot, centre })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_outcome() {
        assert_eq!(play([scatter, chase], 7), play([scatter, chase], 7));
        assert_ne!(play([scatter, chase], 7), play([scatter, chase], 8));
    }

    #[test]
    fn firing_beside_hits_is_better_in_either_seat() {
        let winners = |players| (0..50).map(move |seed| play(players, seed).unwrap().winner);
        let as_b = winners([scatter, chase]).filter(|winner| *winner == Some(Seat::B)).count();
        let as_a = winners([chase, scatter]).filter(|winner| *winner == Some(Seat::A)).count();
        assert!(as_a > 40 && as_b > 40, "{as_a} and {as_b} of 50");
    }
}
