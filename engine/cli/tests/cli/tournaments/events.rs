//! Tournaments of all formats, and what happens to them when the machine fails.

use crate::disk::mounting;
use crate::table::{bots_left, broadside, signalled};
use fake_bot::{BotFolder, PLAYS};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::Builder::new().prefix("an event ").tempdir().unwrap()
}

/// The lines of one kind in a journal.
fn lines(dir: &Path, kind: &str) -> Vec<Value> {
    let lines = fs::read_to_string(dir.join("games.jsonl")).unwrap();
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["line"] == kind).collect()
}

/// The number of games of each pairing.
fn meetings(dir: &Path) -> BTreeMap<(u64, u64), u32> {
    let mut meetings = BTreeMap::new();
    for game in lines(dir, "game") {
        *meetings.entry((game["first"].as_u64().unwrap(), game["second"].as_u64().unwrap())).or_default() += 1;
    }
    meetings
}

/// The names in the standings, best first.
fn order(folder: &Path, dir: &str) -> Vec<String> {
    let json = standings(folder, dir);
    let names = json["standings"].as_array().unwrap().iter();
    names.map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

/// The standings as JSON.
fn standings(folder: &Path, dir: &str) -> Value {
    let mut standings = broadside();
    let told = standings.current_dir(folder).args(["standings", dir, "--format", "json"]).assert().code(0);
    serde_json::from_slice(&told.get_output().stdout).unwrap()
}

fn tournament(folder: &Path, arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = broadside();
    command.current_dir(folder).args(["tournament", "-s", "1", "--seed", "11"]).args(arguments).assert()
}

const HUNTER: &str = "builtin:hunter";
const RANDOM: &str = "builtin:random";

#[test]
fn a_bot_that_loses_its_turns_is_told_once_while_the_games_are_played() {
    let folder = folder();
    let bots = [BotFolder::new("Idle", "1: place"), BotFolder::new("Sound", PLAYS)];
    let [idle, sound] = bots.each_ref().map(|bot| bot.path().to_str().unwrap());
    let told = contains("Idle lost turns: 20 ").count(1).and(contains("; broadside check shows why\n").count(1));
    tournament(folder.path(), &["-g", "4", "--dir", "t", "-b", idle, sound]).code(0).stderr(told);
}

#[test]
fn a_swiss_tournament_has_rounds_in_which_everybody_meets_somebody_new() {
    let folder = folder();
    let bots = ["-b", RANDOM, RANDOM, HUNTER, RANDOM, RANDOM];
    let swiss = |dir: &str, more: &[&str]| {
        let flags = ["--format", "swiss", "--rounds", "3", "-g", "4", "--dir", dir];
        tournament(folder.path(), &[&flags, more, &bots].concat()).code(0);
    };
    swiss("out", &["-j", "1"]);
    let met = meetings(&folder.path().join("out"));
    assert_eq!(met.len(), 6, "two meetings in each of three rounds, and no two meet twice: {met:?}");
    assert!(met.values().all(|games| *games == 4));
    assert_eq!(order(folder.path(), "out")[0], HUNTER);

    swiss("two", &["-j", "2"]);
    assert_eq!(met, meetings(&folder.path().join("two")), "who meets whom does not depend on who is ready first");

    // Cut anywhere, it goes on to the same end.
    let journal = folder.path().join("out/games.jsonl");
    let whole = fs::read_to_string(&journal).unwrap();
    for keep in [1, 6, 9, 13, 21, 29] {
        let cut: String = whole.split_inclusive('\n').take(keep).collect();
        fs::write(&journal, cut).unwrap();
        swiss("out", &[]);
        assert_eq!(meetings(&folder.path().join("out")), met, "after {keep} lines");
    }
}

#[test]
fn a_knockout_has_a_winner_and_who_came_further_stands_above() {
    let folder = folder();
    let bots = ["-b", RANDOM, RANDOM, RANDOM, RANDOM, HUNTER];
    let flags = ["--format", "knockout", "-g", "6", "--dir", "out"];
    let played =
        tournament(folder.path(), &[&flags[..], &bots].concat()).code(0).stdout(contains(format!("1  {HUNTER}")));
    let played = played.stdout(contains("By rounds survived, then by the share of points."));
    let played = played.stdout(contains("quarter-final").and(contains("semi-final")).and(contains(" winner\n")));
    let dir = folder.path().join("out");
    let met = meetings(&dir);
    assert_eq!(met.len(), 4, "who loses a meeting is out: {met:?}");
    assert!(met.values().all(|games| *games >= 6));
    let entrants: Vec<String> =
        lines(&dir, "entrant").iter().map(|entrant| entrant["name"].as_str().unwrap().to_owned()).collect();
    let order = order(folder.path(), "out");
    let games = lines(&dir, "game");
    let last = games.last().unwrap();
    let finalists = [&last["first"], &last["second"]].map(|at| &entrants[at.as_u64().unwrap() as usize]);
    assert!(order[..2].iter().all(|name| finalists.contains(&name)), "{order:?} {met:?}");
    let is_of_final = |game: &&Value| (&game["first"], &game["second"]) == (&last["first"], &last["second"]);
    let of_final = games.iter().filter(is_of_final).max_by_key(|game| game["number"].as_u64());
    let record = of_final.and_then(|game| game["record"].as_str()).expect("the final is kept");
    assert!(dir.join(record).is_file() && games[0]["record"].is_null(), "{record}");
    played.stderr(contains(format!("The last game of the final: broadside replay out/{record}")));
    let json = standings(folder.path(), "out");
    let rounds: Vec<&str> =
        json["pairings"].as_array().unwrap().iter().map(|row| row["round"].as_str().unwrap()).collect();
    assert_eq!(rounds.iter().filter(|round| **round == "final").count(), 1, "{rounds:?}");
    // It is over: the same command plays nothing more.
    tournament(folder.path(), &[&flags[..], &bots].concat()).code(0);
    assert_eq!(meetings(&dir), met);
}

#[test]
fn what_the_engine_cannot_play_is_nobodys_loss_and_is_played_later() {
    let folder = folder();
    let bots = [BotFolder::new("Alpha", PLAYS), BotFolder::new("Bravo", PLAYS)];
    let [a, b] = bots.each_ref().map(|bot| bot.path().to_str().unwrap().to_owned());
    let arguments = ["-g", "2", "-j", "1", "--calibration", "8000", "-b", &a, &b];
    let program = assert_cmd::cargo::cargo_bin!("broadside");
    // As many open files as it takes to begin, and too few for a bot.
    let starved = (8..64).find_map(|files| {
        let dir = format!("out {files}");
        let mut shell = Command::new("sh");
        let script = format!("ulimit -n {files} && exec \"$0\" tournament -s 1 --seed 11 \"$@\"");
        shell.args(["-c", &script]).arg(program).args(arguments).args(["--dir", &dir]);
        shell.current_dir(folder.path()).env("XDG_CONFIG_HOME", "/nowhere").env_remove("BROADSIDE_SETTINGS");
        let output = shell.output().unwrap();
        String::from_utf8_lossy(&output.stderr).contains("they do not count").then_some((dir, output))
    });
    let (dir, output) = starved.unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("Too many open files"), "{output:?}");
    let path = folder.path().join(&dir);
    assert_eq!((lines(&path, "game").len(), lines(&path, "failure").len()), (0, 2));
    tournament(folder.path(), &[&arguments[..], &["--dir", &dir]].concat()).code(0);
    assert_eq!(lines(&path, "game").len(), 2, "now there is all that it takes");
}

