//! Limits of the shell, `ulimit`: they end the program in words, with exit code 1.

use crate::table::{Table, USUAL_SIGNALS};
use fake_bot::BotFolder;
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Runs the program in `folder` with this limit, in the words of the shell.
fn limited(limit: &str, folder: &Path, arguments: &[&str]) -> Output {
    let line = format!(r#"ulimit {limit} && exec env {USUAL_SIGNALS} "$0" "$@""#);
    let mut command = Command::new("sh");
    command.args(["-c", &line]).arg(assert_cmd::cargo::cargo_bin!("broadside")).args(arguments).current_dir(folder);
    command.env("XDG_STATE_HOME", folder.join("state")).env("BROADSIDE_ADMIN_PASSWORD", "a password of the test");
    command.output().unwrap()
}

/// The words to standard error of a run that failed with exit code 1.
fn said(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    said
}

/// The limit is in blocks of 512 bytes.
#[test]
fn a_file_that_would_be_too_large_is_told_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let players = ["builtin:hunter", "builtin:random"];
    let too_large = |said: &str, path: &str| {
        let told = contains("cannot write ").and(contains(path)).and(contains("File too large"));
        assert!(told.and(contains("hint: the shell limits the size of files: ulimit -f")).eval(said), "{said}");
    };
    let play =
        |limit: &str| said(&limited(limit, folder.path(), &[&["play", "-s", "3", "-l", "m"], &players[..]].concat()));
    too_large(&play("-f 48"), "/m/");
    too_large(&play("-f 8"), "the guardian's table (a file in memory)");
    let tournament = ["tournament", "-s", "1", "-g", "400", "--dir", "t", "-b", players[0], players[1]];
    too_large(&said(&limited("-f 48", folder.path(), &tournament)), "t/games.jsonl");
}

#[test]
fn a_server_whose_journal_may_not_grow_ends_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let serve = ["serve", "--listen", "127.0.0.1:0", "--dir", "event"];
    let said = said(&limited("-f 0", folder.path(), &serve));
    let told = contains("cannot write ").and(contains("event/arena.sqlite: File too large"));
    assert!(told.and(contains("hint: the shell limits the size of files")).eval(&said), "{said}");
}

/// A bot has the usual action of the signal, whatever the engine does with it.
#[test]
fn a_bot_that_writes_too_much_is_ended_by_its_own_signal() {
    let folder = tempfile::tempdir().unwrap();
    let bot = BotFolder::with_manifest(r#"{"NickName": "Writer", "BotType": "Executable", "RunFile": "run"}"#, "");
    fs::write(
        bot.path().join("run"),
        "#!/bin/sh\nhead -c 100000 /dev/zero > \"$2/large\"; echo status $? >&2; exit 9\n",
    )
    .unwrap();
    platform::files::make_executable(&bot.path().join("run")).unwrap();
    let path = bot.path().to_str().unwrap();
    let output =
        limited("-f 100", folder.path(), &["play", "-s", "1", "--sandbox", "off", "-l", "m", "-b", path, path]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    // 128 and the number of SIGXFSZ.
    assert!(said.contains("status 153"), "{said}");
}

#[test]
fn the_end_of_the_processor_time_ends_a_match_in_words() {
    let table = Table::new();
    // Two built-in players start no process, so the engine uses the time.
    let arguments =
        ["tournament", "-s", "3", "-g", "1000000", "-j", "2", "-q", "-b", "builtin:hunter", "builtin:random"];
    let said = said(&limited("-t 2", table.folder.path(), &arguments));
    assert!(said.contains("all processor time that the shell allows this program is used up (ulimit -t)"), "{said}");
    assert!(said.contains("hint: ulimit -t shows the limit in seconds"), "{said}");
}
