//! The cost of the sandbox: `cargo bench -p players --bench sandbox_cost`.
//!
//! The native `fake_bot`, which does next to nothing, is run in turn without a sandbox, with one that has no namespaces, and
//! with all of it, 500 times each: files in, process, files out. Prints the medians and their differences. Then it prints
//! the time in which the sandbox of a match is made and ended.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use arena::folder::MatchFolder;
use arena::{Interrupt, Limits};
use fake_bot::BotFolder;
use players::process::{Allowance, Launch, PerRound, Sandbox};
use players::{Manifest, Tools, Transport};
use rules::{FolderMessage, Part, Seat};
use std::sync::Arc;
use std::time::{Duration, Instant};

const RUNS: usize = 500;
const MATCHES: usize = 50;

fn main() {
    let bot = BotFolder::new("Fake", "write command.txt 1,3,3");
    let root = tempfile::tempdir().unwrap();
    let folder = Arc::new(MatchFolder::create(root.path()).unwrap());
    let sandbox = Sandbox::start().unwrap();
    let plain = Launch::of(&Manifest::read(bot.path()).unwrap(), &Tools::on_path()).unwrap();
    let limits = Limits::with_extra(Duration::ZERO);
    let closed = [root.path().to_owned()];
    let confined = |sandbox: &Sandbox| {
        let kill = Some(limits.kill());
        plain.clone().confined(sandbox, Some(root.path()), &closed, Allowance::DEFAULT, kill).unwrap()
    };
    let bare = sandbox.clone().without_namespaces();
    let mut ways = [plain.clone(), confined(&bare), confined(&sandbox)].map(|launch| {
        let transport = PerRound::new(launch, Arc::clone(&folder), Some(limits), true, Interrupt::new().unwrap());
        (transport, Vec::new())
    });
    for run in 0..=RUNS {
        for (transport, times) in &mut ways {
            let start = Instant::now();
            let files = vec![Part { name: "state.json", bytes: b"{}".to_vec() }];
            let folder = "Phase 2 - Round 1/A".to_owned();
            let message = FolderMessage { folder, line: String::new(), files, answers: &["command.txt"] };
            let delivery = transport.exchange(Seat::A, &message).unwrap();
            assert_eq!(delivery.parts[0].bytes, b"1,3,3");
            // The first one warms everything up.
            if run > 0 {
                times.push(start.elapsed());
            }
        }
    }
    let [without, bare_run, run] = ways.map(|(_, times)| median(times));
    println!("{}, median of {RUNS} runs", sandbox.abilities());
    println!("without sandbox {without:.3} ms");
    println!("without namespaces {bare_run:.3} ms: {:.3} ms more", bare_run - without);
    println!("with all of it {run:.3} ms: {:.3} ms more", run - without);
    let made = |sandbox: &Sandbox| {
        let times = (0..MATCHES).map(|_| {
            let start = Instant::now();
            drop(confined(sandbox));
            start.elapsed()
        });
        median(times.collect())
    };
    println!("once a match: without namespaces {:.3} ms, with all of it {:.3} ms", made(&bare), made(&sandbox));
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1000.0
}
