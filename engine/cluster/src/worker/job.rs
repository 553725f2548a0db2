//! A job on a worker: played game by game, and answered.

use crate::error::ClusterError;
use crate::wire::archive::{self, FILES};
use crate::wire::messages::{self, Job, JobGameResult, JobResult, RunningJob};
use crate::wire::names;
use crate::wire::result_check;
use crate::worker::head_link::HeadLink;
use crate::worker::job_source::TakenJob;
use crate::worker::run::{Worker, WorkerReport};
use crate::worker::tournament_bots::TournamentBots;
use arena::ArenaError;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::PoisonError;
use std::time::{Duration, Instant};
use tournament::Fixture;

impl Worker {
    /// Plays a job, and answers it; false if this worker could not.
    pub(crate) fn answer(&self, TakenJob { job, run }: &TakenJob) -> bool {
        let running =
            RunningJob { id: job.id.clone(), tournament: job.tournament.clone(), games: job.games.len(), done: 0 };
        self.shared.begin(running, Duration::from_millis(job.lost_after_ms), self.options.stuck_after);
        let head = HeadLink { link: &self.link, run, key: &self.key };
        let is_done = match self.play(job, head) {
            // Nobody wants its games any more.
            Err(Unwanted) => true,
            Ok(answer) => match self.send(job, &answer, head) {
                Ok(()) => answer.why.is_none() && !answer.games.iter().all(is_failure),
                Err(error) => {
                    self.fault(&error);
                    false
                }
            },
        };
        self.shared.end(&job.id);
        is_done
    }

    /// Sends an answer.
    fn send(&self, job: &Job, answer: &JobResult, head: HeadLink<'_>) -> Result<(), ClusterError> {
        let tell = |answer: &JobResult| head.tell(names::ANSWER, &job.id, &messages::write(answer));
        match tell(answer) {
            Err(ClusterError::TooLong) => {
                let why = || runner::with_causes(&ClusterError::TooLong);
                let failed = |fixture: &Fixture| JobGameResult::Failed { fixture: *fixture, error: why() };
                tell(&self.answer_of(job.games.iter().map(failed).collect(), None, None))
            }
            sent => sent,
        }
    }

    fn answer_of(
        &self,
        games: Vec<JobGameResult>,
        files: Option<String>,
        why: Option<&dyn std::error::Error>,
    ) -> JobResult {
        let why = why.map(|error| {
            self.fault(error);
            runner::with_causes(error)
        });
        JobResult { worker: self.options.name.clone(), games, files, why }
    }

    /// The answer that gives all games of a job back.
    fn given_back(&self, job: &Job, error: ClusterError) -> JobResult {
        let games = job.games.iter().map(|fixture| JobGameResult::GivenBack { fixture: *fixture }).collect();
        let why: Option<&dyn std::error::Error> =
            if matches!(error, ClusterError::Interrupted) { None } else { Some(&error) };
        self.answer_of(games, None, why)
    }

    /// Plays the games of a job. Those that cannot be played here are given back.
    fn play(&self, job: &Job, head: HeadLink<'_>) -> Result<JobResult, Unwanted> {
        let began = Instant::now();
        let given_back = |error| self.given_back(job, error);
        let tournament = match self.tournaments.of(job, head.run) {
            Ok(tournament) => tournament,
            Err(error) => return Ok(given_back(error)),
        };
        // Whoever stops all tournaments may have done so before this one was there.
        if self.interrupt.is_raised() {
            tournament.interrupt.raise();
        }
        let is_unwanted = || tournament.interrupt.is_raised() && !self.interrupt.is_raised();
        let bots = tournament.bots(|description, interrupt| {
            TournamentBots::new(description, self.labels(), head, &self.options, interrupt)
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
        let files = match send_files(job, kept.path(), &answers, head) {
            Ok(files) => files,
            Err(ClusterError::HeadEnded) => return Err(Unwanted),
            Err(error) => return Ok(given_back(error)),
        };
        let games = answers.iter().filter(|answer| matches!(answer, JobGameResult::Played(_))).count();
        (self.report)(WorkerReport::Ended(games, began.elapsed()));
        Ok(self.answer_of(answers, files, why.as_deref()))
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
}

/// Sends records and fault bundles to the head, if there are any, and gives the hash of their archive.
fn send_files(
    job: &Job,
    kept: &Path,
    games: &[JobGameResult],
    head: HeadLink<'_>,
) -> Result<Option<String>, ClusterError> {
    let has_record = |game: &JobGameResult| matches!(game, JobGameResult::Played(line) if line.record.is_some());
    if !games.iter().any(has_record) {
        return Ok(None);
    }
    let is_played = |fixture: &Fixture| games.iter().any(|game| game.fixture() == *fixture && has_record(game));
    result_check::remove_files(kept, &job.games.iter().copied().filter(|game| !is_played(game)).collect())?;
    let (mut archive, hash) = archive::pack(FILES, kept)?;
    head.send_files(&job.id, &mut archive)?;
    Ok(Some(hash))
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
        let [id, to, tournament, description] = ["a-1", "k", "a", "d"].map(str::to_owned);
        let games = (0..6).map(fixture).collect();
        let job = Job { id, to, tournament, description, games, is_alone: false, lost_after_ms: 1 };
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
