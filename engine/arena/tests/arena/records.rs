//! Records: what is written can be read, played again, and told from what it should not be.

use crate::scripted::{FLEET, Scripted, States, giving, header, idle, play, play_watched, player, row_by_row};
use arena::folder::MatchFolder;
use arena::record::{
    Clock, FolderStore, Header, MATCH_JSONL, MatchFiles, Record, RecordBuffer, RecordError, RecordWriter, show,
};
use arena::{ArenaError, Ask, Interrupt, MatchEvent, Observer, Observers, Player, Reply, Sequence, TimeUsed};
use match_folder::{open, verify};
use rules::entelect_2017::files::{COMMAND_TXT, PLACE_TXT};
use rules::entelect_2017::{Entelect2017, MapSize, Order, Phase, View};
use rules::{Eye, Fault, Game, Listed, Part, Seat};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tempfile::{TempDir, tempdir};

/// A match in a folder, with its record.
pub fn played() -> TempDir {
    let folder = tempdir().unwrap();
    play(MapSize::Small, [player(row_by_row), player(idle)], Sequence::InTurn, folder.path(), None).unwrap();
    folder
}

fn lines(folder: &Path) -> Vec<String> {
    fs::read_to_string(folder.join(MATCH_JSONL)).unwrap().lines().map(str::to_owned).collect()
}

/// The fault of a record of these lines.
fn complaint(lines: &[String]) -> String {
    complaint_about(lines.join("\n") + "\n")
}

