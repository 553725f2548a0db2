//! Journals: written, read, cut off and changed.

use crate::games::{self, game_line};
use arena::{ArenaError, GAMES_JSONL, JournalError};
use rules::Seat;
use std::fs;
use std::path::{Path, PathBuf};
use tournament::{Fixture, Format, JournalLine, NextGame, Plan, ScoreTable, TournamentHeader, VoidGames};

fn header() -> TournamentHeader {
    games::header(Format::RoundRobin)
}

fn entrant(name: &str) -> JournalLine {
    JournalLine::Entrant(games::entrant(name))
}

fn game(number: u32) -> JournalLine {
    JournalLine::Game(Box::new(game_line(Fixture { first: 0, second: 1, number }, Some(Seat::B))))
}

/// With a letter of two bytes, which can be cut in two.
const NAMES: [&str; 2] = ["Jörg", "two"];

/// A journal of so many games, and its folder.
fn written(games: u32) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("event").join(GAMES_JSONL);
    let (mut writer, _) = ScoreTable::open(&path, &header()).unwrap();
    NAMES.iter().for_each(|name| writer.append(&entrant(name)).unwrap());
    (0..games).for_each(|number| writer.append(&game(number)).unwrap());
    writer.sync().unwrap();
    (folder, path)
}

fn numbers(path: &Path) -> Result<Vec<u32>, String> {
    let mut numbers = Vec::new();
    let read = ScoreTable::read_with(path, |line| {
        if let JournalLine::Game(game) = line {
            numbers.push(game.fixture.number);
        }
    });
    read.map(|_| numbers).map_err(|e| std::error::Error::source(&e).unwrap().to_string())
}

#[test]
fn what_was_written_is_read() {
    let (_folder, path) = written(3);
    let mut games = Vec::new();
    let table = ScoreTable::read_with(&path, |line| games.push(line.clone())).unwrap();
    assert_eq!((table.event(), table.event().base_seed()), (&header(), u64::MAX));
    assert_eq!(table.entrants().iter().map(|e| e.name.as_str()).collect::<Vec<_>>(), NAMES);
    assert_eq!(games[1..], [entrant(NAMES[0]), entrant(NAMES[1]), game(0), game(1), game(2)]);
}

#[test]
fn void_games_do_not_count_and_are_played_again() {
    let (_folder, path) = written(3);
    let again = |journal: &mut arena::Journal, number, games: &[u32], why: &str| {
        let games = games.iter().map(|number| Fixture { first: 0, second: 1, number: *number }).collect();
        journal.append(&JournalLine::Void(VoidGames { number, games, why: why.to_owned() })).unwrap();
    };
    let (mut journal, _) = ScoreTable::open(&path, &header()).unwrap();
    again(&mut journal, 1, &[0, 2], "the network failed");
    journal.append(&game(0)).unwrap();
    again(&mut journal, 2, &[0], "once more");
    drop(journal);
    assert_eq!(numbers(&path).unwrap(), [1]);
    let (mut journal, table) = ScoreTable::open(&path, &header()).unwrap();
    assert_eq!((table.results().games(), table.void_sets(), table.rows()[0].games().games()), (1, 2, 1));
    let mut plan = Plan::new(Format::RoundRobin, 2, 4, None);
    let next = std::iter::from_fn(|| match plan.next(table.results()) {
        NextGame::Play(game) => Some(game.number),
        _ => None,
    });
    assert_eq!(next.collect::<Vec<_>>(), [0, 2, 3]);
    journal.append(&game(2)).unwrap();
    drop(journal);
    assert_eq!(numbers(&path).unwrap(), [1, 2]);
}

#[test]
fn a_journal_that_was_cut_off_anywhere_is_repaired_and_goes_on() {
    let (_folder, path) = written(3);
    let text = fs::read(&path).unwrap();
    for cut in 0..text.len() {
        fs::write(&path, &text[..cut]).unwrap();
        let (mut writer, table) = ScoreTable::open(&path, &header()).unwrap();
        let left = table.results().games() as u32;
        for name in NAMES.iter().skip(table.entrants().len()) {
            writer.append(&entrant(name)).unwrap();
        }
        (left..3).for_each(|number| writer.append(&game(number)).unwrap());
        drop(writer);
        assert_eq!(fs::read(&path).unwrap(), text, "cut at {cut}");
    }
}

#[test]
fn two_do_not_write_to_one_journal() {
    let (_folder, path) = written(1);
    let (writer, _) = ScoreTable::open(&path, &header()).unwrap();
    let error = ScoreTable::open(&path, &header()).unwrap_err();
    assert!(matches!(error, ArenaError::Journal { source: JournalError::Locked(_), .. }), "{error}");
    drop(writer);
    ScoreTable::open(&path, &header()).unwrap();
}

#[test]
fn what_is_no_journal_is_told_and_not_touched() {
    let (_folder, path) = written(2);
    let good = fs::read_to_string(&path).unwrap();
    let wrong = |text: String| {
        fs::write(&path, &text).unwrap();
        let told = numbers(&path).unwrap_err();
        assert!(ScoreTable::open(&path, &header()).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "{told}");
        told
    };
    assert!(wrong("hello\n".to_owned()).contains("its first line is not that of a journal"));
    assert!(wrong("a file of somebody's without a line".to_owned()).contains("this is not a journal"));
    let long = format!("{good}{}", " ".repeat(1 << 20));
    assert!(wrong(long).starts_with("line 6: it is longer than 1048576 bytes"));
    assert!(wrong(good.replacen("\"version\":1", "\"version\":2", 1)).contains("its format is version 2"));
    assert!(wrong(good.replacen("\"second\":1", "\"second\":2", 1)).starts_with("line 4: it is a game of 0 and 2"));
    assert!(wrong(good.replacen("\"ranking\"", "\"order\"", 1)).starts_with("line 4: missing field `ranking`"));
    assert!(wrong(format!("{good}{good}")).contains("a second tournament begins"));
}
