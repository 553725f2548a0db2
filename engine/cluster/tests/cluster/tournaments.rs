//! Tournaments on a cluster have the results that they have on threads.

use crate::nats_server::NatsServer;
use crate::simulated::{Counts, Simulation};
use crate::slow_network::SlowNetwork;
use arena::Interrupt;
use async_nats::jetstream::consumer::PullConsumer;
use cluster::{Head, HeadOptions, HeadReport, Survey, Worker, WorkerOptions};
use fake_bot::{BotFolder, PLAYS};
use futures_util::StreamExt;
use players::Tools;
use runner::{
    BotOptions, Context, GameSetup, KeptGames, PreparedTournament, ProgramSetup, SandboxLevel, TimeLimit,
    TournamentOptions,
};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tournament::{GameLine, SchedulerEvent, StopReason};

/// A worker on a thread, which ends with the value.
struct RunningWorker {
    interrupt: Interrupt,
    drain: Interrupt,
    thread: Option<JoinHandle<u64>>,
}

impl RunningWorker {
    fn start(server: &NatsServer, name: &str, cache: &Path) -> RunningWorker {
        RunningWorker::start_at(&server.url(), name, cache)
    }

    /// Starts one that finds the server at this address.
    fn start_at(url: &str, name: &str, cache: &Path) -> RunningWorker {
        let [interrupt, drain] = [(); 2].map(|()| Interrupt::new().unwrap());
        let options = WorkerOptions {
            server: url.parse().unwrap(),
            name: name.to_owned(),
            slots: 2,
            labels: vec![format!("is-{name}")],
            tools: Tools::on_path(),
            guardian: None,
            cache: cache.to_owned(),
        };
        let worker = Worker::connect(options, &interrupt, &drain, |_| {}).unwrap();
        let thread = Some(std::thread::spawn(move || worker.run().unwrap()));
        RunningWorker { interrupt, drain, thread }
    }

    /// Lets it finish its jobs, and gives the number of its games.
    fn drained(mut self) -> u64 {
        self.drain.raise();
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

fn options(folder: &Path, games: u32) -> TournamentOptions {
    TournamentOptions { folder: Some(folder.to_owned()), games, seed: Some(7), ..TournamentOptions::default() }
}

fn prepared(bots: &[String], options: TournamentOptions) -> (PreparedTournament<runner::ProgramMatches>, BotOptions) {
    let of_bots = BotOptions {
        sandbox: SandboxLevel::Strict,
        time: TimeLimit::Extra(Duration::from_secs(60)),
        ..BotOptions::default()
    };
    let setup = ProgramSetup::new(Default::default(), of_bots.clone(), Context::silent().unwrap());
    let contestants = setup.find_all(bots).unwrap();
    (PreparedTournament::new(setup, contestants, options).unwrap(), of_bots)
}

/// What is the same of a game wherever it is played.
fn result(line: &GameLine) -> String {
    let faults: Vec<_> = line.players.iter().map(|(_, player)| player.faults.clone()).collect();
    format!("{:?} {} {:?} {faults:?}", line.fixture, line.seed, line.outcome)
}

/// The results by game, and by machine how many it has played.
type Results = (BTreeMap<String, u32>, BTreeMap<Option<String>, u32>);

fn add(results: &mut Results, event: &SchedulerEvent<'_>) {
    if let SchedulerEvent::Finished(line) = event {
        *results.0.entry(result(line)).or_default() += 1;
        *results.1.entry(line.machine.clone()).or_default() += 1;
    }
}

fn on_threads(bots: &[String], options: TournamentOptions) -> Results {
    let mut results = Results::default();
    let played = prepared(bots, options).0.play(&mut |event, _| {
        add(&mut results, &event);
        ControlFlow::Continue(())
    });
    assert_eq!(played.unwrap().stopped, StopReason::Complete);
    results
}

/// The part of these results that others do not have.
fn without(some: &BTreeMap<String, u32>, others: &BTreeMap<String, u32>) -> Vec<String> {
    some.iter().filter(|(game, count)| others.get(*game) != Some(count)).map(|(game, _)| game.clone()).collect()
}

fn on_cluster(server: &NatsServer, bots: &[String], options: TournamentOptions, most: usize) -> (StopReason, Results) {
    let (stopped, results, failures) = on_cluster_with(server, bots, options, most, Duration::from_secs(30));
    assert_eq!(failures, [""; 0]);
    (stopped, results)
}

/// The same where workers are lost after this time. Also gives the failures of games.
fn on_cluster_with(
    server: &NatsServer,
    bots: &[String],
    options: TournamentOptions,
    most: usize,
    lost_after: Duration,
) -> (StopReason, Results, Vec<String>) {
    let stop = |_: &GameLine, games: usize| games >= most;
    on_cluster_at(&server.url(), bots, options, lost_after, stop)
}

/// The same at this address of the server. `stop` hears of each game, with the number of games that have ended.
fn on_cluster_at(
    url: &str,
    bots: &[String],
    options: TournamentOptions,
    lost_after: Duration,
    mut stop: impl FnMut(&GameLine, usize) -> bool,
) -> (StopReason, Results, Vec<String>) {
    let (prepared, of_bots) = prepared(bots, options);
    let head = HeadOptions { server: url.parse().unwrap(), lost_after, required: Vec::new() };
    let reports = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&reports);
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
    let played = played.unwrap();
    assert!(reports.lock().unwrap().iter().all(|report| matches!(report, HeadReport::Workers { .. })), "{reports:?}");
    (played.stopped, results, failures)
}

/// Takes jobs as a worker does, and answers none: each of these is confirmed, or else given out again.
fn steal_jobs(server: &NatsServer, are_confirmed: &[bool]) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = async_nats::connect(server.url()).await.unwrap();
        let context = async_nats::jetstream::new(client);
        let jobs = loop {
            // The head makes it.
            if let Ok(jobs) = context.get_stream("broadside-jobs").await {
                break jobs;
            }
        };
        for is_confirmed in are_confirmed {
            let stolen = loop {
                let Some(name) = jobs.consumer_names().next().await else { continue };
                let consumer: PullConsumer = jobs.get_consumer(&name.unwrap()).await.unwrap();
                let fetched = consumer.fetch().max_messages(1).expires(Duration::from_secs(1)).messages().await;
                if let Some(job) = std::pin::pin!(fetched.unwrap()).next().await {
                    break job.unwrap();
                }
            };
            if *is_confirmed {
                stolen.double_ack().await.unwrap();
            }
        }
    });
}

