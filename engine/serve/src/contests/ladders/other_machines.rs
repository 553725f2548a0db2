//! Games of ladders on other machines.

use crate::contests::ladders::ladder::Ladder;
use arena::{ArenaError, Interrupt};
use runner::{BotOptions, TournamentDescription};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tournament::{EndedGame, Fixture, GamePool};

/// Opens a pool of other machines.
type Open =
    dyn Fn(TournamentDescription<'_>, &BotOptions, &Interrupt) -> Result<Box<dyn GamePool>, ArenaError> + Send + Sync;

/// Other machines that play the games of ladders.
#[derive(Clone)]
pub struct OtherMachines(Arc<Open>);

impl fmt::Debug for OtherMachines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OtherMachines").finish_non_exhaustive()
    }
}

impl OtherMachines {
    /// The machines of which `open` opens a pool. A ladder opens another one whenever it has changed who plays.
    pub fn new(
        open: impl Fn(TournamentDescription<'_>, &BotOptions, &Interrupt) -> Result<Box<dyn GamePool>, ArenaError>
        + Send
        + Sync
        + 'static,
    ) -> OtherMachines {
        OtherMachines(Arc::new(open))
    }
}

/// The machines that play the games of a ladder, until it has changed since `seen`.
pub(crate) struct Elsewhere<'a> {
    pub(crate) machines: &'a OtherMachines,
    pub(crate) ladder: &'a Ladder,
    pub(crate) seen: u64,
}

impl Elsewhere<'_> {
    /// Opens a pool, which raises `stop` once the ladder has changed.
    ///
    /// # Errors
    /// There is no connection to the machines, or a bot cannot be sent.
    pub(crate) fn open<'a>(
        &'a self,
        games: TournamentDescription<'_>,
        bots: &BotOptions,
        interrupt: &Interrupt,
        stop: &'a Interrupt,
    ) -> Result<UntilChanged<'a>, ArenaError> {
        let pool = (self.machines.0)(games, bots, interrupt)?;
        Ok(UntilChanged { pool, elsewhere: self, stop })
    }
}

/// A pool that raises `stop` once the ladder has changed: without machines, no game would end to tell that.
pub(crate) struct UntilChanged<'a> {
    pool: Box<dyn GamePool>,
    elsewhere: &'a Elsewhere<'a>,
    stop: &'a Interrupt,
}

impl GamePool for UntilChanged<'_> {
    fn takes(&self, alone: bool) -> bool {
        self.pool.takes(alone)
    }

    fn begin(&mut self, fixture: Fixture, alone: bool) {
        self.pool.begin(fixture, alone);
    }

    fn ended(&mut self, wait: Duration) -> Result<Option<(Fixture, EndedGame)>, ArenaError> {
        if self.elsewhere.ladder.changed.changes() != self.elsewhere.seen {
            self.stop.raise();
        }
        self.pool.ended(wait)
    }

    fn kept(&mut self) {
        self.pool.kept();
    }

    fn stop(&mut self) {
        self.pool.stop();
    }
}
