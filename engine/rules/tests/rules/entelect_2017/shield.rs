//! The shield.

use crate::table::{Table, fire, pass, shield, silence};
use rules::entelect_2017::{Event, MapSize, OpponentCell, Refusal, Shield};
use rules::{Audience, Game, Point, Seat};

/// A small map before round 8, in which both shields have their first charge.
fn charged() -> Table {
    let mut table = Table::small();
    table.wait_for_round(8);
    table
}

fn state(shield: &Shield) -> (bool, u32, u32) {
    (shield.active, shield.charges, shield.radius)
}

/// Shield Rules 1.
#[test]
fn a_shield_begins_without_charge_and_radius() {
    for size in MapSize::ALL {
        assert_eq!(state(&Table::new(size).a().shield), (false, 0, 0));
    }
}

/// Shield Rules 2: it can be used in phase 2 only.
#[test]
fn a_shield_cannot_be_raised_in_phase_one() {
    let mut table = Table::new(MapSize::Small);
    table.round(shield(3, 3), silence());
    assert_eq!(table.refusal(Seat::A), Some(Refusal::NotPlaced));
    assert!(!table.a().shield.active);
}

/// Shield Rules 3.
#[test]
fn a_shield_gains_a_charge_after_seven_rounds_without_use() {
    for size in MapSize::ALL {
        let mut table = Table::set(size);
        table.wait_for_round(7);
        assert_eq!(table.b().shield.charges, 0);
        table.wait(1);
        assert_eq!(table.b().shield.charges, 1);
        table.wait(6);
        assert_eq!(table.b().shield.charges, 1);
        table.wait(1);
        assert_eq!(table.b().shield.charges, 2);
    }
}

/// The original: the seven rounds are counted from round 0, so a long phase 1 delays the first charge to round 14.
#[test]
fn a_first_phase_longer_than_seven_rounds_delays_the_first_charge() {
    let mut table = Table::new(MapSize::Small);
    for _ in 0..4 {
        table.round(silence(), pass()).round(crate::table::place(crate::table::USUAL), silence());
    }
    table.place_both();
    assert_eq!(table.game.round(), 9);
    table.wait_for_round(14);
    assert_eq!(table.a().shield.charges, 0);
    table.wait(1);
    assert_eq!(table.a().shield.charges, 1);
}

/// Shield Rules 4 and 6: each charge adds one to the radius, up to 1, 2 or 3.
#[test]
fn each_charge_adds_to_the_radius_up_to_the_maximum() {
    for (size, radii) in
        [(MapSize::Small, [1, 1, 1, 1]), (MapSize::Medium, [1, 2, 2, 2]), (MapSize::Large, [1, 2, 3, 3])]
    {
        let mut table = Table::set(size);
        for (nth, radius) in (1..).zip(radii) {
            table.wait_for_round(7 * nth + 1);
            assert_eq!(state(&table.a().shield), (false, nth, radius));
        }
    }
}

/// The original: the radius has a limit, the charges have none.
#[test]
fn charges_have_no_limit() {
    let mut table = Table::small();
    table.wait_for_round(50);
    assert_eq!(state(&table.a().shield), (false, 7, 1));
}

/// Shield Rules 5 and 6: squares of 3 x 3, 5 x 5 and 7 x 7 cells.
#[test]
fn a_shield_covers_a_square_of_cells() {
    for (size, side) in [(MapSize::Small, 3), (MapSize::Medium, 5), (MapSize::Large, 7)] {
        let mut table = Table::set(size);
        table.wait_for_round(22).round(pass(), shield(3, 3));
        let reach = side / 2;
        let square = (3 - reach..=3 + reach).flat_map(|x| (3 - reach..=3 + reach).map(move |y| (x, y)));
        assert_eq!(table.shielded_by_b(), square.collect::<Vec<_>>());
        assert_eq!(table.shielded_by_b().len(), side as usize * side as usize);
    }
}

