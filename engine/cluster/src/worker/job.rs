//! A job on a worker: played game by game, and answered.

use crate::error::ClusterError;
use crate::wire::archive;
use crate::wire::archive::FILES;
use crate::wire::messages::{self, Job, JobGameResult, JobResult, RunningJob};
use crate::wire::names;
use crate::wire::result_check;
use crate::worker::job_source::TakenJob;
use crate::worker::run::{Worker, WorkerReport};
use crate::worker::tournament_bots::TournamentBots;
use arena::ArenaError;
use async_nats::jetstream::{AckKind, Message};
use platform::locks::lock;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};
use tournament::Fixture;

/// A job that was delivered so often without an answer kills workers.
const MOST_DELIVERIES: i64 = 3;
/// The time after which a job that this worker is to leave to others is delivered again.
const TO_OTHERS: Duration = Duration::from_millis(200);
/// The time between two messages by which the server hears that a job goes on. Heads that share a queue may change the time after
/// which it is lost.
const PROGRESS: Duration = Duration::from_secs(1);
/// The time after which a job that could not be answered is delivered again.
const LATER: Duration = Duration::from_secs(5);

impl Worker {
    /// Plays a job, and answers it; false if this worker could not. If the answer fails, the server delivers the job again.
    pub(crate) fn answer(&self, TakenJob { message, lost_after }: &TakenJob) -> bool {
        let (signer, job) = match messages::read_job(&message.payload) {
            Ok(job) => job,
            Err(error) => {
                self.fault(&error);
                self.link.tell_of(message, AckKind::Term);
                return false;
            }
        };
        // Another worker tells whether it has the same results.
        if job.not_for.contains(&self.key.public().to_string()) {
            self.link.tell_of(message, AckKind::Nak(Some(TO_OTHERS)));
            return true;
        }
        let running = RunningJob { tournament: job.tournament.clone(), games: job.games.len(), done: 0 };
        // This machine slept, and the server took it for lost. Whoever plays the job here answers it.
        if !self.shared.begin(&job.id, running) {
            self.link.pause(PROGRESS);
            return true;
        }
        let progress = self.begin_progress(&job, message, PROGRESS.min(*lost_after / 3));
        let deliveries = message.info().map_or(1, |info| info.delivered);
        // A job of games that were played already kills none. Those who have played them hand it on, and it is delivered anew.
        let is_deadly = job.not_for.is_empty() && deliveries > MOST_DELIVERIES;
        let answer = match self.options.heads.contains(&signer) {
            // It may be for another worker of the cluster.
            false => Ok(self.given_back(&job, ClusterError::Stranger(signer))),
            true if is_deadly => Ok(self.set_aside(&job)),
            true => self.play(&job),
        };
        let (kind, is_done) = match answer {
            // Nobody wants its games any more.
            Err(Unwanted) => (AckKind::Term, true),
            Ok(answer) => match self.send(&job, &answer) {
                Ok(()) => (AckKind::Ack, answer.why.is_none() && !answer.games.iter().all(is_failure)),
                // It is given back without an answer.
                Err(error) => {
                    self.fault(&error);
                    (AckKind::Nak(Some(LATER)), false)
                }
            },
        };
        progress.abort();
        let acked = self
            .link
            .block_on(async { tokio::time::timeout(Duration::from_secs(5), message.double_ack_with(kind)).await });
        if !matches!(acked, Ok(Ok(()))) && !self.is_ending() {
            self.fault(&ClusterError::server("confirm a job", "no answer; it may be played again"));
        }
        self.shared.end(&job.id);
        is_done
    }

    /// Sends an answer. A worker that ends tries it a few times only.
    fn send(&self, job: &Job, answer: &JobResult) -> Result<(), ClusterError> {
        const TRIES: u32 = 60;
        const TRIES_AT_END: u32 = 2;
        let (subject, message) = (names::answers(&job.tournament), messages::write_result(answer, &self.key));
        let mut tries = 0;
        loop {
            let sent = self.link.try_publish(&subject, &job.id, message.clone());
            tries += 1;
            match sent {
                Err(ClusterError::TooLong) => {
                    // The head sends each game alone when it tries again.
                    let why = || runner::with_causes(&ClusterError::TooLong);
                    let failed = |fixture: &Fixture| JobGameResult::Failed { fixture: *fixture, error: why() };
                    let games = job.games.iter().map(failed).collect();
                    let answer = self.answer_of(job, games, None, None);
                    return self.link.try_publish(&subject, &job.id, messages::write_result(&answer, &self.key));
                }
                Err(_) if tries < if self.is_ending() { TRIES_AT_END } else { TRIES } => {
                    self.link.pause(Duration::from_millis(500));
                }
                sent => return sent,
            }
        }
    }

