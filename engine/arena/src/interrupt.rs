//! A way to stop a match from outside.

use crate::{ArenaError, MatchEvent, Observer};
use rules::Game;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

/// Stops a match from another thread or a signal handler. All clones are one interrupt.
///
/// Code that waits for a player polls [`Interrupt::as_fd`] as well: it becomes readable when the match is to stop,
/// and stays so.
#[derive(Debug, Clone)]
pub struct Interrupt {
    reader: Arc<OwnedFd>,
    writer: Arc<OwnedFd>,
}

impl Interrupt {
    /// An interrupt that has not been raised.
    ///
    /// # Errors
    /// The system has no pipe left.
    pub fn new() -> io::Result<Interrupt> {
        use rustix::pipe::{PipeFlags, pipe_with};
        let (reader, writer) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        Ok(Interrupt { reader: Arc::new(reader), writer: Arc::new(writer) })
    }

    /// Stops the match. Calling it again has no further effect.
    pub fn raise(&self) {
        // If the pipe is full, the interrupt has been raised before.
        let _ = rustix::io::write(&*self.writer, b"!");
    }

    /// Tells whether the match is to stop.
    pub fn is_raised(&self) -> bool {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        matches!(poll(&mut [PollFd::new(&self.reader, PollFlags::IN)], Some(&now)), Ok(1))
    }

    /// Waits until it is raised.
    pub fn wait(&self) {
        use rustix::event::{PollFd, PollFlags, poll};
        while let Err(rustix::io::Errno::INTR) = poll(&mut [PollFd::new(&self.reader, PollFlags::IN)], None) {}
    }

    /// The writing end, for a signal handler: one byte raises the interrupt.
    ///
    /// # Errors
    /// The system has no file descriptor left.
    pub fn writer(&self) -> io::Result<OwnedFd> {
        self.writer.try_clone()
    }
}

/// Ends the match at its next step, also if no player waits for anything.
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
    fn another_thread_ends_the_waiting() {
        let interrupt = Interrupt::new().unwrap();
        let clone = interrupt.clone();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(move || clone.wait());
            interrupt.raise();
            waiting.join().unwrap();
        });
        assert!(interrupt.is_raised());
    }

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
