//! A worker: plays jobs in the strict sandbox, and answers.

use crate::engine::engine;
use crate::link::{Link, text};
use crate::machine;
use crate::messages::{self, GameAnswer, Job, JobAnswer, MachineState, RunningJob, WorkerState};
use crate::opened::Opened;
use crate::{ClusterError, Server, archive, names};
use arena::{ArenaError, Interrupt};
use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use players::process::Language;
use players::process::{Launch, Sandbox};
use players::{Tools, process::SandboxError};
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};
use tournament::Fixture;

/// Options of a worker.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// The NATS server.
    pub server: Server,
    /// The name, which no other worker should have.
    pub name: String,
    /// The number of games at the same time.
    pub slots: usize,
    /// Labels besides those of the languages that are found here.
    pub labels: Vec<String>,
    /// The programs that run bots.
    pub tools: Tools,
    /// The program that ends bots if the worker is killed, as for [`BotOptions`](runner::BotOptions).
    pub guardian: Option<PathBuf>,
    /// The folder that keeps bots from one run to the next.
    pub cache: PathBuf,
}

/// An event of a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkerReport {
    /// It waits for jobs. It can run bots in these languages.
    Ready {
        /// The names of the languages, and the labels that were given.
        labels: Vec<String>,
    },
    /// A job begins.
    Begins {
        /// The entrants of its first game.
        first: [String; 2],
        /// The number of its games.
        games: usize,
    },
    /// A job has ended.
    Ended {
        /// The number of its games.
        games: usize,
        /// The time that it took.
        took: Duration,
    },
    /// There are jobs of another version of the program, or other rules.
    OtherEngine {
        /// Their version and rules.
        theirs: String,
    },
    /// Something failed; the worker goes on.
    Fault(String),
}

/// A job that was delivered so often without an answer kills workers.
const MOST_DELIVERIES: i64 = 3;
/// The time between two states that are told.
const TELL: Duration = Duration::from_secs(2);
/// The time in which the list of consumers is good.
const CONSUMERS: Duration = Duration::from_secs(2);
/// The number of tournaments whose bots are kept ready.
const TOURNAMENTS: usize = 4;

/// A worker that is connected.
pub struct Worker {
    options: WorkerOptions,
    link: Link,
    labels: Vec<String>,
    interrupt: Interrupt,
    drain: Interrupt,
    /// Read by each game, written by one that is played alone.
    alone: RwLock<()>,
    shared: Arc<Shared>,
    report: Box<dyn Fn(WorkerReport) + Send + Sync>,
}

