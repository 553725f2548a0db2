//! A head with very many workers: `cargo bench -p cluster --bench many_workers [WORKERS [PAIRS]]`, by default 1,000 and 100,000.
//!
//! The workers are simulated: each has a connection of its own to a real NATS server, takes jobs as workers do, and answers after
//! a drawn time of a second on average. One job in a hundred kills its worker, and one worker in a hundred is ten times slow. The
//! head is a process of its own. Prints jobs a second, jobs that were taken in vain, the messages and processor time of
//! the server, and the memory of the head as it goes on. Fails if a game is missing or twice, 3 % of the jobs or more are taken
//! in vain, or the head has more than 1.3 times as much memory at the end as after a quarter of the time.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, unreachable_pub, reason = "a benchmark")]

#[path = "../tests/cluster/nats_server.rs"]
#[allow(dead_code, reason = "each test program uses some of it")]
mod nats_server;
#[path = "../tests/cluster/simulated.rs"]
mod simulated;

use arena::Interrupt;
use cluster::{Head, HeadOptions, STUCK_AFTER, SecretKey, Survey};
use nats_server::NatsServer;
use runner::{BotOptions, Context, GameSetup, PreparedTournament, ProgramMatches, ProgramSetup, TournamentOptions};
use simulated::{Counts, Simulation};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use std::{env, fs, thread};
use tournament::{GameLine, SchedulerEvent};

const SEED: u64 = 7;
const LOST_AFTER: Duration = Duration::from_secs(5);
/// The most jobs that may be taken in vain, in percent.
const MOST_AGAIN: f64 = 3.0;
/// The memory of the head at the end beside that after a quarter of the time, at most.
const MOST_GROWTH: f64 = 1.3;
const NAMES: [&str; 2] = ["builtin:hunter", "builtin:random"];

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [role, url, folder, games] = &arguments[..]
        && role == "head"
    {
        return be_head(url, Path::new(folder), games.parse().unwrap());
    }
    let number = |at: usize, usual: u32| arguments.get(at).map_or(usual, |text| text.parse().unwrap());
    let (workers, pairs) = (number(0, 1000), number(1, 100_000));
    let server = NatsServer::configured("http: \"127.0.0.1:-1\"\n").expect("nats-server is installed");
    let folder = tempfile::tempdir().unwrap();
    let counts = Arc::new(Counts::default());
    let simulation = Simulation {
        url: server.url(),
        engine: Survey::take(&server.url().parse().unwrap(), &Interrupt::new().unwrap()).unwrap().engine,
        workers,
        job: Duration::from_secs(1),
        told: Duration::from_secs(5),
        lost_after: LOST_AFTER,
        line: a_line(&folder.path().join("line")),
        base_seed: SEED,
        names: NAMES.map(str::to_owned),
        counts: Arc::clone(&counts),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.spawn(simulation.run());
    let began = Instant::now();
    let journal = folder.path().join("tournament");
    let mut head = Command::new(env::current_exe().unwrap());
    let mut head = head.args(["head", &server.url()]).arg(&journal).arg((2 * pairs).to_string()).spawn().unwrap();
    let megabytes = watched(&mut head, &counts);
    let took = began.elapsed().as_secs_f64();

    let lines = fs::read_to_string(journal.join("games.jsonl")).unwrap();
    let of_games: Vec<&str> = lines.lines().filter(|line| line.starts_with("{\"line\":\"game\"")).collect();
    let games = of_games.len();
    let mut unique: Vec<&str> = of_games.iter().filter_map(|line| line.split("\"seed\"").next()).collect();
    unique.sort_unstable();
    unique.dedup();
    let taken = counts.taken.load(Ordering::Relaxed);
    let (messages, processor) = server_load(&server);
    println!("{workers} workers: {games} games in the journal, {} different ones", unique.len());
    let answered = counts.answered.load(Ordering::Relaxed);
    println!("{took:.0} s, {:.0} jobs and {:.0} games a second", answered as f64 / took, games as f64 / took);
    let again = (taken - answered) as f64 / taken as f64 * 100.0;
    println!("{} workers died; of {taken} jobs, {again:.2} % were taken in vain", counts.died.load(Ordering::Relaxed));
    println!("{:.0} messages a second on the server, {processor:.0} % of a processor now", messages as f64 / took);
    println!("memory of the head, MB, at twentieths of the time: {megabytes:?}");
    println!("journal {:.1} MB", lines.len() as f64 / 1e6);

    let (wanted, quarter) = (2 * pairs as usize, megabytes.get(4).copied().unwrap_or_default());
    let last = megabytes.last().copied().unwrap_or_default();
    let mut broken = Vec::new();
    if games != wanted || unique.len() != wanted {
        broken.push(format!("there are {games} lines of {} games, and {wanted} were to be played", unique.len()));
    }
    if again >= MOST_AGAIN {
        broken.push(format!("{again:.2} % of the jobs were taken in vain, and less than {MOST_AGAIN} % should be"));
    }
    if last as f64 > MOST_GROWTH * quarter as f64 {
        broken.push(format!("the head has {last} MB at the end and had {quarter} after a quarter of the time"));
    }
    if !broken.is_empty() {
        println!("{}", broken.join("\n"));
        // The end of the process would leave them.
        drop((server, folder));
        std::process::exit(1);
    }
}