    /// Tells the server again and again that the job goes on, while games of it end.
    fn begin_progress(&self, job: &Job, message: &Message, step: Duration) -> tokio::task::JoinHandle<()> {
        let (message, id, shared, stuck_after) =
            (message.clone(), job.id.clone(), Arc::clone(&self.shared), self.options.stuck_after);
        self.link.spawn(async move {
            let (mut done, mut since) = (0, Instant::now());
            loop {
                tokio::time::sleep(step).await;
                let now = shared.done(&id);
                if now != done {
                    (done, since) = (now, Instant::now());
                }
                if since.elapsed() >= stuck_after {
                    let seconds = stuck_after.as_secs();
                    lock(&shared.state).last_fault = Some(format!("no game of a job has ended for {seconds} s"));
                    return;
                }
                let _ = message.ack_with(AckKind::Progress).await;
            }
        })
    }

    fn set_aside(&self, job: &Job) -> JobResult {
        let aside =
            |fixture: &Fixture| JobGameResult::SetAside { fixture: *fixture, deliveries: MOST_DELIVERIES as u32 };
        self.answer_of(job, job.games.iter().map(aside).collect(), None, None)
    }

    fn answer_of(
        &self,
        job: &Job,
        games: Vec<JobGameResult>,
        files: Option<String>,
        why: Option<&dyn std::error::Error>,
    ) -> JobResult {
        let why = why.map(|error| {
            self.fault(error);
            runner::with_causes(error)
        });
        JobResult { job: job.id.clone(), worker: self.options.name.clone(), games, files, why }
    }

    /// The answer that gives all games of a job back.
    fn given_back(&self, job: &Job, error: ClusterError) -> JobResult {
        let games = job.games.iter().map(|fixture| JobGameResult::GivenBack { fixture: *fixture }).collect();
        let why: Option<&dyn std::error::Error> =
            if matches!(error, ClusterError::Interrupted) { None } else { Some(&error) };
        self.answer_of(job, games, None, why)
    }

    /// Plays the games of a job. Those that cannot be played here are given back.
    fn play(&self, job: &Job) -> Result<JobResult, Unwanted> {
        let began = Instant::now();
        let given_back = |error| self.given_back(job, error);
        let tournament = match self.tournaments.of(job) {
            Ok(tournament) => tournament,
            Err(error) => return Ok(given_back(error)),
        };
        // Whoever stops all tournaments may have done so before this one was there.
        if self.interrupt.is_raised() {
            tournament.interrupt.raise();
        }
        let is_unwanted = || tournament.interrupt.is_raised() && !self.interrupt.is_raised();
        let bots = tournament.bots(|description, interrupt| {
            TournamentBots::new(description, self.labels(), &self.link, &self.options, interrupt)
        });
        let bots = match bots {
            Ok(_) | Err(_) if is_unwanted() => return Err(Unwanted),
            Ok(bots) => bots,
            Err(error) => return Ok(given_back(error)),
        };
        let kept = match tempfile::tempdir() {
            Ok(kept) => kept,
            Err(error) => {
                return Ok(given_back(ClusterError::disk("make a folder in", &std::env::temp_dir(), error)));
            }
        };
        let first = bots.names(job.games.first().copied());
        (self.report)(WorkerReport::Begins(first, job.games.len()));
        let mut answers = Vec::new();
        let mut why: Option<Box<dyn std::error::Error>> = None;
        for &fixture in &job.games {
            if let Some(refusal) = bots.refusal(fixture) {
                why = Some(Box::new(refusal));
                answers.push(JobGameResult::GivenBack { fixture });
                continue;
            }
            match self.play_game(&bots, fixture, job.is_alone, kept.path()) {
                Ok(line) => answers.push(JobGameResult::Played(Box::new(line))),
                Err(ArenaError::Interrupted) if is_unwanted() => return Err(Unwanted),
                Err(ArenaError::Interrupted) => break,
                Err(error) if is_of_machine(&error) => {
                    why = Some(Box::new(error));
                    break;
                }
                Err(error) => {
                    self.fault(&error);
                    answers.push(JobGameResult::Failed { fixture, error: runner::with_causes(&error) });
                    continue;
                }
            }
            self.shared.note_game(&job.id);
        }
        give_back_rest(job, &mut answers);
        let files = match self.keep_files(job, kept.path(), &answers) {
            Ok(files) => files,
            Err(error) => return Ok(given_back(error)),
        };
        let games = answers.iter().filter(|answer| matches!(answer, JobGameResult::Played(_))).count();
        (self.report)(WorkerReport::Ended(games, began.elapsed()));
        Ok(self.answer_of(job, answers, files, why.as_deref()))
    }

