//! Journals: cut off, continued, locked, and files that are something else.

use arena::folder::MatchFolder;
use arena::{ArenaError, Journal, JournalError, JournalFormat, JournalHeader};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use tempfile::TempDir;

const FORMAT: JournalFormat = JournalFormat {
    title: "journal of a test",
    header: Some(JournalHeader { line: "test", format: "broadside test", version: 2 }),
    private: true,
};
/// The longest line, in bytes.
const MOST: usize = 1 << 20;
const FIRST: &str = r#"{"line":"test","format":"broadside test","version":2}"#;

/// A journal with this in it, and its folder.
fn holding(text: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("folder/journal");
    fs::create_dir(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    (folder, path)
}

/// Opens a journal, and gives its lines.
fn resumed(path: &Path) -> Result<(Journal, Vec<serde_json::Value>), ArenaError> {
    let mut lines = Vec::new();
    let mut journal = Journal::open(path, FORMAT)?;
    journal.resume(|line, _| {
        lines.push(line);
        Ok(())
    })?;
    Ok((journal, lines))
}

fn source(error: ArenaError) -> JournalError {
    let ArenaError::Journal { source, .. } = error else { panic!("{error}") };
    source
}

#[test]
fn a_journal_that_was_cut_off_anywhere_keeps_its_whole_lines_and_goes_on() {
    let text = format!("{FIRST}\n{{\"Jörg\":1}}\n[2]\n");
    let (_folder, path) = holding(b"");
    for cut in 0..text.len() {
        fs::write(&path, &text.as_bytes()[..cut]).unwrap();
        let whole = text.as_bytes()[..cut].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let (mut journal, lines) = resumed(&path).unwrap();
        assert_eq!((journal.length(), journal.cut_off()), (whole as u64, (cut - whole) as u64), "cut at {cut}");
        for rest in text.lines().skip(lines.len()) {
            journal.append_bytes(format!("{rest}\n").as_bytes()).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "cut at {cut}");
    }
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_journal_of_a_raised_version_goes_on_and_is_refused_by_older_programs() {
    let old = FIRST.replace(":2}", ":1}");
    let (_folder, path) = holding(format!("{old}\n[1]\n").as_bytes());
    let (mut journal, _) = resumed(&path).unwrap();
    for _ in 0..2 {
        journal.raise_version(2).unwrap();
    }
    journal.append_durably(&[2]).unwrap();
    journal.raise_version(1).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{FIRST}\n[1]\n[2]\n"));
    drop(journal);
    assert_eq!(resumed(&path).unwrap().1.len(), 3);
    let older = JournalFormat { header: FORMAT.header.map(|header| JournalHeader { version: 1, ..header }), ..FORMAT };
    let refused = Journal::open(&path, older).unwrap().resume(|_: serde_json::Value, _| Ok(())).unwrap_err();
    assert_eq!(source(refused), JournalError::Newer { version: 2, known: 1 });
    let (_folder, path) = holding(b"[1]\n[2]\n");
    assert!(Journal::open(&path, FORMAT).unwrap().raise_version(2).is_err());
}

#[test]
fn a_journal_that_an_editor_has_saved_is_read_and_goes_on() {
    let text = format!("\u{feff}{}\r\n[1]\r\n", FIRST.replace(":2}", ":1}"));
    let (_folder, path) = holding(format!("{text}[2").as_bytes());
    let (mut journal, lines) = resumed(&path).unwrap();
    assert_eq!((journal.length(), lines.len()), (text.len() as u64, 2));
    journal.raise_version(2).unwrap();
    journal.append(&[3]).unwrap();
    drop(journal);
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{}[3]\n", text.replace(":1}", ":2}")));
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let (_folder, path) = holding(&wide);
    let error = source(resumed(&path).unwrap_err());
    assert_eq!(error, JournalError::Line(1, "it is saved as UTF-16; save it as UTF-8".to_owned()));
    assert_eq!(fs::read(&path).unwrap(), wide);
}

