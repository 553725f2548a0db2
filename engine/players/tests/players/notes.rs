//! Notes beside an answer: kept where they are good, and never a fault where they are bad.

use crate::table::Table;
use arena::{NOTES_JSON, NotesLevel};
use rules::entelect_2017::Order;
use std::fs;

/// A bot that places its fleet and does this.
fn placing(step: &str) -> Table {
    Table::new(&format!("place\n{step}"))
}

const GOOD: &str = r#"write notes.json {"text":"hunting","numbers":[[0.5]]}"#;

#[test]
fn notes_are_taken_exactly_as_the_bot_wrote_them() {
    let table = placing(GOOD);
    let reply = table.ask();
    assert!(matches!(reply.answer, Ok(Order::Place(_))) && reply.given.len() == 1);
    let notes = reply.notes.unwrap();
    assert_eq!((notes.text(), notes.source()), ("hunting", r#"{"text":"hunting","numbers":[[0.5]]}"#));
    assert!(notes.output().is_empty() && reply.run.unwrap().bad_notes.is_none());
    assert!(table.round_folder().join(NOTES_JSON).is_file(), "the bot's own file stays");
}

#[test]
fn a_late_or_useless_turn_keeps_its_notes_because_they_help_its_author() {
    let reply = Table::new(GOOD).ask();
    assert!(reply.answer.is_err() && reply.notes.is_some());
    let reply = Table::hurried(&format!("{GOOD}\nplace\nhang")).ask();
    assert!(reply.answer.is_err() && reply.notes.is_some());
}

#[test]
fn a_bot_without_notes_leaves_no_trace_of_them() {
    let reply = placing("say a word").ask();
    assert!(reply.notes.is_none() && reply.run.unwrap().bad_notes.is_none());
}

#[test]
fn notes_from_before_the_turn_are_not_those_of_the_turn() {
    let table = placing("");
    fs::create_dir_all(table.round_folder()).unwrap();
    fs::write(table.round_folder().join(NOTES_JSON), "{}").unwrap();
    assert!(table.ask().notes.is_none());
    assert!(!table.round_folder().join(NOTES_JSON).exists());
}

#[test]
fn bad_notes_are_dropped_with_the_reason_and_the_answer_counts() {
    let deep = format!("write notes.json {}", "[".repeat(50_000));
    for (step, why) in [
        ("huge notes.json 1", "is larger than 64 KiB"),
        ("huge notes.json 100000", "is larger than 64 KiB"),
        (deep.as_str(), "is not a JSON object"),
        (r#"write notes.json {"numbers":[[NaN]]}"#, "expected value"),
        (r#"write notes.json {"numbers":[[1e999]]}"#, "out of range"),
        (r"write notes.json \x00\xFF\xFE", "is not UTF-8"),
        ("write notes.json ", "is not a JSON object"),
        ("link notes.json state.json", "is a symbolic link"),
        ("link notes.json /dev/zero", "is a symbolic link"),
        ("link notes.json nowhere", "is a symbolic link"),
        ("fifo notes.json", "is a pipe"),
        ("unix notes.json", "cannot be opened"),
        ("mkdir notes.json", "is a folder"),
    ] {
        for leave_files in [true, false] {
            let table = Table { leave_files, ..placing(step) };
            let reply = table.ask();
            assert!(matches!(reply.answer, Ok(Order::Place(_))), "{step}: {:?}", reply.answer);
            assert!(reply.notes.is_none(), "{step}");
            let bad = reply.run.unwrap().bad_notes.unwrap_or_default();
            assert!(bad.contains(why), "{step:.40}: {bad}");
            let is_left = fs::symlink_metadata(table.round_folder().join(NOTES_JSON)).is_ok();
            assert!(leave_files || !is_left, "{step}: nothing stays in tournament mode");
        }
    }
}

#[test]
fn in_tournament_mode_notes_are_gone_after_the_turn() {
    let table = Table { leave_files: false, ..placing(GOOD) };
    assert_eq!(table.ask().notes.unwrap().text(), "hunting");
    assert!(!table.round_folder().exists(), "nothing else was in the folder");
}

#[test]
fn the_output_is_kept_with_notes_only_if_it_is_asked_for() {
    let chatty = format!("say one\nsay \\x1b[31mtwo\n{GOOD}");
    let output = |notes| {
        let reply = Table { notes, ..placing(&chatty) }.ask();
        reply.notes.map(|notes| (notes.text().to_owned(), notes.output().to_vec()))
    };
    assert_eq!(output(NotesLevel::Off), None);
    assert_eq!(output(NotesLevel::On), Some(("hunting".to_owned(), Vec::new())));
    let lines = vec!["one".to_owned(), "\u{fffd}[31mtwo".to_owned()];
    assert_eq!(output(NotesLevel::WithOutput), Some(("hunting".to_owned(), lines)));
}

#[test]
fn without_notes_the_file_is_one_of_the_bot_s_own() {
    let table = Table { leave_files: false, notes: NotesLevel::Off, ..placing("fifo notes.json") };
    let reply = table.ask();
    assert!(reply.notes.is_none() && reply.run.unwrap().bad_notes.is_none());
    assert!(fs::symlink_metadata(table.round_folder().join(NOTES_JSON)).is_ok());
}
