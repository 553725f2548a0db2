//! Hostile workers: they have a login of the cluster, rewrite what is on the server, forge jobs, answer under other names and tell
//! wrong results. The results of honest workers stay as they are, and the liar is named.

use crate::logins::password_of;
use crate::nats_server::NatsServer;
use crate::support::{
    Deed, Reports, RunningWorker, head, head_key, job_in, on_cluster_of, on_threads, options, signed, take_job, without,
};
use async_nats::ConnectOptions;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{self, Context};
use cluster::{HeadOptions, HeadReport, SecretKey, Survey, WorkerReport, configuration, drain, forget};
use ed25519_dalek::SigningKey;
use fake_bot::{BotFolder, PLAYS};
use futures_util::StreamExt;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tournament::{Fixture, GameLine, StopReason};

fn built_ins() -> [String; 2] {
    ["builtin:hunter", "builtin:random"].map(str::to_owned)
}

/// Does something at the server.
fn with_server<T>(server: &NatsServer, what: impl AsyncFnOnce(Context) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { what(jetstream::new(async_nats::connect(server.url()).await.unwrap())).await })
}

/// Takes a job, and gives it back later.
async fn taken_job(context: &Context) -> jetstream::Message {
    let jobs = loop {
        // The head makes it.
        if let Ok(jobs) = context.get_stream("broadside-jobs").await {
            break jobs;
        }
    };
    loop {
        let names: Vec<_> = jobs.consumer_names().map(Result::unwrap).collect().await;
        let Some(name) = names.first() else { continue };
        let consumer: PullConsumer = jobs.get_consumer(name).await.unwrap();
        let fetched = consumer.fetch().max_messages(1).expires(Duration::from_secs(1)).messages().await;
        if let Some(job) = std::pin::pin!(fetched.unwrap()).next().await {
            return job.unwrap();
        }
    }
}

/// Changes the description of the tournament on the server.
async fn rewrite_description(context: &Context, change: impl Fn(&mut Value)) {
    let taken = taken_job(context).await;
    let job = job_in(&taken.payload);
    let name = job["description"].as_str().unwrap();
    let objects = context.get_object_store("broadside").await.unwrap();
    let mut packed = Vec::new();
    objects.get(name).await.unwrap().read_to_end(&mut packed).await.unwrap();
    let mut description: Value = serde_json::from_slice(&zstd::decode_all(&packed[..]).unwrap()).unwrap();
    change(&mut description);
    let packed = zstd::encode_all(&serde_json::to_vec(&description).unwrap()[..], 1).unwrap();
    objects.put(name, &mut &packed[..]).await.unwrap();
    taken.double_ack_with(jetstream::AckKind::Nak(None)).await.unwrap();
}

/// A change of a description.
type Rewrite = fn(&mut Value);

#[test]
fn a_description_that_somebody_has_rewritten_is_not_played() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    // The second never places its ships.
    let folders = [BotFolder::new("Strong", PLAYS), BotFolder::new("Weak", "1: fire\n2: fire")];
    let bots = folders.each_ref().map(|folder| folder.path().display().to_string());
    let (local, _) = on_threads(&bots, options(&at("threads"), 4));
    let changes: [(&str, Rewrite); 2] = [
        ("swapped", |description| description["archives"].as_array_mut().unwrap().swap(0, 1)),
        ("limits", |description| description["limits"]["extra_ms"] = 0.into()),
    ];
    for (name, change) in changes {
        let Some(server) = NatsServer::start() else { return };
        let reports = Reports::default();
        let (done, is_done) = channel();
        let (stopped, (found, _), failures) = std::thread::scope(|scope| {
            let (server, cache) = (&server, at(name).join("cache"));
            scope.spawn(move || {
                with_server(server, async |context| rewrite_description(&context, change).await);
                let honest = RunningWorker::start(server, "honest", &cache);
                honest.wait_for(
                    |report| matches!(report, WorkerReport::Fault(why) if why.contains("somebody has changed it")),
                );
                is_done.recv().unwrap();
            });
            let head = HeadOptions { lost_after: Duration::from_secs(1), ..head(&server.url()) };
            let played = on_cluster_of(head, &bots, options(&at(name).join("t"), 4), |_, _| false, &reports);
            done.send(()).unwrap();
            played
        });
        // The head sends it again.
        assert_eq!((stopped, failures), (StopReason::Complete, Vec::new()), "{name}");
        assert_eq!(found, local, "{name}");
        let is_told = |report: &HeadReport| matches!(report, HeadReport::GivenBack(worker, why) if worker == "honest" && why.contains("somebody has changed it"));
        assert!(reports.0.lock().unwrap().iter().any(is_told), "{name}: {reports:?}");
    }
}

