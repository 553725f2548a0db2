//! The thread of a match that is being played or shown.

use crate::matches::host::MatchHost;
use crate::matches::publish;
use crate::matches::running_matches::{RunningMatch, RunningMatches, SchedulerState};
use crate::state::finals::screening::rest;
use crate::state::name::BotId;
use crate::state::request_error::RequestResult;
use arena::{ArenaError, Interrupt};
use std::sync::{Arc, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// Plays or shows a match in a thread of its own: its number, its bots, and the number of its tournament, or 0 for a
/// game of a final.
pub(crate) fn start(
    host: &Arc<MatchHost>,
    mut matches: MutexGuard<'_, SchedulerState>,
    (id, bots, tournament): (u64, [BotId; 2], u32),
    work: impl FnOnce(&MatchHost, &Interrupt) -> RequestResult<()> + Send + 'static,
) -> Result<(), ArenaError> {
    let failed = |e| ArenaError::process("start a thread for", "a match", e);
    let interrupt = Interrupt::new().map_err(failed)?;
    matches.last_id = matches.last_id.max(id);
    matches.waiting = None;
    let begun = Instant::now();
    let running =
        RunningMatch { bots, tournament, begun, broken_off: None, interrupt: interrupt.clone(), thread: None };
    matches.running.insert(id, running);
    let shared = Arc::clone(host);
    let thread = thread::Builder::new().name(format!("match {id}")).spawn(move || {
        let settings = shared.store.look(|state| state.settings);
        let pause = if tournament == 0 { rest(settings.pace) } else { Duration::from_millis(settings.pause_match) };
        let end = RunningGuard { matches: &shared.running, id, pause };
        publish::tournament(&shared);
        if let Err(error) = work(&shared, &interrupt) {
            shared.report_trouble(&error);
        }
        publish::leaderboard(&shared);
        publish::changed_bots(&shared);
        drop(end);
        publish::tournament(&shared);
    });
    match thread {
        Ok(thread) => {
            // A short match may be over by now.
            if let Some(running) = matches.running.get_mut(&id) {
                running.thread = Some(thread);
            }
            Ok(())
        }
        Err(error) => {
            matches.running.remove(&id);
            Err(failed(error))
        }
    }
}

/// Removes a match from the running ones when it is dropped, so that a panic does not leave it there.
struct RunningGuard<'a> {
    matches: &'a RunningMatches,
    id: u64,
    pause: Duration,
}

impl Drop for RunningGuard<'_> {
    fn drop(&mut self) {
        let mut matches = self.matches.lock();
        matches.running.remove(&self.id);
        matches.rest_until = matches.rest_until.max(Some(Instant::now() + self.pause));
        drop(matches);
        self.matches.wake();
    }
}
