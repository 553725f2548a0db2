//! The folder of a match.

use crate::scripted::{idle, play, player, row_by_row};
use arena::folder::MatchFolder;
use arena::{ArenaError, Sequence};
use match_folder::move_match_aside;
use rules::entelect_2017::MapSize;
use rules::{Ending, Seat};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use tempfile::tempdir;

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path.as_ref()).unwrap_or_else(|e| panic!("{}: {e}", path.as_ref().display()))
}

#[test]
fn a_match_leaves_the_files_of_the_original() {
    let folder = tempdir().unwrap();
    let outcome =
        play(MapSize::Small, [player(row_by_row), player(idle)], Sequence::InTurn, folder.path(), None).unwrap();
    assert_eq!(outcome.winner, Some(Seat::A));
    let round =
        |n: u32| folder.path().join(if n == 0 { "Phase 1 - Round 0".into() } else { format!("Phase 2 - Round {n}") });
    for name in ["A - map.txt", "B - map.txt", "state.json", "roundInfo.json", "roundCommand.json", "engine.log"] {
        assert!(round(3).join(name).is_file(), "{name}");
    }
    for seat in ["A", "B"] {
        for name in ["state.json", "map.txt", "log.txt"] {
            assert!(round(3).join(seat).join(name).is_file(), "{seat}/{name}");
        }
    }
    assert_eq!(read(round(0).join("A/place.txt")), crate::scripted::FLEET);
    assert_eq!(read(round(3).join("A/command.txt")), "1,2,0");
    assert!(!round(3).join("B/command.txt").exists());
    assert_eq!(read(round(3).join("A - map.txt")), read(round(3).join("A/map.txt")));
}

#[test]
fn a_killed_off_player_ends_the_match_with_all_the_files_of_an_end() {
    let folder = tempdir().unwrap();
    let outcome =
        play(MapSize::Small, [player(row_by_row), player(idle)], Sequence::InTurn, folder.path(), None).unwrap();
    assert!(matches!(outcome.ending, Ending::KilledOff { seats } if seats[0].0 == Seat::B));
    // Nothing in rounds 1 to 20, killed off at the start of round 21, which nobody plays.
    assert_eq!(outcome.turns, 22);
    let last = folder.path().join("Phase 2 - Round 21");
    assert!(read(last.join("engine.log")).contains("Killed player Bravo"));
    assert!(read(last.join("B/log.txt")).contains("did nothing 20 times in a row"));
    assert!(read(last.join("B/map.txt")).contains("Round Number : 22"));
    assert!(read(last.join("B/map.txt")).contains("Status: Dead"));
    assert!(!last.join("A/command.txt").exists());
    let next = folder.path().join("Phase 2 - Round 22");
    let mut names: Vec<_> = fs::read_dir(next).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["A - map.txt", "B - map.txt", "roundCommand.json", "roundInfo.json", "state.json"]);
}

#[test]
fn log_txt_begins_with_the_news_of_the_round_before() {
    let folder = tempdir().unwrap();
    let script = |view: &rules::entelect_2017::View| match view.round {
        1 => "6,3,3".to_owned(),
        _ => row_by_row(view),
    };
    play(MapSize::Small, [player(script), player(row_by_row)], Sequence::InTurn, folder.path(), None).unwrap();
    let log = read(folder.path().join("Phase 2 - Round 2/A/log.txt"));
    assert!(log.starts_with('\n') && !log.ends_with('\n'), "{log:?}");
    assert!(log.contains(" - I: \tPlayer Command FireCrossShotCommand failed because not enough energy"), "{log}");
    let engine = read(folder.path().join("Phase 2 - Round 1/engine.log"));
    assert!(engine.contains(" - E: \tFailed to process command FireCrossShotCommand for player Alpha"), "{engine}");
    assert!(read(folder.path().join("Phase 1 - Round 0/engine.log")).contains(" - I: \tLoaded\n"));
}

#[test]
fn what_was_written_in_another_encoding_is_kept_as_utf_8() {
    let folder = tempdir().unwrap();
    let script = |view: &rules::entelect_2017::View| match view.round {
        1 => "\u{FEFF}1,0,0".to_owned(),
        _ => row_by_row(view),
    };
    play(MapSize::Small, [player(script), player(row_by_row)], Sequence::InTurn, folder.path(), None).unwrap();
    assert_eq!(read(folder.path().join("Phase 2 - Round 1/A/command.txt")), "1,0,0");
}

