//! The cost of a match beyond its bots, with real processes and all files of the replay folder.
//!
//! `cargo bench -p arena --bench match_cost [-- ROUNDS]`. The bot is the native `fake_bot`, which does next to nothing.
//! Three ways in the same run, one after the other, several times:
//!
//! - bare: spawn and wait, one process after the other, with the same program, arguments and question files;
//! - in turn, together: the arena with both bots of a round one after the other, or at once.
//!
//! The overhead of a round is its time less that of the same round in the bare loop of the same pass (in turn only:
//! together, the bots overlap).
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use arena::folder::MatchFolder;
use arena::record::{FolderStore, MatchFiles};
use arena::{ArenaError, Interrupt, Limits, MatchEvent, Observer, Observers, Players, Sequence};
use fake_bot::BotFolder;
use match_folder::{EntelectFiles, RoundWriter};
use players::process::{Launch, PerRound};
use players::{Bot, Manifest, Tools};
use rules::PlayerInfo;
use rules::entelect_2017::files::Files;
use rules::entelect_2017::{Entelect2017, MapSize, Settings};
use rules::{BySeat, Game};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const PASSES: usize = 15;
/// Places its ships, then shoots where nothing is to be hit, so that the match lasts to its last round.
const SCRIPT: &str = "1: place\n2: write command.txt 1,6,6";

fn main() {
    let bots = ["Alpha", "Bravo"].map(|name| BotFolder::new(name, SCRIPT));
    // Beside the checkout's own build, where there is a disk; a temporary folder may be in memory.
    let target = tempfile::tempdir_in(fake_bot::program().parent().unwrap()).unwrap();
    let mut bare = Vec::new();
    let mut in_turn = Vec::new();
    let mut together = Vec::new();
    for pass in 0..=PASSES {
        let folder = target.path().join(pass.to_string());
        let turn = played(&bots, &folder.join("in turn"), Sequence::InTurn);
        let both = played(&bots, &folder.join("together"), Sequence::Together);
        let alone = spawned(&bots, &folder.join("in turn"));
        // The first pass warms everything up.
        if pass > 0 {
            in_turn.push(turn);
            together.push(both);
            bare.push(alone);
        }
    }
    let rounds = bare[0].len();
    println!("{rounds} rounds, {} processes, median of {PASSES} passes", 2 * rounds);
    let matches = |passes: &[Vec<Duration>]| passes.iter().map(|rounds| rounds.iter().sum()).collect::<Vec<Duration>>();
    let (bare_match, turn_match, both_match) = (matches(&bare), matches(&in_turn), matches(&together));
    let ratio = |passes: &[Duration]| {
        let mut ratios: Vec<f64> =
            passes.iter().zip(&bare_match).map(|(a, b)| a.as_secs_f64() / b.as_secs_f64()).collect();
        ratios.sort_by(f64::total_cmp);
        ratios[PASSES / 2]
    };
    println!("match: bare loop {:>7.1} ms", ms(quantile(&bare_match, 0.5)));
    println!(
        "       in turn   {:>7.1} ms   {:.2} times the bare loop",
        ms(quantile(&turn_match, 0.5)),
        ratio(&turn_match)
    );
    println!(
        "       together  {:>7.1} ms   {:.2} times the bare loop",
        ms(quantile(&both_match, 0.5)),
        ratio(&both_match)
    );
    let overhead: Vec<Duration> = in_turn
        .iter()
        .zip(&bare)
        .flat_map(|(turn, bare)| turn.iter().zip(bare).map(|(turn, bare)| turn.saturating_sub(*bare)))
        .collect();
    println!(
        "round: overhead in turn {:.3} ms at the median, {:.3} ms at p99 ({} rounds)",
        ms(quantile(&overhead, 0.5)),
        ms(quantile(&overhead, 0.99)),
        overhead.len()
    );
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn quantile(times: &[Duration], q: f64) -> Duration {
    let mut times = times.to_vec();
    times.sort();
    times[((times.len() - 1) as f64 * q).round() as usize]
}

/// Measures each round of a match.
struct Clock {
    opened: Instant,
    rounds: Vec<Duration>,
}

impl Observer<Entelect2017> for Clock {
    fn on(&mut self, event: &MatchEvent<'_, Entelect2017>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Advanced { .. } => {
                let now = Instant::now();
                self.rounds.push(now - self.opened);
                self.opened = now;
            }
            MatchEvent::Opened { turn: 0, .. } => self.opened = Instant::now(),
            _ => {}
        }
        Ok(())
    }
}

fn played(bots: &[BotFolder; 2], path: &Path, sequence: Sequence) -> Vec<Duration> {
    let folder = Arc::new(MatchFolder::create(path).unwrap());
    let interrupt = Interrupt::new().unwrap();
    let files = Files::new(["Alpha", "Bravo"].map(PlayerInfo::named).into_iter().collect());
    let mut players: Players<Entelect2017> = bots
        .iter()
        .map(|bot| -> Box<dyn arena::Player<Entelect2017>> {
            let launch = Launch::of(&Manifest::read(bot.path()).unwrap(), &Tools::on_path()).unwrap();
            let limits = Some(Limits::with_extra(Duration::ZERO));
            let transport = PerRound::new(launch, Arc::clone(&folder), limits, true, interrupt.clone());
            Box::new(Bot::new(files.clone(), transport))
        })
        .collect::<BySeat<_>>();
    let rounds = RoundWriter::new(files, arena::record::Clock::Running, 2, Vec::new());
    let files = Box::new(EntelectFiles::default().with_rounds(rounds));
    let mut record = MatchFiles::new(Box::new(FolderStore::new(folder)), files);
    let mut clock = Clock { opened: Instant::now(), rounds: Vec::new() };
    let game = Entelect2017::start(&Settings { size: MapSize::Small }, 2, 0).unwrap();
    let mut observers = Observers::new();
    // First, so that a round's time has everything of it.
    observers.add(&mut clock);
    observers.add(&mut record);
    arena::play(game, &mut players, sequence, &mut observers).unwrap();
    clock.rounds
}

/// The same processes in the folders that a match has left.
fn spawned(bots: &[BotFolder; 2], path: &Path) -> Vec<Duration> {
    let rounds = fs::read_dir(path).unwrap().count() - 1;
    let mut times = Vec::new();
    for round in 0..rounds {
        let phase = if round == 0 { 1 } else { 2 };
        let start = Instant::now();
        for (bot, key) in bots.iter().zip(["A", "B"]) {
            let folder = path.join(format!("Phase {phase} - Round {round}")).join(key);
            let mut command = Command::new(fake_bot::program());
            command.arg(key).arg(folder).current_dir(bot.path());
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            assert!(command.spawn().unwrap().wait().unwrap().success());
        }
        times.push(start.elapsed());
    }
    times
}
