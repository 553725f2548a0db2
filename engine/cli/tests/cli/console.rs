//! People who type, here through a pipe.

use crate::table::Table;
use crate::table::broadside;
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn end_of_input_at_the_console_is_giving_up() {
    let table = Table::new();
    let mut command = broadside();
    command.current_dir(table.folder.path()).args(["-c", "1", "-s", "1", "-b"]).arg(table.bots[0].path());
    command
        .write_stdin("random\nhelp\nfire 3 3\n")
        .assert()
        .code(0)
        .stdout(contains("place your ships").and(contains("seeker X Y")).and(contains("Player 1 gives up.")))
        .stdout(contains("Alpha wins: Player 1 gave up"))
        .stdout(contains("\x1b").not());
}

#[test]
fn a_person_is_unkown_to_the_files() {
    let table = Table::new();
    let mut command = broadside();
    command.current_dir(table.folder.path()).args(["-c", "1", "-s", "1", "-l", "out", "-b"]).arg(table.bots[0].path());
    command.write_stdin("random\n").assert().code(0);
    let info = table.read("Phase 1 - Round 0/roundInfo.json");
    assert!(
        info.contains(r#"{"Author":"Player 1","NickName":"Player 1","Email":"Player 1","BotType":"Unkown"}"#),
        "{info}"
    );
    assert!(table.read("Phase 1 - Round 0/B/place.txt").contains("Carrier"));
    assert!(table.read("Phase 1 - Round 0/B/state.json").contains("PlayerMap"));
}
