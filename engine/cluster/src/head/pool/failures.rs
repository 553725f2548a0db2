//! Games to which a worker told no result: others play them. Workers that fail again and again wait.

use super::{Head, HeadReport, LOOK, MOST_TOLD, failed};
use crate::error::ClusterError;
use crate::head::job_queue::Batch;
use crate::wire::signing::PublicKey;
use platform::locks::lock;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tournament::Fixture;

/// The number of workers whose failures end a game.
const ENOUGH: usize = 3;
/// The number of workers that are lost with some games before each pair of them is given out alone, and then before it is set aside.
const MOST_LOST: u32 = 3;
/// The number of times that workers give games back before they have failed.
const MOST_GIVEN_BACK: u32 = 20;
/// The time for which a worker gets no job after a failure. It doubles with each in a row, up to the longest.
const REST: Duration = Duration::from_millis(500);
const LONGEST_REST: Duration = Duration::from_secs(60);

/// The reason why games have no result from a worker that had them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    /// The end of the worker before it has played them.
    Ends,
    /// The silence of the worker for too long.
    Lost,
    /// The answer of the worker that it cannot play them.
    GivenBack,
    /// A failure of its engine, or an answer that is no result.
    Failed,
}

/// The jobs that a worker did and failed to do, which decide how many it gets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trust {
    /// The number of jobs that it has done since it failed.
    done: usize,
    /// The number of jobs with which it has failed since it has done one.
    failures: u32,
    /// The time until which it gets no job.
    until: Instant,
}

impl Trust {
    fn new() -> Trust {
        Trust { done: 0, failures: 0, until: Instant::now() }
    }
}

impl Head {
    /// True if no job goes to the worker with this key for now.
    pub(super) fn is_resting(&self, key: PublicKey) -> bool {
        self.trust.get(&key).is_some_and(|trust| Instant::now() < trust.until)
    }

    /// The most jobs that the worker with this key may have: more, the more it has done. Whoever takes jobs and does none has few.
    pub(super) fn most_jobs(&self, key: PublicKey) -> usize {
        let slots = lock(&self.workers).slots_of(key);
        let done = self.trust.get(&key).map_or(0, |trust| trust.done);
        // Twice as many as it can play: answers may be under way.
        (2 * slots.max(1)).min(2 + 2 * done)
    }

    /// Notes that the worker with this key has done a job.
    pub(super) fn note_done(&mut self, key: PublicKey) {
        let trust = self.trust.entry(key).or_insert_with(Trust::new);
        *trust = Trust { done: trust.done + 1, ..Trust::new() };
    }

    /// Notes that the worker with this key has failed to do a job.
    pub(super) fn note_failure(&mut self, key: PublicKey) {
        let trust = self.trust.entry(key).or_insert_with(Trust::new);
        let rest = (REST * 2_u32.saturating_pow(trust.failures)).min(LONGEST_REST);
        *trust = Trust { done: 0, failures: trust.failures + 1, until: Instant::now() + rest };
    }

    /// Notes that a worker with this key ends and has given back its job. However often it is started and ended, the next one waits
    /// only once.
    pub(super) fn note_end(&mut self, key: PublicKey) {
        let trust = self.trust.entry(key).or_insert_with(Trust::new);
        *trust = Trust { done: 0, until: trust.until.max(Instant::now() + REST), ..*trust };
    }

    /// Notes that another has done a job that the workers with these keys have had for long.
    pub(super) fn note_late(&mut self, keys: Vec<PublicKey>) {
        keys.into_iter().filter_map(|key| self.trust.get_mut(&key).map(|trust| trust.done = 0)).for_each(drop);
    }

    /// True if a worker with other keys than these can play games with these needs.
    pub(super) fn has_others(&self, needs: &str, keys: &[PublicKey]) -> bool {
        lock(&self.workers).has_others(&self.message.engine, needs, keys)
    }

