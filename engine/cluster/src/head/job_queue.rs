//! The jobs of a head: games that nobody plays yet, and jobs that workers have.

use crate::head::real_instant::RealInstant;
use crate::wire::messages::QueueCounts;
use crate::wire::names;
use crate::wire::signing::PublicKey;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};
use tempfile::TempPath;
use tournament::Fixture;

/// The time that the games of a job take in all, at most.
const LONGEST: Duration = Duration::from_secs(10);
/// The time that they take at least, unless a pair of games takes longer.
const SHORTEST: Duration = Duration::from_millis(200);
/// The time of a game before one has ended.
const USUAL_GAME: Duration = Duration::from_millis(200);
/// The most games of a job.
const MOST_GAMES: usize = 1000;
/// The number of jobs that are in hand for each game that is played at the same time: those that workers have, and the next.
const AHEAD: usize = 2;
/// The most workers that have the same job.
const MOST_HOLDERS: usize = 3;
/// A job that a worker has for so many times as long as its games take is given to another one, too.
const LATE: u32 = 4;

/// Games for one worker, with what became of them so far.
#[derive(Debug, Clone)]
pub(crate) struct Batch {
    /// The languages and labels that a worker must have for them.
    pub(crate) needs: String,
    pub(crate) games: Vec<Fixture>,
    /// True if no other game may be played on the machine meanwhile.
    pub(crate) is_alone: bool,
    /// The workers that have told results of these games: others shall play them again.
    pub(crate) not_for: Vec<PublicKey>,
    /// The workers that had them and told no result that counts. They get them again if no other worker can play them, or takes them
    /// for long.
    pub(crate) failed_by: Vec<PublicKey>,
    /// The number of times that a worker had them and told no result that counts.
    pub(crate) tries: u32,
    /// The time since which they wait.
    pub(crate) since: Instant,
}

impl Batch {
    /// Games that nobody has had yet.
    pub(crate) fn new(needs: &str, games: Vec<Fixture>, is_alone: bool) -> Batch {
        let (needs, since) = (needs.to_owned(), Instant::now());
        Batch { needs, games, is_alone, not_for: Vec::new(), failed_by: Vec::new(), tries: 0, since }
    }

    /// All workers that had these games.
    pub(crate) fn had_by(&self) -> Vec<PublicKey> {
        [&self.not_for[..], &self.failed_by].concat()
    }
}

/// A worker that has a job.
#[derive(Debug)]
pub(crate) struct Holder {
    pub(crate) key: PublicKey,
    /// The time at which it got the job.
    pub(crate) taken: RealInstant,
    /// The time at which it told at last that it plays the job.
    heard: Instant,
    /// The file with those of its games, as far as they have come.
    pub(crate) files: Option<TempPath>,
    /// The number of their bytes.
    pub(crate) bytes: u64,
}

/// A job that workers have.
struct SentJob {
    batch: Batch,
    /// The workers, at least one.
    holders: Vec<Holder>,
}

/// A worker that asks for a job.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asker<'a> {
    pub(crate) key: PublicKey,
    /// The labels of the worker: the languages that it can run, and those that it was given.
    pub(crate) labels: &'a [String],
    /// The most jobs of all workers with its key.
    pub(crate) most: usize,
}

/// True if a worker with other keys than these can play games with these needs.
pub(crate) type HasOthers<'a> = &'a dyn Fn(&str, &[PublicKey]) -> bool;

/// The jobs of a head.
pub(crate) struct JobQueue {
    /// The beginning of the names of its jobs.
    run: String,
    lost_after: Duration,
    /// The longest time of a game.
    stuck_after: Duration,
    /// Games that nobody has had yet, by what a worker must have for them.
    new: BTreeMap<String, Vec<Fixture>>,
    /// Games that go to one worker as they are: they were played before, or are played alone.
    ready: VecDeque<Batch>,
    sent: BTreeMap<String, SentJob>,
    /// The number of games of the tournament that are in no job yet, more or less.
    left: u64,
    /// The mean duration of a game, by the worker that told it.
    times: BTreeMap<PublicKey, Duration>,
    /// The median of these: a single worker may lie.
    game: Duration,
    began: Instant,
}

