//! Objects and files that the server and the head keep, and for how long.

use crate::by_hand::{Deed, take_job};
use crate::nats_server::NatsServer;
use crate::support::{
    Reports, RunningWorker, a_line, head, on_cluster, on_cluster_telling, on_threads, options, prepared,
};
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{self, Context};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE;
use cluster::{Head, HeadReport};
use fake_bot::{BotFolder, PLAYS};
use futures_util::StreamExt;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::ops::ControlFlow;
use std::sync::mpsc::channel;
use std::time::Duration;
use tournament::{Fixture, GameLine, StopReason};

fn built_ins() -> [String; 2] {
    ["builtin:hunter", "builtin:random"].map(str::to_owned)
}

/// Does something at the server.
fn with_server<T>(server: &NatsServer, what: impl AsyncFnOnce(Context) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { what(jetstream::new(async_nats::connect(server.url()).await.unwrap())).await })
}

#[test]
fn the_server_forgets_after_a_week() {
    const WEEK: Duration = Duration::from_secs(7 * 24 * 3600);
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let _worker = RunningWorker::start(&server, "one", &folder.path().join("cache"));
    on_cluster(&server, &built_ins(), options(&folder.path().join("t"), 2), 1000);
    with_server(&server, async |context| {
        for name in ["broadside-jobs", "broadside-answers", "OBJ_broadside", "OBJ_broadside-files"] {
            let stream = context.get_stream(name).await.unwrap();
            assert_eq!(stream.cached_info().config.max_age, WEEK, "{name}");
        }
        let jobs = context.get_stream("broadside-jobs").await.unwrap();
        let name = jobs.consumer_names().next().await.unwrap().unwrap();
        let consumer: PullConsumer = jobs.get_consumer(&name).await.unwrap();
        assert_eq!(consumer.cached_info().config.inactive_threshold, WEEK);
    });
}

#[test]
fn another_object_under_the_name_of_a_bot_is_replaced() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let bot = BotFolder::new("Alpha", PLAYS);
    let bots = [bot.path().display().to_string(), "builtin:random".to_owned()];
    let (local, _) = on_threads(&bots, options(&at("threads"), 2));
    for name in ["first", "second"] {
        let _worker = RunningWorker::start(&server, name, &at(name).join("cache"));
        let (stopped, (found, _)) = on_cluster(&server, &bots, options(&at(name).join("t"), 2), 1000);
        assert_eq!((stopped, &found), (StopReason::Complete, &local), "{name}");
        with_server(&server, async |context| {
            let objects = context.get_object_store("broadside").await.unwrap();
            let names: Vec<_> = objects.list().await.unwrap().map(|info| info.unwrap().name).collect().await;
            let of_bot = names.iter().find(|name| name.starts_with("bot-")).unwrap();
            objects.put(of_bot.as_str(), &mut &b"something else"[..]).await.unwrap();
        });
    }
}

#[test]
fn files_of_earlier_tries_are_removed() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("t");
    fs::create_dir_all(journal.join("records")).unwrap();
    fs::create_dir_all(journal.join("faults/0-1-00001")).unwrap();
    fs::write(journal.join("records/0-1-00000.jsonl.zst"), "of a try that does not count").unwrap();
    let _worker = RunningWorker::start(&server, "one", &folder.path().join("cache"));
    let (stopped, (found, _)) = on_cluster(&server, &built_ins(), options(&journal, 2), 1000);
    assert_eq!((stopped, found.len()), (StopReason::Complete, 2));
    for gone in ["records/0-1-00000.jsonl.zst", "faults/0-1-00001"] {
        assert!(!journal.join(gone).exists(), "{gone}");
    }
}

/// An archive with a record of each of these games.
fn archive_of_records(games: &[Fixture]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for game in games {
        let mut header = tar::Header::new_gnu();
        header.set_size(6);
        header.set_mode(0o644);
        builder.append_data(&mut header, runner::record_path(*game), &b"record"[..]).unwrap();
    }
    zstd::encode_all(&builder.into_inner().unwrap()[..], 1).unwrap()
}

/// Keeps an object whose contents are not there yet; gives the subject to which they belong.
async fn keep_without_contents(context: &Context, name: &str, contents: &[u8]) -> String {
    let objects = context.get_object_store("broadside-files").await.unwrap();
    let mut info = objects.put("draft", &mut &contents[..]).await.unwrap();
    let subject = format!("$O.broadside-files.C.{}", info.nuid);
    context.get_stream("OBJ_broadside-files").await.unwrap().purge().filter(&subject).await.unwrap();
    info.name = name.to_owned();
    let about = format!("$O.broadside-files.M.{}", BASE64_URL_SAFE.encode(name));
    context.publish(about, serde_json::to_vec(&info).unwrap().into()).await.unwrap().await.unwrap();
    subject
}

