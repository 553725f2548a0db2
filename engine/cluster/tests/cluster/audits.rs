//! Workers that tell wrong results, and what they do so that nobody finds it. The results of honest workers stay as they are, and
//! whoever reads the reports sees the liar.

use crate::by_hand::{Hand, engine, liar_key, packed, public, second_key, state_of, tell_states, to_head};
use crate::nats_server::NatsServer;
use crate::support::{
    Reports, Results, RunningWorker, a_line, built_ins, head, on_cluster_of, on_threads, options, without,
};
use cluster::{HeadOptions, HeadReport, PublicKey, SecretKey, WorkerReport};
use ed25519_dalek::SigningKey;
use rules::Ending;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;
use tournament::{Fixture, GameLine, StopReason, forget_worker};

/// The key of the honest worker of this name whose cache is in the folder.
fn key_in(folder: &Path, name: &str) -> PublicKey {
    SecretKey::kept(&folder.join(name).join("worker.key")).unwrap().public()
}

/// The differences that were told: the number of results of each, and the worker that is named.
fn differences(reports: &[HeadReport]) -> Vec<(usize, Option<String>)> {
    let differing = reports.iter().filter_map(|report| match report {
        HeadReport::Differs { told, outlier, .. } => Some((told.len(), outlier.clone())),
        _ => None,
    });
    differing.collect()
}

/// Checks that all differences name the liar, and that each game had a second result.
fn assert_liar_is_named(reports: &[HeadReport]) {
    let named = differences(reports);
    assert!(!named.is_empty() && named.iter().all(|one| *one == (3, Some("liar".to_owned()))), "{reports:?}");
    assert!(!reports.iter().any(|report| matches!(report, HeadReport::Unchecked { .. })), "{reports:?}");
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
        line.outcome.ending = Ending::FleetSunk { seats: vec![winner.opponent()] };
        line.took_ms = 1;
        json!({ "played": line })
    });
    json!({ "worker": name, "games": games.collect::<Vec<_>>(), "files": null, "why": null })
}