/// Waits for the head, and gives its memory in MB at each twentieth of its time.
fn watched(head: &mut Child, counts: &Counts) -> Vec<u64> {
    let status = format!("/proc/{}/status", head.id());
    let mut seen = Vec::new();
    let mut seconds = 0;
    while head.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
        seen.extend(kilobytes.map(|kilobytes| kilobytes / 1024));
        seconds += 1;
        if seconds % 10 == 0 {
            println!("{seconds} s: {} jobs answered", counts.answered.load(Ordering::Relaxed));
        }
        thread::sleep(Duration::from_secs(1));
    }
    (1..=20).filter_map(|part| seen.get((seen.len() * part / 20).saturating_sub(1)).copied()).collect()
}

/// The number of messages to and from the server so far, and its use of a processor in percent.
fn server_load(server: &NatsServer) -> (u64, f64) {
    let mut stream = TcpStream::connect(server.monitor()).unwrap();
    stream.write_all(b"GET /varz HTTP/1.0\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let told: serde_json::Value = serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    let messages = |name: &str| told[name].as_u64().unwrap();
    (messages("in_msgs") + messages("out_msgs"), told["cpu"].as_f64().unwrap())
}

fn prepared(folder: &Path, games: u32) -> PreparedTournament<ProgramMatches> {
    let setup = ProgramSetup::new(Default::default(), BotOptions::default(), Context::silent().unwrap());
    let contestants = setup.find_all(NAMES).unwrap();
    let folder = Some(folder.to_owned());
    let options = TournamentOptions { folder, games, seed: Some(SEED), ..TournamentOptions::default() };
    PreparedTournament::new(setup, contestants, options).unwrap()
}

/// The line of a game.
fn a_line(folder: &Path) -> GameLine {
    let mut found = None;
    let watch = &mut |event: SchedulerEvent<'_>, _: &_| {
        if let SchedulerEvent::Finished(line) = event {
            found = Some(line.clone());
        }
        ControlFlow::Continue(())
    };
    prepared(folder, 2).play(watch).unwrap();
    found.unwrap()
}

fn be_head(url: &str, folder: &Path, games: u32) {
    let options = HeadOptions {
        server: url.parse().unwrap(),
        lost_after: LOST_AFTER,
        required: Vec::new(),
        key: SecretKey::drawn(),
        audit: 0.0,
        workers: Vec::new(),
        stuck_after: STUCK_AFTER,
    };
    let prepared = prepared(folder, games);
    let interrupt = prepared.interrupt().clone();
    let bots = BotOptions::default();
    let mut head = Head::open(&options, prepared.description(), &bots, &interrupt, |_| {}).unwrap();
    let mut failures = 0;
    let played = prepared.play_in(&mut head, &mut |event, _| {
        failures += u32::from(matches!(event, SchedulerEvent::Failed { .. }));
        ControlFlow::Continue(())
    });
    println!("the head: {:?}, {failures} failures", played.unwrap().stopped);
}
