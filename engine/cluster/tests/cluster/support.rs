//! Heads and workers of tests, in this process.

use crate::nats_server::NatsServer;
use arena::Interrupt;
use cluster::{Head, HeadOptions, HeadReport, SecretKey, Worker, WorkerOptions, WorkerReport};
use players::Tools;
use runner::{
    BotOptions, Context, GameSetup, PreparedTournament, ProgramSetup, SandboxLevel, TimeLimit, TournamentOptions,
};
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, LazyLock, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;
use tournament::{GameLine, SchedulerEvent, StopReason};

/// A worker on a thread, which ends with the value.
pub(crate) struct RunningWorker {
    interrupt: Interrupt,
    drain: Interrupt,
    thread: Option<JoinHandle<u64>>,
    told: Receiver<WorkerReport>,
}

impl RunningWorker {
    pub(crate) fn start(server: &NatsServer, name: &str, cache: &Path) -> RunningWorker {
        RunningWorker::start_at(&server.url(), name, cache)
    }

    /// Starts one that finds the server at this address.
    pub(crate) fn start_at(url: &str, name: &str, cache: &Path) -> RunningWorker {
        RunningWorker::start_with(url, name, cache, Tools::on_path())
    }

    /// Starts one that has these tools only.
    pub(crate) fn start_with(url: &str, name: &str, cache: &Path, tools: Tools) -> RunningWorker {
        RunningWorker::start_on(&cluster::machine_kind(), url, name, cache, tools)
    }

    /// Starts one whose machine is said to be of this kind.
    pub(crate) fn start_on(machine: &str, url: &str, name: &str, cache: &Path, tools: Tools) -> RunningWorker {
        RunningWorker::start_of(machine, url, name, cache, tools, (2, cluster::STUCK_AFTER))
    }

    /// Starts one that plays one job at a time, and gives up jobs in which nothing happens for this time.
    pub(crate) fn start_impatient(url: &str, name: &str, cache: &Path, stuck_after: Duration) -> RunningWorker {
        RunningWorker::start_of(&cluster::machine_kind(), url, name, cache, Tools::on_path(), (1, stuck_after))
    }

    fn start_of(
        machine: &str,
        url: &str,
        name: &str,
        cache: &Path,
        tools: Tools,
        (slots, stuck_after): (usize, Duration),
    ) -> RunningWorker {
        let [interrupt, drain] = [(); 2].map(|()| Interrupt::new().unwrap());
        let options = WorkerOptions {
            server: url.parse().unwrap(),
            heads: vec![head_key().public()],
            name: name.to_owned(),
            machine: machine.to_owned(),
            slots,
            labels: vec![format!("is-{name}")],
            tools,
            stuck_after,
            cache: cache.to_owned(),
        };
        let (tell, told) = channel();
        let worker = Worker::connect(options, &interrupt, &drain, move |report| drop(tell.send(report))).unwrap();
        let thread = Some(std::thread::spawn(move || worker.run().unwrap()));
        RunningWorker { interrupt, drain, thread, told }
    }

    /// Waits until it has begun a job.
    pub(crate) fn wait_for_job(&self) {
        self.wait_for(|report| matches!(report, WorkerReport::Begins(..)));
    }

    /// Waits until it has told this. Fails where nothing is told for so long that nothing will be.
    pub(crate) fn wait_for(&self, mut is_it: impl FnMut(&WorkerReport) -> bool) {
        while !is_it(&self.told.recv_timeout(Duration::from_secs(300)).unwrap()) {}
    }

    /// Lets it finish its jobs, and gives the number of its games.
    pub(crate) fn drained(self) -> u64 {
        self.drain.raise();
        self.ended()
    }

    /// Waits until it has ended, and gives the number of its games.
    pub(crate) fn ended(mut self) -> u64 {
        self.thread.take().unwrap().join().unwrap()
    }
}

