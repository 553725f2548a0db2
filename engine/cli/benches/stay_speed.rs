//! The games a second of bots that stay, beside the same bots with a new process for every turn and, in Python, with warm starts.
//!
//! `cargo bench -p broadside --bench stay_speed [LANGUAGE…]`. The samples in `bots/` play the built-in hunter on the medium map,
//! one game at a time, without a sandbox and in a strict one. Each way plays as many games as take some seconds; medians of several
//! runs, by turns. The floor of the C sample is a loop that only starts as many processes.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use tempfile::TempDir;

const RUNS: usize = 3;
/// The time that the games of one run should take, in seconds.
const SPAN: f64 = 4.0;
/// The samples that are played if none are named.
const SAMPLES: [&str; 6] = ["python", "javascript", "java", "csharp", "go", "c"];

fn main() {
    let named: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let samples = if named.is_empty() { SAMPLES.map(str::to_owned).to_vec() } else { named };
    let scratch = tempfile::Builder::new().prefix("stay ").tempdir_in(fast()).unwrap();
    println!("games/s against builtin:hunter on 10 x 10, one at a time, medians of {RUNS} runs");
    println!("{:<12}{:<10}{:>12}{:>12}{:>9}", "sample", "sandbox", "per round", "stays", "times");
    println!("{:<12}{:<10}{:>12}{:>12}{:>9}", "", "", "", "warm", "times");
    for sample in &samples {
        let bots = [false, true].map(|stays| copy(sample, scratch.path(), stays));
        for sandbox in ["off", "strict"] {
            let [per_round, stays] = &bots;
            let mut ways =
                vec![Way::new(per_round, sandbox, "off", &scratch), Way::new(stays, sandbox, "off", &scratch)];
            if sample == "python" {
                ways.push(Way::new(per_round, sandbox, "on", &scratch));
            }
            let runs: Vec<Vec<f64>> =
                (0..RUNS).map(|run| ways.iter().map(|way| way.games_a_second(run)).collect()).collect();
            let of = |way: usize| median(runs.iter().map(|run| run[way]).collect());
            let times = |way: usize| median(runs.iter().map(|run| run[way] / run[0]).collect());
            println!("{sample:<12}{sandbox:<10}{:>12.2}{:>12.2}{:>9.1}", of(0), of(1), times(1));
            if ways.len() > 2 {
                println!("{:<12}{:<10}{:>12}{:>12.2}{:>9.1}", "", "", "", of(2), times(2));
            }
        }
        if sample == "c" {
            let bare = median((0..RUNS).map(|_| spawned(&bots[0], scratch.path())).collect());
            println!("{:<12}{:<10}{bare:>12.2}  processes alone, for as many turns", "", "");
        }
    }
}

/// One way to play a bot.
struct Way<'a> {
    bot: &'a Path,
    sandbox: &'static str,
    warm: &'static str,
    scratch: &'a TempDir,
    /// The number of games of one run.
    games: u32,
}

impl Way<'_> {
    fn new<'a>(bot: &'a Path, sandbox: &'static str, warm: &'static str, scratch: &'a TempDir) -> Way<'a> {
        let mut way = Way { bot, sandbox, warm, scratch, games: 2 };
        // Two games are enough to know how many take so long.
        let fast = way.games_a_second(RUNS);
        way.games = ((SPAN * fast) as u32).max(2).next_multiple_of(2);
        way
    }

    fn games_a_second(&self, run: usize) -> f64 {
        let bot = self.bot.file_name().unwrap().display();
        let name = format!("{bot} {} {} {} {run}", self.sandbox, self.warm, self.games);
        let (_, time) = tournament(&self.scratch.path().join(name), self.games, self.sandbox, self.warm, self.bot);
        f64::from(self.games) / time
    }
}

/// A copy of a sample, built.
fn copy(sample: &str, scratch: &Path, stays: bool) -> PathBuf {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bots").join(sample);
    let to = scratch.join(format!("{sample} {}", if stays { "stays" } else { "per round" }));
    let copied = Command::new("cp").arg("-r").arg(from).arg(&to).status().unwrap();
    assert!(copied.success());
    let manifest = to.join("bot.json");
    let mut value: serde_json::Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
    value["Stay"] = stays.into();
    fs::write(&manifest, value.to_string()).unwrap();
    let mut build = Command::new(env!("CARGO_BIN_EXE_broadside"));
    let built = build.arg("check").arg(&to).args(["-s", "1", "-f", "--sandbox", "off"]).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stdout));
    to
}

/// Plays games of the bot against the built-in hunter: the number of turns, and the time in seconds.
fn tournament(dir: &Path, games: u32, sandbox: &str, warm: &str, bot: &Path) -> (u64, f64) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_broadside"));
    command.args(["tournament", "--keep", "none", "--calibration", "2000", "--seed", "1", "-j", "1"]);
    command.args(["--sandbox", sandbox, "--warm", warm, "-g", &games.to_string(), "--dir"]).arg(dir);
    command.arg("-b").arg(bot).arg("builtin:hunter");
    let start = Instant::now();
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    let time = start.elapsed().as_secs_f64();
    assert!(status.success());
    let journal = fs::read_to_string(dir.join("games.jsonl")).unwrap();
    let lines = journal.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let turns: Vec<u64> = lines.filter_map(|line| line["outcome"]["turns"].as_u64()).collect();
    assert_eq!(turns.len() as u32, games);
    (turns.iter().sum(), time)
}

/// The games a second if nothing were done but to start the bot's program for every turn.
fn spawned(bot: &Path, scratch: &Path) -> f64 {
    let folder = scratch.join("Phase 2 - Round 7/A");
    fs::create_dir_all(&folder).unwrap();
    let (turns, _) = tournament(&scratch.join("turns"), 2, "off", "off", bot);
    let _ = fs::remove_dir_all(scratch.join("turns"));
    let start = Instant::now();
    for _ in 0..turns {
        // Without its files it ends at once.
        let mut command = Command::new(bot.join("bot"));
        command.arg("A").arg(&folder).current_dir(bot);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    }
    2.0 / start.elapsed().as_secs_f64()
}

fn fast() -> &'static Path {
    let in_memory = Path::new("/dev/shm");
    if in_memory.is_dir() { in_memory } else { Path::new("/tmp") }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
