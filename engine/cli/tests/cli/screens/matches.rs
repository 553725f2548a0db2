//! Matches from beginning to end.

use crate::table::{Table, broadside};
use fake_bot::{BotFolder, PLAYS};
use predicates::str::contains;
use rules::Seat;
use std::fs;
use std::path::Path;

#[test]
fn a_match_is_played_to_its_end_and_the_result_told() {
    let table = Table::with([PLAYS, "1: place\n2: write command.txt 0,0,0"]);
    let done = table.command().assert().code(0).stderr("");
    done.stdout(contains("Alpha wins: Bravo did nothing 20 times in a row"))
        .stdout(contains("A Alpha"))
        .stdout(contains("B Bravo     0 points"))
        .stdout(contains("22 rounds, seed "))
        .stdout(contains(format!("Replay: {}", table.out().canonicalize().unwrap().display())));
}

#[test]
fn together_and_in_turn_leave_the_same_files() {
    let [one, other] = [Table::new(), Table::new()];
    one.command().arg("--together").assert().code(0);
    other.command().arg("--in-turn").assert().code(0);
    assert!(one.tree().len() > 500);
    assert_eq!(one.tree(), other.tree());
}

#[test]
fn bots_are_given_an_absolute_folder_for_a_relative_log_folder() {
    // The folders of the table have spaces in their names, too.
    let table = Table::with(["r0: args args.json\n1: place\n2: fire", PLAYS]);
    table.command().assert().code(0);
    let seen: serde_json::Value = serde_json::from_str(&table.read("Phase 1 - Round 0/A/args.json")).unwrap();
    let folder = table.out().canonicalize().unwrap().join("Phase 1 - Round 0/A");
    assert_eq!(seen["arguments"].as_array().unwrap()[1..], ["A", folder.to_str().unwrap()]);
}

#[test]
fn each_seat_is_given_a_seed_of_its_own() {
    let table = Table::with(["r0: args args.json\n1: place\n2: fire"; 2]);
    table.command().args(["--seed", "77"]).assert().code(0).stdout(contains("seed 77"));
    for seat in [Seat::A, Seat::B] {
        let seen = table.read(&format!("Phase 1 - Round 0/{seat}/args.json"));
        let seen: serde_json::Value = serde_json::from_str(&seen).unwrap();
        assert_eq!(seen["seed"], rules::seat_seed(77, seat).to_string());
    }
}

#[test]
fn a_match_without_log_folder_lands_in_replays() {
    let table = Table::with(["", ""]);
    let [a, b] = &table.bots;
    broadside().current_dir(table.folder.path()).arg("-b").args([a.path(), b.path()]).assert().code(0);
    let replays: Vec<_> = fs::read_dir(table.folder.path().join("replays")).unwrap().map(Result::unwrap).collect();
    let mut names: Vec<String> = replays.iter().map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!((names.len(), names[1].as_str()), (2, "latest"), "{names:?}");
    assert!(chrono::NaiveDateTime::parse_from_str(&names[0], "%Y-%m-%dT%H-%M-%S").is_ok(), "{names:?}");
    let latest = table.folder.path().join("replays/latest");
    assert!(latest.join("Phase 1 - Round 0/engine.log").is_file());
    assert_eq!(fs::read_link(latest).unwrap(), Path::new(&names[0]));
}

#[test]
fn an_old_match_in_the_log_folder_is_moved_aside() {
    let table = Table::with(["", ""]);
    table.command().assert().code(0).stderr("");
    let first = table.tree();
    table.command().assert().code(0).stderr(contains("is now in its folder 'previous-"));
    let mut previous = fs::read_dir(table.out()).unwrap().map(|entry| entry.unwrap().path());
    let previous = previous.find(|path| path.file_name().unwrap().to_str().unwrap().starts_with("previous-"));
    assert_eq!(crate::table::tree(&previous.unwrap()), first);
}

#[test]
fn five_failed_placements_lose_and_both_may_fail() {
    let table = Table::with(["1: place", ""]);
    table.command().assert().code(0).stdout(contains("Alpha wins: Bravo failed 5 times to place its ships"));
    let table = Table::with(["", "1: place"]);
    table.command().assert().code(0).stdout(contains("Bravo wins: Alpha failed 5 times to place its ships"));
}

