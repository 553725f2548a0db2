//! The answers to the jobs of a head, and the jobs to which none came.

use super::{Head, HeadReport, MOST_GIVEN_BACK, MOST_TOLD, failed};
use crate::error::ClusterError;
use crate::head::job_queue::SentJob;
use crate::head::job_queue::lost_jobs::Loss;
use crate::head::known_workers::is_listed;
use crate::wire::messages::{self, JobGameResult, JobResult};
use crate::wire::names;
use crate::wire::result_check::{checked, fetch_files, remove_files, shown};
use crate::wire::signing::PublicKey;
use async_nats::jetstream::Message;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use tournament::Fixture;

impl Head {
    /// Takes an answer: its games have ended.
    ///
    /// # Errors
    /// The server does not answer, or the head was interrupted. If that was while files were fetched, the job has no answer yet.
    pub(crate) fn take(&mut self, message: Message) -> Result<(), ClusterError> {
        let (signer, answer) = match messages::read_result(&message.payload) {
            Ok(answer) => answer,
            Err(error) => {
                let id = message.headers.as_ref().and_then(|headers| headers.get("Nats-Msg-Id"));
                let job = id.and_then(|id| self.jobs.answered(id.as_str()));
                self.fail(job.map(|job| job.games).unwrap_or_default(), &error.to_string());
                self.taken.push(message);
                return Ok(());
            }
        };
        let is_listed = is_listed(&signer, &self.listed);
        let has_files = self.take_files(&answer, is_listed)?;
        // Of an earlier run, or a second answer of a worker that was taken for lost.
        let Some(job) = self.jobs.answered(&answer.job) else {
            self.taken.push(message);
            return Ok(());
        };
        if !is_listed || job.not_for.contains(&signer) {
            self.tell_refused(&answer, signer, is_listed)?;
            self.taken.push(message);
            return self.send_again(job);
        }
        let worker = self.name_of(&answer, signer)?;
        let SentJob { mut games, needs, is_alone, not_for, sent, .. } = job;
        // Of games that are played again, those count for which a second result is still wanted.
        games.retain(|game| not_for.is_empty() || self.audits.has(*game));
        let mut time = sent.elapsed();
        let why = answer.why.map(|why| shown(&why));
        if let Some(why) = &why {
            self.tell_failure(&worker, why);
            self.is_asked_to_renew = true;
        }
        let mut played = Vec::new();
        let mut again = BTreeSet::new();
        let mut split = BTreeSet::new();
        let is_one = games.len() <= 2;
        for game in answer.games {
            let fixture = game.fixture();
            if !games.remove(&fixture) {
                continue;
            }
            let end = match game {
                JobGameResult::Played(line) => {
                    match checked(*line, &worker, (&self.message, &self.bounds), time, &self.folder, has_files) {
                        Ok(line) => {
                            // A worker plays the games of a job one after the other.
                            let took = Duration::from_millis(line.took_ms);
                            time = time.saturating_sub(took);
                            self.jobs.note_time(took);
                            played.push(line);
                            continue;
                        }
                        Err(why) => failed(why, false),
                    }
                }
                JobGameResult::Failed { error, .. } => failed(format!("{worker}: {}", shown(&error)), false),
                JobGameResult::GivenBack { .. } if self.is_given_up(fixture) => {
                    let why = why.as_deref().unwrap_or("it ended before it had played the game");
                    failed(format!("{worker}: {why}"), false)
                }
                JobGameResult::GivenBack { .. } => {
                    again.insert(fixture);
                    continue;
                }
                // One of them does the harm.
                JobGameResult::SetAside { .. } if !is_one => {
                    split.insert(fixture);
                    continue;
                }
                JobGameResult::SetAside { deliveries, .. } => {
                    failed(format!("{deliveries} workers that played it died, or fell silent; it is set aside"), true)
                }
            };
            self.end(fixture, end);
        }
        self.fail(games, &format!("{worker} gave no result of it"));
        self.take_played(signer, &needs, played, is_alone)?;
        self.jobs.add_again(&self.link, &needs, again, is_alone, &not_for)?;
        self.send_pairs(&needs, split, is_alone, &not_for)?;
        match self.ended.len() {
            0 => self.taken.push(message),
            left => self.answered.push_back((left, message)),
        }
        Ok(())
    }

    /// Tells of a worker, once, whose answer does not count: it is not listed, or others were to play the games again.
    fn tell_refused(&mut self, answer: &JobResult, signer: PublicKey, is_listed: bool) -> Result<(), ClusterError> {
        let (worker, report) = if is_listed {
            let worker = self.name_of(answer, signer)?;
            (worker.clone(), HeadReport::Meddles(worker))
        } else {
            (signer.to_string(), HeadReport::Unlisted(shown(&answer.worker), signer))
        };
        if self.told_failures.len() < MOST_TOLD && self.told_failures.insert((worker, String::new())) {
            (self.report)(report);
        }
        Ok(())
    }

    /// The name of the worker that has signed an answer, as the journal has it.
    fn name_of(&mut self, answer: &JobResult, signer: PublicKey) -> Result<String, ClusterError> {
        let told = shown(&answer.worker);
        let (name, is_new) = self.names.of(&told, signer)?;
        if is_new && name != told {
            (self.report)(HeadReport::SameName(told, name.clone()));
        }
        Ok(name)
    }

