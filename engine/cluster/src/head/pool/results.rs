//! The results that workers tell of their jobs.

use super::failures::Failure;
use super::{Head, HeadReport, MOST_TOLD};
use crate::error::ClusterError;
use crate::head::job_queue::Batch;
use crate::wire::messages::{self, JobGameResult};
use crate::wire::result_check::{checked, remove_files, shown, unpack_files};
use crate::wire::signing::PublicKey;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use tournament::Fixture;

impl Head {
    /// Takes the result of this job from the worker with this key. Nobody else can tell one: those who do not have the job are not heard.
    ///
    /// # Errors
    /// The names of workers or the files of games cannot be written.
    pub(super) fn take_answer(&mut self, id: &str, signer: PublicKey, packed: &[u8]) -> Result<(), ClusterError> {
        let Some((batch, holder)) = self.jobs.give_back(id, signer) else { return Ok(()) };
        let answer = match messages::read_result(packed, batch.games.len()) {
            Ok(answer) => answer,
            Err(error) => {
                let why = error.to_string();
                let games: Vec<_> = batch.games.iter().map(|game| (*game, why.clone())).collect();
                self.tell_failure(&signer.to_string(), &why);
                self.note_failure(signer);
                self.settle((id, &batch), signer, (Vec::new(), Failure::Failed), games);
                return Ok(());
            }
        };
        let worker = self.name_of(&answer.worker, signer)?;
        let why = answer.why.map(|why| shown(&why));
        if let Some(why) = &why {
            self.tell_failure(&worker, why);
        }
        let played_of = |game: &JobGameResult| matches!(game, JobGameResult::Played(_)).then(|| game.fixture());
        let told: BTreeSet<Fixture> =
            answer.games.iter().filter_map(played_of).filter(|game| batch.games.contains(game)).collect();
        // The files of the first result of a game are there already.
        let is_first = batch.not_for.is_empty();
        let has_files = is_first && self.take_files(answer.files.as_deref(), holder.files.as_deref(), &told)?;
        let mut time = holder.taken.elapsed();
        let mean = time / told.len().max(1) as u32;
        let mut games: BTreeSet<Fixture> = batch.games.iter().copied().collect();
        let (mut played, mut given_back, mut failures) = (Vec::new(), Vec::new(), Vec::new());
        for game in answer.games {
            let fixture = game.fixture();
            if !games.remove(&fixture) {
                continue;
            }
            match game {
                JobGameResult::Played(line) => {
                    match checked(*line, &worker, (&self.message, &self.bounds), time, &self.folder, has_files) {
                        Ok(line) => {
                            // A worker plays the games of a job one after the other.
                            let took = Duration::from_millis(line.took_ms);
                            time = time.saturating_sub(took);
                            self.jobs.note_time(signer, took.min(mean));
                            played.push(line);
                        }
                        Err(why) => failures.push((fixture, why)),
                    }
                }
                JobGameResult::Failed { error, .. } => failures.push((fixture, format!("{worker}: {}", shown(&error)))),
                JobGameResult::GivenBack { .. } => given_back.push(fixture),
            }
        }
        failures.extend(games.into_iter().map(|game| (game, format!("{worker} gave no result of it"))));
        if failures.is_empty() && given_back.is_empty() {
            self.note_done(signer);
        } else if failures.is_empty() && why.is_none() {
            self.note_end(signer);
        } else {
            self.note_failure(signer);
        }
        if let Some((_, why)) = failures.first() {
            self.tell_failure(&worker, why);
        }
        // Of games that are played again, those count for which a second result is still wanted.
        played.retain(|line| is_first || self.audits.has(line.fixture));
        let failure = if why.is_some() { Failure::GivenBack } else { Failure::Ends };
        let words = format!("{worker}: {}", why.unwrap_or_default());
        let given_back = given_back.into_iter().map(|game| (game, words.clone())).collect();
        self.settle((id, &batch), signer, (given_back, failure), failures);
        self.take_played(signer, &batch.needs, played, batch.is_alone)
    }

    /// Gives the games of a job that have no result yet to others: those that the worker gave back, and those that it failed to play.
    fn settle(
        &mut self,
        (id, batch): (&str, &Batch),
        signer: PublicKey,
        (given_back, failure): (Vec<(Fixture, String)>, Failure),
        failures: Vec<(Fixture, String)>,
    ) {
        let open: Vec<_> = given_back.iter().chain(&failures).map(|(game, _)| *game).collect();
        let others = self.jobs.leave_to_others(id, &open, Some(signer));
        if others.is_empty() {
            self.play_again(batch, given_back, signer, failure);
            self.play_again(batch, failures, signer, Failure::Failed);
        } else if open.is_empty() {
            self.note_late(others);
        }
    }

    /// The name of the worker that has signed an answer, as the journal has it.
    fn name_of(&mut self, worker: &str, signer: PublicKey) -> Result<String, ClusterError> {
        let told = shown(worker.trim());
        let told = if told.is_empty() { "unnamed".to_owned() } else { told };
        let (name, is_new) = self.names.of(&told, &signer.to_string())?;
        if is_new && name != told {
            (self.report)(HeadReport::SameName(told, name.clone()));
        }
        Ok(name)
    }

    /// Puts the files of these games into the folder, and removes those that earlier tries left there; true if there are some. They
    /// have this hash, and came in this file.
    ///
    /// # Errors
    /// Those of earlier tries cannot be removed.
    fn take_files(
        &mut self,
        hash: Option<&str>,
        file: Option<&Path>,
        games: &BTreeSet<Fixture>,
    ) -> Result<bool, ClusterError> {
        remove_files(&self.folder, games)?;
        let Some(hash) = hash else { return Ok(false) };
        match unpack_files(file, hash, &self.folder, games) {
            Ok(()) => Ok(true),
            Err(error) => {
                self.tell_lost_files(&shown(&runner::with_causes(&error)));
                Ok(false)
            }
        }
    }

    /// Tells that records are lost, once for each reason.
    fn tell_lost_files(&mut self, why: &str) {
        if self.told_lost.len() < MOST_TOLD && self.told_lost.insert(why.to_owned()) {
            (self.report)(HeadReport::FilesLost(why.to_owned()));
        }
    }
}
