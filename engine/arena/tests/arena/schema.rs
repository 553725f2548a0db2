//! docs/record.schema.json is what records are like.

use crate::scripted::{FLEET, Giving, idle, play, player, row_by_row};
use arena::Sequence;
use arena::record::MATCH_JSONL;
use jsonschema::Validator;
use rules::entelect_2017::{MapSize, Phase, View};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

fn schema() -> Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/record.schema.json");
    jsonschema::validator_for(&serde_json::from_slice(&fs::read(path).unwrap()).unwrap()).unwrap()
}

fn assert_fits(schema: &Validator, record: &str) {
    for line in record.lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        let errors: Vec<String> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{line}: {errors:?}");
    }
}

#[test]
fn records_fit_the_schema_and_other_lines_do_not() {
    let schema = schema();
    let strange = |view: &View| if view.phase == Phase::One { FLEET.into() } else { b"\xFF".to_vec() };
    let folder = tempdir().unwrap();
    let mut records = Vec::new();
    for other in [player(row_by_row), player(idle), Box::new(Giving { bytes: strange })] {
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
    for (from, to) in changes {
        let line = records.iter().flat_map(|record| record.lines()).find(|line| line.contains(from)).unwrap();
        let changed: Value = serde_json::from_str(&line.replacen(from, to, 1)).unwrap();
        assert!(!schema.is_valid(&changed), "{to}");
    }
}

#[test]
fn the_record_that_git_keeps_is_still_right() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../replays/entelect-2017.jsonl");
    assert_fits(&schema(), &fs::read_to_string(&path).unwrap());
    let verified = arena::record::verify(&arena::record::open(&path).unwrap()).unwrap();
    assert!(verified.outcome.is_some());
}
