//! The ways in which a match ends.

use super::{USUAL, both, cells as ship_cells, one, place, result, settings, start, strike, usual};
use rules::bots_arena::{BotsArena, Event, Refusal, Settings};
use rules::{Ending, Fault, Game, Listed, Outcome, Point, Seat};
use std::time::Duration;

fn told(outcome: &Outcome) -> String {
    outcome.ending.told(|seat| seat.to_string())
}

/// All cells of the usual fleet.
fn cells() -> Vec<Point> {
    USUAL.iter().flat_map(ship_cells).collect()
}

#[test]
fn who_sinks_the_last_ship_wins_at_once() {
    let mut game = usual();
    let cells = cells();
    for cell in &cells[1..] {
        result(&mut game, cell.x, cell.y);
        result(&mut game, cell.x, cell.y);
    }
    assert_eq!(game.outcome(), None);
    // B is one strike behind, and gets no more.
    result(&mut game, cells[0].x, cells[0].y);
    let outcome = game.outcome().unwrap();
    assert_eq!((outcome.winner, &outcome.ranking[..]), (Some(Seat::A), &[Seat::A, Seat::B][..]));
    assert_eq!(outcome.ending, Ending::FleetSunk { seats: vec![Seat::B] });
    assert_eq!(outcome.points, [17, 16].into_iter().collect());
    assert_eq!(outcome.turns, 34);
    assert_eq!(told(&outcome), "all ships of B are sunk");
}

#[test]
fn a_strike_off_the_board_or_ships_placed_again_lose_the_match() {
    for (answer, why) in [
        (strike(10, 3), "A gave an illegal order: 10,3 is off the board"),
        (strike(3, -1), "A gave an illegal order: 3,-1 is off the board"),
        (place(&USUAL), "A gave an illegal order: the ships are placed already"),
    ] {
        let mut game = usual();
        let event = one(&mut game, answer);
        assert_eq!(BotsArena::refused(&event), Some(Seat::A));
        let outcome = game.outcome().unwrap();
        assert_eq!((outcome.winner, told(&outcome)), (Some(Seat::B), why.to_owned()));
    }
}

#[test]
fn every_fault_loses_the_match() {
    let ms = Duration::from_micros;
    for (fault, why) in [
        (Fault::timed_out(ms(10_000_999), ms(10_000_000)), "B took too long"),
        (Fault::Crashed { how: "signal 11".to_owned() }, "B crashed: signal 11"),
        (Fault::NothingWritten, "B wrote nothing"),
        (Fault::unreadable("no"), "B gave an unreadable answer: no"),
        (Fault::GaveUp, "B gave up"),
        (Fault::Unreachable { why: "refused\n(os error 111)".to_owned() }, "B was unreachable: refused (os error 111)"),
    ] {
        let mut game = usual();
        result(&mut game, 3, 3);
        let event = one(&mut game, Err(fault.clone()));
        assert_eq!(event, Event::Failed { seat: Seat::B, fault });
        assert_eq!(BotsArena::refused(&event), None);
        let outcome = game.outcome().unwrap();
        assert_eq!((outcome.winner, told(&outcome)), (Some(Seat::A), why.to_owned()));
        assert_eq!(outcome.points, [1, 0].into_iter().collect());
    }
}

#[test]
fn an_illegal_order_counts_as_refused_and_loses_even_with_more_points() {
    let mut game = usual();
    for x in [3, 4] {
        result(&mut game, 3, x);
        result(&mut game, 9, 9);
    }
    let event = one(&mut game, strike(0, 10));
    assert_eq!(event, Event::Refused { seat: Seat::A, why: Refusal::OffBoard(Point::new(0, 10)) });
    let outcome = game.outcome().unwrap();
    assert_eq!((outcome.winner, outcome.ranking), (Some(Seat::B), vec![Seat::B, Seat::A]));
}

#[test]
fn after_four_times_the_cells_of_the_board_each_the_match_is_a_draw() {
    let small = settings(3, 2, [1, 0, 0, 0, 0, 0]);
    let mut game = start(small);
    let ends = [(Point::new(0, 0), Point::new(0, 0))];
    both(&mut game, place(&ends), place(&ends));
    for _ in 0..48 {
        assert_eq!(game.outcome(), None);
        result(&mut game, 2, 1);
    }
    let outcome = game.outcome().unwrap();
    assert_eq!((outcome.winner, &outcome.ranking[..]), (None, &[Seat::A, Seat::B][..]));
    assert_eq!(outcome.ending, Ending::MoveLimit { moves: 48 });
    assert_eq!((outcome.turns, told(&outcome)), (49, "the 48 moves are over".to_owned()));
}

#[test]
fn in_a_draw_whoever_hit_more_is_ranked_first_and_nobody_wins() {
    let mut game = start(settings(2, 2, [0, 1, 0, 0, 0, 0]));
    let ends = [(Point::new(0, 0), Point::new(0, 1))];
    both(&mut game, place(&ends), place(&ends));
    for _ in 0..16 {
        result(&mut game, 1, 1);
        result(&mut game, 0, 1);
    }
    let outcome = game.outcome().unwrap();
    assert_eq!((outcome.winner, outcome.ranking), (None, vec![Seat::B, Seat::A]));
}

#[test]
fn the_last_move_still_wins() {
    let mut game = start(settings(2, 1, [1, 0, 0, 0, 0, 0]));
    let ends = [(Point::new(0, 0), Point::new(0, 0))];
    both(&mut game, place(&ends), place(&ends));
    for _ in 0..15 {
        result(&mut game, 1, 0);
    }
    result(&mut game, 0, 0);
    assert_eq!(game.outcome().unwrap().winner, Some(Seat::B));
}

#[test]
fn the_usual_settings_are_those_of_the_text() {
    let settings = Settings::default();
    assert_eq!((settings.width(), settings.height(), settings.ships()), (10, 10, [0, 1, 2, 1, 1, 0]));
    assert_eq!((settings.lengths(), settings.most_moves()), (vec![5, 4, 3, 3, 2], 800));
}
