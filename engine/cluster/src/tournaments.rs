//! The tournaments whose bots a worker keeps ready.

use crate::ClusterError;
use crate::messages::Job;
use crate::opened::Opened;
use crate::worker_state::lock;
use arena::Interrupt;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// The number of tournaments that are kept ready, besides those of jobs that run.
const MOST: usize = 4;

/// The tournaments that a worker has played games of lately; the last is the one of the last job.
#[derive(Default)]
pub(crate) struct Tournaments(Mutex<VecDeque<Arc<KnownTournament>>>);

/// A tournament that a worker knows.
pub(crate) struct KnownTournament {
    /// Its name.
    name: String,
    /// The object with its description.
    description: String,
    /// Stops its games.
    pub(crate) interrupt: Interrupt,
    /// Its bots, once they are ready.
    opened: Mutex<Option<Arc<Opened>>>,
}

impl KnownTournament {
    /// The tournament, ready to be played. The first caller makes it so by `open`; others wait for that.
    ///
    /// # Errors
    /// The error of `open`: the next caller tries again.
    pub(crate) fn opened(
        &self,
        open: impl FnOnce(&str, &Interrupt) -> Result<Opened, ClusterError>,
    ) -> Result<Arc<Opened>, ClusterError> {
        let mut opened = lock(&self.opened);
        if let Some(opened) = &*opened {
            return Ok(Arc::clone(opened));
        }
        if self.interrupt.is_raised() {
            return Err(ClusterError::Interrupted);
        }
        let now = Arc::new(open(&self.description, &self.interrupt)?);
        *opened = Some(Arc::clone(&now));
        Ok(now)
    }
}

impl Tournaments {
    /// The tournament of a job.
    ///
    /// # Errors
    /// The system gives no pipe.
    pub(crate) fn of(&self, job: &Job) -> Result<Arc<KnownTournament>, ClusterError> {
        let mut all = lock(&self.0);
        let found = all.iter().position(|known| known.description == job.description && known.name == job.tournament);
        let known = match found.and_then(|at| all.remove(at)) {
            Some(known) => known,
            None => Arc::new(KnownTournament {
                name: job.tournament.clone(),
                description: job.description.clone(),
                interrupt: Interrupt::new().map_err(ClusterError::Threads)?,
                opened: Mutex::default(),
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

    /// Stops the games of the tournament of this name. If it goes on later, it is opened again.
    pub(crate) fn stop(&self, name: &[u8]) {
        lock(&self.0).retain(|known| {
            let is_it = known.name.as_bytes() == name;
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
