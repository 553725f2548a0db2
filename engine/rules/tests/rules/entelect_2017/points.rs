//! Points.

use crate::table::{Table, USUAL, fire, pass, place, shoot};
use rules::Seat;
use rules::entelect_2017::{Event, MapSize, Ship, Weapon};

/// Points 1, simplified rules 7.
#[test]
fn a_hit_earns_ten_points() {
    let mut table = Table::small();
    table.round(fire(3, 0), fire(6, 6));
    assert_eq!((table.a().points, table.b().points), (10, 0));
}

/// Points 2, simplified rules 7.
#[test]
fn destroying_a_ship_earns_thirty_more() {
    for ship in Ship::ALL {
        let mut table = Table::small();
        table.a_sinks(ship);
        assert_eq!(table.a().points, 10 * u32::from(ship.length()) + 30, "{ship:?}");
    }
}

/// Points 3.
#[test]
fn killing_the_opponent_earns_a_hundred_more() {
    for size in MapSize::ALL {
        let mut table = Table::set(size);
        for ship in Ship::ALL {
            assert!(!table.is_over());
            table.a_sinks(ship);
        }
        assert!(table.is_over());
        assert_eq!((table.a().points, table.b().points), (17 * 10 + 5 * 30 + 100, 0));
    }
}

/// Points 2: one shot may destroy more than one ship.
#[test]
fn one_shot_may_earn_for_two_ships() {
    let mut table = Table::small();
    table.round(fire(0, 0), pass()).round(fire(0, 1), pass()).round(fire(2, 0), pass());
    table.round(fire(2, 1), pass()).round(fire(2, 3), pass());
    table.wait_for(Weapon::DoubleShotHorizontal);
    table.round(shoot(Weapon::DoubleShotHorizontal, 1, 2), pass());
    assert_eq!(table.a().points, 7 * 10 + 2 * 30);
    let sunk = table.events.iter().filter(|event| matches!(event, Event::Sunk { seat: Seat::B, .. }));
    assert_eq!(sunk.count(), 2);
}

/// Against points 2: the original gives no 30 points for a ship that a seeker missile finishes, and so do we.
#[test]
fn a_ship_sunk_by_a_seeker_missile_earns_no_thirty() {
    let mut table = Table::small();
    table.round(fire(1, 0), pass());
    table.wait_for(Weapon::SeekerMissile).round(shoot(Weapon::SeekerMissile, 1, 1), pass());
    assert!(table.b().board.ship(Ship::Destroyer).destroyed);
    assert_eq!(table.a().points, 20);
}

/// Against points 2, with points 3: the last ship, sunk by a seeker missile, earns 10 and 100.
#[test]
fn killing_with_a_seeker_missile_earns_the_hundred() {
    let mut table = Table::set(MapSize::Medium);
    for ship in [Ship::Submarine, Ship::Battleship, Ship::Carrier, Ship::Cruiser] {
        table.a_sinks(ship);
    }
    table.round(fire(1, 0), pass()).wait_for(Weapon::SeekerMissile);
    assert_eq!(table.a().points, 280);
    table.round(shoot(Weapon::SeekerMissile, 1, 1), pass());
    assert_eq!(table.a().points, 390);
}

/// Points 3, and the original: when both die in one round, both earn the hundred.
#[test]
fn both_earn_for_the_kill_when_both_die() {
    let mut table = Table::small();
    for ship in Ship::ALL {
        for point in crate::table::cells_of(ship) {
            table.round(fire(point.x, point.y), fire(point.x, point.y));
        }
    }
    assert!(table.a().killed && table.b().killed);
    assert_eq!((table.a().points, table.b().points), (420, 420));
}

/// The original earns more than 420 points against a fleet that was placed again in phase 2; here that cannot be.
#[test]
fn a_fleet_cannot_be_placed_again_to_be_shot_again() {
    let mut table = Table::small();
    table.a_sinks(Ship::Destroyer).round(pass(), place(USUAL)).a_sinks(Ship::Destroyer);
    assert_eq!(table.a().points, 50);
}

/// The original: the round of the first hit decides ties later, a hit on a shield is none.
#[test]
fn the_first_landed_shot_is_remembered() {
    let mut table = Table::small();
    table.round(fire(6, 6), pass());
    assert_eq!(table.a().first_shot_landed, None);
    table.wait_for_round(8).round(fire(0, 0), crate::table::shield(0, 0));
    assert_eq!(table.a().first_shot_landed, None);
    table.round(fire(0, 0), pass()).round(fire(0, 1), pass());
    assert_eq!(table.a().first_shot_landed, Some(9));
}
