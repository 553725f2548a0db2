//! Results for programs: `--json` of play, check, compare, sprt and matches, as docs/results.schema.json describes them.

use crate::table::{Table, broadside};
use fake_bot::{BotFolder, PLAYS};
use players::process::copy_bot;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// The JSON that a command writes. It fits the schema.
pub(super) fn told(command: &mut assert_cmd::Command) -> Value {
    let output = command.assert().code(0).get_output().clone();
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(fits(&value).is_empty(), "{value:#}: {:?}", fits(&value));
    value
}

/// What the schema says against a value.
fn fits(value: &Value) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results.schema.json");
    let schema: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    jsonschema::validator_for(&schema).unwrap().iter_errors(value).map(|error| error.to_string()).collect()
}

#[test]
fn a_match_is_told_with_its_outcome_and_faults() {
    let table = Table::with(["1: place\nr5: exit 3\n2: fire", "1: place\n2: fire"]);
    let result = told(table.command().arg("--json"));
    assert_eq!((&result["format"], &result["game"]), (&json!("broadside match"), &json!("entelect-2017")));
    let replay = Path::new(result["replay"].as_str().unwrap());
    assert!(replay.ends_with("out"), "{}", replay.display());
    let player = &result["players"][0];
    assert_eq!(
        (&player["seat"], &player["turns_lost"], &player["faults"][0]["turn"]),
        (&json!("A"), &json!(1), &json!(5))
    );
    assert!(Path::new(player["faults"][0]["report"].as_str().unwrap()).is_file(), "{player}");
    assert_eq!(result["players"][1]["faults"], json!([]));
    broadside().args(["verify", result["replay"].as_str().unwrap()]).assert().code(0);
}

#[test]
fn a_match_that_leaves_no_files_has_no_replay() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = broadside();
    command.current_dir(folder.path()).args([
        "--json",
        "--record",
        "none",
        "builtin:hunter",
        "builtin:random",
        "-s",
        "1",
    ]);
    let result = told(&mut command);
    assert_eq!((&result["replay"], &result["players"][0]["name"]), (&Value::Null, &json!("builtin:hunter")));
    broadside().args(["--json", "--pretty", "builtin:hunter", "builtin:random"]).assert().code(2);
}

#[test]
fn a_comparison_and_a_test_of_its_journal_say_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = broadside();
    command.current_dir(folder.path()).args(["compare", "builtin:hunter", "builtin:random", "-s", "1", "--seed", "1"]);
    let result = told(command.args(["--dir", "night", "--json", "--games", "60"]));
    assert_eq!(result["verdict"], "stronger", "{result:#}");
    assert_eq!(result["bots"][1]["name"], "builtin:random");
    let again = told(broadside().current_dir(folder.path()).args(["sprt", "night", "--json"]));
    assert_eq!(again, result);
    let verdict = broadside().current_dir(folder.path()).args(["sprt", "night", "--json", "--verdict"]).assert();
    verdict.code(0);
}