/// Sends jobs that no head has sent, made of one that is taken: signed by another, and changed after it was signed.
/// `send` sends a message to a subject.
async fn forge_jobs(context: &Context, stranger: &SigningKey, send: impl AsyncFn(&str, Vec<u8>)) {
    let taken = taken_job(context).await;
    let mut job = job_in(&taken.payload);
    job["id"] = format!("{}-forged", job["tournament"].as_str().unwrap()).into();
    let of_stranger = signed("a job", &job, stranger);
    let changed = [&taken.payload[..96], &of_stranger[96..]].concat();
    for forged in [of_stranger, changed] {
        send(&taken.subject, forged).await;
    }
    taken.double_ack_with(jetstream::AckKind::Nak(None)).await.unwrap();
}

/// Plays a tournament while somebody forges jobs: `forge` does so with a key. Heads, honest workers and the forger have these
/// addresses.
fn with_forged_jobs([of_head, of_honest]: [&str; 2], forge: impl FnOnce(&SigningKey) + Send) {
    const GAMES: u32 = 40;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (local, _) = on_threads(&built_ins(), options(&at("threads"), GAMES));
    let stranger = SigningKey::from_bytes(&[9; 32]);
    let reports = Reports::default();
    let (done, is_done) = channel();
    let (stopped, (found, machines), failures) = std::thread::scope(|scope| {
        let (cache, stranger) = (at("cache"), &stranger);
        scope.spawn(move || {
            forge(stranger);
            let honest = RunningWorker::start_at(of_honest, "honest", &cache);
            let key = arena::hex(stranger.verifying_key().as_bytes());
            let (mut of_stranger, mut changed) = (false, false);
            honest.wait_for(|report| {
                let WorkerReport::Fault(why) = report else { return false };
                of_stranger |= why.contains(&key);
                changed |= why.contains("its signature is wrong");
                of_stranger && changed
            });
            is_done.recv().unwrap();
        });
        let options = options(&at("cluster"), GAMES);
        let played = on_cluster_of(head(of_head), &built_ins(), options, |_, _| false, &reports);
        done.send(()).unwrap();
        played
    });
    assert_eq!((stopped, failures), (StopReason::Complete, Vec::new()));
    assert_eq!(found, local);
    assert_eq!(machines.keys().collect::<Vec<_>>(), [&Some("honest".to_owned())]);
}

#[test]
fn forged_jobs_are_not_played() {
    let Some(server) = NatsServer::start() else { return };
    with_forged_jobs([&server.url(), &server.url()], |stranger| {
        with_server(&server, async |context| {
            let send = async |subject: &str, message: Vec<u8>| {
                context.publish(subject.to_owned(), message.into()).await.unwrap().await.unwrap();
            };
            forge_jobs(&context, stranger, send).await;
        });
    });
}

#[test]
fn jobs_that_the_server_forges_for_a_login_without_the_right_are_not_played() {
    let text = configuration(&head_key().public(), &["honest", "hostile"].map(str::to_owned));
    let Some(server) = NatsServer::configured(&text) else { return };
    let url = |login: &str| server.url_for(&format!("{login}:{}@", password_of(&text, login)));
    // The streams are there before anybody asks for them.
    Survey::take(&url("head").parse().unwrap(), &arena::Interrupt::new().unwrap()).unwrap();
    with_forged_jobs([&url("head"), &url("honest")], |stranger| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let options =
                ConnectOptions::with_user_and_password("hostile".to_owned(), password_of(&text, "hostile").to_owned());
            let client = options.custom_inbox_prefix("_INBOX.worker.hostile").connect(server.url()).await.unwrap();
            let context = jetstream::new(client.clone());
            // The answer to a request goes where the asker wants, and the server may write everywhere.
            let send = async |subject: &str, message: Vec<u8>| {
                let kept = "$O.broadside-files.M.forged";
                context.publish(kept, message.into()).await.unwrap().await.unwrap();
                let asked = format!("$JS.API.DIRECT.GET.OBJ_broadside-files.{kept}");
                client.publish_with_reply(asked, subject.to_owned(), "".into()).await.unwrap();
                client.flush().await.unwrap();
            };
            forge_jobs(&context, stranger, send).await;
        });
    });
}

