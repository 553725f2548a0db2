//! A worker: takes jobs, plays them in the strict sandbox, and answers.

use crate::error::ClusterError;
use crate::wire::link::{Link, Role};
use crate::wire::machine;
use crate::wire::messages::{HeadState, MachineState, WorkerState};
use crate::wire::names::random_name;
use crate::wire::result_check::shown;
use crate::wire::signing::{PublicKey, SecretKey};
use crate::wire::version::version;
use crate::worker::bot_cache;
use crate::worker::job_source::JobSource;
use crate::worker::options::WorkerOptions;
use crate::worker::shared_state::Shared;
use crate::worker::tournaments::Tournaments;
use arena::{ArenaError, Interrupt};
use platform::locks::lock;
use players::Tools;
use players::process::{Language, Purpose, Sandbox, SandboxError, ToolCheck};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, RwLock};
use std::thread;
use std::time::Duration;

/// An event of a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkerReport {
    /// The worker waits for jobs; these labels name the languages of bots that it can run, and those that it was given.
    Ready(Vec<String>),
    /// A job has begun: the entrants of its first game, and the number of its games.
    Begins([String; 2], usize),
    /// A job has ended: the number of its games, and the time that it took.
    Ended(usize, Duration),
    /// Jobs wait that are of this other version of the program, or of these other rules.
    OtherEngine(String),
    /// Something failed; the worker goes on.
    Fault(String),
}

/// The longest time that a worker waits after a failure of its own, before it takes another job.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// The most heads and versions that a worker tells of.
const MOST_TOLD: usize = 100;

/// A closure that gets what a worker tells.
type Report = dyn Fn(WorkerReport) + Send + Sync;

/// The file in the cache with the worker's key.
const KEY: &str = "worker.key";

/// A worker that is connected.
pub struct Worker {
    pub(crate) options: WorkerOptions,
    /// The key with which it signs its results.
    pub(crate) key: SecretKey,
    pub(crate) link: Link,
    labels: Vec<String>,
    source: Arc<JobSource>,
    pub(crate) interrupt: Interrupt,
    drain: Interrupt,
    /// Read by each game, written by one that is played alone.
    pub(crate) alone: RwLock<()>,
    pub(crate) shared: Arc<Shared>,
    pub(crate) tournaments: Arc<Tournaments>,
    pub(crate) report: Arc<Report>,
}

