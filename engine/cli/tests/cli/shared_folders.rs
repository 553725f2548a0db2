//! Two programs in one folder: the second one is refused, unless it only reads.

use crate::salvo::server::ServerProcess;
use crate::table::{broadside, signalled};
use predicates::prelude::*;
use predicates::str::contains;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};

/// The commands that keep a journal in the folder `here`, each with its name in refusals.
const KEEPERS: [(&str, &[&str]); 4] = [
    ("serve", &["serve", "--listen", "127.0.0.1:0", "--dir", "here"]),
    ("salvo", &["salvo", "serve", "--listen", "127.0.0.1:0", "--dir", "here"]),
    ("tournament", &["tournament", "-b", "builtin:hunter", "builtin:random", "-g", "1000000", "--dir", "here"]),
    ("compare", &["compare", "builtin:random", "builtin:random", "-g", "1000000", "--sprt", "0,0.1", "--dir", "here"]),
];

/// A program with the folder `here`, which is killed when this is dropped.
struct Keeper(Child);

impl Keeper {
    /// Starts a command and waits until it has the folder.
    fn start(at: &Path, arguments: &[&str]) -> Keeper {
        let mut program = signalled();
        program.current_dir(at).args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
        let mut keeper = Keeper(program.spawn().unwrap());
        while journals(&at.join("here")).is_empty() {
            assert_eq!(keeper.0.try_wait().unwrap(), None, "it runs");
            test_tools::pause();
        }
        keeper
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The names of the journals in a folder.
fn journals(folder: &Path) -> BTreeSet<String> {
    let files = fs::read_dir(folder).into_iter().flatten();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".jsonl")).collect()
}

/// Starts every command that keeps a journal while this one has the folder, and again after it was killed.
fn nobody_else_keeps_a_journal_beside(name: &str, arguments: &[&str]) {
    let root = tempfile::tempdir().unwrap();
    let keeper = Keeper::start(root.path(), arguments);
    let folder = root.path().join("here");
    let holder = format!("here: broadside {name} (process {}, since 20", keeper.0.id());
    let refused = |arguments: &[&str]| {
        let said = contains(&holder).and(contains("wait until that program has ended, or stop it, or name another"));
        broadside().current_dir(root.path()).args(arguments).assert().code(5).stderr(said);
    };
    let before = journals(&folder);
    KEEPERS.iter().for_each(|(_, arguments)| refused(arguments));
    refused(&[KEEPERS[2].1, &["--cluster", "nats://127.0.0.1:1"]].concat());
    assert_eq!(journals(&folder), before, "nobody else has begun one");
    if before.contains("games.jsonl") {
        refused(&["cluster", "forget", "somebody", "here"]);
        for reads in [&["standings", "here"][..], &["standings", "here", "--format", "json"]] {
            broadside().current_dir(root.path()).args(reads).assert().code(0);
        }
    }
    drop(keeper);
    ServerProcess::start(&folder, &["--listen", "127.0.0.1:0"]).kill();
}

#[test]
fn nobody_else_keeps_a_journal_beside_a_tournament_server() {
    nobody_else_keeps_a_journal_beside(KEEPERS[0].0, KEEPERS[0].1);
}

#[test]
fn nobody_else_keeps_a_journal_beside_a_server_of_salvo() {
    nobody_else_keeps_a_journal_beside(KEEPERS[1].0, KEEPERS[1].1);
}

#[test]
fn nobody_else_keeps_a_journal_beside_a_tournament() {
    nobody_else_keeps_a_journal_beside(KEEPERS[2].0, KEEPERS[2].1);
}

#[test]
fn nobody_else_keeps_a_journal_beside_a_comparison() {
    nobody_else_keeps_a_journal_beside(KEEPERS[3].0, KEEPERS[3].1);
}
