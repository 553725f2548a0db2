//! Settings, and the first turn.

use super::{USUAL, both, place, settings, start, strike};
use rules::bots_arena::{BotsArena, Event, Order, Refusal, Settings};
use rules::{Answer, Fault, Game, Point, Seat, SetupError};

fn point(x: i32, y: i32) -> Point {
    Point::new(x, y)
}

/// The reason why this fleet of A's is refused on the usual board.
fn refusal(ends: &[(Point, Point)]) -> Option<Refusal> {
    let mut game = start(Settings::default());
    let events = both(&mut game, place(ends), place(&USUAL));
    let refused = match events[0] {
        Event::Refused { seat: Seat::A, why } => Some(why),
        _ => None,
    };
    assert_eq!(game.outcome().is_some(), refused.is_some());
    refused
}

/// The usual fleet but for its first ships.
fn but(ships: &[(Point, Point)]) -> Vec<(Point, Point)> {
    ships.iter().copied().chain(USUAL[ships.len()..].iter().copied()).collect()
}

#[test]
fn settings_are_checked_where_they_are_made_and_where_they_are_read() {
    let wrong = [
        (0, 10, [0, 1, 2, 1, 1, 0], "the width of a board is 1 to 100 cells, not 0"),
        (10, 101, [0, 1, 2, 1, 1, 0], "the height of a board is 1 to 100 cells, not 101"),
        (10, 10, [0, 0, 11, 0, 0, 0], "there are 0 to 10 ships of length 3, not 11"),
    ];
    for (width, height, ships, why) in wrong {
        assert_eq!(Settings::new(width, height, ships), Err(SetupError::Settings(why.to_owned())));
        let json = format!(r#"{{"width":{width},"height":{height},"ships":{ships:?}}}"#);
        let read = serde_json::from_str::<Settings>(&json).unwrap_err();
        assert!(read.to_string().contains(why), "{read}");
    }
    assert!(serde_json::from_str::<Settings>(r#"{"width":9,"height":9,"ships":[1,0,0,0,0,0],"depth":1}"#).is_err());
    let json = serde_json::to_string(&Settings::default()).unwrap();
    assert_eq!(json, r#"{"width":10,"height":10,"ships":[0,1,2,1,1,0]}"#);
}

#[test]
fn a_match_that_cannot_be_played_is_refused_before_it_begins() {
    let cases = [
        (10, 10, [0; 6], "there are no ships"),
        (5, 4, [0, 0, 0, 0, 0, 1], "a ship of length 6 is longer than both sides of a board of 5 x 4"),
        (4, 5, [0, 0, 2, 0, 1, 0], "the ships cover 11 cells, more than half of a board of 4 x 5"),
        (1, 1, [1, 0, 0, 0, 0, 0], "the ships cover 1 cells, more than half of a board of 1 x 1"),
    ];
    for (width, height, ships, why) in cases {
        let refused = BotsArena::start(&settings(width, height, ships), 2, 0);
        assert_eq!(refused.unwrap_err(), SetupError::Settings(why.to_owned()));
    }
    for (width, height, ships) in [(4, 5, [0, 0, 2, 1, 0, 0]), (1, 6, [3, 0, 0, 0, 0, 0]), (100, 100, [10; 6])] {
        assert!(BotsArena::start(&settings(width, height, ships), 2, 0).is_ok());
    }
}

#[test]
fn the_fleet_of_the_text_is_legal_in_any_order_of_ships_and_ends() {
    let mut other = USUAL.map(|(one, other)| (other, one));
    other.reverse();
    assert_eq!(refusal(&USUAL), None);
    assert_eq!(refusal(&other), None);
}

#[test]
fn ships_may_touch_but_not_overlap() {
    assert_eq!(refusal(&but(&[(point(1, 0), point(1, 4))])), None);
    assert_eq!(refusal(&but(&[(point(2, 4), point(6, 4))])), Some(Refusal::Overlap(point(2, 4))));
}

#[test]
fn wrong_lengths_and_counts_are_refused() {
    let wrong = |length, given, wanted| Some(Refusal::WrongShips { length, given, wanted });
    assert_eq!(refusal(&[]), wrong(2, 0, 1));
    assert_eq!(refusal(&USUAL[..4]), wrong(2, 0, 1));
    assert_eq!(refusal(&but(&[(point(3, 3), point(3, 8))])), wrong(5, 0, 1));
    let more = [&USUAL[..], &[(point(9, 9), point(9, 9))]].concat();
    assert_eq!(refusal(&more), wrong(1, 1, 0));
    assert_eq!(refusal(&but(&[(point(9, 0), point(9, 9))])), wrong(5, 0, 1));
}

#[test]
fn ships_off_the_board_or_not_straight_are_refused() {
    for end in [point(3, 10), point(10, 3), point(-1, 3), point(3, -1), point(i32::MIN, i32::MAX)] {
        assert_eq!(refusal(&but(&[(point(3, 6), end)])), Some(Refusal::OffBoard(end)));
    }
    let (one, other) = (point(3, 3), point(5, 5));
    assert_eq!(refusal(&but(&[(one, other)])), Some(Refusal::NotStraight(one, other)));
}

#[test]
fn x_is_the_column_for_ships_too() {
    let wide = settings(8, 3, [0, 0, 0, 0, 1, 0]);
    let check = |ends| start(wide).check(Seat::A, &Order::Place(vec![ends])).is_ok();
    assert!(check((point(3, 1), point(7, 1))));
    assert!(!check((point(1, 3), point(1, 7))));
}

#[test]
fn who_fails_to_place_its_ships_loses() {
    let bad: [Answer<Order>; 3] = [place(&[]), strike(0, 0), Err(Fault::NothingWritten)];
    let why = [
        "gave an illegal order: ships of length 2: 0 where 1 are wanted",
        "gave an illegal order: the ships must be placed first",
        "wrote nothing",
    ];
    for (answer, why) in bad.into_iter().zip(why) {
        for loser in [Seat::A, Seat::B] {
            let mut game = start(Settings::default());
            let mut answers = [answer.clone(), place(&USUAL)];
            if loser == Seat::B {
                answers.reverse();
            }
            let [a, b] = answers;
            both(&mut game, a, b);
            let outcome = game.outcome().unwrap();
            assert_eq!(outcome.winner, Some(loser.opponent()));
            assert_eq!(outcome.ranking, [loser.opponent(), loser]);
            assert_eq!(outcome.ending.told(|seat| seat.to_string()), format!("{loser} {why}"));
            assert_eq!(outcome.turns, 1);
        }
    }
}

#[test]
fn when_both_fail_to_place_their_ships_nobody_wins() {
    let mut game = start(Settings::default());
    both(&mut game, place(&[]), Err(Fault::GaveUp));
    let outcome = game.outcome().unwrap();
    assert_eq!(outcome.winner, None);
    let told = outcome.ending.told(|seat| seat.to_string());
    assert_eq!(told, "A gave an illegal order: ships of length 2: 0 where 1 are wanted and B gave up");
}
