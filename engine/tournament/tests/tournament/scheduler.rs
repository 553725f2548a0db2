//! Tournaments in which the engine fails, games are suspect, or somebody stops.

use crate::games::{entrant, game_line, header};
use arena::{ArenaError, GAMES_JSONL, Interrupt};
use rules::Seat;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;
use tournament::{
    Fixture, Format, GameLine, GameRunner, JournalLine, Plan, RunSettings, SchedulerEvent, ScoreTable, StopReason, run,
    with_threads,
};

/// A tournament to play in, and what the host there does when it is asked for the n-th time.
struct TestTournament<F> {
    folder: TempDir,
    asked: AtomicU32,
    play: F,
    interrupt: Interrupt,
}

impl<F: Fn(u32, GameLine) -> Result<GameLine, ArenaError> + Sync> TestTournament<F> {
    fn new(play: F) -> TestTournament<F> {
        let (folder, interrupt) = (tempfile::tempdir().unwrap(), Interrupt::new().unwrap());
        TestTournament { folder, asked: AtomicU32::new(0), play, interrupt }
    }

    /// Plays so many games of two, one at a time, and gives how that ended and what is in the journal.
    fn run(&self, games: u32) -> (StopReason, Vec<Fixture>, Vec<JournalLine>) {
        let path = self.folder.path().join(GAMES_JSONL);
        let (mut journal, mut table) = ScoreTable::open(&path, &header(Format::RoundRobin)).unwrap();
        for name in ["one", "two"] {
            let entrant = entrant(name);
            journal.append(&JournalLine::Entrant(entrant.clone())).unwrap();
            table.enter(entrant);
        }
        let settings = RunSettings { repeat_suspect: true, is_needed: &|_| true, interrupt: &self.interrupt };
        let mut plan = Plan::new(Format::RoundRobin, 2, games, None);
        let mut watch = |_: SchedulerEvent<'_>, _: &ScoreTable| ControlFlow::Continue(());
        let (ended, given_up) =
            with_threads(1, self, |pool| run(&mut plan, &mut table, &mut journal, pool, settings, &mut watch)).unwrap();
        let mut lines = Vec::new();
        ScoreTable::read_with(&path, |line| lines.push(line.clone())).unwrap();
        (ended, given_up, lines.split_off(3))
    }
}

impl<F: Fn(u32, GameLine) -> Result<GameLine, ArenaError> + Sync> GameRunner for TestTournament<F> {
    fn play(&self, fixture: Fixture) -> Result<GameLine, ArenaError> {
        let line = game_line(fixture, Some(Seat::A));
        (self.play)(self.asked.fetch_add(1, Ordering::Relaxed) + 1, line)
    }
}

fn failed() -> ArenaError {
    ArenaError::process("start", "a bot", io::Error::from(io::ErrorKind::WouldBlock))
}

fn suspect(line: GameLine) -> Result<GameLine, ArenaError> {
    Ok(GameLine { suspect: Some("too much to do".to_owned()), ..line })
}

#[test]
fn it_stops_when_it_is_interrupted_though_no_game_notices() {
    let tournament = TestTournament::new(|_, line| Ok(line));
    tournament.interrupt.raise();
    let (ended, _, lines) = tournament.run(1000);
    assert_eq!((ended, lines.len()), (StopReason::Interrupted, 0));
}

#[test]
fn failures_of_the_engine_and_suspect_games_are_counted_apart() {
    let tournament = TestTournament::new(|asked, line| match asked {
        1 | 3 => suspect(line),
        2 | 4 => Err(failed()),
        _ => Ok(line),
    });
    let (ended, given_up, lines) = tournament.run(2);
    assert_eq!((ended, given_up), (StopReason::Complete, vec![]));
    let repeats = lines.iter().map(|line| match line {
        // The player in seat A was late.
        JournalLine::Game(game) => (game.repeats, game.players[Seat::A].repeats, game.players[Seat::B].repeats),
        other => panic!("{other:?}"),
    });
    assert_eq!(repeats.collect::<Vec<_>>(), [(2, 2, 0), (0, 0, 0)]);
}

#[test]
fn a_game_that_cannot_be_played_is_given_up_and_the_others_go_on() {
    let tournament = TestTournament::new(|_, line| if line.fixture.number == 0 { Err(failed()) } else { Ok(line) });
    let (ended, given_up, lines) = tournament.run(2);
    assert_eq!((ended, given_up), (StopReason::Complete, vec![Fixture { first: 0, second: 1, number: 0 }]));
    assert!(matches!(&lines[..], [JournalLine::Failure(_), JournalLine::Game(_)]), "{lines:?}");
    assert_eq!(tournament.asked.load(Ordering::Relaxed), 4);
}

#[test]
fn after_five_games_in_a_row_that_cannot_be_played_the_others_are_left_for_later() {
    let tournament = TestTournament::new(|_, _| Err(failed()));
    let (ended, given_up, lines) = tournament.run(1000);
    assert_eq!((ended, given_up.len(), lines.len()), (StopReason::Failing, 5, 5));
    assert_eq!(tournament.asked.load(Ordering::Relaxed), 15);
}

#[test]
fn a_game_that_could_be_played_begins_the_row_anew() {
    let tournament = TestTournament::new(|_, line| if line.fixture.number % 5 == 4 { Ok(line) } else { Err(failed()) });
    let (ended, given_up, lines) = tournament.run(20);
    assert_eq!((ended, given_up.len(), lines.len()), (StopReason::Complete, 16, 20));
}

#[test]
fn five_failures_at_the_very_end_leave_nothing_for_later_but_them() {
    let tournament = TestTournament::new(|_, line| if line.fixture.number < 5 { Ok(line) } else { Err(failed()) });
    let (ended, given_up, _) = tournament.run(10);
    assert_eq!((ended, given_up.len()), (StopReason::Failing, 5));
}
