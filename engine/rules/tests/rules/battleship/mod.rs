//! Any Battleship: each choice of a file of rules by example, and what holds by all of them.
#![allow(clippy::unwrap_used, reason = "tests")]

mod any_rules;
mod choices;
mod ending;
mod mistakes;
mod placing;
mod players;
mod properties;
mod reading;
mod scenes;
mod shapes;
mod specials;
mod told;

pub(crate) use players::{any_order, harmless};

use rules::battleship::{Battleship, Event, Known, Order, Placed, Refusal, Rules, ShotResult, Target};
use rules::{Answer, Answers, Game, Outcome, Point, Seat};

/// The rules of a file in JSON.
pub(crate) fn rules(json: &str) -> Rules {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

/// A match on a small board, and what happened in its last turn. All fleets lie alike:
///
/// ```text
///    0 1 2 3 4 5
/// 0  3 3 3 . . .
/// 1  . . . . . .
/// 2  2 2 . . . .
/// 3  . . . . . .
/// ```
#[derive(Clone)]
struct Match {
    game: Battleship,
    events: Vec<Event>,
}

/// The file of the small board with more keys.
fn small(more: &str) -> Rules {
    let fleet = r#"[{"name": "three", "size": 3}, {"name": "two", "size": 2}]"#;
    let comma = if more.is_empty() { "" } else { "," };
    rules(&format!(r#"{{"board": {{"width": 6, "height": 4}}, "fleet": {fleet}{comma} {more}}}"#))
}

impl Match {
    /// Before the ships are placed.
    fn new(rules: &Rules, seats: u8) -> Match {
        Match { game: Battleship::start(rules, seats, 1).unwrap(), events: Vec::new() }
    }

    /// After both have placed the usual ships, by the file of the small board with more keys.
    fn of(more: &str) -> Match {
        Match::with(more, 2)
    }

    fn with(more: &str, seats: u8) -> Match {
        let mut table = Match::new(&small(more), seats);
        table.all(&vec![place(&USUAL); seats.into()]);
        table
    }

    /// Plays a turn with these answers of A, B and so on.
    fn all(&mut self, answers: &[Answer<Order>]) -> &mut Match {
        let answers = (0..).filter_map(Seat::new).zip(answers.iter().cloned());
        self.turn(answers.collect())
    }

    /// Plays a turn in which one is asked.
    fn one(&mut self, answer: Answer<Order>) -> &mut Match {
        let mover = self.mover();
        self.turn([(mover, answer)].into_iter().collect())
    }

    fn turn(&mut self, answers: Answers<Order>) -> &mut Match {
        self.events = self.game.advance(answers).into_iter().map(|told| told.event).collect();
        self
    }

    /// The player that is asked.
    fn mover(&self) -> Seat {
        let awaited: Vec<Seat> = self.game.awaited().iter().collect();
        let [seat] = awaited[..] else { panic!("{awaited:?} are asked") };
        seat
    }

    /// The mover fires; the results as they are told.
    fn fire(&mut self, cells: &[(i32, i32)]) -> Vec<ShotResult> {
        self.one(fire(cells)).results()
    }

    fn results(&self) -> Vec<ShotResult> {
        let results = self.events.iter().filter_map(|event| match event {
            Event::Fired(shot) => Some(shot.result),
            _ => None,
        });
        results.collect()
    }

    /// The number of seats that are asked.
    fn asked(&self) -> usize {
        self.game.awaited().len()
    }

    /// The rows of B's board as A knows it.
    fn rows(&self) -> Vec<String> {
        self.known(Seat::A, Seat::B)
    }

    /// The rows of a board as another knows it.
    fn known(&self, viewer: Seat, owner: Seat) -> Vec<String> {
        let (grid, view) = (self.game.rules().grid(), self.game.view(viewer));
        let sign = |x, y| view.boards[owner].cells[grid.index(Point::new(x, y)).unwrap()].sign();
        (0..grid.height()).map(|y| (0..grid.width()).map(|x| sign(x, y)).collect()).collect()
    }

    /// The refusal of an order in the last turn.
    fn refusal(&self) -> Option<Refusal> {
        self.events.iter().find_map(|event| match event {
            Event::Refused { why, .. } if !matches!(why, Refusal::NoOrder(_)) => Some(why.clone()),
            _ => None,
        })
    }

    fn outcome(&self) -> Outcome {
        self.game.outcome().unwrap()
    }

    /// The reason for the end in words.
    fn why(&self) -> String {
        self.outcome().ending.told(|seat| seat.to_string())
    }

    fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }
}

/// The cells of the usual ships.
const USUAL: [&[(i32, i32)]; 2] = [&[(0, 0), (1, 0), (2, 0)], &[(0, 2), (1, 2)]];

fn cells(cells: &[(i32, i32)]) -> Vec<Point> {
    cells.iter().map(|&(x, y)| Point::new(x, y)).collect()
}

/// An order that places ships without names.
fn place(ships: &[&[(i32, i32)]]) -> Answer<Order> {
    Ok(Order::Place(ships.iter().map(|at| Placed { name: None, cells: cells(at) }).collect()))
}

fn fire(at: &[(i32, i32)]) -> Answer<Order> {
    Ok(Order::Fire(cells(at).into_iter().map(Target::cell).collect()))
}

/// A shot at the board of a player.
fn fire_at(seat: Seat, x: i32, y: i32) -> Answer<Order> {
    Ok(Order::Fire(vec![Target { at: Some(seat), cell: Point::new(x, y) }]))
}

fn take(special: &str, x: i32, y: i32) -> Answer<Order> {
    Ok(Order::Use { special: special.to_owned(), aim: Target::cell(Point::new(x, y)) })
}

/// The third seat.
fn seat_c() -> Seat {
    Seat::new(2).unwrap()
}

/// True if a view has nothing but signs that tell nothing.
fn is_unknown(game: &Battleship, viewer: Seat, owner: Seat) -> bool {
    game.view(viewer).boards[owner].cells.iter().all(|known| *known == Known::Unknown)
}
