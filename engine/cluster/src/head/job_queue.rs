//! The jobs of a head: games that are in no job yet, and jobs that have no answer yet.

pub(crate) mod lost_jobs;

use crate::error::ClusterError;
use crate::head::real_instant::RealInstant;
use crate::wire::link::objects::KEPT;
use crate::wire::link::{Link, text};
use crate::wire::messages::{self, Job};
use crate::wire::names;
use crate::wire::signing::{PublicKey, SecretKey};
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
    /// The workers that have played its games: others shall play them again.
    pub(crate) not_for: Vec<PublicKey>,
    /// The time at which it was sent.
    pub(crate) sent: RealInstant,
    /// Its number on the server.
    sequence: u64,
    /// True if the server did not have it any more when it was looked for.
    is_gone: bool,
    /// The time at which the head found that a worker has it.
    taken: Option<Instant>,
}

impl SentJob {
    /// True if workers have had it for longer than its games can take: `most` is the time of a game. One of many games, which may
    /// have that time each, is split after that of two.
    fn is_overdue(&self, most: Duration) -> bool {
        self.taken.is_some_and(|at| at.elapsed() >= most * self.games.len().clamp(1, 2) as u32)
    }
}

/// The jobs of a head.
pub(crate) struct JobQueue {
    /// The version of the program and its rules.
    engine: String,
    /// The tournament's name.
    tournament: String,
    /// The object with the description of the tournament.
    description: String,
    /// The key of the head.
    key: SecretKey,
    lost_after: Duration,
    /// The longest time of a game.
    stuck_after: Duration,
    /// The needs for which there is a consumer.
    consumers: BTreeSet<String>,
    /// Games that are not in a job yet, by what a worker must have for them.
    batches: BTreeMap<String, Vec<Fixture>>,
    sent: BTreeMap<String, SentJob>,
    /// The number of these jobs by what a worker must have for them.
    sent_with: BTreeMap<String, usize>,
    /// The number of games of the tournament that are in no job yet, more or less.
    left: u64,
    /// The mean duration of a game.
    game: Duration,
    began: Instant,
}