#[test]
fn what_fails_again_and_again_stops_the_tournament_which_can_go_on_later() {
    let folder = folder();
    let dir = folder.path().join("out");
    fs::create_dir(&dir).unwrap();
    // No game can keep its record there.
    fs::write(dir.join("records"), "").unwrap();
    let arguments = ["-g", "40", "-j", "1", "--keep", "all", "--dir", "out", "-b", HUNTER, RANDOM];
    let told = tournament(folder.path(), &arguments).code(1);
    let said = told.get_output().stderr.clone();
    let said = String::from_utf8_lossy(&said);
    for part in ["5 games in a row", "out/records", "40 games are left; the same command continues", "--dir out"] {
        assert!(said.contains(part), "{part} is not in {said}");
    }
    assert_eq!((lines(&dir, "game").len(), lines(&dir, "failure").len()), (0, 5));
    fs::remove_file(dir.join("records")).unwrap();
    tournament(folder.path(), &arguments).code(0);
    assert_eq!(meetings(&dir), BTreeMap::from([((0, 1), 40)]));
}

/// Runs a tournament in `small`, a file system of `kilobytes`, of which a copy is left in `copy`; `None` where the system
/// does not let us.
fn on_a_small_disk(folder: &Path, kilobytes: u32, arguments: &[&str]) -> Option<Output> {
    fs::create_dir(folder.join("small")).unwrap();
    let script = format!(
        "mount -t tmpfs -o size={kilobytes}k tmpfs small || exit 99; \
         \"$0\" tournament -s 1 --seed 11 --dir small/out \"$@\"; status=$?; cp -r small copy; exit $status"
    );
    let mut unshare = Command::new(mounting()?);
    unshare.args(["--user", "--map-root-user", "--mount", "sh", "-c", &script]);
    unshare.arg(assert_cmd::cargo::cargo_bin!("broadside")).args(arguments);
    let output = unshare
        .current_dir(folder)
        .env("XDG_CONFIG_HOME", "/nowhere")
        .env_remove("BROADSIDE_SETTINGS")
        .output()
        .unwrap();
    let refused = output.status.code() == Some(99) || String::from_utf8_lossy(&output.stderr).contains("unshare:");
    if refused {
        test_tools::not_allowed("a file system of one's own");
        return None;
    }
    Some(output)
}

