//! Tests of the boards that are drawn, and of the streams on which they are not drawn.

use crate::table::Table;
use fake_bot::PLAYS;
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn pretty_is_plain_text_where_there_is_no_terminal() {
    let table = Table::new();
    let output = table.command().arg("--pretty").assert().code(0).get_output().clone();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains('\x1b'));
    assert!(text.contains("Round 0 · placing the ships"));
    assert!(text.contains("A Alpha") && text.contains(" 6  ~ ~ ~ ~ ~ ~ ~            6  ~ ~ ~ ~ ~ ~ ~"), "{text}");
    assert!(text.contains("single shot at 1, 0: hit"));
    assert!(text.lines().all(|line| line.chars().count() <= 80));
    assert!(text.contains(" wins: "));
}

#[test]
fn a_result_in_a_file_has_whole_names() {
    let [long, longer] = ["long", "longer"].map(|name| name.repeat(30));
    let bots = [&long, &longer].map(|name| fake_bot::BotFolder::new(name, PLAYS));
    let folder = tempfile::tempdir().unwrap();
    let mut command = crate::table::broadside();
    command.current_dir(folder.path()).args(["-s", "1", "-l", "out", "-b"]).args(bots.each_ref().map(|bot| bot.path()));
    let told = contains(format!("{long} wins: both fleets were sunk in the same round\n"));
    command
        .assert()
        .code(0)
        .stdout(told.and(contains(format!("  A {long}  ").as_str())).and(contains(format!("  B {longer}  "))));
}

#[test]
fn debug_goes_on_by_itself_where_there_is_no_terminal() {
    let table = Table::with(["1: place\nr1: moan \x1b[31mfirst\nr2: moan second\n2: fire", PLAYS]);
    let done = table.command().arg("--debug").write_stdin("").assert().code(0);
    done.stderr(contains("round 1: Alpha wrote to standard error, and ended with exit status 0"))
        .stderr(contains("first").and(contains("second")).and(contains("\x1b").not()))
        .stderr(contains("does not wait for a key").count(1));
}

#[test]
fn nobody_has_to_read_what_is_drawn() {
    let table = Table::new();
    let mut engine = std::process::Command::new(assert_cmd::cargo::cargo_bin!("broadside"));
    engine.current_dir(table.folder.path()).args(table.arguments()).arg("--pretty");
    let mut engine = engine.stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(engine.stdout.take());
    assert_eq!(engine.wait().unwrap().code(), Some(0));
    assert!(table.tree().len() > 500);
}

#[test]
fn a_result_that_cannot_be_written_is_an_error_and_told_all_the_same() {
    let table = Table::new();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut engine = std::process::Command::new(assert_cmd::cargo::cargo_bin!("broadside"));
    let done = engine.current_dir(table.folder.path()).args(table.arguments()).stdout(full).output().unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(1));
    assert!(said.contains("Replay: ") && said.contains("standard output"), "{said}");
    assert!(said.contains("space left where it leads to") && !said.contains("folder"), "{said}");
}