#[test]
fn only_a_head_drains_a_worker() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (address, interrupt) = (server.url().parse().unwrap(), arena::Interrupt::new().unwrap());
    let worker = RunningWorker::start(&server, "honest", &folder.path().join("cache"));
    drain(&address, "honest", &SecretKey::drawn(), &interrupt).unwrap();
    with_server(&server, async |context| {
        context.client().publish("broadside.workers.drain", "honest".into()).await.unwrap();
        context.client().flush().await.unwrap();
    });
    let options = options(&folder.path().join("t"), 40);
    let played = on_cluster_of(head(&server.url()), &built_ins(), options, |_, _| false, &Reports::default());
    assert_eq!((played.0, played.1.0.len()), (StopReason::Complete, 40));
    drain(&address, "honest", &head_key(), &interrupt).unwrap();
    assert_eq!(worker.ended(), 40);
}

/// The answer of a worker of this name that turns the results of all games of a job round.
fn turned_round(job: &Value, name: &str, honest: &GameLine) -> Value {
    let games = job["games"].as_array().unwrap().iter().map(|game| {
        let fixture: Fixture = serde_json::from_value(game.clone()).unwrap();
        let seed = fixture.seed(7, built_ins().each_ref().map(String::as_str)).to_string();
        let mut line = GameLine { fixture, seed, ..honest.clone() };
        // The entrant that was named second always wins.
        let winner = fixture.seat_of_first().opponent();
        line.outcome.winner = Some(winner);
        line.outcome.ranking = vec![winner, winner.opponent()];
        json!({ "played": line })
    });
    json!({ "job": job["id"], "worker": name, "games": games.collect::<Vec<_>>(), "files": null, "why": null })
}

/// Plays a tournament with two honest workers, and one that calls itself so and turns the results of one job round after the others
/// have finished games. Gives the results, the machines and the reports.
fn with_a_liar(server: &NatsServer, folder: &Path, name: &str, audit: f64) -> (crate::support::Results, Reports) {
    const GAMES: u32 = 40;
    let line = crate::support::a_line(&built_ins(), &folder.join("line"));
    let (reports, finished) = (Reports::default(), AtomicUsize::new(0));
    let (done, is_done) = channel();
    let (stopped, found, failures) = std::thread::scope(|scope| {
        let (server, finished, told) = (&server, &finished, reports.clone());
        scope.spawn(move || {
            let mut honest = Vec::new();
            take_job(server, |job| {
                // The test is in a runtime already.
                let start = |name| RunningWorker::start(server, name, &folder.join(name));
                let mut begin =
                    |name| honest.push(std::thread::scope(|scope| scope.spawn(move || start(name)).join().unwrap()));
                // The first has its name before the liar comes.
                begin("one");
                while finished.load(Ordering::Relaxed) == 0 {
                    test_tools::pause();
                }
                begin("two");
                told.wait_for(|report| matches!(report, HeadReport::Workers { workers: 2, .. }));
                Deed::Answer(turned_round(job, name, &line))
            });
            is_done.recv().unwrap();
        });
        let head = HeadOptions { audit, ..head(&server.url()) };
        let count = |_: &GameLine, games: usize| {
            finished.store(games, Ordering::Relaxed);
            false
        };
        let played = on_cluster_of(head, &built_ins(), options(&folder.join("t"), GAMES), count, &reports);
        done.send(()).unwrap();
        played
    });
    assert_eq!((stopped, failures), (StopReason::Complete, Vec::new()));
    (found, reports)
}

#[test]
fn a_liar_is_named_by_two_others_and_its_results_do_not_count() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (local, _) = on_threads(&built_ins(), options(&folder.path().join("threads"), 40));
    // It has the name of an honest worker, but not its key.
    let ((found, _), reports) = with_a_liar(&server, folder.path(), "one", 1.0);
    assert_eq!(found, local);
    let key = arena::hex(SigningKey::from_bytes(&[7; 32]).verifying_key().as_bytes());
    let liar = format!("one ({})", &key[..8]);
    let reports = reports.0.lock().unwrap();
    assert!(reports.contains(&HeadReport::SameName("one".to_owned(), liar.clone())), "{reports:?}");
    let named: Vec<_> = reports
        .iter()
        .filter_map(|report| match report {
            HeadReport::Differs { told, outlier, .. } => Some((told.len(), outlier.clone())),
            _ => None,
        })
        .collect();
    // Its job had a pair, of which at least one game ends otherwise.
    assert!(!named.is_empty() && named.iter().all(|one| *one == (3, Some(liar.clone()))), "{reports:?}");
}