/// Plays a tournament of 40 games after somebody has taken jobs without an answer. Gives the games that lack, the results that
/// threads do not have, and the failures.
fn after_stolen_jobs(are_confirmed: &[bool]) -> Option<(Vec<String>, Vec<String>, Vec<String>)> {
    let server = NatsServer::start()?;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let bots = ["builtin:hunter", "builtin:random"].map(str::to_owned);
    let (local, _) = on_threads(&bots, options(&at("threads"), 40));
    let (stopped, (found, _), failures) = std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            steal_jobs(&server, are_confirmed);
            RunningWorker::start(&server, "one", &at("cache"))
        });
        let played = on_cluster_with(&server, &bots, options(&at("cluster"), 40), 1000, Duration::from_secs(1));
        drop(worker.join().unwrap());
        played
    });
    assert_eq!(stopped, StopReason::Complete);
    Some((without(&local, &found), without(&found, &local), failures))
}

#[test]
fn games_that_a_bad_worker_takes_are_played_by_others() {
    // One job is confirmed without an answer, one falls to nobody.
    let Some((missing, other, failures)) = after_stolen_jobs(&[true, false]) else { return };
    assert_eq!((missing, other), (Vec::new(), Vec::new()));
    assert!(failures.iter().any(|why| why.contains("took it and gave no answer")), "{failures:?}");
}

#[test]
fn a_job_that_kills_workers_is_set_aside_and_all_others_are_played() {
    // At the beginning there are two jobs, of a pair each: one is lost, and so the other is delivered again and again.
    let Some((missing, other, failures)) = after_stolen_jobs(&[true, false, false, false, false]) else { return };
    assert_eq!((missing.len(), other), (2, Vec::new()));
    let aside: Vec<_> = failures.iter().filter(|why| why.contains("3 workers that played it died")).collect();
    assert_eq!(aside.len(), 2, "{failures:?}");
}

/// The time for which a network is parted at least, in seconds, as the environment has it.
fn parted_for() -> Duration {
    let seconds = std::env::var("BROADSIDE_PARTED_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(seconds.unwrap_or_default())
}

/// The line of a game between these bots.
fn a_line(bots: &[String], folder: &Path) -> GameLine {
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

/// Waits until this many answers are on the server that no head has confirmed.
fn wait_for_answers(server: &NatsServer, many: u64) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let context = async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap());
        let answers = context.get_stream("broadside-answers").await.unwrap();
        while answers.get_info().await.unwrap().state.messages < many {
            test_tools::pause();
        }
    });
}

