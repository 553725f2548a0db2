//! Bad input gets a clear message, an exit code, and nothing is lost.

use crate::table::{Table, broadside};
use assert_cmd::assert::Assert;
use fake_bot::{BotFolder, PLAYS};
use predicates::prelude::*;
use predicates::str::contains;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

fn fails(bots: &[&Path], code: i32, words: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = broadside();
    command.current_dir(folder.path()).arg("-b").args(bots);
    let mut failed: Assert = command.assert().code(code).stdout("").stderr(contains("hint: "));
    for word in words {
        failed = failed.stderr(contains(*word));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was made");
}

#[test]
fn a_bot_that_is_not_there_or_not_whole_is_an_error_before_the_match() {
    let good = BotFolder::new("Good", PLAYS);
    let with = |manifest: &str| BotFolder::with_manifest(manifest, "");
    fails(&[good.path(), Path::new("/no/such/bot")], 3, &["there is no folder /no/such/bot"]);
    let check = broadside().args(["check", "/no/such/bot"]).assert().code(3);
    check.stderr(contains("hint: name the path of a folder").and(contains("-b").not()));
    for game in [&[][..], &["--game", "sea-battle"]] {
        let check = broadside().args(["check", "builtin:hunter"]).args(game).assert().code(2);
        check.stderr(contains("built-in players need no check: it is for bots in folders and services"));
    }
    let empty = tempfile::tempdir().unwrap();
    fails(&[empty.path(), good.path()], 3, &["there is no bot.json in", empty.path().to_str().unwrap()]);
    fails(&[with("{\"BotType\": ").path(), good.path()], 3, &["bot.json is broken", "line 1"]);
    let cobol = with(r#"{"BotType": "Cobol", "ProjectLocation": "", "RunFile": "x"}"#);
    fails(&[cobol.path(), good.path()], 3, &["unknown BotType \"Cobol\"", "Python3"]);
    let missing = with(r#"{"BotType": "Python3", "ProjectLocation": "", "RunFile": "b.py"}"#);
    fails(&[missing.path(), good.path()], 3, &["RunFile", "b.py is missing"]);
    let unbuildable = with(r#"{"BotType": "Rust", "ProjectLocation": "src", "RunFile": "b"}"#);
    fails(&[unbuildable.path(), good.path()], 3, &["there is no Cargo.toml in", "ProjectLocation"]);
}

#[test]
fn files_are_read_however_an_editor_has_saved_them() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| broadside().current_dir(folder.path()).args(arguments).assert();
    let players = ["builtin:hunter", "builtin:random"];
    run(&[&["tournament", "-q", "-s", "1", "-g", "2", "--dir", "t", "-b"], &players[..]].concat()).code(0);
    run(&[&["play", "-q", "-s", "1", "--record", "compact", "-l", "m"], &players[..]].concat()).code(0);
    fs::write(folder.path().join("s.toml"), "[tools]\nnode = \"sh\"\n").unwrap();
    let files = [
        ("t/games.jsonl", &["standings", "t"][..]),
        ("m/match.jsonl", &["verify", "m"]),
        ("s.toml", &["languages", "--settings", "s.toml"]),
    ];
    for (file, command) in files {
        let path = folder.path().join(file);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("\u{feff}{}", text.replace('\n', "\r\n"))).unwrap();
        run(command).code(0);
        let wide: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        fs::write(&path, wide).unwrap();
        let failed = broadside().current_dir(folder.path()).args(command).output().unwrap();
        let said = [failed.stdout, failed.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(!failed.status.success() && said.contains("it is saved as UTF-16; save it as UTF-8"), "{file}: {said}");
        fs::write(&path, format!("\u{feff}{text}")).unwrap();
    }
    // A tournament goes on behind the mark.
    let more = run(&[&["tournament", "-q", "-s", "1", "-g", "4", "--dir", "t", "-b"], &players[..]].concat());
    more.code(0);
    run(&["standings", "t"]).code(0).stdout(contains("4"));
}

#[test]
fn a_missing_interpreter_is_named_with_what_to_install() {
    let bot = BotFolder::with_manifest(r#"{"BotType": "Julia", "ProjectLocation": "", "RunFile": "b.jl"}"#, "");
    fs::write(bot.path().join("b.jl"), "").unwrap();
    let mut command = broadside();
    command.env("PATH", "/nowhere").arg("-b").args([bot.path(), bot.path()]);
    command.assert().code(3).stderr(contains("Julia bots are run by julia").and(contains("hint: install Julia")));
}

#[test]
fn three_players_one_or_none_are_an_error_before_the_match() {
    let bot = BotFolder::new("Good", PLAYS);
    fails(&[bot.path()], 2, &["not for 1 bot\n", "broadside -b BOT BOT"]);
    fails(&[bot.path(), bot.path(), bot.path()], 2, &["3 bots"]);
    broadside().assert().code(2).stderr(contains("broadside new python my-bot").and(contains("Commands:")));
    broadside().args(["-s", "1"]).assert().code(2).stderr(contains("no players were named").and(contains("--help")));
    broadside().args(["-c", "3"]).assert().code(2).stderr(contains("3 people"));
}

#[test]
fn a_built_in_player_that_is_misspelt_or_has_no_prefix_is_suggested() {
    let meant = |arguments: &[&str], code: i32| {
        let said = contains("hint: did you mean builtin:checkerboard?");
        broadside().args(arguments).assert().code(code).stderr(said);
    };
    meant(&["-c", "1", "checkerboard"], 3);
    meant(&["builtin:random", "builtin:checkerbord"], 2);
    meant(&["play", "--game", "sea-battle", "builtin:random", "checkerboard"], 2);
}

#[test]
fn an_argument_that_is_not_utf_8_is_an_error_and_no_panic() {
    let bad = OsStr::from_bytes(b"bad\xffutf");
    let told = |arguments: &[&OsStr], code: i32| {
        broadside().args(arguments).assert().code(code).stdout("").stderr(contains("panic").not())
    };
    told(&["check".as_ref(), bad], 3).stderr(contains("there is no folder bad\u{fffd}utf"));
    told(&[bad, "builtin:random".as_ref()], 3).stderr(contains("there is no folder bad\u{fffd}utf"));
    told(&["tournament".as_ref(), "-b".as_ref(), bad], 2).stderr(contains("invalid UTF-8"));
    told(&["--game".as_ref(), bad], 2).stderr(contains("invalid UTF-8"));
}

#[test]
fn wrong_options_are_explained() {
    broadside().arg("--nonsense").assert().code(2).stderr(contains("--nonsense"));
    broadside().args(["-s", "4"]).assert().code(2).stderr(contains("3 (14 x 14)"));
    broadside().args(["--together", "--in-turn"]).assert().code(2).stderr(contains("cannot be used with"));
    broadside().arg("--help").assert().code(0).stdout(contains("Exit status:").and(contains("--tournamentMode").not()));
    broadside().args(["help", "play"]).assert().code(0).stdout(contains("--tournamentMode"));
    broadside().args(["-s", "1", "languages"]).assert().code(2);
    broadside()
        .args(["vefiry", "replays"])
        .assert()
        .code(3)
        .stderr(contains("did you mean the command `broadside verify`?"));
    for (typed, meant) in [("docto", "doctor"), ("langauges", "languages"), ("chek", "check")] {
        let hint = contains(format!("did you mean the command `broadside {meant}`?"));
        let told = contains(format!("there is no command and no folder {typed}\n"));
        broadside().arg(typed).assert().code(2).stderr(told.and(hint));
    }
    broadside().arg("--version").assert().code(0).stdout(contains("broadside "));
}

#[test]
fn a_log_folder_that_cannot_be_written_is_an_error_with_its_path() {
    let table = Table::new();
    fs::write(table.out(), "a file").unwrap();
    table.command().assert().code(1).stdout("").stderr(contains("out").and(contains("hint: ")));
    assert_eq!(fs::read_to_string(table.out()).unwrap(), "a file");
}
