//! Matches of botsArena: played, recorded, verified, shown.

use crate::schemas::{assert_fits, schema};
use crate::scripted::{Scripted, details, header_of, read};
use arena::record::{Clock, RecordBuffer, save, show};
use arena::{Ask, Observers, Player, Players, Sequence};
use match_folder::{open, verify};
use rules::bots_arena::{Body, BotsArena, FIGHT, INIT, INIT_JSON, PLAY_TURN, Settings, View, place_at_random};
use rules::{Ending, Eye, Game, Outcome, Part, Seat};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// Places its ships at random and strikes row by row.
fn row_by_row(body: Body, view: &View) -> String {
    if view.placing {
        let seed = 1 + view.seat.index() as u64;
        let ends = place_at_random(&view.settings, &mut rules::random(seed)).unwrap();
        let ships = ends.iter().map(|(one, other)| format!("{},{}-{},{}", one.x, one.y, other.x, other.y));
        let ships = serde_json::to_string(&ships.collect::<Vec<_>>()).unwrap();
        return match body {
            Body::Form | Body::Multipart => ships,
            Body::Json => format!(r#"{{"name":"row by row","boats":{ships}}}"#),
        };
    }
    let (nth, width) = (view.own_strikes.len(), usize::from(view.settings.width()));
    let target = format!("{},{}", nth % width, nth / width);
    match body {
        Body::Form | Body::Multipart => target,
        Body::Json => format!(r#"{{"play":"{target}"}}"#),
    }
}

/// The same, until it loses its patience.
fn impatient(body: Body, view: &View) -> String {
    if view.own_strikes.len() < 7 { row_by_row(body, view) } else { "I resign\n".to_owned() }
}

fn play(settings: Settings, body: Body, scripts: [fn(Body, &View) -> String; 2], path: &Path) -> Outcome {
    let names = details(["Alpha", "Bravo"]);
    let header = header_of::<BotsArena>(&settings, 5, names);
    let mut record = RecordBuffer::begin(&header, Clock::Stopped(None)).unwrap();
    let mut watch = Observers::new();
    watch.add(&mut record);
    let player = |script: fn(Body, &View) -> String| -> Box<dyn Player<BotsArena>> {
        Box::new(Scripted(move |ask: &Ask<'_, BotsArena>| {
            let view = ask.view();
            let name = match (body, view.placing) {
                (Body::Form | Body::Multipart, true) => INIT,
                (Body::Form | Body::Multipart, false) => FIGHT,
                (Body::Json, true) => INIT_JSON,
                (Body::Json, false) => PLAY_TURN,
            };
            read(ask, vec![Part { name, bytes: script(body, &view).into_bytes() }])
        }))
    };
    let mut players: Players<BotsArena> = scripts.into_iter().map(player).collect();
    let game = BotsArena::start(&settings, 2, 5).unwrap();
    let outcome = arena::play(game, &mut players, Sequence::Together, &mut watch).unwrap();
    drop(watch);
    save(path, &record.lines()).unwrap();
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
        assert!(shown.failure.is_none());
        assert_eq!(shown.history.scenes(), outcome.turns as usize + 1);
        assert_eq!(shown.history.outcome(), Some(&outcome));
        let last = shown.history.scene(outcome.turns as usize, Eye::Seat(Seat::B));
        assert_eq!(last.title, format!("Turn {}", outcome.turns - 1));
        assert_fits(&schema("record.schema.json"), &fs::read_to_string(&path).unwrap());
        outcome
    });
    assert!(matches!(outcomes[0].ending, Ending::FleetSunk { .. }), "{outcomes:?}");
    assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]), "a body is only another way to say the same");
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
    assert!(shown.failure.is_none());
    assert_eq!(shown.history.scenes(), outcome.turns as usize + 1);
}