/// What the tasks of the connection know, too.
struct Shared {
    state: Mutex<WorkerState>,
    /// The times at which games of late ended.
    finished: Mutex<VecDeque<Instant>>,
    running: Mutex<BTreeMap<u64, RunningJob>>,
    opened: Mutex<VecDeque<(String, Arc<Opened>)>>,
    consumers: Mutex<(Option<Instant>, Vec<Consumer<pull::Config>>)>,
    told_other: Mutex<Vec<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Worker {
    /// Connects to the server. `drain` lets it finish its games and then end; `interrupt` ends it at once, and gives its jobs
    /// back.
    ///
    /// # Errors
    /// There is no strict sandbox here, or no connection.
    pub fn connect(
        options: WorkerOptions,
        interrupt: &Interrupt,
        drain: &Interrupt,
        report: impl Fn(WorkerReport) + Send + Sync + 'static,
    ) -> Result<Worker, WorkerError> {
        let lacking = Sandbox::start()?.abilities().lacking();
        if !lacking.is_empty() {
            return Err(SandboxError::Lacking(lacking).into());
        }
        let link = Link::connect(&options.server, &format!("broadside worker {}", options.name), interrupt)?;
        let languages = Language::all().iter().filter(|language| is_here(language, &options.tools));
        let mut labels: Vec<String> = languages.map(|language| language.name.to_owned()).collect();
        labels.extend(options.labels.iter().cloned());
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let machine = MachineState { processors, speed: machine::speed(), lag_ms: 0.0 };
        let state = WorkerState {
            name: options.name.clone(),
            engine: engine().to_owned(),
            slots: options.slots.max(1),
            labels: labels.clone(),
            machine,
            running: Vec::new(),
            games: 0,
            games_per_second: 0.0,
            last_fault: None,
            is_draining: false,
        };
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            finished: Mutex::default(),
            running: Mutex::default(),
            opened: Mutex::default(),
            consumers: Mutex::default(),
            told_other: Mutex::default(),
        });
        let (interrupt, drain) = (interrupt.clone(), drain.clone());
        let worker = Worker {
            options,
            link,
            labels,
            interrupt,
            drain,
            alone: RwLock::new(()),
            shared,
            report: Box::new(report),
        };
        worker.begin_telling()?;
        Ok(worker)
    }

    /// Plays jobs until it is drained or interrupted. Gives the number of games.
    ///
    /// # Errors
    /// The system gives no threads.
    pub fn run(self) -> Result<u64, WorkerError> {
        (self.report)(WorkerReport::Ready { labels: self.labels.clone() });
        let done = thread::scope(|scope| {
            for number in 0..self.options.slots.max(1) as u64 {
                let slot = thread::Builder::new().name("a job".to_owned());
                let worker = &self;
                let work = move || {
                    let played = catch_unwind(AssertUnwindSafe(|| worker.work(number)));
                    // A fault of the program ends the worker as a whole.
                    played.inspect_err(|_| worker.interrupt.raise()).unwrap_or_else(|panic| resume_unwind(panic));
                };
                slot.spawn_scoped(scope, work).map_err(ClusterError::Threads)?;
            }
            // What stops the slots stops the games, too.
            scope.spawn(|| {
                self.interrupt.wait();
                lock(&self.shared.opened).iter().for_each(|(_, opened)| opened.interrupt.raise());
            });
            while !(self.is_ending() && (self.interrupt.is_raised() || lock(&self.shared.running).is_empty())) {
                self.link.pause(Duration::from_millis(50));
            }
            // The thread above waits for it.
            self.interrupt.raise();
            Ok(())
        });
        self.tell_end();
        done.map(|()| lock(&self.shared.state).games)
    }

    fn is_ending(&self) -> bool {
        self.interrupt.is_raised() || self.drain.is_raised()
    }

    /// Plays one job after the other.
    fn work(&self, slot: u64) {
        while !self.is_ending() {
            match self.next_job(slot) {
                Ok(Some(message)) => self.answer(slot, &message),
                Ok(None) => {}
                Err(error) => {
                    self.fault(&error);
                    self.link.pause(Duration::from_millis(500));
                }
            }
        }
    }

    fn fault(&self, error: &dyn std::error::Error) {
        let words = rules::printable(&runner::with_causes(error));
        lock(&self.shared.state).last_fault = Some(words.clone());
        (self.report)(WorkerReport::Fault(words));
    }

    /// The next job that this worker can play, if one comes soon.
    fn next_job(&self, slot: u64) -> Result<Option<Message>, ClusterError> {
        let consumers = self.consumers()?;
        if consumers.is_empty() {
            self.link.pause(Duration::from_millis(200));
            return Ok(None);
        }
        let count = consumers.len();
        let wait = Duration::from_millis(1000 / count as u64).max(Duration::from_millis(100));
        for at in 0..count {
            let consumer = &consumers[(at + slot as usize) % count];
            let next = async {
                let fetched = consumer.fetch().max_messages(1).expires(wait).messages().await.map_err(text)?;
                std::pin::pin!(fetched).next().await.transpose().map_err(text)
            };
            let next = self.link.block_on(async { tokio::time::timeout(10 * wait, next).await });
            let next = next.unwrap_or_else(|_| Err("no answer".to_owned()));
            if let Some(message) = next.map_err(|why| ClusterError::server("give a job", why))? {
                return Ok(Some(message));
            }
            if self.is_ending() {
                break;
            }
        }
        Ok(None)
    }

    /// The consumers of jobs that this worker can play.
    fn consumers(&self) -> Result<Vec<Consumer<pull::Config>>, ClusterError> {
        let mut known = lock(&self.shared.consumers);
        if known.0.is_none_or(|at| at.elapsed() > CONSUMERS) {
            let stream = self.link.stream(names::JOBS)?;
            let all: Vec<String> = self.link.wait("list jobs", async || {
                stream.consumer_names().map(|name| name.map_err(text)).collect::<Vec<_>>().await.into_iter().collect()
            })?;
            let ours = names::token(engine());
            let mut mine = Vec::new();
            for name in &all {
                let Some((engine, needs)) = names::of_consumer(name) else { continue };
                if engine != ours {
                    self.tell_other(engine);
                } else if names::has(&self.labels, needs) {
                    mine.push(self.link.wait("find jobs", async || stream.get_consumer(name).await.map_err(text))?);
                }
            }
            *known = (Some(Instant::now()), mine);
        }
        Ok(known.1.clone())
    }

    fn tell_other(&self, engine: &str) {
        let mut told = lock(&self.shared.told_other);
        if !told.iter().any(|other| other == engine) {
            told.push(engine.to_owned());
            (self.report)(WorkerReport::OtherEngine { theirs: names::text_of(engine) });
        }
    }

    /// Plays a job, and answers it. What fails of that lets the server deliver it again.
    fn answer(&self, slot: u64, message: &Message) {
        let job: Job = match messages::read("job", &message.payload) {
            Ok(job) => job,
            Err(error) => {
                self.fault(&error);
                let _ = self.link.block_on(message.ack_with(AckKind::Term));
                return;
            }
        };
        let progress = self.begin_progress(message);
        let running = RunningJob { tournament: job.tournament.clone(), games: job.games.len(), done: 0 };
        lock(&self.shared.running).insert(slot, running);
        let deliveries = message.info().map_or(1, |info| info.delivered);
        let answer = if deliveries > MOST_DELIVERIES {
            let aside =
                |fixture: &Fixture| GameAnswer::SetAside { fixture: *fixture, deliveries: MOST_DELIVERIES as u32 };
            let games = job.games.iter().map(aside).collect();
            Ok(JobAnswer { job: job.id.clone(), worker: self.options.name.clone(), games, files: None })
        } else {
            self.play(slot, &job)
        };
        let sent = answer
            .and_then(|answer| self.link.publish(&names::answers(&job.tournament), &job.id, messages::write(&answer)));
        progress.abort();
        let kind = match sent {
            Ok(()) => AckKind::Ack,
            // Nobody wants its games any more.
            Err(ClusterError::Interrupted) if !self.interrupt.is_raised() => AckKind::Term,
            // It is given back at once.
            Err(ClusterError::Interrupted) => AckKind::Nak(None),
            Err(error) => {
                self.fault(&error);
                AckKind::Nak(None)
            }
        };
        let acked = self
            .link
            .block_on(async { tokio::time::timeout(Duration::from_secs(5), message.double_ack_with(kind)).await });
        if !matches!(acked, Ok(Ok(()))) && !self.is_ending() {
            self.fault(&ClusterError::server("confirm a job", "no answer; it may be played again"));
        }
        lock(&self.shared.running).remove(&slot);
    }

    /// Tells the server again and again that the job goes on.
    fn begin_progress(&self, message: &Message) -> tokio::task::JoinHandle<()> {
        let wait = lock(&self.shared.consumers).1.first().map(|consumer| consumer.cached_info().config.ack_wait);
        let step = wait.unwrap_or(Duration::from_secs(30)) / 3;
        let message = message.clone();
        self.link.spawn(async move {
            loop {
                tokio::time::sleep(step).await;
                let _ = message.ack_with(AckKind::Progress).await;
            }
        })
    }

    fn play(&self, slot: u64, job: &Job) -> Result<JobAnswer, ClusterError> {
        let began = Instant::now();
        let opened = self.opened(job)?;
        let kept = tempfile::tempdir().map_err(|e| ClusterError::disk("make a folder in", &std::env::temp_dir(), e))?;
        let first = opened.names(job.games.first().copied());
        (self.report)(WorkerReport::Begins { first, games: job.games.len() });
        let games = match opened.games(job, kept.path(), &self.link, &self.options) {
            Ok(games) => games,
            // Of the bots or this machine: another may play them.
            Err(error @ ClusterError::Interrupted) => return Err(error),
            Err(error) => {
                self.fault(&error);
                let error = runner::with_causes(&error);
                let failed = |fixture: &Fixture| GameAnswer::Failed { fixture: *fixture, error: error.clone() };
                let games = job.games.iter().map(failed).collect();
                return Ok(JobAnswer { job: job.id.clone(), worker: self.options.name.clone(), games, files: None });
            }
        };
        let mut answers = Vec::new();
        for &fixture in &job.games {
            let played = {
                let together = (!job.is_alone).then(|| self.alone.read().unwrap_or_else(PoisonError::into_inner));
                let alone = job.is_alone.then(|| self.alone.write().unwrap_or_else(PoisonError::into_inner));
                let played = catch_unwind(AssertUnwindSafe(|| games.play(fixture)));
                drop((together, alone));
                played.unwrap_or_else(|_| Err(ArenaError::Elsewhere("the engine panicked".to_owned())))
            };
            match played {
                Ok(line) => answers.push(GameAnswer::Played(Box::new(line))),
                Err(ArenaError::Interrupted) => return Err(ClusterError::Interrupted),
                Err(error) => {
                    self.fault(&error);
                    answers.push(GameAnswer::Failed { fixture, error: runner::with_causes(&error) });
                }
            }
            self.note_game(slot);
        }
        let files = self.keep_files(job, kept.path(), &answers)?;
        (self.report)(WorkerReport::Ended { games: job.games.len(), took: began.elapsed() });
        Ok(JobAnswer { job: job.id.clone(), worker: self.options.name.clone(), games: answers, files })
    }

    fn note_game(&self, slot: u64) {
        lock(&self.shared.state).games += 1;
        let mut finished = lock(&self.shared.finished);
        finished.push_back(Instant::now());
        machine::forget_old(&mut finished);
        if let Some(job) = lock(&self.shared.running).get_mut(&slot) {
            job.done += 1;
        }
    }

    /// Keeps records and fault bundles for the head, if there are any.
    fn keep_files(
        &self,
        job: &Job,
        kept: &std::path::Path,
        games: &[GameAnswer],
    ) -> Result<Option<String>, ClusterError> {
        let has_record = |game: &GameAnswer| matches!(game, GameAnswer::Played(line) if line.record.is_some());
        if !games.iter().any(has_record) {
            return Ok(None);
        }
        let name = names::files(&job.id);
        let (archive, _) = archive::pack(kept)?;
        self.link.keep(&name, &archive)?;
        Ok(Some(name))
    }

    /// The tournament of the job, ready to be played.
    fn opened(&self, job: &Job) -> Result<Arc<Opened>, ClusterError> {
        let mut all = lock(&self.shared.opened);
        if let Some(at) = all.iter().position(|(name, _)| *name == job.description) {
            let found = all.remove(at).expect("it was found there");
            all.push_back(found.clone());
            return Ok(found.1);
        }
        let opened = Arc::new(Opened::new(&job.tournament, &job.description, &self.link, &self.options)?);
        if self.interrupt.is_raised() {
            return Err(ClusterError::Interrupted);
        }
        all.push_back((job.description.clone(), Arc::clone(&opened)));
        if all.len() > TOURNAMENTS {
            all.pop_front();
        }
        Ok(opened)
    }

    /// Tells the state of the worker from now on, and hears who asks for it, drains it or stops a tournament.
    fn begin_telling(&self) -> Result<(), ClusterError> {
        let subscribe = |subject: &'static str| {
            let client = self.link.client.clone();
            self.link.wait("hear what is asked", async || client.subscribe(subject).await.map_err(text))
        };
        let (mut asked, mut drained, mut stopped) =
            (subscribe(names::ASK)?, subscribe(names::DRAIN)?, subscribe(names::STOP)?);
        let (client, shared, drain) = (self.link.client.clone(), Arc::clone(&self.shared), self.drain.clone());
        let name = self.options.name.clone();
        self.link.spawn(async move {
            let mut tick = tokio::time::interval(TELL);
            loop {
                let to = tokio::select! {
                    _ = tick.tick() => Some(names::STATES.into()),
                    Some(question) = asked.next() => question.reply,
                    Some(whom) = drained.next() => {
                        if whom.payload == name.as_bytes() {
                            drain.raise();
                        }
                        Some(names::STATES.into())
                    }
                    Some(which) = stopped.next() => {
                        // If the tournament goes on later, it is opened again.
                        lock(&shared.opened).retain(|(_, opened)| {
                            let is_it = opened.tournament.as_bytes() == which.payload;
                            if is_it {
                                opened.interrupt.raise();
                            }
                            !is_it
                        });
                        None
                    }
                };
                if let Some(to) = to {
                    let state = shared.state_now(drain.is_raised());
                    let _ = client.publish(to, messages::write(&state).into()).await;
                }
            }
        });
        let shared = Arc::clone(&self.shared);
        machine::watch_lag(&self.link, move |lag| lock(&shared.state).machine.lag_ms = lag.as_secs_f64() * 1e3);
        Ok(())
    }

    /// Tells that it takes no more jobs.
    fn tell_end(&self) {
        let state = self.shared.state_now(true);
        let client = &self.link.client;
        self.link.block_on(async {
            let _ = client.publish(names::STATES, messages::write(&state).into()).await;
            let _ = tokio::time::timeout(Duration::from_secs(2), client.flush()).await;
        });
    }
}

impl Shared {
    fn state_now(&self, is_draining: bool) -> WorkerState {
        let running = lock(&self.running).values().cloned().collect();
        let games_per_second = machine::per_second(&mut lock(&self.finished));
        WorkerState { running, games_per_second, is_draining, ..lock(&self.state).clone() }
    }
}

/// True if bots in the language can be run here; those without an interpreter run by themselves.
fn is_here(language: &'static Language, tools: &Tools) -> bool {
    let interpreters = language.interpreters();
    interpreters.iter().any(|one| Launch::by(one, language, tools, &std::env::temp_dir()).is_ok())
}

/// The reason why there is no worker.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// Bots of others are played in the strict sandbox only.
    #[error("a worker plays bots in the strict sandbox only")]
    Sandbox(#[from] SandboxError),
    /// The connection failed.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
}
