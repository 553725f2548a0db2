//! From records to folders and back, and folders that are not what they should be.

use crate::records::played;
use crate::scripted::{FLEET, play, player, row_by_row};
use arena::folder::MatchFolder;
use arena::record::{MATCH_JSONL, Record, RecordError};
use arena::{ArenaError, Ask, Player, Reply, Sequence};
use match_folder::{expand, import, import_different, open, verify};
use rules::Fault;
use rules::entelect_2017::{Entelect2017, MapSize, Order, Phase, View};
use rustix::fs::{FileType, Mode};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;
use tempfile::{TempDir, tempdir};
use walkdir::WalkDir;

/// The files of the rounds in a folder, but for logs.
fn rounds(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = WalkDir::new(folder).min_depth(2).into_iter().map(Result::unwrap).filter(|e| e.file_type().is_file());
    files
        .map(|file| (file.path().strip_prefix(folder).unwrap().to_str().unwrap().to_owned(), file.into_path()))
        .filter(|(name, _)| name.starts_with("Phase ") && !name.ends_with("log.txt") && !name.ends_with("engine.log"))
        .map(|(name, path)| (name, fs::read(path).unwrap()))
        .collect()
}

/// The folder that belongs to a record.
fn expanded(record: &Arc<Record>) -> TempDir {
    let folder = tempdir().unwrap();
    expand(record, || MatchFolder::create(folder.path())).unwrap();
    folder
}

/// A folder with nothing but rounds, as the original engine leaves it.
fn original() -> TempDir {
    let folder = played();
    fs::remove_file(folder.path().join(MATCH_JSONL)).unwrap();
    folder
}

#[test]
fn a_record_has_all_of_the_folder_but_what_only_the_run_knew() {
    let folder = played();
    let again = expanded(&open(folder.path()).unwrap().record);
    assert_eq!(rounds(again.path()), rounds(folder.path()));
    let log = |folder: &Path| fs::read_to_string(folder.join("Phase 2 - Round 12/engine.log")).unwrap();
    let facts = |log: String| log.lines().filter_map(|l| Some(l.split_once(" - ")?.1.to_owned())).collect::<Vec<_>>();
    assert_eq!(facts(log(again.path())), facts(log(folder.path())));
    assert!(log(again.path()).contains("21-11-2026 12:00:00:000 - D: "), "the time is that of the header");
    let player = fs::read_to_string(again.path().join("Phase 2 - Round 12/B/log.txt")).unwrap();
    assert!(player.contains("after 20 times it is killed off") && player.contains("neither place.txt nor"), "{player}");
}

#[test]
fn a_folder_of_rounds_becomes_a_record_and_the_same_folder_again() {
    let folder = original();
    let record = open(folder.path()).unwrap().record;
    assert_eq!(rounds(expanded(&record).path()), rounds(folder.path()));
    assert!(record.end().is_some());
    assert_eq!(Record::parse(folder.path(), import(folder.path()).unwrap()).unwrap(), *record);
}

#[test]
fn a_byte_order_mark_in_the_middle_of_things_survives() {
    let folder = tempdir().unwrap();
    // The first mark tells the encoding; the second is part of the text and makes it unreadable.
    let marked = |view: &View| match view.phase {
        Phase::One => FLEET.to_owned(),
        Phase::Two => format!("\u{FEFF}\u{FEFF}{}", row_by_row(view)),
    };
    play(MapSize::Small, [player(marked), player(row_by_row)], Sequence::InTurn, folder.path(), None).unwrap();
    fs::remove_file(folder.path().join(MATCH_JSONL)).unwrap();
    let opened = open(folder.path()).unwrap();
    verify(&opened).unwrap();
    assert_eq!(rounds(expanded(&opened.record).path()), rounds(folder.path()));
}

#[test]
fn a_turn_that_the_log_calls_nothing_was_timed_out() {
    let folder = original();
    // As the original leaves it: the order is there, but it did not count.
    let round = folder.path().join("Phase 2 - Round 3/B");
    fs::write(round.join("command.txt"), "1,6,6").unwrap();
    fs::write(round.join("log.txt"), "\n01 - I: \tYour bots total execution time was 00:00:02.5000000").unwrap();
    let record = open(folder.path()).unwrap().record;
    let again = expanded(&record);
    assert_eq!(fs::read(again.path().join("Phase 2 - Round 3/B/command.txt")).unwrap(), b"1,6,6");
    let log = fs::read_to_string(again.path().join("Phase 2 - Round 3/B/log.txt")).unwrap();
    assert!(log.contains("timed out: no answer within 2000 ms (2500 ms used in all)"), "{log}");
}

