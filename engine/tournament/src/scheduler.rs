//! Plays the games of a plan, several at the same time, and writes them to the journal.

use super::{FailedGame, Fixture, GameLine, JournalLine, NextGame, Plan, ScoreTable};
use arena::{ArenaError, Interrupt, Journal};
use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Who plays games.
pub trait GameRunner: Sync {
    /// Plays one game. An error is one of the engine's: the game is tried again.
    fn play(&self, fixture: Fixture) -> Result<GameLine, ArenaError>;
}

/// How games are played.
#[derive(Debug, Clone, Copy)]
pub struct RunSettings<'a> {
    /// How many at the same time.
    pub concurrency: usize,
    /// Whether a game with a time-out that may be the machine's fault is played again, while nothing else is played.
    pub repeat_suspect: bool,
    /// Stops it. Games that wait for a bot notice it themselves, others are over soon.
    pub interrupt: &'a Interrupt,
}

/// What happens while games are played.
#[derive(Debug)]
pub enum SchedulerEvent<'a> {
    /// A game begins.
    Begins(Fixture),
    /// A game was finished, and is in the journal.
    Finished(&'a GameLine),
    /// A game does not count because its time-outs may be the machine's fault; it is played again.
    Suspect(&'a GameLine),
    /// The engine could not play a game, for the time being or for good.
    Failed {
        /// Which.
        fixture: Fixture,
        /// What the engine could not do.
        error: &'a ArenaError,
        /// Whether it is given up.
        for_good: bool,
    },
}

/// How the games of a plan came to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// All were played.
    Complete,
    /// Whoever watched had seen enough.
    Enough,
    /// Somebody asked to stop.
    Interrupted,
    /// The engine failed at [`IN_A_ROW`] games in a row, and so would at others. They can be played later.
    Failing,
}

/// So many games are given up in a row, without one between that the engine could play, before all are left for later.
pub const IN_A_ROW: u32 = 5;
/// How often a game is tried that the engine fails to play, and played again that is suspect.
const TRIES: u32 = 3;
/// How long a finished game may wait to be on the disk for good.
const SYNC: Duration = Duration::from_millis(200);

/// What came of a game.
type PlayedGame = (Fixture, thread::Result<Result<GameLine, ArenaError>>);

/// Plays all games of `plan` that have no result in `table`. Each finished game is written to the journal, added to the
/// table and reported to `watch`, in this order. When `watch` breaks, no new game begins; running games are still finished.
/// Gives why it stopped, and the games that could not be played.
///
/// # Errors
/// The journal cannot be written, or no thread can be started. Games in the journal count; the same call continues later.
pub fn run(
    plan: &mut Plan,
    table: &mut ScoreTable,
    journal: &mut Journal,
    runner: &dyn GameRunner,
    settings: RunSettings<'_>,
    watch: &mut dyn FnMut(SchedulerEvent<'_>, &ScoreTable) -> ControlFlow<()>,
) -> Result<(StopReason, Vec<Fixture>), ArenaError> {
    let (jobs, queue) = channel::<Fixture>();
    let (reports, reported) = channel::<PlayedGame>();
    let queue = Mutex::new(queue);
    let done = thread::scope(|scope| {
        for _ in 0..settings.concurrency.max(1) {
            let reports = reports.clone();
            let queue = &queue;
            let worker = thread::Builder::new().name("a game".to_owned());
            let worker = worker.spawn_scoped(scope, move || work(queue, &reports, runner));
            worker.map_err(|e| ArenaError::process("start a thread for", "games", e))?;
        }
        let mut scheduler = Scheduler {
            plan,
            table,
            journal,
            settings,
            watch,
            again: VecDeque::new(),
            tries: BTreeMap::new(),
            given_up: Vec::new(),
            in_a_row: 0,
            running: 0,
            alone: false,
            stop: None,
            synced: Instant::now(),
        };
        let done = scheduler.manage(jobs, &reported);
        done.map(|ended| (ended, scheduler.given_up))
    });
    journal.sync()?;
    done
}

/// Plays what is in the queue until there will be no more.
fn work(queue: &Mutex<Receiver<Fixture>>, reports: &Sender<PlayedGame>, runner: &dyn GameRunner) {
    loop {
        let job = queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).recv();
        let Ok(fixture) = job else { return };
        let played = catch_unwind(AssertUnwindSafe(|| runner.play(fixture)));
        if reports.send((fixture, played)).is_err() {
            return;
        }
    }
}

/// How often a game was tried that is not finished yet.
#[derive(Clone, Copy, Default)]
struct Tries {
    failed: u32,
    suspect: u32,
}

