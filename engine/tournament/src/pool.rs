//! Pools: where the games of a tournament are played. The scheduler gives games to one; `Threads` is the pool of this process.

use crate::{Fixture, GameLine};
use arena::ArenaError;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// Plays games on the calling thread.
pub trait GameRunner: Sync {
    /// Plays one game.
    ///
    /// # Errors
    /// The engine failed: the game is tried again. [`ArenaError::Interrupted`] ends the run.
    fn play(&self, fixture: Fixture) -> Result<GameLine, ArenaError>;
}

/// A place where games are played, several at the same time: threads of this process ([`with_threads`]), or other machines.
pub trait GamePool {
    /// True if it takes another game now. If that is to be played `alone`, no other game is played on the same machine
    /// meanwhile.
    fn takes(&self, alone: bool) -> bool;

    /// Begins a game that it [takes](GamePool::takes).
    fn begin(&mut self, fixture: Fixture, alone: bool);

    /// The next game that has ended; `None` if none has after this time.
    ///
    /// # Errors
    /// The pool has failed, and plays no more games.
    fn ended(&mut self, wait: Duration) -> Result<Option<(Fixture, EndedGame)>, ArenaError>;

    /// All games that were taken from [`GamePool::ended`] are on the disk.
    fn kept(&mut self) {}

    /// Nobody wants more games: those that have not begun yet may end as not played. All games that were given to the pool
    /// still end.
    fn stop(&mut self) {}
}

/// The end of a game in a pool.
#[derive(Debug)]
pub enum EndedGame {
    /// It was played.
    Played(Box<GameLine>),
    /// The engine failed.
    Failed {
        /// The failure.
        error: ArenaError,
        /// True if another try would fail, too.
        for_good: bool,
    },
    /// It had not begun when the pool was stopped.
    NotPlayed,
}

impl From<Result<GameLine, ArenaError>> for EndedGame {
    fn from(played: Result<GameLine, ArenaError>) -> EndedGame {
        match played {
            Ok(line) => EndedGame::Played(Box::new(line)),
            Err(error) => EndedGame::Failed { error, for_good: false },
        }
    }
}

/// A game that a thread has played, or failed to play.
type PlayedGame = (Fixture, thread::Result<Result<GameLine, ArenaError>>);

/// Threads that play games until this is dropped.
struct Threads {
    concurrency: usize,
    jobs: Sender<Fixture>,
    reported: Receiver<PlayedGame>,
    running: usize,
    /// True while a game is played alone.
    is_alone: bool,
}

/// Calls `then` with a pool of this many threads, 0 counts as 1, which play by `runner`.
///
/// # Errors
/// No thread can be started, or the error of `then`.
///
/// # Panics
/// As `runner` does, once the scheduler takes the game.
pub fn with_threads<T>(
    concurrency: usize,
    runner: &dyn GameRunner,
    then: impl FnOnce(&mut dyn GamePool) -> Result<T, ArenaError>,
) -> Result<T, ArenaError> {
    let concurrency = concurrency.max(1);
    let (jobs, queue) = channel::<Fixture>();
    let (reports, reported) = channel::<PlayedGame>();
    let queue = Mutex::new(queue);
    thread::scope(|scope| {
        // Moved in here, so that the queue is closed before the scope waits for the threads.
        let mut pool = Threads { concurrency, jobs, reported, running: 0, is_alone: false };
        for _ in 0..concurrency {
            let (reports, queue) = (reports.clone(), &queue);
            let worker = thread::Builder::new().name("a game".to_owned());
            let worker = worker.spawn_scoped(scope, move || work(queue, &reports, runner));
            worker.map_err(|e| ArenaError::process("start a thread for", "games", e))?;
        }
        then(&mut pool)
    })
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

impl GamePool for Threads {
    fn takes(&self, alone: bool) -> bool {
        !self.is_alone && self.running < if alone { 1 } else { self.concurrency }
    }

    fn begin(&mut self, fixture: Fixture, alone: bool) {
        self.running += 1;
        self.is_alone = alone;
        // The threads listen as long as the queue is open.
        let _ = self.jobs.send(fixture);
    }

    fn ended(&mut self, wait: Duration) -> Result<Option<(Fixture, EndedGame)>, ArenaError> {
        match self.reported.recv_timeout(wait) {
            Ok((fixture, played)) => {
                self.running -= 1;
                self.is_alone = false;
                let played = played.unwrap_or_else(|panic| resume_unwind(panic));
                Ok(Some((fixture, played.into())))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => unreachable!("the caller holds a sender"),
        }
    }
}
