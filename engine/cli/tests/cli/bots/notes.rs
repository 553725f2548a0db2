//! Notes of bots: shown at the turn that they are about, kept in the record, and never to the opponent.

use crate::table::{Table, broadside};
use arena::MatchHistory;
use arena::record::show;
use fake_bot::PLAYS;
use match_folder::open;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use rules::{Eye, Point, Seat};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A word that stands in notes and nowhere else.
const SECRET: &str = "SECRET-THOUGHT";

fn samples() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bots")
}

/// The scenes of the match in this folder.
fn history(folder: &Path) -> Box<dyn MatchHistory> {
    show(&open(folder).unwrap().record).unwrap().history
}

/// Plays a small match between two sample bots.
fn played(desk: &TempDir, bots: [&str; 2]) {
    for bot in bots {
        let made = Command::new("cp").arg("-r").arg(samples().join(bot)).arg(desk.path()).status().unwrap();
        assert!(made.success());
    }
    let mut play = broadside();
    play.current_dir(desk.path()).args(["-s", "1", "--seed", "7", "--nolimit", "-l", "out", "-b"]).args(bots);
    play.assert().code(0);
}

/// Each starter notes the value of every cell, and shoots where it is highest.
#[test]
fn starters_in_four_languages_leave_notes_that_belong_to_their_turns() {
    for (bots, tools) in [(["python", "javascript"], ["python3", "node"]), (["go", "c"], ["go", "cc"])] {
        if tools.iter().any(|tool| test_tools::required(tool).is_none()) {
            continue;
        }
        let desk = tempfile::tempdir().unwrap();
        played(&desk, bots);
        let history = history(&desk.path().join("out"));
        for at in 2..history.scenes() {
            let seen = history.notes(at, Eye::Referee);
            assert_eq!(
                seen.iter().map(|(seat, _)| *seat).collect::<Vec<_>>(),
                [Seat::A, Seat::B],
                "{bots:?}: scene {at}"
            );
            for (seat, notes) in seen {
                assert!(!notes.text().is_empty() && notes.has_cells());
                assert_eq!(history.notes(at, Eye::Seat(seat)).len(), 1);
                // A cell that was shot at before is worth nothing.
                let before = history.scene(at - 1, Eye::Seat(seat));
                let board = &before.boards[seat.opponent().index()];
                for (cell, at) in board.cells.iter().zip(board.grid.points()) {
                    let is_new = cell.mark == rules::Mark::Water;
                    assert!(is_new || notes.number(at).unwrap_or_default() <= 1.0, "{seat} {at}");
                }
            }
        }
        let print = |eyes: &str| {
            let mut replay = broadside();
            replay
                .current_dir(desk.path())
                .args(["replay", "out", "--round", "3", "--print"])
                .args(eyes.split_whitespace());
            String::from_utf8(replay.output().unwrap().stdout).unwrap()
        };
        let (all, own) = (print(""), print("--eyes b"));
        assert!(all.contains("A notes on B:") && all.contains("B notes on A:"), "{all}");
        assert!(!own.contains("A notes on B:") && own.contains("B notes on A:"), "{own}");
    }
}

/// Alpha's notes, and a bot that looks for them wherever it can.
fn spied(arguments: &[&str]) -> Table {
    let alpha = format!("1: place\n2: write notes.json {{\"text\":\"{SECRET}\"}}\n2: fire");
    let looks =
        ["../A/notes.json", "\"../../Phase 2 - Round 1/A/notes.json\"", "../../match.jsonl", "../../turn/A/notes.json"];
    let looks: Vec<String> = looks.iter().map(|path| format!("2: try read {path}")).collect();
    let bravo = format!("1: place\n2: list seen.txt\n{}\n2: fire", looks.join("\n"));
    let table = Table::with([&alpha, &bravo]);
    table.command().args(arguments).assert().code(0);
    table
}

#[test]
fn the_opponent_finds_notes_in_no_file_in_the_sandbox() {
    for mode in [&["--in-turn", "--sandbox", "strict"][..], &["--tournamentMode", "--sandbox", "strict"]] {
        let table = spied(mode);
        let history = history(&table.out());
        assert_eq!(history.notes(3, Eye::Seat(Seat::A))[0].1.text(), SECRET);
        let mut seen = 0;
        for (path, bytes) in table.tree() {
            let has_secret = String::from_utf8_lossy(&bytes).contains(SECRET);
            assert_eq!(has_secret, path.ends_with("A/notes.json"), "{}", path.display());
            seen += usize::from(has_secret);
        }
        assert!(seen > 3, "{seen}");
        for round in 2..5 {
            let log = table.read(&format!("Phase 2 - Round {round}/B/log.txt"));
            assert!(!log.contains(SECRET) && !log.contains("Output from bot: done"), "{log}");
        }
    }
}