#[test]
fn matches_are_listed_shown_and_cleaned() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = broadside();
        command.current_dir(folder.path()).args(arguments);
        command
    };
    run(&["matches"]).assert().code(5).stderr(contains("there is no folder replays"));
    run(&["replay"]).assert().code(5).stderr(contains("there is no match in replays/"));
    for seed in ["1", "2", "3"] {
        run(&["builtin:hunter", "builtin:random", "-s", "1", "--seed", seed]).assert().code(0);
    }
    let found = told(&mut run(&["matches", "--json"]));
    assert_eq!(found.as_array().unwrap().len(), 3, "the link to the latest is not a match of its own");
    assert_eq!(found[0]["names"], json!(["builtin:hunter", "builtin:random"]));
    let built_in = &found[0]["players"][1];
    assert_eq!((&built_in["name"], &built_in["bot"]), (&json!("builtin:random"), &Value::Null), "it has no folder");
    let table = run(&["matches"]).assert().code(0).get_output().stdout.clone();
    let table = String::from_utf8(table).unwrap();
    assert!(table.lines().count() == 1 + 3 && table.contains(found[0]["path"].as_str().unwrap()), "{table}");
    // A folder of the user's own stays.
    run(&["builtin:hunter", "builtin:random", "-s", "1", "-l", "replays/mine"]).assert().code(0);
    let latest = run(&["replay"]).assert().code(0).get_output().stdout.clone();
    let newest = run(&["replay", found[0]["path"].as_str().unwrap()]).assert().code(0).get_output().stdout.clone();
    assert_eq!(latest, newest);
    run(&["matches", "--clean", "--keep", "1"]).assert().code(2).stderr(contains("--yes"));
    run(&["matches", "--clean", "--keep", "1", "--yes"]).assert().code(0).stderr(contains("Removed 2 matches"));
    let left = told(&mut run(&["matches", "--json"]));
    assert_eq!(left.as_array().unwrap().len(), 2);
    assert!(folder.path().join("replays/mine/match.jsonl").is_file());
    // One that cannot be read is listed with the reason.
    fs::write(folder.path().join("replays/mine/match.jsonl"), "{}").unwrap();
    let broken = told(&mut run(&["matches", "--json"]));
    assert!(broken.as_array().unwrap().iter().any(|one| one["error"].is_string()), "{broken:#}");
    run(&["matches"]).assert().code(0).stdout(contains("cannot be read").and(contains("replays/mine")));
}

#[test]
fn quiet_programs_say_nothing_but_results() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = broadside();
    command.current_dir(folder.path()).args(["builtin:hunter", "builtin:random", "-s", "1", "-q"]);
    command.assert().code(0).stdout(contains("wins").or(contains("draw"))).stderr("");
}

