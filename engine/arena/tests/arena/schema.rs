//! The schema in docs/ is what records are like.

use crate::schemas::{assert_fits, assert_refuses, schema};
use crate::scripted::{FLEET, giving, idle, play, player, row_by_row};
use arena::Sequence;
use arena::record::MATCH_JSONL;
use rules::GameKind;
use rules::entelect_2017::{MapSize, Phase, View};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

#[test]
fn records_fit_the_schema_and_other_lines_do_not() {
    let schema = schema("record.schema.json");
    let strange = |view: &View| if view.phase == Phase::One { FLEET.into() } else { b"\xFF".to_vec() };
    let folder = tempdir().unwrap();
    let mut records = Vec::new();
    for other in [player(row_by_row), player(idle), giving(strange)] {
        play(MapSize::Small, [player(row_by_row), other], Sequence::InTurn, folder.path(), None).unwrap();
        records.push(fs::read_to_string(folder.path().join(MATCH_JSONL)).unwrap());
    }
    records.iter().for_each(|record| assert_fits(&schema, record));
    let changes = [
        (r#""version":1"#, r#""version":2"#),
        (r#""size":"small""#, r#""size":"tiny""#),
        (r#""seed":"0""#, r#""seed":0"#),
        (r#""turn":0"#, r#""turn":-1"#),
        (r#""answers":{"A""#, r#""answers":{"Q""#),
        (r#""kind":"nothing-written""#, r#""kind":"bored""#),
        (r#""winner":"A""#, r#""winner":"nobody""#),
        (r#""base64":"/w=="#, r#""base32":"/w=="#),
    ];
    assert_refuses(&schema, records.iter().flat_map(|record| record.lines()), &changes);
}

#[test]
fn the_records_that_git_keeps_are_still_right() {
    for game in GameKind::ALL {
        let replays = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../replays");
        let path = replays.join(game.name()).with_extension("jsonl");
        assert_fits(&schema("record.schema.json"), &fs::read_to_string(&path).unwrap());
        let verified = match_folder::verify(&match_folder::open(&path).unwrap()).unwrap();
        assert_eq!((verified.game, verified.outcome.is_some()), (game, true));
    }
}
