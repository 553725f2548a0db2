//! The rules of Sea Battle by example.
#![allow(clippy::unwrap_used, reason = "tests")]

mod documentation;
mod ending;
mod messages;
mod moves;
mod placing;
mod radar;
mod reading;
mod scenes;
mod secrets;
mod ships;

use rules::sea_battle::{Event, MoveLimit, Order, Profile, SeaBattle, Settings, Ship, ShipKind, Shot, ShotResult};
use rules::{Answer, Game, Outcome, Point, Seat};

/// A match in which A moves first, and what happened in its last turn. Both fleets lie as in the text's example:
///
/// ```text
///    0 1 2 3 4 5 6 7 8 9
/// 0  O . . . . . . . . .
/// 1  . . O . . W W . . S
/// 2  . . . . . . . . . S
/// 3  . . . F F F F . . .
/// 4  . . . . . . . . . .
/// 5  . . . . . . . . . .
/// 6  T T T . B B B . . W
/// 7  . . . . . . . . . W
/// 8  . . . . O . . . . .
/// 9  . . . . . . O . . .
/// ```
#[derive(Clone)]
struct Match {
    game: SeaBattle,
    events: Vec<Event>,
}

/// The settings of a record of version 0.1.0.
fn together(max_moves: u32) -> Settings {
    Settings { max_moves: MoveLimit::Together(max_moves), profile: Profile::Text }
}

/// A seed by which A moves first.
const A_FIRST: u64 = 0;

impl Match {
    /// Before the fleets are placed, with so many moves of each.
    fn new(max_moves: u32) -> Match {
        Match::by(Settings::moves(max_moves))
    }

    fn by(settings: Settings) -> Match {
        let game = SeaBattle::start(&settings, 2, A_FIRST).unwrap();
        assert_eq!(game.mover(1), Seat::A);
        Match { game, events: Vec::new() }
    }

    /// Before the first move.
    fn set(max_moves: u32) -> Match {
        Match::new(max_moves).placed()
    }

    /// The same, with so many moves of both.
    fn together(max_moves: u32) -> Match {
        Match::by(together(max_moves)).placed()
    }

    fn placed(self) -> Match {
        let mut table = self;
        table.place(Ok(Order::Place(example_fleet())), Ok(Order::Place(example_fleet())));
        table
    }

    /// Turn 0 with these answers of A and B.
    fn place(&mut self, a: Answer<Order>, b: Answer<Order>) -> &mut Match {
        self.advance([(Seat::A, a), (Seat::B, b)].into_iter().collect())
    }

    /// The next move, by whoever has it.
    fn answer(&mut self, answer: Answer<Order>) -> &mut Match {
        let mover = self.mover();
        self.advance([(mover, answer)].into_iter().collect())
    }

    fn advance(&mut self, answers: rules::Answers<Order>) -> &mut Match {
        self.events = self.game.advance(answers).into_iter().map(|told| told.event).collect();
        self
    }

    fn shoot(&mut self, x: i32, y: i32) -> &mut Match {
        self.answer(Ok(Order::Shoot(Point::new(x, y))))
    }

    fn radar(&mut self, x: i32, y: i32) -> &mut Match {
        self.answer(Ok(Order::Radar(Point::new(x, y))))
    }

    /// A shoots, and B at water.
    fn a_shoots(&mut self, x: i32, y: i32) -> ShotResult {
        self.shoot(x, y);
        let result = self.result();
        if self.game.outcome().is_none() {
            self.shoot(0, 9);
        }
        result
    }

    fn mover(&self) -> Seat {
        self.game.awaited().iter().next().unwrap()
    }

    /// The result of the shot that was the last move.
    fn result(&self) -> ShotResult {
        match self.events.as_slice() {
            [Event::Fired { shot: Shot { result, .. }, .. }] => *result,
            other => panic!("{other:?}"),
        }
    }

    fn outcome(&self) -> Outcome {
        self.game.outcome().unwrap()
    }

    /// The reason why the match ended, in words.
    fn why(&self) -> String {
        self.outcome().ending.told(|seat| seat.to_string())
    }
}

fn cells(cells: &[(i32, i32)]) -> Vec<Point> {
    cells.iter().map(|&(x, y)| Point::new(x, y)).collect()
}

/// The fleet of the text's example, in its order.
fn example_fleet() -> Vec<Ship> {
    let ship = |kind, at: &[(i32, i32)]| Ship { kind, cells: cells(at) };
    vec![
        ship(ShipKind::Fourdeck, &[(3, 3), (4, 3), (5, 3), (6, 3)]),
        ship(ShipKind::Battleship, &[(4, 6), (5, 6), (6, 6)]),
        ship(ShipKind::Threeship, &[(0, 6), (1, 6), (2, 6)]),
        ship(ShipKind::Submarine, &[(9, 1), (9, 2)]),
        ship(ShipKind::Twoship, &[(9, 6), (9, 7)]),
        ship(ShipKind::Twoship, &[(5, 1), (6, 1)]),
        ship(ShipKind::Oneship, &[(0, 0)]),
        ship(ShipKind::Oneship, &[(6, 9)]),
        ship(ShipKind::Oneship, &[(4, 8)]),
        ship(ShipKind::Oneship, &[(2, 1)]),
    ]
}
