//! Waiting for one flag. Several things cannot be waited for at once.

use super::missing;
use std::io;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const FILE: &str = "wait.rs";

/// Something that can be waited for: here anything, because [`WaitSet::wait`] fails.
pub trait Waitable {}

impl<T: ?Sized> Waitable for T {}

/// An open pipe, file or socket.
#[derive(Debug)]
pub enum Handle {}

impl Handle {
    /// A second descriptor of the same thing.
    ///
    /// # Errors
    /// None.
    pub fn try_clone(&self) -> io::Result<Handle> {
        match *self {}
    }
}

/// The things that are waited for.
#[derive(Debug, Default)]
pub struct WaitSet<'a>(PhantomData<&'a ()>);

impl<'a> WaitSet<'a> {
    /// An empty set.
    pub fn new() -> WaitSet<'a> {
        WaitSet::default()
    }

    /// Adds something that is waited for until it can be read from.
    #[must_use]
    pub fn readable(self, _by: &'a (impl Waitable + ?Sized)) -> WaitSet<'a> {
        self
    }

    /// Adds something that is waited for until it can be written to.
    #[must_use]
    pub fn writable(self, _by: &'a (impl Waitable + ?Sized)) -> WaitSet<'a> {
        self
    }

    /// Adds something that is waited for until it can be read from or written to.
    #[must_use]
    pub fn readable_or_writable(self, _by: &'a (impl Waitable + ?Sized)) -> WaitSet<'a> {
        self
    }

    /// Waits until one of them is ready.
    ///
    /// # Errors
    /// Always.
    pub fn wait(&mut self, _most: Option<Duration>) -> io::Result<usize> {
        missing("several things cannot be waited for at once", FILE)
    }

    /// False: nothing was waited for.
    pub fn is_ready(&self, _number: usize) -> bool {
        false
    }
}

/// A flag that stays raised until it is cleared, and can be waited for. All clones are one flag.
#[derive(Debug, Clone, Default)]
pub struct Flag {
    raised: Arc<(Mutex<bool>, Condvar)>,
}

impl Flag {
    /// A flag that has not been raised.
    ///
    /// # Errors
    /// None.
    pub fn new() -> io::Result<Flag> {
        Ok(Flag::default())
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.raised.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Raises the flag. Calling it again has no further effect.
    pub fn raise(&self) {
        *self.lock() = true;
        self.raised.1.notify_all();
    }

    /// Makes the flag as new: what has raised it before counts no longer.
    pub fn clear(&self) {
        *self.lock() = false;
    }

    /// Tells whether the flag is raised.
    pub fn is_raised(&self) -> bool {
        *self.lock()
    }

    /// Waits until the flag is raised, or for at most this time. Tells whether it is raised.
    pub fn is_raised_within(&self, most: Duration) -> bool {
        let waited = self.raised.1.wait_timeout_while(self.lock(), most, |raised| !*raised);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Waits until the flag is raised.
    pub fn wait(&self) {
        drop(self.raised.1.wait_while(self.lock(), |raised| !*raised).unwrap_or_else(PoisonError::into_inner));
    }
}

/// Reads the bytes that are there.
///
/// # Errors
/// Always.
pub fn read<'a>(_from: &impl Waitable, _into: &'a mut [MaybeUninit<u8>]) -> io::Result<&'a [u8]> {
    missing("bytes cannot be read without waiting for them", FILE)
}

/// Lets reads of a pipe fail where they would block.
///
/// # Errors
/// None.
pub fn set_nonblocking(pipe: &Handle) -> io::Result<()> {
    match *pipe {}
}

/// Writes to a pipe.
///
/// # Errors
/// Always.
pub fn write(_to: &impl Waitable, _bytes: &[u8]) -> io::Result<usize> {
    missing("bytes cannot be written without waiting for their reader", FILE)
}
