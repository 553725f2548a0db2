//! The files that a bot is given, and the parts of its answer that count.

use crate::table::Table;
use arena::RunEnd;
use rules::Fault;
use rules::entelect_2017::Order;
use std::fs;

fn unreadable(script: &str) -> String {
    match Table::new(script).ask().answer {
        Err(Fault::Unreadable { why, .. }) => why,
        other => panic!("{script:?} gave {other:?}"),
    }
}

#[test]
fn a_bot_finds_key_and_round_folder_in_its_arguments_and_works_in_its_own_folder() {
    let table = Table::new("args args.json\nplace");
    assert!(matches!(table.ask().answer, Ok(Order::Place(_))));
    let seen: serde_json::Value =
        serde_json::from_slice(&fs::read(table.round_folder().join("args.json")).unwrap()).unwrap();
    let round_folder = fs::canonicalize(table.round_folder()).unwrap();
    assert_eq!(seen["arguments"].as_array().unwrap().len(), 3);
    assert_eq!(seen["arguments"][1], "A");
    assert_eq!(seen["arguments"][2], round_folder.to_str().unwrap());
    assert_eq!(seen["folder"], fs::canonicalize(table.bot.path()).unwrap().to_str().unwrap());
    assert_eq!(seen["seed"], "7");
    for name in ["state.json", "map.txt"] {
        assert!(round_folder.join(name).is_file(), "{name}");
    }
}

