//! The ways in which a match ends.

use super::{A_FIRST, Match, example_fleet, together};
use rules::sea_battle::{HITS, Profile, SeaBattle, Settings};
use rules::{Ending, Eye, Fault, Game, Seat, SetupError};
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
    let mut table = Match::set(23);
    a_sinks_all(&mut table);
    assert_eq!(table.outcome().ending, Ending::FleetSunk { seats: vec![Seat::B] });
}

#[test]
fn at_the_limit_the_one_with_more_hits_wins() {
    let mut table = Match::set(22);
    a_sinks_all(&mut table);
    assert_eq!(table.outcome().ending, Ending::MoveLimit { moves: 44 });
    assert_eq!((table.outcome().winner, table.why()), (Some(Seat::A), "the 44 moves are over".to_owned()));
}

#[test]
fn a_limit_of_one_move_is_told_as_one() {
    let mut table = Match::together(1);
    table.shoot(9, 9);
    assert_eq!(table.why(), "the 1 move is over");
    assert_eq!([1, 2].map(|turns| SeaBattle::KIND.turns(turns)), ["1 turn", "2 turns"]);
}

#[test]
fn hits_on_armour_count_at_the_limit() {
    let mut table = Match::set(2);
    table.shoot(4, 6).shoot(0, 0).shoot(4, 6).shoot(9, 9);
    assert_eq!(table.outcome().winner, Some(Seat::A), "two hits on one cell are more than a ship");
    assert_eq!(table.outcome().points.iter().map(|(_, points)| *points).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn shots_at_destroyed_cells_do_not_count_at_the_limit() {
    let mut table = Match::set(2);
    table.shoot(0, 0).shoot(3, 3).shoot(0, 0).shoot(4, 3);
    assert_eq!(table.outcome().winner, Some(Seat::B));
    assert_eq!(table.outcome().ranking, [Seat::B, Seat::A]);
}

#[test]
fn equal_hits_at_the_limit_are_a_draw() {
    let mut table = Match::set(2);
    table.shoot(0, 0).shoot(0, 0).radar(5, 5).shoot(9, 9);
    let outcome = table.outcome();
    assert_eq!((outcome.winner, outcome.ending), (None, Ending::MoveLimit { moves: 4 }));
    assert_eq!(outcome.turns, 5);
}

#[test]
fn the_limit_is_120_moves_of_each_and_a_setting() {
    assert_eq!(Settings::default(), Settings::moves(120));
    let limits = ["120", "older-107", "older-200", "none"].map(Settings::preset);
    assert_eq!(limits, [Some(120), Some(107), Some(200), None]);
    for each in [107, 120, 200] {
        let mut table = Match::set(each);
        for number in 0..2 * each {
            assert_eq!(table.game.outcome(), None, "move {number}");
            table.shoot(9, 9);
            let title = table.game.scene(Eye::Everyone).title;
            assert!(title.starts_with(&format!("Move {} of {each} · ", number / 2 + 1)), "{title}");
        }
        let (a, b) = (table.game.view(Seat::A), table.game.view(Seat::B));
        assert_eq!((a.own_shots.len(), b.own_shots.len()), (each as usize, each as usize));
        assert_eq!((table.outcome().turns, table.why()), (2 * each + 1, format!("the {} moves are over", 2 * each)));
    }
}

/// Version 0.1.0 counted the moves of both together.
#[test]
fn the_limit_of_a_record_of_before_counts_both_together() {
    let mut table = Match::together(107);
    for _ in 0..107 {
        assert_eq!(table.game.outcome(), None);
        table.shoot(9, 9);
    }
    assert_eq!((table.outcome().turns, table.why()), (108, "the 107 moves are over".to_owned()));
    assert_eq!(table.game.scene(Eye::Everyone).title, "Move 107 of 107 · A");
}

#[test]
fn there_is_no_match_without_moves_or_with_too_many() {
    let refused = |settings| SeaBattle::start(&settings, 2, A_FIRST).unwrap_err();
    for moves in [0, 5_001, u32::MAX] {
        let why = format!("a match has 1 to 5000 moves, not {moves}");
        assert_eq!(refused(Settings::moves(moves)), SetupError::Settings(why));
    }
    for moves in [0, 10_001, u32::MAX] {
        let why = format!("a match has 1 to 10000 moves, not {moves}");
        assert_eq!(refused(together(moves)), SetupError::Settings(why));
    }
}

#[test]
fn settings_are_read_strictly() {
    let read = |text| serde_json::from_str::<Settings>(text);
    let written = |settings: &Settings| serde_json::to_string(settings).unwrap();
    let public = Settings::of(Profile::PublicServer);
    let texts = [
        (r#"{"max_moves_each":107}"#, Settings::moves(107)),
        (r#"{"max_moves":107}"#, together(107)),
        (r#"{"max_moves_each":107,"profile":"public-server"}"#, public),
    ];
    for (text, settings) in texts {
        assert_eq!((read(text).unwrap(), written(&settings)), (settings, text.to_owned()));
    }
    for other in [
        "{}",
        r#"{"max_moves":-1}"#,
        r#"{"max_moves":"120"}"#,
        r#"{"max_moves":120,"size":10}"#,
        r#"{"max_moves":120,"max_moves_each":120}"#,
        r#"{"max_moves_each":120,"profile":"none"}"#,
        r#"{"profile":"text"}"#,
    ] {
        assert!(read(other).is_err(), "{other}");
    }
}

#[test]
fn any_fault_loses_at_once() {
    let second = Duration::from_secs(2);
    let faults = [
        (Fault::timed_out(second, second), "A timed out: 2000 ms used of 2000 ms"),
        (Fault::Crashed { how: "signal 9".to_owned() }, "A crashed: signal 9"),
        (Fault::NothingWritten, "A wrote nothing"),
        (Fault::unreadable("no JSON"), "A gave an unreadable answer: no JSON"),
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
