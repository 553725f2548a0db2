//! The cost of the sandbox: `cargo bench -p players --bench sandbox_cost`.
//!
//! The native `fake_bot`, which does next to nothing, is run in turn without and with the sandbox, 500 times each: files
//! in, process, files out. Prints the medians and their difference.
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

fn main() {
    let bot = BotFolder::new("Fake", "write command.txt 1,3,3");
    let root = tempfile::tempdir().unwrap();
    let folder = Arc::new(MatchFolder::create(root.path()).unwrap());
    let sandbox = Sandbox::start().unwrap();
    let plain = Launch::of(&Manifest::read(bot.path()).unwrap(), &Tools::on_path()).unwrap();
    let limits = Limits::with_extra(Duration::ZERO);
    let closed = [root.path().to_owned()];
    let confined = plain.clone().confined(&sandbox, &closed, Allowance::DEFAULT, Some(limits.kill())).unwrap();
    let mut ways = [plain, confined].map(|launch| {
        let transport = PerRound::new(launch, Arc::clone(&folder), Some(limits), true, Interrupt::new().unwrap());
        (transport, Vec::new())
    });
    for run in 0..=RUNS {
        for (transport, times) in &mut ways {
            let start = Instant::now();
            let files = vec![Part { name: "state.json", bytes: b"{}".to_vec() }];
            let folder = "Phase 2 - Round 1/A".to_owned();
            let message = FolderMessage { folder, files, answers: &["command.txt"] };
            let delivery = transport.exchange(Seat::A, &message).unwrap();
            assert_eq!(delivery.parts[0].bytes, b"1,3,3");
            // The first one warms everything up.
            if run > 0 {
                times.push(start.elapsed());
            }
        }
    }
    let [plain, confined] = ways.map(|(_, mut times)| {
        times.sort();
        times[RUNS / 2].as_secs_f64() * 1000.0
    });
    println!("{}, median of {RUNS} runs", sandbox.abilities());
    println!("without sandbox {plain:.3} ms, with {confined:.3} ms: {:.3} ms more", confined - plain);
}
