//! `broadside languages` and broadside.toml.

use crate::table::{Table, broadside};
use fake_bot::{BotFolder, PLAYS};
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A shell script that passes for the tool `name`.
pub fn fake_tool(folder: &Path, name: &str, script: &str) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join(name), format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).unwrap();
}

/// A broadside.toml in `folder`.
pub fn settings(folder: &Path, text: &str) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("broadside.toml"), text).unwrap();
}

/// A PATH of fake tools, and the program that lists languages with it.
fn with_tools() -> (TempDir, assert_cmd::Command) {
    let folder = tempfile::tempdir().unwrap();
    let [bin, work] = ["bin", "work"].map(|name| folder.path().join(name));
    fs::create_dir(&work).unwrap();
    fake_tool(&bin, "java", "[ \"$1\" = -version ] && echo 'jdk | 99' >&2");
    fake_tool(
        &bin,
        "node",
        "if [ \"$1\" = --version ]; then echo; echo ' v99 '; else printf 0,0,0 > \"$3/command.txt\"; fi",
    );
    fake_tool(&bin, "gcc", "exit 1");
    fake_tool(&bin, "luajit", "[ \"$1\" = -v ] && echo LuaJIT 9");
    let mut command = broadside();
    command.current_dir(&work).env("PATH", &bin).arg("languages");
    (folder, command)
}

