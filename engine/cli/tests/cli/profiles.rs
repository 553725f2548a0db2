//! `broadside profile`: how a bot plays over many games.

use crate::screens::schemas::Schema;
use crate::table::broadside;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A tournament of built-in players in the folder `night`.
fn tournament(game: &[&str], games: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let line = ["--dir", "night", "--seed", "3", "-j", "2", "--keep", "all", "--games", games];
    let bots = ["-b", "builtin:hunter", "builtin:random"];
    broadside().current_dir(dir.path()).arg("tournament").args(game).args(line).args(bots).assert().code(0);
    dir
}

fn json(dir: &Path, args: &[&str]) -> Value {
    let output = broadside().current_dir(dir).arg("profile").args(args).arg("--json").assert().code(0).stderr("");
    let json = serde_json::from_slice(&output.get_output().stdout).unwrap();
    Schema::read("results.schema.json").assert_fits(&json);
    json
}

fn sum(counts: &Value) -> u64 {
    counts.as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum()
}

#[test]
fn a_tournament_of_2017_has_fleets_shots_weapons_shields_and_opponents() {
    let dir = tournament(&[], "6");
    let profile = json(dir.path(), &["builtin:hunter", "night", "--beside", "builtin:random"]);
    let bots = profile["bots"].as_array().unwrap();
    let [hunter, random] = &bots[..] else { panic!("{profile}") };
    assert_eq!((&profile["game"], &profile["board"]["width"]), (&"entelect-2017".into(), &10.into()));
    for bot in bots {
        assert_eq!((&bot["games"], &bot["opponents"][0]["games"]), (&6.into(), &6.into()));
        assert_eq!(sum(&bot["fleets"]["cells"]), 6 * 17, "a fleet has 17 cells");
        assert!(sum(&bot["first_shots"]["cells"]) <= 60 && bot["shield"].is_object());
        assert_eq!((&bot["salvos"], &bot["too_large"]), (&Value::Null, &false.into()));
    }
    let of = |bot: &Value, number: &str| bot[number].as_f64().unwrap();
    assert!(of(hunter, "accuracy") > 0.8 && of(random, "accuracy") < 0.5);
    assert_eq!((hunter["won"].as_u64(), random["lost"].as_u64()), (Some(6), Some(6)));
    assert_eq!(hunter["shots_to_win"]["games"], 6);
    let left = random["losses"]["ships"].as_array().unwrap();
    assert!(random["losses"]["cells"]["games"] == 6 && left.iter().any(|left| left["games"].as_u64() > Some(0)));
    let rate = |phase: usize| {
        hunter["phases"][phase]["hits"].as_f64().unwrap() / hunter["phases"][phase]["shots"].as_f64().unwrap()
    };
    assert!(rate(1) > rate(0), "it follows up what it hit");
    let again = json(dir.path(), &["builtin:hunter", "night/games.jsonl", "--beside", "builtin:random"]);
    assert_eq!(again["bots"], profile["bots"], "threads change nothing");
}

#[test]
fn the_text_has_all_parts_and_fits_into_80_columns() {
    let dir = tournament(&[], "2");
    let profile = broadside().current_dir(dir.path()).args(["profile", "builtin:hunter", "night"]).assert().code(0);
    let text = String::from_utf8(profile.get_output().stdout.clone()).unwrap();
    for part in ["Where its ships stood", "Its first 10 shots", "shots to win, median", "accuracy", "builtin:random"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80) && !text.contains('\x1b'), "{text}");
    // Without a source it is the latest tournament, as for standings.
    let latest = broadside().current_dir(dir.path()).args(["profile", "builtin:hunter"]).assert().code(0);
    latest.stdout(text).stderr(contains("The latest tournament: night"));
}

