//! Hostile workers: they have a login of the cluster, send what others should have sent, tell rubbish, and take jobs without an answer.
//! The results of honest workers stay as they are.

use crate::by_hand::{
    Hand, engine, key_of, liar_key, packed, public, run_of, second_key, signed, state_of, tell_states,
};
use crate::logins::password_of;
use crate::nats_server::NatsServer;
use crate::support::{
    Reports, RunningWorker, built_ins, head, head_key, head_seed, on_cluster_of, on_threads, options,
};
use async_nats::{Client, ConnectOptions, Message};
use cluster::{HeadOptions, HeadReport, SecretKey, Survey, WorkerReport, configuration, drain};
use ed25519_dalek::SigningKey;
use fake_bot::{BotFolder, PLAYS};
use futures_util::StreamExt;
use serde_json::{Value, json};
use std::sync::mpsc::channel;
use std::time::Duration;
use tokio::runtime::Runtime;
use tournament::StopReason;

/// Somebody who answers these requests of workers as well as the head, until the value is dropped. The server allows it: it knows no
/// logins.
fn meddle(
    server: &NatsServer,
    subject: &'static str,
    answer: impl Fn(&Message) -> Vec<Vec<u8>> + Send + 'static,
) -> Runtime {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let client: Client = runtime.block_on(async_nats::connect(server.url())).unwrap();
    let mut heard = runtime.block_on(async {
        let heard = client.subscribe(subject).await.unwrap();
        client.flush().await.unwrap();
        heard
    });
    runtime.spawn(async move {
        while let Some(message) = heard.next().await {
            for answer in answer(&message) {
                let _ = client.publish(message.reply.clone().unwrap(), answer.into()).await;
            }
            let _ = client.flush().await;
        }
    });
    runtime
}

/// Plays a tournament between a bot that plays and one that never places its ships. `start` gets the server and the folder, and gives
/// what lasts as long as the tournament. The results are those of threads.
fn undisturbed<T>(
    (bots, games): (&[String], u32),
    options_of: impl FnOnce(HeadOptions) -> HeadOptions,
    start: impl FnOnce(&NatsServer, &std::path::Path, &Reports) -> T + Send,
) -> Option<Vec<HeadReport>> {
    let server = NatsServer::start()?;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (local, _) = on_threads(bots, options(&at("threads"), games));
    let reports = Reports::default();
    let (done, is_done) = channel();
    let (stopped, (found, _), failures) = std::thread::scope(|scope| {
        let (server, folder, reports) = (&server, folder.path(), &reports);
        scope.spawn(move || {
            let _held = start(server, folder, reports);
            is_done.recv().unwrap();
        });
        let head = options_of(head(&server.url()));
        let played = on_cluster_of(head, bots, options(&at("t"), games), |_, _| false, reports);
        done.send(()).unwrap();
        played
    });
    assert_eq!((stopped, failures), (StopReason::Complete, Vec::new()));
    assert_eq!(found, local);
    let reports = reports.0.lock().unwrap().clone();
    Some(reports)
}

#[test]
fn a_bot_that_somebody_else_sends_is_not_played() {
    let folders = [BotFolder::new("Strong", PLAYS), BotFolder::new("Weak", "1: fire\n2: fire")];
    let bots = folders.each_ref().map(|folder| folder.path().display().to_string());
    let reports = undisturbed(
        (&bots, 4),
        |head| head,
        |server, folder, told| {
            let meddler = meddle(server, "broadside.run.*.object", |_| {
                // Its length comes first.
                let bytes = b"another bot";
                vec![[&(bytes.len() as u64).to_be_bytes()[..], bytes].concat()]
            });
            let honest = RunningWorker::start(server, "honest", &folder.join("honest"));
            let is_changed = |why: &str| why.contains("somebody has changed it");
            honest.wait_for(|report| matches!(report, WorkerReport::Fault(why) if is_changed(why)));
            told.wait_for(
                |report| matches!(report, HeadReport::GivenBack(worker, why) if worker == "honest" && is_changed(why)),
            );
            drop(meddler);
            honest
        },
    );
    assert!(reports.is_none_or(|reports| !reports.is_empty()));
}

