//! `broadside analyse`: what a recorded match owes to skill and luck.

use crate::screens::schemas::Schema;
use crate::table::broadside;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../replays").join(name)
}

fn json(record: &Path, options: &[&str]) -> Value {
    let output = broadside().arg("analyse").arg(record).arg("--json").args(options).assert().code(0).stderr("");
    serde_json::from_slice(&output.get_output().stdout).unwrap()
}

#[test]
fn the_records_of_all_games_are_analysed() {
    let schema = Schema::read("results.schema.json");
    for name in ["entelect-2017", "sea-battle", "bots-arena", "battleship", "salvo"] {
        let record = sample(&format!("{name}.jsonl"));
        let analysis = json(&record, &[]);
        schema.assert_fits(&analysis);
        let turns = analysis["outcome"]["turns"].as_u64().unwrap() as usize;
        assert_eq!(analysis["moments"].as_array().unwrap().len(), turns + 1, "{name}");
        let winner = analysis["outcome"]["winner"].as_str().unwrap().bytes().next().unwrap() - b'A';
        assert_eq!(analysis["moments"][turns]["win"]["seen"][usize::from(winner)], 1.0, "{name}");
        let accuracy = analysis["players"][0]["accuracy"].as_f64().unwrap();
        assert!(accuracy > analysis["players"][0]["random_accuracy"].as_f64().unwrap(), "{name}");
    }
}

#[test]
fn the_analysis_for_people_has_shots_a_line_and_turning_points() {
    let words = contains("botsArena").and(contains("player            shots  hits  expected  accuracy    luck"));
    let line = contains("Probability to win").and(contains("█")).and(contains("Turning points:\n  turn "));
    broadside().arg("analyse").arg(sample("bots-arena.jsonl")).assert().code(0).stdout(words.and(line)).stderr("");
}

#[test]
fn chances_of_all_cells_are_told_on_demand() {
    let analysis = json(&sample("bots-arena.jsonl"), &["--chances"]);
    Schema::read("results.schema.json").assert_fits(&analysis);
    let board = &analysis["moments"][1]["boards"][0];
    assert_eq!((&board["by"], &board["at"]), (&"A".into(), &"B".into()));
    let percent: Vec<u64> = board["percent"].as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).collect();
    let sum: u64 = percent.iter().sum();
    assert!(percent.len() == 100 && (1650..1750).contains(&sum), "17 cells of ships: {sum}");
    broadside().args(["analyse", "--chances"]).assert().code(2).stderr(contains("--json"));
}

#[test]
fn a_record_that_ends_early_is_analysed_up_to_there() {
    let dir = tempfile::tempdir().unwrap();
    let whole = fs::read_to_string(sample("bots-arena.jsonl")).unwrap();
    let cut: String = whole.lines().take(12).map(|line| format!("{line}\n")).collect();
    fs::write(dir.path().join("cut.jsonl"), cut).unwrap();
    let output = broadside().current_dir(dir.path()).args(["analyse", "cut.jsonl"]).assert().code(0);
    output.stdout(contains("the match was not played to its end")).stderr(contains("cut.jsonl"));
}

#[test]
fn what_is_not_a_record_is_told() {
    let dir = tempfile::tempdir().unwrap();
    broadside()
        .current_dir(dir.path())
        .arg("analyse")
        .assert()
        .code(5)
        .stderr(contains("there is no match in replays/"));
    fs::write(dir.path().join("no.jsonl"), "{}\n").unwrap();
    broadside().current_dir(dir.path()).args(["analyse", "no.jsonl"]).assert().code(5).stderr(contains("no.jsonl"));
    broadside()
        .current_dir(dir.path())
        .args(["analyse", "none.jsonl"])
        .assert()
        .failure()
        .stderr(contains("none.jsonl"));
}

#[test]
fn boards_that_are_too_large_are_not_analysed_and_it_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let rules = "board = { width = 100, height = 100 }\nfleet = [{ name = \"five\", size = 5, count = 50 }]\nlimit = { turns = 2 }\n";
    fs::write(dir.path().join("large.toml"), rules).unwrap();
    let play = ["play", "--rules", "large.toml", "-l", "large", "-b", "builtin:random", "builtin:random"];
    broadside().current_dir(dir.path()).args(play).assert().code(0);
    let said = contains("The boards are too large to be analysed.");
    broadside().current_dir(dir.path()).args(["analyse", "large"]).assert().code(0).stdout(said);
    let analysis = json(&dir.path().join("large"), &[]);
    Schema::read("results.schema.json").assert_fits(&analysis);
    assert_eq!(analysis["too_large"], true);
    broadside().current_dir(dir.path()).args(["replay", "large", "--html", "large.html"]).assert().code(0);
}
