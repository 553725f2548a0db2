//! FIFOs in the place of files: refused where nobody named them, read without waiting to open where somebody did.

use crate::table::{broadside, signalled};
use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Reads what is not a file, with a limit of half a minute: the attack is a FIFO that nothing is written to.
#[test]
fn a_fifo_in_place_of_a_journal_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let made = |name: &str| {
        let path = folder.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    };
    let refused = |command: &str, path: &std::path::Path| {
        let mut program = broadside();
        let output = program.arg(command).arg(path).timeout(Duration::from_secs(120)).output().unwrap();
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(!output.status.success() && text.contains("FIFO"), "{command}: {text}");
    };
    made("games.jsonl");
    for command in ["standings", "sprt"] {
        refused(command, folder.path());
    }
}

/// A FIFO that the user names may get its text later. To open it in the usual way would wait without end, and leave no
/// open file.
#[test]
fn a_fifo_that_is_named_is_opened_before_anybody_writes() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("named.jsonl");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    for command in ["standings", "verify", "replay"] {
        let mut program = signalled();
        let mut reader = program.arg(command).arg(&fifo).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let open_files = format!("/proc/{}/fd", reader.id());
        let is_open = || {
            let files = fs::read_dir(&open_files).unwrap().flatten();
            files.filter_map(|file| fs::read_link(file.path()).ok()).any(|path| path == fifo)
        };
        let begun = Instant::now();
        while !is_open() {
            assert_eq!(reader.try_wait().unwrap(), None, "{command} ended");
            assert!(begun.elapsed() < Duration::from_secs(120), "{command} waits for somebody to write");
            test_tools::pause();
        }
        fs::write(&fifo, "not a line of ours\n").unwrap();
        let output = reader.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(!output.status.success() && told.contains("named.jsonl"), "{command}: {told}");
    }
}
