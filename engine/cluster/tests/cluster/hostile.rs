//! Hostile workers: they have a login of the cluster, rewrite what is on the server, forge jobs, and take jobs without an answer. The
//! results of honest workers stay as they are.

use crate::by_hand::{engine, hold_job, job_in, liar_key, next_job, signed, state_of, tell_states};
use crate::logins::password_of;
use crate::nats_server::NatsServer;
use crate::support::{Reports, RunningWorker, built_ins, head, head_key, on_cluster_of, on_threads, options, without};
use async_nats::ConnectOptions;
use async_nats::jetstream::{self, Context};
use cluster::{HeadOptions, HeadReport, SecretKey, Survey, WorkerReport, configuration, drain};
use ed25519_dalek::SigningKey;
use fake_bot::{BotFolder, PLAYS};
use serde_json::Value;
use std::sync::mpsc::channel;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tournament::StopReason;

/// Does something at the server.
fn with_server<T>(server: &NatsServer, what: impl AsyncFnOnce(Context) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { what(jetstream::new(async_nats::connect(server.url()).await.unwrap())).await })
}

/// Changes the description of the tournament on the server.
async fn rewrite_description(context: &Context, change: impl Fn(&mut Value)) {
    let taken = next_job(context, "").await;
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
    let taken = next_job(context, "").await;
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

#[test]
fn a_job_that_a_worker_holds_for_ever_is_set_aside() {
    const GAMES: u32 = 40;
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (local, _) = on_threads(&built_ins(), options(&at("threads"), GAMES));
    let (done, is_done) = channel();
    let (stopped, (found, _), failures) = std::thread::scope(|scope| {
        let (server, cache) = (&server, at("cache"));
        scope.spawn(move || {
            // The first job has one pair.
            let _held = hold_job(server, |_| true);
            let _honest = RunningWorker::start(server, "honest", &cache);
            is_done.recv().unwrap();
        });
        let [lost_after, stuck_after] = [1, 5].map(Duration::from_secs);
        let head = HeadOptions { lost_after, stuck_after, ..head(&server.url()) };
        let options = options(&at("t"), GAMES);
        let played = on_cluster_of(head, &built_ins(), options, |_, _| false, &Reports::default());
        done.send(()).unwrap();
        played
    });
    assert_eq!((stopped, found.len() as u32), (StopReason::Complete, GAMES - 2));
    assert_eq!(without(&found, &local), [""; 0]);
    assert!(failures.len() == 2 && failures.iter().all(|why| why.contains("it is set aside")), "{failures:?}");
}

#[test]
fn a_survey_shows_no_control_characters_of_a_worker() {
    let Some(server) = NatsServer::start() else { return };
    let hostile = |state: &mut Value| {
        // They clear a screen and turn text round.
        for name in ["name", "last_fault", "id"] {
            state[name] = "a\u{9b}2J\u{202e}b\n".into();
        }
        state["labels"] = vec!["\u{1b}[2J"].into();
    };
    let _told = tell_states(&server, vec![state_of(&liar_key(), &engine(&server), hostile)]);
    let survey = loop {
        let survey = Survey::take(&server.url().parse().unwrap(), &arena::Interrupt::new().unwrap()).unwrap();
        if !survey.workers.is_empty() {
            break survey;
        }
    };
    assert_eq!(
        (survey.workers[0].name.as_str(), survey.workers[0].labels[0].as_str()),
        ("a\u{fffd}2J\u{fffd}b\u{fffd}", "\u{fffd}[2J")
    );
    let json = serde_json::to_string(&survey).unwrap();
    assert_eq!(rules::printable(&json), json);
}
