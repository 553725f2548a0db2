//! Hints of the program: a test follows each as a person would, and sees another result.

use crate::table::broadside;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// The way in which a hint is followed.
enum Follow {
    /// The hint is, or ends with, a command of the shell behind this text.
    Command(&'static str),
    /// The hint has a command of the program between these texts.
    Program(&'static str, &'static str),
    /// These arguments are added, of which the hint has the first.
    Flags(&'static [&'static str]),
    /// In the place of this argument another one, which the hint has.
    Argument(&'static str, &'static str),
    /// In this file, in the place of this text, another one, which the hint has.
    Text(&'static str, &'static str, &'static str),
    /// The hint has the text of this file behind this text.
    File(&'static str, &'static str),
}

struct Mistake {
    /// The files of the folder `bot`.
    files: &'static [(&'static str, &'static str)],
    arguments: &'static [&'static str],
    /// The words of the error.
    told: &'static str,
    follow: Follow,
}

const MANIFEST: (&str, &str) = ("bot.json", r#"{"NickName": "Own", "BotType": "Executable", "RunFile": "run"}"#);
const PLAY: &[&str] = &["play", "-q", "-s", "1", "--record", "none", "-b", "bot", "builtin:random"];

#[rustfmt::skip]
const MISTAKES: [Mistake; 13] = [
    Mistake { files: &[MANIFEST, ("run", "#!/bin/sh\n")], arguments: PLAY, told: "may not be executed", follow: Follow::Command("") },
    Mistake { files: &[MANIFEST, ("run+x", "#!/bin/sh\r\n")], arguments: PLAY, told: "carriage return", follow: Follow::Command("line ends: ") },
    Mistake { files: &[MANIFEST, ("run+x", "\u{feff}#!/bin/sh\n")], arguments: PLAY, told: "byte order mark", follow: Follow::Command("mark: ") },
    Mistake { files: &[MANIFEST, ("run+x", "exit 0\n")], arguments: PLAY, told: "without a first line",
        follow: Follow::Text("run+x", "exit 0", "#!/usr/bin/env") },
    Mistake { files: &[("run+x", "")], arguments: PLAY, told: "bot.json", follow: Follow::File("bot.json", "write one: ") },
    Mistake { files: &[("bot.json", r#"{"BotType": "Cobol", "RunFile": "run"}"#)], arguments: PLAY, told: "Cobol",
        follow: Follow::Text("bot.json", "Cobol", "Python3") },
    Mistake { files: &[("bot.json", r#"["BotType"]"#)], arguments: PLAY, told: "bot.json",
        follow: Follow::Text("bot.json", r#"["BotType"]"#, "BotType and RunFile") },
    Mistake { files: &[], arguments: &["lanugages"], told: "lanugages", follow: Follow::Program("`broadside ", "`") },
    Mistake { files: &[], arguments: &["play", "-q", "-s", "1", "--record", "none", "builtin:huntr", "builtin:random"],
        told: "builtin:huntr", follow: Follow::Argument("builtin:huntr", "builtin:hunter") },
    Mistake { files: &[], arguments: &["play", "-q", "--record", "none", "--game", "sea-battle", "-b", "http://0.0.0.0:9", "builtin:random"],
        told: "0.0.0.0 is an address to listen on", follow: Follow::Argument("http://0.0.0.0:9", "http://127.0.0.1:9") },
    Mistake { files: &[], arguments: &["check", "-q", "--game", "sea-battle", "--limit", "50", "http://203.0.113.9:9"],
        told: "203.0.113.9", follow: Follow::Flags(&["--allow-hosts", "203.0.113.9"]) },
    Mistake { files: &[], arguments: &["play", "-q", "--record", "none", "--game", "salvo", "-b", "builtin:random"],
        told: "players", follow: Follow::Program("broadside ", "\n") },
    Mistake { files: &[], arguments: &["tournament", "-q", "-s", "1", "-g", "2", "--dir", "t", "-b", "builtin:random"],
        told: "two", follow: Follow::Argument("builtin:random", "builtin:random builtin:hunter") },
];

/// The program's words to standard error in this folder, or nothing if it succeeds.
fn told(folder: &Path, arguments: &[String]) -> String {
    let done = broadside().current_dir(folder).args(arguments).output().unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    if done.status.success() { String::new() } else { said }
}

fn write(folder: &TempDir, name: &str, text: &str) {
    let path = folder.path().join("bot").join(name.trim_end_matches("+x"));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    if name.ends_with("+x") {
        platform::files::make_executable(&path).unwrap();
    }
}

#[test]
fn who_follows_a_hint_sees_another_result() {
    for mistake in MISTAKES {
        let folder = tempfile::Builder::new().prefix("it's a desk ").tempdir().unwrap();
        mistake.files.iter().for_each(|(name, text)| write(&folder, name, text));
        let mut arguments: Vec<String> = mistake.arguments.iter().map(|argument| (*argument).to_owned()).collect();
        let before = told(folder.path(), &arguments);
        let error =
            before.lines().find(|line| line.starts_with("broadside: ")).unwrap_or_else(|| panic!("no error: {before}"));
        let hint = before.split_once("hint: ").unwrap_or_else(|| panic!("no hint: {before}")).1.to_owned();
        assert!(error.contains(mistake.told), "{} is not in {before}", mistake.told);
        let has = |text: &str| assert!(hint.contains(text), "{text} is not in {hint}");
        match mistake.follow {
            Follow::Command(after) => {
                let command = hint.split_once(after).unwrap_or_else(|| panic!("{after} is not in {hint}")).1;
                assert!(
                    Command::new("sh").current_dir(folder.path()).args(["-c", command]).status().unwrap().success(),
                    "{command}"
                );
            }
            Follow::Program(before, after) => {
                has(before);
                let command = hint.split_once(before).unwrap().1.split(after).next().unwrap();
                arguments = command.split(' ').map(str::to_owned).collect();
            }
            Follow::Flags(flags) => {
                has(flags[0]);
                arguments.extend(flags.iter().map(|flag| (*flag).to_owned()));
            }
            Follow::Argument(old, new) => {
                new.split(' ').for_each(has);
                let at = arguments.iter().position(|argument| argument == old).unwrap();
                arguments.splice(at..=at, new.split(' ').map(str::to_owned));
            }
            Follow::Text(file, old, new) => {
                has(new);
                let text = mistake.files.iter().find(|(name, _)| *name == file).unwrap().1;
                write(&folder, file, &text.replace(old, new));
            }
            Follow::File(file, after) => write(&folder, file, hint.split_once(after).unwrap().1),
        }
        let after = told(folder.path(), &arguments);
        assert!(!after.contains(error), "the hint changes nothing: {before}{after}");
    }
}
