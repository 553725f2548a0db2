//! Messages of workers at a head: requests for jobs, results, and files of games.

use super::Head;
use crate::error::ClusterError;
use crate::head::job_queue::Asker;
use crate::head::requests::{Request, Wish};
use crate::wire::messages::{self, Job, JobRequest};
use crate::wire::names;
use crate::wire::signing::PublicKey;
use async_nats::Subject;
use platform::locks::lock;
use runner::KeptGames;
use std::fs::File;
use std::io::Write;
use std::time::{Duration, Instant};
use tournament::GamePool;

/// The time after which a worker that asked for a job does not wait any more: an answer would be lost.
const GONE: Duration = Duration::from_secs(4);
/// The most requests for jobs of one worker that wait: one for each game that it plays at the same time.
const MOST_ASKING: usize = 1000;
/// The most bytes of files of one worker that are on the disk of the head before its answers.
const MOST_FILES: u64 = 640 << 20;

/// A worker that waits for a job.
pub(super) struct Asking {
    key: PublicKey,
    /// The subject of the answer.
    reply: Subject,
    job: JobRequest,
    /// The time until which it waits.
    until: Instant,
}

impl Asking {
    fn asker(&self, most: usize) -> Asker<'_> {
        Asker { key: self.key, labels: &self.job.labels, most }
    }
}

impl Head {
    /// Takes a message of a worker.
    ///
    /// # Errors
    /// The names of workers or files of games cannot be written.
    pub(super) fn take(&mut self, Request { reply, what, .. }: Request) -> Result<(), ClusterError> {
        match what {
            Wish::Job(key, job, until) => {
                let of_key = self.asking.iter().filter(|asking| asking.key == key).count();
                // Whoever asks for more does not wait for an answer.
                if of_key < MOST_ASKING {
                    self.asking.push_back(Asking { key, reply, job, until });
                }
            }
            Wish::File(message) => {
                self.take_part(&message.payload);
                self.reply(reply, Vec::new());
            }
            Wish::Answer(message) => {
                // Of those that do not have the job, it is not even read.
                let id =
                    messages::claimed(&message.payload).filter(|(key, id, _)| self.jobs.holder(id, *key).is_some());
                if id.is_some()
                    && let Ok((key, id, packed)) = messages::read_to_head(names::ANSWER, &message.payload)
                {
                    self.take_answer(id, key, packed)?;
                }
                // What is not in the journal when the head ends is played again.
                self.reply(reply, Vec::new());
            }
        }
        Ok(())
    }

    fn reply(&self, to: Subject, message: Vec<u8>) {
        // Whoever does not hear it asks again.
        let _ = self.link.block_on(self.link.client.publish(to, message.into()));
    }

    /// Gives jobs to workers that wait for one. Those that have waited for as long as they wanted hear that there is none.
    pub(super) fn give_jobs(&mut self) {
        // The scheduler has given all that it has for now.
        let (slots, has_no_more) = (self.known_slots(), self.takes(false));
        let has_some = self.jobs.has_some();
        for asking in std::mem::take(&mut self.asking) {
            let most = if has_some { self.most_jobs(asking.key) } else { 0 };
            let late = Instant::now().saturating_duration_since(asking.until);
            if late >= GONE {
                continue;
            }
            let job = if has_some { self.job_for(asking.asker(most), slots, has_no_more) } else { None };
            match job {
                Some(job) => self.reply(asking.reply, messages::write_job(&job, &self.key)),
                None if late.is_zero() => self.asking.push_back(asking),
                None => self.reply(asking.reply, Vec::new()),
            }
        }
    }

    fn job_for(&mut self, asker: Asker<'_>, slots: usize, has_no_more: bool) -> Option<Job> {
        if self.is_stopped || self.is_resting(asker.key) {
            return None;
        }
        let (workers, engine) = (lock(&self.workers), &self.message.engine);
        let has_others = |needs: &str, keys: &[PublicKey]| workers.has_others(engine, needs, keys);
        let (id, batch) = self.jobs.take(asker, (slots, has_no_more), &has_others)?;
        Some(Job {
            id,
            to: asker.key.to_string(),
            tournament: self.tournament.clone(),
            description: self.description.clone(),
            games: batch.games,
            is_alone: batch.is_alone,
            lost_after_ms: self.lost_after.as_millis() as u64,
        })
    }

    /// Keeps a part of the files of a job's games until the answer comes: the line has the name of the job and the place of the part.
    /// Parts come in their order; one that comes twice is known.
    fn take_part(&mut self, message: &[u8]) {
        let Some((key, line, bytes)) = messages::claimed(message) else { return };
        let place = line.split_once(' ').and_then(|(job, offset)| Some((job, offset.parse::<u64>().ok()?)));
        let Some((job, offset)) = place else { return };
        if self.message.keep == KeptGames::Nothing || self.jobs.bytes_of(key) + bytes.len() as u64 > MOST_FILES {
            return;
        }
        let folder = self.uploads.path();
        let Some(holder) = self.jobs.holder(job, key).filter(|holder| holder.bytes == offset) else { return };
        if messages::read_to_head(names::FILE, message).is_err() {
            return;
        }
        // A file that is not open: there may be very many workers.
        if holder.files.is_none() {
            let new = tempfile::NamedTempFile::new_in(folder);
            holder.files = new.ok().map(tempfile::NamedTempFile::into_temp_path);
        }
        let Some(path) = &holder.files else { return };
        // What is not there is missed when the answer comes.
        let written = File::options().append(true).open(path).and_then(|mut file| file.write_all(bytes));
        if written.is_ok() {
            holder.bytes += bytes.len() as u64;
        }
    }
}
