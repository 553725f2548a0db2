//! Records and journals of version 0.1.0 are read, verified and continued. `tests/formats-0.1` was written by that version.

use crate::table::broadside;
use crate::{salvo_server, serve};
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::json;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use walkdir::WalkDir;

/// A copy of the files, which a test may change.
fn files() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats-0.1");
    for entry in WalkDir::new(&from).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file()) {
        let to = folder.path().join(entry.path().strip_prefix(&from).unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(entry.path(), to).unwrap();
    }
    folder
}

#[test]
fn records_of_all_games_are_verified() {
    let replays = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../replays");
    let records =
        ["entelect-2017", "sea-battle", "bots-arena", "salvo"].map(|game| replays.join(format!("{game}.jsonl")));
    broadside().arg("verify").args(records).assert().code(0).stdout(contains("WRONG").not());
    let files = files();
    broadside()
        .arg("verify")
        .arg(files.path().join("arena/records"))
        .assert()
        .code(0)
        .stderr("4 of 4 matches verified\n");
}

#[test]
fn a_tournament_is_told_and_goes_on() {
    let files = files();
    let told = broadside().arg("standings").arg(files.path().join("games.jsonl")).assert().code(0);
    told.stdout(contains("1  builtin:hunter").and(contains("+328")));
    let before = fs::read_to_string(files.path().join("games.jsonl")).unwrap();
    let mut more = broadside();
    more.args(["tournament", "-s", "1", "--keep", "none", "--games", "6", "--seed", "7", "--dir"]).arg(files.path());
    more.args(["-b", "builtin:random", "builtin:hunter", "builtin:random"]).assert().code(0);
    let after = fs::read_to_string(files.path().join("games.jsonl")).unwrap();
    assert!(after.starts_with(&before));
    assert_eq!(after.matches("\"line\":\"game\"").count(), 18);
}

#[test]
fn a_tournament_server_goes_on() {
    let files = files();
    let server = serve::Running::start(&files.path().join("arena"), &[]);
    let matches = server.all_matches();
    let first = matches.iter().find(|played| played["id"] == 1).unwrap();
    assert_eq!((&first["names"], &first["results"]), (&json!(["Bob", "Ann"]), &json!(["loss", "win"])));
    assert!(
        matches.iter().filter(|played| played["id"].as_u64().is_some_and(|id| id <= 4)).count() == 4,
        "{matches:?}"
    );
}

#[test]
fn a_match_of_salvo_in_whose_middle_the_server_was_killed_goes_on() {
    let files = files();
    let mut server = salvo_server::ServerProcess::start(&files.path().join("salvo"), &["--listen", "127.0.0.1:0"]);
    server.says("The match goes on after 8 turns");
}
