//! A match of Sea Battle is recorded, verified and shown as any other.

use crate::schemas;
use crate::scripted::{Scripted, details, header_of, read};
use arena::record::{Clock, RecordBuffer, RecordError, show};
use arena::{ArenaError, Ask, GameHistory, Observers, Player, Players, Sequence, play};
use match_folder::{open, verify};
use rules::sea_battle::{BOARD, MOVE, Order, PLACEMENT, SeaBattle, Settings, View, random_fleet};
use rules::{Ending, Eye, Game, GameKind, Listed, Outcome, Part, Seat, Seats};
use std::fs;
use tempfile::tempdir;

/// Answers with what a function makes of its view, as the body of an HTTP answer.
fn player(mut script: impl FnMut(&View) -> Vec<u8> + Send + 'static) -> Box<dyn Player<SeaBattle>> {
    Box::new(Scripted(move |ask: &Ask<'_, SeaBattle>| {
        let view = ask.view();
        let name = if view.turn == 0 { PLACEMENT } else { MOVE };
        read(ask, vec![Part { name, bytes: script(&view) }])
    }))
}

/// Uses its radar in its third move, else fires at one cell after the other, at those that it hit twice.
fn column_by_column(view: &View) -> Vec<u8> {
    let order = match (view.turn, view.own_shots.last()) {
        (0, _) => Order::Place(random_fleet(&mut rules::random(5))),
        (5 | 6, _) => Order::Radar(BOARD.points().nth(44).unwrap()),
        (_, Some(last)) if last.result.is_hit() => Order::Shoot(last.at),
        _ => {
            let next = BOARD.points().find(|at| view.own_shots.iter().all(|shot| shot.at != *at));
            Order::Shoot(next.unwrap_or_default())
        }
    };
    SeaBattle::write(&order).remove(0).bytes
}

/// Plays as that, up to a turn in which it answers this.
fn until(turn: u32, answer: &'static [u8]) -> impl FnMut(&View) -> Vec<u8> + Send {
    move |view| if view.turn >= turn { answer.to_vec() } else { column_by_column(view) }
}

const SEED: u64 = 3;

/// Plays a match and gives its outcome, its scenes and its record.
fn played(max_moves: u32, other: Box<dyn Player<SeaBattle>>) -> (Outcome, GameHistory<SeaBattle>, String) {
    let settings = Settings::moves(max_moves);
    let header = header_of::<SeaBattle>(&settings, SEED, details(["Alpha", "Bravo"]));
    let game = SeaBattle::start(&settings, 2, SEED).unwrap();
    let mut history = GameHistory::new(game.clone(), 2);
    let mut record = RecordBuffer::begin(&header, Clock::Stopped(None)).unwrap();
    let mut observers = Observers::new();
    observers.add(&mut history);
    observers.add(&mut record);
    let mut players: Players<SeaBattle> = [player(column_by_column), other].into_iter().collect();
    let outcome = play(game, &mut players, Sequence::InTurn, &mut observers).unwrap();
    drop(observers);
    (outcome, history, String::from_utf8(record.lines()).unwrap())
}

/// Verifies a record and compares what it shows with the scenes of the match.
fn assert_is_the_match(record: &str, outcome: &Outcome, seen: &GameHistory<SeaBattle>) {
    use arena::MatchHistory;
    schemas::assert_fits(&schemas::schema("record.schema.json"), record);
    let folder = tempdir().unwrap();
    let path = folder.path().join("x.jsonl");
    fs::write(&path, record).unwrap();
    let opened = open(&path).unwrap();
    let verified = verify(&opened).unwrap();
    assert_eq!((verified.game, verified.turns), (GameKind::SeaBattle, outcome.turns));
    assert_eq!(verified.outcome.as_ref(), Some(outcome));
    let shown = show(&opened.record).unwrap();
    assert!(shown.failure.is_none());
    assert_eq!(shown.history.scenes(), outcome.turns as usize + 1);
    for eye in Seats::first(2).iter().map(Eye::Seat).chain([Eye::Referee]) {
        assert!((0..seen.scenes()).all(|at| shown.history.scene(at, eye) == seen.scene(at, eye)));
    }
    assert_eq!(shown.history.outcome(), Some(outcome));
}

#[test]
fn matches_of_sea_battle_are_recorded_verified_and_shown() {
    for max_moves in [1, 60, 1000] {
        let (outcome, history, record) = played(max_moves, player(column_by_column));
        assert_eq!(max_moves == 1000, matches!(outcome.ending, Ending::FleetSunk { .. }));
        assert_is_the_match(&record, &outcome, &history);
    }
}

#[test]
fn a_match_of_sea_battle_that_a_fault_ends_is_recorded_too() {
    let radar = br#"{"type":"radar","center":{"x":4,"y":4}}"#;
    for (turn, answer) in [(0, &b"\xFF"[..]), (0, b"{}"), (1, b""), (9, b"\xFF\xFE"), (9, b"nonsense"), (9, radar)] {
        let (outcome, history, record) = played(120, player(until(turn, answer)));
        assert_eq!(outcome.winner, Some(Seat::A));
        assert!(matches!(outcome.ending, Ending::KilledOff { .. }));
        assert_is_the_match(&record, &outcome, &history);
    }
}

#[test]
fn a_changed_answer_in_a_record_of_sea_battle_is_found() {
    let (_, _, record) = played(120, player(column_by_column));
    let folder = tempdir().unwrap();
    let path = folder.path().join("x.jsonl");
    fs::write(&path, record.replacen(r#"\"y\":9"#, r#"\"y\":8"#, 1)).unwrap();
    assert!(matches!(open(&path).and_then(|opened| verify(&opened)), Err(ArenaError::Record { .. })));
    fs::write(&path, record.lines().take(20).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    match verify(&open(&path).unwrap()) {
        Err(ArenaError::Record { source: RecordError::Unfinished { game, turns }, .. }) => {
            assert_eq!((game, turns), (GameKind::SeaBattle, 19));
        }
        other => panic!("{other:?}"),
    }
}