#[test]
fn without_a_sandbox_tournament_mode_hides_notes_until_the_end() {
    let table = spied(&["--tournamentMode", "--sandbox", "off"]);
    let seen: BTreeSet<String> = (1..10)
        .flat_map(|round| {
            let list = table.read(&format!("Phase 2 - Round {round}/B/seen.txt"));
            list.lines().map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    assert!(!seen.is_empty() && !seen.iter().any(|file| file.ends_with("notes.json")), "{seen:?}");
    assert!(table.read("Phase 2 - Round 3/A/notes.json").contains(SECRET));
}

#[test]
fn nobody_sees_notes_with_other_eyes() {
    let table = spied(&["--in-turn"]);
    let replay = |eyes: &[&str]| {
        let mut replay = broadside();
        replay.current_dir(table.folder.path()).args(["replay", "out", "--print"]).args(eyes).assert()
    };
    replay(&["--eyes", "b"]).code(0).stdout(contains(SECRET).not());
    replay(&["--eyes", "a"]).code(0).stdout(contains(SECRET));
    replay(&[]).code(0).stdout(contains(SECRET));
    broadside().current_dir(table.folder.path()).args(["verify", "out"]).assert().code(0);
}

#[test]
fn bad_notes_are_told_in_the_log_and_notes_that_are_not_wanted_are_not_read() {
    let bad = "1: place\n2: write notes.json {\"numbers\":[[NaN]]}\n2: fire";
    let table = Table::with([bad, PLAYS]);
    table.command().assert().code(0);
    let log = table.read("Phase 2 - Round 2/A/log.txt");
    assert!(
        log.contains("The notes of your bot were dropped: notes.json does not have the format of notes: "),
        "{log}"
    );
    assert!(!table.out().join("faults").exists());

    let noted = "1: place\n2: write notes.json {\"text\":\"a\"}\n2: say aloud\n2: fire";
    for (level, kept) in [("off", [false, false]), ("on", [true, false]), ("output", [true, true])] {
        let table = Table::with([noted, PLAYS]);
        table.command().args(["--notes", level]).assert().code(0);
        let record = table.read("match.jsonl");
        assert_eq!([r#""notes":"#, r#""output":["aloud"]"#].map(|field| record.contains(field)), kept, "{level}");
    }
}

/// The adapter on the page, around a bot of 2017 that knows nothing of notes.
#[test]
fn a_grid_in_heatmap_txt_is_shown_by_the_adapter_on_the_page() {
    if test_tools::required("python3").is_none() {
        return;
    }
    let page = samples().join("../docs/protocols/entelect-2017.md");
    let page = fs::read_to_string(page).unwrap();
    let blocks = page.split("```python\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let adapter = blocks.into_iter().find(|block| block.contains("heatmap.txt")).unwrap();
    assert_eq!(adapter.lines().count(), 5);

    let desk = tempfile::tempdir().unwrap();
    let bot = desk.path().join("old");
    fs::create_dir(&bot).unwrap();
    fs::write(bot.join("adapter.py"), adapter).unwrap();
    let old = fs::read_to_string(samples().join("random-python/bot.py")).unwrap();
    // The highest row first, as in map.txt.
    let grid = "import os, sys\nwith open(os.path.join(sys.argv[2], 'heatmap.txt'), 'w') as grid:\n    \
                grid.write('0.5 0 0 0 0 0 0\\n' + '0 0 0 0 0 0 0\\n' * 5 + '0 0 0 0 0 0 1\\n')\n";
    fs::write(bot.join("old_bot.py"), format!("{grid}{old}")).unwrap();
    let manifest = r#"{"Author":"","NickName":"Old","BotType":"Python3","ProjectLocation":"","RunFile":"adapter.py"}"#;
    fs::write(bot.join("bot.json"), manifest).unwrap();
    let mut play = broadside();
    play.current_dir(desk.path()).args(["-s", "1", "--nolimit", "-l", "out", "old", "builtin:hunter"]);
    play.assert().code(0);
    let history = history(&desk.path().join("out"));
    for at in 1..history.scenes() {
        let [(Seat::A, notes)] = history.notes(at, Eye::Referee)[..] else { panic!("scene {at}") };
        let number = |x, y| notes.number(Point::new(x, y)).unwrap();
        assert_eq!([number(0, 6), number(6, 0), number(3, 3)], [0.5, 1.0, 0.0]);
    }
}
