//! A signal that something has changed.

use platform::locks::lock;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// A signal that something has changed, for a thread that waits for it.
#[derive(Debug, Default)]
pub(crate) struct Signal {
    changes: Mutex<u64>,
    changed: Condvar,
}

impl Signal {
    /// The number of changes so far.
    pub(crate) fn changes(&self) -> u64 {
        *lock(&self.changes)
    }

    /// Tells of a change.
    pub(crate) fn tell(&self) {
        *lock(&self.changes) += 1;
        self.changed.notify_all();
    }

    /// Waits until there are other changes than those that were `seen`, or for this time.
    pub(crate) fn wait(&self, seen: u64, longest: Option<Duration>) {
        let changes = lock(&self.changes);
        let is_same = |changes: &mut u64| *changes == seen;
        match longest {
            None => drop(self.changed.wait_while(changes, is_same).unwrap_or_else(PoisonError::into_inner)),
            Some(longest) => {
                let waited = self.changed.wait_timeout_while(changes, longest, is_same);
                drop(waited.unwrap_or_else(PoisonError::into_inner));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn no_change_is_missed() {
        let signal = Signal::default();
        let seen = signal.changes();
        signal.tell();
        signal.wait(seen, None);
        thread::scope(|scope| {
            let waiting = scope.spawn(|| signal.wait(signal.changes(), Some(Duration::from_secs(600))));
            while !waiting.is_finished() {
                signal.tell();
            }
        });
        signal.wait(signal.changes(), Some(Duration::ZERO));
    }
}
