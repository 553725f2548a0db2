//! Jobs to which no answer comes, and those that the head takes back.

use super::{JobQueue, SentJob};
use crate::error::ClusterError;
use crate::wire::link::{CALL, Link, text};
use crate::wire::names;
use async_nats::jetstream::stream::{RawMessageErrorKind, Stream};
use futures_util::StreamExt;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;
use tournament::Fixture;

/// The most jobs of a kind that are looked for on the server at a time.
const MOST_LOOKED_FOR: usize = 20;

/// The reasons for which a job without an answer is sent again.
pub(crate) enum Loss {
    /// The server does not have it any more.
    Gone,
    /// Workers have had it for too long. It was taken from them.
    Overdue,
}

impl JobQueue {
    /// Removes and returns the jobs to which no answer comes, each with the reason: the server lost it without an answer (it was
    /// missing at the previous call, too, and had no answer since), or workers have it for too long. Checks the oldest jobs of each
    /// kind for the first.
    ///
    /// # Errors
    /// The server does not answer.
    pub(crate) fn lost(&mut self, link: &Link) -> Result<Vec<(SentJob, Loss)>, ClusterError> {
        let is_overdue = |job: &SentJob| job.is_overdue(self.stuck_after);
        let lost = self.sent.iter().filter(|(_, job)| job.is_gone || is_overdue(job));
        let lost: Vec<String> = lost.map(|(id, _)| id.clone()).collect();
        let lost: Vec<_> = lost.iter().filter_map(|id| self.answered(id)).collect();
        if lost.is_empty() && self.sent.is_empty() {
            return Ok(Vec::new());
        }
        let stream = link.stream(names::JOBS)?;
        let with_loss = |job: SentJob| {
            if job.is_gone {
                return (job, Loss::Gone);
            }
            withdraw(link, &stream, job.sequence);
            (job, Loss::Overdue)
        };
        let lost = lost.into_iter().map(with_loss).collect();
        self.note_taken(link, &stream);
        let subjects = names::jobs_of_tournament(&self.tournament);
        let counts: BTreeMap<String, usize> = link.wait("count jobs", async || {
            let counts = stream.info_with_subjects(&subjects).await.map_err(text)?;
            counts.map(|count| count.map_err(text)).collect::<Vec<_>>().await.into_iter().collect()
        })?;
        for (needs, sent) in &self.sent_with {
            let there = counts.get(&names::job(&self.engine, needs, &self.tournament)).copied().unwrap_or_default();
            if there >= *sent {
                continue;
            }
            let mut jobs: Vec<_> = self.sent.values_mut().filter(|job| job.needs == *needs).collect();
            jobs.sort_unstable_by_key(|job| job.sequence);
            for job in jobs.into_iter().take(MOST_LOOKED_FOR) {
                let sequence = job.sequence;
                job.is_gone = link.wait("find a job", async || match stream.get_raw_message(sequence).await {
                    Ok(_) => Ok(false),
                    Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => Ok(true),
                    Err(error) => Err(text(error)),
                })?;
            }
        }
        Ok(lost)
    }

    /// Notes which jobs workers have: a consumer hands them out in their order. If the server does not tell, the next call does.
    fn note_taken(&mut self, link: &Link, stream: &Stream) {
        for needs in self.sent_with.iter().filter(|(_, sent)| **sent > 0).map(|(needs, _)| needs) {
            let name = names::consumer_of_jobs(&self.engine, needs);
            let told = link.block_on(async { tokio::time::timeout(CALL, stream.consumer_info(name)).await });
            let Ok(Ok(info)) = told else { continue };
            let is_taken = |job: &&mut SentJob| job.needs == *needs && job.sequence <= info.delivered.stream_sequence;
            self.sent.values_mut().filter(is_taken).for_each(|job| _ = job.taken.get_or_insert_with(Instant::now));
        }
    }

    /// Takes these games, which other workers were to play again, out of their jobs.
    ///
    /// # Errors
    /// The server does not answer.
    pub(crate) fn withdraw_second(&mut self, link: &Link, games: &BTreeSet<Fixture>) -> Result<(), ClusterError> {
        for job in self.sent.values_mut().filter(|job| !job.not_for.is_empty()) {
            job.games.retain(|game| !games.contains(game));
        }
        let empty: Vec<_> =
            self.sent.iter().filter(|(_, job)| job.games.is_empty()).map(|(id, _)| id.clone()).collect();
        let stream = link.stream(names::JOBS)?;
        for job in empty.iter().filter_map(|id| self.answered(id)) {
            withdraw(link, &stream, job.sequence);
        }
        Ok(())
    }
}

/// Removes a job from the server, in one try. If that fails, some worker plays it for nobody.
fn withdraw(link: &Link, stream: &Stream, sequence: u64) {
    let _ = link.block_on(async { tokio::time::timeout(CALL, stream.delete_message(sequence)).await });
}