impl Worker {
    /// Connects to the server. `drain` lets it finish its games and then end; `interrupt` ends it at once, and gives its jobs
    /// back.
    ///
    /// # Errors
    /// There is no strict sandbox here, or no connection, or the tools of languages cannot be tried.
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
        bot_cache::prune(&options.cache);
        let key = SecretKey::kept(&options.cache.join(KEY))?;
        let link = Link::connect(&options.server, Role::Worker(&options.name), interrupt)?;
        let mut labels = languages(&options.tools, interrupt)?;
        labels.extend(options.labels.iter().cloned());
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let machine = MachineState { processors, speed: machine::speed(), lag_ms: 0.0 };
        let state = WorkerState {
            id: random_name(),
            name: options.name.clone(),
            key: key.public().to_string(),
            engine: version().to_owned(),
            slots: options.slots.max(1),
            labels: labels.clone(),
            machine,
            running: Vec::new(),
            games: 0,
            games_per_second: 0.0,
            last_fault: None,
            is_draining: false,
        };
        let source = JobSource::new(labels.clone(), key.clone());
        let worker = Worker {
            source: Arc::new(source),
            options,
            key: key.clone(),
            link,
            labels,
            interrupt: interrupt.clone(),
            drain: drain.clone(),
            alone: RwLock::new(()),
            shared: Arc::new(Shared::new(state, key)),
            tournaments: Arc::default(),
            report: Arc::new(report),
        };
        worker.shared.begin_telling(&worker.link, (drain, &worker.options.heads), worker.on_head())?;
        Ok(worker)
    }

    /// What becomes of the state of a head: the worker asks those that it knows for jobs, and tells of others once.
    fn on_head(&self) -> impl Fn(PublicKey, HeadState) + Send + 'static {
        let (source, tournaments, report) =
            (Arc::clone(&self.source), Arc::clone(&self.tournaments), Arc::clone(&self.report));
        let (heads, shared, told) = (self.options.heads.clone(), Arc::clone(&self.shared), Mutex::new(BTreeSet::new()));
        move |head, state| {
            let is_new = |what: String| {
                let mut told = lock(&told);
                told.len() < MOST_TOLD && told.insert(what)
            };
            if !heads.contains(&head) {
                if is_new(head.to_string()) {
                    note_fault(&shared, &*report, &ClusterError::Stranger(head));
                }
            } else if state.engine != version() {
                if is_new(state.engine.clone()) {
                    report(WorkerReport::OtherEngine(state.engine));
                }
            } else {
                source.note(head, &state);
                if state.is_over {
                    tournaments.stop(&state.run);
                }
            }
        }
    }

    /// The key with which it signs its results.
    pub fn key(&self) -> PublicKey {
        self.key.public()
    }

    /// Plays jobs until it is drained or interrupted. Gives the number of games.
    ///
    /// # Errors
    /// The system gives no threads.
    pub fn run(self) -> Result<u64, WorkerError> {
        (self.report)(WorkerReport::Ready(self.labels.clone()));
        let done = thread::scope(|scope| {
            for number in 0..self.options.slots.max(1) {
                let slot = thread::Builder::new().name("a job".to_owned());
                let worker = &self;
                let work = move || {
                    let played = catch_unwind(AssertUnwindSafe(|| worker.work(number)));
                    // A fault of the program ends the worker as a whole.
                    played.inspect_err(|_| worker.interrupt.raise()).unwrap_or_else(|panic| resume_unwind(panic));
                };
                // The slots that have begun already end, too.
                slot.spawn_scoped(scope, work)
                    .inspect_err(|_| self.interrupt.raise())
                    .map_err(ClusterError::Threads)?;
            }
            // An interrupt that stops the slots stops the games, too.
            scope.spawn(|| {
                self.interrupt.wait();
                self.tournaments.stop_all();
            });
            while !(self.is_ending() && (self.interrupt.is_raised() || !self.shared.plays())) {
                self.link.pause(Duration::from_millis(50));
            }
            // The thread above waits for it.
            self.interrupt.raise();
            Ok(())
        });
        self.shared.tell_end(&self.link);
        done.map(|()| self.shared.games())
    }

    pub(crate) fn is_ending(&self) -> bool {
        self.interrupt.is_raised() || self.drain.is_raised()
    }

    pub(crate) fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Plays one job after the other. After a failure of its own it waits before it takes the next, longer each time, so that
    /// others get the games.
    fn work(&self, slot: usize) {
        let mut failures = 0;
        while !self.is_ending() {
            let next = self.link.check_rights().and_then(|()| self.source.next(&self.link, slot));
            let has_failed = match next {
                Ok(Some(job)) => !self.answer(&job),
                Ok(None) => continue,
                Err(ClusterError::Interrupted) => return,
                Err(error) => {
                    self.fault(&error);
                    true
                }
            };
            failures = if has_failed { failures + 1 } else { 0 };
            if has_failed {
                let pause = Duration::from_millis(500) * 2_u32.saturating_pow(failures.min(10));
                self.pause(pause.min(LONGEST_PAUSE));
            }
        }
    }

    fn pause(&self, time: Duration) {
        const STEP: Duration = Duration::from_millis(100);
        let mut left = time;
        while !left.is_zero() && !self.is_ending() {
            self.link.pause(STEP.min(left));
            left = left.saturating_sub(STEP);
        }
    }

    /// Notes and tells a failure.
    pub(crate) fn fault(&self, error: &dyn std::error::Error) {
        note_fault(&self.shared, &*self.report, error);
    }
}

fn note_fault(shared: &Shared, report: &Report, error: &dyn std::error::Error) {
    let text = shown(&runner::with_causes(error));
    lock(&shared.state).last_fault = Some(text.clone());
    report(WorkerReport::Fault(text));
}

/// The names of the languages whose bots can be run here. They are built where they enter; those without an interpreter run by
/// themselves, and are no label.
fn languages(tools: &Tools, interrupt: &Interrupt) -> Result<Vec<String>, ArenaError> {
    let check = ToolCheck::new(tools.clone(), interrupt.clone());
    check.try_all(Purpose::Run);
    let interpreted = Language::all().iter().filter(|language| !language.interpreters().is_empty());
    let missing = interpreted.map(|language| Ok((language, check.missing(language, Purpose::Run)?)));
    let missing = missing.collect::<Result<Vec<_>, ArenaError>>()?;
    Ok(missing.iter().filter(|(_, missing)| missing.is_empty()).map(|(language, _)| language.name.to_owned()).collect())
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
    /// The tools of this machine cannot be tried, or that was interrupted.
    #[error(transparent)]
    Engine(#[from] ArenaError),
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::files::symlink;
    use std::path::Path;

    #[test]
    fn a_worker_has_the_label_of_a_language_whose_bots_it_can_run() {
        let folder = tempfile::tempdir().unwrap();
        let links = [("mono", "/bin/true"), ("java", "/bin/true"), ("node", "/bin/false"), ("tsc", "/bin/true")];
        links.iter().for_each(|(name, to)| symlink(Path::new(to), &folder.path().join(name)).unwrap());
        let labels = languages(&Tools::in_folders([folder.path().to_owned()]), &Interrupt::new().unwrap()).unwrap();
        // No compiler is needed: bots are built where they enter.
        assert_eq!(labels, ["CSharp", "Java", "FSharp", "Scala", "Kotlin"]);
    }
}