#[test]
fn forged_jobs_are_not_played() {
    let stranger = key_of(9);
    let of_stranger = stranger.clone();
    undisturbed(
        (&built_ins(), 40),
        |head| head,
        |server, folder, _| {
            // One that a stranger has signed, one that was changed after the head has signed it, and one for another worker.
            let head_key = SigningKey::from_bytes(&head_seed());
            let meddler = meddle(server, "broadside.run.*.job", move |_| {
                let job = |to: String| {
                    json!({ "id": "0f-1", "to": to, "tournament": "t", "description": "0f", "is_alone": false, "lost_after_ms": 1000,
                        "games": [{ "first": 0, "second": 1, "number": 0 }] })
                };
                let forged = signed("a job", &packed(&job(public(&liar_key()).to_string())), &of_stranger);
                let mut changed = signed("a job", &packed(&job(String::new())), &head_key);
                *changed.last_mut().unwrap() ^= 1;
                let kinds =
                    [forged, changed, signed("a job", &packed(&job(public(&liar_key()).to_string())), &head_key)];
                let mut number = [0; 1];
                getrandom::fill(&mut number).unwrap();
                vec![kinds[usize::from(number[0]) % 3].clone()]
            });
            let honest = RunningWorker::start(server, "honest", &folder.join("honest"));
            let key = public(&stranger).to_string();
            let (mut of_stranger, mut changed) = (false, false);
            honest.wait_for(|report| {
                let WorkerReport::Fault(why) = report else { return false };
                of_stranger |= why.contains(&key);
                changed |= why.contains("its signature is wrong");
                of_stranger && changed
            });
            drop(meddler);
            honest
        },
    );
}

#[test]
fn a_head_answers_at_inboxes_of_workers_only() {
    let text = configuration(&head_key().public(), &["honest", "hostile"].map(str::to_owned));
    let Some(server) = NatsServer::configured(&text) else { return };
    let folder = tempfile::tempdir().unwrap();
    let url = |login: &str| server.url_for(&format!("{login}:{}@", password_of(&text, login)));
    let honest = RunningWorker::start_at(&url("honest"), "honest", &folder.path().join("cache"));
    let (done, is_done) = channel::<()>();
    let played = std::thread::scope(|scope| {
        let (server, text) = (&server, &text);
        scope.spawn(move || {
            let options = |login: &str| {
                ConnectOptions::with_user_and_password(login.to_owned(), password_of(text, login).to_owned())
            };
            let hostile =
                Hand::with(options("hostile").custom_inbox_prefix("_INBOX.worker.hostile"), server, &liar_key());
            let watcher = Hand::with(options("head").custom_inbox_prefix("_INBOX.head"), server, &second_key());
            let mut heard = watcher.with_client(async |client| {
                let heard = client.subscribe("broadside.workers.drain").await.unwrap();
                client.flush().await.unwrap();
                heard
            });
            let run = hostile.head()["run"].as_str().unwrap().to_owned();
            let (subject, request) = (format!("broadside.run.{run}.job"), hostile.request(&run, 0));
            // The answer to a request goes where the asker wants, and the head may write everywhere.
            hostile.with_client(async |client| {
                for reply in ["broadside.workers.drain", "broadside.heads", "broadside.ask"] {
                    client.publish_with_reply(subject.clone(), reply, request.clone().into()).await.unwrap();
                }
                client.flush().await.unwrap();
            });
            // This one has an answer, and it comes after those.
            assert!(hostile.ask(&subject, request).is_some());
            watcher.with_client(async |client| {
                client.publish("broadside.workers.drain", "the end".into()).await.unwrap();
                let first = heard.next().await.unwrap();
                assert_eq!(&first.payload[..], b"the end");
            });
            is_done.recv().unwrap();
        });
        let options = options(&folder.path().join("t"), 400);
        let played = on_cluster_of(
            HeadOptions { lost_after: Duration::from_secs(1), ..head(&url("head")) },
            &built_ins(),
            options,
            |_, _| false,
            &Reports::default(),
        );
        done.send(()).unwrap();
        played
    });
    assert_eq!((played.0, played.1.0.len(), played.2), (StopReason::Complete, 400, Vec::new()));
    drop(honest);
}

