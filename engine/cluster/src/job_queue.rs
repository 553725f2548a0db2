//! The jobs of a head: games that are in no job yet, and jobs that have no answer yet.

use crate::head_start::random_name;
use crate::link::{Link, text};
use crate::messages::{self, Job};
use crate::{ClusterError, names};
use async_nats::jetstream::consumer::{AckPolicy, pull};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use tournament::Fixture;

/// The time that the games of a job take in all, at most.
const LONGEST: Duration = Duration::from_secs(10);
/// The time that they take at least, unless a pair of games takes longer.
const SHORTEST: Duration = Duration::from_millis(200);
/// The most games of a job.
const MOST_GAMES: usize = 1000;
/// The number of jobs that are on their way for each game that is played at the same time.
const AHEAD: usize = 2;

/// A job without an answer.
pub(crate) struct SentJob {
    /// Its games.
    pub(crate) games: BTreeSet<Fixture>,
    /// The languages and labels that a worker must have for it.
    pub(crate) needs: String,
    /// True if no other game may be played on the machine meanwhile.
    pub(crate) is_alone: bool,
}

/// The jobs of a head.
pub(crate) struct JobQueue {
    /// The version of the program and its rules.
    engine: String,
    /// The tournament's name.
    tournament: String,
    /// The object with the description of the tournament.
    description: String,
    /// Different in every run of the head.
    run: String,
    lost_after: Duration,
    /// The needs for which there is a consumer.
    consumers: BTreeSet<String>,
    /// Games that are not in a job yet, by what a worker must have for them.
    batches: BTreeMap<String, Vec<Fixture>>,
    sent: BTreeMap<String, SentJob>,
    /// The number of these jobs by what a worker must have for them.
    sent_with: BTreeMap<String, usize>,
    jobs_sent: u64,
    /// The number of games of the tournament that are in no job yet, more or less.
    left: u64,
    /// The mean duration of a game.
    game: Duration,
    began: Instant,
}

impl JobQueue {
    pub(crate) fn new(engine: &str, tournament: &str, description: &str, lost_after: Duration, left: u64) -> JobQueue {
        JobQueue {
            engine: engine.to_owned(),
            tournament: tournament.to_owned(),
            description: description.to_owned(),
            run: random_name(),
            lost_after,
            consumers: BTreeSet::new(),
            batches: BTreeMap::new(),
            sent: BTreeMap::new(),
            sent_with: BTreeMap::new(),
            jobs_sent: 0,
            left,
            game: Duration::from_millis(200),
            began: Instant::now(),
        }
    }

    /// The number of games of a job for workers that play `slots` games at the same time: few at first, so that results come
    /// soon, and few at the end, so that all workers have something to do until then.
    fn games_of_job(&self, slots: usize) -> usize {
        let games = |time: Duration| (time.as_secs_f64() / self.game.as_secs_f64().max(1e-6)) as usize;
        let most = games(LONGEST.min(self.began.elapsed() / 4));
        let share = self.left / (2 * slots.max(1) as u64);
        let wanted = most.min(share as usize).max(games(SHORTEST)).clamp(2, MOST_GAMES);
        wanted / 2 * 2
    }

    /// The number of games that may be in hand, so that workers that play `slots` games at the same time do not wait.
    pub(crate) fn most_in_hand(&self, slots: usize) -> usize {
        slots * AHEAD * self.games_of_job(slots)
    }

    /// Adds a game, which is sent with others.
    pub(crate) fn add(&mut self, needs: String, fixture: Fixture) {
        self.batches.entry(needs).or_default().push(fixture);
    }

    /// Adds games of a job that was given back.
    pub(crate) fn add_again(&mut self, link: &Link, job: SentJob) -> Result<(), ClusterError> {
        self.left += job.games.len() as u64;
        if job.is_alone {
            return self.send(link, &job.needs, job.games.into_iter().collect(), true);
        }
        self.batches.entry(job.needs).or_default().extend(job.games);
        Ok(())
    }

    /// A game has taken this time.
    pub(crate) fn note_time(&mut self, took: Duration) {
        self.game = (self.game * 15 + took.max(Duration::from_micros(50))) / 16;
    }

