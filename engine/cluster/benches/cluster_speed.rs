//! A cluster beside threads, and two workers beside one: `cargo bench -p cluster --bench cluster_speed [RUNS]`, by default 5.
//!
//! Each run plays the same tournaments one after the other, and gives ratios of their games a second: one worker of two slots
//! beside two threads, for bots that are processes and for built-in players, and two workers of one slot beside one, each pinned to
//! a processor of its own. Prints the medians of the ratios, and the time of signatures, checks of them and hashes beside that of all
//! tournaments on workers. Workers are processes that have played before; the head is this process.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, unreachable_pub, reason = "a benchmark")]

#[path = "../tests/cluster/nats_server.rs"]
#[allow(dead_code, reason = "each test program uses some of it")]
mod nats_server;

use arena::Interrupt;
use cluster::{Head, HeadOptions, STUCK_AFTER, SecretKey, Worker, WorkerOptions, machine_kind};
use ed25519_dalek::{Signer, SigningKey};
use nats_server::NatsServer;
use players::Tools;
use players::process::copy_bot;
use runner::{
    BotOptions, Context, GameSetup, PreparedTournament, ProgramMatches, ProgramSetup, SandboxLevel, TimeLimit,
    TournamentOptions,
};
use sha2::{Digest, Sha256};
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// The games of a tournament of built-in players, and of one of processes.
const OF_BUILT_INS: u32 = 6000;
const OF_PROCESSES: u32 = 200;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [role, url, name, slots, cache] = &arguments[..]
        && role == "worker"
    {
        return be_worker(url, name, slots.parse().unwrap(), Path::new(cache));
    }
    let runs: usize = arguments.first().map_or(5, |text| text.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let bots = ["c", "python"].map(|name| {
        let to = folder.path().join(name);
        copy_bot(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bots").join(name), &to).unwrap();
        to.display().to_string()
    });
    let built_ins = ["builtin:hunter", "builtin:random"].map(str::to_owned);
    let server = NatsServer::start().expect("nats-server is installed");
    let mut bench = Bench { server, folder: folder.path().to_owned(), tournaments: 0, on_workers: Duration::ZERO };

    let [mut processes, mut own, mut two] = [(); 3].map(|()| Vec::new());
    for run in 0..runs {
        let worker = bench.workers(&[("one", 2, None)]);
        bench.on_cluster(&bots, 4);
        processes.push(bench.on_cluster(&bots, OF_PROCESSES) / bench.on_threads(&bots, OF_PROCESSES));
        own.push(bench.on_cluster(&built_ins, OF_BUILT_INS) / bench.on_threads(&built_ins, OF_BUILT_INS));
        drop(worker);
        let worker = bench.workers(&[("one", 1, Some("0"))]);
        bench.on_cluster(&bots, 4);
        let one = bench.on_cluster(&bots, OF_PROCESSES);
        drop(worker);
        let workers = bench.workers(&[("one", 1, Some("0")), ("two", 1, Some("1"))]);
        bench.on_cluster(&bots, 8);
        two.push(bench.on_cluster(&bots, OF_PROCESSES) / one);
        drop(workers);
        println!("run {}: {:.3} {:.3} {:.3}", run + 1, processes[run], own[run], two[run]);
    }
    println!("one worker -j 2 beside threads -j 2, processes: {:.3} of the games a second", median(processes));
    println!("one worker -j 2 beside threads -j 2, built-ins: {:.3}", median(own));
    println!("two workers of one slot and one processor beside one: {:.3}", median(two));
    bench.print_signing();
}

/// The mean time of a call.
fn time_of<T>(call: impl Fn() -> T) -> Duration {
    const CALLS: u32 = 2000;
    let began = Instant::now();
    (0..CALLS).for_each(|_| _ = black_box(call()));
    began.elapsed() / CALLS
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// A worker, which is killed when this is dropped.
struct WorkerProcess(Child);

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct Bench {
    server: NatsServer,
    folder: PathBuf,
    tournaments: u32,
    /// The time of all tournaments on workers.
    on_workers: Duration,
}

impl Bench {
    /// Starts workers with these names and slots, each on this processor if it is given, and waits until all are there.
    fn workers(&self, wanted: &[(&str, usize, Option<&str>)]) -> Vec<WorkerProcess> {
        let start = |(name, slots, processor): &(&str, usize, Option<&str>)| {
            let program = env::current_exe().unwrap();
            let mut command = match processor {
                Some(processor) => {
                    let mut pinned = Command::new("taskset");
                    pinned.args(["-c", processor]).arg(program);
                    pinned
                }
                None => Command::new(program),
            };
            command.args(["worker", &self.server.url(), name, &slots.to_string()]).arg(self.folder.join(name));
            WorkerProcess(command.stdout(Stdio::null()).spawn().unwrap())
        };
        let workers = wanted.iter().map(start).collect();
        let (server, interrupt) = (self.server.url().parse().unwrap(), Interrupt::new().unwrap());
        while cluster::Survey::take(&server, &interrupt).unwrap().workers.len() < wanted.len() {
            thread::sleep(Duration::from_millis(50));
        }
        workers
    }

    fn prepared(&mut self, bots: &[String], games: u32) -> (PreparedTournament<ProgramMatches>, BotOptions) {
        self.tournaments += 1;
        let time = TimeLimit::Extra(Duration::from_secs(60));
        let of_bots = BotOptions { sandbox: SandboxLevel::Strict, time, ..BotOptions::default() };
        let setup = ProgramSetup::new(Default::default(), of_bots.clone(), Context::silent().unwrap());
        let contestants = setup.find_all(bots).unwrap();
        let folder = self.folder.join(format!("t{}", self.tournaments));
        fs::create_dir(&folder).unwrap();
        let options = TournamentOptions {
            folder: Some(folder),
            games,
            concurrency: Some(2),
            seed: Some(7),
            ..Default::default()
        };
        (PreparedTournament::new(setup, contestants, options).unwrap(), of_bots)
    }

    /// Games a second on two threads.
    fn on_threads(&mut self, bots: &[String], games: u32) -> f64 {
        let (prepared, _) = self.prepared(bots, games);
        let began = Instant::now();
        prepared.play(&mut |_, _| ControlFlow::Continue(())).unwrap();
        f64::from(games) / began.elapsed().as_secs_f64()
    }

    /// Games a second on the workers.
    fn on_cluster(&mut self, bots: &[String], games: u32) -> f64 {
        let (prepared, of_bots) = self.prepared(bots, games);
        let (server, lost_after) = (self.server.url().parse().unwrap(), Duration::from_secs(30));
        let options = HeadOptions {
            server,
            lost_after,
            required: Vec::new(),
            key: key_in(&self.folder),
            audit: 0.0,
            workers: Vec::new(),
            stuck_after: STUCK_AFTER,
        };
        let interrupt = prepared.interrupt().clone();
        let mut head = Head::open(&options, prepared.description(), &of_bots, &interrupt, |_| {}).unwrap();
        let began = Instant::now();
        prepared.play_in(&mut head, &mut |_, _| ControlFlow::Continue(())).unwrap();
        self.on_workers += began.elapsed();
        f64::from(games) / began.elapsed().as_secs_f64()
    }

    /// Prints the time of signatures and checks of messages of a kilobyte, and of a hash of a megabyte; and how much of the time of the
    /// tournaments the signatures and checks of their jobs, results and states are, if one processor does all of them.
    fn print_signing(&self) {
        let (key, message) = (SigningKey::from_bytes(&[1; 32]), [1; 1 << 10]);
        let (signature, public) = (key.sign(&message), key.verifying_key());
        let sign = time_of(|| key.sign(black_box(&message)));
        let check = time_of(|| public.verify_strict(black_box(&message), &signature).unwrap());
        let megabyte = vec![1; 1 << 20];
        let hash = time_of(|| Sha256::digest(black_box(&megabyte)));
        // A request for a job, the job and its result: jobs have about ten seconds of games, those at the end of a tournament fewer, so
        // it is counted with one a second for each slot. Each of at most two workers tells its state every two seconds, and the head
        // tells its own.
        let seconds = self.on_workers.as_secs_f64();
        let jobs = 2.0 * seconds;
        let pairs = 3.0 * jobs + 2.0 * seconds;
        let share = pairs * (sign + check).as_secs_f64() / seconds * 100.0;
        println!("a signature {sign:.1?}, a check {check:.1?}, a hash of a megabyte {hash:.1?}");
        println!(
            "{jobs:.0} jobs in {seconds:.0} s of tournaments on workers: {share:.3} % of it are signatures and checks"
        );
    }
}

/// The key of the head of this benchmark.
fn key_in(folder: &Path) -> SecretKey {
    SecretKey::kept(&folder.join("head.key")).unwrap()
}

fn be_worker(url: &str, name: &str, slots: usize, cache: &Path) {
    let [interrupt, drain] = [(); 2].map(|()| Interrupt::new().unwrap());
    let options = WorkerOptions {
        server: url.parse().unwrap(),
        heads: vec![key_in(cache.parent().unwrap()).public()],
        name: name.to_owned(),
        machine: machine_kind(),
        slots,
        labels: Vec::new(),
        tools: Tools::on_path(),
        stuck_after: STUCK_AFTER,
        cache: cache.to_owned(),
    };
    Worker::connect(options, &interrupt, &drain, |_| {}).unwrap().run().unwrap();
}