#[test]
fn all_games_have_profiles() {
    for (game, fleet) in
        [(&["--game", "sea-battle"][..], 20), (&["--game", "bots-arena"], 17), (&["--rules", "russian"], 20)]
    {
        let dir = tournament(game, "2");
        let profile = json(dir.path(), &["builtin:random", "night"]);
        let bot = &profile["bots"][0];
        assert_eq!((sum(&bot["fleets"]["cells"]), &bot["shield"]), (2 * fleet, &Value::Null), "{game:?}");
        assert!(bot["accuracy"].as_f64().unwrap() > 0.1 && bot["tests"].as_u64().unwrap() > 10, "{bot}");
    }
    let salvo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../replays/salvo.jsonl");
    let profile = json(Path::new("."), &["builtin:hunter", salvo.to_str().unwrap()]);
    let salvos = &profile["bots"][0]["salvos"];
    assert!(salvos["shots"].as_u64().unwrap() > salvos["salvos"].as_u64().unwrap(), "{salvos}");
}

#[test]
fn a_page_opens_without_any_other_file() {
    let dir = tournament(&[], "2");
    let line = ["profile", "builtin:hunter", "night", "--html", "page.html", "--beside", "builtin:random"];
    broadside().current_dir(dir.path()).args(line).assert().code(0).stdout("page.html\n").stderr("");
    let page = fs::read_to_string(dir.path().join("page.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("Profile of builtin:hunter beside builtin:random"));
    assert!(!page.contains("http://") && !page.contains("https://") && !page.contains(" style=\""));
}

#[test]
fn an_unknown_name_is_told_with_the_names_that_there_are() {
    let dir = tournament(&["--game", "bots-arena"], "2");
    let profile = |args: &[&str]| broadside().current_dir(dir.path()).arg("profile").args(args).assert();
    let like = contains("did you mean builtin:hunter? its bots are builtin:hunter, builtin:random");
    profile(&["builtin:huntr", "night"])
        .code(2)
        .stdout(is_empty())
        .stderr(contains("no bot builtin:huntr in night").and(like));
    let beside = ["builtin:hunter", "night", "--beside", "nobody"];
    profile(&beside).code(2).stderr(contains("there is no bot nobody"));
    profile(&["builtin:hunter", "night", "--beside", "builtin:hunter"]).code(2).stderr(contains("both names"));
    profile(&["nobody", "night/records"]).code(2).stderr(contains("its bots are builtin:hunter, builtin:random"));
    profile(&["nobody", "morning"]).code(5).stderr(contains("there is no morning"));
    fs::create_dir(dir.path().join("empty")).unwrap();
    profile(&["nobody", "empty"]).code(5).stderr(contains("there is no match in empty"));
}

#[test]
fn a_tournament_whose_records_were_not_kept_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let line = ["--dir", "night", "--seed", "3", "--keep", "none", "--games", "2", "--game", "bots-arena"];
    let bots = ["-b", "builtin:hunter", "builtin:random"];
    broadside().current_dir(dir.path()).arg("tournament").args(line).args(bots).assert().code(0);
    let profile = broadside().current_dir(dir.path()).args(["profile", "builtin:hunter", "night"]).assert();
    profile.code(5).stderr(contains("no record of a game of builtin:hunter").and(contains("--keep all")));
}

#[test]
fn a_broken_record_is_named_and_the_rest_is_shown() {
    let dir = tournament(&["--game", "bots-arena"], "4");
    let mut records: Vec<_> =
        fs::read_dir(dir.path().join("night/records")).unwrap().map(|one| one.unwrap().path()).collect();
    records.sort();
    fs::write(&records[1], "{}\n").unwrap();
    fs::remove_file(&records[2]).unwrap();
    let profile = broadside().current_dir(dir.path()).args(["profile", "builtin:hunter", "night"]).assert().code(5);
    let named = |at: usize| contains(records[at].file_name().unwrap().to_str().unwrap().to_owned());
    let profile = profile.stderr(contains("left out: ").and(named(1)).and(named(2)));
    profile.stdout(contains("2 games with a record").and(contains("2 records are missing or damaged")));
}
