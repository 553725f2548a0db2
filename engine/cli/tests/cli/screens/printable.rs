//! Names, faults and reasons that would change a terminal reach it in no way.

use crate::table::{Table, broadside};
use fake_bot::BotFolder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use walkdir::WalkDir;

/// An escape sequence, a reversal of the direction of text, a space without width and an invisible tag.
const HOSTILE: &str = "a\u{1b}[2Jb\u{202e}c\u{200b}d\u{e0041}e";
/// The same text as people see it.
const SHOWN: &str = "a\u{fffd}[2Jb\u{fffd}c\u{fffd}d\u{fffd}e";

/// Places its ships, and then writes bytes that no program can read as a command, and something to standard error.
const SCRIPT: &str = "1: place\n2: write command.txt \\x1b[2J\\xe2\\x80\\xae\\xe2\\x80\\x8b\\xf3\\xa0\\x81\\x81\n2: moan \
                      \\x1b[2J\\xe2\\x80\\xae\\xe2\\x80\\x8b\\xf3\\xa0\\x81\\x81\n";

/// Standard output and standard error of the program with these arguments; fails if a hostile character is in it.
fn shown(folder: &Path, arguments: &[&str]) -> String {
    let output = broadside().current_dir(folder).args(arguments).output().unwrap();
    let text = [output.stdout, output.stderr].map(|stream| String::from_utf8(stream).unwrap()).concat();
    assert_is_clean(&text);
    text
}

fn assert_is_clean(text: &str) {
    let hostile = text.chars().find(|letter| matches!(letter, '\u{1b}' | '\u{202e}' | '\u{200b}' | '\u{e0041}'));
    assert_eq!(hostile, None, "{text:?}");
}

/// A match of two bots with a hostile name that write hostile bytes until the rules remove them.
fn played() -> (Table, String) {
    let mut table = Table::new();
    table.bots = [BotFolder::new(HOSTILE, SCRIPT), BotFolder::new(HOSTILE, SCRIPT)];
    let [a, b] = table.bots.each_ref().map(|bot| bot.path().to_str().unwrap());
    let text = shown(table.folder.path(), &["--pretty", "--debug", "-s", "1", "-b", a, b, "-l", "out"]);
    (table, text)
}

/// Fails if a text file that a match leaves would change a terminal.
fn assert_files_are_clean(table: &Table) {
    let texts = ["log.txt", "engine.log", "map.txt", "A - map.txt", "B - map.txt", "report.txt", "run.sh"];
    let mut found = BTreeSet::new();
    for entry in WalkDir::new(table.out()) {
        let entry = entry.unwrap();
        let name = entry.file_name().to_str().unwrap().to_owned();
        if texts.contains(&&*name) {
            let text = fs::read_to_string(entry.path()).unwrap();
            // Names in map.txt are those of 2017, but for controls.
            let controls = text.chars().filter(|c| c.is_control() && !matches!(c, '\n' | '\t' | '\r')).count();
            assert_eq!(controls, 0, "{}: {text:?}", entry.path().display());
            if !name.ends_with("map.txt") {
                assert_is_clean(&text);
            }
            found.insert(name);
        }
    }
    assert_eq!(found.len(), texts.len(), "{found:?}");
}

/// The record of a match with another ending, and with a checksum that fits.
fn forged(record: &str, ending: &Value) -> String {
    let (before, end) = record.split_once("\"ending\":").unwrap();
    let after = &end[end.find(",\"turns\"").unwrap()..end.find(",\"sha256\"").unwrap()];
    let text = format!("{before}\"ending\":{ending}{after}");
    let digits: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{text},\"sha256\":\"{digits}\"}}\n")
}

#[test]
fn a_match_of_hostile_bots_shows_nothing_that_changes_a_terminal() {
    let (table, text) = played();
    assert_files_are_clean(&table);
    let folder = table.folder.path();
    assert!(text.contains(SHOWN) && text.contains("is removed") || text.contains(" did nothing"), "{text}");
    for arguments in [
        &["replay", "out", "--print"][..],
        &["replay", "out", "--eyes", "A"],
        &["replay", "out", "--html", "page.html"],
        &["verify", "out"],
        &["check", table.bots[0].path().to_str().unwrap()],
    ] {
        shown(folder, arguments);
    }
    assert!(shown(folder, &["replay", "out", "--print"]).contains(SHOWN));
}

#[test]
fn a_record_whose_reasons_are_hostile_shows_none_of_them() {
    let (table, _) = played();
    let folder = table.folder.path();
    let record = table.read("match.jsonl");
    let ending = json!({ "kind": "killed-off", "seats": [["A", HOSTILE], ["B", HOSTILE]] });
    fs::write(folder.join("forged.jsonl"), forged(&record, &ending)).unwrap();
    let verified = shown(folder, &["verify", "forged.jsonl"]);
    assert!(verified.starts_with("WRONG  forged.jsonl: ") && verified.contains(SHOWN), "{verified}");
    shown(folder, &["replay", "forged.jsonl", "--print"]);
    fs::write(folder.join("broken.jsonl"), record.replacen("\"turn\":1", &format!("\"{HOSTILE}\":1"), 1)).unwrap();
    assert!(shown(folder, &["verify", "broken.jsonl"]).starts_with("WRONG  broken.jsonl: "));
}

#[test]
fn a_journal_with_hostile_names_and_faults_shows_none_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let details = json!({ "Author": HOSTILE, "NickName": HOSTILE, "Email": "", "BotType": "Python3" });
    let entrant = |name: &str| json!({ "line": "entrant", "name": name, "bot": name, "details": details });
    let game = |number: u32| {
        json!({
            "line": "game", "first": 0, "second": 1, "number": number, "seed": "7",
            "outcome": {
                "winner": "A", "ranking": ["A", "B"], "points": [9, 2], "turns": 9,
                "ending": { "kind": "killed-off", "seats": [["B", HOSTILE]] },
            },
            "players": [{ "faults": { HOSTILE: 2, "timed-out": 1 } }, {}],
            "suspect": HOSTILE, "record": HOSTILE, "took_ms": 500, "ended": "2026-11-21T19:18:23Z",
        })
    };
    let failure = json!({ "line": "failure", "first": 0, "second": 1, "number": 2, "error": HOSTILE });
    let header = json!({
        "line": "tournament", "format": "broadside journal", "version": 1, "game": "entelect-2017",
        "settings": { "size": "small" }, "plan": "round-robin", "seed": "7", "engine": HOSTILE,
    });
    let second = format!("second {HOSTILE}");
    let lines = [header, entrant(HOSTILE), entrant(&second), game(0), game(1), failure];
    let journal: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(folder.path().join("games.jsonl"), &journal).unwrap();
    for format in ["table", "markdown", "csv", "junit"] {
        let text = shown(folder.path(), &["standings", ".", "--format", format]);
        let expected = if format == "markdown" { SHOWN.replace('[', "\\[") } else { SHOWN.to_owned() };
        assert!(text.contains(&expected), "{format}: {text}");
    }
    let json: Value = serde_json::from_str(&shown(folder.path(), &["standings", ".", "--format", "json"])).unwrap();
    assert_eq!(json["standings"][0]["name"], HOSTILE, "programs read the name as it is");
    assert!(shown(folder.path(), &["sprt", "."]).contains(SHOWN));
    assert!(shown(folder.path(), &["sprt", ".", HOSTILE, HOSTILE]).contains(SHOWN));
    fs::write(folder.path().join("games.jsonl"), journal.replace("killed-off", HOSTILE)).unwrap();
    shown(folder.path(), &["standings", "."]);
}