#[test]
fn a_tournament_on_a_full_disk_ends_with_what_it_has_and_goes_on_elsewhere() {
    let folder = folder();
    let arguments = ["-g", "300", "--keep", "none", "-b", HUNTER, RANDOM];
    let Some(output) = on_a_small_disk(folder.path(), 64, &arguments) else { return };
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("games.jsonl") && said.contains("No space left"), "{said}");
    let told = tournament(folder.path(), &[&arguments[..], &["--dir", "copy/out"]].concat()).code(0);
    drop(told);
    let dir = folder.path().join("copy/out");
    assert_eq!(meetings(&dir), BTreeMap::from([((0, 1), 300)]));
    let mut numbers: Vec<u64> = lines(&dir, "game").iter().map(|game| game["number"].as_u64().unwrap()).collect();
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(0..300), "nothing twice, nothing missing");
}

#[test]
fn ctrl_c_twice_leaves_nobody_behind() {
    let folder = folder();
    let bots = [BotFolder::new("Alpha", "deafen\n1: place\nr3: hang"), BotFolder::new("Bravo", PLAYS)];
    let mut engine = signalled();
    engine.current_dir(folder.path()).env("XDG_CONFIG_HOME", "/nowhere").env_remove("BROADSIDE_SETTINGS");
    engine.args(["tournament", "-s", "1", "-g", "4", "--nolimit", "--dir", "out", "-b"]);
    engine.args(bots.iter().map(|bot| bot.path())).stdout(Stdio::null()).stderr(Stdio::null());
    let mut engine = engine.spawn().unwrap();
    while bots_left(engine.id()).is_empty() {
        assert!(engine.try_wait().unwrap().is_none());
        test_tools::pause();
    }
    let pid = Pid::from_child(&engine);
    kill_process(pid, Signal::INT).unwrap();
    // It may have ended by the first.
    let _ = kill_process(pid, Signal::INT);
    assert_eq!(engine.wait().unwrap().code(), Some(130));
    while !bots_left(pid.as_raw_nonzero().get() as u32).is_empty() {
        test_tools::pause();
    }
}

#[test]
fn an_answer_may_take_no_more_processor_time_than_it_is_given() {
    let folder = folder();
    let bots = [BotFolder::new("Alpha", "1: place\nr2: spin 400\n2: fire"), BotFolder::new("Bravo", PLAYS)];
    let paths: Vec<PathBuf> = bots.iter().map(|bot| bot.path().to_owned()).collect();
    let play = |dir: &str, more: &[&str]| {
        let mut command = broadside();
        command.current_dir(folder.path()).args(["tournament", "-s", "1", "-g", "2", "-j", "1", "--dir", dir]);
        command.args(["--calibration", "8000"]).args(more).arg("-b").args(&paths).assert().code(0);
        let games = lines(&folder.path().join(dir), "game");
        games
            .iter()
            .flat_map(|game| game["players"].as_array().unwrap().clone())
            .map(|player| player["faults"].clone())
            .filter(|faults| faults.as_object().is_some_and(|faults| !faults.is_empty()))
            .collect::<Vec<_>>()
    };
    let limit = |dir: &str| lines(&folder.path().join(dir), "game")[0]["players"][0]["limits"]["cpu_ms"].clone();
    assert_eq!((play("usual", &[]), limit("usual")), (Vec::<Value>::new(), 10_000.into()));
    assert_eq!((play("free", &["--limit-cpu", "off"]), limit("free")), (Vec::<Value>::new(), Value::Null));
    let faults = play("bound", &["--limit-cpu", "200"]);
    assert_eq!(faults, vec![serde_json::json!({"timed-out": 1}); 2]);
    assert_eq!(limit("bound"), 200);
}
