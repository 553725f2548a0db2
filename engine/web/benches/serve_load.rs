//! What a tournament server can do: `cargo bench -p web --bench serve_load`.
//!
//! 30 bots in this process play a round robin of 435 matches without pauses, one match at a time: first with nobody
//! listening, then with 200 who listen to every event. Beside it, in the same run, the bare client posts the same
//! question to one bot again and again. Prints turns a second and the memory of the process.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

#[path = "../tests/web/serve/mod.rs"]
#[allow(dead_code, unused_imports, reason = "tests use the rest")]
mod serve;

use arena::Interrupt;
use players::Transport;
use players::http::{AllowedHosts, Client, Content, Endpoint, Http};
use rules::sea_battle::{Json, MOVE, PLACEMENT, Shot, ShotResult, View};
use rules::{Dialect, Seat};
use serde::Deserialize;
use serve::{Arena, TestBot};
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const BOTS: usize = 30;
const LISTENERS: usize = 200;
const REQUESTS: u32 = 20_000;

fn main() {
    println!("bare client: {:.0} requests a second", bare());
    tournament(0);
    tournament(LISTENERS);
    println!("bare client again: {:.0} requests a second", bare());
}

/// Posts a question of the middle of a match again and again.
fn bare() -> f64 {
    let bot = TestBot::plays();
    let shot = |at| Shot { at, result: ShotResult::Miss };
    let shots: Vec<Shot> = rules::sea_battle::BOARD.points().take(30).map(shot).collect();
    let view = View { turn: 60, own_shots: shots.clone(), opponent_shots: shots, ..View::default() };
    let message = Json::new("bare").ask(Seat::A, &view);
    let client = Arc::new(Client::new(AllowedHosts::private()));
    let endpoint = Endpoint::Below(bot.url.parse().unwrap());
    let limit = Some(Duration::from_secs(2));
    let mut http = Http::new(client, endpoint, Content::Json, limit, Interrupt::new().unwrap());
    let begun = Instant::now();
    for _ in 0..REQUESTS {
        assert!(http.exchange(Seat::A, &message, &[PLACEMENT, MOVE]).unwrap().fault.is_none());
    }
    f64::from(REQUESTS) / begun.elapsed().as_secs_f64()
}

/// Plays the first tournament to its end, while so many listen.
fn tournament(listeners: usize) {
    #[derive(Deserialize)]
    struct Played {
        moves: u64,
    }
    let arena = Arena::start();
    let bots: Vec<TestBot> = (0..BOTS).map(|_| TestBot::plays()).collect();
    for (at, bot) in bots.iter().enumerate() {
        arena.join(&[(&format!("bot {at}"), bot)]);
    }
    let bytes = Arc::new(AtomicU64::new(0));
    for _ in 0..listeners {
        let mut stream = arena.site.send("GET", "/api/events", &[], "");
        let bytes = Arc::clone(&bytes);
        thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(read @ 1..) = stream.read(&mut buffer) {
                bytes.fetch_add(read as u64, Ordering::Relaxed);
            }
        });
    }
    let mut events = arena.site.events(None);
    let before = memory();
    let begun = Instant::now();
    arena.site.admin("POST", "tournament/start");
    events.until("tournament", |told| told["over"] == true && told["number"] == 1);
    let took = begun.elapsed().as_secs_f64();
    let after = memory();
    arena.site.admin("POST", "tournament/pause");
    let mut turns = 0;
    let mut matches = 0;
    let mut last = 1_000_000;
    loop {
        let page = arena.site.get(&format!("/api/matches?most=200&before={last}")).json();
        let page: Vec<serde_json::Value> = serde_json::from_value(page).unwrap();
        let Some(oldest) = page.last() else { break };
        last = oldest["id"].as_u64().unwrap();
        for played in page.into_iter().filter(|played| played["tournament"] == 1) {
            turns += serde_json::from_value::<Played>(played).unwrap().moves;
            matches += 1;
        }
    }
    println!(
        "{matches} matches with {listeners} listeners: {:.0} turns a second, {took:.1} s; {:.1} MB told; memory {before} MB before, {after} MB after",
        turns as f64 / took,
        bytes.load(Ordering::Relaxed) as f64 / 1e6,
    );
}

/// The memory of this process, in MB.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap().trim().trim_end_matches(" kB");
    kilobytes.parse::<u64>().unwrap() / 1024
}
