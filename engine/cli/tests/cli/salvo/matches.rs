//! Salvo without a network: matches of built-in players.

use crate::http::matches::empty_folder;
use crate::table::broadside;
use assert_cmd::assert::Assert;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

const THREE: [&str; 4] = ["-b", "builtin:hunter", "builtin:random", "builtin:random"];

fn run(dir: &TempDir, arguments: &[&str]) -> Assert {
    broadside().current_dir(dir.path()).args(arguments).assert()
}

fn play(dir: &TempDir, flags: &[&str], bots: &[&str]) -> Assert {
    run(dir, &[&["play", "--game", "salvo", "-l", "match", "--seed", "5"], flags, bots].concat())
}

#[test]
fn built_in_players_play_it_and_the_match_is_recorded_verified_and_shown() {
    let dir = empty_folder();
    play(&dir, &[], &THREE).code(0).stdout(contains(" wins: all ships of ").and(contains(" shots, seed 5\n")));
    let record = fs::read_to_string(dir.path().join("match/match.jsonl")).unwrap();
    let lines: Vec<Value> = record.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["settings"], serde_json::json!({ "rounds_without_sinking": 100 }));
    let fleet = &lines[1]["answers"]["C"]["gave"];
    assert_eq!(fleet.as_object().unwrap().len(), 5);
    assert!(fleet["carrier"].as_str().unwrap().starts_with(r#"{"coordinates":""#));
    assert_eq!(lines[2]["answers"].as_object().unwrap().len(), 1, "one shot is one turn");

    run(&dir, &["verify", "match"]).code(0).stderr("1 of 1 match verified\n");
    run(&dir, &["replay", "match", "--print", "--round", "1", "--eyes", "C"]).code(0).stdout(contains("Round 1 · "));
    run(&dir, &["replay", "match", "--print", "--eyes", "D"]).code(2).stderr(contains("the seats are A, B, C"));
    run(&dir, &["replay", "match", "--html", "match.html"]).code(0).stdout("match.html\n");
    let page = fs::read_to_string(dir.path().join("match.html")).unwrap();
    assert!(page.contains(r#""turn":"shot""#) && page.contains(r#""first_row_on_top":true"#));
    run(&dir, &["expand", "match", "folder"]).code(5).stderr(contains("salvo"));
}

#[test]
fn the_same_seed_gives_the_same_match() {
    let dir = empty_folder();
    let told = || play(&dir, &["--record", "compact"], &THREE).code(0).get_output().stdout.clone();
    assert_eq!(told(), told());
}

#[test]
fn sixteen_sit_at_one_table_and_all_their_boards_are_shown() {
    let dir = empty_folder();
    let bots: Vec<&str> = ["-b"].into_iter().chain(["builtin:random"; 16]).collect();
    let shown = play(&dir, &["--pretty", "--rounds-without-sinking", "1"], &bots).code(0);
    let shown = String::from_utf8(shown.get_output().stdout.clone()).unwrap();
    assert!(shown.contains("Round 1 · ") && shown.contains("P builtin:random (P)"));
    assert!(shown.lines().all(|line| line.chars().count() <= 80));
    assert!(shown.contains("no ship was sunk in a whole round"));
    run(&dir, &["verify", "match"]).code(0);
}

#[test]
fn tables_too_small_or_too_large_are_an_error_before_the_match() {
    let dir = empty_folder();
    for (count, given) in [(1, "you named 1"), (17, "you named 17")] {
        let bots: Vec<&str> = ["-b"].into_iter().chain(std::iter::repeat_n("builtin:random", count)).collect();
        play(&dir, &[], &bots).code(2).stderr(contains("Salvo needs 2 to 16 players").and(contains(given)));
    }
    play(&dir, &[], &[]).code(2).stderr(contains("you named 0"));
    play(&dir, &["--rounds-without-sinking", "0"], &THREE).code(2).stderr(contains("0 is not in 1..=1000"));
    assert!(!dir.path().join("match").exists());
}

#[test]
fn other_bots_are_told_where_salvo_is_played() {
    let dir = empty_folder();
    for bot in ["http://127.0.0.1:1", "my-bot"] {
        let hint = contains("broadside salvo serve");
        play(&dir, &[], &["-b", "builtin:random", bot]).code(2).stderr(contains("come over MQTT").and(hint));
    }
    play(&dir, &[], &["-b", "builtin:random", "builtin:nobody"]).code(2).stderr(contains("there is no player"));
    play(&dir, &["--limit", "100"], &THREE).code(2).stderr(contains("--limit is not for --game salvo"));
}

#[test]
fn there_are_no_tournaments_comparisons_and_checks_of_salvo() {
    let dir = empty_folder();
    let tournament = ["tournament", "--game", "salvo", "-b", "builtin:random", "builtin:hunter"];
    run(&dir, &tournament).code(2).stderr(contains("Salvo has no tournaments"));
    let compare = ["compare", "--game", "salvo", "builtin:random", "builtin:hunter"];
    run(&dir, &compare).code(2).stderr(contains("Salvo has no tournaments"));
    run(&dir, &["check", "--game", "salvo", "http://127.0.0.1:1"]).code(2).stderr(contains("clients over MQTT"));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0, "nothing was begun");
}
