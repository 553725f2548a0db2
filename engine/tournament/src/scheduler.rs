//! The scheduler: plays the games of a plan, several at the same time, and writes them to the journal.

use crate::{EndedGame, FailedGame, Fixture, GameLine, GamePool, JournalLine, NextGame, Plan, PlayerLine, ScoreTable};
use arena::{ArenaError, Interrupt, Journal};
use rules::Fault;
use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Settings of a run.
#[derive(Clone, Copy)]
pub struct RunSettings<'a> {
    /// True if a game with a time-out that may be the machine's fault is played again, while no other game is
    /// played on that machine.
    pub repeat_suspect: bool,
    /// Tells if a game that the plan has is needed still: a test may have its answer. Games that are not are passed over.
    pub is_needed: &'a dyn Fn(Fixture) -> bool,
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

/// Plays all games of `plan` that have no result in `table`. Each finished game is written to the journal, added to
/// the table and reported to `watch`, in this order. When `watch` breaks, no new game begins; games that run in this process are
/// still finished. Gives the reason why it stopped, and the games that could not be played.
///
/// See the [crate's page](crate) for an example.
///
/// # Errors
/// The journal cannot be written, or the pool has failed as a whole. Games in the journal count; the same call continues later.
pub fn run(
    plan: &mut Plan,
    table: &mut ScoreTable,
    journal: &mut Journal,
    pool: &mut dyn GamePool,
    settings: RunSettings<'_>,
    watch: &mut dyn FnMut(SchedulerEvent<'_>, &ScoreTable) -> ControlFlow<()>,
) -> Result<(StopReason, Vec<Fixture>), ArenaError> {
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
        stop: None,
        synced: Instant::now(),
    };
    let done = scheduler.manage(pool);
    let done = done.map(|ended| (ended, scheduler.given_up));
    journal.sync()?;
    pool.kept();
    done
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

/// Gives games to a pool and takes their results.
struct Scheduler<'a> {
    plan: &'a mut Plan,
    table: &'a mut ScoreTable,
    journal: &'a mut Journal,
    settings: RunSettings<'a>,
    watch: &'a mut dyn FnMut(SchedulerEvent<'_>, &ScoreTable) -> ControlFlow<()>,
    /// Games to be played again, each alone.
    again: VecDeque<Fixture>,
    tries: BTreeMap<Fixture, Tries>,
    given_up: Vec<Fixture>,
    /// The number of games given up since a game could be played.
    in_a_row: u32,
    /// The number of games in the pool.
    running: usize,
    stop: Option<StopReason>,
    synced: Instant,
}

impl Scheduler<'_> {
    fn manage(&mut self, pool: &mut dyn GamePool) -> Result<StopReason, ArenaError> {
        let mut is_stopping = false;
        loop {
            if self.settings.interrupt.is_raised() {
                self.stop = Some(StopReason::Interrupted);
            }
            let mut has_no_more = false;
            while self.stop.is_none() && pool.takes(!self.again.is_empty()) {
                let Some((fixture, alone)) = self.next() else {
                    has_no_more = true;
                    break;
                };
                self.running += 1;
                self.tell(SchedulerEvent::Begins(fixture));
                pool.begin(fixture, alone);
            }
            if self.stop.is_some() && !std::mem::replace(&mut is_stopping, true) {
                pool.stop();
            }
            // A pool may take nothing for a while.
            if self.running == 0 && (has_no_more || self.stop.is_some()) {
                return Ok(self.stop.unwrap_or(StopReason::Complete));
            }
            if let Some((fixture, ended)) = pool.ended(SYNC)? {
                self.running -= 1;
                self.take(fixture, ended)?;
            }
            if self.synced.elapsed() >= SYNC {
                self.journal.sync()?;
                pool.kept();
                self.synced = Instant::now();
            }
        }
    }

    /// The next game, and whether it is to be played alone; `None` if no game can begin before others have ended, or if none is
    /// left.
    fn next(&mut self) -> Option<(Fixture, bool)> {
        if let Some(again) = self.again.pop_front() {
            return Some((again, true));
        }
        loop {
            match self.plan.next(self.table.results()) {
                NextGame::Play(fixture) if (self.settings.is_needed)(fixture) => return Some((fixture, false)),
                NextGame::Play(_) => {}
                NextGame::Wait | NextGame::Done => return None,
            }
        }
    }

    fn take(&mut self, fixture: Fixture, ended: EndedGame) -> Result<(), ArenaError> {
        let mut tries = self.tries.remove(&fixture).unwrap_or_default();
        match ended {
            EndedGame::NotPlayed => {}
            EndedGame::Failed { error: ArenaError::Interrupted, .. } => {
                self.stop = Some(StopReason::Interrupted);
            }
            EndedGame::Failed { error, for_good } => {
                tries.failed += 1;
                let for_good = for_good || tries.failed >= TRIES;
                self.tell(SchedulerEvent::Failed { fixture, error: &error, for_good });
                if for_good {
                    self.give_up(fixture, &error)?;
                } else {
                    self.retry(fixture, tries);
                }
            }
            EndedGame::Played(line) => {
                self.in_a_row = 0;
                let line = tries.told_in(*line);
                if line.suspect.is_some() && self.settings.repeat_suspect && tries.suspect + 1 < TRIES {
                    tries.add_suspect(&line);
                    self.retry(fixture, tries);
                    self.tell(SchedulerEvent::Suspect(&line));
                } else {
                    self.journal.append(&JournalLine::Game(Box::new(line.clone())))?;
                    self.table.add(&line);
                    self.tell(SchedulerEvent::Finished(&line));
                }
            }
        }
        Ok(())
    }

    fn give_up(&mut self, fixture: Fixture, error: &ArenaError) -> Result<(), ArenaError> {
        self.given_up.push(fixture);
        let failure = FailedGame { fixture, error: with_causes(error) };
        self.journal.append(&JournalLine::Failure(failure.clone()))?;
        self.table.fail(failure);
        self.in_a_row += 1;
        if self.in_a_row >= IN_A_ROW && self.stop.is_none() {
            self.stop = Some(StopReason::Failing);
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
