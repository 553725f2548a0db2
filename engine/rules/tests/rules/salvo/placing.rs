//! Fleets, and what becomes of those who have none.

use super::{A, B, Match, c, usual_fleet};
use rules::salvo::{
    BOARD, Event, NoOrder, Order, Orientation, Placement, Refusal, Salvo, Settings, ShipKind, random_fleet,
};
use rules::{Fault, Game, Point, Seat, SetupError};
use std::time::Duration;

fn refusal(change: impl FnOnce(&mut Vec<Placement>)) -> Refusal {
    let mut fleet = usual_fleet();
    change(&mut fleet);
    let game = Match::new(2, 100).game;
    let order = Order::Place(fleet);
    let refusal = game.verdict(A, &order).unwrap_err();
    assert_eq!(game.check(A, &order).unwrap_err().0, refusal.to_string());
    refusal
}

#[test]
fn ships_may_touch_but_neither_overlap_nor_leave_the_board() {
    assert_eq!(Match::new(2, 100).game.check(B, &Order::Place(usual_fleet())), Ok(()));
    let overlap = refusal(|fleet| fleet[4].at = Point::new(2, 3));
    assert_eq!(
        overlap,
        Refusal::Overlap { ship: ShipKind::PatrolBoat, other: ShipKind::Submarine, at: Point::new(2, 3) }
    );
    for at in [(6, 9), (-1, 9), (9, 9), (i32::MAX, 0), (0, i32::MIN)] {
        let off = refusal(|fleet| fleet[0].at = Point::new(at.0, at.1));
        assert!(matches!(off, Refusal::ShipOffBoard { ship: ShipKind::Carrier, .. }), "{at:?}: {off}");
    }
    let down = refusal(|fleet| {
        fleet[1] = Placement { ship: ShipKind::Battleship, at: Point::new(9, 7), orientation: Orientation::Vertical };
    });
    assert_eq!(down.to_string(), "the battleship does not fit on the board from 9, 7 vertically");
}

#[test]
fn a_fleet_has_every_ship_once() {
    assert_eq!(refusal(|fleet| fleet.truncate(4)).to_string(), "the patrolboat is missing");
    let twice = refusal(|fleet| fleet[3] = Placement { at: Point::new(5, 9), ..fleet[2] });
    assert_eq!(twice.to_string(), "the destroyer is placed twice");
    assert_eq!(refusal(Vec::clear), Refusal::Missing { ship: ShipKind::Carrier });
}

#[test]
fn ships_may_be_named_in_any_order_and_it_makes_no_difference() {
    let overlapping = Placement { at: Point::new(0, 0), ..usual_fleet()[4] };
    for change in [usual_fleet()[4], overlapping] {
        let ends = [false, true].map(|backwards| {
            let mut fleet = usual_fleet();
            fleet[4] = change;
            if backwards {
                fleet.reverse();
            }
            Match::new(2, 100).place([Ok(Order::Place(fleet)), Ok(Order::Place(usual_fleet()))]).game.clone()
        });
        assert_eq!(ends[0], ends[1]);
    }
}

#[test]
fn all_place_at_the_same_time_before_the_first_shot() {
    let mut table = Match::new(3, 100);
    assert_eq!(table.game.awaited().len(), 3);
    let shot = Order::Fire { target: B, at: Point::new(0, 0) };
    assert_eq!(table.game.verdict(A, &shot), Err(Refusal::NotPlaced));
    table.place_all();
    let begun = [A, B, c()].map(|seat| Event::Placed { seat }).into_iter().chain([Event::Turn { seat: A, shots: 5 }]);
    assert_eq!(table.heard_by(c()), begun.collect::<Vec<_>>());
    assert_eq!(table.game.verdict(A, &Order::Place(usual_fleet())), Err(Refusal::TooLateToPlace));
}

#[test]
fn who_has_no_fleet_is_out_before_the_first_shot() {
    let second = Duration::from_secs(60);
    let mut table = Match::new(4, 100);
    let fleet = || Ok(Order::Place(usual_fleet()));
    let late = Fault::timed_out(second, second);
    table.place([fleet(), Err(late.clone()), Ok(Order::Place(Vec::new())), fleet()]);
    let removed = |seat, why| Event::Removed { seat, why };
    assert_eq!(table.events()[1], removed(B, NoOrder::Fault(late)));
    assert_eq!(table.events()[2], removed(c(), NoOrder::Refused(Refusal::Missing { ship: ShipKind::Carrier })));
    let d = Seat::new(3).unwrap();
    assert!(table.game.seats_in().iter().eq([A, d]));
    assert!(matches!(table.events()[4], Event::Turn { shots: 5, .. }));
    table.lapse_until(A);
    let at = Point::new(0, 0);
    assert_eq!(table.game.verdict(A, &Order::Fire { target: B, at }), Err(Refusal::TargetOut { target: B }));
    table.lapse();
    assert_eq!(table.shooter(), d, "those who are out have no salvo");
}

#[test]
fn who_alone_has_a_fleet_wins_without_a_shot() {
    let mut table = Match::new(3, 100);
    table.place([Err(Fault::NothingWritten), Ok(Order::Place(usual_fleet())), Err(Fault::GaveUp)]);
    assert_eq!((table.outcome().winner, table.outcome().turns), (Some(B), 1));
    assert_eq!(table.why(), "A wrote nothing and C gave up");
    assert_eq!(table.outcome().ranking, [B, A, c()]);
}

#[test]
fn if_nobody_has_a_fleet_nobody_wins() {
    let mut table = Match::new(2, 100);
    let long = Duration::from_millis(60_123);
    table.place([Err(Fault::timed_out(long, long)), Err(Fault::NothingWritten)]);
    assert_eq!(table.outcome().winner, None);
    assert_eq!(table.why(), "A took too long and B wrote nothing", "no measured time is in the words of the outcome");
}

#[test]
fn the_seed_says_who_begins_among_those_who_have_a_fleet() {
    let begins = |seed, failing: Option<Seat>| {
        let mut game = Salvo::start(&Settings::default(), 3, seed).unwrap();
        let answer = |seat| if Some(seat) == failing { Err(Fault::GaveUp) } else { Ok(Order::Place(usual_fleet())) };
        game.advance([A, B, c()].map(|seat| (seat, answer(seat))).into_iter().collect());
        game.salvo().unwrap().seat
    };
    let count = |failing, seat| (0..600).filter(|seed| begins(*seed, failing) == seat).count();
    assert!([A, B, c()].into_iter().all(|seat| (150..250).contains(&count(None, seat))));
    assert!([A, c()].into_iter().all(|seat| (250..350).contains(&count(Some(B), seat))));
    assert_eq!(begins(7, None), begins(7, None));
}

#[test]
fn two_to_sixteen_play() {
    for given in [0, 1, 17, 255] {
        let error = Salvo::start(&Settings::default(), given, 0).unwrap_err();
        assert!(matches!(error, SetupError::WrongSeats { .. }));
        assert_eq!(error.to_string(), format!("salvo is a game for two to sixteen, not {given} players"));
    }
    for seats in 2..=16 {
        assert_eq!(Salvo::start(&Settings::default(), seats, 0).unwrap().awaited().len(), usize::from(seats));
    }
}

#[test]
fn a_random_fleet_is_legal_and_within_the_board() {
    let fleet = random_fleet(&mut rules::random(3));
    assert!(fleet.iter().flat_map(|ship| ship.cells()).all(|cell| BOARD.contains(cell.unwrap())));
    assert_eq!(Match::new(2, 100).game.check(A, &Order::Place(fleet)), Ok(()));
}
