//! `--tournamentMode`: no file tells anybody anything before the end.

use crate::table::Table;
use fake_bot::PLAYS;
use std::collections::BTreeSet;

/// The fake bot lists what is on the disk when it runs, in a file of its own.
#[test]
fn tournament_mode_leaves_no_file_that_tells_and_the_same_at_the_end() {
    let spy = "1: place\n2: list seen.txt\n2: fire";
    let [plain, tournament] = [Table::with([spy, PLAYS]), Table::with([spy, PLAYS])];
    plain.command().arg("--in-turn").assert().code(0);
    tournament.command().args(["--tournamentMode", "--sandbox", "off"]).assert().code(0);

    let seen: BTreeSet<String> = (1..20)
        .flat_map(|round| {
            let list = tournament.read(&format!("Phase 2 - Round {round}/A/seen.txt"));
            let own = format!("Phase 2 - Round {round}/A/");
            list.lines().filter(|file| !file.starts_with(&own)).map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    assert!(seen.iter().all(|file| file.ends_with("/A/seen.txt")), "{seen:?}");
    assert!(!seen.is_empty(), "a bot's own files stay");

    let own_files = |table: &Table| -> Vec<_> {
        table.tree().into_iter().filter(|(path, _)| !path.ends_with("seen.txt")).collect()
    };
    assert_eq!(own_files(&tournament), own_files(&plain));
}

#[test]
fn tournament_mode_runs_the_bots_in_turn() {
    // What one bot is shown is on the disk while it runs.
    let table = Table::new();
    table.command().args(["--tournamentMode", "--together"]).assert().code(2);
}
