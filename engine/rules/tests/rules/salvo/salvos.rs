//! Salvos: who fires, how often, and what everyone is told.

use super::{A, B, Match, c, cells_of};
use rules::salvo::{Event, Order, Refusal, ShipKind, ShotResult};
use rules::{Game, Mover, Point, Seat};

#[test]
fn a_salvo_has_as_many_shots_as_the_shooter_has_ships_afloat() {
    let mut table = Match::set(2);
    table.sink(A, B, &[ShipKind::PatrolBoat]);
    table.lapse_until(B);
    assert_eq!(table.game.salvo(), Some(Mover { seat: B, shots: 4, left: 4 }));
    table.fire(A, 9, 9);
    assert_eq!(table.game.salvo(), Some(Mover { seat: B, shots: 4, left: 3 }));
    table.fire_all(A, [(9, 8), (9, 7), (9, 6)]);
    assert_eq!(table.game.salvo(), Some(Mover { seat: A, shots: 5, left: 5 }));
}

#[test]
fn every_shot_of_a_salvo_has_a_target_of_its_own() {
    let mut table = Match::set(3);
    table.fire(B, 0, 0).fire(c(), 0, 0).fire(B, 9, 9).fire(c(), 1, 0).fire(B, 1, 0);
    let over = Event::SalvoOver { seat: A, shots: 5, hits: 4 };
    assert!(table.events().contains(&over) && table.shooter() == B);
    assert_eq!([A, B, c()].map(|seat| table.game.player(seat).whole_parts()), [17, 15, 15]);
}

#[test]
fn players_fire_in_the_order_of_their_seats_and_the_defeated_are_skipped() {
    let mut table = Match::set(3);
    let order: Vec<Seat> = (0..6).map(|_| table.lapse().shooter()).collect();
    assert_eq!(order, [B, c(), A, B, c(), A]);
    table.sink(A, B, &ShipKind::ALL);
    assert!(table.events().contains(&Event::Defeated { seat: B }));
    assert!(!table.game.player(B).is_in());
    table.lapse_until(c()).lapse();
    assert_eq!(table.shooter(), A);
    let order = Order::Fire { target: B, at: Point::new(9, 9) };
    assert_eq!(table.game.verdict(A, &order).unwrap_err().to_string(), "the target is out of the game already");
}

#[test]
fn only_the_target_learns_where_and_what_a_shot_hit() {
    let mut table = Match::set(3);
    table.fire(B, 0, 0);
    let at = Point::new(0, 0);
    assert_eq!(table.heard_by(A), [Event::Fired { seat: A, target: B, at }]);
    assert_eq!(table.heard_by(B), [Event::Incoming { seat: A, target: B, at, found: ShotResult::Hit }]);
    assert_eq!(table.heard_by(c()), []);
}

#[test]
fn the_total_of_a_salvo_and_every_sinking_are_for_everyone() {
    let mut table = Match::set(3);
    table.fire_all(B, cells_of(ShipKind::PatrolBoat));
    let sunk = Event::Sunk { seat: A, target: B, ship: ShipKind::PatrolBoat };
    assert_eq!(table.heard_by(c()), [sunk]);
    table.fire(B, 9, 9).fire(c(), 9, 9).fire(c(), 0, 0);
    let turn = Event::Turn { seat: B, shots: 4 };
    assert_eq!(table.heard_by(B), [Event::SalvoOver { seat: A, shots: 5, hits: 3 }, turn.clone()]);
    assert_eq!(table.heard_by(A).last(), Some(&turn), "the next player is told to everyone");
}

#[test]
fn a_cell_may_be_hit_again_which_costs_a_shot_and_does_nothing() {
    let mut table = Match::set(2);
    table.fire_all(B, [(0, 4), (0, 4)]);
    assert_eq!(table.found(), ShotResult::Again);
    assert_eq!(table.game.player(B).whole_parts(), 16, "one place hit twice does not sink a ship of two");
    table.fire(B, 1, 4);
    assert_eq!(table.found(), ShotResult::Sunk(ShipKind::PatrolBoat));
    table.fire(B, 1, 4);
    assert_eq!(table.found(), ShotResult::Again, "neither is a part of a sunk ship hit again");
    table.fire(B, 9, 9);
    assert!(table.events().contains(&Event::SalvoOver { seat: A, shots: 5, hits: 2 }), "only damage counts as a hit");
    assert_eq!((table.game.player(A).stats.shots, table.game.player(A).stats.hits), (5, 2));
}

#[test]
fn water_may_be_shot_again() {
    let mut table = Match::set(2);
    table.fire_all(B, [(9, 9), (9, 9)]);
    assert_eq!(table.found(), ShotResult::Water);
}

#[test]
fn a_shot_that_is_not_allowed_lapses() {
    let d = Seat::new(3).unwrap();
    for (target, x, y, refusal, why) in [
        (A, 0, 0, Refusal::OwnBoard, "nobody may fire at its own board"),
        (d, 0, 0, Refusal::NoSuchPlayer { target: d }, "there is no such player"),
        (B, 10, 0, Refusal::OffBoard { at: Point::new(10, 0) }, "10, 0 is off the board"),
        (B, -1, i32::MIN, Refusal::OffBoard { at: Point::new(-1, i32::MIN) }, "-1, -2147483648 is off the board"),
    ] {
        let mut table = Match::set(3);
        assert_eq!(table.game.check(A, &Order::Fire { target, at: Point::new(x, y) }).unwrap_err().0, why);
        table.fire(target, x, y);
        let lapsed = Event::Lapsed { seat: A, shots: 1, why: rules::salvo::NoOrder::Refused(refusal) };
        assert_eq!(table.heard_by(c()), [lapsed]);
        assert_eq!(table.game.salvo().unwrap().left, 4, "the other shots do not");
        table.fire_all(B, [(0, 0), (9, 9), (9, 9), (9, 9)]);
        assert!(table.events().contains(&Event::SalvoOver { seat: A, shots: 4, hits: 1 }));
    }
}

#[test]
fn nobody_fires_off_turn() {
    let table = Match::set(3);
    let order = Order::Fire { target: A, at: Point::new(0, 0) };
    assert_eq!(table.game.check(B, &order).unwrap_err().0, "it is not this player's turn");
}

#[test]
fn what_everyone_did_is_counted() {
    let mut table = Match::set(2);
    table.fire_all(B, [(0, 4), (1, 4), (0, 0), (9, 9), (1, 4)]).lapse();
    let stats = table.game.stats();
    assert_eq!((stats[A].shots, stats[A].hits, stats[A].sinkings, stats[A].turns), (5, 3, 1, 1));
    assert_eq!(stats[A].accuracy(), 0.6);
    assert_eq!((stats[B].shots, stats[B].turns), (0, 1), "a salvo that lapsed is a turn");
}
