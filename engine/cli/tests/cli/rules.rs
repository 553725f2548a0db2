//! Rules of any Battleship, in files.

use crate::screens::schemas::Schema;
use crate::table::broadside;
use assert_cmd::assert::Assert;
use predicates::prelude::*;
use predicates::str::{contains, starts_with};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn run(dir: &TempDir, line: &str) -> Assert {
    broadside().current_dir(dir.path()).args(line.split(' ')).assert()
}

fn json(assert: &Assert) -> Value {
    serde_json::from_slice(&assert.get_output().stdout).unwrap()
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, text)| fs::write(dir.path().join(name), text).unwrap());
    dir
}

#[test]
fn rules_are_listed_shown_and_checked() {
    let dir = folder(&[]);
    let list = run(&dir, "rules list").code(0).stdout(starts_with("classic               10 x 10  5, 4, 3, 3, 2 "));
    assert!(String::from_utf8_lossy(&list.get_output().stdout).lines().count() > 30);
    let shown = run(&dir, "rules show russian").code(0).get_output().stdout.clone();
    fs::write(dir.path().join("mine.toml"), &shown).unwrap();
    let words = "A move is one shot, in turn; who begins is drawn. Who hits moves again.\n";
    run(&dir, "rules check mine.toml").code(0).stdout(starts_with("russian can be played.\n").and(contains(words)));
    fs::write(dir.path().join("one.toml"), "board = { width = 5, height = 1 }\nfleet = [{ name = \"a\", size = 5 }]")
        .unwrap();
    run(&dir, "rules check one.toml").code(0).stdout(contains("There is 1 fleet.\n"));
    run(&dir, "rules check textarena").code(0).stdout(contains("There are 80848 fleets.\n"));
    let schema = Schema::read("results.schema.json");
    let checked = json(&run(&dir, "rules check mine.toml --json").code(0));
    schema.assert_fits(&checked);
    assert_eq!((&checked["name"], &checked["fleets"]["counted"]), (&"russian".into(), &false.into()));
    let listed = json(&run(&dir, "rules list --json").code(0));
    schema.assert_fits(&listed);
    assert_eq!(listed[1], checked["rules"]);
}

#[test]
fn what_is_wrong_with_rules_is_told_before_the_match() {
    let dir = folder(&[
        ("wrong.toml", "touching = \"none\"\ntocuhing = 1\n"),
        ("narrow.toml", "board = { width = 5, height = 5 }\ntouching = \"none\"\n"),
    ]);
    let wrong = |line: &str, told: &str, hint: &str| {
        run(&dir, line).code(2).stdout("").stderr(contains(told).and(contains("hint: ")).and(contains(hint)));
        assert!(!dir.path().join("replays").exists());
    };
    let mistake = "wrong.toml, line 2, column 1: unknown key `tocuhing`; did you mean `touching`?";
    for command in ["play", "tournament", "compare"] {
        let line = format!("{command} --rules wrong.toml -b builtin:random builtin:hunter");
        wrong(
            &line.replace("compare --rules wrong.toml -b", "compare --rules wrong.toml"),
            mistake,
            "correct the file",
        );
    }
    wrong("rules check wrong.toml", mistake, "broadside rules show classic");
    wrong("check --rules wrong.toml http://127.0.0.1:9", mistake, "correct the file");
    wrong("rules check narrow.toml", "there is no place for all ships", "make the board larger");
    wrong("--rules narrow.toml builtin:random builtin:hunter", "no place for all ships", "");
    wrong(
        "--rules rusian builtin:random builtin:hunter",
        "there are no rules called \"rusian\"",
        "did you mean russian?",
    );
    wrong("--rules none.toml builtin:random builtin:hunter", "cannot read none.toml", "check the path");
    wrong("rules show none", "there are no rules called \"none\"", "broadside rules list");
    wrong(
        "--game sea-battle --rules russian builtin:random builtin:hunter",
        "--rules is not for --game sea-battle",
        "battleship",
    );
    wrong(
        "--rules russian --size 1 builtin:random builtin:hunter",
        "--size is not for --game battleship",
        "entelect-2017",
    );
    wrong("--rules russian builtin:random builtin:hunter builtin:hunter", "you named 3", "--rules russian -b my-bot");
}

