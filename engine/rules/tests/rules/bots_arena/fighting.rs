//! Strikes: whose turn it is, what they find, what they earn.

use super::{USUAL, both, one, place, result, settings, start, strike, usual};
use rules::bots_arena::StrikeResult::{Hit, HitAndSunk, Nothing};
use rules::bots_arena::{BotsArena, Event, Settings};
use rules::{Fault, Game, Point, Seat, Seats};

#[test]
fn bot_1_begins_and_then_they_strike_in_turn_whatever_they_hit() {
    for seed in 0..8 {
        let mut game = BotsArena::start(&Settings::default(), 2, seed).unwrap();
        assert_eq!(game.awaited(), Seats::first(2));
        both(&mut game, place(&USUAL), place(&USUAL));
        for (x, seat) in (0..8).zip([Seat::A, Seat::B].into_iter().cycle()) {
            assert_eq!(game.awaited(), Seats::from_iter([seat]));
            result(&mut game, x, 3);
        }
    }
}

/// A strikes these cells while B strikes the water.
fn results(cells: &[(i32, i32)]) -> Vec<rules::bots_arena::StrikeResult> {
    let mut game = usual();
    let found = cells.iter().map(|&(x, y)| {
        let found = result(&mut game, x, y);
        result(&mut game, 9, 9);
        found
    });
    found.collect()
}

#[test]
fn a_strike_finds_nothing_a_ship_or_its_last_cell() {
    assert_eq!(results(&[(9, 9), (7, 8), (8, 8), (3, 5)]), [Nothing, Hit, HitAndSunk, Hit]);
    assert_eq!([Nothing, Hit, HitAndSunk].map(|result| result.text()), ["", "hit", "hit and sunk"]);
}

#[test]
fn a_cell_that_was_hit_is_hit_again_as_long_as_the_ship_is_afloat() {
    assert_eq!(results(&[(7, 8), (7, 8), (8, 8), (7, 8), (8, 8)]), [Hit, Hit, HitAndSunk, Nothing, Nothing]);
}

#[test]
fn water_can_be_struck_again() {
    assert_eq!(results(&[(9, 9), (9, 9)]), [Nothing, Nothing]);
}

#[test]
fn points_are_the_cells_hit() {
    let mut game = usual();
    for (x, y, points) in [(7, 8, 1), (7, 8, 1), (8, 8, 2), (7, 8, 2), (9, 9, 2), (3, 3, 3)] {
        result(&mut game, x, y);
        assert_eq!(game.points(Seat::A), points);
        let b = result(&mut game, 9, 9);
        assert_eq!((b, game.points(Seat::B)), (Nothing, 0));
    }
}

#[test]
fn ships_that_touch_are_sunk_one_by_one() {
    let settings = settings(5, 2, [1, 2, 0, 0, 0, 0]);
    let row = [(Point::new(0, 0), Point::new(1, 0)), (Point::new(2, 0), Point::new(3, 0))];
    let ends = [row[0], row[1], (Point::new(4, 0), Point::new(4, 0))];
    let mut game = start(settings);
    both(&mut game, place(&ends), place(&ends));
    let mut found = Vec::new();
    for x in 1..5 {
        found.push(result(&mut game, x, 0));
        result(&mut game, 0, 1);
    }
    assert_eq!(found, [Hit, Hit, HitAndSunk, HitAndSunk]);
}

#[test]
fn ends_in_any_order_make_the_same_ship() {
    let settings = settings(6, 6, [0, 0, 1, 0, 0, 0]);
    for ends in [(Point::new(1, 2), Point::new(3, 2)), (Point::new(3, 2), Point::new(1, 2))] {
        let mut game = start(settings);
        both(&mut game, place(&[ends]), place(&[ends]));
        // The form of version 0.1.0, of which records have fingerprints.
        let ships = |game: &BotsArena, player: usize| {
            serde_json::to_value(game).unwrap()["players"][player]["ships"].to_string()
        };
        let ship = |hits| format!(r#"[{{"along_x":true,"hits":{hits},"length":3,"start":{{"x":1,"y":2}}}}]"#);
        assert_eq!(ships(&game, 0), ship(0));
        assert_eq!(result(&mut game, 3, 2), Hit);
        assert_eq!(ships(&game, 1), ship(0b100));
    }
}

#[test]
fn who_is_not_asked_has_no_say() {
    let mut game = usual();
    let told = game.advance([(Seat::A, strike(1, 1)), (Seat::B, Err(Fault::GaveUp))].into_iter().collect());
    assert!(matches!(told[..], [ref told] if matches!(told.event, Event::Struck { seat: Seat::A, .. })));
    assert_eq!(game.outcome(), None);
    assert!(matches!(one(&mut game, strike(1, 1)), Event::Struck { seat: Seat::B, .. }));
}