    /// Gives these games of a job to others, because the worker with this key told no result of them, each for a reason; or ends
    /// them, if that was so too often. One worker alone cannot end them while there is another that can play them.
    pub(super) fn play_again(
        &mut self,
        batch: &Batch,
        games: Vec<(Fixture, String)>,
        key: PublicKey,
        failure: Failure,
    ) {
        // Of games that are played again, those count for which a second result is still wanted.
        let is_wanted = |game: &Fixture| batch.not_for.is_empty() || self.audits.has(*game);
        let games: Vec<_> = games.into_iter().filter(|(game, _)| is_wanted(game)).collect();
        let fixtures = games.iter().map(|(game, _)| *game).collect();
        let mut batch = Batch { games: fixtures, ..batch.clone() };
        batch.tries += u32::from(failure != Failure::Ends);
        batch.failed_by.extend(Some(key).filter(|key| !batch.failed_by.contains(key)));
        let is_known = batch.failed_by.len() >= ENOUGH || !self.has_others(&batch.needs, &batch.had_by());
        match failure {
            Failure::Failed if is_known => self.fail(games, false),
            Failure::GivenBack if batch.tries >= MOST_GIVEN_BACK => self.fail(games, false),
            // One of them does the harm.
            Failure::Lost if batch.tries >= MOST_LOST && batch.games.len() > 2 => self.add_pairs(&batch),
            Failure::Lost if batch.tries >= MOST_LOST && is_known => {
                let why = format!("{} workers that played it died, or fell silent; it is set aside", batch.tries);
                self.fail(games.into_iter().map(|(game, _)| (game, why.clone())), true);
            }
            _ => self.jobs.add_batch(batch),
        }
    }

    /// Gives games out again, each pair alone.
    fn add_pairs(&mut self, batch: &Batch) {
        let mut pairs: BTreeMap<(usize, usize, u32), Vec<Fixture>> = BTreeMap::new();
        for fixture in &batch.games {
            pairs.entry((fixture.first, fixture.second, fixture.pair())).or_default().push(*fixture);
        }
        for games in pairs.into_values() {
            let not_for = batch.not_for.clone();
            self.jobs.add_batch(Batch { not_for, ..Batch::new(&batch.needs, games, batch.is_alone) });
        }
    }

    /// Ends games that nobody has played as failed, each for a reason.
    fn fail(&mut self, games: impl IntoIterator<Item = (Fixture, String)>, for_good: bool) {
        games.into_iter().for_each(|(fixture, why)| self.end(fixture, failed(why, for_good)));
    }

    /// Looks for workers that tell nothing of a job any more, and gives its games to others. While there is no connection, nobody can
    /// tell anything.
    ///
    /// # Errors
    /// The login lacks a right.
    pub(super) fn look_for_lost_workers(&mut self) -> Result<(), ClusterError> {
        let is_connected = self.link.is_connected();
        if is_connected != self.connected.is_some() {
            self.connected = is_connected.then(Instant::now);
            (self.report)(HeadReport::Connection(is_connected));
        }
        if self.looked_for_lost.elapsed() < LOOK {
            return Ok(());
        }
        self.link.check_rights()?;
        self.looked_for_lost = Instant::now();
        self.late = self.jobs.late_games();
        let Some(connected) = self.connected else { return Ok(()) };
        let heard = lock(&self.workers).heard_of_jobs();
        for (id, key) in self.jobs.lost(&heard, connected) {
            let Some((batch, _)) = self.jobs.give_back(&id, key) else { continue };
            self.note_failure(key);
            if self.jobs.leave_to_others(&id, &batch.games, Some(key)).is_empty() {
                let games = batch.games.iter().map(|game| (*game, String::new())).collect();
                self.play_again(&batch, games, key, Failure::Lost);
            }
        }
        Ok(())
    }

    /// Tells of a failure of a worker, once.
    pub(super) fn tell_failure(&mut self, worker: &str, why: &str) {
        if self.told_failures.len() < MOST_TOLD && self.told_failures.insert((worker.to_owned(), why.to_owned())) {
            (self.report)(HeadReport::GivenBack(worker.to_owned(), why.to_owned()));
        }
    }
}
