//! The matches that are being played, and the wake-ups of the scheduler.

use crate::state::journal_line::BotId;
use arena::Interrupt;
use platform::locks::lock;
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The pause of the scheduler after the server failed to do something.
const AFTER_TROUBLE: Duration = Duration::from_secs(5);

/// The matches that are being played, and the time when the next one may begin.
#[derive(Debug, Default)]
pub(crate) struct RunningMatches {
    matches: Mutex<SchedulerState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
pub(crate) struct SchedulerState {
    pub(crate) running: BTreeMap<u64, RunningMatch>,
    /// The time until which no match begins, if there is a pause.
    pub(crate) rest_until: Option<Instant>,
    pub(crate) last_id: u64,
    pub(crate) closing: bool,
    /// The game of a final that is being played or shown: nothing of it may be known but what the screens have shown.
    pub(crate) on_screen: Option<u64>,
    /// The time of the next try after the server failed to do something.
    pub(crate) retry_at: Option<Instant>,
    /// The last failure of the server, in words.
    pub(crate) trouble: Option<String>,
    /// The reason why tournaments were paused by the server itself, in words, until they run again.
    pub(crate) outage: Option<String>,
    /// The reason why the scheduler waits, in words.
    pub(crate) waiting: Option<&'static str>,
}

#[derive(Debug)]
pub(crate) struct RunningMatch {
    pub(crate) bots: [BotId; 2],
    pub(crate) is_of_final: bool,
    pub(crate) interrupt: Interrupt,
    pub(crate) thread: Option<JoinHandle<()>>,
}

impl RunningMatches {
    /// True if the bot is playing a match.
    pub(crate) fn has(&self, bot: BotId) -> bool {
        self.lock().running.values().any(|running| running.bots.contains(&bot))
    }

    /// Wakes the scheduler.
    pub(crate) fn wake(&self) {
        drop(self.lock());
        self.changed.notify_all();
    }

    /// Wakes the scheduler, and ends the pause that it is in.
    pub(crate) fn hurry(&self) {
        let mut matches = self.lock();
        (matches.rest_until, matches.retry_at) = (None, None);
        drop(matches);
        self.changed.notify_all();
    }

    /// Interrupts the matches for which the condition holds.
    pub(crate) fn break_off(&self, is_meant: impl Fn(&RunningMatch) -> bool) {
        let matches = self.lock();
        matches.running.values().filter(|running| is_meant(running)).for_each(|running| running.interrupt.raise());
    }

    /// Interrupts all matches and ends the scheduler.
    pub(crate) fn close(&self) {
        self.lock().closing = true;
        self.break_off(|_| true);
        self.changed.notify_all();
    }

    /// Waits until `look` returns a value. `look` is called at each wake-up, and at the times that it returns. `None`
    /// if the server ends.
    pub(crate) fn wait_for<T>(&self, look: impl Fn() -> Result<T, Option<Instant>>) -> Option<T> {
        let mut matches = self.lock();
        loop {
            if matches.closing {
                return None;
            }
            match look() {
                Ok(there) => return Some(there),
                Err(until) => matches = self.rest(matches, until),
            }
        }
    }

    /// Waits for the next wake-up, or until this time.
    pub(crate) fn rest<'a>(
        &self,
        matches: MutexGuard<'a, SchedulerState>,
        until: Option<Instant>,
    ) -> MutexGuard<'a, SchedulerState> {
        match until {
            _ if matches.closing => matches,
            None => self.changed.wait(matches).unwrap_or_else(PoisonError::into_inner),
            Some(until) => {
                let time = until.saturating_duration_since(Instant::now());
                self.changed.wait_timeout(matches, time).unwrap_or_else(PoisonError::into_inner).0
            }
        }
    }

    /// Notes what the server could not do. The scheduler waits for a while before it goes on.
    pub(crate) fn report_trouble(&self, text: &str) {
        let mut matches = self.lock();
        matches.trouble = Some(text.to_owned());
        matches.retry_at = Some(Instant::now() + AFTER_TROUBLE);
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, SchedulerState> {
        lock(&self.matches)
    }
}
