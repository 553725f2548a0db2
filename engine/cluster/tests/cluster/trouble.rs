//! Workers that fail or lie, heads that meet, and servers that forget: what others play counts all the same.

use crate::by_hand::{Hand, engine, key_of, liar_key, packed, signed, state_of, tell};
use crate::nats_server::NatsServer;
use crate::support::{
    Reports, RunningWorker, a_line, built_ins, head_seed, on_cluster_telling, on_cluster_with, on_threads, options,
    without,
};
use cluster::HeadReport;
use ed25519_dalek::SigningKey;
use players::Tools;
use serde_json::{Value, json};
use std::fs;
use std::sync::mpsc::channel;
use std::time::Duration;
use tournament::{Fixture, GameLine, StopReason};

#[test]
fn a_worker_whose_disk_fails_leaves_its_games_to_others() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let folders = ["Alpha", "Bravo"].map(|name| fake_bot::BotFolder::new(name, fake_bot::PLAYS));
    let bots = folders.each_ref().map(|folder| folder.path().display().to_string());
    let (local, _) = on_threads(&bots, options(&at("threads"), 6));
    // A file where the folder of bots should be.
    fs::create_dir(at("full")).unwrap();
    fs::write(at("full/bots"), "").unwrap();
    let _bad = RunningWorker::start(&server, "bad", &at("full"));
    let reports = Reports::default();
    let given_back = |report: &HeadReport| matches!(report, HeadReport::GivenBack(worker, _) if worker == "bad");
    let (done, is_done) = channel();
    let (stopped, (found, machines), failures) = std::thread::scope(|scope| {
        let (server, cache, told) = (&server, at("good"), reports.clone());
        scope.spawn(move || {
            told.wait_for(given_back);
            let _good = RunningWorker::start(server, "good", &cache);
            is_done.recv().unwrap();
        });
        let long = Duration::from_secs(30);
        let played = on_cluster_telling(&server.url(), &bots, options(&at("cluster"), 6), long, |_, _| false, &reports);
        done.send(()).unwrap();
        played
    });
    assert_eq!((stopped, failures), (StopReason::Complete, Vec::new()));
    assert_eq!((without(&local, &found), without(&found, &local)), (Vec::new(), Vec::new()));
    assert_eq!(machines.keys().collect::<Vec<_>>(), [&Some("good".to_owned())]);
    assert_eq!(reports.0.lock().unwrap().iter().filter(|report| given_back(report)).count(), 1, "{reports:?}");
}

#[test]
fn a_job_is_not_set_aside_because_workers_were_asked_to_end() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    // Slow enough to be interrupted.
    let folders = ["Alpha", "Bravo"].map(|name| fake_bot::BotFolder::new(name, fake_bot::PLAYS));
    let bots = folders.each_ref().map(|folder| folder.path().display().to_string());
    let (done, is_done) = channel();
    let (stopped, (found, machines), failures) = std::thread::scope(|scope| {
        let (server, cache) = (&server, at("cache"));
        scope.spawn(move || {
            for number in 0..5 {
                RunningWorker::start(server, &format!("short {number}"), &cache).wait_for_job();
            }
            let _last = RunningWorker::start(server, "last", &cache);
            is_done.recv().unwrap();
        });
        let played = on_cluster_with(server, &bots, options(&at("cluster"), 4), 1000, Duration::from_secs(30));
        done.send(()).unwrap();
        played
    });
    assert_eq!((stopped, failures), (StopReason::Complete, Vec::new()));
    assert_eq!(found.len(), 4, "{machines:?}");
}

