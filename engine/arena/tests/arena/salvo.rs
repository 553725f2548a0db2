//! Salvo through the arena: the record that git keeps, and one in which much goes wrong.

use crate::schema::{assert_fits, schema};
use arena::record::{Clock, Header, RecordBuffer, RecordedSeat, open, show, verify};
use arena::{ArenaError, Ask, GameHistory, MatchHistory, Observers, Player, Players, Reply, Sequence, play};
use rules::PlayerInfo;
use rules::salvo::{Order, Salvo, Settings, random_fleet};
use rules::{Eye, Fault, Game, GameKind, Listed, Outcome, Part, Point, Seat, Seats};
use std::fs;
use std::path::Path;
use std::time::Duration;
use tempfile::tempdir;

/// Fires row by row at the player after it, as far as `wrong` has nothing else for its turn.
struct Scripted {
    random: rules::Random,
    fired: i32,
    wrong: fn(u32) -> Option<Reply<Order>>,
}

impl Player<Salvo> for Scripted {
    fn decide(&mut self, ask: &Ask<'_, Salvo>) -> Result<Reply<Order>, ArenaError> {
        if let Some(reply) = (self.wrong)(ask.turn) {
            return Ok(reply);
        }
        let view = ask.view();
        let order = if view.turn == 0 {
            Order::Place(random_fleet(&mut self.random))
        } else {
            let at = Point::new(self.fired % 10, self.fired / 10 % 10);
            self.fired += 1;
            let others: Vec<Seat> = view
                .players
                .iter()
                .filter(|(seat, player)| *seat != ask.seat && player.is_in)
                .map(|(seat, _)| seat)
                .collect();
            Order::Fire { target: others[0], at }
        };
        let given = Salvo::write(&order);
        Ok(Reply { answer: Ok(order), given, time: None, run: None })
    }
}

fn failed(fault: Fault, given: &[(&'static str, &str)]) -> Option<Reply<Order>> {
    let given = given.iter().map(|(name, text)| Part { name, bytes: text.as_bytes().to_vec() }).collect();
    Some(Reply { answer: Err(fault), given, time: None, run: None })
}

/// A refused shot, a salvo that is too late, answers that cannot be read, and players who leave.
fn much_goes_wrong(turn: u32) -> Option<Reply<Order>> {
    let late = Fault::TimedOut { used: Duration::from_micros(30_000_123), limit: Duration::from_secs(30) };
    match turn {
        7 => failed(late, &[]),
        11 => failed(Fault::Unreadable { why: "fire: x is missing".to_owned() }, &[("target", "A"), ("fire", "{}")]),
        17 => {
            let order = Order::Fire { target: Seat::A, at: Point::new(10, -1) };
            let given = Salvo::write(&order);
            Some(Reply { answer: Ok(order), given, time: None, run: None })
        }
        40 => failed(Fault::GaveUp, &[]),
        _ => None,
    }
}

/// D has placed one ship when its time is up.
fn late_with_its_ships(_: u32) -> Option<Reply<Order>> {
    let minute = Duration::from_millis(60_001);
    let carrier = r#"{"coordinates":{"x":0,"y":0},"orientation":"Vertical"}"#;
    failed(Fault::TimedOut { used: minute, limit: minute }, &[("carrier", carrier)])
}

fn played() -> (Outcome, GameHistory<Salvo>, String) {
    let settings = Settings::default();
    let sitter = || RecordedSeat { details: PlayerInfo::named("X"), content: None, limits: None };
    let header = Header {
        game: GameKind::Salvo,
        settings: serde_json::to_value(settings).unwrap(),
        seed: 3,
        seats: (0..4).map(|_| sitter()).collect(),
        sequence: Some(Sequence::InTurn),
        sandbox: None,
        engine: "a test".to_owned(),
        started: None,
    };
    let game = Salvo::start(&settings, 4, 3).unwrap();
    let mut footage = GameHistory::new(game.clone(), 4);
    let mut record = RecordBuffer::begin(&header, Clock::Stopped(None));
    let mut observers = Observers::new();
    observers.add(&mut footage);
    observers.add(&mut record);
    let player = |nth: u64| -> Box<dyn Player<Salvo>> {
        let wrong = if nth == 3 { late_with_its_ships } else { much_goes_wrong };
        Box::new(Scripted { random: rules::random(nth), fired: 0, wrong })
    };
    let mut players: Players<Salvo> = (0..4).map(player).collect();
    let outcome = play(game, &mut players, Sequence::InTurn, &mut observers).unwrap();
    drop(observers);
    (outcome, footage, String::from_utf8(record.into_lines()).unwrap())
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
    assert!(shown.wrong.is_none());
    for eye in Seats::first(4).iter().map(Eye::Seat).chain([Eye::Referee]) {
        assert!((0..seen.scenes()).all(|at| shown.film.scene(at, eye) == seen.scene(at, eye)));
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