impl JobQueue {
    pub(crate) fn new(run: &str, [lost_after, stuck_after]: [Duration; 2], left: u64) -> JobQueue {
        JobQueue {
            run: run.to_owned(),
            lost_after,
            stuck_after,
            new: BTreeMap::new(),
            ready: VecDeque::new(),
            sent: BTreeMap::new(),
            left,
            times: BTreeMap::new(),
            game: USUAL_GAME,
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

    /// Adds a game, which is given out with others.
    pub(crate) fn add(&mut self, needs: String, fixture: Fixture) {
        let games = self.new.entry(needs).or_default();
        // Others may have come between the two games of a pair. Most often there are none.
        let partner = games.iter().rposition(|other| other.number % 2 == 0 && is_pair(*other, fixture));
        games.insert(partner.map_or(games.len(), |at| at + 1), fixture);
    }

    /// Adds games that go to one worker as they are.
    pub(crate) fn add_batch(&mut self, batch: Batch) {
        if !batch.games.is_empty() {
            self.left += batch.games.len() as u64;
            self.ready.push_back(Batch { since: Instant::now(), ..batch });
        }
    }

    /// A game has taken this time, as the worker with this key tells.
    pub(crate) fn note_time(&mut self, key: PublicKey, took: Duration) {
        let mean = self.times.entry(key).or_insert(self.game);
        *mean = (*mean * 15 + took.max(Duration::from_micros(50))) / 16;
        let mut times: Vec<_> = self.times.values().copied().collect();
        times.sort_unstable();
        self.game = (times[times.len() / 2] + times[(times.len() - 1) / 2]) / 2;
    }

    /// True if there may be a job for some worker.
    pub(crate) fn has_some(&self) -> bool {
        !self.ready.is_empty() || !self.new.is_empty() || self.sent.values().any(|job| self.is_late(job))
    }

    /// Gives a worker a job, if there is one for it, and the name and the games of that. All workers play `slots` games at the same
    /// time. `has_no_more` tells that no game will follow before others have ended.
    pub(crate) fn take(
        &mut self,
        asker: Asker<'_>,
        (slots, has_no_more): (usize, bool),
        has_others: HasOthers<'_>,
    ) -> Option<(String, Batch)> {
        let holds = |job: &SentJob| job.holders.iter().any(|holder| holder.key == asker.key);
        if self.sent.values().filter(|job| holds(job)).count() >= asker.most {
            return None;
        }
        let taken = self.ready_for(asker, has_others).or_else(|| self.new_for(asker, slots, has_no_more));
        let (id, batch) = match taken {
            Some(batch) => (names::job_id(&self.run), batch),
            None => self.late_for(asker)?,
        };
        let (taken, heard) = (RealInstant::now(), Instant::now());
        let holder = Holder { key: asker.key, taken, heard, files: None, bytes: 0 };
        let job = self.sent.entry(id.clone()).or_insert_with(|| SentJob { batch: batch.clone(), holders: Vec::new() });
        job.holders.push(holder);
        Some((id, batch))
    }

    /// Games that were played before, or are to be played alone.
    fn ready_for(&mut self, asker: Asker<'_>, has_others: HasOthers<'_>) -> Option<Batch> {
        let is_for_others = |batch: &Batch| {
            batch.failed_by.contains(&asker.key)
                && batch.since.elapsed() < self.usual(batch)
                && has_others(&batch.needs, &batch.had_by())
        };
        let fits = |batch: &Batch| {
            names::has(asker.labels, &batch.needs) && !batch.not_for.contains(&asker.key) && !is_for_others(batch)
        };
        let at = self.ready.iter().position(fits)?;
        let batch = self.ready.remove(at)?;
        self.left = self.left.saturating_sub(batch.games.len() as u64);
        Some(batch)
    }

    /// Games that nobody has had yet, of the kind of which there are most.
    fn new_for(&mut self, asker: Asker<'_>, slots: usize, has_no_more: bool) -> Option<Batch> {
        let most = self.games_of_job(slots);
        // While a job is out, others can follow.
        let may_follow = !has_no_more && !self.sent.is_empty();
        let fitting = self.new.iter().filter(|(needs, _)| names::has(asker.labels, needs));
        let lengths = fitting.map(|(needs, games)| (games.len(), needs, length_of_job(games, most, may_follow)));
        let (_, needs, length) = lengths.filter(|(.., length)| *length > 0).max()?;
        let needs = needs.clone();
        let games = self.new.get_mut(&needs)?;
        let rest = games.split_off(length);
        let games = std::mem::replace(games, rest);
        self.new.retain(|_, games| !games.is_empty());
        self.left = self.left.saturating_sub(length as u64);
        Some(Batch::new(&needs, games, false))
    }

    /// The job that others have had for much longer than its games take, and that waits for longest: whoever answers first ends it.
    fn late_for(&self, asker: Asker<'_>) -> Option<(String, Batch)> {
        let fits = |SentJob { batch, holders }: &SentJob| {
            holders.iter().all(|holder| holder.key != asker.key)
                && names::has(asker.labels, &batch.needs)
                && !batch.had_by().contains(&asker.key)
        };
        let late = self.sent.iter().filter(|(_, job)| self.is_late(job) && fits(job));
        let (id, job) = late.max_by_key(|(_, job)| job.holders.first().map(|holder| holder.taken.elapsed()))?;
        Some((id.clone(), job.batch.clone()))
    }

    /// True if workers have a job for much longer than its games take, and others may have it, too.
    fn is_late(&self, SentJob { batch, holders }: &SentJob) -> bool {
        let usual = self.usual(batch);
        holders.len() < MOST_HOLDERS && holders.iter().all(|holder| holder.taken.elapsed() > usual)
    }

    /// The longest time that these games usually take.
    fn usual(&self, batch: &Batch) -> Duration {
        self.lost_after + self.game * LATE * batch.games.len() as u32
    }

    /// The worker with this key that has this job.
    pub(crate) fn holder(&mut self, id: &str, key: PublicKey) -> Option<&mut Holder> {
        self.sent.get_mut(id)?.holders.iter_mut().find(|holder| holder.key == key)
    }

    /// The number of bytes of files that have come from this worker, of all its jobs.
    pub(crate) fn bytes_of(&self, key: PublicKey) -> u64 {
        let holders = self.sent.values().flat_map(|job| &job.holders);
        holders.filter(|holder| holder.key == key).map(|holder| holder.bytes).sum()
    }

    /// Takes this job from this worker. Gives its games; `None` if the worker does not have it.
    pub(crate) fn give_back(&mut self, id: &str, key: PublicKey) -> Option<(Batch, Holder)> {
        let job = self.sent.get_mut(id)?;
        let at = job.holders.iter().position(|holder| holder.key == key)?;
        let holder = job.holders.remove(at);
        let batch = job.batch.clone();
        if job.holders.is_empty() {
            self.sent.remove(id);
        }
        Some((batch, holder))
    }

    /// Notes that these games of a job have no result yet, and that this worker told none. Gives the other workers that have the job.
    pub(crate) fn leave_to_others(&mut self, id: &str, games: &[Fixture], failed: Option<PublicKey>) -> Vec<PublicKey> {
        let Some(job) = self.sent.get_mut(id) else { return Vec::new() };
        job.batch.games = games.to_vec();
        job.batch.failed_by.extend(failed);
        let holders = job.holders.iter().map(|holder| holder.key).collect();
        if games.is_empty() {
            self.sent.remove(id);
        }
        holders
    }

    /// The number of games that workers have for much longer than they take.
    pub(crate) fn late_games(&self) -> usize {
        let late = self
            .sent
            .values()
            .filter(|job| job.holders.iter().any(|holder| holder.taken.elapsed() > self.usual(&job.batch)));
        late.map(|job| job.batch.games.len()).sum()
    }

    /// The workers that are lost, with their jobs: they have told nothing of these for too long, or have had them for longer than
    /// their games can take. `heard` tells when a worker told that it plays a job; before `since` nobody could tell.
    pub(crate) fn lost(
        &mut self,
        heard: &BTreeMap<(PublicKey, String), Instant>,
        since: Instant,
    ) -> Vec<(String, PublicKey)> {
        let mut lost = Vec::new();
        for (id, job) in &mut self.sent {
            // One of many games, which may have that time each, is split after that of two.
            let most = self.stuck_after * job.batch.games.len().clamp(1, 2) as u32;
            for holder in &mut job.holders {
                let told = heard.get(&(holder.key, id.clone())).copied().unwrap_or(since);
                holder.heard = holder.heard.max(told).max(since);
                if holder.heard.elapsed() > self.lost_after || holder.taken.elapsed() > most {
                    lost.push((id.clone(), holder.key));
                }
            }
        }
        lost
    }

    /// Takes these games, which other workers were to play again, out of their jobs.
    pub(crate) fn withdraw_second(&mut self, games: &BTreeSet<Fixture>) {
        let sent = self.sent.values_mut().map(|job| &mut job.batch);
        for batch in sent.chain(&mut self.ready).filter(|batch| !batch.not_for.is_empty()) {
            batch.games.retain(|game| !games.contains(game));
        }
        self.sent.retain(|_, job| !job.batch.games.is_empty());
        self.ready.retain(|batch| !batch.games.is_empty());
    }

    /// The numbers of games, by what a worker must have for them: those that wait, those that are played, and those of both that
    /// another worker had before.
    pub(crate) fn counts(&self) -> BTreeMap<String, QueueCounts> {
        let mut counts: BTreeMap<String, QueueCounts> = BTreeMap::new();
        let again = |batch: &Batch| if batch.tries > 0 { batch.games.len() as u64 } else { 0 };
        for (needs, games) in &self.new {
            counts.entry(needs.clone()).or_default().waiting += games.len() as u64;
        }
        for batch in &self.ready {
            let counts = counts.entry(batch.needs.clone()).or_default();
            counts.waiting += batch.games.len() as u64;
            counts.again += again(batch);
        }
        for SentJob { batch, .. } in self.sent.values() {
            let counts = counts.entry(batch.needs.clone()).or_default();
            counts.running += batch.games.len() as u64;
            counts.again += again(batch);
        }
        counts
    }

    /// Forgets all games, and gives those of which nobody has told a result yet.
    pub(crate) fn clear(&mut self) -> BTreeSet<Fixture> {
        let sent = std::mem::take(&mut self.sent).into_values().map(|job| job.batch);
        let first = sent.chain(std::mem::take(&mut self.ready)).filter(|batch| batch.not_for.is_empty());
        let mut games: BTreeSet<_> = first.flat_map(|batch| batch.games).collect();
        games.extend(std::mem::take(&mut self.new).into_values().flatten());
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
    use crate::wire::signing::SecretKey;

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
        let mut queue = queue(30);
        for number in [0, 3, 5, 1, 4] {
            queue.add("-".to_owned(), games([number])[0]);
        }
        assert_eq!(queue.new["-"], games([0, 1, 3, 5, 4]));
    }

    fn queue(lost_after: u64) -> JobQueue {
        JobQueue::new("run", [lost_after, 3600].map(Duration::from_secs), 6)
    }

    fn asker(key: PublicKey) -> Asker<'static> {
        Asker { key, labels: &[], most: 2 }
    }

    #[test]
    fn games_go_to_workers_that_have_not_failed_with_them_as_long_as_there_are_some() {
        let [bad, good] = [(); 2].map(|()| SecretKey::drawn().public());
        let mut queue = queue(30);
        queue.add_batch(Batch { failed_by: vec![bad], ..Batch::new("-", games([0, 1]), false) });
        assert!(queue.take(asker(bad), (1, true), &|_, _| true).is_none());
        assert!(queue.take(asker(bad), (1, true), &|_, _| false).is_some());
        queue.add_batch(Batch { not_for: vec![bad], ..Batch::new("-", games([2, 3]), false) });
        assert!(queue.take(asker(bad), (1, true), &|_, _| false).is_none(), "it has told a result of them");
        assert!(queue.take(asker(good), (1, true), &|_, _| true).is_some());
    }

    #[test]
    fn a_worker_that_lies_about_times_does_not_make_others_wait() {
        let [liar, one, two] = [(); 3].map(|()| SecretKey::drawn().public());
        let mut queue = queue(30);
        for _ in 0..1000 {
            queue.note_time(liar, Duration::from_secs(60));
            [one, two].into_iter().for_each(|key| queue.note_time(key, Duration::from_millis(10)));
        }
        assert!(queue.game < Duration::from_millis(20), "{:?}", queue.game);
    }

    #[test]
    fn a_worker_has_no_more_jobs_than_it_may_have() {
        let key = SecretKey::drawn().public();
        let mut queue = queue(30);
        (0..8).for_each(|number| queue.add("-".to_owned(), games([number])[0]));
        let jobs = (0..4).filter_map(|_| queue.take(asker(key), (100, true), &|_, _| true)).count();
        assert_eq!(jobs, 2);
        assert!(queue.take(Asker { most: 3, ..asker(key) }, (100, true), &|_, _| true).is_some());
    }

    #[test]
    fn a_job_that_takes_too_long_goes_to_another_worker_and_the_first_answer_ends_it() {
        let [slow, quick] = [(); 2].map(|()| SecretKey::drawn().public());
        let mut queue = queue(0);
        queue.game = Duration::ZERO;
        queue.add("-".to_owned(), games([0])[0]);
        let (id, _) = queue.take(asker(slow), (1, true), &|_, _| true).unwrap();
        assert!(queue.take(asker(slow), (1, true), &|_, _| true).is_none());
        let (again, batch) = queue.take(asker(quick), (1, true), &|_, _| true).unwrap();
        assert_eq!((&again, &batch.games), (&id, &games([0])));
        assert!(queue.give_back(&id, SecretKey::drawn().public()).is_none());
        assert!(queue.give_back(&id, quick).is_some());
        assert_eq!(queue.leave_to_others(&id, &[], None), [slow]);
        assert!(queue.give_back(&id, slow).is_none(), "its answer comes too late");
    }
}