#[test]
fn run_args_follow_split_like_a_shell_would() {
    let mut table = Table::new("args args.json\nplace");
    let manifest = serde_json::json!({
        "BotType": "rust", "ProjectLocation": "", "RunFile": fake_bot::program(), "RunArgs": "one 'two three'",
    });
    table.bot = fake_bot::BotFolder::with_manifest(&manifest.to_string(), "args args.json\nplace");
    table.ask();
    let seen = fs::read_to_string(table.round_folder().join("args.json")).unwrap();
    assert!(seen.contains(r#""one","two three"]"#), "{seen}");
}

#[test]
fn in_tournament_mode_nothing_that_was_said_stays() {
    let table = Table { leave_files: false, ..Table::new("place\nwrite mine.txt kept") };
    let reply = table.ask();
    assert!(matches!(reply.answer, Ok(Order::Place(_))));
    assert_eq!(reply.given.len(), 1);
    let left: Vec<_> = fs::read_dir(table.round_folder()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["mine.txt"]);
}

#[test]
fn an_answer_counts_even_if_the_bot_crashes_afterwards() {
    for ending in ["exit 3", "signal 6", "moan oh no\nexit 1"] {
        let reply = Table::new(&format!("place\n{ending}")).ask();
        assert!(matches!(reply.answer, Ok(Order::Place(_))), "{ending}");
    }
}

#[test]
fn a_bot_that_leaves_nothing_wrote_nothing_or_crashed() {
    assert_eq!(Table::new("").ask().answer, Err(Fault::NothingWritten));
    let crashed = |how: &str| Err(Fault::Crashed { how: how.to_owned() });
    assert_eq!(Table::new("exit 3").ask().answer, crashed("ended with exit status 3"));
    assert_eq!(Table::new("signal 6").ask().answer, crashed("ended by signal 6"));
}

#[test]
fn a_bot_that_crashes_in_the_middle_of_its_answer_has_crashed() {
    let crashed = Err(Fault::Crashed { how: "ended with exit status 1".to_owned() });
    for part in ["", "1,2"] {
        assert_eq!(Table::new(&format!("write command.txt {part}\nexit 1")).ask().answer, crashed, "{part:?}");
    }
    assert!(unreadable("write command.txt 1,2").contains("command.txt"));
}

#[test]
fn an_answer_in_another_place_is_told() {
    let told = |script: &str| Table::new(script).ask().fault().unwrap();
    assert_eq!(told(""), "wrote nothing");
    assert_eq!(told("write comand.txt 1,2,3"), "wrote nothing: comand.txt is there, but no place.txt or command.txt");
    let table = Table::new("");
    fs::write(table.bot.path().join("command.txt"), "1,1,1").unwrap();
    let told = table.ask().fault().unwrap();
    assert!(told.starts_with("wrote nothing: command.txt is in the bot's own folder, and not in the folder"), "{told}");
}

#[test]
fn a_file_from_before_the_turn_does_not_count() {
    let table = Table::new("");
    fs::create_dir_all(table.round_folder()).unwrap();
    fs::write(table.round_folder().join("command.txt"), "1,1,1").unwrap();
    assert_eq!(table.ask().answer, Err(Fault::NothingWritten));
}

#[test]
fn what_is_in_the_way_of_an_answer_is_moved() {
    let table = Table::new("place");
    fs::create_dir_all(table.round_folder().join("place.txt/deep")).unwrap();
    assert!(matches!(table.ask().answer, Ok(Order::Place(_))));
}

#[test]
fn empty_lines_without_end_are_left_out_of_the_log() {
    let run = Table::new(&format!("write x y\n{}place", "say\n".repeat(3000))).ask().run.unwrap();
    let lines = run.stdout.lines();
    assert_eq!(lines.len(), 1001);
    assert_eq!(lines[1000], "[2000 more lines are left out]");
}

#[test]
fn only_regular_files_of_a_sane_size_are_read() {
    assert!(unreadable("link command.txt /etc/hostname").contains("symbolic link"));
    assert!(unreadable("link command.txt /dev/zero").contains("symbolic link"));
    assert!(unreadable("mkdir command.txt").contains("folder"));
    assert!(unreadable("fifo place.txt").contains("pipe"));
    assert!(unreadable("huge command.txt 1024").contains("larger than"));
    assert!(unreadable("place\nwrite command.txt nonsense").contains("command.txt"));
}

#[test]
fn much_that_a_bot_leaves_besides_its_answer_is_removed_and_told() {
    let table = Table::new("fill junk 20\nmkdir deep\nlink deep/link /\nplace");
    let reply = table.ask();
    assert!(matches!(reply.answer, Ok(Order::Place(_))));
    assert_eq!(reply.run.unwrap().removed >> 20, 20);
    let mut left: Vec<_> = fs::read_dir(table.round_folder()).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["map.txt", "place.txt", "state.json"]);
    assert_eq!(Table::new("fill junk 5\nplace").ask().run.unwrap().removed, 0);
}

#[test]
fn much_that_a_bot_leaves_in_a_folder_of_its_making_is_removed_too() {
    let table = Table::new("vanish\nmkdir \"\"\nfill junk 20\nplace");
    let reply = table.ask();
    assert_eq!(reply.answer, Err(Fault::NothingWritten));
    assert_eq!(reply.run.unwrap().removed >> 20, 20);
}

#[test]
fn a_bot_that_removes_its_folder_wrote_nothing() {
    assert_eq!(Table::new("place\nvanish").ask().answer, Err(Fault::NothingWritten));
}

#[test]
fn streams_are_drained_and_kept_up_to_a_cap() {
    let reply = Table::new("say héllo\nmoan ouch\nflood 5000000\nflood-err 5000000\nplace").ask();
    let run = reply.run.unwrap();
    assert!(matches!(reply.answer, Ok(Order::Place(_))));
    assert_eq!(run.end, RunEnd::Exited(0));
    assert!(run.stdout.bytes.starts_with("héllo\n".as_bytes()));
    assert!(run.stderr.bytes.starts_with(b"ouch\n"));
    for output in [run.stdout, run.stderr] {
        assert_eq!(output.bytes.len(), 64 * 1024);
        assert_eq!(output.dropped + output.bytes.len() as u64, 5_000_000 + if output.bytes[0] == b'o' { 5 } else { 7 });
        assert!(output.lines().last().unwrap().contains("more bytes"));
    }
}

#[test]
fn processor_time_is_that_of_the_bot() {
    let run = Table::new("spin 200\nplace").ask().run.unwrap();
    assert!(run.cpu.as_millis() >= 195 && run.cpu <= run.wall + std::time::Duration::from_millis(20), "{run:?}");
    assert!(run.peak_memory > 0);
}

#[test]
fn a_bot_with_less_memory_than_the_engine_has_a_bound_and_one_with_more_a_figure() {
    // More than the bot, however little the tests need.
    let engine = vec![1_u8; 40 << 20];
    let run = Table::new("place").ask().run.unwrap();
    assert!(run.peak_is_bound && engine[1] == 1, "{run:?}");
    let run = Table::new("allocate 300\nplace").ask().run.unwrap();
    assert!(!run.peak_is_bound && run.peak_memory > 300_000_000, "{run:?}");
}
