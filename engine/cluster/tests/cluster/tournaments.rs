//! Tournaments on a cluster have the results that they have on threads.

use crate::by_hand::steal_jobs;
use crate::nats_server::NatsServer;
use crate::simulated::{Counts, Simulation};
use crate::slow_network::SlowNetwork;
use crate::support::{RunningWorker, a_line, on_cluster, on_cluster_at, on_cluster_with, on_threads, options, without};
use arena::Interrupt;
use cluster::Survey;
use fake_bot::{BotFolder, PLAYS};
use runner::{KeptGames, TournamentOptions};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tournament::StopReason;

/// Plays a tournament of so many games after somebody has taken jobs without an answer. Gives the games that lack, the results that
/// threads do not have, and the failures.
fn after_stolen_jobs(games: u32, jobs: u8) -> Option<(Vec<String>, Vec<String>, Vec<String>)> {
    let server = NatsServer::start()?;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let bots = ["builtin:hunter", "builtin:random"].map(str::to_owned);
    let (local, _) = on_threads(&bots, options(&at("threads"), games));
    let (stopped, (found, _), failures) = std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            steal_jobs(&server, jobs);
            RunningWorker::start(&server, "one", &at("cache"))
        });
        let played = on_cluster_with(&server, &bots, options(&at("cluster"), games), 1000, Duration::from_secs(1));
        drop(worker.join().unwrap());
        played
    });
    assert_eq!(stopped, StopReason::Complete);
    Some((without(&local, &found), without(&found, &local), failures))
}

#[test]
fn games_that_a_bad_worker_takes_are_played_by_others() {
    let Some((missing, other, failures)) = after_stolen_jobs(40, 2) else { return };
    assert_eq!((missing, other, failures), (Vec::new(), Vec::new(), Vec::new()));
}

#[test]
fn a_job_that_kills_workers_is_set_aside_and_all_others_are_played() {
    // At most two jobs, of a pair each, are in hand, and given out in turn.
    let Some((missing, other, failures)) = after_stolen_jobs(6, 6) else { return };
    assert_eq!((missing.len(), other), (4, Vec::new()));
    let aside: Vec<_> = failures.iter().filter(|why| why.contains("3 workers that played it died")).collect();
    assert_eq!(aside.len(), 4, "{failures:?}");
}

/// The time for which a network is parted at least, in seconds, as the environment has it.
fn parted_for() -> Duration {
    let seconds = std::env::var("BROADSIDE_PARTED_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(seconds.unwrap_or_default())
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
    // First a worker is cut off until the other has played for some time, and then the head.
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
                let (of_head, began) = (&of_head, Instant::now());
                scope.spawn(move || {
                    // For longer than it takes until jobs are lost.
                    while began.elapsed() < parted_for().max(Duration::from_secs(3)) {
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
        let record = match_folder::open(&at("cluster").join(format!("records/{game}.jsonl.zst"))).unwrap();
        match_folder::verify(&record).unwrap();
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
