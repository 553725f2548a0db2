//! The size of records, the speed of verifying and expanding matches, and the cost of writing a record in a round.
//!
//! `cargo bench -p arena --bench record_speed`. The match is of 100 rounds on 10 x 10, played by the random player.
//! Beside each time there is its floor, measured in the same run: the rules alone for verifying, writing the same files
//! for expanding, appending the same lines for recording. Medians of several runs, in one thread.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use arena::folder::MatchFolder;
use arena::record::{Clock, FolderStore, Header, MatchFiles, Record, RecordedSeat, save};
use arena::{MatchEvent, Observer, Players, Sequence, play};
use match_folder::{EntelectFiles, RoundWriter, expand, open, verify};
use players::BuiltIn;
use rules::PlayerInfo;
use rules::entelect_2017::files::Files;
use rules::entelect_2017::{Entelect2017, MapSize, Order, Settings};
use rules::{Answers, BySeat, Fault, Game, Seat};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use walkdir::WalkDir;

const RUNS: usize = 21;
const SETTINGS: Settings = Settings { size: MapSize::Medium };

fn main() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("match");
    let seed = (0..).find(|seed| played(*seed, &mut Nobody) == Some(100)).unwrap();
    let mut archive = archive(&folder, true);
    played(seed, &mut archive);
    archive.close().unwrap();

    let record = folder.join("match.jsonl");
    let lines = fs::read(&record).unwrap();
    let packed = scratch.path().join("match.jsonl.zst");
    save(&packed, &lines).unwrap();
    let size = |path: &Path| fs::metadata(path).unwrap().len();
    let all = files(&folder).iter().map(|file| size(file)).sum::<u64>() - size(&record);
    println!("100 rounds on 10 x 10, {} files", files(&folder).len() - 1);
    println!(
        "folder {all} bytes; record {}, 1/{:.0} of it; zst {}, 1/{:.0} of it",
        size(&record),
        all as f64 / size(&record) as f64,
        size(&packed),
        all as f64 / size(&packed) as f64
    );

    let opened = open(&record).unwrap();
    let answers = answers(&opened.record);
    let [rules, plain, zst] = medians(
        [&mut || drop(play_alone(&answers)), &mut || drop(verify(&open(&record).unwrap()).unwrap()), &mut || {
            drop(verify(&open(&packed).unwrap()).unwrap());
        }],
        50,
    );
    println!("verify: {:.0} matches/s; compressed {:.0}; the rules alone {:.0}", 1.0 / plain, 1.0 / zst, 1.0 / rules);
    let [bare, folder_too] = medians(
        [&mut || files(&folder).iter().for_each(|file| drop(fs::read(file).unwrap())), &mut || {
            drop(verify(&open(&folder).unwrap()).unwrap());
        }],
        1,
    );
    println!("verify a folder: {:.1} ms; reading its files alone {:.1} ms", folder_too * 1e3, bare * 1e3);

    let contents: Vec<(PathBuf, Vec<u8>)> = files(&folder)
        .into_iter()
        .map(|file| (file.strip_prefix(&folder).unwrap().to_owned(), fs::read(&file).unwrap()))
        .collect();
    let mut number = 0;
    let mut fresh = || {
        number += 1;
        scratch.path().join(number.to_string())
    };
    let (one, other): (Vec<PathBuf>, Vec<PathBuf>) =
        ((0..RUNS).map(|_| fresh()).collect(), (0..RUNS).map(|_| fresh()).collect());
    let (mut one, mut other) = (one.into_iter(), other.into_iter());
    let [bare, expanded] = medians(
        [&mut || write_all(&one.next().unwrap(), &contents), &mut || {
            drop(expand(&opened.record, || MatchFolder::create(&other.next().unwrap())).unwrap());
        }],
        1,
    );
    println!("expand: {:.1} ms; writing the same files alone {:.1} ms", expanded * 1e3, bare * 1e3);

    let text = String::from_utf8(lines).unwrap();
    let [without, with, bare] = medians(
        [
            &mut || assert_eq!(played(seed, &mut Nobody), Some(100)),
            &mut || {
                let mut archive = self::archive(&scratch.path().join("compact"), false);
                played(seed, &mut archive);
                archive.close().unwrap();
            },
            &mut || {
                let mut file = File::create(scratch.path().join("bare.jsonl")).unwrap();
                text.split_inclusive('\n').for_each(|line| file.write_all(line.as_bytes()).unwrap());
            },
        ],
        1,
    );
    println!(
        "recording: {:.1} us a round; appending the same lines alone {:.1} us",
        (with - without) * 1e4,
        bare * 1e4
    );
}