#[test]
fn nothing_is_lost_where_the_network_is_slow_and_parted() {
    const GAMES: u32 = 40;
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let folders = ["Alpha", "Bravo"].map(|name| BotFolder::new(name, PLAYS));
    let bots = folders.each_ref().map(|folder| folder.path().display().to_string());
    let (local, _) = on_threads(&bots, options(&at("threads"), GAMES));
    let [of_head, one, two] = [(); 3].map(|()| SlowNetwork::to(server.port()));
    let workers =
        [(&one, "one"), (&two, "two")].map(|(way, name)| RunningWorker::start_at(&way.url(), name, &at(name)));
    // First a worker is cut off until the other has played for some time, and then the head until two jobs have an answer.
    let (mut cut_off, mut of_other) = (None, 0);
    let (stopped, (found, machines), failures) = std::thread::scope(|scope| {
        on_cluster_at(&of_head.url(), &bots, options(&at("cluster"), GAMES), Duration::from_secs(2), |line, games| {
            of_other += u32::from(line.machine.as_deref() == Some("two"));
            if games == 6 {
                one.part(true);
                (cut_off, of_other) = (Some(Instant::now()), 0);
            } else if of_other >= 8 && cut_off.is_some_and(|at| at.elapsed() >= parted_for()) {
                one.part(false);
                cut_off = None;
            }
            if games == 20 {
                of_head.part(true);
                let (server, of_head, began) = (&server, &of_head, Instant::now());
                scope.spawn(move || {
                    wait_for_answers(server, 2);
                    while began.elapsed() < parted_for() {
                        test_tools::pause();
                    }
                    of_head.part(false);
                });
            }
            false
        })
    });
    one.part(false);
    assert_eq!((stopped, failures), (StopReason::Complete, Vec::new()));
    assert_eq!((without(&local, &found), without(&found, &local)), (Vec::new(), Vec::new()));
    assert_eq!(machines.len(), 2, "{machines:?}");
    drop(workers);
}

#[test]
fn all_jobs_of_simulated_workers_that_die_and_dawdle_are_done() {
    const GAMES: u32 = 2000;
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let bots = ["builtin:hunter", "builtin:random"].map(str::to_owned);
    let line = a_line(&bots, &folder.path().join("threads"));
    let counts = Arc::new(Counts::default());
    let simulation = Simulation {
        url: server.url(),
        engine: Survey::take(&server.url().parse().unwrap(), &Interrupt::new().unwrap()).unwrap().engine,
        workers: 100,
        job: Duration::from_millis(50),
        told: Duration::from_secs(5),
        lost_after: Duration::from_secs(1),
        line,
        base_seed: 7,
        names: bots.clone(),
        counts: Arc::clone(&counts),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let simulated = runtime.spawn(simulation.run());
    let options = options(&folder.path().join("cluster"), GAMES);
    let (stopped, (found, _), failures) =
        on_cluster_at(&server.url(), &bots, options, Duration::from_secs(1), |_, _| false);
    simulated.abort();
    assert_eq!((stopped, failures), (StopReason::Complete, Vec::new()));
    assert!(found.len() == GAMES as usize && found.values().all(|lines| *lines == 1));
    assert!(counts.died.load(Ordering::Relaxed) > 0);
}

#[test]
fn built_in_players_have_the_results_of_threads_on_two_workers() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let bots = ["builtin:hunter", "builtin:random", "a=builtin:random"].map(str::to_owned);
    let (local, _) = on_threads(&bots, options(&at("threads"), 40));
    let workers = ["one", "two"].map(|name| RunningWorker::start(&server, name, &at(name)));
    let (stopped, (found, machines)) = on_cluster(&server, &bots, options(&at("cluster"), 40), 1000);
    assert_eq!(stopped, StopReason::Complete);
    assert_eq!(found, local);
    assert!(machines.keys().all(|name| name.as_deref().is_some_and(|name| ["one", "two"].contains(&name))));
    let games: u64 = workers.map(RunningWorker::drained).iter().sum();
    assert_eq!(games, 120);
}

#[test]
fn bots_are_fetched_and_played_in_the_sandbox_and_records_come_back() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let folders = [BotFolder::new("Alpha", PLAYS), BotFolder::new("Bravo", "1: fire\n2: fire")];
    let bots = folders.each_ref().map(|folder| folder.path().display().to_string());
    let (local, _) = on_threads(&bots, options(&at("threads"), 2));
    let worker = RunningWorker::start(&server, "one", &at("cache"));
    let kept = TournamentOptions { keep: KeptGames::All, ..options(&at("cluster"), 2) };
    let (stopped, (found, _)) = on_cluster(&server, &bots, kept.clone(), 1000);
    assert_eq!((stopped, &found), (StopReason::Complete, &local));
    for game in ["0-1-00000", "0-1-00001"] {
        let record = arena::record::open(&at("cluster").join(format!("records/{game}.jsonl.zst"))).unwrap();
        arena::record::verify(&record).unwrap();
        assert!(at("cluster/faults").join(game).is_dir(), "Bravo never places its ships");
    }
    drop(worker);
    let names: Vec<_> = std::fs::read_dir(at("cache/bots")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn a_tournament_that_is_stopped_goes_on_where_it_was() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let bots = ["builtin:hunter", "builtin:random"].map(str::to_owned);
    let (local, _) = on_threads(&bots, options(&at("threads"), 300));
    let _worker = RunningWorker::start(&server, "one", &at("cache"));
    let (stopped, (mut found, _)) = on_cluster(&server, &bots, options(&at("cluster"), 300), 20);
    assert_eq!(stopped, StopReason::Enough);
    let (stopped, (rest, _)) = on_cluster(&server, &bots, options(&at("cluster"), 300), 1000);
    assert_eq!(stopped, StopReason::Complete);
    found.extend(rest);
    assert_eq!(found, local);
}
