//! The rules of Salvo by example, its messages letter by letter, and what holds in every match.
#![allow(clippy::unwrap_used, reason = "tests")]

mod ending;
mod faults;
mod messages;
mod placing;
mod protobuf;
mod salvos;
mod scenes;
mod secrets;
mod ships;
mod spelling;
mod stats;
mod story;
mod topics;
mod views;

use rules::salvo::{Event, Order, Orientation, Placement, Salvo, Settings, ShipKind, ShotResult};
use rules::{Answer, Answers, Game, Outcome, Point, Seat, Told};

const A: Seat = Seat::A;
const B: Seat = Seat::B;

fn c() -> Seat {
    Seat::new(2).unwrap()
}

/// The same fleet for everyone:
///
/// ```text
///    0 1 2 3 4 5 6 7 8 9
/// 0  C C C C C . . . . .
/// 1  B B B B . . . . . .
/// 2  D D D . . . . . . .
/// 3  S S S . . . . . . .
/// 4  P P . . . . . . . .
/// 5  . . . . . . . . . .
/// ```
fn usual_fleet() -> Vec<Placement> {
    let ship = |(y, ship)| Placement { ship, at: Point::new(0, y), orientation: Orientation::Horizontal };
    (0..).zip(ShipKind::ALL).map(ship).collect()
}

/// The cells of a ship of the usual fleet.
fn cells_of(ship: ShipKind) -> impl Iterator<Item = (i32, i32)> {
    let y = ShipKind::ALL.iter().position(|one| *one == ship).unwrap() as i32;
    (0..i32::from(ship.length())).map(move |x| (x, y))
}

/// A match in which A begins, and what happened in its last turn.
#[derive(Clone)]
struct Match {
    game: Salvo,
    told: Vec<Told<Event>>,
}

impl Match {
    /// Before the fleets are placed.
    fn new(seats: u8, rounds_without_sinking: u32) -> Match {
        let game = |seed| Salvo::start(&Settings { rounds_without_sinking }, seats, seed).unwrap();
        let begins = |game: &Salvo| {
            let mut table = Match { game: game.clone(), told: Vec::new() };
            table.place_all();
            table.shooter() == A
        };
        let game = (0..).map(game).find(begins).unwrap();
        Match { game, told: Vec::new() }
    }

    /// Before the first shot.
    fn set(seats: u8) -> Match {
        Match::limited(seats, 100)
    }

    /// The same, with a limit of rounds in which nothing is sunk.
    fn limited(seats: u8, rounds_without_sinking: u32) -> Match {
        let mut table = Match::new(seats, rounds_without_sinking);
        table.place_all();
        table
    }

    fn place_all(&mut self) -> &mut Match {
        let seats: Vec<Seat> = self.game.awaited().iter().collect();
        self.advance(seats.into_iter().map(|seat| (seat, Ok(Order::Place(usual_fleet())))).collect())
    }

    /// Turn 0 with these answers, from A on.
    fn place(&mut self, answers: impl IntoIterator<Item = Answer<Order>>) -> &mut Match {
        let seats = self.game.awaited().iter().collect::<Vec<Seat>>();
        self.advance(seats.into_iter().zip(answers).collect())
    }

    fn advance(&mut self, answers: Answers<Order>) -> &mut Match {
        self.told = self.game.advance(answers);
        self
    }

    /// The answer of whoever has the salvo.
    fn answer(&mut self, answer: Answer<Order>) -> &mut Match {
        let shooter = self.shooter();
        self.advance([(shooter, answer)].into_iter().collect())
    }

    fn fire(&mut self, target: Seat, x: i32, y: i32) -> &mut Match {
        self.answer(Ok(Order::Fire { target, at: Point::new(x, y) }))
    }

    /// Fires at these cells of one board.
    fn fire_all(&mut self, target: Seat, cells: impl IntoIterator<Item = (i32, i32)>) -> &mut Match {
        for (x, y) in cells {
            self.fire(target, x, y);
        }
        self
    }

    /// Whoever has the salvo gives no answer for the rest of it.
    fn lapse(&mut self) -> &mut Match {
        self.answer(Err(rules::Fault::NothingWritten))
    }

    /// Salvos lapse until it is this player's.
    fn lapse_until(&mut self, seat: Seat) -> &mut Match {
        while self.shooter() != seat {
            self.lapse();
        }
        self
    }

    /// `shooter` sinks these ships of `target`, in as many salvos as that takes, and all others let theirs lapse.
    fn sink(&mut self, shooter: Seat, target: Seat, ships: &[ShipKind]) -> &mut Match {
        for (x, y) in ships.iter().flat_map(|ship| cells_of(*ship)) {
            if self.game.outcome().is_none() {
                self.lapse_until(shooter).fire(target, x, y);
            }
        }
        self
    }

    fn shooter(&self) -> Seat {
        self.game.salvo().unwrap().seat
    }

    /// The events of the last turn.
    fn events(&self) -> Vec<Event> {
        self.told.iter().map(|told| told.event.clone()).collect()
    }

    /// The events of the last turn that a seat was told of.
    fn heard_by(&self, seat: Seat) -> Vec<Event> {
        self.told.iter().filter(|told| told.to.includes(seat)).map(|told| told.event.clone()).collect()
    }

    /// The result of the last shot.
    fn found(&self) -> ShotResult {
        let found = |event: &Event| match event {
            Event::Incoming { found, .. } => Some(*found),
            _ => None,
        };
        self.events().iter().find_map(found).unwrap()
    }

    fn outcome(&self) -> Outcome {
        self.game.outcome().unwrap()
    }

    /// The reason why the match ended, in words.
    fn why(&self) -> String {
        self.outcome().ending.told(|seat| seat.to_string())
    }
}
