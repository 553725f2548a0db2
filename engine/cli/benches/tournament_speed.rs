//! The games a second of a tournament, beside those of a bare loop that spawns as many of the same processes.
//!
//! `cargo bench -p broadside --bench tournament_speed`. Two native bots that do next to nothing play on the small map, in
//! turn, one game at a time and two; then built-in players. The bare loop starts the bot's program in the folder of a round
//! and waits for it, in as many threads. Medians of several runs, by turns. The last line is of the standings of 200 bots,
//! beside a test of two of them, which reads the same journal and rates nobody.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use fake_bot::{BotFolder, PLAYS};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

/// Enough for what a tournament does once, such as copying its bots, to be a small part.
const GAMES: u32 = 48;
const RUNS: usize = 7;

fn main() {
    let scratch = tempfile::Builder::new().prefix("speed ").tempdir_in(fast()).unwrap();
    let bots = [BotFolder::new("Alpha", PLAYS), BotFolder::new("Bravo", PLAYS)];
    let paths: Vec<&str> = bots.iter().map(|bot| bot.path().to_str().unwrap()).collect();
    let round = scratch.path().join("Phase 2 - Round 7/A");
    fs::create_dir_all(&round).unwrap();
    // Games a second of the tournament and of the processes alone, with one and two at the same time, in each run: what else
    // the machine does changes slowly, so only numbers of one run are compared.
    let runs: Vec<[[f64; 2]; 2]> = (0..RUNS)
        .map(|run| {
            [1_usize, 2].map(|threads| {
                let dir = scratch.path().join(format!("{threads} {run}"));
                let (games, processes, time) = tournament(&dir, GAMES, threads, &paths);
                let bare = spawned(processes, threads, bots[0].path(), &round);
                [f64::from(games) / time, f64::from(games) / bare]
            })
        })
        .collect();
    let middle = |of: fn(&[[f64; 2]; 2]) -> f64| median(runs.iter().map(of).collect());
    println!(
        "1 at the same time: {:.2} games/s; {:.2} with the processes alone; {:.0} %",
        middle(|[one, _]| one[0]),
        middle(|[one, _]| one[1]),
        middle(|[one, _]| 100.0 * one[0] / one[1])
    );
    println!(
        "2 at the same time: {:.2} games/s; {:.2} with the processes alone; {:.0} %",
        middle(|[_, two]| two[0]),
        middle(|[_, two]| two[1]),
        middle(|[_, two]| 100.0 * two[0] / two[1])
    );
    println!(
        "two at the same time play {:.2} times as many games as one; {:.2} times with the processes alone",
        middle(|[one, two]| two[0] / one[0]),
        middle(|[one, two]| two[1] / one[1])
    );
    for threads in [1, 2] {
        let dir = scratch.path().join(format!("built-in {threads}"));
        let (games, _, time) = tournament(&dir, 2000, threads, &["builtin:random", "builtin:random"]);
        println!("built-in players, {threads} at the same time: {:.0} games/s", f64::from(games) / time);
    }
    let dir = scratch.path().join("200 bots");
    let bots = ["builtin:random", "builtin:hunter"].repeat(100);
    let swiss = [&["--format", "swiss", "--rounds", "10", "-b"][..], &bots].concat();
    let (games, _, _) = played(&dir, 2, 2, &swiss);
    let [first, second] = ["builtin:random", "builtin:hunter"];
    let rated = || seconds(&["standings", dir.to_str().unwrap()]);
    let read = || seconds(&["sprt", dir.to_str().unwrap(), first, second]);
    let (rated, read): (Vec<f64>, Vec<f64>) = (0..RUNS).map(|_| (rated(), read())).unzip();
    println!(
        "standings of {} bots after {games} games: {:.0} ms; {:.0} ms to read the journal",
        bots.len(),
        median(rated) * 1000.0,
        median(read) * 1000.0
    );
}

/// The time that a command takes, in seconds.
fn seconds(arguments: &[&str]) -> f64 {
    let mut command = Command::new(env!("CARGO_BIN_EXE_broadside"));
    let start = Instant::now();
    let status = command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(status.success());
    start.elapsed().as_secs_f64()
}

fn fast() -> &'static Path {
    let in_memory = Path::new("/dev/shm");
    if in_memory.is_dir() { in_memory } else { Path::new("/tmp") }
}

/// Plays a tournament: how many games, how many processes they took, and the time of the games in seconds.
fn tournament(dir: &Path, games: u32, threads: usize, bots: &[&str]) -> (u32, u32, f64) {
    played(dir, games, threads, &[&["-b"], bots].concat())
}

/// The same, of the bots and in the format that the arguments say.
fn played(dir: &Path, games: u32, threads: usize, arguments: &[&str]) -> (u32, u32, f64) {
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
    command.args(["-g", &games.to_string(), "-j", &threads.to_string(), "--dir"]).arg(dir).args(arguments);
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
