//! A class of students' bots, of which some are broken and some call themselves the same.

use crate::screens::schemas::Schema;
use crate::screens::terminal::Terminal;
use crate::table::{USUAL_SIGNALS, broadside};
use fake_bot::{BotFolder, PLAYS};
use players::process::copy_bot;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// The folders `students/s1` to `s6`. Those of s1, s2 and s5 play, and two of them call themselves Ann.
fn class() -> TempDir {
    let class = tempfile::tempdir().unwrap();
    let bots = [
        BotFolder::new("Ann", PLAYS),
        BotFolder::new("Ann", PLAYS),
        BotFolder::new("No manifest", PLAYS),
        BotFolder::with_manifest("{", ""),
        BotFolder::new("Eve", "exit 3\n"),
        BotFolder::with_manifest(r#"{"NickName": "Rusty", "BotType": "Rust", "RunFile": "none"}"#, ""),
    ];
    fs::create_dir(class.path().join("students")).unwrap();
    for (number, bot) in (1..).zip(&bots) {
        copy_bot(bot.path(), &class.path().join(format!("students/s{number}"))).unwrap();
    }
    fs::remove_file(class.path().join("students/s3/bot.json")).unwrap();
    fs::create_dir(class.path().join("students/.git")).unwrap();
    fs::write(class.path().join("students/list.txt"), "").unwrap();
    class
}

fn run(class: &TempDir, arguments: &[&str]) -> assert_cmd::assert::Assert {
    broadside().current_dir(class.path()).args(arguments).assert()
}

fn printed(class: &TempDir, arguments: &[&str]) -> String {
    String::from_utf8(run(class, arguments).code(0).get_output().stdout.clone()).unwrap()
}

/// Plays a small tournament of the class.
fn played() -> TempDir {
    let class = class();
    let arguments =
        ["tournament", "-s", "1", "-g", "2", "--seed", "5", "--keep", "all", "--sandbox", "off", "-b", "students/*"];
    let told = run(&class, &arguments).code(0);
    told.stderr(contains("left out: ").count(3).and(contains("there is no bot.json in").count(1)));
    class
}

#[test]
fn bots_of_one_name_are_told_apart_by_their_folders_in_tournaments_and_matches() {
    let class = played();
    let standings = printed(&class, &["standings"]);
    assert!(standings.contains("Ann (s1)") && standings.contains("Ann (s2)"), "{standings}");
    let tournament = fs::read_dir(class.path().join("tournaments")).unwrap().next().unwrap().unwrap();
    let name = tournament.file_name().into_string().unwrap();
    assert!(name.starts_with("s1_s2_s5_") && !name.contains(' '), "{name}");
    let record = format!("tournaments/{name}/records/0-1-00000.jsonl.zst");
    let text = printed(&class, &["replay", &record, "--print"]);
    assert!(text.contains("Ann (s1)") && text.contains("Ann (s2)"), "{text}");

    // Without matches of its own, the folder has those of its latest tournament.
    run(&class, &["matches"]).code(0).stdout(contains("Ann (s1) : Ann (s2)").and(contains(&*record)));

    run(&class, &["-b", "students/s1", "students/s2", "-s", "1"])
        .code(0)
        .stdout(contains("Ann (s").and(contains("(A)").not()));
    let text = printed(&class, &["matches"]);
    assert!(text.contains("Ann (s1) : Ann (s2)"), "{text}");
    run(&class, &["replay", "--html", "match.html"]).code(0);
    let page = fs::read_to_string(class.path().join("match.html")).unwrap();
    assert!(page.contains(r#""Ann (s1)","Ann (s2)""#));
    // A bot against itself has no other folder.
    run(&class, &["-b", "students/s1", "students/s1", "-s", "1"])
        .code(0)
        .stdout(contains("Ann (A)").or(contains("Ann (B)")));
}

#[test]
fn folders_authors_faults_and_bots_that_were_left_out_are_in_all_formats() {
    let class = played();
    let format = |format: &str| printed(&class, &["standings", "--format", format]);
    let json: Value = serde_json::from_str(&format("json")).unwrap();
    let with_event = |mut json: Value| {
        json["event"] = json!("standings");
        json
    };
    Schema::events().assert_fits(&with_event(json.clone()));
    let of = |name: &str| json["standings"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap().clone();
    assert_eq!((&of("Eve")["bot"], &of("Eve")["main_fault"]), (&json!("students/s5"), &json!("crashed")));
    assert_eq!(of("Ann (s2)")["bot"], "students/s2");
    let left_out: Vec<&str> =
        json["left_out"].as_array().unwrap().iter().map(|one| one["bot"].as_str().unwrap()).collect();
    assert_eq!(left_out, ["students/s3", "students/s4", "students/s6"]);

    let csv = format("csv");
    let heading: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    assert_eq!(heading[heading.len() - 4..], ["bot", "author", "main_fault", "left_out"]);
    assert!(
        csv.lines().any(|line| line.contains(",Eve,") && line.contains(",students/s5,") && line.ends_with(",crashed,"))
    );
    let out = csv.lines().find(|line| line.contains("students/s3")).unwrap();
    assert!(out.starts_with(",,") && out.contains("there is no bot.json"), "{out}");
    assert!(csv.lines().all(|line| line.matches(',').count() + 1 >= heading.len()), "{csv}");

    let junit = format("junit");
    assert!(
        junit.contains("errors=\"3\"") && junit.contains("classname=\"students/s3\" name=\"takes part\""),
        "{junit}"
    );
    for format in ["table", "markdown", "html"].map(format) {
        assert!(format.contains("students/s3") && format.contains("there is no bot.json"), "{format}");
    }
}

#[test]
fn a_bot_that_is_mended_is_left_out_no_more() {
    let class = played();
    copy_bot(&class.path().join("students/s1"), &class.path().join("mended")).unwrap();
    fs::remove_dir_all(class.path().join("students/s3")).unwrap();
    fs::rename(class.path().join("mended"), class.path().join("students/s3")).unwrap();
    let tournament = fs::read_dir(class.path().join("tournaments")).unwrap().next().unwrap().unwrap().path();
    let lines = |path: &Path| {
        let text = fs::read_to_string(path.join("games.jsonl")).unwrap();
        let left_out = text.lines().filter(|line| line.contains(r#""line":"left-out""#)).count();
        (left_out, text)
    };
    assert_eq!(lines(&tournament).0, 3);
    let dir = tournament.to_str().unwrap();
    let arguments =
        ["tournament", "-s", "1", "-g", "2", "--sandbox", "off", "--dir", dir, "-b", "students/*", "builtin:random"];
    run(&class, &arguments).code(0).stdout(contains("students/s4").and(contains("students/s3").not()));
    let (left_out, text) = lines(&tournament);
    Schema::journal().read_lines(&text);
    assert_eq!(left_out, 3, "what is known is not written again");
    // Those that have entered keep their names.
    assert!(text.contains(r#""name":"Ann (s3)""#) && text.contains(r#""name":"Ann (s1)""#), "{text}");
}

#[test]
fn a_terminal_shows_how_many_bots_are_ready_and_breaks_no_words() {
    let class = class();
    let program = assert_cmd::cargo::cargo_bin!("broadside");
    let play = "tournament -s 1 -g 2 --sandbox off -b builtin:random 'students/*'";
    let line = format!("stty cols 60; exec env {USUAL_SIGNALS} '{}' {play}", program.display());
    let Some(terminal) = Terminal::run(class.path(), &line, true) else { return };
    let (screen, code) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(screen.contains("1 of 7: builtin:random") && screen.contains("7 of 7: students/s6"), "{screen}");
    // The hint about bot.json is longer than a line.
    let hint = screen.split("  hint: write one: ").nth(1).unwrap();
    let lines: Vec<&str> = hint.lines().take_while(|line| !line.contains("left out")).collect();
    assert!(lines.len() > 2 && lines[1].starts_with("        "), "{lines:?}");
    assert!(lines[1..].iter().all(|line| line.chars().count() <= 60), "{lines:?}");
}

#[test]
fn a_folder_that_an_earlier_version_named_with_blanks_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let play = |games: &str| {
        run(&folder, &["tournament", "-s", "1", "--seed", "5", "-g", games, "-b", "builtin:random", "builtin:hunter"])
            .code(0)
    };
    play("2").stderr(contains("The games are in tournaments/builtin-random_builtin-hunter_"));
    let tournaments = folder.path().join("tournaments");
    let now = fs::read_dir(&tournaments).unwrap().next().unwrap().unwrap();
    let before = now.file_name().into_string().unwrap().replace('_', " ");
    fs::rename(now.path(), tournaments.join(&before)).unwrap();
    play("4").stderr(contains(format!("2 games were played before, in tournaments/{before}")));
    assert_eq!(fs::read_dir(&tournaments).unwrap().count(), 1);
}

#[test]
fn the_latest_tournament_may_have_a_folder_that_was_named() {
    let folder = tempfile::tempdir().unwrap();
    let play = |more: &[&str]| {
        let arguments = ["tournament", "-s", "1", "-g", "2", "-b", "builtin:random", "builtin:hunter"];
        run(&folder, &[&arguments[..], more].concat()).code(0)
    };
    let hour_ago = SystemTime::now() - Duration::from_secs(3600);
    let is_from_an_hour_ago =
        |journal: &Path| File::options().write(true).open(journal).unwrap().set_modified(hour_ago).unwrap();
    play(&[]);
    let first = fs::read_dir(folder.path().join("tournaments")).unwrap().next().unwrap().unwrap().path();
    is_from_an_hour_ago(&first.join("games.jsonl"));
    play(&["--dir", "night"]);
    run(&folder, &["standings"]).code(0).stderr("The latest tournament: night\n");
    is_from_an_hour_ago(&folder.path().join("night/games.jsonl"));
    play(&["--seed", "5"]);
    run(&folder, &["standings"]).code(0).stderr(contains("The latest tournament: tournaments/builtin-random_"));
}
