//! The floor: the matches that are being played, and what the desk waits for.

use super::Venue;
use super::line::BotId;
use arena::Interrupt;
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long the desk waits after the server could not do something.
const AFTER_TROUBLE: Duration = Duration::from_secs(5);

/// The matches that are being played, and when the next one may begin.
#[derive(Debug)]
pub(super) struct Floor {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) running: BTreeMap<u64, Running>,
    pub(super) rest_until: Instant,
    pub(super) last_id: u64,
    pub(super) closing: bool,
    pub(super) trouble: Option<String>,
    pub(super) waiting: Option<&'static str>,
}

#[derive(Debug)]
pub(super) struct Running {
    pub(super) bots: [BotId; 2],
    pub(super) interrupt: Interrupt,
    pub(super) thread: Option<JoinHandle<()>>,
}

impl Floor {
    pub(super) fn new() -> Floor {
        let state = State {
            running: BTreeMap::new(),
            rest_until: Instant::now(),
            last_id: 0,
            closing: false,
            trouble: None,
            waiting: None,
        };
        Floor { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Makes the desk look again.
    pub(super) fn wake(&self) {
        drop(self.lock());
        self.changed.notify_all();
    }

    /// Makes the desk go on at once, whatever pause it is in.
    pub(super) fn hurry(&self) {
        self.lock().rest_until = Instant::now();
        self.changed.notify_all();
    }

    /// Breaks off the matches of a bot, or all of them.
    pub(super) fn break_off(&self, bot: Option<BotId>) {
        let state = self.lock();
        let those = state.running.values().filter(|running| bot.is_none_or(|bot| running.bots.contains(&bot)));
        those.for_each(|running| running.interrupt.raise());
    }

    /// Ends everything.
    pub(super) fn close(&self) {
        self.lock().closing = true;
        self.break_off(None);
        self.changed.notify_all();
    }

    /// The matches that are being played, and who plays them.
    pub(super) fn playing(&self) -> Vec<(u64, [BotId; 2])> {
        self.lock().running.iter().map(|(id, running)| (*id, running.bots)).collect()
    }

    /// What went wrong last, in words.
    pub(super) fn last_trouble(&self) -> Option<String> {
        self.lock().trouble.clone()
    }

    /// What the desk waits for, in words.
    pub(super) fn waiting(&self) -> Option<&'static str> {
        self.lock().waiting
    }

    /// Waits until there is something, looking whenever somebody wakes the desk, and at the times it says. `None` if
    /// everything is to end.
    pub(super) fn wait_for<T>(&self, look: impl Fn() -> Result<T, Option<Instant>>) -> Option<T> {
        let mut state = self.lock();
        loop {
            if state.closing {
                return None;
            }
            match look() {
                Ok(there) => return Some(there),
                Err(until) => state = wait(&self.changed, state, until),
            }
        }
    }

    /// Waits with a state that was looked at, until somebody wakes the desk or until then.
    pub(super) fn rest(&self, state: MutexGuard<'_, State>, until: Option<Instant>) {
        drop(wait(&self.changed, state, until));
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn wait<'a>(changed: &Condvar, state: MutexGuard<'a, State>, until: Option<Instant>) -> MutexGuard<'a, State> {
    if state.closing {
        return state;
    }
    match until {
        None => changed.wait(state).unwrap_or_else(PoisonError::into_inner),
        Some(until) => {
            let time = until.saturating_duration_since(Instant::now());
            changed.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner).0
        }
    }
}

/// Takes a match off the floor when it ends, however that is.
pub(super) struct Gone<'a> {
    pub(super) venue: &'a Venue,
    pub(super) id: u64,
    pub(super) pause: Duration,
}

impl Drop for Gone<'_> {
    fn drop(&mut self) {
        let mut state = self.venue.floor.lock();
        state.running.remove(&self.id);
        state.rest_until = state.rest_until.max(Instant::now() + self.pause);
        drop(state);
        self.venue.floor.changed.notify_all();
    }
}

impl Venue {
    /// Something could not be done; the desk waits a while before it goes on.
    pub(super) fn trouble(&self, words: &str) {
        let mut state = self.floor.lock();
        state.trouble = Some(words.to_owned());
        state.rest_until = state.rest_until.max(Instant::now() + AFTER_TROUBLE);
    }
}