/// Where games are given out and come back.
struct Scheduler<'a> {
    plan: &'a mut Plan,
    table: &'a mut ScoreTable,
    journal: &'a mut Journal,
    settings: RunSettings<'a>,
    watch: &'a mut dyn FnMut(SchedulerEvent<'_>, &ScoreTable) -> ControlFlow<()>,
    /// Games to be played again, each while nothing else is played.
    again: VecDeque<Fixture>,
    tries: BTreeMap<Fixture, Tries>,
    given_up: Vec<Fixture>,
    /// How many since a game could be played.
    in_a_row: u32,
    running: usize,
    /// Whether a game is running that is played again, and so alone.
    alone: bool,
    stop: Option<StopReason>,
    synced: Instant,
}

impl Scheduler<'_> {
    fn manage(&mut self, jobs: Sender<Fixture>, reported: &Receiver<PlayedGame>) -> Result<StopReason, ArenaError> {
        let mut complete = false;
        loop {
            if self.settings.interrupt.is_raised() {
                self.stop = Some(StopReason::Interrupted);
            }
            while self.stop.is_none() && self.running < self.settings.concurrency.max(1) {
                let Some(fixture) = self.next(&mut complete) else { break };
                self.running += 1;
                self.tell(SchedulerEvent::Begins(fixture));
                // The workers listen as long as there are jobs.
                let _ = jobs.send(fixture);
            }
            if self.running == 0 {
                return Ok(self.stop.unwrap_or(StopReason::Complete));
            }
            match reported.recv_timeout(SYNC) {
                Ok((fixture, played)) => {
                    self.running -= 1;
                    self.take(fixture, played.unwrap_or_else(|panic| resume_unwind(panic)))?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => unreachable!("the scope holds a sender"),
            }
            if self.synced.elapsed() >= SYNC {
                self.journal.sync()?;
                self.synced = Instant::now();
            }
        }
    }

    /// The next game; `None` if there is none before others have ended.
    fn next(&mut self, complete: &mut bool) -> Option<Fixture> {
        self.alone &= self.running > 0;
        if self.alone {
            return None;
        }
        if !self.again.is_empty() {
            self.alone = self.running == 0;
            return if self.alone { self.again.pop_front() } else { None };
        }
        if *complete {
            return None;
        }
        match self.plan.next(self.table.results()) {
            NextGame::Play(fixture) => Some(fixture),
            NextGame::Wait => None,
            NextGame::Done => {
                *complete = true;
                None
            }
        }
    }

    fn take(&mut self, fixture: Fixture, played: Result<GameLine, ArenaError>) -> Result<(), ArenaError> {
        if played.is_ok() {
            self.in_a_row = 0;
        }
        let mut tries = self.tries.remove(&fixture).unwrap_or_default();
        match played.map(|line| GameLine { repeats: tries.suspect, ..line }) {
            Err(ArenaError::Interrupted) => self.stop = Some(StopReason::Interrupted),
            Err(error) => {
                tries.failed += 1;
                let for_good = tries.failed >= TRIES;
                self.tell(SchedulerEvent::Failed { fixture, error: &error, for_good });
                if for_good {
                    self.given_up.push(fixture);
                    let failure = FailedGame { fixture, error: with_causes(&error) };
                    self.journal.append(&JournalLine::Failure(failure.clone()))?;
                    self.table.fail(failure);
                    self.in_a_row += 1;
                    if self.in_a_row >= IN_A_ROW && self.stop.is_none() {
                        self.stop = Some(StopReason::Failing);
                    }
                } else {
                    self.retry(fixture, tries);
                }
            }
            Ok(line) if line.suspect.is_some() && self.settings.repeat_suspect && tries.suspect + 1 < TRIES => {
                tries.suspect += 1;
                self.retry(fixture, tries);
                self.tell(SchedulerEvent::Suspect(&line));
            }
            Ok(line) => {
                let line = JournalLine::Game(Box::new(line));
                self.journal.append(&line)?;
                let JournalLine::Game(line) = line else { unreachable!("it was just made") };
                self.table.add(&line);
                self.tell(SchedulerEvent::Finished(&line));
            }
        }
        Ok(())
    }

    fn retry(&mut self, fixture: Fixture, tries: Tries) {
        self.tries.insert(fixture, tries);
        self.again.push_back(fixture);
    }

    fn tell(&mut self, progress: SchedulerEvent<'_>) {
        if (self.watch)(progress, self.table).is_break() && self.stop.is_none() {
            self.stop = Some(StopReason::Enough);
        }
    }
}

/// An error and what it came from, in one line.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
