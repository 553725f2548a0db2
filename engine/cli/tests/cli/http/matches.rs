//! Matches between bots that are called over HTTP, as processes and servers of their own.

use crate::http_server::{Server as Scripted, good};
use crate::sample_server::{Server, every_sea_battle_sample};
use crate::table::{assert_is_verified, broadside, signalled};
use assert_cmd::assert::Assert;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

pub fn empty_folder() -> TempDir {
    tempfile::Builder::new().prefix("a folder ").tempdir().unwrap()
}

fn run(dir: &TempDir, arguments: &[&str]) -> Assert {
    broadside().current_dir(dir.path()).args(arguments).assert()
}

/// A match between bots that have time.
fn played(dir: &TempDir, arguments: &[&str]) -> Assert {
    run(dir, &[arguments, &PATIENT].concat())
}

/// Time enough for a bot that answers, on a machine on which many tests run.
pub const PATIENT: [&str; 2] = ["--limit", "60000"];

/// The lines of a record.
fn lines(record: &Path) -> Vec<Value> {
    let text = fs::read_to_string(record).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The answers of a match and its outcome, without anything that says when it was.
fn course(record: &Path) -> Vec<String> {
    let gave = |line: &Value| {
        format!("{}{}{}{}", line["turn"], line["answers"]["A"]["gave"], line["answers"]["B"]["gave"], line["outcome"])
    };
    lines(record).iter().skip(1).map(gave).collect()
}

/// The first line of a match, told by its ships or strikes: what the bots' answers are called.
fn parts(record: &Path, turn: usize, seat: &str) -> Vec<String> {
    let gave = lines(record)[turn + 1]["answers"][seat]["gave"].clone();
    gave.as_object().unwrap().keys().cloned().collect()
}

/// Everything that can be done with a record.
fn used(dir: &TempDir, match_folder: &str, title: &str) {
    run(dir, &["verify", match_folder]).code(0).stdout(contains(" turns, ")).stderr("1 of 1 match verified\n");
    run(dir, &["replay", match_folder, "--print", "--round", "0"])
        .code(0)
        .stdout(contains("placed its ships").or(contains("lacing the ships")));
    run(dir, &["replay", match_folder, "--html", "match.html"]).code(0).stdout("match.html\n");
    assert!(fs::read_to_string(dir.path().join("match.html")).unwrap().contains(title));
    run(dir, &["expand", match_folder, "expanded"]).code(5).stderr(contains("entelect-2017"));
    assert!(!dir.path().join("expanded/Phase 1 - Round 0").exists());
}

#[test]
fn a_match_of_sea_battle_is_played_kept_and_seen_again() {
    let Some(python) = Server::python("sea-battle-python") else { return };
    let dir = empty_folder();
    // As the READMEs and `broadside new` say it, but for the port.
    let told = played(
        &dir,
        &["play", "--game", "sea-battle", "-b", &python.url, "builtin:random", "--log", "out", "--seed", "7"],
    );
    let place = python.url.strip_prefix("http://").unwrap();
    told.code(0).stdout(
        contains(place)
            .and(contains("builtin:random"))
            .and(contains(" turns, seed 7\n"))
            .and(contains("/out\n"))
            .and(contains("round").not()),
    );
    let record = dir.path().join("out/match.jsonl");
    let header = &lines(&record)[0];
    assert_eq!(header["game"], "sea-battle");
    assert_eq!(header["seats"][0]["limits"]["answer_ms"], 60_000);
    assert_eq!(header["seats"][0]["details"]["NickName"], place);
    assert_eq!(header["seats"][1]["details"]["NickName"], "builtin:random");
    assert_eq!(fs::read_dir(dir.path().join("out")).unwrap().count(), 1, "nothing but the record");
    used(&dir, "out", "Sea Battle");

    // Without the word, in the other seats, with a name, and short.
    let arguments = [
        "--game",
        "sea-battle",
        "--max-moves",
        "5",
        "-b",
        "builtin:hunter",
        &format!("Captain={}/", python.url),
        "--log",
        "short",
    ];
    played(&dir, &arguments)
        .code(0)
        .stdout(contains("the 10 moves are over").and(contains("11 turns")).and(contains(" Captain ")));
    // The sample plays the same in every match of the same seed.
    played(
        &dir,
        &["play", "--game", "sea-battle", "-b", &python.url, "builtin:random", "--log", "again", "--seed", "7"],
    )
    .code(0);
    assert_eq!(course(&record), course(&dir.path().join("again/match.jsonl")));
}

#[test]
fn samples_in_all_languages_play_whole_matches_against_each_other() {
    let samples = every_sea_battle_sample();
    let dir = empty_folder();
    let pairs = samples.iter().zip(samples.iter().cycle().skip(1));
    for (at, (one, other)) in pairs.enumerate() {
        let bots = [one, other].map(|server| format!("{}={}", server.name, server.url));
        let out = format!("match {at}");
        let arguments = ["--game", "sea-battle", "--max-moves", "400", "-l", &out, "-b", &bots[0], &bots[1]];
        played(&dir, &arguments).code(0).stdout(contains("are sunk").and(contains(&one.name)));
        run(&dir, &["verify", &out]).code(0);
    }
}

/// A service that plays after a fashion, and talks to nobody while it holds a connection with somebody.
pub fn serving_one_at_a_time() -> Scripted {
    serving_one_of(1)
}

/// The same, but it answers nobody before so many connections are open.
fn serving_one_of(connections: usize) -> Scripted {
    let ships = r#"[
        {"type": "fourdeck", "cells": [{"x": 0, "y": 0}, {"x": 1, "y": 0}, {"x": 2, "y": 0}, {"x": 3, "y": 0}]},
        {"type": "battleship", "cells": [{"x": 5, "y": 0}, {"x": 6, "y": 0}, {"x": 7, "y": 0}]},
        {"type": "threeship", "cells": [{"x": 0, "y": 2}, {"x": 1, "y": 2}, {"x": 2, "y": 2}]},
        {"type": "submarine", "cells": [{"x": 4, "y": 2}, {"x": 5, "y": 2}]},
        {"type": "twoship", "cells": [{"x": 7, "y": 2}, {"x": 8, "y": 2}]},
        {"type": "twoship", "cells": [{"x": 0, "y": 4}, {"x": 1, "y": 4}]},
        {"type": "oneship", "cells": [{"x": 3, "y": 4}]},
        {"type": "oneship", "cells": [{"x": 5, "y": 4}]},
        {"type": "oneship", "cells": [{"x": 7, "y": 4}]},
        {"type": "oneship", "cells": [{"x": 9, "y": 4}]}
    ]"#;
    // Fields that are not asked for do no harm: the same answers everything.
    let answer = good(&format!(r#"{{"ships": {ships}, "type": "shot", "x": 9, "y": 9}}"#));
    let (attention, open) = (Mutex::new(()), AtomicUsize::new(0));
    Scripted::new(move |visit| {
        open.fetch_add(1, Ordering::SeqCst);
        while open.load(Ordering::SeqCst) < connections {
            test_tools::pause();
        }
        let _all_of_it = attention.lock().unwrap();
        while visit.hears() && visit.say(answer.as_bytes()) {}
    })
}

#[test]
fn a_service_that_serves_one_connection_at_a_time_plays_against_itself() {
    let service = serving_one_at_a_time();
    let dir = empty_folder();
    let url = service.url();
    let arguments = ["--game", "sea-battle", "--max-moves", "6", "-b", &url, &url, "--limit", "10000"];
    run(&dir, &arguments).code(0).stdout(contains("A draw: the 12 moves are over"));
    // Its other half would wait for the first one for ever.
    let service = serving_one_of(2);
    let url = service.url();
    let together = ["--game", "sea-battle", "-b", &url, &url, "--limit", "500", "--together"];
    run(&dir, &together).code(0).stdout(contains("timed out"));
}

#[test]
fn matches_of_bots_arena_are_played_in_every_dialect() {
    let Some(python) = Server::python("bots-arena-python") else { return };
    let dir = empty_folder();
    let usual = ["play", "--game", "bots-arena", "--width", "10", "--height", "10", "--ships", "0,1,2,1,1,0"];
    let dialects = [("form", "init", "fight"), ("json", "init.json", "play-turn"), ("multipart", "init", "fight")];
    for (dialect, init, fight) in dialects {
        let mut arguments = usual.to_vec();
        arguments.extend(["--dialect", dialect, "-b", &python.url, &python.url, "-l", dialect, "--seed", "3"]);
        played(&dir, &arguments).code(0).stdout(
            contains("are sunk").and(contains(" turns, seed 3")).and(contains("(A) wins").or(contains("(B) wins"))),
        );
        let record = dir.path().join(dialect).join("match.jsonl");
        assert_eq!([parts(&record, 0, "B"), parts(&record, 1, "A")], [[init], [fight]]);
        assert_eq!(lines(&record)[0]["settings"]["ships"], serde_json::json!([0, 1, 2, 1, 1, 0]));
        used(&dir, dialect, "botsArena");
    }
    let small = [
        "--game",
        "bots-arena",
        "--width",
        "3",
        "--height",
        "2",
        "--ships",
        "1,1,0,0,0,0",
        "-b",
        &python.url,
        "builtin:hunter",
        "-l",
        "small",
        "--zstd",
    ];
    played(&dir, &small).code(0);
    run(&dir, &["replay", "small", "--html", "small.html"]).code(0);
    assert!(fs::read_to_string(dir.path().join("small.html")).unwrap().contains("3 x 2"));
    run(&dir, &["verify", "small/match.jsonl.zst"]).code(0);
}

#[test]
fn built_in_players_play_every_game() {
    let dir = empty_folder();
    for game in ["entelect-2017", "sea-battle", "bots-arena"] {
        let told = run(&dir, &["--game", game, "-b", "builtin:hunter", "builtin:random", "--seed", "1", "-l", game]);
        told.code(0).stdout(contains("builtin:hunter wins"));
        run(&dir, &["verify", game]).code(0);
        run(&dir, &["--game", game, "-b", "builtin:hunter", "builtin:nobody"])
            .code(2)
            .stderr(contains("there is no player builtin:nobody"));
    }
    let short = ["--game", "sea-battle", "--max-moves", "1", "-b", "builtin:hunter", "builtin:random", "-l", "short"];
    run(&dir, &short).code(0).stdout(contains("the 2 moves are over").and(contains("\n3 turns, seed ")));
    let none = ["--game", "sea-battle", "-b", "builtin:hunter", "builtin:random", "--record", "none", "--pretty"];
    run(&dir, &none).code(0).stdout(contains("Move 1 of 120").and(contains("Replay").not()));
    assert!(!dir.path().join("replays").exists());
}

/// A bot that does something else than it should within the limit, and what the result says of it.
fn bad(scripted: &Scripted, game: &str, limit: &str) -> String {
    let dir = empty_folder();
    let bots = ["builtin:random", &scripted.url()];
    let told = run(&dir, &["play", "--game", game, "--limit", limit, "-l", "out", "-b", bots[0], bots[1]]).code(0);
    let told = String::from_utf8(told.get_output().stdout.clone()).unwrap();
    assert!(told.starts_with("builtin:random wins: "), "{told}");
    assert_is_verified(&dir.path().join("out/match.jsonl"));
    told
}

#[test]
fn a_bot_that_fails_loses_and_the_result_says_why() {
    let gone = Scripted::saying("").url();
    let cases: [(&str, Scripted, [&str; 2]); 7] = [
        ("is silent", Scripted::new(|visit| visit.hang()), ["timed out", "took too long"]),
        ("closes", Scripted::once(""), ["unreachable", "unreachable"]),
        ("is no HTTP", Scripted::saying("SSH-2.0-x\r\n"), ["unreadable", "unreadable"]),
        ("fails", Scripted::once("HTTP/1.1 500 Oh no\r\nContent-Length: 0\r\n\r\n"), ["status 500", "status 500"]),
        (
            "moved",
            Scripted::once("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n"),
            ["status 302", "status 302"],
        ),
        ("is no JSON", Scripted::saying(good("<h1>Hi</h1>")), ["not JSON", "JSON array"]),
        ("breaks rules", Scripted::saying(good(r#"{"ships":[]}"#)), ["broke the rules", "unreadable"]),
    ];
    for (what, scripted, words) in &cases {
        for (game, words) in ["sea-battle", "bots-arena"].into_iter().zip(words) {
            let limit = if *what == "is silent" { "300" } else { PATIENT[1] };
            let told = bad(scripted, game, limit);
            assert!(told.contains(words), "{what}, {game}: {told}");
        }
    }
    let dir = empty_folder();
    for (game, limit) in [("sea-battle", 2_000), ("bots-arena", 10_000)] {
        run(&dir, &["--game", game, "-b", &gone, "builtin:random", "-l", game]).code(0);
        let header = &lines(&dir.path().join(game).join("match.jsonl"))[0];
        assert_eq!(header["seats"][0]["limits"]["answer_ms"], limit, "what is usual");
        assert!(header["seats"][1]["limits"].is_null());
    }
    let told = run(&dir, &["--game", "sea-battle", "-b", &gone, &gone, "-l", "out"]);
    told.code(0).stdout(contains("A draw: ").and(contains("(A) was unreachable")).and(contains("connection refused")));
    run(&dir, &["verify", "out"]).code(0);
}

#[test]
fn a_secret_in_a_url_reaches_the_bot_and_nothing_else() {
    let scripted = Scripted::saying(good("no ships"));
    let dir = empty_folder();
    let url = format!("http://me:word@{}/api?code=key", scripted.address);
    let told = played(&dir, &["--game", "sea-battle", "-b", &url, "builtin:random", "-l", "out"]).code(0);
    let request = scripted.requests().concat();
    assert!(
        request.starts_with("POST /api/placement?code=key ") && request.contains("authorization: Basic"),
        "{request}"
    );
    let told = String::from_utf8(told.get_output().stdout.clone()).unwrap();
    let record = fs::read_to_string(dir.path().join("out/match.jsonl")).unwrap();
    assert!(told.contains("/api") && record.contains("/api"));
    for secret in ["word", "key"] {
        assert!(!told.contains(secret) && !record.contains(secret), "{told}{record}");
    }
}

#[test]
fn bots_are_not_told_where_their_opponents_are() {
    let [one, other] = [(); 2].map(|()| Scripted::once(good("[]")));
    let urls = [one.url(), other.url()];
    let dir = empty_folder();
    let play = |arguments: &[&str]| played(&dir, &[&["--game", "bots-arena"], arguments].concat()).code(0);
    // The dialect is found out by asking, and the form comes first.
    let first = |scripted: &Scripted| scripted.requests().swap_remove(0);
    let last = |scripted: &Scripted| scripted.requests().pop().unwrap();
    let place = one.address.to_string();
    play(&["-b", &urls[0], &urls[1]]).stdout(contains(&place));
    let asked = [&one, &other].map(first);
    assert!(asked[0].contains("&opponent=bot-2&") && asked[1].contains("&opponent=bot-1&"), "{asked:?}");

    play(&["--dialect", "json", "-b", &format!("Kraken={}", urls[0]), &urls[1]]).stdout(contains("Kraken"));
    let asked = [&one, &other].map(last);
    assert!(asked[0].contains(r#""opponent":"bot-2""#) && asked[1].contains(r#""opponent":"Kraken""#), "{asked:?}");

    let tournament = ["tournament", "--game", "bots-arena", "-g", "2", "-b", &urls[0], &urls[1], "builtin:random"];
    played(&dir, &tournament).code(0).stdout(contains(&place));
    for (scripted, bot) in [(&one, "bot-1"), (&other, "bot-2")] {
        let requests = scripted.requests();
        let bodies: Vec<&str> = requests.iter().map(|request| request.split_once("\r\n\r\n").unwrap().1).collect();
        assert!(bodies.len() > 4 && bodies.iter().all(|body| !body.contains("127.0.0.1")), "{bodies:?}");
        assert!(bodies.iter().any(|body| body.contains("opponent=builtin%3Arandom")), "{bodies:?}");
        assert!(bodies.iter().any(|body| body.contains(&format!("opponent={bot}"))), "{bodies:?}");
    }
}

#[test]
fn ctrl_c_stops_a_match_though_a_bot_hangs() {
    let scripted = Scripted::new(|visit| {
        visit.hears();
        visit.hang();
    });
    let dir = empty_folder();
    let mut engine = signalled();
    let bots = ["-b", "builtin:random", &scripted.url(), "-l", "out"];
    engine.current_dir(dir.path()).args(["--game", "sea-battle", "--nolimit"]).args(bots);
    let engine = engine.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while scripted.requests().is_empty() {
        test_tools::pause();
    }
    rustix::process::kill_process(rustix::process::Pid::from_child(&engine), rustix::process::Signal::INT).unwrap();
    let output = engine.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(130), &b""[..]));
    assert!(String::from_utf8_lossy(&output.stderr).contains("No winner: the match was not played to its end."));
}

#[test]
fn a_match_over_http_is_seen_in_the_browser_while_it_is_played() {
    let dir = empty_folder();
    let mut engine = signalled();
    engine.current_dir(dir.path()).args(["play", "--game", "bots-arena", "-b", "builtin:hunter", "builtin:random"]);
    let mut engine =
        engine.args(["--live", "--pace", "1"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(engine.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("Live: http://").unwrap().trim_end_matches('/').to_owned();
    let events = crate::screens::live::asked(&address, "/events");
    assert!(events.contains("botsArena, 10 x 10") && events.contains(r#"data: {"finished":true,"#), "{events}");
    assert_eq!(engine.wait().unwrap().code(), Some(0));
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
}

#[test]
fn check_tells_whether_a_bot_over_http_is_ready() {
    let dir = empty_folder();
    let check = |game: &str, url: &str, more: &[&str]| {
        let mut check = broadside();
        check.current_dir(dir.path()).env("TMPDIR", dir.path());
        check.args(["check", "--game", game, url]).args(more).assert()
    };
    for game in ["sea-battle", "bots-arena"] {
        let Some(python) = Server::python(&format!("{game}-python")) else { return };
        check(game, &python.url, &PATIENT).code(0).stdout(
            contains("seat A ")
                .and(contains("seat B "))
                .and(contains(" 60000 "))
                .and(contains("\nReady: "))
                .and(contains("memory").not()),
        );
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0, "a check without faults leaves nothing");
    }
    let bad = |scripted: &Scripted, limit: &str, words: &str| {
        let told = check("sea-battle", &scripted.url(), &["--limit", limit, "--log", "kept"]).code(4);
        told.stdout(contains("\nNot ready: ").and(contains("seat A, turn 0: ")).and(contains(words)));
        assert_is_verified(&dir.path().join("kept/seat A/match.jsonl"));
        assert_is_verified(&dir.path().join("kept/seat B/match.jsonl"));
    };
    bad(&Scripted::new(|visit| visit.hang()), "300", "timed out");
    bad(&Scripted::once("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"), PATIENT[1], "status 404");
    bad(&Scripted::saying(good("[]")), PATIENT[1], "not an object");
    bad(&Scripted::saying(good(r#"{"ships":[]}"#)), PATIENT[1], "refused: ");
    check("sea-battle", "builtin:random", &[]).code(2).stderr(contains("need no check"));
}