#[test]
fn the_machine_is_examined() {
    let mut command = broadside();
    let output = command.args(["doctor", "--json"]).assert().get_output().clone();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(fits(&found).is_empty(), "{found:#}: {:?}", fits(&found));
    let has_problem = found.as_array().unwrap().iter().any(|one| one["state"] == "problem");
    assert_eq!(output.status.code(), Some(i32::from(has_problem)), "{found:#}");
    for topic in ["languages", "sandbox", "times"] {
        assert!(found.as_array().unwrap().iter().any(|one| one["topic"] == topic), "{topic}: {found:#}");
    }
    let text = broadside().arg("doctor").assert().get_output().stdout.clone();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("languages") && text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn a_check_is_told() {
    let bot = BotFolder::new("Half", "1: place\nr1: fire\n2: exit 3");
    let mut command = broadside();
    command.arg("check").arg(bot.path()).args(["-s", "1", "--seed", "5", "--calibration", "off", "--json"]);
    let output = command.assert().code(4).get_output().clone();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(fits(&result), [] as [String; 0], "{result}");
    assert_eq!((&result["format"], &result["ready"]), (&json!("broadside check"), &json!(false)));
    assert_eq!((&result["name"], &result["seed"], &result["dialect"]), (&json!("Half"), &json!("5"), &Value::Null));
    let game = &result["games"][0];
    assert_eq!((&game["label"], &game["seat"], &game["limit_ms"]), (&json!("7 x 7"), &json!("A"), &json!(2000.0)));
    assert!(game["most_ms"].as_f64() >= game["median_ms"].as_f64() && game["most_memory"].is_u64(), "{game}");
    let without_order = game["turns_without_order"].as_u64().unwrap();
    assert!(without_order > 0 && game["turns"].as_u64().unwrap() > without_order, "{game}");
    let fault = &game["faults"][0];
    assert!(fault["why"].as_str().unwrap().contains("exit status 3"), "{fault}");
    assert!(Path::new(fault["see"].as_str().unwrap()).exists(), "{fault}");
}

#[test]
fn a_check_of_several_bots_tells_of_each_also_of_one_that_cannot_be_built() {
    let folder = tempfile::tempdir().unwrap();
    let bots = [
        BotFolder::new("Good", PLAYS),
        BotFolder::new("Half", "1: place\nr1: fire\n2: exit 3"),
        BotFolder::with_manifest(r#"{"NickName": "Rusty", "BotType": "Rust", "RunFile": "none"}"#, ""),
    ];
    for (number, bot) in (1..).zip(&bots) {
        copy_bot(bot.path(), &folder.path().join(format!("s{number}"))).unwrap();
    }
    fs::create_dir(folder.path().join("s4")).unwrap();
    let check = |bots: &[&str]| {
        let mut command = broadside();
        command.current_dir(folder.path()).arg("check").args(bots);
        command.args(["-s", "1", "--calibration", "off", "--log", "kept"]);
        command
    };
    let json = |bots: &[&str], code: i32| -> Value {
        let output = check(bots).arg("--json").assert().code(code).get_output().clone();
        let result: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(fits(&result), [] as [String; 0], "{result}");
        result
    };
    let all = json(&["s*"], 3);
    let told: Vec<_> = all.as_array().unwrap().iter().map(|one| (&one["bot"], &one["ready"])).collect();
    let names = ["s1", "s2", "s3", "s4"].map(|name| json!(name));
    assert_eq!(told.iter().map(|(bot, _)| *bot).collect::<Vec<_>>(), names.iter().collect::<Vec<_>>());
    assert_eq!(told.iter().map(|(_, ready)| *ready == true).collect::<Vec<_>>(), [true, false, false, false]);
    assert!(all[2]["error"].as_str().unwrap().contains("Cargo.toml") && all[2]["hint"].is_string(), "{all:#}");
    assert!(all[3]["error"].as_str().unwrap().contains("there is no bot.json") && all[0]["error"].is_null());
    assert!(folder.path().join("kept/1-s1").is_dir() && folder.path().join("kept/2-s2").is_dir());

    let one = json(&["s3"], 3);
    assert_eq!((&one["ready"], &one["games"], &one["name"]), (&json!(false), &json!([]), &Value::Null));
    assert_eq!(json(&["s1", "s2"], 4).as_array().unwrap().len(), 2);
    let told = check(&["s1", "s3"]).assert().code(3).stdout(contains("Good, ").and(contains("Ready: ")));
    told.stderr(contains("there is no Cargo.toml").and(contains("1 of 2 bots ready\n")));
    check(&["s1", "builtin:random"]).assert().code(2).stderr(contains("built-in players need no check"));
}

#[test]
fn verified_matches_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = broadside();
        command.current_dir(folder.path()).args(arguments);
        command
    };
    run(&["builtin:hunter", "builtin:random", "-s", "1", "--seed", "5", "-l", "good"]).assert().code(0);
    let verified = told(&mut run(&["verify", "good", "--json"]));
    let good = &verified["matches"][0];
    assert_eq!((&good["path"], &good["verdict"], &good["error"]), (&json!("good"), &json!("ok"), &Value::Null));
    assert!(good["outcome"]["winner"].is_string() && good["turns"].as_u64() > Some(0), "{good}");
    let record = fs::read_to_string(folder.path().join("good/match.jsonl")).unwrap();
    let lines: Vec<&str> = record.lines().collect();
    fs::create_dir(folder.path().join("bad")).unwrap();
    fs::write(folder.path().join("bad/cut.jsonl"), lines[..4].join("\n") + "\n").unwrap();
    fs::write(folder.path().join("bad/damaged.jsonl"), record.replacen("\"seed\":\"5\"", "\"seed\":\"6\"", 1)).unwrap();
    let output = run(&["verify", "good", "bad", "--json", "--quiet"]).assert().code(5).get_output().clone();
    let verified: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(fits(&verified), [] as [String; 0], "{verified}");
    let verdicts: Vec<&Value> = verified["matches"].as_array().unwrap().iter().map(|one| &one["verdict"]).collect();
    assert_eq!(verdicts, ["ok", "no-end", "wrong"]);
    assert!(verified["matches"][2]["error"].as_str().unwrap().contains("damaged.jsonl"), "{verified:#}");
}
