//! The tournaments whose bots a worker keeps ready.

use crate::error::ClusterError;
use crate::wire::messages::Job;
use crate::worker::tournament_bots::TournamentBots;
use arena::Interrupt;
use platform::locks::lock;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// The number of tournaments that are kept ready, besides those of jobs that run.
const MOST: usize = 4;

/// The tournaments that a worker has played games of lately; the last is the one of the last job.
#[derive(Default)]
pub(crate) struct Tournaments(Mutex<VecDeque<Arc<KnownTournament>>>);

/// A tournament that a worker knows.
pub(crate) struct KnownTournament {
    /// The run of its head.
    run: String,
    /// The hash of its description.
    description: String,
    /// Stops its games.
    pub(crate) interrupt: Interrupt,
    /// Its bots, once they are ready.
    bots: Mutex<Option<Arc<TournamentBots>>>,
}

impl KnownTournament {
    /// The bots of the tournament, ready to play. The first caller makes it so by `open`; others wait for that.
    ///
    /// # Errors
    /// The error of `open`: the next caller tries again.
    pub(crate) fn bots(
        &self,
        open: impl FnOnce(&str, &Interrupt) -> Result<TournamentBots, ClusterError>,
    ) -> Result<Arc<TournamentBots>, ClusterError> {
        let mut bots = lock(&self.bots);
        if let Some(bots) = &*bots {
            return Ok(Arc::clone(bots));
        }
        if self.interrupt.is_raised() {
            return Err(ClusterError::Interrupted);
        }
        let now = Arc::new(open(&self.description, &self.interrupt)?);
        *bots = Some(Arc::clone(&now));
        Ok(now)
    }
}

impl Tournaments {
    /// The tournament of a job of this run.
    ///
    /// # Errors
    /// The system gives no pipe.
    pub(crate) fn of(&self, job: &Job, run: &str) -> Result<Arc<KnownTournament>, ClusterError> {
        let mut all = lock(&self.0);
        let found = all.iter().position(|known| known.description == job.description && known.run == run);
        let known = match found.and_then(|at| all.remove(at)) {
            Some(known) => known,
            None => Arc::new(KnownTournament {
                run: run.to_owned(),
                description: job.description.clone(),
                interrupt: Interrupt::new().map_err(ClusterError::Threads)?,
                bots: Mutex::default(),
            }),
        };
        all.push_back(Arc::clone(&known));
        // One whose games run is not forgotten: somebody may want to stop them.
        while all.len() > MOST
            && let Some(idle) = all.iter().position(|known| Arc::strong_count(known) == 1)
        {
            all.remove(idle);
        }
        Ok(known)
    }

    /// Stops the games of this run.
    pub(crate) fn stop(&self, run: &str) {
        lock(&self.0).retain(|known| {
            let is_it = known.run == run;
            if is_it {
                known.interrupt.raise();
            }
            !is_it
        });
    }

    /// Stops all games.
    pub(crate) fn stop_all(&self) {
        lock(&self.0).iter().for_each(|known| known.interrupt.raise());
    }
}
