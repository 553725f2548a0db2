//! Energy: what players get and what weapons cost.

use crate::table::{Table, fire, nothing, pass, shoot};
use rules::entelect_2017::{MapSize, Refusal, Ship, Weapon};
use rules::{Point, Seat};

/// Simplified rules 4, Game Engine Rules 2: energy by the size of the map, after each round of phase 2.
#[test]
fn each_round_of_phase_two_brings_two_three_or_four_energy() {
    for (size, gain) in [(MapSize::Small, 2), (MapSize::Medium, 3), (MapSize::Large, 4)] {
        let mut table = Table::set(size);
        assert_eq!(table.a().energy, gain, "players begin with one round's worth, and phase 1 brings none");
        table.round(nothing(), pass());
        assert_eq!((table.a().energy, table.b().energy), (2 * gain, 2 * gain));
    }
}

/// Simplified rules 5: the price of each weapon, in energy or in rounds' worth of it.
#[test]
fn every_weapon_has_its_price() {
    for (size, gain) in [(MapSize::Small, 2), (MapSize::Medium, 3), (MapSize::Large, 4)] {
        for (weapon, price) in [
            (Weapon::SingleShot, 1),
            (Weapon::DoubleShotVertical, 8 * gain),
            (Weapon::DoubleShotHorizontal, 8 * gain),
            (Weapon::CornerShot, 10 * gain),
            (Weapon::DiagonalCrossShot, 12 * gain),
            (Weapon::CrossShot, 14 * gain),
        ] {
            pays(size, weapon, price);
        }
    }
}

/// Release notes 1.2.0 (3): 12 rounds' worth, where the simplified rules 5 still say 10.
#[test]
fn a_seeker_missile_costs_twelve_rounds_of_energy() {
    for (size, price) in [(MapSize::Small, 24), (MapSize::Medium, 36), (MapSize::Large, 48)] {
        pays(size, Weapon::SeekerMissile, price);
    }
}

fn pays(size: MapSize, weapon: Weapon, price: u32) {
    let mut table = Table::set(size);
    table.wait_for(weapon);
    let before = table.a().energy;
    table.round(shoot(weapon, 5, 5), pass());
    assert_eq!(before + size.energy() - table.a().energy, price, "{weapon:?} on {size:?}");
}

/// Simplified rules 5: a weapon needs its full price.
#[test]
fn a_shot_that_the_energy_does_not_suffice_for_is_refused_and_free() {
    let mut table = Table::small();
    table.wait(6);
    assert_eq!(table.a().energy, 14);
    table.round(shoot(Weapon::DoubleShotVertical, 0, 1), pass());
    assert_eq!(table.refusal(Seat::A), Some(Refusal::InsufficientEnergy));
    assert_eq!((table.a().energy, table.a().shots_fired, table.hits_on_b()), (16, 0, vec![]));
    table.round(shoot(Weapon::DoubleShotVertical, 0, 1), pass());
    assert_eq!((table.a().energy, table.a().shots_fired), (2, 1));
}

/// Simplified rules 5: the special weapon goes down with its ship, the single shot does not.
#[test]
fn the_weapon_of_a_sunk_ship_is_refused_and_free() {
    for (ship, weapons) in [
        (Ship::Destroyer, &[Weapon::DoubleShotVertical, Weapon::DoubleShotHorizontal][..]),
        (Ship::Carrier, &[Weapon::CornerShot]),
        (Ship::Battleship, &[Weapon::DiagonalCrossShot]),
        (Ship::Cruiser, &[Weapon::CrossShot]),
        (Ship::Submarine, &[Weapon::SeekerMissile]),
    ] {
        for &weapon in weapons {
            let mut table = Table::small();
            table.wait_for(Weapon::CrossShot).b_sinks(ship);
            let before = table.a().energy;
            table.round(shoot(weapon, 3, 3), pass());
            assert_eq!(table.refusal(Seat::A), Some(Refusal::ShipDestroyed(weapon)));
            assert_eq!((table.a().energy, table.a().shots_fired), (before + 2, 0));
            table.round(fire(3, 3), pass());
            assert_eq!(table.refusal(Seat::A), None);
        }
    }
}

/// The original: that the ship is sunk is told before that the energy is missing.
#[test]
fn a_sunk_ship_is_a_reason_before_missing_energy() {
    let mut table = Table::small();
    table.b_sinks(Ship::Destroyer);
    assert!(table.a().energy < 16);
    table.round(shoot(Weapon::DoubleShotVertical, 9, 9), pass());
    assert_eq!(table.refusal(Seat::A), Some(Refusal::ShipDestroyed(Weapon::DoubleShotVertical)));
}

/// Version 1.0.4 (1) and the original: sinking counts from the end of the round on, so the weapon fires once more.
#[test]
fn a_ship_fires_once_more_in_the_round_in_which_it_is_sunk() {
    let mut table = Table::small();
    table.wait_for(Weapon::DoubleShotVertical);
    table.round(fire(1, 0), pass());
    table.round(fire(1, 1), shoot(Weapon::DoubleShotVertical, 0, 1));
    assert!(table.b().board.ship(Ship::Destroyer).destroyed);
    assert_eq!(table.b().shots_hit, 2);
}

/// The original: what is off the map is wasted, and paid for.
#[test]
fn an_area_shot_beside_the_map_costs_the_full_price() {
    let mut table = Table::small();
    table.wait_for(Weapon::CrossShot);
    let before = table.a().energy;
    table.round(shoot(Weapon::DoubleShotVertical, -1, 0), pass());
    assert_eq!(table.refusal(Seat::A), None);
    assert_eq!((table.a().energy, table.a().shots_fired, table.hits_on_b()), (before + 2 - 16, 1, vec![]));
    assert!(table.a().last_command.successful);
}

/// The original: centres may be any numbers, also those next to the end of what can be counted.
#[test]
fn an_area_shot_may_be_centred_at_the_end_of_the_world() {
    let mut table = Table::set(MapSize::Large);
    table.wait(60);
    for weapon in [Weapon::DoubleShotVertical, Weapon::CornerShot, Weapon::DiagonalCrossShot, Weapon::CrossShot] {
        for (x, y) in [(i32::MIN, i32::MIN), (i32::MAX, i32::MAX), (0, i32::MAX), (i32::MIN, 0)] {
            let mut table = table.clone();
            table.round(shoot(weapon, x, y), pass());
            assert_eq!((table.a().shots_fired, table.hits_on_b()), (1, vec![]));
            assert_eq!(table.a().last_command.centre, Point::new(x, y));
        }
    }
}
