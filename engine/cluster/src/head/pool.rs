//! The head of a tournament: gives its games to workers, and takes their answers.

mod audits;
mod failures;
mod jobs;
mod report;
mod results;
mod workers;

pub use audits::AuditCounts;
pub use report::HeadReport;

use crate::error::ClusterError;
use crate::head::job_queue::{Batch, JobQueue};
use crate::head::known_workers::{Workers, begin_telling};
use crate::head::objects::Objects;
use crate::head::pool::audits::Audits;
use crate::head::pool::failures::Trust;
use crate::head::pool::jobs::Asking;
use crate::head::requests::{self, Request};
use crate::head::start::{starts, uploads};
use crate::wire::link::{Link, Role};
use crate::wire::machine::machine_kind;
use crate::wire::messages::{self, BotLimits, HeadState, TournamentMessage};
use crate::wire::names;
use crate::wire::result_check::{bounds_of, shown};
use crate::wire::server_address::ServerAddress;
use crate::wire::signing::{PublicKey, SecretKey};
use crate::wire::version::version;
use arena::{ArenaError, Interrupt};
use platform::locks::lock;
use players::Manifest;
use rules::MatchBounds;
use runner::{BotOptions, TournamentDescription};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tournament::{EndedGame, Fixture, GamePool, WorkerNames};

/// Options of the head of a tournament.
#[derive(Debug, Clone)]
pub struct HeadOptions {
    /// The NATS server.
    pub server: ServerAddress,
    /// The time without a word after which a worker is taken for lost, and its jobs go to others.
    pub lost_after: Duration,
    /// Labels that a worker must have to play games of this tournament.
    pub required: Vec<String>,
    /// The key with which jobs are signed. Workers play for heads whose public keys they know.
    pub key: SecretKey,
    /// The share of the games, from 0 to 1, that two workers play before their result counts.
    pub audit: f64,
    /// The keys of the workers whose results count; without keys, those of all. Only among workers that are listed does the result
    /// of two count against that of a third: without a list, one machine can have any number of keys.
    pub workers: Vec<PublicKey>,
    /// The longest time of a game: a worker that has a pair for twice as long without an answer is lost.
    /// [`STUCK_AFTER`](crate::STUCK_AFTER) or another.
    pub stuck_after: Duration,
}

/// The most events of a kind that are told.
const MOST_TOLD: usize = 1000;
/// The most characters of the name of a tournament.
const LONGEST_SHOWN: usize = 60;
/// The most games that wait although no worker can play them, or those that can have enough to do.
const MOST_WAITING: usize = 200_000;
/// The time that workers have to answer before the head says what none of them has.
const MOMENT: Duration = Duration::from_secs(3);
/// The most requests that are taken before jobs are given out.
const AT_ONCE: usize = 100;
/// The time between two looks at workers, jobs and the connection.
const LOOK: Duration = Duration::from_millis(250);

/// The head of a tournament. It takes games while workers can play them, and gives back how they ended.
pub struct Head {
    link: Link,
    /// The name of the tournament, to be shown.
    tournament: String,
    /// The hash of its description.
    description: String,
    key: SecretKey,
    message: TournamentMessage,
    required: Vec<String>,
    folder: PathBuf,
    lost_after: Duration,
    /// The keys of the workers whose results count, if not those of all.
    listed: Vec<PublicKey>,
    jobs: JobQueue,
    /// Workers that wait for a job.
    asking: VecDeque<Asking>,
    /// Those that have had jobs.
    trust: BTreeMap<PublicKey, Trust>,
    /// The number of games that workers have for too long, when they were looked at.
    late: usize,
    /// The folder for files of games whose results have not come.
    uploads: TempDir,
    /// The number of games that were begun and have not been taken by the scheduler, by what a worker must have for them.
    in_hand: BTreeMap<String, usize>,
    ended: VecDeque<(Fixture, EndedGame)>,
    audits: Audits,
    names: WorkerNames,
    bounds: MatchBounds,
    requests: Receiver<Request>,
    workers: Arc<Mutex<Workers>>,
    /// The state that others hear.
    state: Arc<Mutex<HeadState>>,
    /// The numbers of workers and slots as last reported.
    told: Option<(usize, usize)>,
    /// The number of games that workers play at the same time, by what these games need.
    slots: BTreeMap<String, usize>,
    /// Warnings that were reported already: needs that no worker has, failures of workers, lost records.
    told_needs: BTreeSet<String>,
    told_failures: BTreeSet<(String, String)>,
    told_lost: BTreeSet<String>,
    began: Instant,
    /// The time at which the workers were looked at.
    looked: Instant,
    /// The time at which lost workers were looked for.
    looked_for_lost: Instant,
    /// The time since when there is a connection; `None` while there is none.
    connected: Option<Instant>,
    is_stopped: bool,
    report: Box<dyn FnMut(HeadReport) + Send>,
}