#[test]
fn games_that_nobody_can_play_do_not_keep_others_from_being_played() {
    let (Some(server), Some(_)) = (NatsServer::start(), test_tools::required("python3")) else { return };
    let folder = tempfile::tempdir().unwrap();
    let python = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bots/random-python");
    let bots = ["builtin:hunter", python, "builtin:random"].map(str::to_owned);
    let _worker = RunningWorker::start_with(&server.url(), "poor", &folder.path().join("cache"), Tools::in_folders([]));
    let reports = Reports::default();
    let has_all = |_: &GameLine, games: usize| games == 400;
    let long = Duration::from_secs(30);
    let options = options(&folder.path().join("t"), 400);
    let (stopped, (found, _), _) = on_cluster_telling(&server.url(), &bots, options, long, has_all, &reports);
    assert_eq!((stopped, found.len()), (StopReason::Enough, 400));
    let words =
        format!("{:?}", Fixture { first: 0, second: 2, number: 0 }).split(", number").next().unwrap().to_owned();
    assert!(found.keys().all(|game| game.starts_with(&words)), "{found:?}");
}

#[test]
fn a_lost_job_is_found_while_others_wait_for_a_worker() {
    let (Some(server), Some(_)) = (NatsServer::start(), test_tools::required("python3")) else { return };
    let folder = tempfile::tempdir().unwrap();
    let python = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bots/random-python");
    let bots = ["builtin:hunter", python, "builtin:random"].map(str::to_owned);
    let reports = Reports::default();
    let (done, is_done) = channel();
    let (stopped, (found, _), failures) = std::thread::scope(|scope| {
        let (server, cache) = (&server, folder.path().join("cache"));
        scope.spawn(move || {
            drop(Hand::new(server, &liar_key()).job());
            let _worker = RunningWorker::start_with(&server.url(), "poor", &cache, Tools::in_folders([]));
            is_done.recv().unwrap();
        });
        let has_all = |_: &GameLine, games: usize| games == 40;
        let (options, soon) = (options(&folder.path().join("t"), 40), Duration::from_secs(1));
        let played = on_cluster_telling(&server.url(), &bots, options, soon, has_all, &reports);
        done.send(()).unwrap();
        played
    });
    assert_eq!((stopped, found.len(), failures), (StopReason::Enough, 40, Vec::new()));
}

#[test]
fn tournaments_that_are_the_same_do_not_end_each_other() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let _worker = RunningWorker::start(&server, "one", &at("cache"));
    let played = |name: &str, games: u32| {
        let (stopped, (found, _), failures) =
            on_cluster_with(&server, &built_ins(), options(&at(name), games), 100_000, Duration::from_secs(30));
        assert_eq!((stopped, failures, found.len()), (StopReason::Complete, Vec::new(), games as usize));
    };
    std::thread::scope(|scope| {
        scope.spawn(|| played("long", 400));
        for short in ["a", "b", "c"] {
            played(short, 20);
        }
    });
}