#[test]
fn the_games_of_a_liar_are_forgotten_and_played_again() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("t");
    let (local, _) = on_threads(&built_ins(), options(&folder.path().join("threads"), 40));
    let ((found, machines), _) = with_a_liar(&server, folder.path(), "liar", 0.0);
    let lies = without(&found, &local).len() as u32;
    let of_liar = machines[&Some("liar".to_owned())];
    assert!(lies > 0 && lies <= of_liar, "only results of its own job are wrong: {machines:?}");
    let unknown = forget(&journal, "nobody").unwrap_err().to_string();
    assert!(unknown.contains("its workers are liar, one"), "{unknown}");
    let (removed, names) = forget(&journal, "liar").unwrap();
    assert_eq!((removed, names), (u64::from(of_liar), ["liar".to_owned()].into()));
    let _honest = RunningWorker::start(&server, "one", &folder.path().join("one"));
    let options = options(&journal, 40);
    let (_, (again, _), _) =
        on_cluster_of(head(&server.url()), &built_ins(), options.clone(), |_, _| false, &Reports::default());
    assert_eq!(again.len() as u32, of_liar, "no other game is played again");
    assert!(without(&again, &local).is_empty());
    let honest: std::collections::BTreeMap<_, _> =
        found.into_iter().filter(|(game, _)| local.contains_key(game)).chain(again).collect();
    assert_eq!(honest.keys().collect::<Vec<_>>(), local.keys().collect::<Vec<_>>());
}

#[test]
fn a_worker_that_checks_its_own_results_is_named() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (local, _) = on_threads(&built_ins(), options(&at("threads"), 2));
    let line = crate::support::a_line(&built_ins(), &at("line"));
    let engine = Survey::take(&server.url().parse().unwrap(), &arena::Interrupt::new().unwrap()).unwrap().engine;
    // Another worker, as far as the head knows.
    let state = json!({
        "id": "x", "name": "other", "key": "x", "engine": engine, "slots": 1, "labels": [], "running": [], "games": 0,
        "machine": { "processors": 1, "speed": 1.0, "lag_ms": 0.0 }, "games_per_second": 0.0, "last_fault": null,
        "is_draining": false
    });
    let state = zstd::encode_all(&serde_json::to_vec(&state).unwrap()[..], 1).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let url = server.url();
    let _told = runtime.spawn(async move {
        let client = async_nats::connect(url).await.unwrap();
        loop {
            let _ = client.publish("broadside.workers.states", state.clone().into()).await;
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    let reports = Reports::default();
    let (done, is_done) = channel();
    let (stopped, (found, _), failures) = std::thread::scope(|scope| {
        let (server, line, cache, told) = (&server, &line, at("cache"), reports.clone());
        scope.spawn(move || {
            told.wait_for(|report| matches!(report, HeadReport::Workers { workers: 1, .. }));
            let mut not_for = Value::Null;
            take_job(server, |job| Deed::Answer(turned_round(job, "liar", line)));
            take_job(server, |job| {
                not_for = job["not_for"].clone();
                Deed::Answer(turned_round(job, "liar", line))
            });
            let key = arena::hex(SigningKey::from_bytes(&[7; 32]).verifying_key().as_bytes());
            assert_eq!(not_for, json!([key]));
            told.wait_for(|report| *report == HeadReport::Meddles("liar".to_owned()));
            let _honest = ["one", "two"].map(|name| RunningWorker::start(server, name, &cache.join(name)));
            is_done.recv().unwrap();
        });
        let head = HeadOptions { audit: 1.0, ..head(&server.url()) };
        let played = on_cluster_of(head, &built_ins(), options(&at("t"), 2), |_, _| false, &reports);
        done.send(()).unwrap();
        played
    });
    assert_eq!((stopped, failures), (StopReason::Complete, Vec::new()));
    assert_eq!(found, local);
}