#[test]
fn folders_of_windows_are_right_too() {
    let folder = original();
    for (name, bytes) in rounds(folder.path()).into_iter().filter(|(name, _)| name.ends_with("map.txt")) {
        fs::write(folder.path().join(name), String::from_utf8(bytes).unwrap().replace('\n', "\r\n")).unwrap();
    }
    verify(&open(folder.path()).unwrap()).unwrap();
}

#[test]
fn folders_whose_answers_have_other_line_ends_than_their_rounds_remember_are_right_too() {
    let windows = FLEET.replace('\n', "\r\n");
    for (given, kept) in [(&*windows, FLEET), (FLEET, &*windows)] {
        let folder = tempdir().unwrap();
        let given = given.to_owned();
        let brain = move |view: &View| if view.phase == Phase::One { given.clone() } else { row_by_row(view) };
        let players = [player(brain), player(row_by_row)];
        play(MapSize::Small, players, Sequence::InTurn, folder.path(), None).unwrap();
        let place = folder.path().join("Phase 1 - Round 0/A/place.txt");
        fs::write(&place, kept).unwrap();
        // With the record as it was written, and with one that is made of the folder.
        verify(&open(folder.path()).unwrap()).unwrap();
        fs::remove_file(folder.path().join(MATCH_JSONL)).unwrap();
        verify(&open(folder.path()).unwrap()).unwrap();
    }
}

/// A folder of the original engine, which crashed when it was to remove B.
fn crashed() -> TempDir {
    // B did nothing in the rounds 1 to 20.
    let removal = "Phase 2 - Round 21";
    let crashed = original();
    fs::remove_dir_all(crashed.path().join("Phase 2 - Round 22")).unwrap();
    fs::remove_file(crashed.path().join(removal).join("engine.log")).unwrap();
    // The original asks everyone before it crashes.
    for seat in ["A", "B"] {
        fs::write(crashed.path().join(removal).join(seat).join("state.json"), "{}").unwrap();
    }
    crashed
}

#[test]
fn an_imported_match_that_ends_with_a_removal_verifies_as_its_folder_does() {
    let crashed = crashed();
    let path = crashed.path().join("imported.jsonl");
    fs::write(&path, import(crashed.path()).unwrap()).unwrap();
    let (folder, record) = (verify(&open(crashed.path()).unwrap()), verify(&open(&path).unwrap()));
    assert_eq!(record.unwrap(), folder.unwrap());
    // Without a removal it was stopped, and so it is when our own engine wrote it.
    let stopped = original();
    (15..=22).for_each(|round| fs::remove_dir_all(stopped.path().join(format!("Phase 2 - Round {round}"))).unwrap());
    fs::write(&path, import(stopped.path()).unwrap()).unwrap();
    let verdict = verify(&open(&path).unwrap());
    assert!(matches!(verdict, Err(ArenaError::Record { source: RecordError::Unfinished { turns: 15, .. }, .. })));
}

