//! Bots whose programs were built on another machine, and bots that cannot be played on a worker.

use crate::nats_server::NatsServer;
use crate::support::{Reports, RunningWorker, on_cluster, on_cluster_telling, on_threads, options, without};
use cluster::HeadReport;
use fake_bot::{BotFolder, PLAYS};
use players::Tools;
use players::process::copy_bot;
use std::fs;
use std::path::Path;
use std::sync::mpsc::channel;
use std::time::Duration;
use tournament::StopReason;

const OTHER: &str = "another machine";

#[test]
fn a_bot_is_built_on_a_worker_of_another_kind_and_plays() {
    let (Some(server), Some(_)) = (NatsServer::start(), test_tools::required("cc")) else { return };
    if test_tools::required("make").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    copy_bot(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bots/c"), &at("c")).unwrap();
    let bots = [at("c").display().to_string(), "builtin:random".to_owned()];
    let (local, _) = on_threads(&bots, options(&at("threads"), 2));
    let _worker = RunningWorker::start_on(OTHER, &server.url(), "one", &at("cache"), Tools::on_path());
    let (stopped, (found, _)) = on_cluster(&server, &bots, options(&at("cluster"), 2), 1000);
    assert_eq!((stopped, &found), (StopReason::Complete, &local));
    // The one that came, and the one that was built of it.
    let kept = fs::read_dir(at("cache/bots")).unwrap().map(|entry| entry.unwrap().path());
    let (built, came): (Vec<_>, Vec<_>) = kept.partition(|path| path.to_string_lossy().contains('-'));
    assert_eq!((built.len(), came.len()), (1, 1));
    assert!(built[0].join("bot").is_file());
}

#[test]
fn a_bot_that_cannot_be_built_on_a_worker_loses_no_game_there() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let bot = BotFolder::new("Alpha", PLAYS);
    let bots = [bot.path().display().to_string(), "builtin:random".to_owned(), "builtin:hunter".to_owned()];
    let (local, _) = on_threads(&bots, options(&at("threads"), 2));
    let _foreign = RunningWorker::start_on(OTHER, &server.url(), "foreign", &at("foreign"), Tools::on_path());
    let reports = Reports::default();
    let refusal = "Alpha cannot be played on this machine: its program is for";
    let given_back = |report: &HeadReport| {
        let HeadReport::GivenBack(worker, why) = report else { return false };
        worker == "foreign" && why.contains(refusal) && why.contains("without sources")
    };
    let (done, is_done) = channel();
    let (stopped, (found, machines), failures) = std::thread::scope(|scope| {
        let (server, cache, told) = (&server, at("good"), reports.clone());
        scope.spawn(move || {
            told.wait_for(given_back);
            let _good = RunningWorker::start(server, "good", &cache);
            is_done.recv().unwrap();
        });
        let long = Duration::from_secs(30);
        let played = on_cluster_telling(&server.url(), &bots, options(&at("cluster"), 2), long, |_, _| false, &reports);
        done.send(()).unwrap();
        played
    });
    assert_eq!((stopped, failures), (StopReason::Complete, Vec::new()));
    assert_eq!((without(&local, &found), without(&found, &local)), (Vec::new(), Vec::new()), "{machines:?}");
}

#[test]
fn a_bot_that_was_changed_in_the_cache_is_fetched_again() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let bot = BotFolder::new("Alpha", PLAYS);
    let bots = [bot.path().display().to_string(), "builtin:random".to_owned()];
    let (local, _) = on_threads(&bots, options(&at("threads"), 2));
    for name in ["first", "second"] {
        let _worker = RunningWorker::start(&server, name, &at("cache"));
        let (stopped, (found, _)) = on_cluster(&server, &bots, options(&at(name), 2), 1000);
        assert_eq!((stopped, &found), (StopReason::Complete, &local), "{name}");
        let cached = fs::read_dir(at("cache/bots")).unwrap().next().unwrap().unwrap().path();
        fs::remove_file(cached.join("bot.json")).unwrap();
    }
}