#[test]
fn a_tournament_goes_on_when_the_server_is_back() {
    const GAMES: u32 = 400;
    let Some(mut server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (local, _) = on_threads(&built_ins(), options(&at("threads"), GAMES));
    let _workers = ["one", "two"].map(|name| RunningWorker::start(&server, name, &at(name)));
    let reports = Reports::default();
    let url = server.url();
    let (stopped, (found, _), failures) = std::thread::scope(|scope| {
        let (tell, told) = channel();
        let (server, reports) = (&mut server, &reports);
        scope.spawn(move || {
            told.recv().unwrap();
            server.restart();
        });
        let (options, soon) = (options(&at("t"), GAMES), Duration::from_secs(2));
        let mut tell = Some(tell);
        let restart = |_: &GameLine, _| {
            tell.take().into_iter().for_each(|tell| tell.send(()).unwrap());
            false
        };
        on_cluster_telling(&url, &built_ins(), options, soon, restart, reports)
    });
    assert_eq!((stopped, failures), (StopReason::Complete, Vec::new()));
    assert_eq!(found, local);
}

/// An answer of a worker that lies: `change` gets the answer of an honest one.
type Lie = (&'static str, fn(&mut Value));

/// A change of each game's line.
fn lines(answer: &mut Value, change: impl Fn(&mut Value)) {
    for game in answer["games"].as_array_mut().unwrap() {
        change(&mut game["played"]);
    }
}

const LIES: [Lie; 19] = [
    ("took forever", |answer| lines(answer, |line| line["took_ms"] = u64::MAX.into())),
    ("took a day", |answer| lines(answer, |line| line["took_ms"] = (24 * 3600 * 1000).into())),
    ("late answer", |answer| lines(answer, |line| line["players"][0]["times"] = json!([[600, 1]]))),
    ("points", |answer| lines(answer, |line| line["outcome"]["points"][1] = u32::MAX.into())),
    ("turns", |answer| lines(answer, |line| line["outcome"]["turns"] = 1_000_000.into())),
    ("faults", |answer| lines(answer, |line| line["players"][1]["faults"] = json!({ "timed-out": 1_000_000 }))),
    ("long time", |answer| lines(answer, |line| line["ended"] = "2026".repeat(500_000).into())),
    ("no time", |answer| lines(answer, |line| line["ended"] = "yesterday".into())),
    ("long name", |answer| answer["worker"] = "x".repeat(500_000).into()),
    ("long failure", |answer| {
        let failed = |game: &Value| {
            let line = &game["played"];
            let fixture = json!({ "first": line["first"], "second": line["second"], "number": line["number"] });
            json!({ "failed": { "fixture": fixture, "error": "no\n".repeat(500_000) } })
        };
        answer["games"] = answer["games"].as_array().unwrap().iter().map(failed).collect();
    }),
    ("other seed", |answer| lines(answer, |line| line["seed"] = "1".into())),
    ("many faults", |answer| {
        let faults: serde_json::Map<_, _> = (0..20_000).map(|at| (name_of(at), 1.into())).collect();
        lines(answer, |line| line["players"][0]["faults"] = faults.clone().into());
    }),
    ("times", |answer| lines(answer, |line| line["players"][0]["times"] = json!([[600, 1_u64 << 63]]))),
    ("seats", |answer| lines(answer, |line| line["outcome"]["ranking"] = json!([]))),
    ("no games", |answer| answer["games"] = json!([])),
    ("other games", |answer| lines(answer, |line| line["number"] = 4_000_000_000_u32.into())),
    ("files", |answer| answer["files"] = "0f".repeat(32).into()),
    ("both", |answer| {
        lines(answer, |line| {
            line["outcome"]["ranking"] = json!(["A", "B"]);
            line["outcome"]["winner"] = "B".into();
        });
    }),
    ("no answer", |answer| *answer = json!({ "what": "ever" })),
];

/// A word of letters that stands for a number.
fn name_of(number: usize) -> String {
    number.to_string().chars().map(|digit| char::from(b'a' + digit as u8 - b'0')).collect()
}

/// The answer of a worker to whom all games end as this one.
fn honest(job: &Value, line: &GameLine) -> Value {
    let games = job["games"].as_array().unwrap().iter().map(|game| {
        let fixture: Fixture = serde_json::from_value(game.clone()).unwrap();
        let seed = fixture.seed(7, built_ins().each_ref().map(String::as_str)).to_string();
        json!({ "played": GameLine { fixture, seed, ..line.clone() } })
    });
    json!({ "worker": "liar", "games": games.collect::<Vec<_>>(), "files": null, "why": null })
}

#[test]
fn a_worker_that_lies_harms_no_head() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    const GAMES: u32 = 400;
    let (local, _) = on_threads(&built_ins(), options(&at("threads"), GAMES));
    let line = a_line(&built_ins(), &at("line"));
    let (done, is_done) = channel();
    let reports = Reports::default();
    let (stopped, (found, _), failures) = std::thread::scope(|scope| {
        let (server, cache) = (&server, at("cache"));
        scope.spawn(move || {
            // Each by another key: one that lies again and again waits for long.
            for (number, (_, change)) in (100..).zip(LIES) {
                let liar = Hand::new(server, &key_of(number));
                let job = liar.job();
                let mut answer = honest(&job, &line);
                change(&mut answer);
                liar.answer(&job, &answer);
            }
            let _honest = RunningWorker::start(server, "one", &cache);
            is_done.recv().unwrap();
        });
        let (options, long) = (options(&at("cluster"), GAMES), Duration::from_secs(30));
        let played = on_cluster_telling(&server.url(), &built_ins(), options, long, |_, _| false, &reports);
        done.send(()).unwrap();
        played
    });
    assert_eq!(stopped, StopReason::Complete);
    // A game to which three answers were lies is given up.
    assert!(found.len() >= GAMES as usize - LIES.len(), "{failures:?}");
    // Lies that are possible results cannot be told from true ones.
    let lied = without(&found, &local).len();
    assert!(lied < 60, "{lied}");
    for words in ["a number that no game by these rules can have", "longer than its job was away"] {
        assert!(failures.iter().any(|why| why.contains(words)), "{failures:?}");
    }
    let told = fs::read_to_string(at("cluster").join("games.jsonl")).unwrap();
    for line in
        told.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).filter(|line| line["line"] == "game")
    {
        let points = line["outcome"]["points"].as_array().unwrap().iter().map(|points| points.as_u64().unwrap());
        assert!(points.max() <= Some(420) && line["outcome"]["turns"].as_u64() <= Some(106), "{line}");
    }
    assert!(failures.iter().all(|why| why.len() < 2000 && !why.contains('\n')));
    let journal = fs::metadata(at("cluster").join("games.jsonl")).unwrap().len();
    assert!(journal < u64::from(GAMES) * 1000, "{journal}");
}

