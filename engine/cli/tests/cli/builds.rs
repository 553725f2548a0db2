//! Bots that are built before the match.

use crate::languages::{fake_tool, settings};
use crate::table::{Table, broadside, signalled};
use fake_bot::{BotFolder, PLAYS};
use predicates::prelude::*;
use predicates::str::contains;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process};
use std::fs;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::Stdio;
use std::thread;

#[test]
fn a_missing_run_file_is_built_and_said_so() {
    let bot = BotFolder::with_manifest(
        r#"{"NickName": "Fresh", "BotType": "Rust", "ProjectLocation": "project", "RunFile": "project/target/release/fresh"}"#,
        "",
    );
    let project = bot.path().join("project");
    fs::create_dir_all(project.join("src")).unwrap();
    fs::write(project.join("Cargo.toml"), "[package]\nname = \"fresh\"\nedition = \"2024\"\n[workspace]\n").unwrap();
    fs::write(project.join("src/main.rs"), "fn main() {}").unwrap();
    let table = Table::with(["", ""]);
    let mut command = broadside();
    command.current_dir(table.folder.path()).args(["-s", "1", "-b"]);
    command.args([bot.path(), table.bots[0].path()]);
    // A build that writes elsewhere would leave no RunFile.
    command.env("CARGO_TARGET_DIR", table.folder.path().join("elsewhere"));
    let built = command.assert().code(0).stderr(contains("Building ").and(contains("its RunFile is missing")));
    built.stderr(contains("Built ").and(contains(" s\n")));
    command.assert().code(0).stderr(contains("Building ").not());
    command.arg("-f").assert().code(0).stderr(contains("(as asked)").and(contains("nothing to build")));
    fs::write(project.join("src/main.rs"), "fn main() { nonsense }").unwrap();
    command.env("TMPDIR", table.folder.path());
    let failed = command.assert().code(3).stderr(contains("cargo build --release failed"));
    failed.stderr(contains("  | ").and(contains("cannot find value")).and(contains("what it said is in ")));
    let log = fs::read_dir(table.folder.path()).unwrap().flatten().find(|entry| entry.path().extension().is_some());
    assert!(fs::read_to_string(log.unwrap().path()).unwrap().starts_with("$ cargo build --release\n"));
}

/// A bot that is built by make.
fn made(run_file: &str) -> BotFolder {
    let manifest = serde_json::json!({
        "NickName": "Made", "BotType": "C", "ProjectLocation": "", "RunFile": run_file,
    });
    let bot = BotFolder::with_manifest(&manifest.to_string(), PLAYS);
    fs::write(bot.path().join("Makefile"), "").unwrap();
    bot
}

#[test]
fn a_build_without_a_run_file_is_an_error_that_names_it() {
    let bot = made("not/made");
    let tools = tempfile::tempdir().unwrap();
    fake_tool(tools.path(), "make", "exit 0");
    let mut command = broadside();
    command.env("PATH", tools.path()).arg("-b").args([bot.path(), bot.path()]);
    command.assert().code(3).stderr(contains("there is no RunFile").and(contains("not/made")).and(contains("hint: ")));
}

#[test]
fn a_tool_with_a_place_in_broadside_toml_builds_the_bot() {
    let bot = made("bot");
    let table = Table::with(["", ""]);
    let place = table.folder.path().join("tools");
    fake_tool(&place, "my-make", &format!("cp '{}' bot", fake_bot::program().display()));
    settings(table.folder.path(), "[tools]\nmake = \"tools/my-make\"\n");
    let mut command = broadside();
    command.current_dir(table.folder.path()).env("BROADSIDE_SETTINGS", "broadside.toml");
    command.args(["-s", "1", "-b"]).args([bot.path(), table.bots[0].path()]);
    command.assert().code(0).stdout(contains("Made wins")).stderr(contains("Built "));
}

#[test]
fn ctrl_c_ends_a_build() {
    let bot = made("bot");
    let tools = tempfile::tempdir().unwrap();
    fake_tool(tools.path(), "make", "echo $$ > pid; exec sleep 1000");
    let mut engine = signalled();
    // In a group of its own, as a shell would start it: the terminal signals the whole group.
    engine.process_group(0).stderr(Stdio::null()).env("PATH", format!("{}:/bin:/usr/bin", tools.path().display()));
    let mut engine = engine.env("TMPDIR", tools.path()).arg("-b").args([bot.path(), bot.path()]).spawn().unwrap();
    let number = loop {
        let written = fs::read_to_string(bot.path().join("pid")).unwrap_or_default();
        if let Some(line) = written.strip_suffix('\n') {
            break line.parse().unwrap();
        }
        assert_eq!(engine.try_wait().unwrap(), None, "the build runs");
        thread::yield_now();
    };
    kill_process_group(Pid::from_child(&engine), Signal::INT).unwrap();
    assert_eq!(engine.wait().unwrap().signal(), Some(2));
    while test_kill_process(Pid::from_raw(number).unwrap()).is_ok() {
        thread::yield_now();
    }
}
