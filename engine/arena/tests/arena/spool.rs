//! Tournament mode: files stay in a journal until the match is over, and survive the engine.

use crate::scripted::{play, player, row_by_row};
use arena::Sequence;
use arena::folder::{MatchFolder, Spool, restore, restore_spools};
use arena::record::MATCH_JSONL;
use rules::entelect_2017::MapSize;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tempfile::tempdir;
use walkdir::WalkDir;

fn tree(path: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut tree: Vec<_> = WalkDir::new(path)
        .into_iter()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| (entry.path().strip_prefix(path).unwrap().to_owned(), fs::read(entry.path()).unwrap()))
        .filter(|(name, _)| name.extension().is_none_or(|e| e != "log") && !name.ends_with("log.txt"))
        .filter(|(name, _)| name != Path::new(MATCH_JSONL))
        .collect();
    tree.sort();
    tree
}

#[test]
fn nothing_is_in_the_folder_before_the_end_and_all_is_in_it_then() {
    let (plain, tournament, state) = (tempdir().unwrap(), tempdir().unwrap(), tempdir().unwrap());
    play(MapSize::Small, [player(row_by_row), player(row_by_row)], Sequence::InTurn, plain.path(), None).unwrap();

    let seen = Arc::new(Mutex::new(Vec::new()));
    let (spy, path) = (Arc::clone(&seen), tournament.path().to_owned());
    let looking = move |view: &rules::entelect_2017::View| {
        spy.lock().unwrap().extend(tree(&path));
        row_by_row(view)
    };
    let journal = Spool::create(&state.path().join("x.journal"), tournament.path()).unwrap();
    let mode = fs::metadata(journal.path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "only its owner may read it");
    play(MapSize::Small, [player(looking), player(row_by_row)], Sequence::InTurn, tournament.path(), Some(journal))
        .unwrap();
    assert_eq!(*seen.lock().unwrap(), []);
    assert_eq!(tree(tournament.path()), tree(plain.path()));
    assert_eq!(fs::read_dir(state.path()).unwrap().count(), 0, "the journal is gone");
}

#[test]
fn a_journal_that_was_cut_off_gives_back_what_is_whole() {
    let (target, state) = (tempdir().unwrap(), tempdir().unwrap());
    let path = state.path().join("x.journal");
    let mut journal = Spool::create(&path, target.path()).unwrap();
    journal.add("Phase 1 - Round 0/A", "log.txt", b"one").unwrap();
    journal.add("Phase 1 - Round 0/A", "log.txt", b"newer\nlines\n").unwrap();
    journal.add("Phase 1 - Round 0", "state.json", &[b'x'; 100]).unwrap();
    drop(journal);
    let whole = fs::read(&path).unwrap();
    for cut in [whole.len() - 1, whole.len() - 100, whole.len() - 120] {
        fs::write(&path, &whole[..cut]).unwrap();
        assert_eq!(restore(&path).unwrap(), target.path());
        assert_eq!(fs::read(target.path().join("Phase 1 - Round 0/A/log.txt")).unwrap(), b"newer\nlines\n");
        assert!(!target.path().join("Phase 1 - Round 0/state.json").exists());
        assert!(!path.exists());
    }
}

#[test]
fn only_journals_that_nobody_holds_are_left_over() {
    let (target, state) = (tempdir().unwrap(), tempdir().unwrap());
    let mut held = Spool::create(&state.path().join("held.journal"), target.path()).unwrap();
    held.add("", "held", b"").unwrap();
    let mut left = Spool::create(&state.path().join("left.journal"), target.path()).unwrap();
    left.add("", "left", b"").unwrap();
    drop(left);
    assert_eq!(restore_spools(state.path()), [target.path()]);
    assert!(target.path().join("left").exists() && !target.path().join("held").exists());
    held.unpack(&MatchFolder::create(target.path()).unwrap()).unwrap();
    assert!(target.path().join("held").exists());
    assert!(restore_spools(&state.path().join("nowhere")).is_empty());
}