#[test]
fn a_record_of_a_folder_that_the_rules_play_otherwise_keeps_the_difference_and_is_wrong() {
    let folder = original();
    change(folder.path(), "Phase 2 - Round 7/B/state.json", r#""Energy":14"#, r#""Energy":15"#);
    let difference = complaint(&folder, |_| ());
    let path = folder.path().join("imported.jsonl");
    fs::write(&path, import_different(folder.path(), difference.clone()).unwrap()).unwrap();
    let Err(ArenaError::Record { source, .. }) = verify(&open(&path).unwrap()) else { panic!("it verifies") };
    assert_eq!(source.to_string(), format!("the folder that it was made from does not follow the rules: {difference}"));
}

/// The fault of a folder after this was done to it.
fn complaint(folder: &TempDir, wrong: impl FnOnce(&Path)) -> String {
    wrong(folder.path());
    match open(folder.path()).and_then(|opened| verify(&opened)) {
        Err(ArenaError::Record { source, .. }) => source.to_string(),
        other => panic!("{other:?}"),
    }
}

fn change(folder: &Path, file: &str, from: &str, to: &str) {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn a_changed_file_is_told_with_round_file_and_field() {
    for folder in [played, original] {
        let state = "Phase 2 - Round 7/B/state.json";
        let found = complaint(&folder(), |folder| change(folder, state, r#""Energy":14"#, r#""Energy":15"#));
        assert_eq!(found, format!("{state}: PlayerMap.Owner.Energy: 15 in the file, 14 by the rules"));
        let info = "Phase 2 - Round 9/roundInfo.json";
        let found = complaint(&folder(), |folder| change(folder, info, r#""Round":9"#, r#""Round":8"#));
        assert_eq!(found, format!("{info}: Round: 8 in the file, 9 by the rules"));
        let command = "Phase 2 - Round 9/roundCommand.json";
        let found = complaint(&folder(), |folder| change(folder, command, r#""0, 1""#, r#""1, 1""#));
        assert_eq!(found, format!(r#"{command}: Player1Move.CenterPoint: "1, 1" in the file, "0, 1" by the rules"#));
        let map = "Phase 2 - Round 4/A/map.txt";
        let found = complaint(&folder(), |folder| change(folder, map, "Shots: 3", "Shots: 4"));
        assert_eq!(found, format!(r#"{map}: line 30: "Shots: 4" in the file, "Shots: 3" by the rules"#));
        let found = complaint(&folder(), |folder| fs::remove_file(folder.join(state)).unwrap());
        assert_eq!(found, format!("{state}: it is missing"));
        let found = complaint(&folder(), |folder| {
            fs::create_dir(folder.join("Phase 2 - Round 90")).unwrap();
            fs::write(folder.join("Phase 2 - Round 90/state.json"), "{}").unwrap();
        });
        assert!(found.starts_with("Phase 2 - Round 90/state.json: it is there, but"), "{found}");
    }
}

#[test]
fn a_changed_answer_in_a_folder_shows_in_the_next_round() {
    let command = "Phase 2 - Round 7/A/command.txt";
    let found = complaint(&original(), |folder| change(folder, command, "1,6,0", "1,6,6"));
    assert!(found.starts_with("Phase 2 - Round 8/A - map.txt: line "), "{found}");
    // With the record, the answer itself is known.
    let found = complaint(&played(), |folder| change(folder, command, "1,6,0", "1,6,6"));
    assert_eq!(found, format!(r#"{command}: line 1: "1,6,6" in the file, "1,6,0" by the rules"#));
}

#[test]
fn a_folder_that_just_ends_is_unfinished_and_one_that_ends_with_a_removal_is_the_originals() {
    let removal = "Phase 2 - Round 21";
    let crashed = crashed();
    let verified = verify(&open(crashed.path()).unwrap()).unwrap();
    assert_eq!((verified.outcome, verified.turns), (None, 21));

    // Ours goes on after a removal: if it ends there, it was stopped.
    let found = complaint(&played(), |folder| {
        let record = folder.join(MATCH_JSONL);
        let lines = fs::read_to_string(&record).unwrap();
        fs::write(record, lines.split_inclusive('\n').take(22).collect::<String>()).unwrap();
        fs::remove_dir_all(folder.join("Phase 2 - Round 22")).unwrap();
        fs::remove_file(folder.join(removal).join("engine.log")).unwrap();
    });
    assert!(found.starts_with("there is no outcome: the match was stopped after 21 rounds"), "{found}");

    let found = complaint(&original(), |folder| {
        for round in 15..=22 {
            fs::remove_dir_all(folder.join(format!("Phase 2 - Round {round}"))).unwrap();
        }
    });
    assert!(found.starts_with("there is no outcome: the match was stopped after 15 rounds"), "{found}");
}

/// A change that a bot makes to a file.
type Wrong = fn(&Path);

#[test]
fn what_bots_put_in_the_place_of_files_is_told_and_stops_nobody() {
    let state = "Phase 2 - Round 7/B/state.json";
    let wrongs: [(Wrong, &str); 4] = [
        (|path| rustix::fs::mknodat(rustix::fs::CWD, path, FileType::Fifo, Mode::RUSR, 0).unwrap(), "it is a pipe"),
        (|path| symlink("/dev/zero", path).unwrap(), "it is a symbolic link"),
        (|path| fs::create_dir(path).unwrap(), "it is a folder"),
        (|path| fs::File::create(path).unwrap().set_len(5 << 20).unwrap(), "it is larger than 4096 KiB"),
    ];
    for (wrong, what) in wrongs {
        let found = complaint(&played(), |folder| {
            fs::remove_file(folder.join(state)).unwrap();
            wrong(&folder.join(state));
        });
        assert_eq!(found, format!("{state}: {what}"));
    }
    // An answer that was none, as the engine found it.
    for (wrong, what) in wrongs {
        let folder = original();
        let command = folder.path().join("Phase 2 - Round 7/B/command.txt");
        wrong(&command);
        let opened = open(folder.path()).unwrap();
        assert!(opened.record.text().contains(&format!("command.txt {}", what[3..].replace("4096", "64"))), "{what}");
        verify(&opened).unwrap();
    }
}

/// Fails in round 7 with something that is too strange to be kept.
struct Strange;

impl Player<Entelect2017> for Strange {
    fn decide(&mut self, ask: &Ask<'_, Entelect2017>) -> Result<Reply<Order>, ArenaError> {
        if ask.turn == 7 {
            let fault = Fault::unreadable("command.txt is larger than 64 KiB");
            return Ok(Reply { answer: Err(fault), given: Vec::new(), time: None, run: None, notes: None });
        }
        player(row_by_row).decide(ask)
    }
}

#[test]
fn answers_that_were_too_strange_to_be_kept_and_files_of_bots_are_no_differences() {
    let folder = tempdir().unwrap();
    play(MapSize::Small, [player(row_by_row), Box::new(Strange)], Sequence::InTurn, folder.path(), None).unwrap();
    let round = folder.path().join("Phase 2 - Round 7");
    fs::write(round.join("B/command.txt"), "x".repeat(70_000)).unwrap();
    for file in ["A/B - map.txt", "A/roundInfo.json", "A/notes", "notes.json"] {
        fs::write(round.join(file), "mine").unwrap();
    }
    verify(&open(folder.path()).unwrap()).unwrap();
    let more = "Phase 2 - Round 8/B/command.txt";
    let found = complaint(&folder, |folder| fs::write(folder.join(more), "1,2,3").unwrap());
    assert_eq!(found, format!(r#"{more}: line 1: "1,2,3" in the file, "1,6,0" by the rules"#));
}

#[test]
fn a_round_that_is_missing_or_there_twice_is_told() {
    let found = complaint(&played(), |folder| fs::remove_dir_all(folder.join("Phase 1 - Round 0")).unwrap());
    assert_eq!(found, "Phase 1 - Round 0/A - map.txt: it is missing");
    let found = complaint(&original(), |folder| fs::remove_dir_all(folder.join("Phase 1 - Round 0")).unwrap());
    assert!(found.contains("neither match.jsonl nor"), "{found}");
    let found = complaint(&original(), |folder| fs::create_dir(folder.join("Phase 1 - Round 3")).unwrap());
    assert!(found.contains("as well"), "{found}");
    let folder = original();
    fs::create_dir(folder.path().join("Phase 2 - Round 03")).unwrap();
    verify(&open(folder.path()).unwrap()).unwrap();
}

#[test]
fn folders_that_are_no_matches_are_told() {
    let found = complaint(&tempdir().unwrap(), |_| ());
    assert!(found.contains("neither match.jsonl nor the folder 'Phase 1 - Round 0'"), "{found}");
    let info = "Phase 1 - Round 0/roundInfo.json";
    let found = complaint(&original(), |folder| change(folder, info, r#""MapSize":7"#, r#""MapSize":8"#));
    assert_eq!(found, format!("{info}: MapSize: there is no map of 8 cells"));
    let found = complaint(&original(), |folder| fs::write(folder.join(info), "[]").unwrap());
    assert!(found.starts_with(&format!("{info}: it is not a roundInfo.json")), "{found}");
}

#[test]
fn names_in_a_record_are_those_of_the_players() {
    let folder = played();
    let names = open(folder.path()).unwrap().record.names();
    assert_eq!(names, ["Alpha", "Bravo"].map(str::to_owned).into_iter().collect());
}
