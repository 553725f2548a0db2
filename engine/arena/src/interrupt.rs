//! A way to stop a match from outside.

use crate::{ArenaError, MatchEvent, Observer};
use rules::Game;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

/// Tells all who wait that the match is to stop. Clones tell the same.
///
/// Whoever waits for a player polls [`Interrupt::as_fd`] as well; it stays readable once the match is to stop.
#[derive(Debug, Clone)]
pub struct Interrupt {
    reader: Arc<OwnedFd>,
    writer: Arc<OwnedFd>,
}

impl Interrupt {
    /// One that has not been raised.
    pub fn new() -> io::Result<Interrupt> {
        use rustix::pipe::{PipeFlags, pipe_with};
        let (reader, writer) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        Ok(Interrupt { reader: Arc::new(reader), writer: Arc::new(writer) })
    }

    /// Stops the match. More than once is no more than once.
    pub fn raise(&self) {
        // A full pipe has been raised often enough.
        let _ = rustix::io::write(&*self.writer, b"!");
    }

    /// Whether the match is to stop.
    pub fn is_raised(&self) -> bool {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        matches!(poll(&mut [PollFd::new(&self.reader, PollFlags::IN)], Some(&now)), Ok(1))
    }

    /// An end to write to from a signal handler: one byte raises it.
    pub fn writer(&self) -> io::Result<OwnedFd> {
        self.writer.try_clone()
    }
}

/// Ends a match between two turns, also where no player waits for anything.
impl<G: Game> Observer<G> for Interrupt {
    fn on(&mut self, _: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        if self.is_raised() { Err(ArenaError::Interrupted) } else { Ok(()) }
    }
}

impl AsFd for Interrupt {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::Interrupt;

    #[test]
    fn it_stays_raised_in_all_clones() {
        let interrupt = Interrupt::new().unwrap();
        let clone = interrupt.clone();
        assert!(!clone.is_raised());
        for _ in 0..100_000 {
            interrupt.raise();
        }
        assert!(clone.is_raised() && interrupt.is_raised());
    }
}