impl JobQueue {
    pub(crate) fn new(
        engine: &str,
        (tournament, description): (&str, &str),
        key: SecretKey,
        [lost_after, stuck_after]: [Duration; 2],
        left: u64,
    ) -> JobQueue {
        JobQueue {
            engine: engine.to_owned(),
            tournament: tournament.to_owned(),
            description: description.to_owned(),
            key,
            lost_after,
            stuck_after,
            consumers: BTreeSet::new(),
            batches: BTreeMap::new(),
            sent: BTreeMap::new(),
            sent_with: BTreeMap::new(),
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
        let games = self.batches.entry(needs).or_default();
        // Others may have come between the two games of a pair. Most often there are none.
        let partner = games.iter().rposition(|other| other.number % 2 == 0 && is_pair(*other, fixture));
        games.insert(partner.map_or(games.len(), |at| at + 1), fixture);
    }

    /// Adds games of a job that was given back.
    pub(crate) fn add_again(
        &mut self,
        link: &Link,
        needs: &str,
        games: BTreeSet<Fixture>,
        is_alone: bool,
        not_for: &[PublicKey],
    ) -> Result<(), ClusterError> {
        if games.is_empty() {
            return Ok(());
        }
        self.left += games.len() as u64;
        if is_alone || !not_for.is_empty() {
            return self.send(link, needs, games.into_iter().collect(), is_alone, not_for);
        }
        self.batches.entry(needs.to_owned()).or_default().extend(games);
        Ok(())
    }

    /// A game has taken this time.
    pub(crate) fn note_time(&mut self, took: Duration) {
        self.game = (self.game * 15 + took.max(Duration::from_micros(50))) / 16;
    }

    /// Makes a job of these games, for other workers than those with these keys.
    pub(crate) fn send(
        &mut self,
        link: &Link,
        needs: &str,
        games: Vec<Fixture>,
        is_alone: bool,
        not_for: &[PublicKey],
    ) -> Result<(), ClusterError> {
        self.make_consumer(link, needs)?;
        self.left = self.left.saturating_sub(games.len() as u64);
        let id = names::job_id(&self.tournament);
        let (tournament, description) = (self.tournament.clone(), self.description.clone());
        let keys = not_for.iter().map(PublicKey::to_string).collect();
        let job = Job { id: id.clone(), tournament, description, games, is_alone, not_for: keys };
        let (subject, sent) = (names::job(&self.engine, needs, &self.tournament), RealInstant::now());
        let sequence = link.publish(&subject, &id, messages::write_job(&job, &self.key))?;
        let games = job.games.into_iter().collect();
        let (needs, not_for) = (needs.to_owned(), not_for.to_vec());
        let job =
            SentJob { games, needs: needs.clone(), is_alone, not_for, sent, sequence, is_gone: false, taken: None };
        self.sent.insert(id, job);
        *self.sent_with.entry(needs).or_default() += 1;
        Ok(())
    }

    /// Makes sure that the consumers of jobs are there: the server removes those that nobody has used for a week.
    ///
    /// # Errors
    /// The server does not answer.
    pub(crate) fn renew_consumers(&mut self, link: &Link) -> Result<(), ClusterError> {
        std::mem::take(&mut self.consumers).iter().try_for_each(|needs| self.make_consumer(link, needs))
    }

    fn make_consumer(&mut self, link: &Link, needs: &str) -> Result<(), ClusterError> {
        if self.consumers.contains(needs) {
            return Ok(());
        }
        let config = pull::Config {
            durable_name: Some(names::consumer_of_jobs(&self.engine, needs)),
            description: Some(needs.to_owned()),
            filter_subject: names::jobs_of(&self.engine, needs),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.lost_after,
            // A worker that gets a job too often says so.
            max_deliver: -1,
            max_ack_pending: 100_000,
            // Each slot of each worker waits here.
            max_waiting: 20_000,
            inactive_threshold: KEPT,
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
                // While a job is out, others can follow.
                let length = length_of_job(&games, most, !in_any_case && !self.sent.is_empty());
                let sent = self.sent_with.get(&needs).copied().unwrap_or_default();
                let is_idle = sent < able.max(1);
                let is_wanted = is_idle || sent < able * AHEAD && (length >= most || in_any_case);
                if length == 0 || !is_wanted {
                    break;
                }
                let rest = games.split_off(length);
                self.send(link, &needs, games, false, &[])?;
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

    /// The job with this name, if it has no answer yet.
    pub(crate) fn job(&self, id: &str) -> Option<&SentJob> {
        self.sent.get(id)
    }

    /// Forgets all games, and gives those that nobody has played yet.
    pub(crate) fn clear(&mut self) -> BTreeSet<Fixture> {
        self.sent_with.clear();
        let new = std::mem::take(&mut self.sent).into_values().filter(|job| job.not_for.is_empty());
        let mut games: BTreeSet<_> = new.flat_map(|job| job.games).collect();
        games.extend(std::mem::take(&mut self.batches).into_values().flatten());
        games
    }
}

/// True for the two games of a pair, in which the same bots play with swapped seats.
fn is_pair(one: Fixture, other: Fixture) -> bool {
    (one.first, one.second, one.pair()) == (other.first, other.second, other.pair()) && one != other
}

/// The number of these games that go into the next job: `most`, or one more so that a pair stays together. The first game of a
/// pair at the end waits for the second if that `may_follow`.
fn length_of_job(games: &[Fixture], most: usize, may_follow: bool) -> usize {
    let length = most.min(games.len());
    let Some(last) = length.checked_sub(1).map(|at| games[at]) else { return 0 };
    match games.get(length) {
        Some(next) if is_pair(last, *next) => length + 1,
        Some(_) => length,
        None => {
            let is_whole = last.number % 2 == 1 || length > 1 && is_pair(games[length - 2], last);
            length - usize::from(may_follow && !is_whole)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(numbers: impl IntoIterator<Item = u32>) -> Vec<Fixture> {
        numbers.into_iter().map(|number| Fixture { first: 0, second: 1, number }).collect()
    }

    #[test]
    fn a_pair_is_in_one_job() {
        let length =
            |numbers: &[u32], most, may_follow| length_of_job(&games(numbers.iter().copied()), most, may_follow);
        assert_eq!(length(&[0, 1, 2, 3], 2, true), 2);
        assert_eq!(length(&[1, 2, 3, 4], 2, true), 3, "the second game of a pair goes with the first");
        assert_eq!(length(&[0, 1, 2], 4, true), 2, "the first waits for the second");
        assert_eq!(length(&[0], 4, true), 0);
        assert_eq!((length(&[0, 1, 2], 4, false), length(&[0], 4, false)), (3, 1), "nothing else can follow");
        assert_eq!((length(&[1], 4, true), length(&[1, 3], 4, true)), (1, 2), "the first has been played");
        assert_eq!(length(&[], 4, true), 0);
    }

    #[test]
    fn the_games_of_a_pair_are_brought_together() {
        let mut queue = JobQueue::new("engine", ("t", "d"), SecretKey::drawn(), [Duration::from_secs(30); 2], 6);
        for number in [0, 3, 5, 1, 4] {
            queue.add("-".to_owned(), games([number])[0]);
        }
        assert_eq!(queue.batches["-"], games([0, 1, 3, 5, 4]));
    }
}
