//! The ways in which a match ends.

use super::{A_FIRST, Match, example_fleet};
use rules::sea_battle::{HITS, SeaBattle, Settings};
use rules::{Ending, Fault, Game, Seat, SetupError};
use std::time::Duration;

/// A hits all, one cell after the other, and B nothing, unless the match ends before.
fn a_sinks_all(table: &mut Match) {
    let fleet = example_fleet();
    let twice = |at: usize| if at == 1 { 2 } else { 1 };
    let cells = fleet.iter().enumerate().flat_map(|(at, ship)| ship.cells.repeat(twice(at)));
    for point in cells {
        if table.game.outcome().is_none() {
            table.a_shoots(point.x, point.y);
        }
    }
}

#[test]
fn whoever_hits_all_23_times_wins_at_once() {
    let mut table = Match::set(120);
    a_sinks_all(&mut table);
    let outcome = table.outcome();
    assert_eq!(outcome.ending, Ending::FleetSunk { seats: vec![Seat::B] });
    assert_eq!((outcome.winner, outcome.ranking), (Some(Seat::A), vec![Seat::A, Seat::B]));
    assert_eq!(outcome.points.iter().map(|(_, points)| *points).collect::<Vec<_>>(), [HITS, 0]);
    assert_eq!(outcome.turns, 1 + 23 + 22, "placing, and B had one move less");
}

#[test]
fn a_fleet_sunk_with_the_last_move_is_sunk() {
    let mut table = Match::set(45);
    a_sinks_all(&mut table);
    assert_eq!(table.outcome().ending, Ending::FleetSunk { seats: vec![Seat::B] });
}

#[test]
fn at_the_limit_the_one_with_more_hits_wins() {
    let mut table = Match::set(44);
    a_sinks_all(&mut table);
    assert_eq!(table.outcome().ending, Ending::MoveLimit { moves: 44 });
    assert_eq!((table.outcome().winner, table.why()), (Some(Seat::A), "the 44 moves are over".to_owned()));
}

#[test]
fn a_limit_of_one_move_is_told_as_one() {
    let mut table = Match::set(1);
    table.shoot(9, 9);
    assert_eq!(table.why(), "the 1 move is over");
    assert_eq!([1, 2].map(|turns| SeaBattle::KIND.turns(turns)), ["1 turn", "2 turns"]);
}

#[test]
fn hits_on_armour_count_at_the_limit() {
    let mut table = Match::set(4);
    table.shoot(4, 6).shoot(0, 0).shoot(4, 6).shoot(9, 9);
    assert_eq!(table.outcome().winner, Some(Seat::A), "two hits on one cell are more than a ship");
    assert_eq!(table.outcome().points.iter().map(|(_, points)| *points).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn shots_at_destroyed_cells_do_not_count_at_the_limit() {
    let mut table = Match::set(4);
    table.shoot(0, 0).shoot(3, 3).shoot(0, 0).shoot(4, 3);
    assert_eq!(table.outcome().winner, Some(Seat::B));
    assert_eq!(table.outcome().ranking, [Seat::B, Seat::A]);
}

#[test]
fn equal_hits_at_the_limit_are_a_draw() {
    let mut table = Match::set(3);
    table.shoot(0, 0).shoot(0, 0).radar(5, 5);
    let outcome = table.outcome();
    assert_eq!((outcome.winner, outcome.ending), (None, Ending::MoveLimit { moves: 3 }));
    assert_eq!(outcome.turns, 4);
}

#[test]
fn the_limit_is_120_moves_of_both_and_a_setting() {
    assert_eq!(Settings::default().max_moves, 120);
    let limits = ["120", "older-107", "older-200", "none"].map(|name| Settings::preset(name).map(|set| set.max_moves));
    assert_eq!(limits, [Some(120), Some(107), Some(200), None]);
    let mut table = Match::set(120);
    for number in 0..120 {
        assert_eq!(table.game.outcome(), None, "move {number}");
        table.shoot(9, 9);
    }
    assert_eq!(table.outcome().turns, 121);
}

#[test]
fn there_is_no_match_without_moves_or_with_too_many() {
    for max_moves in [0, 10_001, u32::MAX] {
        let error = SeaBattle::start(&Settings { max_moves }, 2, A_FIRST).unwrap_err();
        assert_eq!(error, SetupError::Settings(format!("a match has 1 to 10000 moves, not {max_moves}")));
    }
}

#[test]
fn settings_are_read_strictly() {
    let read = |text| serde_json::from_str::<Settings>(text).map(|settings| settings.max_moves);
    assert_eq!(read(r#"{"max_moves":107}"#).unwrap(), 107);
    for other in ["{}", r#"{"max_moves":-1}"#, r#"{"max_moves":"120"}"#, r#"{"max_moves":120,"size":10}"#] {
        assert!(read(other).is_err(), "{other}");
    }
}

#[test]
fn any_fault_loses_at_once() {
    let second = Duration::from_secs(2);
    let faults = [
        (Fault::TimedOut { used: second, limit: second }, "A timed out: 2000 ms used of 2000 ms"),
        (Fault::Crashed { how: "signal 9".to_owned() }, "A crashed: signal 9"),
        (Fault::NothingWritten, "A wrote nothing"),
        (Fault::Unreadable { why: "no JSON".to_owned() }, "A gave an unreadable answer: no JSON"),
        (Fault::GaveUp, "A gave up"),
        (Fault::Unreachable { why: "status 500".to_owned() }, "A was unreachable: status 500"),
    ];
    for (fault, words) in faults {
        let mut table = Match::set(120);
        table.shoot(0, 0).shoot(9, 9).answer(Err(fault));
        assert_eq!((table.outcome().winner, table.why()), (Some(Seat::B), words.to_owned()));
        assert_eq!(table.outcome().points.iter().map(|(_, points)| *points).collect::<Vec<_>>(), [1, 0]);
    }
}
