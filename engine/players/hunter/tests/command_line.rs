//! The hunter as the engine starts it: `hunter KEY DIR`.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should end here")]

use rules::PlayerInfo;
use rules::entelect_2017::files::{Files, STATE_JSON};
use rules::entelect_2017::{Entelect2017, MapSize, Order, Settings};
use rules::{Answer, Game, Listed, Part, Seat};
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn files() -> Files {
    Files::new(["Alpha", "Bravo"].into_iter().map(PlayerInfo::named).collect())
}

/// A folder with nothing but the state.json of player A at the start of a match.
fn folder() -> TempDir {
    let game = Entelect2017::start(&Settings { size: MapSize::Medium }, 2, 0).unwrap();
    let state = files().player_files(&game.view(Seat::A)).into_iter().find(|part| part.name == STATE_JSON).unwrap();
    let folder = tempfile::Builder::new().prefix("with a space ").tempdir().unwrap();
    std::fs::write(folder.path().join(STATE_JSON), state.bytes).unwrap();
    folder
}

fn hunter(folder: &Path, seed: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hunter"));
    command.arg("A").arg(folder).env("BROADSIDE_SEED", seed).output().unwrap()
}

fn answer(folder: &Path) -> Answer<Order> {
    let written = Entelect2017::ANSWER_PARTS.iter().copied().filter_map(|name| {
        let bytes = std::fs::read(folder.join(name)).ok()?;
        Some(Part { name, bytes })
    });
    Entelect2017::start(&Settings::default(), 2, 0).unwrap().read(&written.collect::<Vec<_>>())
}

fn complaint(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn the_answer_is_the_only_file_it_leaves() {
    let folder = folder();
    let output = hunter(folder.path(), "7");
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
    assert!(matches!(answer(folder.path()), Ok(Order::Place(_))));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_seed_makes_its_moves_repeatable() {
    let placed = |seed| {
        let folder = folder();
        hunter(folder.path(), seed);
        answer(folder.path())
    };
    assert_eq!(placed("7"), placed("7"));
    assert_ne!(placed("7"), placed("8"));
}

#[test]
fn a_missing_state_is_named_in_the_complaint() {
    let empty = tempfile::tempdir().unwrap();
    let path = empty.path().join(STATE_JSON);
    assert!(complaint(&hunter(empty.path(), "7")).contains(&format!("cannot read {}", path.display())));
}

#[test]
fn a_broken_state_is_named_in_the_complaint() {
    let folder = folder();
    let path = folder.path().join(STATE_JSON);
    std::fs::write(&path, "{\"Phase\":").unwrap();
    assert!(complaint(&hunter(folder.path(), "7")).contains(&format!("cannot understand {}", path.display())));
}

#[test]
fn it_says_how_it_is_called() {
    let output = Command::new(env!("CARGO_BIN_EXE_hunter")).arg("A").output().unwrap();
    assert!(complaint(&output).contains("usage: hunter KEY DIR"));
}
