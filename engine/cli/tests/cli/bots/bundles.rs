//! Bundles: what is left of a turn that went wrong.

use crate::table::Table;
use fake_bot::PLAYS;
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use std::process::Command;

#[test]
fn a_fault_leaves_a_bundle_that_runs_the_turn_again() {
    let crashes = "1: place\nr4: say before\nr4: moan oh no\nr4: exit 3\n2: fire";
    let table = Table::with([crashes, PLAYS]);
    table.command().assert().code(0).stdout(
        contains("Alpha in round 4: crashed: ended with exit status 3\n").and(contains("faults/round 4 A/report.txt")),
    );
    let report = table.read("faults/round 4 A/report.txt");
    for line in ["crashed: ended with exit status 3", "BROADSIDE_SEED=", "limit 2", "  oh no", "  before"] {
        assert!(report.contains(line), "{line} in {report}");
    }
    let bundle = table.out().join("faults/round 4 A");
    for file in ["state.json", "map.txt"] {
        let got = fs::read(bundle.join("got/Phase 2 - Round 4/A").join(file)).unwrap();
        assert_eq!(got, fs::read(table.out().join("Phase 2 - Round 4/A").join(file)).unwrap());
    }
    // From any directory, and as often as wanted.
    for _ in 0..2 {
        let again = Command::new("sh").arg(bundle.join("run.sh")).current_dir("/").output().unwrap();
        let said = String::from_utf8(again.stderr).unwrap();
        assert!(said.contains("oh no") && said.contains("exit status 3"), "{said}");
        let turn = said.lines().find_map(|line| line.split_once("its folder is ")).unwrap().1;
        assert!(fs::read_to_string(format!("{turn}/state.json")).unwrap().contains("\"Round\":4"));
    }
}

#[test]
fn a_refused_order_leaves_a_bundle_with_the_answer() {
    let table = Table::with(["1: place\n2: fire\nr2: write command.txt 1,99,99", PLAYS]);
    table.command().assert().code(0).stdout(contains("Alpha in round 2: refused: "));
    assert_eq!(table.read("faults/round 2 A/wrote/command.txt"), "1,99,99");
    let fault: serde_json::Value = serde_json::from_str(&table.read("faults/round 2 A/fault.json")).unwrap();
    assert_eq!((&fault["exit_status"], &fault["round"]), (&serde_json::json!(0), &serde_json::json!(2)));
}

#[test]
fn a_match_without_faults_leaves_no_bundles_unless_all_are_wanted() {
    let table = Table::new();
    table.command().assert().code(0).stdout(contains("report.txt").not());
    assert!(!table.out().join("faults").exists());
    table.command().args(["--bundles", "all"]).assert().code(0).stdout(contains("report.txt").not());
    assert!(table.read("faults/round 1 B/report.txt").contains("nothing was wrong"));
}

#[test]
fn ten_bundles_of_a_bot_are_enough() {
    let table = Table::with(["1: place", PLAYS]);
    table.command().assert().code(0).stdout(contains("(20 turns lost)"));
    assert_eq!(fs::read_dir(table.out().join("faults")).unwrap().count(), 10);
    table.command().args(["--bundles", "none"]).assert().code(0);
    assert!(!table.out().join("faults").exists(), "those of the match before are moved aside with it");
}

#[test]
fn in_tournament_mode_bundles_come_with_the_end() {
    let table = Table::with(["1: place\n2: list seen.txt\n2: fire\nr2: write command.txt nonsense", PLAYS]);
    table.command().args(["--tournamentMode", "--sandbox", "off"]).assert().code(0);
    assert!(!table.read("Phase 2 - Round 5/A/seen.txt").contains("faults"));
    assert_eq!(table.read("faults/round 2 A/wrote/command.txt"), "nonsense");
}
