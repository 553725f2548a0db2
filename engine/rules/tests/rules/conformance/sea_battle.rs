//! Sea Battle among the games.

use super::{Listener, Suite, hold};
use rand::RngExt;
use rules::sea_battle::{Event, MoveLimit, Order, Profile, SeaBattle, Settings, Ship, ShipKind, View, random_fleet};
use rules::{Answer, Fault, Listed, Point, Random, Seat};

#[test]
fn sea_battle_is_a_game() {
    let limits = [1, 2, 107, 300].map(Settings::moves);
    let together = Settings { max_moves: MoveLimit::Together(107), profile: Profile::Text };
    hold(&Suite::<SeaBattle> {
        settings: limits.into_iter().chain([together, Settings::of(Profile::PublicServer)]).collect(),
        seats: &[2],
        most_turns: 601,
        any_order,
        harmless,
        is_refusal: |event: &Event, seat| SeaBattle::refused(event) == Some(seat),
        depends_on_secrets: |_| false,
        is_announced: |_| false,
        listener: |_, seat, _| Box::new(Heard { seat, view: View::default() }),
    });
}

struct Heard {
    seat: Seat,
    view: View,
}

impl Listener<SeaBattle> for Heard {
    fn turn(&mut self, _: Option<&Order>, heard: &[Event]) {
        self.view.turn += 1;
        for event in heard {
            match event {
                Event::Fired { seat, shot } if *seat == self.seat => self.view.own_shots.push(*shot),
                Event::Fired { shot, .. } => self.view.opponent_shots.push(*shot),
                Event::UsedRadar { seat } => self.view.radar_used |= *seat == self.seat,
                Event::Scanned { scan, .. } => self.view.scans.push(scan.clone()),
                Event::Placed { .. } | Event::Lost { .. } => {}
            }
        }
    }

    fn compare(&self, view: &View) {
        assert_eq!(&self.view, view);
    }
}

/// Nearly always allowed, for any other order is the end.
fn any_order(game: &SeaBattle, _: Seat, random: &mut Random) -> Order {
    match (game.is_placing(), random.random_range(0..150)) {
        (_, 0) | (true, 1..130) => Order::Place(random_fleet(random)),
        (true, _) => Order::Place(spoilt_fleet(random)),
        (_, 1) => Order::Shoot(Point::new(i32::MAX, i32::MIN)),
        (_, 2) => Order::Radar(Point::new(random.random_range(-1..11), i32::MAX)),
        (_, 3..5) => Order::Radar(any_cell(random)),
        _ => Order::Shoot(any_cell(random)),
    }
}

fn any_cell(random: &mut Random) -> Point {
    Point::new(random.random_range(0..10), random.random_range(0..10))
}

/// A fleet in which one ship may be too long, of the wrong kind, elsewhere or gone.
fn spoilt_fleet(random: &mut Random) -> Vec<Ship> {
    let mut fleet = random_fleet(random);
    let nth = random.random_range(0..fleet.len());
    match random.random_range(0..5) {
        0 => fleet[nth].cells.push(any_cell(random)),
        1 => fleet[nth].kind = ShipKind::ALL[random.random_range(0..6)],
        2 => fleet[nth].cells[0] = Point::new(i32::MIN, i32::MAX),
        3 => fleet[nth].cells.clear(),
        _ => fleet.truncate(nth),
    }
    fleet
}

fn harmless(game: &SeaBattle, seat: Seat) -> Answer<Order> {
    if game.is_placing() {
        Ok(Order::Place(random_fleet(&mut rules::random(seat.index() as u64))))
    } else {
        Err(Fault::NothingWritten)
    }
}
