//! Tournaments of bots that are called over HTTP.

use crate::http::matches::{PATIENT, empty_folder, serving_one_at_a_time};
use crate::http_server::{Server as Scripted, good};
use crate::sample_server::Server;
use crate::screens::schemas::Schema;
use crate::table::{broadside, signalled};
use crate::tournaments::pairings::games_in;
use assert_cmd::assert::Assert;
use predicates::prelude::*;
use predicates::str::{contains, starts_with};
use serde_json::Value;
use std::fs;
use std::process::Stdio;
use tempfile::TempDir;

fn run(dir: &TempDir, arguments: &[&str]) -> Assert {
    broadside().current_dir(dir.path()).args(arguments).assert()
}

fn sorted_games(dir: &TempDir, folder: &str) -> Vec<String> {
    let mut games = games_in(&dir.path().join(folder));
    games.sort();
    games
}

fn journal(dir: &TempDir, folder: &str) -> Vec<Value> {
    Schema::journal().read_lines(&fs::read_to_string(dir.path().join(folder).join("games.jsonl")).unwrap())
}

/// A tournament of two services of the sample and a built-in player.
fn tournament<'a>(bots: [&'a str; 2], more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["tournament", "--game", "sea-battle", "-g", "4", "--seed", "5", "-b"];
    arguments.extend(bots);
    arguments.push("builtin:random");
    arguments.extend(PATIENT);
    arguments.extend(more);
    arguments
}

#[test]
fn a_tournament_of_services_is_played_told_and_verified() {
    let (Some(one), Some(other)) = (Server::python("sea-battle-python"), Server::python("sea-battle-python")) else {
        return;
    };
    let dir = empty_folder();
    let bots = [one.url.as_str(), other.url.as_str()];
    let arguments = tournament(bots, &["--keep", "all", "--dir", "out", "--format", "jsonl"]);
    let told = run(&dir, &arguments).code(0).get_output().stdout.clone();
    let events = Schema::events().read_lines(&String::from_utf8(told).unwrap());
    assert_eq!(events.iter().filter(|event| event["event"] == "game").count(), 12);
    let lines = journal(&dir, "out");
    assert_eq!((&lines[0]["game"], &lines[0]["settings"]["max_moves_each"]), (&"sea-battle".into(), &120.into()));
    let place = one.url.strip_prefix("http://").unwrap();
    assert_eq!((&lines[1]["name"], &lines[1]["details"]["BotType"]), (&place.into(), &"HTTP".into()));
    let game = lines.iter().find(|line| line["line"] == "game" && line["first"] == 0 && line["second"] == 1).unwrap();
    assert_eq!(game["players"][0]["limits"]["answer_ms"], 60_000);
    assert!(game["players"][0]["times"].is_array() && game["suspect"].is_null());
    run(&dir, &["verify", "out"]).code(0).stderr("12 of 12 matches verified\n");

    run(&dir, &["standings", "out"]).code(0).stdout(contains(place).and(contains("3  builtin:random")));
    run(&dir, &["standings", "out", "--format", "html"]).code(0).stdout(contains("Sea Battle").and(contains(place)));
    run(&dir, &["standings", "out", "--format", "junit"])
        .code(0)
        .stdout(contains("<testsuites").and(contains("<failure").not()));
    run(&dir, &["sprt", "out", place, "builtin:random"]).code(0).stdout(contains(place));

    // Continued with a bot more, and refused with other settings.
    let more = tournament(bots, &["-b", "builtin:hunter", "--dir", "out"]);
    run(&dir, &more).code(0).stdout(contains("builtin:hunter"));
    assert_eq!(games_in(&dir.path().join("out")).len(), 24);
    let refused = |changes: &[&str], words: &str| {
        let arguments = [&["tournament", "--dir", "out", "-b", bots[0], bots[1], "builtin:random"], changes].concat();
        run(&dir, &arguments)
            .code(2)
            .stderr(contains("is of another tournament: ").and(contains(words)).and(contains("--dir")));
    };
    refused(
        &["--game", "sea-battle", "--max-moves", "50"],
        r#"its settings are {"max_moves_each":120}, not {"max_moves_each":50}"#,
    );
    // Only the difference is told.
    refused(
        &["--game", "sea-battle", "--max-moves", "120", "--profile", "public-server"],
        r#"its settings are {}, not {"profile":"public-server"}"#,
    );
    refused(&["--game", "bots-arena"], "its game is sea-battle, not bots-arena");
    refused(&["--game", "sea-battle", "--seed", "6"], "its seed is 5, not 6");
}

