//! Turn 0: the fleets.

use super::{Match, cells, example_fleet};
use rules::sea_battle::{Event, Loss, Order, Refusal, Ship, ShipKind};
use rules::{Ending, Fault, Game, Point, Seat, Seats};

/// The reason why a fleet is refused that is the example but for a change.
fn refused(change: impl Fn(&mut Vec<Ship>)) -> String {
    let mut fleet = example_fleet();
    change(&mut fleet);
    let mut table = Match::new(120);
    let order = Order::Place(fleet);
    let illegal = table.game.check(Seat::B, &order).unwrap_err();
    table.place(Ok(Order::Place(example_fleet())), Ok(order));
    let outcome = table.outcome();
    assert_eq!(outcome.winner, Some(Seat::A), "an illegal placement loses");
    assert_eq!(outcome.ending, Ending::KilledOff { seats: vec![(Seat::B, format!("broke the rules: {illegal}"))] });
    illegal.0
}

#[test]
fn the_example_of_the_text_is_a_fleet() {
    let mut table = Match::new(120);
    assert_eq!(table.game.awaited(), Seats::first(2), "both place at the same time");
    table.place(Ok(Order::Place(example_fleet())), Ok(Order::Place(example_fleet())));
    assert_eq!(table.events, [Event::Placed { seat: Seat::A }, Event::Placed { seat: Seat::B }]);
    assert_eq!(table.game.outcome(), None);
}

#[test]
fn ships_and_cells_may_be_named_in_any_order() {
    let mut fleet = example_fleet();
    fleet.reverse();
    fleet.iter_mut().for_each(|ship| ship.cells.reverse());
    fleet[8].cells.swap(0, 1);
    assert_eq!(Match::new(120).game.check(Seat::A, &Order::Place(fleet)), Ok(()));
}

#[test]
fn a_fleet_has_just_the_ships_of_the_table() {
    assert_eq!(refused(|fleet| fleet.truncate(9)), "a fleet has 4 of the kind oneship, not 3");
    assert_eq!(refused(Vec::clear), "a fleet has 1 of the kind fourdeck, not 0");
    assert_eq!(refused(|fleet| fleet.push(fleet[3].clone())), "a fleet has 1 of the kind submarine, not 2");
    assert_eq!(
        refused(|fleet| fleet[1].kind = ShipKind::Threeship),
        "a fleet has 1 of the kind battleship, not 0",
        "one of the two ships with three cells is the battleship"
    );
    assert_eq!(
        refused(|fleet| fleet[3].kind = ShipKind::Twoship),
        "a fleet has 1 of the kind submarine, not 0",
        "one of the three ships with two cells is the submarine"
    );
}

#[test]
fn ships_have_their_length_and_are_straight_without_gaps() {
    assert_eq!(refused(|fleet| fleet[0].cells.truncate(3)), "the length of a fourdeck is 4, not 3");
    assert_eq!(refused(|fleet| fleet[6].cells.clear()), "the length of a oneship is 1, not 0");
    let bent = "the cells of a threeship are not side by side in one row or column";
    for three in
        [[(0, 6), (1, 6), (1, 7)], [(0, 6), (1, 6), (3, 6)], [(0, 6), (1, 7), (2, 8)], [(0, 6), (1, 6), (1, 6)]]
    {
        assert_eq!(refused(|fleet| fleet[2].cells = cells(&three)), bent);
    }
}

#[test]
fn ships_lie_on_the_board() {
    for at in [(-1, 5), (10, 5), (5, -1), (5, 10), (i32::MAX, i32::MIN)] {
        let told = refused(|fleet| fleet[6].cells = cells(&[at]));
        assert_eq!(told, format!("a oneship has a cell off the board, {}", Point::new(at.0, at.1)));
    }
}

#[test]
fn ships_do_not_overlap() {
    assert_eq!(refused(|fleet| fleet[9].cells = cells(&[(5, 3)])), "a fourdeck and a oneship overlap at 5, 3");
}

/// The original looks at diagonals only.
#[test]
fn ships_touch_neither_by_edges_nor_diagonally() {
    for near in [(2, 0), (2, 2), (1, 1), (3, 1), (1, 0), (3, 0), (1, 2), (3, 2)] {
        let told = refused(|fleet| fleet[6].cells = cells(&[near]));
        assert!(told.contains(" touches a "), "{near:?}: {told}");
    }
    assert_eq!(refused(|fleet| fleet[6].cells = cells(&[(7, 3)])), "a fourdeck touches a oneship at 6, 3");
    assert_eq!(refused(|fleet| fleet[6].cells = cells(&[(7, 2)])), "a fourdeck touches a oneship at 6, 3");
    let mut fleet = example_fleet();
    fleet[6].cells = cells(&[(7, 5)]);
    let order = Order::Place(fleet);
    assert!(Match::new(120).game.check(Seat::A, &order).unwrap_err().0.contains("battleship touches"));
    let mut fleet = example_fleet();
    fleet[6].cells = cells(&[(8, 4)]);
    assert_eq!(Match::new(120).game.check(Seat::A, &Order::Place(fleet)), Ok(()), "one cell between them is enough");
}

#[test]
fn no_placement_loses() {
    let mut table = Match::new(120);
    table.place(Ok(Order::Shoot(Point::new(0, 0))), Ok(Order::Place(example_fleet())));
    assert_eq!(table.events[0], Event::Lost { seat: Seat::A, why: Loss::Refused(Refusal::NotPlaced) });
    assert_eq!(table.outcome().winner, Some(Seat::B));
    assert_eq!(table.outcome().ranking, [Seat::B, Seat::A]);
    assert_eq!(table.why(), "A broke the rules: the ships must be placed before the first move");
}

#[test]
fn if_both_placements_fail_both_lose() {
    let mut table = Match::new(120);
    table.place(Err(Fault::Unreachable { why: "connection refused".to_owned() }), Ok(Order::Place(Vec::new())));
    assert_eq!(table.outcome().winner, None);
    assert_eq!(
        table.why(),
        "A was unreachable: connection refused and B broke the rules: a fleet has 1 of the kind fourdeck, not 0"
    );
    let points: Vec<u32> = table.outcome().points.iter().map(|(_, points)| *points).collect();
    assert_eq!((points, table.outcome().turns), (vec![0, 0], 1));
}

#[test]
fn ships_are_not_placed_twice() {
    let mut table = Match::set(120);
    table.answer(Ok(Order::Place(example_fleet())));
    assert_eq!(table.why(), "A broke the rules: ships can be placed before the first move only");
}
