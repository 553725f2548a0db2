//! The place where a worker gets jobs: the heads that tell of themselves.

use crate::error::ClusterError;
use crate::wire::link::{Link, NoAnswer};
use crate::wire::messages::{self, HeadState, Job, JobRequest};
use crate::wire::names;
use crate::wire::signing::{PublicKey, SecretKey};
use platform::locks::lock;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The time after which a head that tells nothing is not asked any more.
const SILENT: Duration = Duration::from_secs(10);
/// The time for which a slot waits for a job before it looks whether it shall end.
const WAIT: Duration = Duration::from_secs(1);

/// A job that a worker has taken.
pub(crate) struct TakenJob {
    pub(crate) job: Job,
    /// The run of the head that has given it.
    pub(crate) run: String,
}

/// The heads for which a worker plays, by their runs.
pub(crate) struct JobSource {
    labels: Vec<String>,
    key: SecretKey,
    /// The key of each head, and the time at which it told something.
    runs: Mutex<BTreeMap<String, (PublicKey, Instant)>>,
}

impl JobSource {
    /// The source of a worker with these labels and this key.
    pub(crate) fn new(labels: Vec<String>, key: SecretKey) -> JobSource {
        JobSource { labels, key, runs: Mutex::default() }
    }

    /// Notes that a head with this key, for which the worker plays, has told its state.
    pub(crate) fn note(&self, head: PublicKey, state: &HeadState) {
        let mut runs = lock(&self.runs);
        runs.retain(|_, (_, at)| at.elapsed() < SILENT);
        if state.is_over {
            runs.remove(&state.run);
        } else {
            runs.insert(state.run.clone(), (head, Instant::now()));
        }
    }

    /// The next job that the worker can play, if one comes soon. Slots that begin `at` different numbers ask different heads first.
    ///
    /// # Errors
    /// A head takes no results of this worker, or what it gives is no job.
    pub(crate) fn next(&self, link: &Link, at: usize) -> Result<Option<TakenJob>, ClusterError> {
        let mut runs: Vec<_> = lock(&self.runs).iter().map(|(run, (head, _))| (run.clone(), *head)).collect();
        let count = runs.len();
        if count == 0 || !link.is_connected() {
            link.pause(WAIT / 5);
            return Ok(None);
        }
        runs.rotate_left(at % count);
        // What is there already comes first, and only then each is waited for.
        let each = (WAIT / count as u32).max(Duration::from_millis(100));
        let waits = [Duration::ZERO].into_iter().filter(|_| count > 1).chain([each]);
        for wait in waits {
            for (run, head) in &runs {
                if let Some(job) = self.job_of(link, run, *head, wait)? {
                    return Ok(Some(TakenJob { job, run: run.clone() }));
                }
            }
        }
        Ok(None)
    }

    /// A job of this run, if there is one within this time.
    fn job_of(&self, link: &Link, run: &str, head: PublicKey, wait: Duration) -> Result<Option<Job>, ClusterError> {
        let request = JobRequest { labels: self.labels.clone(), wait_ms: wait.as_millis() as u64 };
        let message = messages::write_to_head(names::JOB, run, &messages::write(&request), &self.key);
        match link.try_ask(&names::to_head(run, names::JOB), &message, wait) {
            Ok(answer) if answer.is_empty() => Ok(None),
            Ok(answer) if answer == messages::REFUSED.as_bytes() => Err(ClusterError::Unlisted(self.key.public())),
            Ok(answer) => {
                let job = messages::read_job(&answer, head)?;
                Ok(Some(job).filter(|job| job.to == self.key.public().to_string()))
            }
            // It has ended, or stands still: it is asked again when it tells that it is there.
            Err(NoAnswer::NobodyThere | NoAnswer::Late(_)) => {
                lock(&self.runs).remove(run);
                Ok(None)
            }
        }
    }
}