#[test]
fn a_job_in_which_nothing_happens_goes_to_another_worker() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let slow = fake_bot::BotFolder::new("Slow", "r0: sleep 5\n1: place\n2: fire\n");
    let bots = [slow.path().display().to_string(), "builtin:random".to_owned()];
    let (done, is_done) = channel();
    let (stopped, (found, _), failures) = std::thread::scope(|scope| {
        let (server, at) = (&server, &at);
        scope.spawn(move || {
            // One that plays more at a time could take the job again.
            let stuck = RunningWorker::start_impatient(&server.url(), "stuck", &at("stuck"), Duration::from_secs(1));
            stuck.wait_for_job();
            let other = RunningWorker::start(server, "other", &at("other"));
            // There is one job only.
            other.wait_for_job();
            is_done.recv().unwrap();
        });
        let soon = Duration::from_secs(2);
        let played = on_cluster_with(server, &bots, options(&at("cluster"), 2), 1000, soon);
        done.send(()).unwrap();
        played
    });
    assert_eq!((stopped, found.len(), failures), (StopReason::Complete, 2, Vec::new()));
}

#[test]
fn a_worker_of_another_version_or_other_rules_is_refused_on_both_sides() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let ours = engine(&server);
    let version = ours.split(' ').next().unwrap();
    let other = format!("{version} 00000000");
    // A head with other rules, and a worker that has them.
    let state = state_of(&liar_key(), &other, |_| {});
    let head = json!({ "run": "0f", "tournament": "t", "engine": other, "is_over": false, "queues": {} });
    let key = SigningKey::from_bytes(&head_seed());
    let head = signed("a state of a head", &packed(&head), &key);
    let _told = tell(&server, vec![("broadside.workers.states", state), ("broadside.heads", head)]);
    let worker = RunningWorker::start(&server, "one", &folder.path().join("cache"));
    worker.wait_for(|report| matches!(report, cluster::WorkerReport::OtherEngine(theirs) if *theirs == other));
    let reports = Reports::default();
    let is_told = |report: &HeadReport| matches!(report, HeadReport::OtherEngine { worker, theirs, .. } if worker == "other" && *theirs == other);
    let long = Duration::from_secs(30);
    let told = reports.clone();
    let stop = |_: &GameLine, _| told.0.lock().unwrap().iter().any(is_told);
    let options = options(&folder.path().join("t"), 100_000);
    let (_, (_, machines), _) = on_cluster_telling(&server.url(), &built_ins(), options, long, stop, &reports);
    assert!(reports.0.lock().unwrap().iter().any(is_told), "{reports:?}");
    assert_eq!(machines.keys().collect::<Vec<_>>(), [&Some("one".to_owned())]);
}
