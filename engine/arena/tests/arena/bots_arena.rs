//! Matches of botsArena: played, recorded, verified, shown.

use crate::schema::{assert_fits, schema};
use crate::scripted::details;
use arena::record::{Clock, Header, RecordBuffer, RecordedSeat, open, save, show, verify};
use arena::{ArenaError, Ask, Observers, Player, Players, Reply, Sequence};
use rules::bots_arena::{Body, BotsArena, FIGHT, INIT, INIT_JSON, Order, PLAY_TURN, Settings, View, place_at_random};
use rules::{Ending, Eye, Game, GameKind, Listed, Outcome, Part, Seat};
use std::fs;
use std::path::Path;
use tempfile::tempdir;
use tournament::{Format, JournalLine, TournamentHeader};

/// Answers with the text that its script makes of a view.
struct Scripted {
    script: fn(Body, &View) -> String,
    body: Body,
}

impl Player<BotsArena> for Scripted {
    fn decide(&mut self, ask: &Ask<'_, BotsArena>) -> Result<Reply<Order>, ArenaError> {
        let view = ask.view();
        let name = match (self.body, view.placing) {
            (Body::Form, true) => INIT,
            (Body::Form, false) => FIGHT,
            (Body::Json, true) => INIT_JSON,
            (Body::Json, false) => PLAY_TURN,
        };
        let given = vec![Part { name, bytes: (self.script)(self.body, &view).into_bytes() }];
        Ok(Reply { answer: BotsArena::read(&given), given, time: None, run: None })
    }
}

/// Places its ships at random and strikes row by row.
fn row_by_row(body: Body, view: &View) -> String {
    if view.placing {
        let seed = 1 + view.seat.index() as u64;
        let ends = place_at_random(&view.settings, &mut rules::random(seed)).unwrap();
        let ships = ends.iter().map(|(one, other)| format!("{},{}-{},{}", one.x, one.y, other.x, other.y));
        let ships = serde_json::to_string(&ships.collect::<Vec<_>>()).unwrap();
        return match body {
            Body::Form => ships,
            Body::Json => format!(r#"{{"name":"row by row","boats":{ships}}}"#),
        };
    }
    let (nth, width) = (view.own_strikes.len(), usize::from(view.settings.width()));
    let target = format!("{},{}", nth % width, nth / width);
    match body {
        Body::Form => target,
        Body::Json => format!(r#"{{"play":"{target}"}}"#),
    }
}

/// The same, until it loses its patience.
fn impatient(body: Body, view: &View) -> String {
    if view.own_strikes.len() < 7 { row_by_row(body, view) } else { "I resign\n".to_owned() }
}

fn play(settings: Settings, body: Body, scripts: [fn(Body, &View) -> String; 2], path: &Path) -> Outcome {
    let names = details(["Alpha", "Bravo"]);
    let header = Header {
        game: BotsArena::KIND,
        settings: serde_json::to_value(settings).unwrap(),
        seed: 5,
        seats: names.map(|details| RecordedSeat { details: details.clone(), content: None, limits: None }),
        sequence: Some(Sequence::Together),
        sandbox: None,
        engine: "a test".to_owned(),
        started: None,
    };
    let mut record = RecordBuffer::begin(&header, Clock::Stopped(None));
    let mut watch = Observers::new();
    watch.add(&mut record);
    let player = |script| -> Box<dyn Player<BotsArena>> { Box::new(Scripted { script, body }) };
    let mut players: Players<BotsArena> = scripts.into_iter().map(player).collect();
    let game = BotsArena::start(&settings, 2, 5).unwrap();
    let outcome = arena::play(game, &mut players, Sequence::Together, &mut watch).unwrap();
    drop(watch);
    save(path, &record.into_lines()).unwrap();
    outcome
}

#[test]
fn a_match_in_either_body_is_recorded_verified_and_shown() {
    let folder = tempdir().unwrap();
    let outcomes = Body::ALL.map(|body| {
        let path = folder.path().join(format!("{}.jsonl", body.name()));
        let outcome = play(Settings::default(), body, [row_by_row, row_by_row], &path);
        let opened = open(&path).unwrap();
        assert_eq!(verify(&opened).unwrap().outcome, Some(outcome.clone()));
        let shown = show(&opened.record).unwrap();
        assert!(shown.wrong.is_none());
        assert_eq!(shown.film.scenes(), outcome.turns as usize + 1);
        assert_eq!(shown.film.outcome(), Some(&outcome));
        let last = shown.film.scene(outcome.turns as usize, Eye::Seat(Seat::B));
        assert_eq!(last.title, format!("Turn {} · battle", outcome.turns - 1));
        assert_fits(&schema("record.schema.json"), &fs::read_to_string(&path).unwrap());
        outcome
    });
    assert!(matches!(outcomes[0].ending, Ending::FleetSunk { .. }), "{outcomes:?}");
    assert_eq!(outcomes[0], outcomes[1], "a body is only another way to say the same");
}

#[test]
fn a_match_that_ends_with_an_unreadable_answer_ends_so_again() {
    let folder = tempdir().unwrap();
    for body in Body::ALL {
        let path = folder.path().join(format!("{}.jsonl.zst", body.name()));
        let outcome = play(Settings::default(), body, [row_by_row, impatient], &path);
        assert_eq!((outcome.winner, outcome.turns), (Some(Seat::A), 17));
        assert!(outcome.ending.told(|seat| seat.to_string()).ends_with(r#": "I resign\n""#), "{outcome:?}");
        assert_eq!(verify(&open(&path).unwrap()).unwrap().outcome, Some(outcome));
    }
}

#[test]
fn a_match_of_thousands_of_turns_is_recorded_and_shown() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("match.jsonl");
    let settings = Settings::new(100, 30, [10; 6]).unwrap();
    let outcome = play(settings, Body::Form, [row_by_row, row_by_row], &path);
    assert!(outcome.turns > 4000, "{outcome:?}");
    let shown = show(&open(&path).unwrap().record).unwrap();
    assert!(shown.wrong.is_none());
    assert_eq!(shown.film.scenes(), outcome.turns as usize + 1);
}

#[test]
fn tournaments_of_bots_arena_fit_the_schema_of_journals() {
    let journal = schema("journal.schema.json");
    let line = |settings: &str| {
        let settings = serde_json::from_str(settings).unwrap();
        let event = TournamentHeader::new(GameKind::BotsArena, settings, Format::RoundRobin, None, 7);
        serde_json::to_string(&JournalLine::Tournament(event)).unwrap()
    };
    let usual = serde_json::to_string(&Settings::default()).unwrap();
    assert_fits(&journal, &line(&usual));
    for other in [usual.replace("10", "101"), usual.replace("[0,", "["), usual.replace("width", "breadth")] {
        let line: serde_json::Value = serde_json::from_str(&line(&other)).unwrap();
        assert!(!journal.is_valid(&line), "{other}");
    }
}