#[test]
fn logs_tell_what_a_bot_said_used_and_did_wrong() {
    let table = Table::with([
        "r1: say hello\nr1: moan ouch\n1: place\n2: fire\nr1: write command.txt 1,99,99\nr2: write command.txt 1;1;1\nr3: signal 9",
        "1: place",
    ]);
    table.command().assert().code(0);
    let log = table.read("Phase 2 - Round 1/A/log.txt");
    for line in [" - I: \tOutput from bot: hello", " - E: \tOutput from bot: ouch", " - I: \tOutput from bot: \n"] {
        assert!(log.contains(line), "{line} is not in {log}");
    }
    assert!(log.starts_with('\n') && !log.ends_with('\n'));
    for words in ["Executing process ", "Bot has 4000ms to run", "execution time was 00:00:00.", "peak memory "] {
        assert!(log.contains(words), "{words} is not in {log}");
    }
    let time = log.trim_start().split(" - ").next().unwrap();
    assert!(chrono::NaiveDateTime::parse_from_str(time, "%d-%m-%Y %H:%M:%S:%3f").is_ok(), "{time}");
    assert!(table.read("Phase 2 - Round 2/A/log.txt").contains("failed because"));
    assert!(table.read("Phase 2 - Round 3/A/log.txt").contains("ended by signal 9"));
    let unreadable = table.read("Phase 2 - Round 2/B/log.txt");
    assert!(unreadable.contains("neither place.txt nor command.txt is there"), "{unreadable}");
}

#[test]
fn an_answer_in_another_encoding_is_kept_as_utf_8() {
    let table = Table::with([
        r"1: place
2: fire
r1: write command.txt \xff\xfe1\x00,\x000\x00,\x000\x00",
        "1: place",
    ]);
    table.command().assert().code(0);
    assert_eq!(table.read("Phase 2 - Round 1/A/command.txt"), "1,0,0");
}

#[test]
fn nobody_reads_or_writes_where_a_bot_leads() {
    let table = Table::new();
    let prey = table.folder.path().join("prey");
    fs::create_dir(&prey).unwrap();
    fs::write(prey.join("log.txt"), "mine").unwrap();
    let script = format!(
        "1: place\nr2: vanish\nr2: link \"\" {}\nr3: link log.txt {}/log.txt\n2: fire",
        prey.display(),
        prey.display()
    );
    let bot = BotFolder::new("Alpha", &script);
    broadside()
        .current_dir(table.folder.path())
        .args(["-s", "1", "-l", "out", "-b"])
        .args([bot.path(), table.bots[1].path()])
        .assert()
        .code(0);
    assert_eq!(fs::read_to_string(prey.join("log.txt")).unwrap(), "mine");
    assert!(table.read("Phase 2 - Round 2/A/log.txt").contains("Executing process"));
    assert!(table.read("Phase 2 - Round 3/A/log.txt").contains("Executing process"));
}

#[test]
fn a_bot_that_is_too_slow_does_nothing_and_the_match_goes_on() {
    let table = Table::with(["1: place\nr1: write command.txt 1,0,0\nr1: hang\n2: fire", PLAYS]);
    table.command().assert().code(0).stdout(contains("wins"));
    assert!(table.read("Phase 2 - Round 2/roundCommand.json").contains(r#""CommandIssued":"DoNothing""#));
    assert_eq!(table.read("Phase 2 - Round 1/A/command.txt"), "1,0,0", "what it wrote stays");
    assert!(table.read("Phase 2 - Round 1/A/log.txt").contains("timed out: "));
}

#[test]
fn clog_shows_the_engines_log_on_standard_error() {
    let table = Table::with(["", ""]);
    let said = table.command().arg("--clog").assert().code(0);
    let line = String::from_utf8_lossy(&said.get_output().stderr).into_owned();
    let line = line.lines().find(|line| line.ends_with("Added Command DoNothingCommand for Player Alpha")).unwrap();
    let time = line.split(" - ").next().unwrap();
    assert!(chrono::NaiveDateTime::parse_from_str(time, "%Y-%m-%d %H:%M:%S%.3f").is_ok(), "{time}");
}