impl Head {
    /// Connects to the server, and makes everything ready for workers: the description of the tournament and its bots.
    ///
    /// # Errors
    /// There is no connection, or an entrant cannot be sent.
    pub fn open(
        options: &HeadOptions,
        tournament: TournamentDescription<'_>,
        bots: &BotOptions,
        interrupt: &Interrupt,
        report: impl FnMut(HeadReport) + Send + 'static,
    ) -> Result<Head, ClusterError> {
        let link = Link::connect(&options.server, Role::Head, interrupt)?;
        let mut objects = Objects::new()?;
        let (mut needs, mut are_native, mut archives) = (Vec::new(), Vec::new(), Vec::new());
        let closed = [tournament.closed.to_owned()];
        for (entrant, folder) in tournament.entrants.iter().zip(&tournament.bots) {
            let refused = |why: &str| ClusterError::Entrant(entrant.name.clone(), why.to_owned());
            let Some(folder) = folder else {
                needs.push(None);
                are_native.push(false);
                archives.push(None);
                continue;
            };
            if !folder.is_dir() {
                return Err(refused("a cluster plays bots in folders that can be copied, and built-in players"));
            }
            let manifest = Manifest::read(folder).map_err(|e| refused(&e.to_string()))?;
            needs.push(names::language(manifest.language));
            are_native.push(manifest.language.interpreters().is_empty() && starts(folder, &closed, bots, interrupt)?);
            archives.push(Some(objects.add_bot(folder)?));
        }
        let message = TournamentMessage {
            run: names::random_name(),
            engine: version().to_owned(),
            header: tournament.header.clone(),
            entrants: tournament.entrants.to_vec(),
            archives,
            needs,
            are_native,
            machine: machine_kind(),
            is_together: tournament.sequence == arena::Sequence::Together,
            keep: tournament.keep,
            limits: BotLimits::of(bots),
            answer_ms: tournament.answer_limit.map(|limit| limit.as_millis() as u64),
        };
        let description = objects.add_bytes(&messages::write(&message))?;
        let requests = requests::hear(&link, &message.run, objects, &options.workers)?;
        let name = tournament.folder.file_name().map(|name| shown(&name.to_string_lossy())).unwrap_or_default();
        let name: String = name.chars().take(LONGEST_SHOWN).collect();
        let state = Arc::new(Mutex::new(HeadState {
            run: message.run.clone(),
            tournament: name.clone(),
            engine: message.engine.clone(),
            is_over: false,
            queues: BTreeMap::new(),
        }));
        let workers = Arc::new(Mutex::new(Workers::default()));
        begin_telling(&link, &workers, &options.workers, (&state, &options.key))?;
        let jobs = JobQueue::new(&message.run, [options.lost_after, options.stuck_after], tournament.left);
        let (names, bounds) = (WorkerNames::open(tournament.folder)?, bounds_of(tournament.header)?);
        Ok(Head {
            link,
            tournament: name,
            description,
            key: options.key.clone(),
            message,
            required: options.required.clone(),
            folder: tournament.folder.to_owned(),
            lost_after: options.lost_after,
            listed: options.workers.clone(),
            jobs,
            asking: VecDeque::new(),
            trust: BTreeMap::new(),
            late: 0,
            uploads: uploads(tournament.folder)?,
            in_hand: BTreeMap::new(),
            ended: VecDeque::new(),
            audits: Audits::new(options.audit),
            names,
            bounds,
            requests,
            workers,
            state,
            told: None,
            slots: BTreeMap::new(),
            told_needs: BTreeSet::new(),
            told_failures: BTreeSet::new(),
            told_lost: BTreeSet::new(),
            began: Instant::now(),
            looked: Instant::now(),
            looked_for_lost: Instant::now(),
            connected: Some(Instant::now()),
            is_stopped: false,
            report: Box::new(report),
        })
    }

