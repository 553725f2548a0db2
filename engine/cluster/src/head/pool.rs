//! The head of a tournament: gives its games to workers, and takes their answers.

mod audits;
mod report;
mod results;
mod workers;

pub use audits::AuditCounts;
pub use report::HeadReport;

use crate::error::ClusterError;
use crate::head::job_queue::JobQueue;
use crate::head::known_workers::{Workers, watch_workers};
use crate::head::pool::audits::Audits;
use crate::head::start::{id_of, keep_bots, keep_description, listen, starts, template};
use crate::head::worker_names::WorkerNames;
use crate::wire::link::{Link, Role, text};
use crate::wire::machine::machine_kind;
use crate::wire::messages::{self, BotLimits, TournamentMessage};
use crate::wire::names;
use crate::wire::result_check::bounds_of;
use crate::wire::server_address::ServerAddress;
use crate::wire::signing::{PublicKey, SecretKey};
use crate::wire::version::version;
use arena::{ArenaError, Interrupt};
use async_nats::jetstream::{AckKind, Message};
use players::Manifest;
use rules::MatchBounds;
use runner::{BotOptions, TournamentDescription};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tournament::{EndedGame, Fixture, GamePool};

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
    /// The longest time of a game: a pair that workers have had for twice as long without an answer is set aside.
    /// [`STUCK_AFTER`](crate::STUCK_AFTER) or another.
    pub stuck_after: Duration,
}

/// The most events of a kind that are told.
const MOST_TOLD: usize = 1000;
/// The number of times that workers fail to play a game before it counts as failed.
const MOST_GIVEN_BACK: u32 = 20;
/// The most games that wait although no worker can play them, or those that can have enough to do.
const MOST_WAITING: usize = 200_000;
/// The time that workers have to answer before the head says what none of them has.
const MOMENT: Duration = Duration::from_secs(3);

/// The head of a tournament. It takes games while workers can play them, and gives back how they ended.
pub struct Head {
    link: Link,
    tournament: String,
    /// The object with the description of the tournament.
    description: String,
    key: SecretKey,
    message: TournamentMessage,
    required: Vec<String>,
    folder: PathBuf,
    lost_after: Duration,
    /// The keys of the workers whose results count, if not those of all.
    listed: Vec<PublicKey>,
    jobs: JobQueue,
    /// The number of games that were begun and have not been taken by the scheduler, by what a worker must have for them.
    in_hand: BTreeMap<String, usize>,
    /// The games that workers could not play, with the number of times.
    given_back: BTreeMap<Fixture, u32>,
    ended: VecDeque<(Fixture, EndedGame)>,
    audits: Audits,
    names: WorkerNames,
    bounds: MatchBounds,
    /// Answers whose games have not all been taken by the scheduler, with their number in `ended`.
    answered: VecDeque<(usize, Message)>,
    /// Answers whose games the scheduler has taken.
    taken: Vec<Message>,
    answers: Receiver<Result<Message, ClusterError>>,
    workers: Arc<Mutex<Workers>>,
    /// The numbers of workers and slots as last reported.
    told: Option<(usize, usize)>,
    /// The number of games that workers play at the same time, by what these games need.
    slots: BTreeMap<String, usize>,
    /// Warnings that were reported already: needs that no worker has, failures of workers, lost jobs.
    told_needs: BTreeSet<String>,
    told_failures: BTreeSet<(String, String)>,
    told_lost: BTreeSet<String>,
    began: Instant,
    /// The time at which the workers were looked at.
    looked: Instant,
    /// The time at which bots, the description and consumers were renewed.
    renewed: Instant,
    /// True if a worker could not use what is on the server.
    is_asked_to_renew: bool,
    /// The time at which lost jobs were looked for.
    looked_for_lost: Instant,
    is_stopped: bool,
    report: Box<dyn FnMut(HeadReport) + Send>,
}

