//! A way to stop a match from outside.

use crate::{ArenaError, MatchEvent, Observer};
/// Stops a match from another thread or a signal handler. All clones are one interrupt. Code that waits for a player waits for
/// its interrupt as well.
pub use platform::wait::Flag as Interrupt;
use rules::Game;

/// Ends the match at its next step, also if no player waits for anything.
impl<G: Game> Observer<G> for Interrupt {
    fn on(&mut self, _: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        if self.is_raised() { Err(ArenaError::Interrupted) } else { Ok(()) }
    }
}
