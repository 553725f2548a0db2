//! Programs that Linux refuses to run, told before a match.

use crate::table::broadside;
use crate::zoo::cage;
use fake_bot::{BotFolder, PLAYS};
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

/// A bot in `folder` with this program.
fn bot(folder: &Path, name: &str, kind: &str, run_file: &str, program: &[u8]) {
    let bot = folder.join(name);
    fs::create_dir(&bot).unwrap();
    let manifest = serde_json::json!({ "NickName": name, "BotType": kind, "RunFile": run_file });
    fs::write(bot.join("bot.json"), manifest.to_string()).unwrap();
    fs::write(bot.join(run_file), program).unwrap();
    fs::set_permissions(bot.join(run_file), fs::Permissions::from_mode(0o755)).unwrap();
}

/// Programs, with the words about each and the advice.
fn refused() -> Vec<(&'static str, Vec<u8>, &'static str, &'static str)> {
    let foreign = {
        let mut own = fs::read(fake_bot::program()).unwrap();
        // The number of the processor: one that nobody has made.
        own[18..20].copy_from_slice(&[0x77, 0x77]);
        own
    };
    vec![
        ("crlf", b"#!/usr/bin/env sh\r\n".to_vec(), "(a file with Windows line ends)", "Unix line ends: sed -i 's/"),
        ("mark", b"\xEF\xBB\xBF#!/bin/sh\n".to_vec(), "a byte order mark stands before the #!", "save it as UTF-8"),
        ("none", b"exit 0\n".to_vec(), "a text without a first line that names its interpreter", "#!/usr/bin/env"),
        ("long", [b"#!/bin/sh ", &[b'x'; 300][..], b"\n"].concat(), "of which Linux reads 255", "shorten the line"),
        ("missing", b"#!/no/such/sh\n".to_vec(), "names /no/such/sh, which is missing", "install it, or correct"),
        ("foreign", foreign, "a program for another processor", "build it for this machine"),
        ("windows", b"MZ\x90\0\x03".to_vec(), "it is a program for Windows", "build it for Linux"),
    ]
}

#[test]
fn a_program_that_linux_refuses_is_told_before_the_match_wherever_a_bot_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| broadside().current_dir(folder.path()).args(arguments).assert();
    for (name, program, words, hint) in refused() {
        bot(folder.path(), name, "Executable", "run", &program);
        let told = || contains(format!("{name}/run: ")).and(contains(words)).and(contains("hint: "));
        let told = || told().and(contains(hint)).and(contains("round").not());
        for sandbox in ["off", "on"] {
            run(&["play", "--sandbox", sandbox, "-b", name, "builtin:random"]).code(3).stdout("").stderr(told());
        }
        run(&["check", name]).code(3).stderr(told());
        run(&["tournament", "-b", name, "builtin:random"]).code(3).stderr(told());
    }
    let left_out = ["tournament", "-q", "-s", "1", "-g", "1", "-b", "crlf", "builtin:random", "builtin:hunter"];
    run(&left_out).code(0).stderr(contains("left out: bot crlf: ").and(contains("Windows line ends")));
}

#[test]
fn an_interpreter_that_the_sandbox_does_not_open_is_told_with_its_path() {
    if !cage::has_sandbox() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let interpreter = elsewhere.path().join("plays");
    fs::copy(fake_bot::program(), &interpreter).unwrap();
    let plays = BotFolder::new("Plays", PLAYS);
    let closed = format!("#!{}\n", interpreter.display());
    bot(folder.path(), "closed", "Executable", "run", closed.as_bytes());
    let run = |sandbox: &str| {
        let mut command = broadside();
        command.current_dir(folder.path()).args(["play", "-q", "-s", "1", "--sandbox", sandbox, "-b", "closed"]);
        command.arg(plays.path()).assert()
    };
    let path = interpreter.canonicalize().unwrap();
    let told = contains(format!("is run by {}, which the sandbox does not open", path.display()));
    run("on").code(3).stdout("").stderr(told.and(contains("hint: let the bot be run by a program of the system")));
    run("off").code(0);
    // A link in the bot's folder to a program of the system.
    symlink("/bin/sh", folder.path().join("closed/own-sh")).unwrap();
    fs::write(folder.path().join("closed/run"), "#!own-sh\n").unwrap();
    run("on").code(0);
}

#[test]
fn a_source_is_not_a_run_file_and_is_not_built_over() {
    let folder = tempfile::tempdir().unwrap();
    let sources = [("Golang", "main.go"), ("C", "bot.c"), ("CPlusPlus", "bot.cpp"), ("Rust", "main.rs")];
    for (kind, file) in sources {
        bot(folder.path(), kind, kind, file, b"package main\n");
        for flags in [&[][..], &["-f"]] {
            let mut command = broadside();
            let told = contains(format!("{file} is source code of {kind}, which is built before it is run"));
            let told = told.and(contains("hint: name the compiled program in RunFile").and(contains("chmod").not()));
            command.current_dir(folder.path()).args(["check", kind]).args(flags).assert().code(3).stderr(told);
        }
        assert_eq!(fs::read(folder.path().join(kind).join(file)).unwrap(), b"package main\n");
    }
}

#[test]
fn a_folder_whose_name_has_signs_of_patterns_is_meant_as_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let students = folder.path().join("of [2026]");
    fs::create_dir(&students).unwrap();
    let plays = BotFolder::new("Plays", PLAYS);
    for name in ["a[1]", "b{2}*?"] {
        players::process::copy_bot(plays.path(), &students.join(name)).unwrap();
    }
    let run = |arguments: &[&str]| {
        let mut command = broadside();
        command.current_dir(folder.path()).args(arguments).args(["-s", "1", "-q"]).assert()
    };
    run(&["play", "--record", "none", "-b", "of [2026]/a[1]", "of [2026]/b{2}*?"]).code(0);
    let tournament = ["tournament", "-g", "1", "--dir", "t", "-b"];
    let both = contains("Plays (b{2}*?)").and(contains("Ann"));
    let named = run(&[&tournament[..], &["of [2026]/*", "Ann=of [2026]/a[1]"]].concat());
    named.code(0).stdout(both);
}
