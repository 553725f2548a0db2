//! Waiting, by poll(2), for several things at once: processes, pipes, sockets, terminals and flags.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
pub use std::os::fd::{AsFd as Waitable, OwnedFd as Handle};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The things that are waited for, numbered from 0 in the order in which they are added.
#[derive(Debug, Default)]
pub struct WaitSet<'a>(Vec<PollFd<'a>>);

impl<'a> WaitSet<'a> {
    /// An empty set.
    pub fn new() -> WaitSet<'a> {
        WaitSet::default()
    }

    /// Adds something that is waited for until it can be read from: it has bytes, has ended or is raised.
    #[must_use]
    pub fn readable(self, by: &'a (impl Waitable + ?Sized)) -> WaitSet<'a> {
        self.with(by, PollFlags::IN)
    }

    /// Adds something that is waited for until it can be written to.
    #[must_use]
    pub fn writable(self, by: &'a (impl Waitable + ?Sized)) -> WaitSet<'a> {
        self.with(by, PollFlags::OUT)
    }

    /// Adds something that is waited for until it can be read from or written to.
    #[must_use]
    pub fn readable_or_writable(self, by: &'a (impl Waitable + ?Sized)) -> WaitSet<'a> {
        self.with(by, PollFlags::IN | PollFlags::OUT)
    }

    fn with(mut self, by: &'a (impl Waitable + ?Sized), events: PollFlags) -> WaitSet<'a> {
        self.0.push(PollFd::from_borrowed_fd(by.as_fd(), events));
        self
    }

    /// Waits until one of them is ready, or for at most this time. Gives the number of those that are ready.
    ///
    /// # Errors
    /// The system refuses to wait. A signal that comes meanwhile is no error: the wait goes on for the rest of the time.
    pub fn wait(&mut self, most: Option<Duration>) -> io::Result<usize> {
        let start = Instant::now();
        let mut left = most;
        loop {
            match poll(&mut self.0, left.map(timespec).as_ref()) {
                Err(Errno::INTR) => left = most.map(|most| most.saturating_sub(start.elapsed())),
                waited => return Ok(waited?),
            }
        }
    }

    /// Tells whether the one with this number was ready at the end of the last [`WaitSet::wait`], or broken.
    ///
    /// # Panics
    /// The set has no such number.
    pub fn is_ready(&self, number: usize) -> bool {
        !self.0[number].revents().is_empty()
    }
}

fn timespec(time: Duration) -> Timespec {
    Timespec { tv_sec: i64::try_from(time.as_secs()).unwrap_or(i64::MAX), tv_nsec: time.subsec_nanos().into() }
}

/// A flag that stays raised until it is cleared, and can be waited for together with other things. All clones are one flag. A
/// signal handler may raise it.
#[derive(Debug, Clone)]
pub struct Flag {
    reader: Arc<OwnedFd>,
    writer: Arc<OwnedFd>,
    /// True once the flag has been raised, also after it was cleared. Set before the first byte is written: while it is false,
    /// the pipe is empty, and the system need not be asked.
    was_raised: Arc<AtomicBool>,
}

impl Flag {
    /// A flag that has not been raised.
    ///
    /// # Errors
    /// The system has no pipe left.
    pub fn new() -> io::Result<Flag> {
        let (reader, writer) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        Ok(Flag { reader: Arc::new(reader), writer: Arc::new(writer), was_raised: Arc::default() })
    }

    /// Raises the flag. Calling it again has no further effect.
    pub fn raise(&self) {
        self.was_raised.store(true, Ordering::SeqCst);
        // If the pipe is full, the flag has been raised before.
        let _ = rustix::io::write(&*self.writer, b"!");
    }

    /// Makes the flag as new: what has raised it before counts no longer.
    pub fn clear(&self) {
        let mut bytes = [0; 64];
        // Reading ends with an error when the pipe is empty.
        while rustix::io::read(&*self.reader, &mut bytes).is_ok_and(|read| read > 0) {}
    }

    /// Tells whether the flag is raised. Until it has been raised, this does not ask the system.
    pub fn is_raised(&self) -> bool {
        self.was_raised.load(Ordering::SeqCst) && self.is_raised_within(Duration::ZERO)
    }

    /// Waits until the flag is raised, or for at most this time or until a signal comes. Tells whether it is raised.
    pub fn is_raised_within(&self, most: Duration) -> bool {
        matches!(poll(&mut [PollFd::new(&self.reader, PollFlags::IN)], Some(&timespec(most))), Ok(1))
    }

    /// Waits until the flag is raised.
    pub fn wait(&self) {
        while let Err(Errno::INTR) = poll(&mut [PollFd::new(&self.reader, PollFlags::IN)], None) {}
    }

    /// The two things with which a signal handler raises the flag, in this order: it sets the first, and writes a byte to the
    /// other.
    pub(crate) fn raised_by(&self) -> io::Result<(Arc<AtomicBool>, OwnedFd)> {
        Ok((Arc::clone(&self.was_raised), self.writer.try_clone()?))
    }
}

impl AsFd for Flag {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }
}

/// Reads the bytes that are there, but not more than `into` holds; none at the end.
///
/// # Errors
/// [`io::ErrorKind::WouldBlock`] if there are none yet and `from` never blocks; the system's error.
pub fn read<'a>(from: &impl Waitable, into: &'a mut [MaybeUninit<u8>]) -> io::Result<&'a [u8]> {
    Ok(rustix::io::read(from, into)?.0)
}

/// Writes to a pipe, and gives the number of bytes that found room there.
///
/// # Errors
/// [`io::ErrorKind::WouldBlock`] if there is no room and `to` never blocks; [`io::ErrorKind::BrokenPipe`] if nobody reads any
/// more; the system's error.
pub fn write(to: &impl Waitable, bytes: &[u8]) -> io::Result<usize> {
    Ok(rustix::io::write(to, bytes)?)
}

/// Lets reads of a pipe fail where they would block.
///
/// # Errors
/// The system refuses.
pub fn set_nonblocking(pipe: &Handle) -> io::Result<()> {
    Ok(rustix::io::ioctl_fionbio(pipe, true)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_thread_ends_the_waiting() {
        let flag = Flag::new().unwrap();
        let clone = flag.clone();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(move || clone.wait());
            flag.raise();
            waiting.join().unwrap();
        });
        assert!(flag.is_raised());
    }

    #[test]
    fn it_stays_raised_in_all_clones_until_it_is_cleared() {
        let flag = Flag::new().unwrap();
        let clone = flag.clone();
        assert!(!clone.is_raised());
        for _ in 0..100_000 {
            flag.raise();
        }
        assert!(clone.is_raised() && flag.is_raised());
        clone.clear();
        assert!(!clone.is_raised() && !flag.is_raised());
        flag.raise();
        assert!(clone.is_raised());
    }

    #[test]
    fn what_is_ready_is_told_by_its_number() {
        let (quiet, raised) = (Flag::new().unwrap(), Flag::new().unwrap());
        let mut set = WaitSet::new().readable(&quiet).readable(&raised).writable(&*quiet.writer);
        raised.raise();
        assert_eq!(set.wait(None).unwrap(), 2);
        assert_eq!([0, 1, 2].map(|number| set.is_ready(number)), [false, true, true]);
    }
}