    /// Puts the files of an answer into the folder, and removes those that earlier tries of its games left there; true if there
    /// are some. Those of an answer that is not waited for, or of a worker that is not listed, are removed from the server.
    fn take_files(&mut self, answer: &JobResult, is_listed: bool) -> Result<bool, ClusterError> {
        let hash = |files| names::hash_of_files(files, &answer.job);
        // The files of the first result of a game are there already.
        let job = self.jobs.job(&answer.job).filter(|job| is_listed && job.not_for.is_empty());
        let Some(games) = job.map(|job| &job.games) else {
            let is_ours = names::is_job_of(&answer.job, &self.tournament);
            return match answer.files.as_deref().filter(|files| is_ours && hash(files).is_some()) {
                Some(files) => self.link.forget(names::FILES, files).map(|()| false),
                None => Ok(false),
            };
        };
        let ended = |game: &&JobGameResult| !matches!(game, JobGameResult::GivenBack { .. });
        let ended: BTreeSet<Fixture> =
            answer.games.iter().filter(ended).map(JobGameResult::fixture).filter(|game| games.contains(game)).collect();
        let taken = match answer.files.as_deref().map(|files| (files, hash(files))) {
            None => remove_files(&self.folder, &ended).map(|()| false),
            Some((files, Some(hash))) => fetch_files(&self.link, (files, hash), &self.folder, &ended).map(|()| true),
            Some((_, None)) => remove_files(&self.folder, &ended).and(Err(ClusterError::Message(
                "an answer",
                "it names files that are not those of its job".to_owned(),
            ))),
        };
        match taken {
            Err(ClusterError::Interrupted) => Err(ClusterError::Interrupted),
            Err(error) => {
                self.tell_lost_files(&shown(&runner::with_causes(&error)));
                Ok(false)
            }
            Ok(has_files) => Ok(has_files),
        }
    }

    /// Notes that a worker could not play a game; true if that was so too often.
    fn is_given_up(&mut self, fixture: Fixture) -> bool {
        let times = self.given_back.entry(fixture).or_default();
        *times += 1;
        *times >= MOST_GIVEN_BACK
    }

    /// Tells of a failure of a worker, once.
    fn tell_failure(&mut self, worker: &str, why: &str) {
        if self.told_failures.len() < MOST_TOLD && self.told_failures.insert((worker.to_owned(), why.to_owned())) {
            (self.report)(HeadReport::GivenBack(worker.to_owned(), why.to_owned()));
        }
    }

    /// Tells that records are lost, once for each reason.
    fn tell_lost_files(&mut self, why: &str) {
        if self.told_lost.len() < MOST_TOLD && self.told_lost.insert(why.to_owned()) {
            (self.report)(HeadReport::FilesLost(why.to_owned()));
        }
    }

    /// Ends games that nobody has played as failed.
    fn fail(&mut self, games: BTreeSet<Fixture>, why: &str) {
        games.into_iter().for_each(|fixture| self.end(fixture, failed(why.to_owned(), false)));
    }

    /// Sends the games of lost jobs again: the server has neither these jobs nor answers to them any more.
    pub(crate) fn look_for_lost_jobs(&mut self) -> Result<(), ClusterError> {
        if self.looked_for_lost.elapsed() < self.lost_after {
            return Ok(());
        }
        self.looked_for_lost = Instant::now();
        for (job, loss) in self.jobs.lost(&self.link)? {
            match loss {
                Loss::Gone => self.send_again(job)?,
                Loss::Overdue if job.games.len() > 2 => {
                    self.send_pairs(&job.needs, job.games, job.is_alone, &job.not_for)?;
                }
                Loss::Overdue => {
                    for game in job.games {
                        self.end(game, failed("workers took it and gave no answer; it is set aside".to_owned(), true));
                    }
                }
            }
        }
        Ok(())
    }

    /// Sends the games of a job again to which there was no answer that counts. Those for which that happened too often have failed.
    fn send_again(&mut self, SentJob { games, needs, is_alone, not_for, .. }: SentJob) -> Result<(), ClusterError> {
        let wanted = games.into_iter().filter(|game| not_for.is_empty() || self.audits.has(*game));
        let wanted: BTreeSet<_> = wanted.collect();
        let (given_up, again): (BTreeSet<_>, _) = wanted.into_iter().partition(|game| self.is_given_up(*game));
        self.fail(given_up, "workers took it again and again, and gave no answer that counts");
        self.jobs.add_again(&self.link, &needs, again, is_alone, &not_for)
    }

    /// Sends games again, each pair alone: one of them does the harm.
    fn send_pairs(
        &mut self,
        needs: &str,
        games: BTreeSet<Fixture>,
        is_alone: bool,
        not_for: &[PublicKey],
    ) -> Result<(), ClusterError> {
        let mut pairs: BTreeMap<(usize, usize, u32), Vec<Fixture>> = BTreeMap::new();
        for fixture in games {
            pairs.entry((fixture.first, fixture.second, fixture.pair())).or_default().push(fixture);
        }
        pairs.into_values().try_for_each(|games| self.jobs.send(&self.link, needs, games, is_alone, not_for))
    }
}
