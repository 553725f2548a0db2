//! The Entelect Challenge 2017 among the games.

use super::{Listener, Suite, hold};
use crate::table::{USUAL, place};
use rand::RngExt;
use rules::entelect_2017::{
    Entelect2017, Event, Impact, ImpactResult, MapSize, OpponentCell, OpponentView, Order, POINTS_HIT, POINTS_KILL,
    POINTS_SINK, Phase, Placement, Settings, Ship, ShipPlacement, View, Weapon,
};
use rules::{Answer, Fault, Point, Random, Seat};

#[test]
fn entelect_2017_is_a_game() {
    hold(&Suite::<Entelect2017> {
        settings: MapSize::ALL.map(|size| Settings { size }).to_vec(),
        seats: &[2],
        most_turns: 203,
        any_order,
        harmless,
        is_refusal: |event, seat| matches!(event, Event::Refused { seat: whose, .. } if *whose == seat),
        depends_on_secrets: |order| matches!(order, Order::Fire { weapon: Weapon::SeekerMissile, .. }),
        // Screens show both players what was fired where; on its map the target sees only the cells that it struck.
        is_announced: |event| matches!(event, Event::Fired { .. }),
        listener: |settings, seat, _| Box::new(Heard::new(settings.size, seat)),
    });
}

/// The knowledge of a seat from events: of its opponent, and of the deeds of others on its own side.
struct Heard {
    seat: Seat,
    size: MapSize,
    phase: Phase,
    round: u32,
    opponent: OpponentView,
    hit: Vec<bool>,
    points: u32,
    charges: u32,
    shield_is_up: bool,
}

impl Heard {
    fn new(size: MapSize, seat: Seat) -> Heard {
        let count = size.grid().len();
        let cells = vec![OpponentCell::default(); count];
        let opponent = OpponentView { cells, destroyed: [false; 5], alive: true, points: 0 };
        let (phase, hit) = (Phase::One, vec![false; count]);
        Heard { seat, size, phase, round: 0, opponent, hit, points: 0, charges: 0, shield_is_up: false }
    }

    fn struck(&mut self, by: Seat, weapon: Weapon, impact: &Impact) {
        let index = self.size.grid().index(impact.point).unwrap();
        if by == self.seat {
            let cell = &mut self.opponent.cells[index];
            match impact.result {
                ImpactResult::Hit { .. } => cell.damaged = true,
                ImpactResult::Miss => cell.missed = true,
                ImpactResult::Shielded => cell.shield_hit = true,
                ImpactResult::Again => {}
            }
        } else {
            self.hit[index] |= impact.result != ImpactResult::Shielded;
        }
        if let ImpactResult::Hit { completes } = impact.result {
            let sinks = completes && weapon != Weapon::SeekerMissile;
            *self.points_of(by) += POINTS_HIT + if sinks { POINTS_SINK } else { 0 };
        }
    }

    fn points_of(&mut self, seat: Seat) -> &mut u32 {
        if seat == self.seat { &mut self.points } else { &mut self.opponent.points }
    }
}

impl Listener<Entelect2017> for Heard {
    fn turn(&mut self, _: Option<&Order>, heard: &[Event]) {
        self.round += 1;
        let lasts = self.shield_is_up;
        for event in heard {
            match event {
                Event::PhaseTwoBegins => self.phase = Phase::Two,
                Event::Fired { seat, weapon, impacts, .. } => {
                    impacts.iter().for_each(|impact| self.struck(*seat, *weapon, &impact));
                }
                Event::Sunk { seat, ship } if *seat != self.seat => self.opponent.destroyed[ship.index()] = true,
                Event::ShieldRaised { charges, .. } => (self.shield_is_up, self.charges) = (true, *charges),
                Event::ShieldCharged { charges, .. } => self.charges = *charges,
                Event::ShieldExpired { seat, .. } if *seat == self.seat => {
                    (self.shield_is_up, self.charges) = (false, 1);
                }
                Event::ShieldExpired { .. } => self.opponent.cells.iter_mut().for_each(|cell| cell.shield_hit = false),
                Event::Killed { seat } => *self.points_of(seat.opponent()) += POINTS_KILL,
                _ => {}
            }
        }
        // A round with the shield up costs a charge.
        self.charges -= u32::from(lasts);
    }

    fn compare(&self, view: &View) {
        assert_eq!((self.seat, self.size, self.phase, self.round), (view.seat, view.size, view.phase, view.round));
        assert_eq!(self.opponent, view.opponent);
        assert!(view.own.board.cells().map(|cell| cell.hit).eq(self.hit.iter().copied()));
        let shield = &view.own.shield;
        assert_eq!((self.points, self.shield_is_up), (view.own.points, shield.active));
        assert_eq!(self.charges, shield.charges);
    }
}

fn any_order(game: &Entelect2017, _: Seat, random: &mut Random) -> Order {
    let centre = any_point(game.size(), random);
    match (game.phase(), random.random_range(0..20)) {
        (_, 0) => Order::DoNothing,
        (Phase::One, 1..=14) | (Phase::Two, 1) => any_fleet(game.size(), random).into(),
        (_, 15 | 16) => Order::Shield { centre },
        (_, 17..) => Order::Fire { weapon: Weapon::ALL[random.random_range(0..Weapon::ALL.len())], centre },
        _ => Order::Fire { weapon: Weapon::SingleShot, centre },
    }
}

fn any_point(size: MapSize, random: &mut Random) -> Point {
    let side = i32::from(size.side());
    match random.random_range(0..12) {
        0 => Point::new(i32::MAX, i32::MIN),
        1 | 2 => Point::new(random.random_range(-3..side + 3), random.random_range(-3..side + 3)),
        _ => Point::new(random.random_range(0..side), random.random_range(0..side)),
    }
}

/// A random fleet; every fourth has a ship that starts somewhere else.
fn any_fleet(size: MapSize, random: &mut Random) -> Placement {
    let places = rules::random_fleet(size.grid(), &Ship::ALL.map(Ship::length), random).unwrap();
    let mut nth = 0;
    let mut ships = Ship::ALL.map(|ship| {
        let (start, direction) = places[nth];
        nth += 1;
        ShipPlacement { ship, start, direction }
    });
    if random.random_range(0..4) == 0 {
        ships[random.random_range(0..5)].start = any_point(size, random);
    }
    Placement::new(ships)
}

fn harmless(game: &Entelect2017, _: Seat) -> Answer<Order> {
    match game.phase() {
        Phase::One => place(USUAL),
        Phase::Two => Err(Fault::NothingWritten),
    }
}