    fn play_game(
        &self,
        bots: &TournamentBots,
        fixture: Fixture,
        is_alone: bool,
        kept: &Path,
    ) -> Result<tournament::GameLine, ArenaError> {
        let together = (!is_alone).then(|| self.alone.read().unwrap_or_else(PoisonError::into_inner));
        let alone = is_alone.then(|| self.alone.write().unwrap_or_else(PoisonError::into_inner));
        let played = catch_unwind(AssertUnwindSafe(|| bots.play(fixture, kept)));
        drop((together, alone));
        played.unwrap_or_else(|_| Err(ArenaError::Elsewhere("the engine panicked".to_owned())))
    }

    /// Keeps records and fault bundles for the head, if there are any.
    fn keep_files(&self, job: &Job, kept: &Path, games: &[JobGameResult]) -> Result<Option<String>, ClusterError> {
        let has_record = |game: &JobGameResult| matches!(game, JobGameResult::Played(line) if line.record.is_some());
        if !games.iter().any(has_record) {
            return Ok(None);
        }
        /// The time for it, and that of a worker that ends.
        const MOST: [Duration; 2] = [Duration::from_secs(300), Duration::from_secs(10)];
        let is_played = |fixture: &Fixture| games.iter().any(|game| game.fixture() == *fixture && has_record(game));
        result_check::remove_files(kept, &job.games.iter().copied().filter(|game| !is_played(game)).collect())?;
        let (mut archive, hash) = archive::pack(FILES, kept)?;
        let name = names::files(&job.id, &hash);
        self.link.put(names::FILES, &name, &mut archive, MOST[usize::from(self.is_ending())])?;
        Ok(Some(name))
    }
}

/// True for a failure of the machine: another one can play the game.
fn is_of_machine(error: &ArenaError) -> bool {
    matches!(error, ArenaError::Disk { .. } | ArenaError::Process { .. } | ArenaError::Network { .. })
}

fn is_failure(game: &JobGameResult) -> bool {
    matches!(game, JobGameResult::Failed { .. })
}

/// The games of a job are not wanted any more.
struct Unwanted;

/// Gives the games of a job back that have no answer, and those that were played before their partner: one machine plays both.
fn give_back_rest(job: &Job, answers: &mut Vec<JobGameResult>) {
    let played = answers.len();
    if played == job.games.len() {
        return;
    }
    let pair = |fixture: &Fixture| (fixture.first, fixture.second, fixture.pair());
    let open: BTreeSet<_> = job.games[played..].iter().map(pair).collect();
    answers.retain(|answer| !open.contains(&pair(&answer.fixture())));
    let answered: BTreeSet<Fixture> = answers.iter().map(JobGameResult::fixture).collect();
    let rest = job.games.iter().filter(|fixture| !answered.contains(fixture));
    answers.extend(rest.map(|fixture| JobGameResult::GivenBack { fixture: *fixture }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_that_ends_gives_whole_pairs_back() {
        let fixture = |number| Fixture { first: 0, second: 1, number };
        let [id, tournament, description] = ["a-1", "a", "d"].map(str::to_owned);
        let job = Job {
            id,
            tournament,
            description,
            games: (0..6).map(fixture).collect(),
            is_alone: false,
            not_for: Vec::new(),
        };
        let failed = |number| JobGameResult::Failed { fixture: fixture(number), error: String::new() };
        let given_back = |played: u32| {
            let mut answers: Vec<_> = (0..played).map(failed).collect();
            give_back_rest(&job, &mut answers);
            assert_eq!(answers.len(), 6);
            let back = answers.into_iter().filter(|answer| matches!(answer, JobGameResult::GivenBack { .. }));
            back.map(|answer| answer.fixture().number).collect::<Vec<_>>()
        };
        assert_eq!(given_back(0), [0, 1, 2, 3, 4, 5]);
        assert_eq!(given_back(3), [2, 3, 4, 5]);
        assert_eq!(given_back(4), [4, 5]);
        assert_eq!(given_back(6), [0; 0]);
    }
}
