//! The only way in which a call to a bot waits: until its time is up or the match is to stop.

use super::call_error::CallError;
use arena::Interrupt;
use platform::wait::WaitSet;
use std::time::{Duration, Instant};

/// The longest single wait.
const STEP: Duration = Duration::from_millis(100);
/// A step that takes so much longer than [`STEP`] means that the engine itself was stopped.
const STOPPED: Duration = Duration::from_millis(500);

/// The time of one exchange, from the look-up of the name to the last byte of the answer.
#[derive(Debug)]
pub(super) struct Deadline<'a> {
    started: Instant,
    limit: Option<Duration>,
    /// The time for which the engine was stopped meanwhile (Ctrl-Z, a suspended machine), which is not the bot's time.
    stopped: Duration,
    interrupt: &'a Interrupt,
}

impl Deadline<'_> {
    /// A deadline whose time begins now.
    pub(super) fn new(limit: Option<Duration>, interrupt: &Interrupt) -> Deadline<'_> {
        Deadline { started: Instant::now(), limit, stopped: Duration::ZERO, interrupt }
    }

    /// The time used so far.
    pub(super) fn used(&self) -> Duration {
        self.started.elapsed().saturating_sub(self.stopped)
    }

    /// The time left; `None` without limit.
    pub(super) fn left(&self) -> Option<Duration> {
        self.limit.map(|limit| limit.saturating_sub(self.used()))
    }

    /// Waits until the one thing in `awaited` is ready.
    pub(super) fn until(&mut self, awaited: WaitSet<'_>) -> Result<(), CallError> {
        if self.within(None, awaited)? { Ok(()) } else { Err(CallError::TimedOut(String::new())) }
    }

    /// Waits until the one thing in `awaited` is ready, or for `share` of the time that is left. Tells whether it is ready.
    pub(super) fn within(&mut self, share: Option<Duration>, awaited: WaitSet<'_>) -> Result<bool, CallError> {
        let mut set = awaited.readable(&self.interrupt);
        let end = share.map(|share| self.used() + share);
        loop {
            let share_left = end.map(|end| end.saturating_sub(self.used()));
            let left = self.left().into_iter().chain(share_left).min();
            let step = left.map_or(STEP, |left| left.min(STEP));
            let before = Instant::now();
            set.wait(Some(step)).map_err(|source| CallError::Ours { doing: "wait for a socket", source })?;
            let [happened, interrupted] = [0, 1].map(|number| set.is_ready(number));
            let excess = before.elapsed().saturating_sub(step);
            if excess > STOPPED {
                self.stopped += excess;
            }
            if interrupted {
                return Err(CallError::Interrupted);
            }
            // A bot that sends a byte now and then is late all the same.
            if self.left() == Some(Duration::ZERO) {
                return Err(CallError::TimedOut(String::new()));
            }
            if happened {
                return Ok(true);
            }
            if left == Some(Duration::ZERO) {
                return Ok(false);
            }
        }
    }
}
