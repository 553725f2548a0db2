//! Workers that play nothing: they take jobs as workers do, and answer after a drawn time.

use async_nats::{Client, ConnectOptions};
use cluster::{MachineState, RunningJob, WorkerState};
use ed25519_dalek::{Signer, SigningKey};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tournament::{Fixture, GameLine};

/// The way in which simulated workers behave.
#[derive(Clone)]
pub(crate) struct Simulation {
    /// The address of the server.
    pub(crate) url: String,
    /// The version and rules of the head.
    pub(crate) engine: String,
    pub(crate) workers: u32,
    /// The mean time of a job.
    pub(crate) job: Duration,
    /// The time that each game is said to have taken.
    pub(crate) told: Duration,
    /// The time after which a job without a word is lost.
    pub(crate) lost_after: Duration,
    /// The line of a game between the two entrants, which answers are made of.
    pub(crate) line: GameLine,
    pub(crate) base_seed: u64,
    pub(crate) names: [String; 2],
    pub(crate) counts: Arc<Counts>,
}

/// The counts of the jobs of simulated workers.
#[derive(Default)]
pub(crate) struct Counts {
    /// Jobs that were taken.
    pub(crate) taken: AtomicU64,
    /// Jobs that were answered.
    pub(crate) answered: AtomicU64,
    /// Workers that died.
    pub(crate) died: AtomicU64,
}

/// The fields of the state of a head that a worker needs.
#[derive(Deserialize)]
struct Head {
    run: String,
}

/// The fields of a job that a worker needs.
#[derive(Deserialize)]
struct Job {
    id: String,
    games: Vec<Fixture>,
}

/// One in this many jobs kills its worker, and one in this many workers is slow.
const DEATHS: u64 = 100;
const SLOW: u32 = 100;
/// A slow worker takes so many times as long.
const SLOWER: u32 = 10;

impl Simulation {
    /// Plays until the future is dropped.
    pub(crate) async fn run(self) {
        let workers = (0..self.workers).map(|number| {
            let simulation = self.clone();
            tokio::spawn(async move { simulation.worker(number).await })
        });
        // Held, so that all end with this.
        let _workers: Vec<_> = workers.map(|task| AbortOnDrop(task.abort_handle())).collect();
        std::future::pending::<()>().await;
    }

    /// One worker after the other in one place: each dies at some time.
    async fn worker(&self, number: u32) {
        let mut random = Random(u64::from(number) + 1);
        loop {
            let options = ConnectOptions::new().custom_inbox_prefix("_INBOX.worker.any");
            let Ok(client) = options.connect(&self.url).await else { continue };
            while self.jobs(&client, number, &mut random).await.unwrap_or(true) {}
            self.counts.died.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Takes jobs and answers them, until the worker dies: then it gives false.
    async fn jobs(&self, client: &Client, number: u32, random: &mut Random) -> Result<bool, async_nats::Error> {
        let Some(head) = client.subscribe("broadside.heads").await?.next().await else { return Ok(true) };
        // After the key of the head and its signature.
        let Head { run } = serde_json::from_slice(&zstd::decode_all(&head.payload[96..])?)?;
        let states = Arc::new(Mutex::new(self.state(number)));
        let telling = tokio::spawn(tell(client.clone(), Arc::clone(&states), number, self.lost_after / 3));
        let _telling = AbortOnDrop(telling.abort_handle());
        let subject = |kind: &str| format!("broadside.run.{run}.{kind}");
        let request = json!({ "labels": [], "wait_ms": 5000 });
        let request = to_head("job", &run, &packed(&request), number);
        loop {
            let message = client.request(subject("job"), request.clone().into()).await?;
            if message.payload.is_empty() {
                continue;
            }
            self.counts.taken.fetch_add(1, Ordering::Relaxed);
            let job: Job = serde_json::from_slice(&zstd::decode_all(&message.payload[96..])?)?;
            let running = RunningJob { id: job.id.clone(), tournament: String::new(), games: job.games.len(), done: 0 };
            states.lock().unwrap().running = vec![running];
            let slower = if number.is_multiple_of(SLOW) { SLOWER } else { 1 };
            let time = self.job.mul_f64(random.between(0.2, 1.8)) * slower;
            if random.next().is_multiple_of(DEATHS) {
                tokio::time::sleep(time / 2).await;
                return Ok(false);
            }
            tokio::time::sleep(time).await;
            let games: Vec<Value> = job.games.iter().map(|game| json!({ "played": self.line_of(*game) })).collect();
            let answer = json!({ "worker": name_of(number), "games": games, "files": null, "why": null });
            let answer = to_head("answer", &job.id, &packed(&answer), number);
            client.request(subject("answer"), answer.into()).await?;
            states.lock().unwrap().running.clear();
            self.counts.answered.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn line_of(&self, fixture: Fixture) -> GameLine {
        let seed = fixture.seed(self.base_seed, [&self.names[0], &self.names[1]]).to_string();
        GameLine { fixture, seed, took_ms: self.told.as_millis() as u64, ..self.line.clone() }
    }

    fn state(&self, number: u32) -> WorkerState {
        WorkerState {
            id: name_of(number),
            name: name_of(number),
            key: arena::hex(key_of(number).verifying_key().as_bytes()),
            engine: self.engine.clone(),
            slots: 1,
            labels: Vec::new(),
            machine: MachineState { processors: 1, speed: 1.0, lag_ms: 0.0 },
            running: Vec::new(),
            games: 0,
            games_per_second: 0.0,
            last_fault: None,
            is_draining: false,
        }
    }
}

fn name_of(number: u32) -> String {
    format!("simulated-{number}")
}

/// Tells the state of a worker again and again.
async fn tell(client: Client, state: Arc<Mutex<WorkerState>>, number: u32, step: Duration) {
    loop {
        let now = packed(&*state.lock().unwrap());
        let _ = client.publish("broadside.workers.states", signed("a state", &now, number).into()).await;
        tokio::time::sleep(step).await;
    }
}

fn packed(message: &impl Serialize) -> Vec<u8> {
    zstd::encode_all(&serde_json::to_vec(message).unwrap()[..], 1).unwrap()
}

/// The key of the worker with this number.
fn key_of(number: u32) -> SigningKey {
    let mut seed = [0; 32];
    seed[..4].copy_from_slice(&number.to_ne_bytes());
    SigningKey::from_bytes(&seed)
}

/// A message of this kind, signed by the worker with this number.
fn signed(kind: &str, message: &[u8], number: u32) -> Vec<u8> {
    let key = key_of(number);
    let signature = key.sign(&[format!("broadside {kind}\n").as_bytes(), message].concat());
    [&key.verifying_key().to_bytes()[..], &signature.to_bytes(), message].concat()
}

/// A message for a head: a line and the rest.
fn to_head(kind: &str, line: &str, rest: &[u8], number: u32) -> Vec<u8> {
    signed(kind, &[line.as_bytes(), b"\n", rest].concat(), number)
}

/// A task that ends with the value.
struct AbortOnDrop(tokio::task::AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Numbers that are the same in every run (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}