fn complaint_about(text: String) -> String {
    let folder = tempdir().unwrap();
    let path = folder.path().join("x.jsonl");
    fs::write(&path, text).unwrap();
    match open(&path).and_then(|opened| verify(&opened)) {
        Err(ArenaError::Record { source, .. }) => source.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_record_says_who_played_what_and_how_it_ended() {
    let folder = played();
    let lines = lines(folder.path());
    let value = |line: &String| serde_json::from_str::<serde_json::Value>(line).unwrap();
    let first = value(&lines[0]);
    assert_eq!((&first["format"], &first["version"]), (&"broadside record".into(), &1.into()));
    assert_eq!((&first["game"], &first["settings"]["size"]), (&"entelect-2017".into(), &"small".into()));
    assert_eq!(first["seats"][1]["details"]["NickName"], "Bravo");
    let second = value(&lines[1]);
    assert_eq!(second["turn"], 0);
    assert_eq!(second["answers"]["A"]["gave"]["place.txt"], FLEET);
    let third = value(&lines[2]);
    assert_eq!(third["answers"]["B"]["fault"]["kind"], "nothing-written");
    let last = value(lines.last().unwrap());
    assert_eq!(last["outcome"]["winner"], "A");
    assert_eq!(last["outcome"]["ending"]["kind"], "killed-off");
    assert_eq!(lines.len() as u64, last["outcome"]["turns"].as_u64().unwrap() + 2);
}

#[test]
fn playing_a_record_again_gives_the_same_states_and_outcome() {
    let mut states = States::default();
    let outcome =
        play_watched(MapSize::Small, [player(row_by_row), player(idle)], Sequence::InTurn, &mut states).unwrap();
    let folder = played();
    let opened = open(folder.path()).unwrap();
    let verified = verify(&opened).unwrap();
    assert_eq!((verified.outcome, verified.turns), (Some(outcome.clone()), outcome.turns));
    let shown = show(&opened.record).unwrap();
    assert!(shown.failure.is_none());
    assert_eq!(shown.history.scenes(), states.0.len() + 1);
    for (at, state) in states.0.iter().enumerate() {
        assert_eq!(shown.history.scene(at + 1, Eye::Referee), state.scene(Eye::Referee), "after turn {at}");
    }
    assert_eq!(shown.history.outcome(), Some(&outcome));
}

#[test]
fn one_changed_answer_is_found_in_its_line() {
    let folder = played();
    let mut lines = lines(folder.path());
    assert!(lines[6].contains(r#""command.txt":"1,4,0""#), "{}", lines[6]);
    lines[6] = lines[6].replace("1,4,0", "1,4,1");
    assert_eq!(complaint(&lines), "line 7: round 5 was changed: its checksum is wrong");
}

#[test]
fn one_dropped_line_is_missed_wherever_it_was() {
    let folder = played();
    let lines = lines(folder.path());
    for at in 0..lines.len() {
        let mut fewer = lines.clone();
        fewer.remove(at);
        let found = complaint(&fewer);
        let last = lines.len() - 1;
        if at == 0 {
            assert!(found.starts_with("this is not a record of a match: its first line"), "{found}");
        } else if at == last {
            let turns = last - 1;
            assert!(
                found.starts_with(&format!("there is no outcome: the match was stopped after {turns} rounds")),
                "{found}"
            );
        } else if at == last - 1 {
            assert!(
                found.starts_with(&format!("line {last}: the outcome was changed, or what was before it")),
                "{found}"
            );
        } else {
            let missing = at - 1;
            assert_eq!(found, format!("line {}: round {missing} is missing; this is round {at}", at + 1));
        }
    }
}

#[test]
fn swapped_and_repeated_rounds_are_told() {
    let folder = played();
    let lines = lines(folder.path());
    let mut swapped = lines.clone();
    swapped.swap(8, 9);
    assert_eq!(complaint(&swapped), "line 9: round 7 is missing; this is round 8");
    let mut repeated = lines.clone();
    repeated.insert(9, lines[8].clone());
    assert_eq!(complaint(&repeated), "line 10: round 7 is here where round 8 should be");
    let mut more = lines.clone();
    more.push(lines[8].clone());
    assert_eq!(complaint(&more), format!("line {}: there is more after the end of the match", more.len()));
}

#[test]
fn a_record_may_end_anywhere_and_is_still_read() {
    let folder = played();
    let text = fs::read_to_string(folder.path().join(MATCH_JSONL)).unwrap();
    let header = text.find('\n').unwrap();
    for cut in (header + 1..text.len()).step_by(7) {
        let record = Record::parse(Path::new("x"), text[..cut].into()).unwrap();
        let whole = text[..cut].matches('\n').count() - 1;
        // A line may be whole but for its end.
        assert!([whole, whole + 1].contains(&record.len()), "cut at {cut}");
        let shown = show(&Arc::new(record.clone())).unwrap();
        assert_eq!(shown.history.scenes(), record.len() + 1);
        if record.end().is_none() {
            let unfinished = matches!(shown.failure, Some(ArenaError::Record { source: RecordError::Unfinished { turns, .. }, .. }) if turns as usize == record.len());
            assert!(unfinished, "cut at {cut}: {:?}", shown.failure);
        }
    }
}

#[test]
fn line_ends_may_be_those_of_windows() {
    let folder = played();
    let text = fs::read_to_string(folder.path().join(MATCH_JSONL)).unwrap().replace('\n', "\r\n");
    let record = Record::parse(Path::new("x"), text.clone().into()).unwrap();
    assert!(record.end().is_some());
    // An editor may have added a mark.
    let marked = Record::parse(Path::new("x"), format!("\u{feff}{text}").into()).unwrap();
    assert_eq!(marked, record);
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let error = Record::parse(Path::new("x"), wide).unwrap_err().to_string();
    assert!(error.ends_with("this is not a record of a match: it is saved as UTF-16; save it as UTF-8"), "{error}");
}

#[test]
fn a_newer_format_and_other_files_are_told_apart() {
    let folder = played();
    let mut lines = lines(folder.path());
    lines[0] = lines[0].replace(r#""version":1"#, r#""version":2"#);
    assert_eq!(complaint(&lines), "its format is version 2, and this program knows versions up to 1");
    assert_eq!(complaint_about(String::new()), "this is not a record of a match: it is empty");
    for other in ["{}\n", "hello\n", "[1]\n", "{\"format\":\"x\",\"version\":1}\n"] {
        assert!(complaint_about(other.to_owned()).starts_with("this is not a record of a match"), "{other}");
    }
}

#[test]
fn a_damaged_line_is_told_as_such_whatever_is_wrong_with_it() {
    let folder = played();
    let good = lines(folder.path());
    for (from, to) in [(r#""state":"#, r#""statf":"#), (r#"{"A":"#, r#"{"Q":"#), ("nothing-written", "nothing-wriiten")]
    {
        let mut lines = good.clone();
        lines[6] = lines[6].replacen(from, to, 1);
        assert_eq!(complaint(&lines), "line 7: round 5 was changed: its checksum is wrong", "{from}");
    }
    let mut lines = good.clone();
    lines[6] = format!(" {}", lines[6]);
    assert_eq!(complaint(&lines), "line 7: this is neither round 5 nor the outcome");
    lines[6] = format!("{{\"turn\":5,\"x\":\"{}\"}}", "x".repeat(9 << 20));
    assert_eq!(complaint(&lines), "line 7: it is longer than 8 MiB");
    lines[0] = lines[0].replacen(r#""settings":{"#, &format!(r#""settings":{{"x":[{}0],"#, "0,".repeat(5_000_000)), 1);
    assert!(complaint(&lines).starts_with("this is not a record of a match"));
}

#[test]
fn compressed_records_are_read_by_what_is_in_them() {
    let folder = played();
    let path = folder.path().join(MATCH_JSONL);
    let plain = Record::read(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    let packed = folder.path().join("x.jsonl.zst");
    arena::record::save(&packed, &bytes).unwrap();
    let unpacked = Record::read(&packed).unwrap();
    assert_eq!((unpacked.header(), unpacked.len(), unpacked.end()), (plain.header(), plain.len(), plain.end()));
    let small = fs::read(&packed).unwrap();
    assert!(small.len() * 3 < bytes.len(), "{} of {}", small.len(), bytes.len());
    let mut longer = small.clone();
    longer.extend(b"garbage");
    fs::write(&packed, longer).unwrap();
    assert!(Record::read(&packed).is_err(), "there is more than the record");
    for bit in 0..small.len() * 8 {
        let mut flipped = small.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&packed, flipped).unwrap();
        if let Ok(record) = Record::read(&packed) {
            // Only a bit on which nothing of the record depends may be another.
            assert!(record.end().is_none() || record.text().as_bytes() == bytes, "bit {bit}");
        }
    }
    // Whatever is lost at its end.
    for cut in 0..small.len() {
        fs::write(&packed, &small[..cut]).unwrap();
        if let Ok(record) = Record::read(&packed) {
            assert!(record.len() <= plain.len());
        }
    }
}

#[test]
fn answers_are_kept_exactly_as_they_were_given() {
    let strange: [&[u8]; 5] =
        [b"1,0,\xFF0", b"\xEF\xBB\xBF1,1,0", b"\xFF\xFE1\x00,\x002\x00,\x000\x00", b"1,3,0\r\n", b"\x00"];
    let folder = tempdir().unwrap();
    let mut round = 0;
    let strange = giving(move |view: &View| {
        round += 1;
        if view.phase == Phase::One { FLEET.as_bytes().to_vec() } else { strange[round % strange.len()].to_vec() }
    });
    play(MapSize::Small, [strange, player(row_by_row)], Sequence::InTurn, folder.path(), None).unwrap();
    let opened = open(folder.path()).unwrap();
    verify(&opened).unwrap();
    let text = fs::read_to_string(folder.path().join(MATCH_JSONL)).unwrap();
    assert!(
        text.contains(r#"{"base64":"MSww"#) && text.contains(r#""1,3,0\r\n""#) && text.contains(r#"{"base64":"AA=="}"#)
    );
}

#[test]
fn what_is_done_to_the_record_during_the_match_is_undone() {
    let wrongs: [fn(&PathBuf); 5] = [
        |path| fs::remove_file(path).unwrap(),
        |path| fs::write(path, "{}\n").unwrap(),
        |path| fs::write(path, [fs::read(path).unwrap(), b"more\n".to_vec()].concat()).unwrap(),
        |path| {
            fs::remove_file(path).unwrap();
            symlink("/dev/zero", path).unwrap();
        },
        |path| {
            fs::remove_file(path).unwrap();
            fs::create_dir(path).unwrap();
        },
    ];
    for (number, wrong) in wrongs.into_iter().enumerate() {
        let folder = tempdir().unwrap();
        let path = folder.path().join(MATCH_JSONL);
        let meddling = move |view: &View| {
            if view.round == 5 {
                wrong(&path);
            }
            row_by_row(view)
        };
        play(MapSize::Small, [player(meddling), player(idle)], Sequence::InTurn, folder.path(), None).unwrap();
        verify(&open(&folder.path().join(MATCH_JSONL)).unwrap()).unwrap_or_else(|e| panic!("{number}: {e}"));
    }
}

#[test]
fn a_record_is_on_the_disk_line_by_line_while_the_match_goes_on() {
    let folder = tempdir().unwrap();
    let path = folder.path().join(MATCH_JSONL);
    let looking = move |view: &View| {
        // The header, and the rounds before this one.
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), view.round as usize + 1);
        row_by_row(view)
    };
    let place = MatchFolder::create(folder.path()).unwrap();
    let mut archive = MatchFiles::new(Box::new(FolderStore::new(Arc::new(place))), Box::new(()));
    archive.begin_record(&header(MapSize::Small), Clock::Running).unwrap();
    play_watched(MapSize::Small, [player(looking), player(idle)], Sequence::InTurn, &mut archive).unwrap();
    archive.close().unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "there is nothing but the record");
}

#[test]
fn names_of_any_length_make_a_record_that_can_be_read_or_none() {
    let long = |length: usize| "ü\u{1}".repeat(length / 2);
    let changes: [fn(&mut Header, String); 5] = [
        |header, text| header.seats[Seat::A].details.nick_name = Some(text),
        |header, text| header.seats[Seat::B].details.author = Some(text),
        |header, text| header.seats[Seat::B].details.email = Some(text),
        |header, text| header.seats[Seat::B].details.bot_type = text,
        |header, text| header.settings["note"] = text.into(),
    ];
    for change in changes {
        let mut header = header(MapSize::Small);
        change(&mut header, long(70_000));
        let lines = RecordBuffer::<Entelect2017>::begin(&header, Clock::Stopped(None)).unwrap().lines();
        assert_eq!(Record::parse(Path::new("x"), lines).unwrap().header(), &header);
        change(&mut header, long(2_200_000));
        let refused = RecordBuffer::<Entelect2017>::begin(&header, Clock::Stopped(None)).unwrap_err();
        let is_too_long = |bytes| bytes > 8 << 20;
        assert!(
            matches!(refused, ArenaError::Record { source: RecordError::HeaderTooLong { bytes, .. }, .. } if is_too_long(bytes))
        );
    }
}

/// The record of a match, written turn by turn.
pub struct Written {
    writer: RecordWriter,
    pub lines: Vec<u8>,
}

impl Written {
    pub fn begin(header: &Header, clock: Clock) -> Written {
        let (writer, lines) = RecordWriter::begin(header, clock).unwrap();
        Written { writer, lines }
    }
}

impl<G: Game> Observer<G> for Written {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        self.lines.extend(self.writer.write(event));
        Ok(())
    }
}

/// Answers in all ways that differ in a record: with and without times, faults, files and text.
fn varied(ask: &Ask<'_, Entelect2017>) -> Reply<Order> {
    let ms = |ms| Duration::from_micros(ms * 1000 + 987);
    let (wall, cpu) = (ms(u64::from(ask.turn)), Some(ms(1)));
    let given = |name, bytes: &[u8]| vec![Part { name, bytes: bytes.to_vec() }];
    if ask.turn == 0 {
        let time = Some(TimeUsed { wall, cpu });
        return Reply { time, ..crate::scripted::read(ask, given(PLACE_TXT, FLEET.as_bytes())) };
    }
    let shot = Entelect2017::write(&Order::Fire {
        weapon: rules::entelect_2017::Weapon::SingleShot,
        centre: ask.view().own.shield.centre,
    });
    let (answer, given, time) = match ask.turn % 9 {
        1 => (Err(Fault::NothingWritten), Vec::new(), None),
        2 => (Err(Fault::timed_out(ms(2100), ms(2000))), shot, Some(TimeUsed { wall, cpu: None })),
        3 => (Err(Fault::crashed("it ended with exit status 1")), given(COMMAND_TXT, b"1,"), None),
        4 => (Err(Fault::unreadable_text("command.txt: no number", "\"x\"")), given(COMMAND_TXT, b"x\x00\xFF"), None),
        5 => (Err(Fault::unreachable("nobody")), Vec::new(), Some(TimeUsed { wall, cpu })),
        6 => (Ok(Order::DoNothing), [given(PLACE_TXT, b""), given(COMMAND_TXT, b"0,0,0")].concat(), None),
        _ => (ask.read(&shot), shot, Some(TimeUsed { wall, cpu })),
    };
    Reply { answer, given, time, run: None, notes: None }
}

fn varied_player() -> Box<dyn Player<Entelect2017>> {
    Box::new(Scripted(varied))
}

#[test]
fn a_record_that_is_made_after_the_match_is_the_one_that_is_written_turn_by_turn() {
    let clock = Clock::Stopped(Clock::Running.now());
    let header = header(MapSize::Small);
    for (players, turns) in [
        ([varied_player(), player(row_by_row)], 30),
        ([varied_player(), varied_player()], 30),
        ([giving(|_| b"\xFF".to_vec()), varied_player()], 6),
    ] {
        let (mut written, mut kept) = (Written::begin(&header, clock), RecordBuffer::begin(&header, clock).unwrap());
        let mut both = Observers::new();
        both.add(&mut written);
        both.add(&mut kept);
        let outcome = play_watched(MapSize::Small, players, Sequence::InTurn, &mut both).unwrap();
        drop(both);
        let lines = String::from_utf8(kept.lines()).unwrap();
        assert_eq!(lines, String::from_utf8(written.lines).unwrap());
        assert_eq!(Record::parse(Path::new("x"), lines.into()).unwrap().len(), outcome.turns as usize);
        assert!(outcome.turns >= turns, "{outcome:?}");
    }
}

/// Raises an interrupt when the players have answered in this turn.
struct Raising(u32, Interrupt);

impl<G: Game> Observer<G> for Raising {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        if matches!(event, MatchEvent::Answered { turn, .. } if *turn == self.0) {
            self.1.raise();
        }
        Ok(())
    }
}

#[test]
fn the_record_of_a_match_that_was_stopped_has_the_turns_that_were_played() {
    let (header, clock) = (header(MapSize::Small), Clock::Stopped(None));
    for turn in [0, 7] {
        let mut interrupt = Interrupt::new().unwrap();
        let mut raising = Raising(turn, interrupt.clone());
        let (mut written, mut kept) = (Written::begin(&header, clock), RecordBuffer::begin(&header, clock).unwrap());
        let mut all = Observers::new();
        all.add(&mut written);
        all.add(&mut kept);
        all.add(&mut raising);
        all.add(&mut interrupt);
        let played = play_watched(MapSize::Small, [varied_player(), varied_player()], Sequence::InTurn, &mut all);
        assert!(matches!(played, Err(ArenaError::Interrupted)));
        drop(all);
        let lines = kept.lines();
        assert_eq!(lines, written.lines);
        assert_eq!(Record::parse(Path::new("x"), lines).unwrap().len(), turn as usize);
    }
}

#[test]
fn the_end_in_a_record_is_the_end_of_the_match_and_not_the_time_of_writing() {
    let header = header(MapSize::Small);
    let mut kept = RecordBuffer::begin(&header, Clock::Running).unwrap();
    let before = Clock::Running.now();
    play_watched(MapSize::Small, [player(row_by_row), player(idle)], Sequence::InTurn, &mut kept).unwrap();
    let after = Clock::Running.now();
    while Clock::Running.stamp() == Clock::Stopped(after).stamp() {
        std::hint::spin_loop();
    }
    let record = Record::parse(Path::new("x"), kept.lines()).unwrap();
    let ended = record.end().unwrap().ended.clone();
    assert!(Clock::Stopped(before).stamp() <= ended && ended <= Clock::Stopped(after).stamp(), "{ended:?}");
}
