//! Bots of botsArena that understand different dialects, in one match.

use crate::http::matches::{PATIENT, empty_folder};
use crate::http_server::{Server as Scripted, good};
use crate::sample_server::Server;
use crate::table::broadside;
use assert_cmd::assert::Assert;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

fn run(dir: &TempDir, arguments: &[&str]) -> Assert {
    broadside().current_dir(dir.path()).args(arguments).args(PATIENT).assert()
}

/// A bot in PHP that was written by the page of the game alone, and understands forms.
struct PhpBot {
    child: Child,
    url: String,
}

impl Drop for PhpBot {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl PhpBot {
    /// `None` where there is no PHP.
    fn start() -> Option<PhpBot> {
        let php = test_tools::required("php")?;
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/text-clients/bots-arena.php");
        // PHP does not tell the port that it got, so it is given one that was free a moment ago.
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let mut command = Command::new(php);
        let command = command.arg("-S").arg(address.to_string()).arg(script).stdin(Stdio::null()).stdout(Stdio::null());
        let mut bot =
            PhpBot { child: command.stderr(Stdio::piped()).spawn().unwrap(), url: format!("http://{address}") };
        let mut lines = BufReader::new(bot.child.stderr.take().unwrap()).lines();
        let started = lines.by_ref().map_while(Result::ok).find(|line| line.contains("started"));
        assert!(started.is_some(), "PHP does not listen");
        // It writes a line for every request, and would stop when the pipe is full.
        std::thread::spawn(move || lines.for_each(drop));
        Some(bot)
    }
}

/// A bot that understands JSON only, and strikes row by row.
fn json_bot() -> Scripted {
    Scripted::new(|visit| {
        while visit.hears() {
            let request = visit.last_request();
            let body = request.split_once("\r\n\r\n").unwrap().1;
            let answer = match serde_json::from_str::<Value>(body) {
                Err(_) => "HTTP/1.1 400 x\r\nContent-Length: 7\r\n\r\nno JSON".to_owned(),
                Ok(asked) if asked["action"] == "init" => {
                    good(r#"{"name":"J","boats":["3,3-3,7","2,1-2,4","0,1-0,3","7,3-7,1","8,8-7,8"]}"#)
                }
                Ok(asked) => {
                    let struck = asked["board"]["your_strikes"].as_array().unwrap().len();
                    good(&format!(r#"{{"play":"{},{}"}}"#, struck % 10, struck / 10))
                }
            };
            visit.say(answer.as_bytes());
        }
    })
}

/// The names of the answers of one seat in a match, each once.
fn answers(record: &Path, seat: &str) -> Vec<String> {
    let text = fs::read_to_string(record).unwrap();
    let mut names: Vec<String> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter_map(|line| Some(line["answers"][seat]["gave"].as_object()?.keys().next()?.clone()))
        .collect();
    names.dedup();
    names
}

#[test]
fn a_bot_that_reads_forms_meets_one_that_reads_json() {
    let Some(php) = PhpBot::start() else { return };
    let json = json_bot();
    let dir = empty_folder();
    let bots = [format!("F={}", php.url), format!("J={}", json.url())];
    let told = run(&dir, &["play", "--game", "bots-arena", "-b", &bots[0], &bots[1], "-l", "asked"]).code(0);
    told.stdout(contains("are sunk")).stderr(contains(format!("{}/ is asked with json, which it answers", json.url())));
    let record = dir.path().join("asked/match.jsonl");
    assert_eq!(answers(&record, "A"), ["init", "fight"]);
    assert_eq!(answers(&record, "B"), ["init.json", "play-turn"]);
    run_verify(&dir, "asked");

    // Named, in the other seats, and nobody is asked twice.
    let named = [format!("{},dialect=json", bots[1]), format!("{},dialect=form", bots[0])];
    let before = json.requests().len();
    let told = run(&dir, &["play", "--game", "bots-arena", "-b", &named[0], &named[1], "-l", "named"]).code(0);
    told.stdout(contains("are sunk")).stderr(contains("is asked with").not());
    assert!(json.requests()[before..].iter().all(|request| request.contains("application/json")));
    run_verify(&dir, "named");

    // For all others there is --dialect.
    let default = ["play", "--game", "bots-arena", "--dialect", "json", "-b", &named[1], &bots[1], "-l", "default"];
    run(&dir, &default).code(0).stdout(contains("are sunk"));
    assert_eq!(answers(&dir.path().join("default/match.jsonl"), "A"), ["init", "fight"]);
}

fn run_verify(dir: &TempDir, folder: &str) {
    broadside().current_dir(dir.path()).args(["verify", folder]).assert().code(0);
}

#[test]
fn forms_in_both_encodings_are_understood_by_php_and_by_the_sample() {
    let dir = empty_folder();
    for (name, url) in [
        PhpBot::start().map(|bot| ("php", bot.url.clone(), Some(bot), None)),
        Server::python("bots-arena-python").map(|bot| ("python", bot.url.clone(), None, Some(bot))),
    ]
    .iter()
    .flatten()
    .map(|(name, url, ..)| (*name, url))
    {
        let bot = format!("{name}={url},dialect=multipart");
        let told = run(&dir, &["play", "--game", "bots-arena", "-b", &bot, "builtin:random", "-l", name]).code(0);
        // Both draw at random, so either may win.
        told.stdout(contains("are sunk"));
        let record = dir.path().join(name).join("match.jsonl");
        assert_eq!(answers(&record, "A"), ["init", "fight"]);
        assert!(!fs::read_to_string(record).unwrap().contains(r#""fault""#), "{name} was not understood");
    }
}

#[test]
fn a_check_tells_the_dialect_that_was_found() {
    let json = json_bot();
    let dir = empty_folder();
    let checked = |bot: &str| run(&dir, &["check", "--game", "bots-arena", bot]).code(0);
    checked(&json.url()).stdout(contains(", asked with json"));
    checked(&format!("{},dialect=json", json.url())).stdout(contains(", asked with json"));
}

#[test]
fn a_tournament_keeps_the_dialects_of_its_bots() {
    let json = json_bot();
    let dir = empty_folder();
    let bot = format!("J={}", json.url());
    let named = format!("{bot},dialect=json");
    let play = |games: &str, bot: &str, more: &[&str]| {
        let usual = ["tournament", "--game", "bots-arena", "--seed", "1", "-g", games, "--dir", "out", "-b", bot];
        run(&dir, &[&usual[..], &["builtin:random"], more].concat())
    };
    play("2", &bot, &[]).code(0).stderr(contains("is asked with json").count(1));
    play("4", &named, &[]).code(0).stdout(contains("unreadable").not());
    play("6", &bot, &["--dialect", "json"])
        .code(2)
        .stderr(contains("its dialect is found out by asking, not json").and(contains("hint: ")));
    let journal = fs::read_to_string(dir.path().join("out/games.jsonl")).unwrap();
    assert!(!journal.contains(r#""dialect""#) && journal.matches(r#""line":"game""#).count() == 4, "{journal}");
}

#[test]
fn a_dialect_that_does_not_exist_is_told() {
    let dir = empty_folder();
    let wrong = |game: &str, bot: &str, words: &str, hint: &str| {
        let arguments = ["play", "--game", game, "-b", bot, "builtin:random"];
        run(&dir, &arguments).code(2).stdout("").stderr(contains(words).and(contains(hint)));
    };
    let bot = "http://127.0.0.1:9,dialect=xml";
    wrong("bots-arena", bot, "botsArena has no dialect \"xml\"", "the dialects are form, json, multipart");
    wrong(
        "sea-battle",
        "http://127.0.0.1:9,dialect=json",
        "Sea Battle has no dialect \"json\"",
        "leave ,dialect= away",
    );
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0, "nothing was made");
}
