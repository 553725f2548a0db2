//! Marks for a class: judged, graded until tests have decided, graded again after changes, in few games.

use crate::table::broadside;
use assert_cmd::assert::Assert;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const PLAN: &str = r#"
    title = "Assignment 2"
    rules = "classic"
    seed = 2017
    confidence = 0.9
    students = 2
    late-share = 0.5
    games = { at-least = 6, at-most = 60 }
    [[baseline]]
    name = "random"
    bot = "builtin:random"
    [[baseline]]
    name = "secret"
    bot = "builtin:hunt-and-target"
    hidden = true
    [[criterion]]
    name = "Beats random"
    points = 10
    against = "random"
    score = 0.6
    [[criterion]]
    name = "Beats the other"
    points = 10
    against = "secret"
    score = 1.0
    [[criterion]]
    name = "No lost turns"
    points = 5
    lost-turns = 0
"#;

fn grade(dir: &TempDir, more: &str) -> Assert {
    let line = format!("grade class --plan plan.toml --sandbox on {more}");
    broadside().current_dir(dir.path()).args(line.split_whitespace()).assert()
}

/// A folder with the plan, and a class as Canvas hands it out: a student, two with copies, of whom one is late, one whose bot crashes, and
/// one without a bot.
fn class() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("plan.toml"), PLAN).unwrap();
    let class = dir.path().join("class");
    fs::create_dir(&class).unwrap();
    broadside().current_dir(dir.path()).args(["new", "python", "bot", "--rules", "classic"]).assert().code(0);
    let bot = dir.path().join("bot");
    for name in ["doe_11_22_bot", "copy_33_44_bot", "late_LATE_55_66_bot"] {
        hand_in(&bot, &class, name);
    }
    fs::write(bot.join("bot.py"), "import sys\nsys.exit('no idea\\tat all <b>')\n").unwrap();
    hand_in(&bot, &class, "crash_99_99_bot");
    fs::write(bot.join("bot.json"), "{").unwrap();
    hand_in(&bot, &class, "none_77_88_bot");
    dir
}

/// Hands in a bot as an archive of this name.
fn hand_in(bot: &Path, class: &Path, name: &str) {
    let file = fs::File::create(class.join(format!("{name}.tar.gz"))).unwrap();
    let mut archive = tar::Builder::new(flate2::write::GzEncoder::new(file, flate2::Compression::fast()));
    archive.append_dir_all("bot", bot).unwrap();
    archive.into_inner().unwrap().finish().unwrap();
}

fn marks(dir: &TempDir) -> Value {
    serde_json::from_slice(&fs::read(dir.path().join("marks/marks.json")).unwrap()).unwrap()
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).unwrap().lines().count()
}

