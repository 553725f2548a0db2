//! The throughput of a tournament server: `cargo bench -p serve --bench serve_load`.
//!
//! 30 bots in this process play a round robin of 435 matches without pauses, one match at a time: first without
//! listeners, then with 200 listeners to every event, and both again. In the same run, the same client posts the
//! messages of one such match to the same bots, on as many threads as there are matches at a time. Prints turns and
//! requests per second, and the memory of the process with the bots: before, at most, and after.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

#[path = "../tests/serve/server/mod.rs"]
#[allow(dead_code, unused_imports, reason = "tests use the rest")]
mod server;

use arena::{ArenaError, Ask, Interrupt, Observers, Player, Players, Reply, Sequence, play};
use players::http::{AllowedHosts, Client, Http};
use players::{HttpPlayerFactory, Transport};
use rules::sea_battle::{Json, Order, SeaBattle, Settings};
use rules::{BySeat, Dialect, Game, HttpRequest, Seat};
use serde::Deserialize;
use serve::SettingsChange;
use server::{Arena, TestBot};
use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const BOTS: usize = 30;
const LISTENERS: usize = 200;
/// The number of matches at a time.
const PARALLEL: usize = 1;
/// The number of times that each thread posts the messages of a match.
const ROUNDS: usize = 200;
const LIMIT: Option<Duration> = Some(Duration::from_secs(2));

fn main() {
    let bots: Vec<TestBot> = (0..BOTS).map(|_| TestBot::plays()).collect();
    let messages = messages(&bots[0], &bots[1]);
    println!("bare client: {:.0} requests a second", bare(&bots, &messages));
    for listeners in [0, LISTENERS, 0, LISTENERS] {
        tournament(&bots, listeners);
    }
    println!("bare client again: {:.0} requests a second", bare(&bots, &messages));
}

/// A player that records its requests, in the order of both players' requests.
struct Noted {
    player: Box<dyn Player<SeaBattle>>,
    notes: Arc<Mutex<Vec<(Seat, HttpRequest)>>>,
}

impl Player<SeaBattle> for Noted {
    fn decide(&mut self, ask: &Ask<'_, SeaBattle>) -> Result<Reply<Order>, ArenaError> {
        self.notes.lock().unwrap().push((ask.seat, Json::new("0123456789abcdef").ask(ask.seat, &ask.view())));
        self.player.decide(ask)
    }
}

/// The requests to two bots in a match.
fn messages(one: &TestBot, other: &TestBot) -> Vec<(Seat, HttpRequest)> {
    let notes = Arc::new(Mutex::new(Vec::new()));
    let client = Client::new(AllowedHosts::private());
    let factory: HttpPlayerFactory<SeaBattle> =
        HttpPlayerFactory::new(client, &Settings::default(), (), LIMIT, Interrupt::new().unwrap());
    let names: BySeat<Option<String>> = [None, None].into_iter().collect();
    let noted = |(seat, bot): (Seat, &TestBot)| -> Box<dyn Player<SeaBattle>> {
        let player = factory.player(&bot.url.parse().unwrap(), seat, 1, &names);
        Box::new(Noted { player, notes: Arc::clone(&notes) })
    };
    let mut players: Players<SeaBattle> = [(Seat::A, one), (Seat::B, other)].into_iter().map(noted).collect();
    let game = SeaBattle::start(&Settings::default(), 2, 1).unwrap();
    play(game, &mut players, Sequence::InTurn, &mut Observers::new()).unwrap();
    drop(players);
    Arc::into_inner(notes).unwrap().into_inner().unwrap()
}

/// The requests per second, if the messages of a match are posted to one pair of bots after the other.
fn bare(bots: &[TestBot], messages: &[(Seat, HttpRequest)]) -> f64 {
    let client = Arc::new(Client::new(AllowedHosts::private()));
    let begun = Instant::now();
    thread::scope(|scope| {
        for begins in 0..PARALLEL {
            let client = &client;
            scope.spawn(move || {
                let mut called: Vec<Http> = bots.iter().map(|bot| http(client, bot)).collect();
                for round in 0..ROUNDS {
                    for (seat, message) in messages {
                        let bot = (2 * (begins + round) + seat.index()) % bots.len();
                        let delivery = called[bot].exchange(*seat, message).unwrap();
                        assert!(delivery.fault.is_none(), "{:?}", delivery.fault);
                    }
                }
            });
        }
    });
    (PARALLEL * ROUNDS * messages.len()) as f64 / begun.elapsed().as_secs_f64()
}

fn http(client: &Arc<Client>, bot: &TestBot) -> Http {
    Http::new(Arc::clone(client), bot.url.parse().unwrap(), LIMIT, Interrupt::new().unwrap())
}

/// Plays the first tournament to its end, with this many listeners.
fn tournament(bots: &[TestBot], listeners: usize) {
    #[derive(Deserialize)]
    struct Played {
        moves: u64,
    }
    let parallel = Some(u32::try_from(PARALLEL).unwrap());
    let pause_tournament = Some(86_400_000);
    let arena = Arena::with(SettingsChange { parallel, pause_tournament, ..SettingsChange::default() });
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
    // Resets the maximum.
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = memory("VmRSS:");
    let begun = Instant::now();
    arena.site.admin("POST", "tournament/start");
    events.until("tournament", |told| told["over"] == true && told["number"] == 1);
    let took = begun.elapsed().as_secs_f64();
    let (most, after) = (memory("VmHWM:"), memory("VmRSS:"));
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
    assert_eq!(matches, BOTS * (BOTS - 1) / 2, "everyone met everyone");
    println!(
        "{matches} matches with {listeners} listeners: {:.0} turns a second, {took:.1} s; {:.1} MB told; memory {before} MB before, {most} MB at most, {after} MB after",
        turns as f64 / took,
        bytes.load(Ordering::Relaxed) as f64 / 1e6,
    );
}

/// The memory of this process in MB: now, or at most.
fn memory(what: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let kilobytes = status.lines().find_map(|line| line.strip_prefix(what)).unwrap().trim().trim_end_matches(" kB");
    kilobytes.parse::<u64>().unwrap() / 1024
}