#[test]
fn what_cannot_be_used_is_told_and_not_touched() {
    let other = FIRST.replace("broadside test", "broadside arena");
    let newer = FIRST.replace(":2}", ":3}");
    let cases: [(&str, JournalError); 7] = [
        ("hello", JournalError::Foreign("journal of a test")),
        ("hello\n", JournalError::Foreign("journal of a test")),
        (&format!("{other}\n"), JournalError::Foreign("journal of a test")),
        (&format!("{newer}\n"), JournalError::Newer { version: 3, known: 2 }),
        (&format!("{FIRST}\n{}", " ".repeat(MOST)), {
            JournalError::Line(2, "it is longer than 1048576 bytes".to_owned())
        }),
        (&format!("{FIRST}\n[]\n}}\n"), { JournalError::Line(3, "expected value at line 1 column 1".to_owned()) }),
        (&format!("{FIRST}\n[]\n\n"), { JournalError::Line(3, "it is blank: remove it".to_owned()) }),
    ];
    for (text, error) in cases {
        let (_folder, path) = holding(text.as_bytes());
        assert_eq!(source(resumed(&path).unwrap_err()), error);
        let ignored = |_: serde_json::Value, _| Ok(());
        assert_eq!(source(Journal::read(&path, FORMAT, ignored).unwrap_err()), error);
        assert_eq!(fs::read(&path).unwrap(), text.as_bytes());
    }
}

#[test]
fn one_program_writes_at_a_time_and_others_read() {
    let (_folder, path) = holding(format!("{FIRST}\n[1]\n[").as_bytes());
    let mut lines = 0;
    let mut count = |_: serde_json::Value, _| {
        lines += 1;
        Ok(())
    };
    let _open = Journal::open(&path, FORMAT).unwrap();
    let other = path.with_file_name("other.jsonl");
    for path in [&path, &other] {
        let JournalError::Locked(holder) = source(resumed(path).unwrap_err()) else { panic!() };
        assert!(holder.contains(&format!("(process {}, since 20", std::process::id())), "{holder}");
    }
    Journal::read(&path, FORMAT, &mut count).unwrap();
    assert_eq!(lines, 2);
    // Somebody removes the lock file.
    std::fs::remove_file(path.with_file_name(".broadside-lock")).unwrap();
    let JournalError::Locked(holder) = source(resumed(&path).unwrap_err()) else { panic!() };
    assert_eq!(holder, "another program");
}

#[test]
fn lines_that_could_not_be_read_are_not_written() {
    let (_folder, path) = holding(b"");
    let (mut journal, _) = resumed(&path).unwrap();
    let error = journal.append_durably(&"x".repeat(MOST)).unwrap_err();
    assert_eq!(source(error), JournalError::TooLong { bytes: MOST + 3, most: MOST });
    assert_eq!(journal.length(), 0);
}

#[test]
fn a_file_is_continued_after_the_lines_that_it_should_have() {
    for present in ["", "on", "one\n", "one\ntw", "one\nother\nlines\n"] {
        let (_folder, path) = holding(present.as_bytes());
        let mut journal = Journal::open(&path, FORMAT).unwrap();
        journal.resume_after(b"one\ntwo\n").unwrap();
        journal.append_bytes(b"three\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\nthree\n", "{present:?}");
    }
}

/// A process that is being started has copies of all descriptors until it runs its program.
#[test]
fn what_was_closed_can_be_opened_while_processes_are_started() {
    let (folder, path) = holding(b"");
    let match_folder = folder.path().join("match");
    fs::create_dir(&match_folder).unwrap();
    let (stop, starting) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let starting = starting;
            while starting.try_recv() == Err(mpsc::TryRecvError::Empty) {
                assert!(Command::new("true").status().unwrap().success());
            }
        });
        for _ in 0..3000 {
            drop(resumed(&path).unwrap());
            drop(MatchFolder::open(&match_folder).unwrap());
        }
        drop(stop);
    });
}

#[test]
fn a_journal_that_is_a_link_is_refused_and_its_target_stays() {
    let (folder, path) = holding(b"");
    let target = folder.path().join("notes");
    fs::write(&target, "my notes, without an end").unwrap();
    for private in [true, false] {
        fs::remove_file(&path).unwrap();
        symlink(&target, &path).unwrap();
        let error = Journal::open(&path, JournalFormat { private, ..FORMAT }).unwrap_err();
        let why = std::error::Error::source(&error).unwrap().to_string();
        assert!(why.starts_with("it is a link, not a regular file"), "{why}");
        assert_eq!(fs::read_to_string(&target).unwrap(), "my notes, without an end");
    }
    // Nor is a file made where a link leads to.
    fs::remove_file(&target).unwrap();
    assert!(Journal::open(&path, FORMAT).is_err() && !target.exists());
}
