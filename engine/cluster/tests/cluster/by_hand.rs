//! Workers that tests write by hand: they take jobs, and answer what they want or nothing.

use crate::nats_server::NatsServer;
use arena::Interrupt;
use async_nats::{Client, ConnectOptions, RequestError, RequestErrorKind};
use cluster::PublicKey;
use ed25519_dalek::{Signer, SigningKey};
use futures_util::StreamExt;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::time::Duration;
use tokio::runtime::Runtime;

/// The key of a hostile worker.
pub(crate) fn liar_key() -> SigningKey {
    key_of(7)
}

/// Another key that it has.
pub(crate) fn second_key() -> SigningKey {
    key_of(8)
}

/// The key with this number.
pub(crate) fn key_of(number: u8) -> SigningKey {
    SigningKey::from_bytes(&[number; 32])
}

/// The public part of a key.
pub(crate) fn public(key: &SigningKey) -> PublicKey {
    arena::hex(key.verifying_key().as_bytes()).parse().unwrap()
}

/// A worker that a test writes by hand.
pub(crate) struct Hand {
    runtime: Runtime,
    pub(crate) client: Client,
    key: SigningKey,
    /// The state of the head whose job it has taken.
    known: RefCell<Value>,
}

impl Hand {
    pub(crate) fn new(server: &NatsServer, key: &SigningKey) -> Hand {
        Hand::with(ConnectOptions::new().custom_inbox_prefix("_INBOX.worker.any"), server, key)
    }

    /// One that connects by these options.
    pub(crate) fn with(options: ConnectOptions, server: &NatsServer, key: &SigningKey) -> Hand {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let client = runtime.block_on(options.connect(format!("127.0.0.1:{}", server.port()))).unwrap();
        Hand { runtime, client, key: key.clone(), known: RefCell::default() }
    }

    /// The state of a head that is there.
    pub(crate) fn head(&self) -> Value {
        self.runtime.block_on(async {
            let mut heads = self.client.subscribe("broadside.heads").await.unwrap();
            // Not every login has the right to ask; heads tell it again and again.
            self.client.publish("broadside.ask", "".into()).await.unwrap();
            loop {
                let head = unpacked(&heads.next().await.unwrap().payload[96..]);
                if head["is_over"] == json!(false) {
                    return head;
                }
            }
        })
    }

    /// Takes a job, as a worker does. Waits until there is one.
    pub(crate) fn job(&self) -> Value {
        loop {
            let head = self.head();
            if let Some(job) = self.job_of(head["run"].as_str().unwrap(), 1000) {
                *self.known.borrow_mut() = head;
                return job;
            }
        }
    }

    /// A job of this run, if there is one within so many milliseconds.
    pub(crate) fn job_of(&self, run: &str, wait_ms: u64) -> Option<Value> {
        let answer =
            self.ask(&format!("broadside.run.{run}.job"), self.request(run, wait_ms)).filter(|job| !job.is_empty())?;
        Some(unpacked(&answer[96..]))
    }

    /// The message by which it asks for a job.
    pub(crate) fn request(&self, run: &str, wait_ms: u64) -> Vec<u8> {
        let request = json!({ "labels": [], "wait_ms": wait_ms });
        to_head("job", run, &packed(&request), &self.key)
    }

    /// Tells this as the result of a job, and waits until the head has heard it, or is gone.
    pub(crate) fn answer(&self, job: &Value, answer: &Value) {
        self.answer_bytes(job, &packed(answer));
    }

    pub(crate) fn answer_bytes(&self, job: &Value, answer: &[u8]) {
        let message = to_head("answer", job["id"].as_str().unwrap(), answer, &self.key);
        self.tell(&format!("broadside.run.{}.answer", run_of(job)), &message);
    }

    /// Sends these bytes as a part of the files of a job, at this place.
    pub(crate) fn file(&self, job: &Value, at: usize, bytes: &[u8]) {
        let message = to_head("file", &format!("{} {at}", job["id"].as_str().unwrap()), bytes, &self.key);
        self.tell(&format!("broadside.run.{}.file", run_of(job)), &message);
    }

