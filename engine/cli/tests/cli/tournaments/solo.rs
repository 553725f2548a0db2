//! `broadside solo`: shots at the same fleets.

use super::pairings::Event;
use super::results_json::told;
use crate::table::broadside;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::json;

#[test]
fn shots_are_counted_on_the_same_boards_and_more_boards_go_on() {
    let event = Event::new(&[]);
    let solo = |boards: &str| {
        let arguments = ["solo", "builtin:hunter", "-s", "1", "--seed", "5", "--boards", boards, "--keep", "all"];
        event.run(&[&arguments[..], &["--dir", "alone"]].concat()).code(0)
    };
    let table = contains("Entelect Challenge 2017 (size small): 6 boards, from board 5 on\n")
        .and(contains("builtin:single-shots"))
        .and(contains("on the same board (95 %)\n"))
        .and(contains("show a difference like this in four cases of five\n"))
        .and(contains("Shots of builtin:hunter, and on how many boards:\n"))
        .and(contains("builtin:passive").not());
    solo("6").stdout(table);
    let more = solo("8").stdout(contains("8 boards, from board 5 on"));
    more.stderr(contains("30 games were played before"));
    // The records certify the scores, and the page shows them.
    let verified = contains(" sank all ships of board 12 with ").count(5);
    event.run(&["verify", "alone"]).code(0).stdout(verified);
    event.run(&["standings", "alone", "--format", "html"]).code(0).stdout(contains(r#"<h2 id="shots">Shots</h2>"#));
}

#[test]
fn the_board_of_a_day_is_the_same_for_all_bots_and_people() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = broadside();
    command.current_dir(folder.path()).args(["solo", "--rules", "russian", "--seed", "2026-11-28", "--json"]);
    let result = told(command.args(["me=builtin:hunter", "builtin:checkerboard"]));
    assert_eq!((&result["seed"], &result["bots"][0]["shots"]["boards"]), (&json!("20261128000"), &json!(1)));
    let named = result["bots"].as_array().unwrap().iter().filter(|bot| bot["is_named"] == true).count();
    assert_eq!((named, &result["difference"]["first"]), (2, &json!("me")));
    let mut play = broadside();
    play.current_dir(folder.path()).args(["play", "--game", "bots-arena", "-c", "1", "--seed", "2026-11-28"]);
    let moves: String = ('A'..='J').flat_map(|x| (0..10).map(move |y| format!("{x}{y}\n"))).collect();
    let played = play.write_stdin(format!("random\n{moves}")).assert().code(0);
    let line = "Player 1 sank all ships of the board of 2026-11-28 with ";
    played.stdout(contains(line).and(contains("Player 1 wins: all ships of builtin:passive are sunk")));
    let verify = broadside().current_dir(folder.path()).args(["verify", "replays"]).assert().code(0);
    verify.stdout(contains("B sank all ships of the board of 2026-11-28 with "));
    broadside().args(["solo", "my-bot", "--seed", "tomorrow"]).assert().code(2).stderr(contains("2026-11-28"));
}

#[test]
fn a_bot_that_does_not_sink_all_has_the_shots_of_the_limit() {
    let event = Event::new(&[]);
    let arguments = ["solo", "--game", "sea-battle", "--max-moves", "40", "--seed", "1", "--boards", "2"];
    let result = contains("not sunk").and(contains("builtin:random           40.0 ± 0.0"));
    event.run(&[&arguments[..], &["builtin:random"]].concat()).code(0).stdout(result);
    event.run(&["solo", "--game", "salvo", "builtin:random"]).code(2).stderr(contains("Salvo has no tournaments"));
}
