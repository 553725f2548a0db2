//! Files of games that workers send.

use crate::by_hand::{Hand, liar_key};
use crate::nats_server::NatsServer;
use crate::support::{Reports, RunningWorker, a_line, built_ins, on_cluster, on_cluster_telling, options};
use cluster::HeadReport;
use runner::{KeptGames, TournamentOptions};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Read;
use std::time::Duration;
use tournament::{Fixture, GameLine, StopReason};

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

/// An archive with a record of each of these games, and so many zeros behind each.
fn archive_of_records(games: &[Fixture], zeros: u64) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for game in games {
        let mut header = tar::Header::new_gnu();
        header.set_size(6 + zeros);
        header.set_mode(0o644);
        let record = b"record".chain(std::io::repeat(0).take(zeros));
        builder.append_data(&mut header, runner::record_path(*game), record).unwrap();
    }
    zstd::encode_all(&builder.into_inner().unwrap()[..], 1).unwrap()
}

/// The answer to a job all of whose games ended like this one, with records in an archive of this hash.
fn answer_with_records(job: &Value, line: &GameLine, hash: &str) -> Value {
    let games: Vec<Fixture> = serde_json::from_value(job["games"].clone()).unwrap();
    let played = games.into_iter().map(|fixture| {
        let seed = fixture.seed(7, built_ins().each_ref().map(String::as_str)).to_string();
        let record = Some(runner::record_path(fixture));
        json!({ "played": GameLine { fixture, seed, record, ..line.clone() } })
    });
    json!({ "worker": "by hand", "games": played.collect::<Vec<_>>(), "files": hash, "why": null })
}

/// The records of the games of a pair, as far as they were kept, and the reports of the head.
struct Kept {
    records: [Option<Vec<u8>>; 2],
    reports: Vec<HeadReport>,
}

/// Plays a tournament of one pair by a worker that sends the records of its games, with so many zeros behind each, by `send`.
fn with_records(zeros: u64, send: impl FnOnce(&Hand, &Value, &[u8]) + Send) -> Option<Kept> {
    let server = NatsServer::start()?;
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("t");
    let line = a_line(&built_ins(), &folder.path().join("line"));
    let reports = Reports::default();
    let (stopped, (found, _), failures) = std::thread::scope(|scope| {
        scope.spawn(|| {
            let hand = Hand::new(&server, &liar_key());
            let job = hand.job();
            let games: Vec<_> = serde_json::from_value(job["games"].clone()).unwrap();
            let archive = archive_of_records(&games, zeros);
            send(&hand, &job, &archive);
            hand.answer(&job, &answer_with_records(&job, &line, &arena::hex(&Sha256::digest(&archive))));
        });
        let (options, long) =
            (TournamentOptions { keep: KeptGames::All, ..options(&journal, 2) }, Duration::from_secs(30));
        on_cluster_telling(&server.url(), &built_ins(), options, long, |_, _| false, &reports)
    });
    assert_eq!((stopped, found.len(), failures), (StopReason::Complete, 2, Vec::new()));
    let records =
        ["0-1-00000", "0-1-00001"].map(|game| fs::read(journal.join(format!("records/{game}.jsonl.zst"))).ok());
    let reports = reports.0.lock().unwrap().clone();
    Some(Kept { records, reports })
}

fn is_lost(report: &HeadReport) -> bool {
    matches!(report, HeadReport::FilesLost(_))
}

#[test]
fn files_that_come_in_parts_and_twice_are_put_together() {
    let send = |hand: &Hand, job: &Value, archive: &[u8]| {
        let (first, rest) = archive.split_at(archive.len() / 2);
        hand.file(job, 0, first);
        // Its confirmation was lost.
        hand.file(job, 0, first);
        hand.file(job, first.len(), rest);
    };
    let Some(Kept { records, reports }) = with_records(0, send) else { return };
    assert!(!reports.iter().any(is_lost), "{reports:?}");
    assert!(records.iter().all(|record| record.as_deref() == Some(b"record")), "{records:?}");
}

#[test]
fn files_that_are_others_than_the_answer_says_are_not_kept() {
    let send = |hand: &Hand, job: &Value, archive: &[u8]| hand.file(job, 0, &archive[..archive.len() - 1]);
    let Some(Kept { records, reports }) = with_records(0, send) else { return };
    assert!(reports.iter().any(is_lost), "{reports:?}");
    assert_eq!(records, [None, None]);
}

#[test]
fn files_that_unpack_to_too_much_are_not_kept() {
    let send = |hand: &Hand, job: &Value, archive: &[u8]| hand.file(job, 0, archive);
    let Some(Kept { records, reports }) = with_records(40 << 20, send) else { return };
    assert!(reports.iter().any(is_lost), "{reports:?}");
    assert_eq!(records, [None, None]);
}