    fn tell(&self, subject: &str, message: &[u8]) {
        let is_late = |error: &RequestError| error.kind() != RequestErrorKind::NoResponders;
        let tell = || self.runtime.block_on(self.client.request(subject.to_owned(), message.to_vec().into()));
        while tell().as_ref().is_err_and(is_late) {}
    }

    /// The answer to a request, if one comes.
    pub(crate) fn ask(&self, subject: &str, message: Vec<u8>) -> Option<Vec<u8>> {
        let asked = self.client.request(subject.to_owned(), message.into());
        Some(self.runtime.block_on(asked).ok()?.payload.into())
    }

    /// Does something with the connection.
    pub(crate) fn with_client<T>(&self, what: impl AsyncFnOnce(&Client) -> T) -> T {
        self.runtime.block_on(what(&self.client))
    }

    /// Tells again and again that it plays this job, until the value is dropped.
    pub(crate) fn hold(self, job: &Value) -> Hand {
        let running = json!([{ "id": job["id"], "tournament": "t", "games": 2, "done": 0 }]);
        let engine = self.known.borrow()["engine"].as_str().unwrap().to_owned();
        let state = state_of(&self.key, &engine, |state| state["running"] = running);
        let client = self.client.clone();
        self.runtime.spawn(async move {
            loop {
                let _ = client.publish("broadside.workers.states", state.clone().into()).await;
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        });
        self
    }
}

/// The run of the head that has given a job.
pub(crate) fn run_of(job: &Value) -> &str {
    job["id"].as_str().unwrap().split_once('-').unwrap().0
}

/// The state of a worker that tells the head of itself: `change` gets it before this key signs it.
pub(crate) fn state_of(key: &SigningKey, engine: &str, change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut state = json!({
        "id": "x", "name": "other", "key": public(key).to_string(), "engine": engine, "slots": 1, "labels": [],
        "running": [], "games": 0, "machine": { "processors": 1, "speed": 1.0, "lag_ms": 0.0 }, "games_per_second": 0.0,
        "last_fault": null, "is_draining": false
    });
    change(&mut state);
    signed("a state", &packed(&state), key)
}

/// Tells these messages again and again, each at its subject, until the runtime is dropped.
pub(crate) fn tell(server: &NatsServer, messages: Vec<(&'static str, Vec<u8>)>) -> Runtime {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let url = server.url();
    runtime.spawn(async move {
        let client = async_nats::connect(url).await.unwrap();
        loop {
            for (subject, message) in &messages {
                let _ = client.publish(*subject, message.clone().into()).await;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    runtime
}

/// Tells these states of workers again and again.
pub(crate) fn tell_states(server: &NatsServer, states: Vec<Vec<u8>>) -> Runtime {
    tell(server, states.into_iter().map(|state| ("broadside.workers.states", state)).collect())
}

/// The version and rules of this program.
pub(crate) fn engine(server: &NatsServer) -> String {
    cluster::Survey::take(&server.url().parse().unwrap(), &Interrupt::new().unwrap()).unwrap().engine
}

/// A message of JSON as it is sent.
pub(crate) fn packed(message: &Value) -> Vec<u8> {
    zstd::encode_all(&serde_json::to_vec(message).unwrap()[..], 1).unwrap()
}

/// The JSON in a message.
pub(crate) fn unpacked(message: &[u8]) -> Value {
    serde_json::from_slice(&zstd::decode_all(message).unwrap()).unwrap()
}

/// A message with its signature before it.
pub(crate) fn signed(kind: &str, message: &[u8], key: &SigningKey) -> Vec<u8> {
    let signature = key.sign(&[format!("broadside {kind}\n").as_bytes(), message].concat());
    [&key.verifying_key().to_bytes()[..], &signature.to_bytes(), message].concat()
}

/// A message for a head: a line and the rest.
pub(crate) fn to_head(kind: &str, line: &str, rest: &[u8], key: &SigningKey) -> Vec<u8> {
    signed(kind, &[line.as_bytes(), b"\n", rest].concat(), key)
}

/// Takes so many jobs, each as another worker, and answers none.
pub(crate) fn steal_jobs(server: &NatsServer, jobs: u8) {
    (0..jobs).for_each(|number| drop(Hand::new(server, &key_of(100 + number)).job()));
}