/// Plays a tournament with two honest workers, and one that calls itself so and turns the results of one job round after the others
/// have finished games. Gives the results, the machines and the reports.
fn with_a_liar(
    server: &NatsServer,
    folder: &Path,
    name: &str,
    (audit, workers): (f64, Vec<PublicKey>),
) -> (Results, Reports) {
    const GAMES: u32 = 40;
    let line = a_line(&built_ins(), &folder.join("line"));
    let (reports, finished) = (Reports::default(), AtomicUsize::new(0));
    let (done, is_done) = channel();
    let (stopped, found, failures) = std::thread::scope(|scope| {
        let (server, finished, told) = (&server, &finished, reports.clone());
        scope.spawn(move || {
            let liar = Hand::new(server, &liar_key());
            let job = liar.job();
            let start = |name| RunningWorker::start(server, name, &folder.join(name));
            // The first has its name before the liar comes.
            let _one = start("one");
            while finished.load(Ordering::Relaxed) == 0 {
                test_tools::pause();
            }
            let _two = start("two");
            told.wait_for(|report| matches!(report, HeadReport::Workers { workers: 2, .. }));
            liar.answer(&job, &turned_round(&job, name, &line));
            is_done.recv().unwrap();
        });
        let head = HeadOptions { audit, workers, ..head(&server.url()) };
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
    let listed = [key_in(folder.path(), "one"), key_in(folder.path(), "two"), public(&liar_key())];
    let ((found, _), reports) = with_a_liar(&server, folder.path(), "one", (1.0, listed.to_vec()));
    assert_eq!(found, local);
    let liar = format!("one ({})", &public(&liar_key()).to_string()[..8]);
    let reports = reports.0.lock().unwrap();
    assert!(reports.contains(&HeadReport::SameName("one".to_owned(), liar.clone())), "{reports:?}");
    let named = differences(&reports);
    // Its job had a pair, of which at least one game ends otherwise.
    assert!(!named.is_empty() && named.iter().all(|one| *one == (3, Some(liar.clone()))), "{reports:?}");
}

#[test]
fn the_games_of_a_liar_are_forgotten_and_played_again() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("t");
    let (local, _) = on_threads(&built_ins(), options(&folder.path().join("threads"), 40));
    let ((found, machines), _) = with_a_liar(&server, folder.path(), "liar", (0.0, Vec::new()));
    let lies = without(&found, &local).len() as u32;
    let of_liar = machines[&Some("liar".to_owned())];
    assert!(lies > 0 && lies <= of_liar, "only results of its own job are wrong: {machines:?}");
    let unknown = forget_worker(&journal, "nobody").unwrap_err().to_string();
    assert!(unknown.contains("its workers are liar, one"), "{unknown}");
    let (removed, names) = forget_worker(&journal, "liar").unwrap();
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

/// The attack of a test: it gets the server, the folder, a line of a game and the reports. What it gives lasts as long as the
/// tournament.
trait Attack<T>: FnOnce(&NatsServer, &Path, &GameLine, &Reports) -> T + Send {}
impl<T, F: FnOnce(&NatsServer, &Path, &GameLine, &Reports) -> T + Send> Attack<T> for F {}

/// Plays a tournament of one pair, whose games are all audited, while somebody attacks. Workers with these keys are listed, and jobs
/// go to others after so many seconds. Gives the results, those of threads, and the reports.
fn attacked<T>(
    server: &NatsServer,
    (listed, lost_after): (&[PublicKey], u64),
    folder: &Path,
    attack: impl Attack<T>,
) -> ([Results; 2], Vec<HeadReport>) {
    let local = on_threads(&built_ins(), options(&folder.join("threads"), 2));
    let line = a_line(&built_ins(), &folder.join("line"));
    let reports = Reports::default();
    let (done, is_done) = channel();
    let (stopped, found, failures) = std::thread::scope(|scope| {
        let (line, told) = (&line, reports.clone());
        scope.spawn(move || {
            let _held = attack(server, folder, line, &told);
            is_done.recv().unwrap();
        });
        let (workers, lost_after) = (listed.to_vec(), Duration::from_secs(lost_after));
        let head = HeadOptions { audit: 1.0, workers, lost_after, ..head(&server.url()) };
        let played = on_cluster_of(head, &built_ins(), options(&folder.join("t"), 2), |_, _| false, &reports);
        done.send(()).unwrap();
        played
    });
    assert_eq!((stopped, failures), (StopReason::Complete, Vec::new()));
    let reports = reports.0.lock().unwrap().clone();
    ([found, local], reports)
}

/// Takes a job with this key, and answers it with results that are turned round.
fn turn_round(server: &NatsServer, name: &str, key: &SigningKey, line: &GameLine) {
    let liar = Hand::new(server, key);
    let job = liar.job();
    liar.answer(&job, &turned_round(&job, name, line));
}

/// Tells the state of a worker that the head knows and that never takes a job: it has the second key. Nobody else may change it.
fn tell_other(server: &NatsServer, told: &Reports) -> tokio::runtime::Runtime {
    let engine = engine(server);
    let is_gone = |state: &mut Value| {
        state["key"] = public(&second_key()).to_string().into();
        state["is_draining"] = true.into();
    };
    let [other, forged] = [state_of(&second_key(), &engine, |_| {}), state_of(&liar_key(), &engine, is_gone)];
    // Without a signature.
    let unsigned = forged[96..].to_vec();
    let states = tell_states(server, vec![other, forged, unsigned]);
    told.wait_for(|report| matches!(report, HeadReport::Workers { workers: 1, .. }));
    states
}

/// Starts honest workers with these names, and waits until the head knows so many.
fn start(server: &NatsServer, folder: &Path, names: &[&str], told: &Reports, known: usize) -> Vec<RunningWorker> {
    let started = names.iter().map(|name| RunningWorker::start(server, name, &folder.join(name))).collect();
    told.wait_for(|report| matches!(report, HeadReport::Workers { workers, .. } if *workers == known));
    started
}

/// The keys of two honest workers, of the liar and of the second key.
fn four_keys(folder: &Path) -> [PublicKey; 4] {
    [key_in(folder, "one"), key_in(folder, "two"), public(&liar_key()), public(&second_key())]
}

#[test]
fn a_worker_does_not_get_its_own_games_to_check_them() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let listed = four_keys(folder.path());
    let ([found, local], reports) = attacked(&server, (&listed, 30), folder.path(), |server, folder, line, told| {
        let states = tell_other(server, told);
        turn_round(server, "liar", &liar_key(), line);
        let liar = Hand::new(server, &liar_key());
        assert_eq!(liar.job_of(liar.head()["run"].as_str().unwrap(), 300), None);
        (states, start(server, folder, &["one", "two"], told, 3))
    });
    assert_eq!(found.0, local.0);
    assert!(differences(&reports).contains(&(3, Some("liar".to_owned()))), "{reports:?}");
}

#[test]
fn a_liar_whose_friend_holds_the_second_games_is_named_by_others() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let listed = four_keys(folder.path());
    let ([found, local], reports) = attacked(&server, (&listed, 1), folder.path(), |server, folder, line, told| {
        let states = tell_other(server, told);
        turn_round(server, "liar", &liar_key(), line);
        let friend = Hand::new(server, &second_key());
        let job = friend.job();
        (states, friend.hold(&job), start(server, folder, &["one", "two"], told, 3))
    });
    assert_eq!(found.0, local.0);
    assert_liar_is_named(&reports);
}

