//! The scheduler: plays the games of a plan, several at the same time, and writes them to the journal.

use super::{FailedGame, Fixture, GameLine, JournalLine, NextGame, Plan, PlayerLine, ScoreTable};
use arena::{ArenaError, Interrupt, Journal};
use rules::Fault;
use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Plays the games of a tournament.
pub trait GameRunner: Sync {
    /// Plays one game.
    ///
    /// # Errors
    /// The engine failed: the game is tried again. [`ArenaError::Interrupted`] ends the run.
    fn play(&self, fixture: Fixture) -> Result<GameLine, ArenaError>;
}

/// Settings of a run.
#[derive(Debug, Clone, Copy)]
pub struct RunSettings<'a> {
    /// The number of games at the same time; 0 counts as 1.
    pub concurrency: usize,
    /// True if a game with a time-out that may be the machine's fault is played again, while no other game is
    /// played.
    pub repeat_suspect: bool,
    /// Stops the run. Games that wait for a bot notice it themselves, others are over soon.
    pub interrupt: &'a Interrupt,
}

/// An event of a run.
#[derive(Debug)]
pub enum SchedulerEvent<'a> {
    /// A game begins.
    Begins(Fixture),
    /// A game was finished, and is in the journal and in the table.
    Finished(&'a GameLine),
    /// A game does not count because its time-outs may be the machine's fault; it is played again.
    Suspect(&'a GameLine),
    /// The engine could not play a game, for the time being or for good.
    Failed {
        /// The game.
        fixture: Fixture,
        /// The failure of the engine.
        error: &'a ArenaError,
        /// True if the game is not tried again.
        for_good: bool,
    },
}

/// The reason why a run stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// All games were played, or given up.
    Complete,
    /// `watch` had seen enough.
    Enough,
    /// Somebody asked to stop.
    Interrupted,
    /// The engine failed at [`IN_A_ROW`] games in a row, and so would at others. They can be played later.
    Failing,
}

/// The number of games that are given up in a row, without a played one between them, before all others are left
/// for later.
pub const IN_A_ROW: u32 = 5;
/// The number of tries of a game that the engine fails to play, and of one that is suspect.
const TRIES: u32 = 3;
/// The longest time until a finished game is on the disk.
const SYNC: Duration = Duration::from_millis(200);

/// A game that a worker has played, or failed to play.
type PlayedGame = (Fixture, thread::Result<Result<GameLine, ArenaError>>);

/// Plays all games of `plan` that have no result in `table`. Each finished game is written to the journal, added to
/// the table and reported to `watch`, in this order. When `watch` breaks, no new game begins; running games are
/// still finished. Gives the reason why it stopped, and the games that could not be played.
///
/// See the [crate's page](crate) for an example.
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

/// Plays the games in the queue until it is closed.
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

/// The tries of a game that is not finished yet.
#[derive(Clone, Copy, Default)]
struct Tries {
    failed: u32,
    suspect: u32,
    /// The number of these in which the player in seat A, and in seat B, was late.
    late: [u32; 2],
}

impl Tries {
    /// Adds a try that does not count.
    fn add_suspect(&mut self, line: &GameLine) {
        self.suspect += 1;
        for (late, (_, player)) in self.late.iter_mut().zip(line.players.iter()) {
            *late += u32::from(player.faults.contains_key(Fault::TIMED_OUT));
        }
    }

    /// The line of a try that counts, which tells of those that do not.
    fn told_in(self, mut line: GameLine) -> GameLine {
        line.repeats = self.suspect;
        let late = self.late.into_iter().chain(std::iter::repeat(0));
        let players = line.players.iter().zip(late);
        line.players = players.map(|((_, player), repeats)| PlayerLine { repeats, ..player.clone() }).collect();
        line
    }
}

/// Gives games to the workers and takes their results.
struct Scheduler<'a> {
    plan: &'a mut Plan,
    table: &'a mut ScoreTable,
    journal: &'a mut Journal,
    settings: RunSettings<'a>,
    watch: &'a mut dyn FnMut(SchedulerEvent<'_>, &ScoreTable) -> ControlFlow<()>,
    /// Games to be played again, each while no other game is played.
    again: VecDeque<Fixture>,
    tries: BTreeMap<Fixture, Tries>,
    given_up: Vec<Fixture>,
    /// The number of games given up since a game could be played.
    in_a_row: u32,
    running: usize,
    /// True if a game is running that is played again, and so alone.
    alone: bool,
    stop: Option<StopReason>,
    synced: Instant,
}

impl Scheduler<'_> {
    fn manage(&mut self, jobs: Sender<Fixture>, reported: &Receiver<PlayedGame>) -> Result<StopReason, ArenaError> {
        loop {
            if self.settings.interrupt.is_raised() {
                self.stop = Some(StopReason::Interrupted);
            }
            while self.stop.is_none() && self.running < self.settings.concurrency.max(1) {
                let Some(fixture) = self.next() else { break };
                self.running += 1;
                self.tell(SchedulerEvent::Begins(fixture));
                // The workers listen as long as the queue is open.
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

    /// The next game; `None` if no game can begin before others have ended, or if none is left.
    fn next(&mut self) -> Option<Fixture> {
        self.alone &= self.running > 0;
        if self.alone {
            return None;
        }
        if !self.again.is_empty() {
            self.alone = self.running == 0;
            return if self.alone { self.again.pop_front() } else { None };
        }
        match self.plan.next(self.table.results()) {
            NextGame::Play(fixture) => Some(fixture),
            NextGame::Wait | NextGame::Done => None,
        }
    }

    fn take(&mut self, fixture: Fixture, played: Result<GameLine, ArenaError>) -> Result<(), ArenaError> {
        if played.is_ok() {
            self.in_a_row = 0;
        }
        let mut tries = self.tries.remove(&fixture).unwrap_or_default();
        match played.map(|line| tries.told_in(line)) {
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
                tries.add_suspect(&line);
                self.retry(fixture, tries);
                self.tell(SchedulerEvent::Suspect(&line));
            }
            Ok(line) => {
                self.journal.append(&JournalLine::Game(Box::new(line.clone())))?;
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

/// An error and its causes, in one line.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
