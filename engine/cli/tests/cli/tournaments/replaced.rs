//! Entrants that are retired or replaced: once, and in the middle of a knockout.

use crate::tournaments::pairings::Event;
use fake_bot::PLAYS;
use players::process::copy_bot;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use std::fs;

/// A tournament of these built-in players, called a, b, c … in their order.
fn knockout(event: &Event, bots: &str, games: &str, more: &[&str]) -> assert_cmd::assert::Assert {
    let named =
        |(letter, kind): (char, char)| format!("{letter}=builtin:{}", if kind == 'h' { "hunter" } else { "random" });
    let bots: Vec<String> = ('a'..).zip(bots.chars()).map(named).collect();
    let bots: Vec<&str> = bots.iter().map(String::as_str).collect();
    let flags = ["tournament", "--dir", "out", "-g", games, "--format", "knockout", "--seed", "5", "-j", "1"];
    event.run(&[&flags[..], more, &["-b"], &bots].concat())
}

/// The lines of the journal, changed by `change`.
fn rewrite(event: &Event, change: impl FnOnce(Vec<Value>) -> Vec<Value>) {
    let path = event.folder.path().join("out/games.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let lines = change(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect());
    fs::write(path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
}

fn is_game(line: &Value, first: u64, second: u64) -> bool {
    line["line"] == "game" && line["first"] == first && line["second"] == second
}

#[test]
fn a_leader_that_is_retired_leaves_a_cup_with_a_final_and_a_winner() {
    let event = Event::new(&[]);
    knockout(&event, "hrrr", "4", &[]).code(0);
    // One semi-final is over; in the other, a leads by three to nothing.
    rewrite(&event, |lines| {
        let kept =
            |line: &Value| line["line"] != "game" || is_game(line, 1, 2) || is_game(line, 0, 3) && line["number"] != 3;
        lines.into_iter().filter(kept).collect()
    });
    knockout(&event, "hrrr", "4", &["--retire", "a"]).code(0).stderr(contains("The last game of the final"));
    let shown = event.run(&["standings", "out"]).code(0).get_output().stdout.clone();
    let shown = String::from_utf8(shown).unwrap();
    assert!(shown.contains("├ d 0:3"), "the opponent of a goes on: {shown}");
    let journal = event.games("out");
    assert!(journal.iter().any(|game| game.starts_with("1 3 ") || game.starts_with("2 3 ")), "a final: {journal:#?}");
    assert!(!shown.contains('…'), "it is decided: {shown}");
}

#[test]
fn a_bracket_is_never_opened_again() {
    let event = Event::new(&[]);
    knockout(&event, "hrrrrrrr", "2", &[]).code(0);
    let whole = fs::read_to_string(event.folder.path().join("out/games.jsonl")).unwrap();
    // The last game of the final is left.
    rewrite(&event, |mut lines| {
        lines.pop();
        lines
    });
    let cut = fs::read_to_string(event.folder.path().join("out/games.jsonl")).unwrap();
    let refused = knockout(&event, "hrrrrrrr", "2", &["--replace", "h=builtin:hunter"]).code(2);
    refused.stderr(contains("--replace h=builtin:hunter: h is out of the knockout").and(contains("hint: ")));
    let refused = knockout(&event, "hrrrrrrr", "4", &[]).code(2);
    refused.stderr(contains("its games of a meeting are 2, not 4"));
    assert_eq!(fs::read_to_string(event.folder.path().join("out/games.jsonl")).unwrap(), cut);
    // Another bot does not enter, and the final is played.
    let told = contains("left out: bot builtin:random: the knockout has begun").and(contains("hint: "));
    knockout(&event, "hrrrrrrrr", "2", &[]).code(0).stderr(told);
    assert_eq!(event.games("out").len(), whole.matches(r#""line":"game""#).count());
    // When the cup is won, nobody can be replaced.
    let refused = knockout(&event, "hrrrrrrr", "2", &["--replace", "a=builtin:hunter"]).code(2);
    refused.stderr(contains("a is out of the knockout"));
}

#[test]
fn a_new_version_plays_on_in_the_place_of_the_old_one() {
    let event = Event::new(&[]);
    knockout(&event, "rrrh", "4", &[]).code(0);
    // Both semi-finals have begun; c is replaced by a strong version, and a had won its meeting already.
    rewrite(&event, |lines| {
        let kept =
            |line: &Value| line["line"] != "game" || is_game(line, 0, 3) || is_game(line, 1, 2) && line["number"] == 0;
        lines.into_iter().filter(kept).collect()
    });
    let told = "c plays no more games in the tournament; new enters in its place";
    knockout(&event, "rrrh", "4", &["--replace", "c=new=builtin:hunter"]).code(0).stderr(contains(told));
    let meetings = |event: &Event| {
        let mut met: Vec<String> = event.games("out").iter().map(|game| game[..3].to_owned()).collect();
        met.dedup();
        met
    };
    // d wins over a, the new version (4) over b, and both meet in the final.
    assert_eq!(meetings(&event), ["0 3", "1 2", "1 4", "3 4"]);
    let json = event.run(&["standings", "out", "--format", "json"]).code(0).get_output().stdout.clone();
    let json: Value = serde_json::from_slice(&json).unwrap();
    let rounds: Vec<&str> =
        json["pairings"].as_array().unwrap().iter().map(|pairing| pairing["round"].as_str().unwrap()).collect();
    assert_eq!(rounds, ["semi-final", "semi-final", "semi-final", "final"]);
    let shown = event.run(&["standings", "out"]).code(0).get_output().stdout.clone();
    let shown = String::from_utf8(shown).unwrap();
    assert!(shown.contains("new ─") && shown.contains("replaced by new") && !shown.contains('…'), "{shown}");
    // A tournament that is over stays as it is.
    let games = event.games("out");
    knockout(&event, "rrrh", "4", &["--replace", "c=new=builtin:hunter"]).code(0);
    assert_eq!(event.games("out"), games);
}

#[test]
fn a_replacement_is_one_line_and_happens_once() {
    let event = Event::new(&[PLAYS, PLAYS]);
    event.command(&["-g", "2"]).assert().code(0);
    let path = event.folder.path().join("out/games.jsonl");
    copy_bot(event.bots[0].path(), &event.folder.path().join("new")).unwrap();
    fs::write(event.folder.path().join("new/version"), "2").unwrap();
    let replace = || event.command(&["-g", "2", "--replace", "Alpha=new"]).assert();
    let before = fs::read_to_string(&path).unwrap();
    replace().code(0);
    let after = fs::read_to_string(&path).unwrap();
    let line = after[before.len()..].split_inclusive('\n').next().unwrap();
    assert!(line.contains(r#""replaces":"Alpha""#), "{line}");
    // Whatever was written of the line when the machine died, the same command ends with one new version.
    for length in [0, 1, line.len() / 2, line.len() - 1, line.len()] {
        fs::write(&path, format!("{before}{}", &line[..length])).unwrap();
        replace().code(0);
        let journal = fs::read_to_string(&path).unwrap();
        assert_eq!(journal.matches(r#""line":"entrant""#).count(), 3, "after {length} bytes: {journal}");
        assert_eq!(journal.matches("replaces").count(), 1, "after {length} bytes: {journal}");
        assert_eq!(event.games("out").len(), 4);
    }
}

#[test]
fn what_cannot_replace_an_entrant_is_refused() {
    let event = Event::new(&[PLAYS, PLAYS]);
    event.command(&["-g", "2"]).assert().code(0);
    let path = event.folder.path().join("out/games.jsonl");
    let before = fs::read_to_string(&path).unwrap();
    copy_bot(event.bots[0].path(), &event.folder.path().join("new")).unwrap();
    let bravo = format!("Alpha={}/", event.bots[1].path().display());
    let cases: [(&[&str], &str); 5] = [
        (&["--replace", &bravo], "takes part already, as Bravo"),
        (&["--replace", "Alpha=new", "--replace", "Alpha=new"], "each entrant is replaced once"),
        (&["--replace", "Alpha=new", "--replace", "Bravo=./new"], "by a bot of its own"),
        (&["--retire", "Alpha", "--replace", "Alpha=new"], "--retire Alpha ends its games without a new version"),
        (&["--replace", "Alpha=gone"], "there is no folder gone"),
    ];
    for (flags, told) in cases {
        let refused = event.command(&[&["-g", "4"], flags].concat()).assert().code(predicate::ne(0));
        refused.stderr(contains(told).and(contains("hint: ")).and(contains("plays no more").not()));
        assert_eq!(fs::read_to_string(&path).unwrap(), before);
    }
    event.command(&["-g", "2", "--replace", "Alpha=new"]).assert().code(0);
    copy_bot(event.bots[0].path(), &event.folder.path().join("newer")).unwrap();
    let again = event.command(&["-g", "2", "--replace", "Alpha=newer"]).assert().code(2);
    again.stderr(contains("Alpha was replaced before, by Alpha (new)"));
    let forms = |form: &str| {
        let shown = event.run(&["standings", "out", "--format", form]).code(0).get_output().stdout.clone();
        String::from_utf8(shown).unwrap()
    };
    let json: Value = serde_json::from_str(&forms("json")).unwrap();
    let retired: Vec<(&str, &Value)> = json["standings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["retired"] == true)
        .map(|one| (one["name"].as_str().unwrap(), &one["replaced_by"]))
        .collect();
    assert_eq!(retired, [("Alpha", &Value::from("Alpha (new)"))]);
    let csv = forms("csv");
    let at = csv.lines().next().unwrap().split(',').position(|name| name == "retired").unwrap();
    let retired = csv.lines().filter(|line| line.split(',').nth(at) == Some("1"));
    assert_eq!(retired.count(), 1, "{csv}");
}

#[test]
fn a_bot_that_is_retired_does_not_enter_from_another_folder_without_a_word() {
    let event = Event::new(&[PLAYS, PLAYS, PLAYS]);
    event.command(&["-g", "2"]).assert().code(0);
    event.command(&["-g", "4", "--retire", "Charlie"]).assert().code(0);
    copy_bot(event.bots[2].path(), &event.folder.path().join("again")).unwrap();
    let bots: Vec<&str> = event.bots[..2].iter().map(|bot| bot.path().to_str().unwrap()).collect();
    let told = "again does not enter: it is the bot of Charlie, who plays no more games";
    event
        .run(&[&["tournament", "-s", "1", "--dir", "out", "-g", "4", "-b"], &bots[..], &["again"]].concat())
        .code(0)
        .stderr(contains(told));
}
