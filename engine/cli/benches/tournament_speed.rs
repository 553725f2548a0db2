//! How many games a second a tournament plays, beside a bare loop that spawns as many of the same processes.
//!
//! `cargo bench -p broadside --bench tournament_speed`. Two native bots that do next to nothing play on the small map, in
//! turn, one game at a time and two; then built-in players. The bare loop starts the bot's program in the folder of a round
//! and waits for it, in as many threads. Medians of several runs, by turns.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use fake_bot::{BotFolder, PLAYS};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

const GAMES: u32 = 8;
const RUNS: usize = 21;

fn main() {
    let scratch = tempfile::Builder::new().prefix("speed ").tempdir_in(fast()).unwrap();
    let bots = [BotFolder::new("Alpha", PLAYS), BotFolder::new("Bravo", PLAYS)];
    let paths: Vec<&str> = bots.iter().map(|bot| bot.path().to_str().unwrap()).collect();
    let round = scratch.path().join("Phase 2 - Round 7/A");
    fs::create_dir_all(&round).unwrap();
    let mut speeds = Vec::new();
    for threads in [1_usize, 2] {
        let (mut played, mut bare) = (Vec::new(), Vec::new());
        for run in 0..RUNS {
            let dir = scratch.path().join(format!("{threads} {run}"));
            let (games, processes, time) = tournament(&dir, GAMES, threads, &paths);
            played.push(f64::from(games) / time);
            bare.push(f64::from(games) / spawned(processes, threads, bots[0].path(), &round));
        }
        // Of runs that follow each other: what else the machine does changes slowly.
        let ratio = median(played.iter().zip(&bare).map(|(played, bare)| played / bare).collect());
        let (played, bare) = (median(played), median(bare));
        println!(
            "{threads} at the same time: {played:.2} games/s; {bare:.2} with the processes alone; {:.0} %",
            ratio * 100.0
        );
        speeds.push(played);
    }
    println!("two at the same time play {:.2} times as many games as one", speeds[1] / speeds[0]);
    for threads in [1, 2] {
        let dir = scratch.path().join(format!("built-in {threads}"));
        let (games, _, time) = tournament(&dir, 2000, threads, &["builtin:random", "builtin:random"]);
        println!("built-in players, {threads} at the same time: {:.0} games/s", f64::from(games) / time);
    }
}

fn fast() -> &'static Path {
    let in_memory = Path::new("/dev/shm");
    if in_memory.is_dir() { in_memory } else { Path::new("/tmp") }
}

/// Plays a tournament: how many games, how many processes they took, and the time of the games in seconds.
fn tournament(dir: &Path, games: u32, threads: usize, bots: &[&str]) -> (u32, u32, f64) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_broadside"));
    command.args([
        "tournament",
        "-s",
        "1",
        "--keep",
        "none",
        "--sandbox",
        "off",
        "--calibration",
        "off",
        "--seed",
        "1",
    ]);
    command.args(["-g", &games.to_string(), "-j", &threads.to_string(), "--dir"]).arg(dir).arg("-b").args(bots);
    let start = Instant::now();
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    let time = start.elapsed().as_secs_f64();
    assert!(status.success());
    let journal = fs::read_to_string(dir.join("games.jsonl")).unwrap();
    let lines = journal.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let turns: Vec<u32> = lines.filter_map(|line| Some(line["outcome"]["turns"].as_u64()? as u32)).collect();
    (turns.len() as u32, 2 * turns.iter().sum::<u32>(), time)
}

/// The seconds that it takes to start so many processes, one after the other in each thread.
fn spawned(processes: u32, threads: usize, bot: &Path, round: &Path) -> f64 {
    let program = &fake_bot::program();
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                for _ in 0..processes / threads as u32 {
                    let mut command = Command::new(program);
                    command.arg("A").arg(round).current_dir(bot);
                    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
                    assert!(status.unwrap().success());
                }
            });
        }
    });
    start.elapsed().as_secs_f64()
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
