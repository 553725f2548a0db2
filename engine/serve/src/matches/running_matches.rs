//! The matches that are being played, and the wake-ups of the scheduler.

use crate::matches::next_step::Playing;
use crate::state::name::BotId;
use crate::state::request_error::Trouble;
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
    /// The time until which no match of a slow bot begins while others can.
    pub(crate) slow_after: Option<Instant>,
    /// The time of the next try after the server failed to do something.
    pub(crate) retry_at: Option<Instant>,
    /// The last failure of the server, until it can write to its folder again.
    pub(crate) trouble: Option<Trouble>,
    /// The failure before, which may turn out to last.
    last_trouble: Option<Trouble>,
    /// The reason why the scheduler waits, in words.
    pub(crate) waiting: Option<&'static str>,
}

#[derive(Debug)]
pub(crate) struct RunningMatch {
    pub(crate) bots: [BotId; 2],
    /// The number of its tournament; 0 for a game of a final.
    pub(crate) tournament: u32,
    /// The time when it began.
    pub(crate) begun: Instant,
    /// The reason why it is broken off, in words, if it is.
    pub(crate) broken_off: Option<&'static str>,
    pub(crate) interrupt: Interrupt,
    pub(crate) thread: Option<JoinHandle<()>>,
}

impl SchedulerState {
    /// The matches that are being played.
    pub(crate) fn playing(&self) -> Vec<Playing> {
        let playing = |running: &RunningMatch| Playing {
            tournament: running.tournament,
            bots: running.bots,
            begun: running.begun,
        };
        self.running.values().map(playing).collect()
    }
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

    /// Interrupts the matches for which the condition holds, for a reason in words.
    pub(crate) fn break_off(&self, why: &'static str, is_meant: impl Fn(u64, &RunningMatch) -> bool) {
        let mut matches = self.lock();
        for (_, running) in matches.running.iter_mut().filter(|(id, running)| is_meant(**id, running)) {
            running.broken_off = Some(why);
            running.interrupt.raise();
        }
    }

    /// The reason why a match is broken off, in words.
    pub(crate) fn why_broken_off(&self, id: u64) -> &'static str {
        let matches = self.lock();
        matches.running.get(&id).and_then(|running| running.broken_off).unwrap_or("it was interrupted")
    }

    /// Interrupts all matches and ends the scheduler.
    pub(crate) fn close(&self) {
        self.lock().closing = true;
        self.break_off("the server ends", |_, _| true);
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

    /// Notes what the server could not do. The scheduler waits for a while before it tries again. Returns true if it could do
    /// this before.
    pub(crate) fn report_trouble(&self, text: &str) -> bool {
        let mut matches = self.lock();
        matches.retry_at = Some(Instant::now() + AFTER_TROUBLE);
        let known = [matches.trouble.take(), matches.last_trouble.take()];
        let same = known.into_iter().flatten().find(|trouble| trouble.text == text);
        let is_new = same.is_none();
        matches.trouble = same.or_else(|| Some(Trouble::now(text)));
        drop(matches);
        self.changed.notify_all();
        is_new
    }

    /// Forgets what the server could not do, unless it was something else meanwhile.
    pub(crate) fn forget_trouble(&self, known: &Trouble) {
        let mut matches = self.lock();
        if matches.trouble.take_if(|trouble| trouble == known).is_some() {
            matches.retry_at = None;
            matches.last_trouble = Some(known.clone());
        }
    }

    /// Lets the scheduler wait for a while before it tries again.
    pub(crate) fn wait_longer(&self) {
        self.lock().retry_at = Some(Instant::now() + AFTER_TROUBLE);
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, SchedulerState> {
        lock(&self.matches)
    }
}
