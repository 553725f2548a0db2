//! Bots that cannot take part in a tournament, and comparisons of a bot with itself.

use crate::tournaments::pairings::Event;
use fake_bot::{BotFolder, PLAYS};
use players::process::copy_bot;
use predicates::prelude::*;
use predicates::str::{contains, starts_with};
use std::fs;

/// A bot that nobody can build.
fn broken() -> BotFolder {
    BotFolder::with_manifest(r#"{"NickName": "Broken", "BotType": "Rust", "RunFile": "none"}"#, "")
}

#[test]
fn a_bot_that_cannot_be_built_is_left_out_of_a_tournament() {
    let mut event = Event::new(&[PLAYS, PLAYS]);
    event.bots.push(broken());
    event.bots.push(BotFolder::with_manifest("{", ""));
    let told = event.command(&["-g", "2"]).assert().code(0).stdout(contains("Alpha").and(contains("Broken").not()));
    let told = told.stderr(starts_with("left out: bot ").and(contains("there is no Cargo.toml")));
    let told = told.stderr(contains("bot.json is broken").and(contains("hint: ").count(2)));
    told.stderr(contains(
        "2 bots of those that were named did not take part, as said at the beginning\nWhen that is mended, \
                          the same command enters them, with --dir out\n",
    ));
    assert_eq!(event.games("out").len(), 2);
    // The same command goes on with the same bots.
    event.command(&["-g", "4"]).assert().code(0).stderr(contains("2 games were played before, in out\n"));
    assert_eq!(event.games("out").len(), 4);
    let strict = event.command(&["-g", "6", "--strict"]).assert().code(3).stdout("");
    strict.stderr(contains("broadside: bot ").and(contains("there is no Cargo.toml")));
    assert_eq!(event.games("out").len(), 4);
}

#[test]
fn a_bot_that_was_left_out_enters_the_same_tournament_when_it_is_mended() {
    let event = Event::new(&[PLAYS]);
    let run = |more: &[&str]| {
        let bots = ["-b", "builtin:random", "builtin:hunter", "late"];
        event.run(&[&["tournament", "-s", "1", "-g", "2"], more, &bots].concat())
    };
    let late = event.folder.path().join("late");
    copy_bot(broken().path(), &late).unwrap();
    let said = String::from_utf8(run(&[]).code(0).get_output().stderr.clone()).unwrap();
    let folder = said.split("--dir ").nth(1).and_then(|rest| rest.lines().next()).unwrap();
    fs::remove_dir_all(&late).unwrap();
    copy_bot(event.bots[0].path(), &late).unwrap();
    run(&["--dir", folder]).code(0).stderr(contains(format!("2 games were played before, in {folder}\n")));
    assert_eq!(event.games(folder).len(), 6);
}

#[test]
fn a_tournament_without_two_bots_that_play_ends_with_the_reason() {
    let mut event = Event::new(&[]);
    event.bots.push(broken());
    event.command(&["-b", "builtin:random"]).assert().code(3).stderr(starts_with("broadside: bot "));
    assert!(!event.folder.path().join("out").exists());
    // A folder that is not there is a mistake in the command.
    let mut event = Event::new(&[PLAYS, PLAYS]);
    let gone = broken();
    fs::remove_dir_all(gone.path()).unwrap();
    event.bots.push(gone);
    event.command(&[]).assert().code(3).stderr(contains("there is no folder"));
}

#[test]
fn a_comparison_of_a_bot_with_a_copy_of_it_is_said_to_be_one() {
    let event = Event::new(&[PLAYS]);
    let copy = event.folder.path().join("copy");
    copy_bot(event.bots[0].path(), &copy).unwrap();
    let compare = || event.run(&["compare", event.bots[0].path().to_str().unwrap(), "copy", "-s", "1", "-g", "2"]);
    let told = " and copy have the same content: this compares a bot with itself\n";
    compare().code(0).stderr(contains(told));
    fs::write(copy.join("another"), "").unwrap();
    compare().code(0).stderr(contains("same content").not());
}
