//! Bots of Sea Battle and botsArena as local programs, which are asked line by line, and the bridge that serves them over HTTP.

use crate::http::matches::{PATIENT, empty_folder};
use crate::sample_server::Server;
use crate::table::{USUAL_SIGNALS, assert_is_verified, bots_left, broadside, signalled};
use assert_cmd::assert::Assert;
use assert_cmd::cargo::cargo_bin;
use fake_bot::{ANSWERS, BotFolder};
use predicates::prelude::*;
use predicates::str::contains;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Lines};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use tempfile::TempDir;

fn run(dir: &TempDir, arguments: &[&str]) -> Assert {
    broadside().current_dir(dir.path()).args(arguments).assert()
}

/// A match of this game, of which the record is in `log`.
fn played(dir: &TempDir, game: &str, players: [&str; 2], log: &str) -> Assert {
    let told =
        run(dir, &[&["play", "--game", game, "--seed", "7", "--log", log, "-b"], &players[..], &PATIENT].concat());
    assert_is_verified(&dir.path().join(log).join("match.jsonl"));
    told
}

fn lines(record: &Path) -> Vec<Value> {
    fs::read_to_string(record).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The answers of a match and its outcome.
fn course(dir: &TempDir, log: &str) -> Vec<String> {
    let lines = lines(&dir.path().join(log).join("match.jsonl"));
    let gave =
        |line: &Value| format!("{}{}{}", line["answers"]["A"]["gave"], line["answers"]["B"]["gave"], line["outcome"]);
    lines.iter().skip(1).map(gave).collect()
}

fn bot(name: &str, script: &str) -> (BotFolder, String) {
    let bot = BotFolder::new(name, script);
    let path = bot.path().to_str().unwrap().to_owned();
    (bot, path)
}

/// A bridge, which is told to stop when this is dropped.
struct Bridge {
    program: Child,
    said: Lines<BufReader<ChildStderr>>,
    url: String,
}

impl Bridge {
    fn of(folder: &str, game: &str) -> Bridge {
        Bridge::started(signalled(), folder, game)
    }

    fn started(mut command: Command, folder: &str, game: &str) -> Bridge {
        command.args(["bridge", folder, "--game", game, "--listen", "127.0.0.1:0"]);
        let mut program = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(program.stderr.take().unwrap()).lines();
        let url = said.by_ref().map(Result::unwrap).find_map(|line| Some(line.split_once("Serving ")?.1.to_owned()));
        let url = url.expect("it serves").split_once(": ").unwrap().1.to_owned();
        Bridge { program, said, url }
    }

    /// Stops it, and gives what it has said.
    fn stop(mut self) -> Vec<String> {
        let engine = self.program.id();
        kill_process(Pid::from_raw(engine as i32).unwrap(), Signal::TERM).unwrap();
        let said = self.said.map(Result::unwrap).collect();
        assert_eq!(self.program.wait().unwrap().code(), Some(130));
        assert_eq!(bots_left(engine), Vec::<String>::new());
        said
    }
}

#[test]
fn a_folder_plays_against_a_built_in_player_in_both_games() {
    let dir = empty_folder();
    let (_bot, path) = bot("Fake", ANSWERS);
    for game in ["sea-battle", "bots-arena"] {
        played(&dir, game, [&path, "builtin:random"], game)
            .code(0)
            .stdout(contains("Fake").and(contains(" turns, seed 7\n")));
        let lines = lines(&dir.path().join(game).join("match.jsonl"));
        assert_eq!(lines[0]["seats"][0]["details"]["NickName"], "Fake");
        assert_eq!(lines[0]["seats"][0]["content"].as_str().unwrap().len(), 64);
        assert!(lines.iter().all(|line| line["answers"]["A"]["fault"].is_null()));
        played(&dir, game, [&path, "builtin:random"], "again");
        assert_eq!(course(&dir, game), course(&dir, "again"));
    }
}

#[test]
fn the_bridge_gives_the_same_moves_as_the_folder() {
    let dir = empty_folder();
    let (_bot, path) = bot("Fake", ANSWERS);
    for game in ["sea-battle", "bots-arena"] {
        let bridge = Bridge::of(&path, game);
        for (log, player) in [("direct", path.as_str()), ("bridged", &bridge.url)] {
            let dialect = if game == "bots-arena" { vec!["--dialect", "json"] } else { Vec::new() };
            let play = ["play", "--game", game, "--seed", "7", "--log", log, "-b", player, "builtin:hunter"];
            run(&dir, &[&play[..], &dialect, &PATIENT].concat()).code(0);
        }
        assert_eq!(course(&dir, "direct"), course(&dir, "bridged"), "{game}");
        fs::remove_dir_all(dir.path().join("direct")).unwrap();
        fs::remove_dir_all(dir.path().join("bridged")).unwrap();
        let said = bridge.stop();
        assert!(said[0].ends_with(" begins") && said.iter().any(|line| line.contains(" ended after ")), "{said:?}");
    }
}

#[test]
fn the_bridge_has_a_process_for_each_match_and_tells_of_faults() {
    let dir = empty_folder();
    let (_bot, path) = bot("Fake", "r3: exit 3\nr4: exit 3\nanswer");
    let bridge = Bridge::of(&path, "sea-battle");
    let player = format!("Fake={}", bridge.url);
    played(&dir, "sea-battle", [&player, "builtin:random"], "one").code(0).stdout(contains("builtin:random wins"));
    run(&dir, &["check", "--game", "sea-battle", &bridge.url, "--seed", "7"])
        .code(4)
        .stdout(contains("status 502 Bad Gateway: the bot gave no answer: ended with exit status 3"));
    let said = bridge.stop();
    assert_eq!(said.iter().filter(|line| line.ends_with(" begins")).count(), 3, "{said:?}");
    assert!(said.iter().any(|line| line.ends_with(": ended with exit status 3")), "{said:?}");
}

#[test]
fn a_bridge_whose_program_is_replaced_goes_on() {
    let dir = empty_folder();
    let (_bot, path) = bot("Fake", ANSWERS);
    let program = dir.path().join("program");
    fs::copy(cargo_bin!("broadside"), &program).unwrap();
    let mut command = Command::new("env");
    command.arg(USUAL_SIGNALS).arg(&program);
    let bridge = Bridge::started(command, &path, "sea-battle");
    fs::remove_file(&program).unwrap();
    played(&dir, "sea-battle", [&bridge.url, "builtin:random"], "one").code(0);
    let said = bridge.stop();
    assert!(said.iter().any(|line| line.contains(" ended after ")), "{said:?}");
}

#[test]
fn a_bridge_is_for_folders_of_games_over_http() {
    let dir = empty_folder();
    let refused = |arguments: &[&str], words: &str| {
        run(&dir, &[&["bridge"], arguments].concat()).code(predicate::in_iter([2, 3])).stderr(contains(words));
    };
    refused(&["builtin:random"], "builtin:random is not the folder of a bot");
    refused(&["http://localhost:1"], "is not the folder of a bot");
    refused(&["nothing"], "nothing is not a bot of Sea Battle: there is no such folder, and ");
    refused(&["x", "--game", "salvo"], "a bridge is for bots of games over HTTP");
    refused(&["x", "--listen", "4000"], "expected an address and a port");
}

#[test]
fn hostile_lines_lose_and_leave_no_process() {
    for (script, words) in [
        ("say hello", "unreadable"),
        ("2: say {\"type\":\"shot\"\nanswer", "unreadable"),
        ("flood 10485760", "the answer is longer than 65536 bytes"),
        ("flood 100\nexit 0", "wrote nothing"),
        ("hang", "timed out"),
        ("exit 7", "exit status 7"),
        ("signal 9", "signal 9"),
        ("say {}", "unreadable"),
    ] {
        let dir = empty_folder();
        let (_bot, path) = bot("Fake", script);
        let mut command = signalled();
        command.current_dir(dir.path()).args(["play", "--game", "sea-battle", "--limit", "1500", "--seed", "7"]);
        command.args(["--log", "out", "-b", &path, "builtin:random"]);
        let engine = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let id = engine.id();
        let done = engine.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&done.stdout).into_owned();
        let record = fs::read_to_string(dir.path().join("out/match.jsonl")).unwrap();
        assert!(told.contains("builtin:random wins"), "{script}: {told}");
        assert!(told.contains(words) || record.contains(words), "{script}: {told}{record}");
        assert_eq!(bots_left(id), Vec::<String>::new(), "{script}");
    }
}