#[test]
fn a_listed_worker_that_plays_nothing_ends_no_game() {
    let (mut listed, folder) = (vec![public(&liar_key())], tempfile::tempdir().unwrap());
    let cache = folder.path().join("honest");
    listed.push(SecretKey::kept(&cache.join("worker.key")).unwrap().public());
    let options_of = |head: HeadOptions| HeadOptions { workers: listed, ..head };
    let reports = undisturbed((&built_ins(), 40), options_of, |server, _, told| {
        let liar = Hand::new(server, &liar_key());
        let first = liar.job();
        let honest = RunningWorker::start(server, "honest", &cache);
        // It knows an honest worker now.
        told.wait_for(|report| matches!(report, HeadReport::Workers { workers: 1, .. }));
        let games = first["games"].as_array().unwrap().iter();
        let failed: Vec<_> = games.map(|game| json!({ "failed": { "fixture": game, "error": "no" } })).collect();
        liar.answer(&first, &json!({ "worker": "liar", "games": failed, "files": null, "why": null }));
        // What others play, it does not end either.
        for id in ["", "0f-1", first["id"].as_str().unwrap()] {
            liar.answer_bytes(&json!({ "id": format!("{}-{id}", run_of(&first)) }), b"rubbish");
        }
        honest
    });
    let Some(reports) = reports else { return };
    let is_told = |report: &HeadReport| matches!(report, HeadReport::GivenBack(worker, why) if worker == "liar" && why.contains("no"));
    assert!(reports.iter().any(is_told), "{reports:?}");
}

#[test]
fn only_a_head_drains_a_worker() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (address, interrupt) = (server.url().parse().unwrap(), arena::Interrupt::new().unwrap());
    let worker = RunningWorker::start(&server, "honest", &folder.path().join("cache"));
    drain(&address, "honest", &SecretKey::drawn(), &interrupt).unwrap();
    Hand::new(&server, &liar_key()).with_client(async |client| {
        client.publish("broadside.workers.drain", "honest".into()).await.unwrap();
        client.flush().await.unwrap();
    });
    let options = options(&folder.path().join("t"), 40);
    let played = on_cluster_of(head(&server.url()), &built_ins(), options, |_, _| false, &Reports::default());
    assert_eq!((played.0, played.1.0.len()), (StopReason::Complete, 40));
    drain(&address, "honest", &head_key(), &interrupt).unwrap();
    assert_eq!(worker.ended(), 40);
}

#[test]
fn a_worker_that_does_no_job_gets_few() {
    let options_of = |head: HeadOptions| HeadOptions { lost_after: Duration::from_secs(1), ..head };
    undisturbed((&built_ins(), 40), options_of, |server, folder, told| {
        // Many games are in hand.
        let many = state_of(&second_key(), &engine(server), |state| state["slots"] = 50.into());
        let states = tell_states(server, vec![many]);
        told.wait_for(|report| matches!(report, HeadReport::Workers { slots: 50, .. }));
        let liar = Hand::new(server, &liar_key());
        let jobs = [(); 2].map(|()| liar.job());
        assert_eq!(liar.job_of(run_of(&jobs[0]), 200), None, "it has done none of those that it has");
        // Nor does it get another at once for one that it gives back.
        let games = jobs[0]["games"].as_array().unwrap().iter();
        let back: Vec<_> = games.map(|game| json!({ "given-back": { "fixture": game } })).collect();
        liar.answer(&jobs[0], &json!({ "worker": "liar", "games": back, "files": null, "why": null }));
        assert_eq!(liar.job_of(run_of(&jobs[0]), 100), None);
        (states, RunningWorker::start(server, "honest", &folder.join("honest")))
    });
}

#[test]
fn a_job_that_a_worker_holds_for_ever_is_played_by_another() {
    let options_of = |head: HeadOptions| HeadOptions { lost_after: Duration::from_secs(1), ..head };
    undisturbed((&built_ins(), 40), options_of, |server, folder, _| {
        let liar = Hand::new(server, &liar_key());
        let job = liar.job();
        (liar.hold(&job), RunningWorker::start(server, "honest", &folder.join("honest")))
    });
}

#[test]
fn games_that_all_workers_hold_for_ever_are_set_aside() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (stopped, _, failures) = std::thread::scope(|scope| {
        scope.spawn(|| {
            let held = [1, 2, 3].map(|number| {
                let worker = Hand::new(&server, &key_of(number));
                let job = worker.job();
                (job["games"].clone(), worker.hold(&job))
            });
            assert!(held.iter().all(|(games, _)| *games == held[0].0), "each gets the games that the one before holds");
        });
        let [lost_after, stuck_after] = [60_000, 500].map(Duration::from_millis);
        let head = HeadOptions { lost_after, stuck_after, ..head(&server.url()) };
        on_cluster_of(head, &built_ins(), options(&folder.path().join("t"), 2), |_, _| false, &Reports::default())
    });
    assert_eq!(stopped, StopReason::Complete);
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