#[test]
fn nothing_outside_the_folder_can_be_reached_through_links_in_it() {
    let (folder, outside) = (tempdir().unwrap(), tempdir().unwrap());
    fs::write(outside.path().join("log.txt"), "mine").unwrap();
    let target = MatchFolder::create(folder.path()).unwrap();
    symlink(outside.path(), folder.path().join("A")).unwrap();
    target.write("A", "log.txt", b"new").unwrap();
    assert_eq!(read(outside.path().join("log.txt")), "mine");
    assert_eq!(read(folder.path().join("A/log.txt")), "new");
    symlink(outside.path().join("log.txt"), folder.path().join("B")).unwrap();
    target.write("", "B", b"new").unwrap();
    assert_eq!(read(outside.path().join("log.txt")), "mine");
    assert_eq!(read(folder.path().join("B")), "new");
}

#[test]
fn a_folder_in_the_way_of_a_file_gets_another_name() {
    let folder = tempdir().unwrap();
    let target = MatchFolder::create(folder.path()).unwrap();
    for _ in 0..2 {
        fs::create_dir_all(folder.path().join("A/log.txt/deep")).unwrap();
        target.write("A", "log.txt", b"new").unwrap();
        assert_eq!(read(folder.path().join("A/log.txt")), "new");
        fs::remove_file(folder.path().join("A/log.txt")).unwrap();
    }
    let kept = fs::read_dir(folder.path().join("A")).unwrap().map(|entry| entry.unwrap().path());
    assert_eq!(kept.filter(|path| path.join("deep").is_dir()).count(), 2, "what was in the way is still there");
}

#[test]
fn rights_that_a_bot_took_away_are_taken_back() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempdir().unwrap();
    let target = MatchFolder::create(folder.path()).unwrap();
    let none = |path: &str| fs::set_permissions(folder.path().join(path), fs::Permissions::from_mode(0o000)).unwrap();
    target.write("round/A", "log.txt", b"old").unwrap();
    none("round/A");
    target.write("round/A", "log.txt", b"new").unwrap();
    none("round/A");
    none("round");
    target.write("round/A", "log.txt", b"newer").unwrap();
    none("");
    target.write("next", "state.json", b"new").unwrap();
    assert_eq!(read(folder.path().join("round/A/log.txt")), "newer");
}

#[test]
fn many_may_make_the_same_folder_at_the_same_time() {
    let folder = tempdir().unwrap();
    let target = MatchFolder::create(folder.path()).unwrap();
    std::thread::scope(|scope| {
        for seat in ["A", "B", "C", "D"] {
            let target = &target;
            scope.spawn(move || {
                for round in 0..200 {
                    target.folder(&format!("Phase 2 - Round {round}/{seat}")).unwrap();
                }
            });
        }
    });
}

#[test]
fn two_matches_cannot_use_one_folder() {
    let folder = tempdir().unwrap();
    let first = MatchFolder::create(folder.path()).unwrap();
    let error = MatchFolder::create(folder.path()).unwrap_err();
    assert!(std::error::Error::source(&error).unwrap().to_string().contains("another match"), "{error:?}");
    drop(first);
    MatchFolder::create(folder.path()).unwrap();
}

#[test]
fn a_fresh_folder_is_never_one_that_is_there() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("replays/now");
    let made: Vec<_> = (0..3).map(|_| MatchFolder::create_fresh(&path).unwrap().path().to_owned()).collect();
    let names: Vec<_> = made.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["now", "now-2", "now-3"]);
}

#[test]
fn the_rounds_of_an_earlier_match_are_moved_aside() {
    let folder = tempdir().unwrap();
    let target = MatchFolder::create(folder.path()).unwrap();
    assert!(!move_match_aside(&target, "previous").unwrap());
    target.write("Phase 1 - Round 0/A", "state.json", b"old").unwrap();
    target.write("", "notes", b"mine").unwrap();
    assert!(move_match_aside(&target, "previous").unwrap());
    assert_eq!(read(folder.path().join("previous/Phase 1 - Round 0/A/state.json")), "old");
    assert_eq!(read(folder.path().join("notes")), "mine");
    assert!(!folder.path().join("Phase 1 - Round 0").exists());
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error_with_its_path() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let error = MatchFolder::create(&folder.path().join("file/match")).unwrap_err();
    assert!(matches!(&error, ArenaError::Disk { path, .. } if path.ends_with("file/match")));
    assert!(error.to_string().contains("file/match"));
}