/// Shield Rules 7.
#[test]
fn a_shield_keeps_shots_from_the_cells_beneath_it() {
    let mut table = charged();
    table.round(fire(1, 1), shield(1, 1));
    let cell = table.b_cell(1, 1);
    assert!(cell.occupied && cell.shielded && cell.shield_hit && !cell.hit);
    assert_eq!((table.a().shots_fired, table.a().shots_hit, table.a().points), (1, 0, 0));
}

/// Shield Rules 7, and the original for cells that were hit before.
#[test]
fn a_shield_hides_the_hit_beneath_it() {
    let mut table = charged();
    table.round(fire(1, 1), pass()).round(fire(1, 1), shield(1, 1));
    let seen = table.seen_by_a(1, 1);
    assert_eq!(seen, OpponentCell { damaged: true, missed: false, shield_hit: true });
    assert_eq!((table.a().shots_fired, table.a().shots_hit), (2, 1));
}

/// Shield Rules 8: a shielded cell says so only when it was hit.
#[test]
fn a_shield_is_not_seen_by_the_other_player_until_it_is_hit() {
    let mut table = charged();
    let before = table.game.view(Seat::A).opponent;
    table.round(pass(), shield(1, 1));
    assert_eq!(table.game.view(Seat::A).opponent, before);
    let mut table = charged();
    table.round(fire(1, 1), shield(1, 1));
    assert_eq!(table.seen_by_a(1, 1), OpponentCell { shield_hit: true, ..Default::default() });
    assert_eq!(table.seen_by_a(1, 2), OpponentCell::default());
}

/// Shield Rules 8: nor is its raising, charging and going told to the other player.
#[test]
fn what_a_shield_does_is_told_to_its_owner_alone() {
    let mut game = Table::set(MapSize::Small).game;
    let mut told = Vec::new();
    while game.round() < 12 {
        let answer = if game.round() == 8 { shield(1, 1) } else { pass() };
        told.extend(game.advance([(Seat::A, pass()), (Seat::B, answer)].into_iter().collect()));
    }
    let of_b: Vec<Audience> = told
        .iter()
        .filter(|told| {
            matches!(
                told.event,
                Event::ShieldRaised { seat: Seat::B, .. }
                    | Event::ShieldExpired { seat: Seat::B, was_hit: false }
                    | Event::ShieldCharged { seat: Seat::B, .. }
            )
        })
        .map(|told| told.to)
        .collect();
    assert_eq!(of_b.len(), 3);
    assert!(of_b.iter().all(|to| to.includes(Seat::B) && !to.includes(Seat::A)));
}

/// Shield Rules 9.
#[test]
fn a_second_shield_is_refused_while_one_is_up() {
    let mut table = Table::small();
    table.wait_for_round(15).round(pass(), shield(1, 1)).round(pass(), shield(5, 5));
    assert_eq!(table.refusal(Seat::B), Some(Refusal::ShieldActive));
    assert_eq!(table.b().shield.centre, Point::new(1, 1));
    assert!(table.b_cell(1, 1).shielded && !table.b_cell(5, 5).shielded);
}

/// Shield Rules 10: seven rounds without use are counted from the round in which it went down.
#[test]
fn a_shield_gains_no_charge_while_it_is_up() {
    let mut table = Table::small();
    table.wait_for_round(20).round(pass(), shield(1, 1));
    assert_eq!(state(&table.b().shield), (true, 2, 1));
    table.wait(1);
    assert_eq!(state(&table.b().shield), (true, 1, 1), "round 21 would have brought a charge");
    table.wait(1);
    assert_eq!(state(&table.b().shield), (false, 0, 0));
    table.wait_for_round(29);
    assert_eq!(state(&table.b().shield), (false, 0, 0));
    table.wait(1);
    assert_eq!(state(&table.b().shield), (false, 1, 1), "it went down in round 22, seven rounds before 29");
}