#[test]
fn matches_are_played_by_rules_and_records_have_them_in_full() {
    let dir = folder(&[("three.toml", "seats = 3\nboard = { width = 7, height = 7 }\n")]);
    let play = |line: &str| run(&dir, &format!("play --record compact --seed 3 {line}")).code(0);
    play("--log classic --game battleship builtin:hunter builtin:random").stdout(contains("builtin:hunter wins"));
    play("--log russian --rules russian builtin:hunter builtin:random").stdout(contains("all ships of"));
    play("--log alone --rules gym-battleship builtin:hunter")
        .stdout(contains("sank all ships").and(contains(" shots\n")).and(contains("left").not()));
    play("--log three --rules three.toml builtin:hunter builtin:random builtin:random").stdout(contains("wins"));
    play("--log radar --pretty --rules sea-battle builtin:hunter builtin:random").stdout(contains("ships 10/10"));
    fs::remove_file(dir.path().join("three.toml")).unwrap();
    run(&dir, "verify alone").code(0).stdout(contains(" shots"));
    run(&dir, "verify classic russian alone three radar").code(0).stderr(contains("5 of 5 matches verified"));
    run(&dir, "replay three").code(0).stdout(contains("wins"));
    let header = fs::read_to_string(dir.path().join("three/match.jsonl")).unwrap();
    let header: Value = serde_json::from_str(header.lines().next().unwrap()).unwrap();
    assert_eq!((&header["settings"]["name"], &header["settings"]["board"]["width"]), (&"three".into(), &7.into()));
}

#[test]
fn tournaments_and_comparisons_are_played_by_rules() {
    let dir = folder(&[("small.toml", "board = { width = 6, height = 6 }\ntouching = \"corners\"\n")]);
    let bots = "builtin:hunter builtin:random builtin:hunt-and-target";
    run(&dir, &format!("tournament --rules small.toml -g 2 --dir all -b {bots}"))
        .code(0)
        .stdout(contains("builtin:hunter"));
    assert!(Path::new(&dir.path().join("all/games.jsonl")).exists());
    run(&dir, "tournament --rules russian -g 2 --dir all -b builtin:hunter builtin:random builtin:hunt-and-target")
        .code(2);
    run(&dir, "compare --rules small.toml -g 4 --dir two builtin:hunter builtin:random")
        .code(0)
        .stdout(contains("builtin:hunter"));
}

#[test]
fn in_solo_scores_are_shots_for_people_and_programs() {
    let dir = folder(&[("solo.toml", "turns = \"solo\"\nboard = { width = 6, height = 6 }\nlimit = { turns = 50 }\n")]);
    let results = Schema::read("results.schema.json");
    let played = json(&run(&dir, "play --rules solo.toml --record none --json builtin:hunter builtin:random").code(0));
    results.assert_fits(&played);
    assert_eq!(played["outcome"]["scoring"], "shots");
    let shots = |nth: usize| played["players"][nth]["shots"].as_u64().unwrap();
    assert!((17..=50).contains(&shots(0)) && played["players"][0].get("points").is_none(), "{played}");
    let compared = run(&dir, "compare --rules solo.toml -g 20 --dir two --json builtin:hunter builtin:random");
    let compared = json(&compared);
    results.assert_fits(&compared);
    assert_eq!(compared["shots"]["boards"], 20);
    assert!(compared["shots"]["mean"].as_f64().unwrap() < -5.0, "{compared}");

    let bots = "builtin:random builtin:hunter builtin:hunt-and-target";
    run(&dir, &format!("tournament --rules solo.toml -g 10 --dir all -b {bots}")).code(0);
    let standings =
        |format: &str| run(&dir, &format!("standings all --format {format}")).code(0).get_output().stdout.clone();
    let text = |format: &str| String::from_utf8(standings(format)).unwrap();
    let told: Value = serde_json::from_slice(&standings("json")).unwrap();
    let [best, .., last] = &told["standings"].as_array().unwrap()[..] else { panic!("{told}") };
    assert_eq!(
        (&told["scoring"], &best["name"], &best["game_points"]),
        (&"shots".into(), &"builtin:hunter".into(), &Value::Null)
    );
    assert_eq!((&best["shots"]["boards"], &last["shots_behind"]["boards"]), (&10.into(), &10.into()));
    assert!(text("table").contains("By the mean shots for a board, the fewest first."), "{}", text("table"));
    assert!(text("markdown").contains("shots"));
    let csv = text("csv");
    let column = csv.lines().next().unwrap().split(',').position(|name| name == "shots").unwrap();
    let means = csv.lines().skip(1).map(|line| line.split(',').nth(column).unwrap().parse::<f64>().unwrap());
    assert!(means.is_sorted(), "{csv}");
    assert!(text("html").contains("shots for a board"));
}
