//! Notes of bots in records, folders and histories.

use crate::records::Written;
use crate::schemas::{assert_fits, schema};
use crate::scripted::{Scripted, header, play, play_watched, player, read, row_by_row};
use arena::folder::MatchFolder;
use arena::record::{Clock, MATCH_JSONL, Record, RecordBuffer, show};
use arena::{Ask, NOTES_JSON, Notes, Observers, Player, Sequence};
use match_folder::{expand, open, verify};
use rules::entelect_2017::files::{COMMAND_TXT, PLACE_TXT};
use rules::entelect_2017::{Entelect2017, MapSize, Phase};
use rules::{Eye, Part, Seat};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tempfile::tempdir;

/// The notes of a seat on a turn.
fn json(seat: Seat, turn: u32) -> String {
    format!("{{\"text\": \"secret of {seat} in {turn}\",\n\t\"numbers\": [[0, {turn}]]}}\n")
}

/// Plays row by row, and leaves notes in every second turn.
fn noting() -> Box<dyn Player<Entelect2017>> {
    Box::new(Scripted(|ask: &Ask<'_, Entelect2017>| {
        let name = if ask.view().phase == Phase::One { PLACE_TXT } else { COMMAND_TXT };
        let mut reply = read(ask, vec![Part { name, bytes: row_by_row(&ask.view()).into_bytes() }]);
        let notes = Notes::read(json(ask.seat, ask.turn).as_bytes()).unwrap();
        let output = if ask.turn == 4 { vec!["a line".to_owned()] } else { Vec::new() };
        reply.notes = Notes::with_output(ask.turn.is_multiple_of(2).then_some(notes), output).map(Box::new);
        reply
    }))
}

fn texts<'a>(notes: &[(Seat, &'a Notes)]) -> Vec<(Seat, &'a str)> {
    notes.iter().map(|(seat, notes)| (*seat, notes.text())).collect()
}

#[test]
fn notes_are_in_the_record_and_shown_after_their_turn_to_their_own_seat_and_the_referee_only() {
    let folder = tempdir().unwrap();
    play(MapSize::Small, [noting(), player(row_by_row)], Sequence::InTurn, folder.path(), None).unwrap();
    let opened = open(folder.path()).unwrap();
    assert!(verify(&opened).unwrap().outcome.is_some());
    assert_fits(&schema("record.schema.json"), &fs::read_to_string(folder.path().join(MATCH_JSONL)).unwrap());
    let shown = show(&opened.record).unwrap();
    assert!(shown.failure.is_none());
    let history = shown.history;
    for at in 0..history.scenes() {
        let text = at.checked_sub(1).filter(|turn| turn % 2 == 0).map(|turn| format!("secret of A in {turn}"));
        let expected: Vec<_> = text.iter().map(|text| (Seat::A, text.as_str())).collect();
        assert_eq!(texts(&history.notes(at, Eye::Referee)), expected, "scene {at}");
        assert_eq!(texts(&history.notes(at, Eye::Seat(Seat::A))), expected, "scene {at}");
        assert!(history.notes(at, Eye::Seat(Seat::B)).is_empty() && history.notes(at, Eye::Everyone).is_empty());
    }
    assert_eq!(history.notes(5, Eye::Referee)[0].1.output(), ["a line"]);
}

#[test]
fn a_record_with_notes_becomes_the_folder_with_the_same_notes() {
    let folder = tempdir().unwrap();
    play(MapSize::Small, [noting(), player(row_by_row)], Sequence::InTurn, folder.path(), None).unwrap();
    let record = open(folder.path()).unwrap().record;
    let again = tempdir().unwrap();
    expand(&record, || MatchFolder::create(again.path())).unwrap();
    let file = |folder: &Path, round: u32, seat| {
        fs::read_to_string(folder.join(format!("Phase 2 - Round {round}/{seat}/{NOTES_JSON}"))).ok()
    };
    for round in 1..10 {
        let written = (round % 2 == 0).then(|| json(Seat::A, round));
        assert_eq!(file(again.path(), round, Seat::A), written);
        assert_eq!((file(folder.path(), round, Seat::A), file(again.path(), round, Seat::B)), (written, None));
    }
}

#[test]
fn notes_that_a_bot_changes_later_do_not_make_the_folder_wrong() {
    let folder = tempdir().unwrap();
    play(MapSize::Small, [noting(), player(row_by_row)], Sequence::InTurn, folder.path(), None).unwrap();
    fs::write(folder.path().join("Phase 2 - Round 4/A").join(NOTES_JSON), "other").unwrap();
    fs::remove_file(folder.path().join("Phase 2 - Round 6/A").join(NOTES_JSON)).unwrap();
    verify(&open(folder.path()).unwrap()).unwrap();
}

#[test]
fn notes_are_the_same_in_a_record_that_is_made_after_the_match() {
    let (header, clock) = (header(MapSize::Small), Clock::Stopped(Clock::Running.now()));
    let (mut written, mut kept) = (Written::begin(&header, clock), RecordBuffer::begin(&header, clock).unwrap());
    let mut both = Observers::new();
    both.add(&mut written);
    both.add(&mut kept);
    play_watched(MapSize::Small, [noting(), noting()], Sequence::InTurn, &mut both).unwrap();
    drop(both);
    let lines = kept.lines();
    assert_eq!(String::from_utf8(lines.clone()).unwrap(), String::from_utf8(written.lines).unwrap());
    assert!(String::from_utf8(lines).unwrap().contains(r#""notes":"{\"text\": \"secret of B in 0\",\n\t"#));
}

#[test]
fn a_record_without_notes_is_written_as_before_there_were_any() {
    // By an earlier version, and kept in git.
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../replays/entelect-2017.jsonl");
    let kept = fs::read_to_string(&path).unwrap();
    let record = Arc::new(Record::parse(&path, kept.clone().into()).unwrap());
    let clock = record.end().and_then(|end| Clock::stopped_at(end.ended.as_deref()?)).unwrap();
    let mut written = Written::begin(record.header(), clock);
    arena::record::replay_record::<Entelect2017>(&record, &mut written).unwrap();
    assert_eq!(String::from_utf8(written.lines).unwrap(), kept);
    assert!(!kept.contains("\"notes\"") && !kept.contains("\"output\""));
}
