//! botsArena: its rules by example, its messages letter by letter, and what holds in every match.
#![allow(clippy::unwrap_used, reason = "tests")]

mod answers;
mod ending;
mod fighting;
mod placing;
mod requests;
mod scenes;
mod views;

use rules::bots_arena::{BotsArena, Event, Order, Settings, StrikeResult};
use rules::{Answer, Answers, Game, Point, Seat};

/// The fleet of the text's example.
const USUAL: [(Point, Point); 5] = [
    (Point::new(3, 3), Point::new(3, 7)),
    (Point::new(2, 1), Point::new(2, 4)),
    (Point::new(0, 1), Point::new(0, 3)),
    (Point::new(7, 3), Point::new(7, 1)),
    (Point::new(8, 8), Point::new(7, 8)),
];

fn settings(width: u8, height: u8, ships: [u8; 6]) -> Settings {
    Settings::new(width, height, ships).unwrap()
}

fn start(settings: Settings) -> BotsArena {
    BotsArena::start(&settings, 2, 0).unwrap()
}

/// The cells of the ship between these ends.
fn cells(&(one, other): &(Point, Point)) -> Vec<Point> {
    let (start, end) = (one.min(other), one.max(other));
    (start.x..=end.x).flat_map(|x| (start.y..=end.y).map(move |y| Point::new(x, y))).collect()
}

fn place(ends: &[(Point, Point)]) -> Answer<Order> {
    Ok(Order::Place(ends.to_vec()))
}

fn strike(x: i32, y: i32) -> Answer<Order> {
    Ok(Order::Strike(Point::new(x, y)))
}

/// Plays a turn in which both are asked.
fn both(game: &mut BotsArena, a: Answer<Order>, b: Answer<Order>) -> Vec<Event> {
    events(game, [(Seat::A, a), (Seat::B, b)].into_iter().collect())
}

/// Plays a turn in which one is asked.
fn one(game: &mut BotsArena, answer: Answer<Order>) -> Event {
    let awaited: Vec<Seat> = game.awaited().iter().collect();
    let [seat] = awaited[..] else { panic!("{awaited:?} are asked") };
    events(game, [(seat, answer)].into_iter().collect()).remove(0)
}

fn events(game: &mut BotsArena, answers: Answers<Order>) -> Vec<Event> {
    game.advance(answers).into_iter().map(|told| told.event).collect()
}

/// The result of a strike of the player whose turn it is.
fn result(game: &mut BotsArena, x: i32, y: i32) -> StrikeResult {
    match one(game, strike(x, y)) {
        Event::Struck { result, .. } => result,
        other => panic!("{other:?}"),
    }
}

/// After both have placed the usual fleet; A is to strike.
fn usual() -> BotsArena {
    let mut game = start(Settings::default());
    both(&mut game, place(&USUAL), place(&USUAL));
    game
}
