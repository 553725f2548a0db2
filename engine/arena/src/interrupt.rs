//! A way to stop a match from outside.

use crate::{ArenaError, MatchEvent, Observer};
use platform::wait::Flag;
use rules::Game;
use std::io;

/// Stops a match from another thread or a signal handler. All clones are one interrupt.
///
/// Code that waits for a player waits for [`Interrupt::flag`] as well.
#[derive(Debug, Clone)]
pub struct Interrupt {
    flag: Flag,
}

impl Interrupt {
    /// An interrupt that has not been raised.
    ///
    /// # Errors
    /// The system has no pipe left.
    pub fn new() -> io::Result<Interrupt> {
        Flag::new().map(|flag| Interrupt { flag })
    }

    /// Stops the match. Calling it again has no further effect.
    pub fn raise(&self) {
        self.flag.raise();
    }

    /// Clears the flag so that it can be used again.
    pub fn clear(&self) {
        self.flag.clear();
    }

    /// Tells whether the match is to stop.
    pub fn is_raised(&self) -> bool {
        self.flag.is_raised()
    }

    /// Waits until it is raised.
    pub fn wait(&self) {
        self.flag.wait();
    }

    /// The flag that is raised when the match is to stop, and stays so until [`Interrupt::clear`].
    pub fn flag(&self) -> &Flag {
        &self.flag
    }
}

/// Ends the match at its next step, also if no player waits for anything.
impl<G: Game> Observer<G> for Interrupt {
    fn on(&mut self, _: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        if self.is_raised() { Err(ArenaError::Interrupted) } else { Ok(()) }
    }
}
