//! A table for two with a match on it, so that a rule can be shown in a few lines.
//!
//! Unless a test says otherwise, both fleets lie alike on all sizes of map:
//!
//! ```text
//! 4 ~~~C~~~
//! 3 ~~BC~~~
//! 2 S~BCR~~
//! 1 SDBCR~~
//! 0 SDBCR~~
//!   0123456
//! ```
#![allow(clippy::unwrap_used, reason = "tests")]

use rules::entelect_2017::{
    Board, CellState, Entelect2017, Event, MapSize, OpponentCell, Order, Placement, PlayerState, Refusal, Settings,
    Ship, ShipPlacement, Weapon,
};
use rules::{Answer, Direction, Fault, Game, Outcome, Point, Seat};

/// A match and what happened in it.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) game: Entelect2017,
    /// The events of the last round.
    pub(crate) events: Vec<Event>,
}

impl Table {
    /// Before the first round.
    pub(crate) fn new(size: MapSize) -> Table {
        Table { game: Entelect2017::start(&Settings { size }, 2, 0).unwrap(), events: Vec::new() }
    }

    /// After round 0, in which both placed the usual fleet.
    pub(crate) fn set(size: MapSize) -> Table {
        let mut table = Table::new(size);
        table.place_both();
        table
    }

    /// The small map after round 0.
    pub(crate) fn small() -> Table {
        Table::set(MapSize::Small)
    }

    pub(crate) fn place_both(&mut self) {
        self.round(place(USUAL), place(USUAL));
    }

    /// Plays a round with these answers of A and B.
    pub(crate) fn round(&mut self, a: Answer<Order>, b: Answer<Order>) -> &mut Table {
        let told = self.game.advance([(Seat::A, a), (Seat::B, b)].into_iter().collect());
        self.events = told.into_iter().map(|told| told.event).collect();
        self
    }

    /// Plays rounds in which both fire off the board, which is refused and free, and is not "nothing".
    pub(crate) fn wait(&mut self, rounds: u32) -> &mut Table {
        for _ in 0..rounds {
            self.round(pass(), pass());
        }
        self
    }

    /// Waits until `round` is the coming round.
    pub(crate) fn wait_for_round(&mut self, round: u32) -> &mut Table {
        self.wait(round - self.game.round())
    }

    /// Waits until both have the energy for `weapon`.
    pub(crate) fn wait_for(&mut self, weapon: Weapon) -> &mut Table {
        while self.a().energy.min(self.b().energy) < weapon.energy(self.game.size()) {
            self.wait(1);
        }
        self
    }

    /// A hits every cell of that ship of B's usual fleet, one each round.
    pub(crate) fn a_sinks(&mut self, ship: Ship) -> &mut Table {
        for point in cells_of(ship) {
            self.round(fire(point.x, point.y), pass());
        }
        self
    }

    /// B hits every cell of that ship of A's usual fleet, one each round.
    pub(crate) fn b_sinks(&mut self, ship: Ship) -> &mut Table {
        for point in cells_of(ship) {
            self.round(pass(), fire(point.x, point.y));
        }
        self
    }

    pub(crate) fn a(&self) -> &PlayerState {
        self.game.player(Seat::A)
    }

    pub(crate) fn b(&self) -> &PlayerState {
        self.game.player(Seat::B)
    }

    /// A cell of A's board.
    pub(crate) fn a_cell(&self, x: i32, y: i32) -> CellState {
        self.a().board.cell(Point::new(x, y)).unwrap()
    }

    /// A cell of B's board.
    pub(crate) fn b_cell(&self, x: i32, y: i32) -> CellState {
        self.b().board.cell(Point::new(x, y)).unwrap()
    }

    /// A cell of B's board as A knows it.
    pub(crate) fn seen_by_a(&self, x: i32, y: i32) -> OpponentCell {
        self.game.view(Seat::A).opponent.cell(self.game.size(), Point::new(x, y)).unwrap()
    }

    /// The points of B's board that were hit.
    pub(crate) fn hits_on_b(&self) -> Vec<(i32, i32)> {
        self.points_of_b(|cell| cell.hit)
    }

    /// The points of B's board that its shield covers.
    pub(crate) fn shielded_by_b(&self) -> Vec<(i32, i32)> {
        self.points_of_b(|cell| cell.shielded)
    }

    fn points_of_b(&self, wanted: fn(&CellState) -> bool) -> Vec<(i32, i32)> {
        let board = &self.b().board;
        let all = board.grid().points().zip(board.cells());
        all.filter(|(_, cell)| wanted(cell)).map(|(point, _)| (point.x, point.y)).collect()
    }

    /// The reason why the order of `seat` was refused in the last round, if it was.
    pub(crate) fn refusal(&self, seat: Seat) -> Option<Refusal> {
        self.events.iter().find_map(|event| match event {
            Event::Refused { seat: whose, why, .. } if *whose == seat => Some(*why),
            _ => None,
        })
    }

    pub(crate) fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    /// The outcome of the match.
    pub(crate) fn outcome(&self) -> Outcome {
        self.game.outcome().unwrap()
    }
}

/// Both fleets in the usual places, in the form of place.txt.
pub(crate) const USUAL: &str =
    "Submarine 0 0 north\nDestroyer 1 0 north\nBattleship 2 0 north\nCarrier 3 0 north\nCruiser 4 0 north";

/// The cells of a ship of the usual fleet.
pub(crate) fn cells_of(ship: Ship) -> impl Iterator<Item = Point> {
    let x = Ship::ALL.iter().position(|&other| other == ship).unwrap() as i32;
    (0..i32::from(ship.length())).map(move |y| Point::new(x, y))
}

/// True if every ship is on the board.
pub(crate) fn all_placed(board: &Board) -> bool {
    Ship::ALL.into_iter().all(|ship| board.ship(ship).placed)
}

/// A placement order with these lines.
pub(crate) fn place(lines: &str) -> Answer<Order> {
    let ships: Vec<ShipPlacement> = lines.lines().map(ship_placement).collect();
    Ok(Placement::new(ships.try_into().unwrap()).into())
}

fn ship_placement(line: &str) -> ShipPlacement {
    let words: Vec<&str> = line.split(' ').collect();
    ShipPlacement {
        ship: Ship::from_name(words[0]).unwrap(),
        start: Point::new(words[1].parse().unwrap(), words[2].parse().unwrap()),
        direction: Direction::from_name(words[3]).unwrap(),
    }
}

/// A single shot.
pub(crate) fn fire(x: i32, y: i32) -> Answer<Order> {
    shoot(Weapon::SingleShot, x, y)
}

/// A shot with any weapon.
pub(crate) fn shoot(weapon: Weapon, x: i32, y: i32) -> Answer<Order> {
    Ok(Order::Fire { weapon, centre: Point::new(x, y) })
}

pub(crate) fn shield(x: i32, y: i32) -> Answer<Order> {
    Ok(Order::Shield { centre: Point::new(x, y) })
}

/// The command to do nothing.
pub(crate) fn nothing() -> Answer<Order> {
    Ok(Order::DoNothing)
}

/// No answer at all.
pub(crate) fn silence() -> Answer<Order> {
    Err(Fault::NothingWritten)
}

/// A shot off the board: refused and free, but not "nothing".
pub(crate) fn pass() -> Answer<Order> {
    fire(-1, -1)
}