impl Drop for RunningWorker {
    fn drop(&mut self) {
        self.interrupt.raise();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

pub(crate) fn options(folder: &Path, games: u32) -> TournamentOptions {
    TournamentOptions { folder: Some(folder.to_owned()), games, seed: Some(7), ..TournamentOptions::default() }
}

pub(crate) fn prepared(
    bots: &[String],
    options: TournamentOptions,
) -> (PreparedTournament<runner::ProgramMatches>, BotOptions) {
    let of_bots = BotOptions {
        sandbox: SandboxLevel::Strict,
        time: TimeLimit::Extra(Duration::from_secs(60)),
        ..BotOptions::default()
    };
    let setup = ProgramSetup::new(Default::default(), of_bots.clone(), Context::silent().unwrap());
    let contestants = setup.find_all(bots).unwrap();
    (PreparedTournament::new(setup, contestants, options).unwrap(), of_bots)
}

/// The result of a game: all of its line that is the same on every machine.
pub(crate) fn result(line: &GameLine) -> String {
    let faults: Vec<_> = line.players.iter().map(|(_, player)| player.faults.clone()).collect();
    format!("{:?} {} {:?} {faults:?}", line.fixture, line.seed, line.outcome)
}

/// The results by game, and by machine how many it has played.
pub(crate) type Results = (BTreeMap<String, u32>, BTreeMap<Option<String>, u32>);

pub(crate) fn add(results: &mut Results, event: &SchedulerEvent<'_>) {
    if let SchedulerEvent::Finished(line) = event {
        *results.0.entry(result(line)).or_default() += 1;
        *results.1.entry(line.machine.clone()).or_default() += 1;
    }
}

pub(crate) fn on_threads(bots: &[String], options: TournamentOptions) -> Results {
    let mut results = Results::default();
    let played = prepared(bots, options).0.play(&mut |event, _| {
        add(&mut results, &event);
        ControlFlow::Continue(())
    });
    assert_eq!(played.unwrap().stopped, StopReason::Complete);
    results
}

/// The part of these results that others do not have.
pub(crate) fn without(some: &BTreeMap<String, u32>, others: &BTreeMap<String, u32>) -> Vec<String> {
    some.iter().filter(|(game, count)| others.get(*game) != Some(count)).map(|(game, _)| game.clone()).collect()
}

pub(crate) fn on_cluster(
    server: &NatsServer,
    bots: &[String],
    options: TournamentOptions,
    most: usize,
) -> (StopReason, Results) {
    let (stopped, results, failures) = on_cluster_with(server, bots, options, most, Duration::from_secs(30));
    assert_eq!(failures, [""; 0]);
    (stopped, results)
}

/// The same where workers are lost after this time. Also gives the failures of games.
pub(crate) fn on_cluster_with(
    server: &NatsServer,
    bots: &[String],
    options: TournamentOptions,
    most: usize,
    lost_after: Duration,
) -> (StopReason, Results, Vec<String>) {
    let stop = |_: &GameLine, games: usize| games >= most;
    on_cluster_at(&server.url(), bots, options, lost_after, stop)
}

/// The same at this address of the server. `stop` hears of each game, with the number of games that have ended. The head tells of
/// workers only.
pub(crate) fn on_cluster_at(
    url: &str,
    bots: &[String],
    options: TournamentOptions,
    lost_after: Duration,
    stop: impl FnMut(&GameLine, usize) -> bool,
) -> (StopReason, Results, Vec<String>) {
    let reports = Reports::default();
    let played = on_cluster_telling(url, bots, options, lost_after, stop, &reports);
    assert!(reports.0.lock().unwrap().iter().all(|report| matches!(report, HeadReport::Workers { .. })), "{reports:?}");
    played
}

/// The reports of a head, and whether its tournament has ended.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reports(pub(crate) Arc<Mutex<Vec<HeadReport>>>, Arc<AtomicBool>);

impl Reports {
    /// Waits for one, or for the end of the tournament: the last games may end before the head tells how many workers it knows.
    pub(crate) fn wait_for(&self, is_it: impl Fn(&HeadReport) -> bool) {
        while !self.0.lock().unwrap().iter().any(&is_it) && !self.1.load(Ordering::SeqCst) {
            test_tools::pause();
        }
    }
}

/// The same, where the head may tell more.
pub(crate) fn on_cluster_telling(
    url: &str,
    bots: &[String],
    options: TournamentOptions,
    lost_after: Duration,
    stop: impl FnMut(&GameLine, usize) -> bool,
    reports: &Reports,
) -> (StopReason, Results, Vec<String>) {
    on_cluster_of(HeadOptions { lost_after, ..head(url) }, bots, options, stop, reports)
}

/// The head of most tests: it finds the server at this address, has the key that workers know, and audits nothing.
pub(crate) fn head(url: &str) -> HeadOptions {
    let (server, lost_after) = (url.parse().unwrap(), Duration::from_secs(30));
    let (key, stuck_after) = (head_key(), cluster::STUCK_AFTER);
    HeadOptions { server, lost_after, required: Vec::new(), key, audit: 0.0, workers: Vec::new(), stuck_after }
}

/// The secret part of the key of this program's heads.
pub(crate) fn head_seed() -> [u8; 32] {
    [1; 32]
}

/// The key of this program's heads.
pub(crate) fn head_key() -> SecretKey {
    static KEY: LazyLock<SecretKey> = LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("head.key");
        fs::write(&path, arena::hex(&head_seed())).unwrap();
        SecretKey::kept(&path).unwrap()
    });
    KEY.clone()
}

/// The same by this head.
pub(crate) fn on_cluster_of(
    head: HeadOptions,
    bots: &[String],
    options: TournamentOptions,
    mut stop: impl FnMut(&GameLine, usize) -> bool,
    reports: &Reports,
) -> (StopReason, Results, Vec<String>) {
    let (prepared, of_bots) = prepared(bots, options);
    let told = Arc::clone(&reports.0);
    let report = move |report: HeadReport| told.lock().unwrap().push(report);
    let interrupt = prepared.interrupt().clone();
    let mut head = Head::open(&head, prepared.description(), &of_bots, &interrupt, report).unwrap();
    let (mut results, mut failures) = (Results::default(), Vec::new());
    let played = prepared.play_in(&mut head, &mut |event, table| {
        add(&mut results, &event);
        if let SchedulerEvent::Failed { error, .. } = &event {
            failures.push(error.to_string());
        }
        match event {
            SchedulerEvent::Finished(line) if stop(line, table.results().games() as usize) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    });
    reports.1.store(true, Ordering::SeqCst);
    (played.unwrap().stopped, results, failures)
}

/// The line of a game between these bots.
pub(crate) fn a_line(bots: &[String], folder: &Path) -> GameLine {
    let mut found = None;
    let played = prepared(bots, options(folder, 2)).0.play(&mut |event, _| {
        if let SchedulerEvent::Finished(line) = event {
            found = Some(line.clone());
        }
        ControlFlow::Continue(())
    });
    assert_eq!(played.unwrap().stopped, StopReason::Complete);
    found.unwrap()
}

pub(crate) fn built_ins() -> [String; 2] {
    ["builtin:hunter", "builtin:random"].map(str::to_owned)
}