#[test]
fn a_check_of_a_folder_plays_in_both_seats_and_tells_of_processor_time() {
    let dir = empty_folder();
    let (_bot, path) = bot("Fake", ANSWERS);
    run(&dir, &["check", "--game", "sea-battle", &path, "--limit", "60000"])
        .code(0)
        .stdout(contains("seat A").and(contains("seat B")).and(contains("cpu ms")).and(contains("Ready: ")));
    let (_bad, path) = bot("Fake", "r9: moan no idea\nr9: exit 3\nanswer");
    run(&dir, &["check", "--game", "sea-battle", &path, "--limit", "60000", "--seed", "7"])
        .code(4)
        .stdout(contains("no idea").and(contains("exit status 3")));
    played(&dir, "sea-battle", ["builtin:random", &path], "match")
        .code(0)
        .stdout(contains("\nFake in turn 9: crashed: ended with exit status 3\n  | no idea\n"));
}

#[test]
fn folders_meet_services_in_matches_and_tournaments() {
    let Some(python) = Server::python("sea-battle-python") else { return };
    let dir = empty_folder();
    let (_bot, path) = bot("Fake", ANSWERS);
    played(&dir, "sea-battle", [&path, &python.url], "out").code(0).stdout(contains("Fake"));
    let compare = ["compare", &path, &python.url, "--game", "sea-battle", "--games", "4", "--dir", "compared"];
    run(&dir, &[&compare[..], &PATIENT].concat()).stdout(contains("4 games: 0 won"));
    let event = ["tournament", "-b", &path, "builtin:random", "builtin:hunter", "--game", "sea-battle", "--games", "2"];
    run(&dir, &[&event[..], &["-j", "2", "--dir", "event"], &PATIENT].concat()).code(0).stdout(contains("Fake"));
    assert!(!dir.path().join("event/entrants").exists(), "copies of folders are removed at the end");
}

#[test]
fn the_samples_play_as_folders() {
    if Server::python("sea-battle-python").is_none() {
        return;
    }
    let dir = empty_folder();
    for (sample, game) in [("sea-battle-python", "sea-battle"), ("bots-arena-python", "bots-arena")] {
        run(&dir, &["new", sample, sample])
            .code(0)
            .stderr(contains("Next: broadside play --game ").and(contains("\nOr, as a web service: python3")));
        played(&dir, game, [sample, "builtin:random"], game).code(0).stdout(contains(format!("{sample} wins")));
    }
}