    /// Makes a job of these games.
    pub(crate) fn send(
        &mut self,
        link: &Link,
        needs: &str,
        games: Vec<Fixture>,
        is_alone: bool,
    ) -> Result<(), ClusterError> {
        self.make_consumer(link, needs)?;
        self.jobs_sent += 1;
        self.left = self.left.saturating_sub(games.len() as u64);
        let id = format!("{}-{}-{}", self.tournament, self.run, self.jobs_sent);
        let (tournament, description) = (self.tournament.clone(), self.description.clone());
        let job = Job { id: id.clone(), tournament, description, games, is_alone };
        let subject = names::job(&self.engine, needs, &self.tournament);
        link.publish(&subject, &id, messages::write(&job))?;
        let sent = SentJob { games: job.games.into_iter().collect(), needs: needs.to_owned(), is_alone };
        self.sent.insert(id, sent);
        *self.sent_with.entry(needs.to_owned()).or_default() += 1;
        Ok(())
    }

    fn make_consumer(&mut self, link: &Link, needs: &str) -> Result<(), ClusterError> {
        if self.consumers.contains(needs) {
            return Ok(());
        }
        let config = pull::Config {
            durable_name: Some(names::consumer_of_jobs(&self.engine, needs)),
            filter_subject: names::jobs_of(&self.engine, needs),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.lost_after,
            // A worker that gets a job too often says so.
            max_deliver: -1,
            max_ack_pending: 100_000,
            // Each slot of each worker waits here.
            max_waiting: 20_000,
            ..pull::Config::default()
        };
        let stream = link.stream(names::JOBS)?;
        link.wait("hand out jobs", async || stream.create_consumer(config.clone()).await.map_err(text).map(drop))?;
        self.consumers.insert(needs.to_owned());
        link.tell(names::LOOK, &[])
    }

    /// Makes jobs of the games that wait for more: of those that are enough, and of all `in_any_case`, or if workers have nothing
    /// to do. They play `slots` games at the same time, and `slots_with` of each kind. Games that no worker can play wait, but
    /// for a job of each kind, which `broadside cluster` shows.
    pub(crate) fn send_batches(
        &mut self,
        link: &Link,
        slots: usize,
        slots_with: &BTreeMap<String, usize>,
        in_any_case: bool,
    ) -> Result<(), ClusterError> {
        let most = self.games_of_job(slots);
        let all = std::mem::take(&mut self.batches);
        for (needs, mut games) in all {
            let able = slots_with.get(&needs).copied().unwrap_or(slots);
            while !games.is_empty() {
                // The second game of a pair goes with the first.
                let is_split = |at: usize| games[at].number % 2 == 1 && games[at - 1].number + 1 == games[at].number;
                let cut = most + usize::from(games.len() > most && is_split(most));
                let is_whole = games.len() > cut || games.last().is_some_and(|last| last.number % 2 == 1);
                let is_ready = games.len() >= cut && is_whole;
                let sent = self.sent_with.get(&needs).copied().unwrap_or_default();
                let is_idle = sent < able.max(1);
                if !(is_idle || sent < able * AHEAD && (is_ready || in_any_case)) {
                    break;
                }
                let rest = games.split_off(cut.min(games.len()));
                self.send(link, &needs, games, false)?;
                games = rest;
            }
            if !games.is_empty() {
                self.batches.insert(needs, games);
            }
        }
        Ok(())
    }

    /// The job with this name, which has an answer now; `None` if it is not known, or has one already.
    pub(crate) fn answered(&mut self, id: &str) -> Option<SentJob> {
        let job = self.sent.remove(id)?;
        if let Some(sent) = self.sent_with.get_mut(&job.needs) {
            *sent -= 1;
        }
        Some(job)
    }

    /// True if a job has no answer yet.
    pub(crate) fn waits(&self) -> bool {
        !self.sent.is_empty()
    }

    /// Forgets all jobs that were sent, and gives their games.
    pub(crate) fn lose_sent(&mut self) -> BTreeSet<Fixture> {
        self.sent_with.clear();
        std::mem::take(&mut self.sent).into_values().flat_map(|job| job.games).collect()
    }

    /// Forgets all games, and gives them.
    pub(crate) fn clear(&mut self) -> BTreeSet<Fixture> {
        let mut games = self.lose_sent();
        games.extend(std::mem::take(&mut self.batches).into_values().flatten());
        games
    }
}