#[test]
fn a_class_is_graded_and_only_what_has_changed_again() {
    if test_tools::required("python3").is_none() {
        return;
    }
    let dir = class();
    let at = |path: &str| dir.path().join(path);
    grade(&dir, "--sources sources --pseudonyms")
        .code(0)
        .stdout(contains(" 15/25  copy   ✓✗✓\n").and(contains("7.5/25  late   ✓✗✓  late\n")))
        .stdout(contains("  0/25  crash  ✗✗✗  trial: it lost "))
        .stderr(contains("5 submissions in ").and(contains("5 of 5 names are those of Canvas")));
    assert!(at("sources/python3/base").is_dir() && at("sources-key.csv").is_file());
    let first = marks(&dir);
    let students = first["students"].as_array().unwrap();
    let reasons: Vec<&str> = students.iter().filter_map(|one| one["failing"]["reason"].as_str()).collect();
    assert!(reasons[0].ends_with("it said last: no idea    at all <b>"), "{reasons:?}");
    assert!(reasons[1].starts_with("bot.json is broken"), "{reasons:?}");
    assert!(fs::read_to_string(at("marks/alike.csv")).unwrap().contains("copy,doe,1.000,"), "a copy is found");
    for page in fs::read_dir(at("marks/students")).unwrap() {
        let text = fs::read_to_string(page.unwrap().path()).unwrap();
        for hidden in ["secret", "hunt-and-target", "Beats the other", "doe_11", "copy_33", "late_"] {
            assert!(!text.contains(hidden), "{hidden} in {text}");
        }
    }
    let lost = students.iter().flat_map(|one| one["marks"].as_array().unwrap()).find_map(|mark| mark["lost"].as_str());
    if let Some(lost) = lost {
        broadside().current_dir(dir.path()).args(["verify", &format!("marks/{lost}")]).assert().code(0);
    }

    let games = at("marks/games.jsonl");
    let before = lines(&games);
    grade(&dir, "").code(0);
    assert_eq!((marks(&dir), lines(&games)), (first.clone(), before), "nothing has changed");

    // The points change without a game, and one student hands in again.
    fs::write(at("plan.toml"), PLAN.replace("points = 5", "points = 7")).unwrap();
    broadside().current_dir(dir.path()).args(["new", "python", "new", "--rules", "classic"]).assert().code(0);
    let bot = at("new/bot.py");
    fs::write(&bot, fs::read_to_string(&bot).unwrap() + "\n# mine\n").unwrap();
    hand_in(&at("new"), &at("class"), "copy_33_45_bot");
    grade(&dir, "").code(0).stdout(contains(" 17/27  copy   ✓✗✓\n").and(contains(" 17/27  doe    ✓✗✓\n")));
    let second = marks(&dir);
    assert_ne!(second["students"][0]["games"], 0);
    assert_eq!(second["students"][0]["earlier"].as_array().unwrap().len(), 1);
    assert_eq!(second["students"][2]["games"], first["students"][2]["games"], "nothing of doe is played again");
    let (played, of_copy) = (lines(&games) - before, second["students"][0]["games"].as_u64().unwrap());
    assert!(played as u64 >= of_copy && played as u64 <= of_copy + 5, "{played} lines for {of_copy} games");

    fs::write(at("plan.toml"), PLAN.replace("builtin:hunt-and-target", "builtin:random")).unwrap();
    let other = "its baseline hidden 2 (builtin:hunt-and-target) is not hidden 2 (builtin:random)";
    grade(&dir, "").code(2).stderr(contains(other));
    assert_eq!(marks(&dir), second, "the marks stay");
}

#[test]
fn a_folder_with_a_bot_is_a_class_of_one() {
    if test_tools::required("python3").is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("plan.toml"), PLAN).unwrap();
    broadside().current_dir(dir.path()).args(["new", "python", "bot", "--rules", "classic"]).assert().code(0);
    let args = ["grade", "bot", "--plan", "plan.toml", "--dir", "mine", "--json", "-j", "1"];
    let graded = broadside().current_dir(dir.path()).args(args).args(["--sandbox", "on"]).assert().code(0);
    let marks: Value = serde_json::from_slice(&graded.get_output().stdout).unwrap();
    assert_eq!(marks["students"][0]["student"], "bot");
    assert_eq!(marks["students"][0]["marks"][0]["command"], "broadside grade BOT --plan plan.toml");
}

#[test]
fn mistakes_of_the_teacher_are_told_in_words() {
    let dir = class();
    let wrong = |from: &str, to: &str, told: &str| {
        fs::write(dir.path().join("plan.toml"), PLAN.replace(from, to)).unwrap();
        let told = contains(told).and(contains("hint: ")).and(contains("built and tried").not());
        grade(&dir, "").code(2).stdout("").stderr(told);
    };
    wrong("score = 1.0", "scores = 1.0", "plan.toml, line 25: unknown field `scores`");
    wrong("rules = \"classic\"", "rules = \"clasic\"", "did you mean classic?");
    wrong("bot = \"builtin:random\"", "bot = \"builtin:randon\"", "randon");
    fs::write(dir.path().join("plan.toml"), PLAN).unwrap();
    let none = broadside().current_dir(dir.path()).args(["grade", "nobody", "--plan", "plan.toml"]).assert();
    none.code(2).stderr(contains("there is no folder nobody"));
    let none = broadside().current_dir(dir.path()).args(["grade", "class", "--plan", "none.toml"]).assert();
    none.code(2).stderr(contains("none.toml"));
    fs::create_dir(dir.path().join("empty")).unwrap();
    let none = broadside().current_dir(dir.path()).args(["grade", "empty", "--plan", "plan.toml"]).assert();
    none.code(2).stderr(contains("there are no submissions in empty"));
}