#[test]
fn languages_are_listed_with_tool_and_version_or_what_to_install() {
    let (_folder, mut command) = with_tools();
    let out = command.assert().code(0).stderr("").get_output().stdout.clone();
    let out = String::from_utf8(out).unwrap();
    let line = |name: &str| {
        let found = out.lines().find(|line| line.split(' ').next() == Some(name)).unwrap();
        found.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let plain = out.split_whitespace().collect::<Vec<_>>().join(" ");
    let rows: Vec<&str> = out.lines().take_while(|line| !line.contains(" lacks ")).collect();
    assert_eq!(rows.len(), 1 + 18);
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    for java in ["java", "scala", "kotlin"] {
        assert!(line(java).ends_with("/java jdk | 99"), "{out}");
    }
    for (language, missing) in [("java", "javac"), ("java", "jar"), ("scala", "scalac"), ("kotlin", "kotlinc")] {
        assert!(out.contains(&format!("\n{language} lacks {missing}, which was not found: ")), "{out}");
    }
    // A program that does not tell its version does not work.
    assert!(out.contains("\nc lacks ") && out.contains("/gcc, which does not work"), "{out}");
    assert!(line("javascript").ends_with("/node v99"), "{out}");
    assert!(line("lua").ends_with("/luajit LuaJIT 9"), "{out}");
    assert!(line("c").ends_with("/gcc"), "{out}");
    assert_eq!(line("executable"), "executable yes (runs by itself)");
    assert!(line("go").starts_with("go yes (not found)"), "what people type, and whether there is a starter");
    for (missing, hint) in [
        ("ruby", "lacks ruby, which was not found: Ruby"),
        ("csharp", "lacks mcs, which was not found: Mono's C# compiler, e.g. the package mono-mcs"),
        ("go", "lacks go, which was not found: Go, e.g. the package golang-go"),
        ("rust", "lacks cargo, which was not found: Rust, from https://rustup.rs"),
    ] {
        assert!(line(missing).contains("(not found)") && plain.contains(&format!(" {missing} {hint}")), "{out}");
    }
}

#[test]
fn languages_are_listed_for_programs_and_for_pages() {
    let (_folder, mut command) = with_tools();
    command.arg("--measure");
    let out = command.arg("--json").assert().code(0).get_output().stdout.clone();
    let list: Vec<serde_json::Value> = serde_json::from_slice(&out).unwrap();
    let of = |name: &str| list.iter().find(|found| found["language"] == name).unwrap();
    assert_eq!(list.len(), 18);
    assert_eq!((&of("JavaScript")["name"], &of("JavaScript")["starter"]), (&"javascript".into(), &true.into()));
    assert_eq!(of("JavaScript")["version"], "v99");
    assert_eq!(of("JavaScript")["number"], 2);
    assert_eq!(of("JavaScript")["found"], true);
    assert!(of("JavaScript")["start_up_ms"].is_u64() && of("JavaScript")["extra_ms"].is_u64());
    assert_eq!(of("Lua")["found"], true);
    assert!(of("Ruby")["found"] == false && of("Ruby")["tool"].is_null() && of("Ruby")["extra_ms"].is_null());
    let missing = serde_json::json!([{"tool": "ruby", "why": null, "install": "Ruby, e.g. the package ruby", "packages": ["ruby"]}]);
    assert_eq!(of("Ruby")["missing"], missing);
    assert!(of("C")["found"] == false && of("C")["missing"][0]["why"].is_string() && of("C")["extra_ms"].is_null());

    let (_folder, mut command) = with_tools();
    let page = command.args(["--markdown"]).assert().code(0).stdout(contains("| language | tool"));
    page.stdout(contains("| TypeScript | `node`: v99 | - | - |\n").and(contains("| Java | `java`: jdk \\| 99 |")));
    let (_folder, mut command) = with_tools();
    command.args(["--markdown", "--json"]).assert().code(2).stderr(contains("cannot be used with"));
}

#[test]
fn a_bot_in_a_folder_called_languages_is_still_a_bot() {
    let table = Table::with([PLAYS, ""]);
    let [a, b] = &table.bots;
    std::os::unix::fs::symlink(a.path(), table.folder.path().join("languages")).unwrap();
    let mut command = broadside();
    command.current_dir(table.folder.path()).args(["-s", "1", "-b"]).arg(b.path()).arg("languages");
    command.assert().code(0).stdout(contains("Alpha wins"));
}

#[test]
fn settings_are_read_from_the_users_folder() {
    let (folder, mut command) = with_tools();
    let [work, bin, config] = ["work", "bin", "config"].map(|name| folder.path().join(name));
    fake_tool(&bin, "my-php", "echo PHP 99");
    command.env("XDG_CONFIG_HOME", &config);
    settings(&config.join("broadside"), "[tools]\nphp = \"my-php\"\n");
    command.assert().code(0).stdout(contains("my-php  PHP 99"));
    command.env_remove("XDG_CONFIG_HOME").env("HOME", folder.path());
    command.assert().code(0).stdout(contains("my-php").not());
    fs::create_dir(folder.path().join(".config")).unwrap();
    fs::rename(config.join("broadside"), folder.path().join(".config/broadside")).unwrap();
    command.assert().code(0).stdout(contains("my-php"));
    settings(&work, "");
    command.assert().code(0).stdout(contains("my-php"));
    command.env("BROADSIDE_SETTINGS", "broadside.toml");
    command.assert().code(0).stdout(contains("my-php").not());
}

/// A bot in what Python 2 and Python 3 have in common.
const PYTHON: &str = "\
from __future__ import print_function
import os, sys
fleet = ['Carrier 0 0 east', 'Battleship 0 1 east', 'Cruiser 0 2 east', 'Submarine 0 3 east', 'Destroyer 0 4 east']
placing = 'Phase 1' in sys.argv[2]
answer = open(os.path.join(sys.argv[2], 'place.txt' if placing else 'command.txt'), 'w')
print('\\n'.join(fleet) if placing else '1,0,0', file=answer)
";

#[test]
fn a_bot_in_python_2_is_told_what_to_do_and_runs_by_the_tool_that_settings_name() {
    let Some(python) = test_tools::required("python3") else { return };
    // It may be a script that finds the real one by the PATH.
    let asked = Command::new(python).args(["-c", "import sys; print(sys.executable)"]).output().unwrap();
    let python = String::from_utf8(asked.stdout).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let bot = BotFolder::with_manifest(r#"{"NickName": "Old", "BotType": "Python2", "RunFile": "bot.py"}"#, "");
    fs::write(bot.path().join("bot.py"), PYTHON).unwrap();
    let command = || {
        let mut command = broadside();
        // Some machines still have a Python 2.
        command.current_dir(folder.path()).env("PATH", "/nowhere").args(["-s", "1", "-l", "out", "-b"]).arg(bot.path());
        command.arg("builtin:random");
        command
    };
    let told = contains("Python2 bots are run by python2 or python2.7, which was not found");
    let hint = contains("hint: ").and(contains("which ended in 2020")).and(contains("set BotType to Python3"));
    let hint = hint.and(contains("give the place of python2 or python2.7 in ~/.config/broadside/broadside.toml"));
    command().assert().code(3).stderr(told.and(hint));
    fake_tool(folder.path(), "my-python", &format!("exec '{}' \"$@\"", python.trim()));
    settings(folder.path(), "[tools]\npython2 = \"./my-python\"\n");
    let done = command().env("BROADSIDE_SETTINGS", "broadside.toml").assert().code(0);
    done.stdout(contains("Old"));
    assert!(!folder.path().join("out/faults").exists());
    let place = fs::read_to_string(folder.path().join("out/Phase 1 - Round 0/A/place.txt")).unwrap();
    assert!(place.starts_with("Carrier 0 0 east\n"), "{place}");
}

#[test]
fn broken_settings_are_an_error_before_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let bot = BotFolder::new("Good", PLAYS);
    let fails = |text: &str, why: &str| {
        settings(folder.path(), text);
        let mut command = broadside();
        command.current_dir(folder.path()).env("BROADSIDE_SETTINGS", "broadside.toml");
        command.arg("-b").args([bot.path(), bot.path()]);
        let path = folder.path().canonicalize().unwrap().join("broadside.toml");
        let said = contains(path.to_str().unwrap()).and(contains(why)).and(contains("hint: "));
        command.assert().code(2).stdout("").stderr(said);
    };
    fails("[tools]\nnode = /bin/sh\n", "line 2: ");
    fails("[tols]\n", "line 1: unknown field `tols`");
    fails("[tools]\n# as was\nnod = \"/bin/sh\"\n", "line 3: unknown tool nod");
    fails("[tools]\njava = \"/no/java\"\n", "line 2: java = \"/no/java\": there is no such program");
    fs::remove_file(folder.path().join("broadside.toml")).unwrap();
    fs::create_dir(folder.path().join("broadside.toml")).unwrap();
    let mut command = broadside();
    command.current_dir(folder.path()).env("BROADSIDE_SETTINGS", "broadside.toml").arg("languages");
    command.assert().code(2).stderr(contains("cannot read"));
}
