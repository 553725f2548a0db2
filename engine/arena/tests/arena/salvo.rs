//! Salvo through the arena: the record that git keeps, and one in which much goes wrong.

use crate::schemas::{assert_fits, schema};
use crate::scripted::{Scripted, header_of};
use arena::record::{Clock, RecordBuffer, show};
use arena::{Ask, GameHistory, MatchHistory, Observers, Player, Players, Reply, Sequence, play};
use match_folder::{open, verify};
use rules::PlayerInfo;
use rules::salvo::{Order, Salvo, Settings, random_fleet};
use rules::{Eye, Fault, Game, GameKind, Listed, Outcome, Part, Point, Seat, Seats};
use std::fs;
use std::path::Path;
use std::time::Duration;
use tempfile::tempdir;

/// Fires row by row at the player after it, as far as `wrong` has nothing else for its turn.
fn row_by_row(nth: u64, wrong: fn(u32) -> Option<Reply<Order>>) -> Box<dyn Player<Salvo>> {
    let (mut random, mut fired) = (rules::random(nth), 0);
    Box::new(Scripted(move |ask: &Ask<'_, Salvo>| {
        if let Some(reply) = wrong(ask.turn) {
            return reply;
        }
        let view = ask.view();
        let order = if view.turn == 0 {
            Order::Place(random_fleet(&mut random))
        } else {
            let at = Point::new(fired % 10, fired / 10 % 10);
            fired += 1;
            let mut others = view.players.iter().filter(|(seat, player)| *seat != ask.seat && player.is_in);
            Order::Fire { target: others.next().unwrap().0, at }
        };
        obeyed(order)
    }))
}

fn obeyed(order: Order) -> Reply<Order> {
    let given = Salvo::write(&order);
    Reply { answer: Ok(order), given, time: None, run: None, notes: None }
}

fn failed(fault: Fault, given: &[(&'static str, &str)]) -> Option<Reply<Order>> {
    let given = given.iter().map(|(name, text)| Part { name, bytes: text.as_bytes().to_vec() }).collect();
    Some(Reply { answer: Err(fault), given, time: None, run: None, notes: None })
}

/// A refused shot, a salvo that is too late, answers that cannot be read, and players who leave.
fn much_goes_wrong(turn: u32) -> Option<Reply<Order>> {
    let late = Fault::timed_out(Duration::from_micros(30_000_123), Duration::from_secs(30));
    match turn {
        7 => failed(late, &[]),
        11 => failed(Fault::unreadable("fire: x is missing"), &[("target", "A"), ("fire", "{}")]),
        17 => Some(obeyed(Order::Fire { target: Seat::A, at: Point::new(10, -1) })),
        40 => failed(Fault::GaveUp, &[]),
        _ => None,
    }
}

/// D has placed one ship when its time is up.
fn late_with_its_ships(_: u32) -> Option<Reply<Order>> {
    let minute = Duration::from_millis(60_001);
    let carrier = r#"{"coordinates":{"x":0,"y":0},"orientation":"Vertical"}"#;
    failed(Fault::timed_out(minute, minute), &[("carrier", carrier)])
}

fn played() -> (Outcome, GameHistory<Salvo>, String) {
    let settings = Settings::default();
    let header = header_of::<Salvo>(&settings, 3, (0..4).map(|_| PlayerInfo::named("X")).collect());
    let game = Salvo::start(&settings, 4, 3).unwrap();
    let mut history = GameHistory::new(game.clone(), 4);
    let mut record = RecordBuffer::begin(&header, Clock::Stopped(None)).unwrap();
    let mut observers = Observers::new();
    observers.add(&mut history);
    observers.add(&mut record);
    let player = |nth: u64| -> Box<dyn Player<Salvo>> {
        let wrong = if nth == 3 { late_with_its_ships } else { much_goes_wrong };
        row_by_row(nth, wrong)
    };
    let mut players: Players<Salvo> = (0..4).map(player).collect();
    let outcome = play(game, &mut players, Sequence::InTurn, &mut observers).unwrap();
    drop(observers);
    (outcome, history, String::from_utf8(record.lines()).unwrap())
}

#[test]
fn a_match_of_salvo_in_which_much_goes_wrong_is_recorded_verified_and_shown() {
    let (outcome, seen, record) = played();
    assert!(outcome.winner.is_some() && outcome.ranking.last() == Seat::new(3).as_ref(), "{outcome:?}");
    assert_fits(&schema("record.schema.json"), &record);
    let folder = tempdir().unwrap();
    let path = folder.path().join("x.jsonl");
    fs::write(&path, &record).unwrap();
    let opened = open(&path).unwrap();
    let verified = verify(&opened).unwrap();
    assert_eq!((verified.game, verified.turns), (GameKind::Salvo, outcome.turns));
    assert_eq!(verified.outcome.as_ref(), Some(&outcome));
    let shown = show(&opened.record).unwrap();
    assert!(shown.failure.is_none());
    for eye in Seats::first(4).iter().map(Eye::Seat).chain([Eye::Referee]) {
        assert!((0..seen.scenes()).all(|at| shown.history.scene(at, eye) == seen.scene(at, eye)));
    }
}

#[test]
fn the_record_of_salvo_that_git_keeps_is_still_right() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../replays/salvo.jsonl");
    assert_fits(&schema("record.schema.json"), &fs::read_to_string(&path).unwrap());
    let verified = verify(&open(&path).unwrap()).unwrap();
    assert_eq!(verified.game, GameKind::Salvo);
    assert!(verified.outcome.is_some_and(|outcome| outcome.winner.is_some()));
}