impl Head {
    /// Connects to the server, and makes everything ready there for games of this tournament: descriptions, bots, jobs of an
    /// earlier run are forgotten.
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
        let id = id_of(tournament.folder)?;
        let mut needs = Vec::new();
        let (mut are_native, mut folders) = (Vec::new(), Vec::new());
        for (number, entrant) in tournament.entrants.iter().enumerate() {
            let refused = |why: &str| ClusterError::Entrant(entrant.name.clone(), why.to_owned());
            if entrant.bot.starts_with(players::BuiltIn::PREFIX) {
                needs.push(None);
                are_native.push(false);
                continue;
            }
            let template = template(tournament.folder, number);
            if !template.is_dir() {
                return Err(refused("a cluster plays bots in folders that can be copied, and built-in players"));
            }
            let manifest = Manifest::read(&template).map_err(|e| refused(&e.to_string()))?;
            needs.push(names::language(manifest.language));
            are_native.push(manifest.language.interpreters().is_empty() && starts(&template, bots, interrupt)?);
            folders.push(number);
        }
        let mut archives = keep_bots(&link, tournament.folder, folders)?;
        let archives = (0..tournament.entrants.len()).map(|number| archives.remove(&number)).collect();
        let message = TournamentMessage {
            name: id.clone(),
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
        let description = keep_description(&link, &message)?;
        let stream = link.stream(names::JOBS)?;
        link.wait("forget old jobs", async || {
            stream.purge().filter(names::jobs_of_tournament(&id)).await.map_err(text).map(drop)
        })?;
        let answers = listen(&link, &id)?;
        let workers = Arc::new(Mutex::new(Workers::default()));
        watch_workers(&link, &workers, &options.workers)?;
        let key = options.key.clone();
        let jobs = JobQueue::new(
            version(),
            (&id, &description),
            key,
            [options.lost_after, options.stuck_after],
            tournament.left,
        );
        let (names, bounds) = (WorkerNames::open(tournament.folder)?, bounds_of(tournament.header)?);
        Ok(Head {
            link,
            tournament: id,
            description,
            key: options.key.clone(),
            message,
            required: options.required.clone(),
            folder: tournament.folder.to_owned(),
            lost_after: options.lost_after,
            listed: options.workers.clone(),
            jobs,
            in_hand: BTreeMap::new(),
            given_back: BTreeMap::new(),
            ended: VecDeque::new(),
            audits: Audits::new(options.audit),
            names,
            bounds,
            answered: VecDeque::new(),
            taken: Vec::new(),
            answers,
            workers,
            told: None,
            slots: BTreeMap::new(),
            told_needs: BTreeSet::new(),
            told_failures: BTreeSet::new(),
            told_lost: BTreeSet::new(),
            began: Instant::now(),
            looked: Instant::now(),
            renewed: Instant::now(),
            is_asked_to_renew: false,
            looked_for_lost: Instant::now(),
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
        self.given_back.remove(&fixture);
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
        for (left, _) in &mut self.answered {
            *left -= 1;
        }
        while self.answered.front().is_some_and(|(left, _)| *left == 0) {
            self.taken.extend(self.answered.pop_front().map(|(_, message)| message));
        }
        Some(next)
    }

    fn try_ended(&mut self, wait: Duration) -> Result<Option<(Fixture, EndedGame)>, ClusterError> {
        if let Some(next) = self.next_ended() {
            return Ok(Some(next));
        }
        // The scheduler has given all that it has for now.
        let has_no_more = self.takes(false);
        self.jobs.send_batches(&self.link, self.known_slots(), &self.slots, has_no_more)?;
        self.tell_workers();
        match self.answers.recv_timeout(wait) {
            Ok(message) => self.take(message?)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(ClusterError::server("give answers", "the connection is closed"));
            }
        }
        self.look_for_lost_jobs()?;
        self.look_at_audits()?;
        self.renew()?;
        Ok(self.next_ended())
    }

    /// Once a day, sends again what the server would remove because of its age. If workers could not use what is there, that is
    /// looked at sooner.
    fn renew(&mut self) -> Result<(), ClusterError> {
        const DAY: Duration = Duration::from_secs(24 * 3600);
        if self.renewed.elapsed() < if self.is_asked_to_renew { self.lost_after } else { DAY } {
            return Ok(());
        }
        self.renewed = Instant::now();
        self.is_asked_to_renew = false;
        let archives = self.message.archives.iter().enumerate();
        keep_bots(&self.link, &self.folder, archives.filter(|(_, hash)| hash.is_some()).map(|(number, _)| number))?;
        keep_description(&self.link, &self.message)?;
        self.jobs.renew_consumers(&self.link)
    }

    /// Forgets the jobs and lets workers stop. Whatever of it fails is forgotten by the next run.
    fn clear(&self) {
        const MOST: Duration = Duration::from_secs(5);
        let (context, client) = (&self.link.context, &self.link.client);
        let cleared = async {
            if let Ok(jobs) = context.get_stream(names::JOBS).await {
                let _ = jobs.purge().filter(names::jobs_of_tournament(&self.tournament)).await;
            }
            let _ = client.publish(names::STOP, messages::write_stop(&self.description, &self.key).into()).await;
            if let Ok(answers) = context.get_stream(names::ANSWERS).await {
                let _ = answers.purge().filter(names::answers(&self.tournament)).await;
                let _ = answers.delete_consumer(&self.tournament).await;
            }
            if let Ok(objects) = context.get_object_store(names::OBJECTS).await {
                let _ = objects.delete(&self.description).await;
            }
            let _ = client.flush().await;
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
        !self.is_stopped && useful.sum::<usize>() < most && self.in_hand.values().sum::<usize>() < most + MOST_WAITING
    }

    fn begin(&mut self, fixture: Fixture, alone: bool) {
        let needs = self.needs_of(fixture);
        *self.in_hand.entry(needs.clone()).or_default() += 1;
        if !alone {
            self.jobs.add(needs, fixture);
            return;
        }
        match self.jobs.send(&self.link, &needs, vec![fixture], true, &[]) {
            Ok(()) => {}
            Err(ClusterError::Interrupted) => self.ended.push_back((fixture, EndedGame::NotPlayed)),
            Err(error) => self.ended.push_back((fixture, failed(error.to_string(), false))),
        }
    }

    fn ended(&mut self, wait: Duration) -> Result<Option<(Fixture, EndedGame)>, ArenaError> {
        self.try_ended(wait).map_err(|error| match error {
            ClusterError::Interrupted => ArenaError::Interrupted,
            error => ArenaError::Elsewhere(runner::with_causes(&error)),
        })
    }

    fn kept(&mut self) {
        for message in self.taken.drain(..) {
            // An answer that comes again is known.
            self.link.tell_of(&message, AckKind::Ack);
        }
    }

    fn stop(&mut self) {
        self.is_stopped = true;
        self.ended.extend(self.jobs.clear().into_iter().map(|fixture| (fixture, EndedGame::NotPlayed)));
        self.drop_audits();
    }
}

impl Drop for Head {
    fn drop(&mut self) {
        self.kept();
        self.clear();
    }
}

fn failed(why: String, for_good: bool) -> EndedGame {
    EndedGame::Failed { error: ArenaError::Elsewhere(why), for_good }
}
