//! Records and journals of version 0.1.0 are read, verified and continued. `tests/formats-0.1` was written by that version.

use crate::http_server::{Server, good};
use crate::salvo::server as salvo_server;
use crate::serve;
use crate::table::broadside;
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
fn a_fault_stands_though_the_answer_could_be_read_today() {
    let files = files();
    let record = files.path().join("bots-arena/match.jsonl");
    assert!(fs::read_to_string(&record).unwrap().contains("\"fight\":\"\u{feff}6,9\"},\"fault\""));
    broadside().arg("verify").arg(&record).assert().code(0).stdout(contains("WRONG").not());
    let tournament = files.path().join("bots-arena/tournament");
    broadside().arg("verify").arg(&tournament).assert().code(0).stderr("2 of 2 matches verified\n");
    let told = broadside().arg("standings").arg(&tournament).assert().code(0);
    told.stdout(contains("Marked").and(contains("unreadable")));
}

#[test]
fn a_tournament_of_bots_arena_goes_on_in_its_dialect() {
    let files = files();
    // Asked with JSON, this bot would place its ships.
    let bot = Server::new(|visit| {
        while visit.hears() {
            let is_json = visit.last_request().contains("application/json");
            let ships = r#"{"boats":["3,3-3,7","2,1-2,4","0,1-0,3","7,3-7,1","8,8-7,8"]}"#;
            visit.say(good(if is_json { ships } else { "no" }).as_bytes());
        }
    });
    let tournament = files.path().join("bots-arena/tournament");
    let mut more = broadside();
    more.args(["tournament", "--game", "bots-arena", "--games", "4", "--seed", "7", "--dir"]).arg(&tournament);
    more.args(["-b", &format!("Marked={}", bot.url()), "builtin:random"]).assert().code(0);
    let after = fs::read_to_string(tournament.join("games.jsonl")).unwrap();
    assert_eq!(after.matches("\"line\":\"game\"").count(), 4);
    assert!(bot.requests().len() == 2 && bot.requests().iter().all(|request| request.contains("act=init")));
}

#[test]
fn a_tournament_of_sea_battle_goes_on_with_its_limit_of_moves() {
    let folder = tempfile::tempdir().unwrap();
    let play = |games: &str, more: &[&str]| {
        let mut command = broadside();
        command.args([
            "tournament",
            "--game",
            "sea-battle",
            "--keep",
            "none",
            "--seed",
            "7",
            "--games",
            games,
            "--dir",
        ]);
        command.arg(folder.path()).args(["-b", "builtin:random", "builtin:hunter"]).args(more);
        command.assert()
    };
    play("2", &["--max-moves", "60"]).code(0);
    let journal = folder.path().join("games.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    // As version 0.1.0 wrote it, which counted the moves of both.
    assert!(text.contains(r#"{"max_moves_each":60}"#), "{text}");
    fs::write(&journal, text.replacen(r#"{"max_moves_each":60}"#, r#"{"max_moves":120}"#, 1)).unwrap();
    play("4", &[]).code(0);
    let after = fs::read_to_string(&journal).unwrap();
    assert_eq!(after.matches("\"line\":\"game\"").count(), 4);
    let other = play("6", &["--max-moves", "60"]).code(2);
    other.stderr(contains(r#"settings are {"max_moves":120}, not {"max_moves_each":60}"#));
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
