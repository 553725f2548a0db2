//! Workers that fail or lie, heads that meet, and servers that forget: what others play counts all the same.

use crate::by_hand::{Deed, engine, liar_key, state_of, take_job, take_job_of, tell_states};
use crate::nats_server::NatsServer;
use crate::support::{
    Reports, RunningWorker, a_line, built_ins, head, on_cluster_telling, on_cluster_with, on_threads, options,
    prepared, without,
};
use arena::Interrupt;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE;
use cluster::{Head, HeadReport, Survey};
use players::Tools;
use serde_json::{Value, json};
use std::fs;
use std::ops::ControlFlow;
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
            take_job_of(server, "_-", |_| Deed::Confirm);
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
fn a_server_that_has_forgotten_everything_is_told_of() {
    let Some(mut server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (prepared, of_bots) = prepared(&built_ins(), options(folder.path(), 400));
    let interrupt = prepared.interrupt().clone();
    let mut head = Head::open(&head(&server.url()), prepared.description(), &of_bots, &interrupt, |_| {}).unwrap();
    server.restart_without_store();
    let _streams = Survey::take(&server.url().parse().unwrap(), &Interrupt::new().unwrap()).unwrap();
    let ended = prepared.play_in(&mut head, &mut |_, _| ControlFlow::Continue(()));
    let error = ended.unwrap_err().to_string();
    assert!(error.contains("has lost its streams"), "{error}");
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
    ("files", |answer| answer["files"] = "no-such-object".into()),
    ("files of others", |answer| answer["files"] = "itself".into()),
    ("no answer", |answer| *answer = json!({ "what": "ever" })),
];

/// A word of letters that stands for a number.
fn name_of(number: usize) -> String {
    number.to_string().chars().map(|digit| char::from(b'a' + digit as u8 - b'0')).collect()
}

/// Keeps an object that is a link to itself.
fn keep_link_to_itself(server: &NatsServer, name: &str) {
    let link = json!({ "name": name, "bucket": "broadside-files" });
    let about = json!({
        "name": name, "bucket": "broadside-files", "nuid": "x", "size": 0, "chunks": 0, "mtime": "2026-01-01T00:00:00Z",
        "digest": "", "deleted": false, "options": { "link": link, "max_chunk_size": null }
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let context = async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap());
        let subject = format!("$O.broadside-files.M.{}", BASE64_URL_SAFE.encode(name));
        context.publish(subject, serde_json::to_vec(&about).unwrap().into()).await.unwrap().await.unwrap();
        let found = context.get_object_store("broadside-files").await.unwrap().info(name).await.unwrap();
        assert!(found.options.unwrap().link.is_some());
    });
}

/// The answer of a worker to whom all games end as this one.
fn honest(job: &Value, line: &GameLine) -> Value {
    let games = job["games"].as_array().unwrap().iter().map(|game| {
        let fixture: Fixture = serde_json::from_value(game.clone()).unwrap();
        let seed = fixture.seed(7, built_ins().each_ref().map(String::as_str)).to_string();
        json!({ "played": GameLine { fixture, seed, ..line.clone() } })
    });
    json!({ "job": job["id"], "worker": "liar", "games": games.collect::<Vec<_>>(), "files": null, "why": null })
}

#[test]
fn a_worker_that_lies_harms_no_head() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    const GAMES: u32 = 400;
    let (local, _) = on_threads(&built_ins(), options(&at("threads"), GAMES));
    let line = a_line(&built_ins(), &at("line"));
    let _store = Survey::take(&server.url().parse().unwrap(), &Interrupt::new().unwrap()).unwrap();
    keep_link_to_itself(&server, "itself");
    let (done, is_done) = channel();
    let reports = Reports::default();
    let (stopped, (found, _), failures) = std::thread::scope(|scope| {
        let (server, cache) = (&server, at("cache"));
        scope.spawn(move || {
            for (_, change) in LIES {
                take_job(server, |job| {
                    let mut answer = honest(job, &line);
                    change(&mut answer);
                    Deed::Answer(answer)
                });
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
    let (other, token) = (format!("{version} 00000000"), format!("{}-20-00000000", version.replace('.', "-2e-")));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    // A job of a head with other rules, and a worker that has them.
    let state = state_of(&liar_key(), &other, |_| {});
    runtime.block_on(async {
        let context = async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap());
        let jobs = context.get_stream("broadside-jobs").await.unwrap();
        let config = async_nats::jetstream::consumer::pull::Config {
            durable_name: Some(format!("{token}_-")),
            filter_subject: format!("broadside.jobs.{token}.-.*"),
            ..Default::default()
        };
        jobs.create_consumer(config).await.unwrap();
        context.publish(format!("broadside.jobs.{token}.-.t"), "x".into()).await.unwrap().await.unwrap();
    });
    let _told = tell_states(&server, vec![state]);
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