#[test]
fn a_worker_that_answers_second_games_with_rubbish_cancels_none() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let listed = four_keys(folder.path());
    let ([found, local], reports) = attacked(&server, (&listed, 30), folder.path(), |server, folder, line, told| {
        let states = tell_other(server, told);
        turn_round(server, "liar", &liar_key(), line);
        let friend = Hand::new(server, &second_key());
        let job = friend.job();
        let honest = start(server, folder, &["one", "two"], told, 3);
        friend.answer_bytes(&job, b"rubbish");
        // Nor can it do so with the games of those who have them now, or the liar with those of its friend.
        friend.answer(&job, &turned_round(&job, "friend", line));
        Hand::new(server, &liar_key()).answer(&job, &turned_round(&job, "liar", line));
        (states, honest)
    });
    assert_eq!(found.0, local.0);
    assert_liar_is_named(&reports);
}

#[test]
fn a_liar_whose_friend_alone_could_check_it_is_told_of() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let ([found, local], reports) = attacked(&server, (&[], 1), folder.path(), |server, _, line, told| {
        let states = tell_other(server, told);
        turn_round(server, "liar", &liar_key(), line);
        let friend = Hand::new(server, &second_key());
        let job = friend.job();
        (states, friend.hold(&job))
    });
    assert_ne!(found.0, local.0);
    let unchecked: BTreeSet<_> = reports
        .iter()
        .filter_map(|report| match report {
            HeadReport::Unchecked { game, worker } => Some((game.clone(), worker.as_str())),
            _ => None,
        })
        .collect();
    assert!(unchecked.len() == 2 && unchecked.iter().all(|(_, worker)| *worker == "liar"), "{reports:?}");
}

#[test]
fn two_keys_of_one_liar_do_not_outvote_an_honest_worker() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let ([found, local], reports) = attacked(&server, (&[], 30), folder.path(), |server, folder, line, told| {
        let keys = [liar_key(), second_key()];
        let id = |state: &mut Value| state["id"] = "y".into();
        let states = tell_states(
            server,
            vec![state_of(&keys[0], &engine(server), |_| {}), state_of(&keys[1], &engine(server), id)],
        );
        told.wait_for(|report| matches!(report, HeadReport::Workers { workers: 2, .. }));
        let honest = RunningWorker::start(server, "one", &folder.join("one"));
        honest.wait_for(|report| matches!(report, WorkerReport::Ended(..)));
        turn_round(server, "first", &keys[0], line);
        turn_round(server, "second", &keys[1], line);
        (states, honest)
    });
    assert_eq!(found.0, local.0);
    let named = differences(&reports);
    assert!(!named.is_empty() && named.iter().all(|one| *one == (3, None)), "{reports:?}");
}

#[test]
fn a_key_that_is_not_listed_has_no_vote() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let listed = &four_keys(folder.path())[..3];
    let ([found, local], reports) = attacked(&server, (listed, 30), folder.path(), |server, folder, line, told| {
        let engine = engine(server);
        let states =
            tell_states(server, [liar_key(), second_key()].map(|key| state_of(&key, &engine, |_| {})).to_vec());
        told.wait_for(|report| matches!(report, HeadReport::Workers { workers: 1, .. }));
        let honest = RunningWorker::start(server, "one", &folder.join("one"));
        honest.wait_for(|report| matches!(report, WorkerReport::Ended(..)));
        let unlisted = Hand::new(server, &second_key());
        let run = unlisted.head()["run"].as_str().unwrap().to_owned();
        let refused = unlisted.ask(&format!("broadside.run.{run}.job"), unlisted.request(&run, 100));
        assert_eq!(refused.as_deref(), Some(&b"refused"[..]));
        told.wait_for(|report| *report == HeadReport::Unlisted("other".to_owned(), public(&second_key())));
        let liar = Hand::new(server, &liar_key());
        let job = liar.job();
        // One that is not listed cannot tell its results either.
        let forged =
            to_head("answer", job["id"].as_str().unwrap(), &packed(&turned_round(&job, "second", line)), &second_key());
        assert_eq!(unlisted.ask(&format!("broadside.run.{run}.answer"), forged).as_deref(), Some(&b"refused"[..]));
        let two = start(server, folder, &["two"], told, 3);
        liar.answer(&job, &turned_round(&job, "liar", line));
        (states, honest, two)
    });
    assert_eq!(found.0, local.0);
    let named = differences(&reports);
    assert!(!named.is_empty() && named.iter().all(|one| *one == (3, Some("liar".to_owned()))), "{reports:?}");
}

#[test]
fn a_worker_that_calls_its_results_suspect_is_audited() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let listed = four_keys(folder.path());
    let ([found, local], reports) = attacked(&server, (&listed, 30), folder.path(), |server, folder, line, told| {
        let liar = Hand::new(server, &liar_key());
        let job = liar.job();
        let honest = start(server, folder, &["one", "two"], told, 2);
        let suspect = GameLine { suspect: Some("a slow machine".to_owned()), ..line.clone() };
        liar.answer(&job, &turned_round(&job, "liar", &suspect));
        honest
    });
    assert_eq!(found.0, local.0);
    // Its machine may be slow.
    let named = differences(&reports);
    assert!(!named.is_empty() && named.iter().all(|one| *one == (3, None)), "{reports:?}");
    assert!(format!("{reports:?}").contains("its machine may have made a bot late"), "{reports:?}");
}