    /// The languages and labels that a worker must have to play this game.
    fn needs_of(&self, fixture: Fixture) -> String {
        let languages =
            [fixture.first, fixture.second].into_iter().filter_map(|entrant| self.message.needs[entrant].clone());
        names::needs(languages.chain(self.required.iter().map(|label| names::label_token(label))))
    }

    /// The number of games that workers play at the same time, at least 1.
    fn known_slots(&self) -> usize {
        self.told.map_or(1, |(_, slots)| slots.max(1))
    }

    /// Ends a game. One of which another worker was to tell a second result ends as the first has told it.
    fn end(&mut self, fixture: Fixture, end: EndedGame) {
        let first = self.audited_line(fixture).map(|line| EndedGame::Played(Box::new(line)));
        self.ended.push_back((fixture, first.unwrap_or(end)));
    }

    /// The numbers of games that were drawn to be played again.
    pub fn audited(&self) -> AuditCounts {
        self.audits.counts
    }

    fn next_ended(&mut self) -> Option<(Fixture, EndedGame)> {
        let next = self.ended.pop_front()?;
        let needs = self.needs_of(next.0);
        if let Some(in_hand) = self.in_hand.get_mut(&needs) {
            *in_hand -= 1;
            if *in_hand == 0 {
                self.in_hand.remove(&needs);
            }
        }
        Some(next)
    }

    fn try_ended(&mut self, wait: Duration) -> Result<Option<(Fixture, EndedGame)>, ClusterError> {
        if let Some(next) = self.next_ended() {
            return Ok(Some(next));
        }
        if self.link.interrupt.is_raised() {
            return Err(ClusterError::Interrupted);
        }
        self.tell_workers();
        self.look_for_lost_workers()?;
        self.look_at_audits();
        self.give_jobs();
        match self.requests.recv_timeout(wait.min(LOOK)) {
            Ok(request) => {
                self.take(request)?;
                // Others have come meanwhile, and jobs are given to all at once.
                for request in self.requests.try_iter().take(AT_ONCE).collect::<Vec<_>>() {
                    self.take(request)?;
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(ClusterError::server("give answers", "the connection is closed"));
            }
        }
        Ok(self.next_ended())
    }

    /// Tells workers that this run is over. Those who do not hear it find nobody when they answer.
    fn clear(&self) {
        const MOST: Duration = Duration::from_secs(5);
        let told = {
            let mut state = lock(&self.state);
            state.is_over = true;
            messages::write_head(&state, &self.key)
        };
        let cleared = async {
            let _ = self.link.client.publish(names::HEADS, told.into()).await;
            let _ = self.link.client.flush().await;
        };
        // Also after an interrupt.
        let _ = self.link.block_on(async { tokio::time::timeout(MOST, cleared).await });
    }
}

impl GamePool for Head {
    fn takes(&self, _: bool) -> bool {
        // Games beyond those for which there are workers wait: they must not keep others from being played.
        let useful = self.in_hand.iter().map(|(needs, in_hand)| {
            let slots = self.slots.get(needs).copied().unwrap_or_else(|| self.known_slots());
            (*in_hand).min(self.jobs.most_in_hand(slots))
        });
        let most = self.jobs.most_in_hand(self.known_slots());
        // Those that a worker holds for too long keep no others waiting.
        let most = most + self.late;
        !self.is_stopped && useful.sum::<usize>() < most && self.in_hand.values().sum::<usize>() < most + MOST_WAITING
    }

    fn begin(&mut self, fixture: Fixture, alone: bool) {
        let needs = self.needs_of(fixture);
        *self.in_hand.entry(needs.clone()).or_default() += 1;
        if alone {
            self.jobs.add_batch(Batch::new(&needs, vec![fixture], true));
        } else {
            self.jobs.add(needs, fixture);
        }
    }

    fn ended(&mut self, wait: Duration) -> Result<Option<(Fixture, EndedGame)>, ArenaError> {
        self.try_ended(wait).map_err(|error| match error {
            ClusterError::Interrupted => ArenaError::Interrupted,
            error => ArenaError::Elsewhere(runner::with_causes(&error)),
        })
    }

    fn stop(&mut self) {
        self.is_stopped = true;
        self.ended.extend(self.jobs.clear().into_iter().map(|fixture| (fixture, EndedGame::NotPlayed)));
        self.drop_audits();
    }
}

impl Drop for Head {
    fn drop(&mut self) {
        self.clear();
    }
}

fn failed(why: String, for_good: bool) -> EndedGame {
    EndedGame::Failed { error: ArenaError::Elsewhere(why), for_good }
}