/// Those who begin to read the contents of objects. The head of a cluster begins again when it has waited for some seconds.
struct Readers {
    runtime: tokio::runtime::Runtime,
    requests: async_nats::Subscriber,
}

impl Readers {
    /// Counts from now on.
    fn of(server: &NatsServer) -> Readers {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let requests = runtime.block_on(async {
            let client = async_nats::connect(server.url()).await.unwrap();
            let requests = client.subscribe("$JS.API.CONSUMER.CREATE.>").await.unwrap();
            client.flush().await.unwrap();
            requests
        });
        Readers { runtime, requests }
    }

    fn wait_for(&mut self, count: usize) {
        let reads =
            |request: &async_nats::Message| String::from_utf8_lossy(&request.payload).contains("$O.broadside-files.C.");
        self.runtime.block_on(async {
            for _ in 0..count {
                while !reads(&self.requests.next().await.expect("the server runs")) {}
            }
        });
    }
}

/// Takes a job and answers it as if all its games had ended like this one, with records whose contents are not there yet. Gives
/// the contents and their subject.
fn answer_with_late_files(server: &NatsServer, line: &GameLine) -> (String, Vec<u8>) {
    let mut late = None;
    take_job(server, |job: &Value| {
        let games: Vec<Fixture> = serde_json::from_value(job["games"].clone()).unwrap();
        let contents = archive_of_records(&games);
        let [of_job, of_files] =
            [job["id"].as_str().unwrap().as_bytes(), &contents].map(|of| arena::hex(&Sha256::digest(of)));
        let name = format!("files-{}-{of_files}", &of_job[..32]);
        let (kept_name, kept) = (name.clone(), contents.clone());
        // The test is in a runtime already.
        let subject = std::thread::scope(|scope| {
            let kept = scope.spawn(|| {
                with_server(server, async |context| keep_without_contents(&context, &kept_name, &kept).await)
            });
            kept.join().unwrap()
        });
        late = Some((subject, contents));
        let played = games.iter().map(|&fixture| {
            let seed = fixture.seed(7, built_ins().each_ref().map(String::as_str)).to_string();
            let record = Some(runner::record_path(fixture));
            json!({ "played": GameLine { fixture, seed, record, ..line.clone() } })
        });
        let games: Vec<_> = played.collect();
        Deed::Answer(json!({ "job": job["id"], "worker": "late", "games": games, "files": name, "why": null }))
    });
    late.unwrap()
}

#[test]
fn files_that_come_late_are_waited_for() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("t");
    let line = a_line(&built_ins(), &folder.path().join("line"));
    let reports = Reports::default();
    let (stopped, (found, _), failures) = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut readers = Readers::of(&server);
            let (subject, contents) = answer_with_late_files(&server, &line);
            readers.wait_for(2);
            with_server(&server, async |context| {
                context.publish(subject, contents.into()).await.unwrap().await.unwrap()
            });
        });
        let long = Duration::from_secs(30);
        on_cluster_telling(&server.url(), &built_ins(), options(&journal, 2), long, |_, _| false, &reports)
    });
    assert_eq!((stopped, found.len(), failures), (StopReason::Complete, 2, Vec::new()));
    let lost = |report: &HeadReport| matches!(report, HeadReport::FilesLost(_));
    assert!(!reports.0.lock().unwrap().iter().any(lost), "{reports:?}");
    for game in ["0-1-00000", "0-1-00001"] {
        assert_eq!(fs::read(journal.join(format!("records/{game}.jsonl.zst"))).unwrap(), b"record");
    }
}

#[test]
fn a_head_that_is_interrupted_while_it_waits_for_files_leaves_the_games_to_the_next() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("t");
    let line = a_line(&built_ins(), &folder.path().join("line"));
    let (prepared, of_bots) = prepared(&built_ins(), options(&journal, 2));
    let interrupt = prepared.interrupt().clone();
    let (tell, told) = channel();
    let report = move |report| drop(tell.send(report));
    let mut head = Head::open(&head(&server.url()), prepared.description(), &of_bots, &interrupt, report).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut readers = Readers::of(&server);
            answer_with_late_files(&server, &line);
            readers.wait_for(1);
            interrupt.raise();
        });
        let _stopped = prepared.play_in(&mut head, &mut |_, _| ControlFlow::Continue(()));
    });
    drop(head);
    assert!(!told.iter().any(|report| matches!(report, HeadReport::FilesLost(_))));
    let text = fs::read_to_string(journal.join("games.jsonl")).unwrap();
    assert!(!text.contains("\"line\":\"game\""), "{text}");
    let _worker = RunningWorker::start(&server, "one", &folder.path().join("cache"));
    let (stopped, (found, _)) = on_cluster(&server, &built_ins(), options(&journal, 2), 1000);
    assert_eq!((stopped, found.len()), (StopReason::Complete, 2));
}