/// Shield Rules 11, Player Rules 4, release notes 1.2.2: c charges protect c rounds, the first being the own.
#[test]
fn a_shield_protects_as_many_rounds_as_it_has_charges() {
    for charges in 1..4 {
        let mut table = Table::set(MapSize::Medium);
        table.wait_for_round(7 * charges + 1).round(fire(1, 1), shield(1, 1));
        for _ in 1..charges {
            table.round(fire(1, 1), pass());
            assert!(!table.b_cell(1, 1).hit);
        }
        table.round(fire(1, 1), pass());
        assert!(table.b_cell(1, 1).hit);
    }
}

/// The original: a shield that is up keeps the number of the round in which it was raised, and when it goes gets that one.
#[test]
fn the_round_of_last_use_changes_when_a_shield_is_raised_and_when_it_goes() {
    let mut table = Table::small();
    table.wait_for_round(22).round(pass(), shield(1, 1));
    let rounds = [0; 4].map(|_| {
        let round = table.b().shield.round_last_used;
        table.wait(1);
        round
    });
    assert_eq!(rounds, [22, 22, 22, 25]);
}

/// Shield Rules 12.
#[test]
fn a_shield_without_charge_is_refused() {
    let mut table = Table::small();
    table.round(pass(), shield(1, 1));
    assert_eq!(table.refusal(Seat::B), Some(Refusal::ShieldUncharged));
    assert!(!table.b().shield.active);
}

/// Shield Placement 1: around the centre that the command names.
#[test]
fn a_shield_is_placed_around_its_centre() {
    let mut table = charged();
    table.round(pass(), shield(5, 2));
    assert_eq!(table.b().shield.centre, Point::new(5, 2));
    assert!(table.b_cell(4, 1).shielded && table.b_cell(6, 3).shielded && !table.b_cell(3, 2).shielded);
}

/// The original: the centre may lie anywhere; what is off the map is left out, and the charge is used all the same.
#[test]
fn a_shield_may_be_centred_off_the_map() {
    for (centre, covered) in [((7, 7), vec![(6, 6)]), ((100, 100), vec![]), ((i32::MIN, i32::MAX), vec![])] {
        let mut table = charged();
        table.round(pass(), shield(centre.0, centre.1));
        assert_eq!(state(&table.b().shield), (true, 1, 1));
        assert_eq!(table.shielded_by_b(), covered);
    }
}

/// The original: a shield costs no energy.
#[test]
fn a_shield_costs_no_energy() {
    let mut table = charged();
    let before = table.b().energy;
    table.round(pass(), shield(1, 1));
    assert_eq!(table.b().energy, before + 2);
}

/// Shield Placement 2: while it is up, both players see where it was hit.
#[test]
fn both_players_see_where_a_shield_was_hit() {
    let mut table = charged();
    table.round(fire(1, 1), shield(1, 1));
    assert!(table.b_cell(1, 1).shield_hit && table.seen_by_a(1, 1).shield_hit);
}

/// Shield Placement 3: when it is gone, nothing tells where it was hit.
#[test]
fn a_shield_that_goes_takes_its_marks_with_it() {
    let mut table = charged();
    table.round(fire(1, 1), shield(1, 1)).wait(1);
    assert_eq!(table.seen_by_a(1, 1), OpponentCell::default());
    assert!(table.b().board.cells().all(|cell| !cell.shielded && !cell.shield_hit));
    assert_eq!(table.b().shield.centre, Point::new(1, 1), "the original keeps the centre");
}

/// Version 1.2.1 (1) and the original: a shield goes before a shot of the same round, whoever raised it.
#[test]
fn a_shield_goes_before_a_shot_of_the_same_round() {
    let mut table = charged();
    assert!(!table.clone().round(fire(1, 1), shield(1, 1)).b_cell(1, 1).hit);
    assert!(!table.round(shield(1, 1), fire(1, 1)).a_cell(1, 1).hit);
}

/// Version 1.2.1 (1): two shields in one round are both raised.
#[test]
fn both_players_may_raise_their_shields_in_one_round() {
    let mut table = charged();
    table.round(shield(1, 1), shield(2, 2));
    assert!(table.a().shield.active && table.b().shield.active);
}
