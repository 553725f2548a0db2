//! The Entelect Challenge 2017 among the games.

use super::{Suite, hold};
use crate::table::{USUAL, place};
use rand::RngExt;
use rules::entelect_2017::{
    Entelect2017, Event, MapSize, Order, Phase, Placement, Settings, Ship, ShipPlacement, Weapon,
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
    });
}

fn any_order(game: &Entelect2017, _: Seat, random: &mut Random) -> Order {
    let centre = any_point(game.size(), random);
    match (game.phase(), random.random_range(0..20)) {
        (_, 0) => Order::DoNothing,
        (Phase::One, 1..=14) | (Phase::Two, 1) => Order::Place(any_fleet(game.size(), random)),
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
