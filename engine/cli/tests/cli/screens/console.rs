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

#[test]
fn two_people_who_type_through_a_pipe_are_neither_stopped_nor_asked_twice() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = broadside();
    command.current_dir(folder.path()).args(["-c", "2", "-s", "1", "--record", "none"]);
    let typed = "random\nrandom\nB1\nfire 2 2\n1,1\n2 2\n";
    let shown = command.write_stdin(typed).assert().code(0).stdout(contains("Player 1 round 3"));
    shown.stdout(contains("press Enter").not().and(contains("again?").not()).and(contains("\x1b").not()));
}

#[test]
fn a_person_plays_sea_battle_and_bots_arena() {
    let play = |game: &str, typed: &'static str| {
        let mut command = broadside();
        command.args(["play", "--game", game, "-c", "1", "--seed", "3", "--record", "none", "builtin:hunter"]);
        command.write_stdin(typed).assert().code(0)
    };
    let fleet =
        "four 0 0 e\nbattle 0 2 e\nthree 0 4 e\nsub 0 6 e\ntwo 0 8 e\ntwo 5 0 e\none 5 2\none 5 4\none 5 6\none f8\n";
    let typed: &'static str = Box::leak(format!("{fleet}radar 4 4\nhelp\n4 4\n").into_boxed_str());
    let shown = play("sea-battle", typed).stdout(contains("Your radar around 4, 4 sees").and(contains("radar X Y")));
    shown.stdout(contains("Your shot at 4, 4: ").and(contains("builtin:hunter wins: Player 1 gave up")));
    play("bots-arena", "random\na0\n1,0\n")
        .stdout(contains("Your strike at 1, 0: ").and(contains("Player 1 strike 3")));
    let mut salvo = broadside();
    salvo.args(["play", "--game", "salvo", "-c", "1", "builtin:hunter"]).assert().code(2);
}

#[test]
fn a_person_plays_by_rules_against_several_opponents_and_alone() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "seats = 3\nshots = 2\nfleets = 'drawn'\nspecials = [{ name = 'sonar', kind = 'sonar' }]";
    std::fs::write(folder.path().join("three.toml"), rules).unwrap();
    let play = |arguments: &str, typed: &'static str| {
        let mut command = broadside();
        command.current_dir(folder.path()).args(["play", "--seed", "3", "--record", "none", "-c", "1"]);
        command.args(arguments.split(' ')).write_stdin(typed).assert()
    };
    let shown = play(
        "--rules three.toml builtin:random builtin:random",
        "help\n3 3\nsonar A 3 3\nA 0 0 B 1 1\nA 0 0 A 1 1 A 2 2\n",
    );
    let told =
        ["sonar B X Y", "Whose board?", "Your sonar at 3,3 is", "Your shots at 0,0: ", "3 cells where there may be 2"];
    told.iter().fold(shown.code(0), |shown, words| shown.stdout(contains(*words)));
    // Rows are as in the browser and in the file of rules.
    let alone = play("--rules gym-battleship builtin:random", "0 9\n").code(0);
    let text = String::from_utf8(alone.get_output().stdout.clone()).unwrap();
    assert!(text.find(" 0  ~ ").unwrap() < text.find(" 9  ~ ").unwrap(), "{text}");
    assert!(text.contains(" 9  ! ~") || text.contains(" 9  * ~"), "{text}");
    let hint = "a match is for 2 to 3 players, not for 3 bots and 1 person";
    play("--rules three.toml builtin:random builtin:random builtin:random", "").code(2).stderr(contains(hint));
}

#[test]
fn one_person_who_names_no_opponent_plays_a_built_in_player() {
    for game in ["entelect-2017", "sea-battle", "bots-arena"] {
        let mut command = broadside();
        command.args(["play", "--game", game, "-c", "1", "--record", "none"]);
        command
            .write_stdin("random\n")
            .assert()
            .code(0)
            .stdout(contains("builtin:checkerboard wins: Player 1 gave up"));
    }
}