/// Does nothing with a match.
struct Nobody;

impl Observer<Entelect2017> for Nobody {
    fn on(&mut self, _event: &MatchEvent<'_, Entelect2017>) -> Result<(), arena::ArenaError> {
        Ok(())
    }
}

fn details() -> BySeat<PlayerInfo> {
    ["Alpha", "Bravo"].map(PlayerInfo::named).into_iter().collect()
}

fn archive(folder: &Path, whole: bool) -> MatchFiles<Entelect2017> {
    let place = FolderStore::new(Arc::new(MatchFolder::create(folder).unwrap()));
    let seats = details().map(|details| RecordedSeat::new(details.clone()));
    let header = Header::new::<Entelect2017>(&SETTINGS, 0, seats, Sequence::InTurn);
    let folder = whole.then(|| RoundWriter::new(Files::new(details()), Clock::Running, 2, Vec::new()));
    let files = folder.map_or_else(EntelectFiles::default, |folder| EntelectFiles::default().with_rounds(folder));
    let mut archive = MatchFiles::new(Box::new(place), Box::new(files));
    archive.begin_record(&header, Clock::Running).unwrap();
    archive
}

fn first() -> Entelect2017 {
    Entelect2017::start(&SETTINGS, 2, 0).unwrap()
}

fn played(seed: u64, watch: &mut dyn Observer<Entelect2017>) -> Option<u32> {
    let seats = [Seat::A, Seat::B];
    let mut players: Players<Entelect2017> =
        seats.map(|seat| BuiltIn::Random.player::<Entelect2017>(rules::seat_seed(seed, seat))).into_iter().collect();
    play(first(), &mut players, Sequence::InTurn, watch).ok().map(|outcome| outcome.turns)
}

/// The answers of a record as the rules take them.
fn answers(record: &Arc<Record>) -> Vec<Vec<(Seat, Result<Order, Fault>)>> {
    struct Keeping(Vec<Vec<(Seat, Result<Order, Fault>)>>);
    impl Observer<Entelect2017> for Keeping {
        fn on(&mut self, event: &MatchEvent<'_, Entelect2017>) -> Result<(), arena::ArenaError> {
            if let MatchEvent::Answered { replies, .. } = event {
                self.0.push(replies.iter().map(|(seat, reply)| (*seat, reply.answer.clone())).collect());
            }
            Ok(())
        }
    }
    let mut keeping = Keeping(Vec::new());
    arena::record::replay_record(record, &mut keeping).unwrap();
    keeping.0
}

fn play_alone(answers: &[Vec<(Seat, Result<Order, Fault>)>]) -> Entelect2017 {
    let mut game = first();
    for answers in answers {
        game.advance(answers.iter().cloned().collect::<Answers<Order>>());
    }
    assert!(game.outcome().is_some());
    game
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
    entries.filter(|entry| entry.file_type().is_file()).map(|entry| entry.into_path()).collect()
}

fn write_all(folder: &Path, contents: &[(PathBuf, Vec<u8>)]) {
    for (name, bytes) in contents {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// The median time of each work in seconds, done so often in a run; the works take turns.
fn medians<const N: usize>(mut works: [&mut dyn FnMut(); N], times: usize) -> [f64; N] {
    let mut taken = [const { Vec::new() }; N];
    for _ in 0..RUNS {
        for (work, taken) in works.iter_mut().zip(&mut taken) {
            let start = Instant::now();
            (0..times).for_each(|_| work());
            taken.push(start.elapsed().as_secs_f64() / times as f64);
        }
    }
    taken.map(|mut taken| {
        taken.sort_by(f64::total_cmp);
        taken[RUNS / 2]
    })
}