#[test]
fn a_service_that_serves_one_connection_at_a_time_loses_no_game_of_a_tournament_by_it() {
    let service = serving_one_at_a_time();
    let dir = empty_folder();
    let bots = ["One", "Other"].map(|name| format!("{name}={}", service.url()));
    let arguments = ["tournament", "--game", "sea-battle", "--max-moves", "6", "-g", "6", "--limit", "10000", "-b"];
    let told = run(&dir, &[&arguments[..], &[&bots[0], &bots[1], "builtin:random", "--dir", "out"]].concat()).code(0);
    told.stdout(contains("timed-out").not());
    let lines = journal(&dir, "out");
    let games: Vec<&Value> = lines.iter().filter(|line| line["line"] == "game").collect();
    assert_eq!(games.len(), 18);
    assert!(games.iter().all(|game| game["outcome"]["turns"] == 13), "all were played to their end");
}

#[test]
fn a_tournament_of_services_that_was_killed_ends_as_if_nothing_had_happened() {
    let (Some(one), Some(other)) = (Server::python("sea-battle-python"), Server::python("sea-battle-python")) else {
        return;
    };
    let dir = empty_folder();
    let [first, second] = [&one.url, &other.url].map(|url| (format!("First={url}"), format!("Second={url}")));
    let bots = [first.0.as_str(), second.1.as_str()];
    // A bot that has moved is the same under the same name.
    let moved = [second.0.as_str(), first.1.as_str()];
    let journal = dir.path().join("killed/games.jsonl");
    for games in [0, 3, 7] {
        let mut engine = signalled();
        engine.current_dir(dir.path()).args(tournament(bots, &["--dir", "killed", "-j", "1"]));
        let mut engine = engine.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while fs::read_to_string(&journal).unwrap_or_default().matches(r#""line":"game""#).count() < games
            && engine.try_wait().unwrap().is_none()
        {
            test_tools::pause();
        }
        engine.kill().unwrap();
        engine.wait().unwrap();
    }
    run(&dir, &tournament(moved, &["--dir", "killed", "-j", "2"])).code(0);
    run(&dir, &tournament(bots, &["--dir", "whole", "-j", "1"])).code(0);
    assert_eq!(sorted_games(&dir, "killed"), sorted_games(&dir, "whole"));
    assert_eq!(sorted_games(&dir, "whole").len(), 12);
}

#[test]
fn two_services_are_compared_in_either_dialect() {
    let Some(python) = Server::python("bots-arena-python") else { return };
    let dir = empty_folder();
    let compared = |dialect: &str, more: &[&str]| {
        let usual = [
            "compare",
            "--game",
            "bots-arena",
            "--dialect",
            dialect,
            "--verdict",
            "--sprt",
            "0,100",
            PATIENT[0],
            PATIENT[1],
        ];
        run(&dir, &[&usual, more].concat())
    };
    let place = python.url.strip_prefix("http://").unwrap();
    for dialect in ["form", "json"] {
        let told = compared(dialect, &[&python.url, "builtin:random", "--dir", dialect]);
        told.code(0).stdout(starts_with(place).and(contains(format!("{place} is stronger"))));
        let lines = journal(&dir, dialect);
        assert_eq!(lines[0]["dialect"], dialect);
        Schema::journal().assert_is_strict_with(&lines[0], &["dialect"]);
        run(&dir, &["sprt", dialect, "--verdict", "--sprt", "0,100"]).code(0);
    }
    compared("json", &[&python.url, "builtin:random", "--dir", "form"])
        .code(2)
        .stderr(contains("its dialect is form, not json"));
    // Without a folder the same command finds its own, and other settings have another one.
    for (width, folders) in [("4", 1), ("4", 1), ("5", 2)] {
        let small = ["--width", width, "--ships", "0,1,0,0,0,0", "-g", "2", "--seed", "1"];
        let arguments = [&["tournament", "--game", "bots-arena", "-b", "builtin:random", "builtin:hunter"], &small[..]];
        run(&dir, &arguments.concat()).code(0);
        assert_eq!(fs::read_dir(dir.path().join("tournaments")).unwrap().count(), folders);
    }
}

#[test]
fn faults_of_services_are_counted_and_told() {
    let good_but_wrong = Scripted::saying(good("[]"));
    let failing = Scripted::once("HTTP/1.1 500 Oh no\r\nContent-Length: 0\r\n\r\n");
    let hung = Scripted::new(|visit| visit.hang());
    let gone = Scripted::saying("").url();
    let dir = empty_folder();
    // The limit is waited for in two games. No check fails if another bot misses it in some of its games.
    let [wrong, failing, hung] = [&good_but_wrong, &failing, &hung].map(Scripted::url);
    // A bot may be named twice.
    let bots = [&wrong, &failing, &hung, &gone, &wrong].map(String::as_str);
    let usual = [
        "tournament",
        "--game",
        "sea-battle",
        "--limit",
        "500",
        "-g",
        "2",
        "--format",
        "gauntlet",
        "--dir",
        "out",
        "-b",
        "builtin:random",
    ];
    let told = run(&dir, &[&usual[..], &bots[..]].concat()).code(0);
    told.stdout(
        contains("1  builtin:random")
            .and(contains("unreadable"))
            .and(contains("timed-out"))
            .and(contains("unreachable")),
    );
    let lines = journal(&dir, "out");
    let entrants: Vec<&str> =
        lines.iter().filter(|line| line["line"] == "entrant").map(|line| line["name"].as_str().unwrap()).collect();
    assert_eq!(entrants[5], format!("{} (2)", entrants[1]));
    let games: Vec<&Value> = lines.iter().filter(|line| line["line"] == "game").collect();
    assert_eq!(games.len(), 10);
    assert!(games.iter().all(|game| game["record"].is_string()), "the records of games with faults are kept");
    run(&dir, &["verify", "out", "--quiet"]).code(0);
    run(&dir, &["standings", "out", "--format", "junit"]).code(0).stdout(contains("<failure"));
}

#[test]
fn what_does_not_fit_a_tournament_is_told_before_it_begins() {
    let dir = empty_folder();
    let wrong = |arguments: &[&str], words: &str| {
        run(&dir, arguments).code(2).stdout("").stderr(contains(words).and(contains("hint: ")));
    };
    let sea = ["tournament", "--game", "sea-battle", "-b", "builtin:random"];
    wrong(&[&sea[..], &["bots/*"]].concat(), "no folder with a bot.json fits bots/*");
    wrong(&[&sea[..], &["http://8.8.8.8"]].concat(), "may not be called");
    wrong(&sea, "a tournament needs two bots or more");
    let calibration = "--calibration is not for --game sea-battle";
    wrong(&[&sea[..], &["builtin:hunter", "--calibration", "off"]].concat(), calibration);
    wrong(&["tournament", "-b", "http://localhost:1", "builtin:random"], "is a URL");
    wrong(&["compare", "builtin:random", "builtin:hunter", "--limit", "9"], "--limit is not for --game entelect-2017");
    let none = ["compare", "--game", "bots-arena", "--ships", "0,0,0,0,0,0", "builtin:random", "builtin:hunter"];
    wrong(&none, "there are no ships");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0, "nothing was made");
}
