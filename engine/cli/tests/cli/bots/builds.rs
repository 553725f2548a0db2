//! Bots that are built before the match.

use crate::bots::languages::{fake_tool, settings};
use crate::table::{Table, broadside, signalled};
use fake_bot::{BotFolder, PLAYS};
use predicates::prelude::*;
use predicates::str::contains;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process};
use std::fs;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

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
    command.arg("-f").assert().code(0).stderr(contains("(-f asks for it)").and(contains("nothing to build")));
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
    let path = bot.path().to_str().unwrap();
    let commands: [&[&str]; 4] = [
        &["-b", path, path],
        &["check", path],
        &["compare", path, "builtin:random"],
        &["tournament", "-b", path, "builtin:random"],
    ];
    for arguments in commands {
        for flags in [&["--sandbox", "off"][..], &["--sandbox", "on"], &["--sandbox", "on", "--build-network"]] {
            let mut command = broadside();
            command.current_dir(tools.path()).env("PATH", tools.path()).args(arguments).args(flags);
            let told = contains("there is no RunFile").and(contains("not/made")).and(contains("hint: "));
            command.assert().code(3).stderr(told.and(contains("Built").not()));
        }
    }
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

/// A bot that plays and whose program a script in `make` makes, and the folder of that tool. The name of the bot's folder is
/// `a bot`.
fn played() -> (TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (bot, tools) = (folder.path().join("a bot"), folder.path().join("tools"));
    fs::create_dir(&bot).unwrap();
    let manifest = r#"{"NickName": "Made", "BotType": "C", "ProjectLocation": "", "RunFile": "bot"}"#;
    for (name, text) in [("bot.json", manifest), ("script", PLAYS), ("Makefile", ""), ("main.c", "first")] {
        fs::write(bot.join(name), text).unwrap();
    }
    let make = "if grep -q broken main.c; then echo 'main.c:1: it is broken' >&2; exit 1; fi\n";
    fake_tool(&tools, "make", &format!("{make}cp '{}' bot", fake_bot::program().display()));
    (folder, bot, tools)
}

/// A command for that bot, with the tool in front of all others.
fn with_tools(tools: &Path, arguments: &[&str]) -> assert_cmd::Command {
    let mut command = broadside();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = [tools.to_owned()].into_iter().chain(std::env::split_paths(&path));
    command.env("PATH", std::env::join_paths(path).unwrap()).current_dir(tools.parent().unwrap());
    command.args(arguments).args(["--sandbox", "off"]);
    command
}

#[test]
fn a_bot_whose_sources_have_changed_is_built_again_by_every_command() {
    let (folder, bot, tools) = played();
    let check = || with_tools(&tools, &["check", "a bot", "-s", "1"]);
    check().assert().code(0).stderr(contains("its RunFile is missing"));
    check().assert().code(0).stderr(contains("uilt").not());
    let rebuilt = || contains("rebuilt a bot in ").and(contains(" s (main.c has changed)\n"));
    let commands: [&[&str]; 4] = [
        &["check", "a bot", "-s", "1"],
        &["-s", "1", "-b", "a bot", "builtin:random"],
        &["compare", "a bot", "builtin:random", "-s", "1", "-g", "2"],
        &["tournament", "-b", "a bot", "builtin:random", "-s", "1", "-g", "2"],
    ];
    for (number, arguments) in commands.into_iter().enumerate() {
        fs::write(bot.join("main.c"), format!("version {number}")).unwrap();
        with_tools(&tools, arguments).assert().code(0).stderr(rebuilt());
        check().assert().code(0).stderr(contains("uilt").not());
    }
    fs::write(bot.join("main.c"), "broken").unwrap();
    for arguments in commands {
        let mut command = with_tools(&tools, arguments);
        let failed = command.env("TMPDIR", folder.path()).assert().code(3).stdout("");
        failed.stderr(contains("  | main.c:1: it is broken\n").and(contains("make failed")));
    }
}

#[test]
fn a_program_that_cannot_be_built_here_plays_with_a_warning() {
    let (_folder, bot, tools) = played();
    with_tools(&tools, &["check", "a bot", "-s", "1"]).assert().code(0);
    // As if somebody else had built it.
    fs::remove_file(bot.join(".broadside-build")).unwrap();
    let old = SystemTime::now() - Duration::from_secs(60);
    fs::File::open(bot.join("bot")).unwrap().set_modified(old).unwrap();
    let check = |arguments: &[&str]| {
        let mut command = with_tools(&tools, &["check", "a bot", "-s", "1"]);
        command.args(arguments).env("PATH", "/nowhere");
        command
    };
    let warned = check(&[]).assert().code(0).stdout(contains("Ready"));
    warned.stderr(contains("a bot plays with the program that is there, which is older than main.c: make is needed"));
    // It cannot be built, although the tool is there: it is somebody's task to tell which is right.
    fs::write(bot.join("main.c"), "broken").unwrap();
    let mut command = with_tools(&tools, &["check", "a bot", "-s", "1"]);
    let failed = command.env("TMPDIR", tools.parent().unwrap()).assert().code(3).stderr(contains("it is broken"));
    failed.stderr(contains("if the program that is there is up to date, say so: touch '"));
    fs::File::open(bot.join("bot")).unwrap().set_modified(SystemTime::now()).unwrap();
    command.assert().code(0).stderr(contains("uilt").not());
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
        test_tools::pause();
    };
    kill_process_group(Pid::from_child(&engine), Signal::INT).unwrap();
    assert_eq!(engine.wait().unwrap().signal(), Some(2));
    while test_kill_process(Pid::from_raw(number).unwrap()).is_ok() {
        test_tools::pause();
    }
}
