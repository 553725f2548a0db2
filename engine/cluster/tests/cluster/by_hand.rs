//! Messages of workers that tests write by hand: they take jobs, and answer what they want or nothing.

use crate::nats_server::NatsServer;
use arena::Interrupt;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{self, AckKind, Context, Message};
use cluster::PublicKey;
use ed25519_dalek::{Signer, SigningKey};
use futures_util::StreamExt;
use serde_json::{Value, json};
use std::time::Duration;

/// The deed of a test with a job that it takes.
pub(crate) enum Deed {
    Nothing,
    /// Confirm the job without an answer.
    Confirm,
    /// Answer with the key of [`liar_key`].
    Answer(Value),
    AnswerWith(Value, Box<SigningKey>),
}

/// The key of a hostile worker.
pub(crate) fn liar_key() -> SigningKey {
    SigningKey::from_bytes(&[7; 32])
}

/// Another key that it has.
pub(crate) fn second_key() -> SigningKey {
    SigningKey::from_bytes(&[8; 32])
}

/// The public part of a key.
pub(crate) fn public(key: &SigningKey) -> PublicKey {
    arena::hex(key.verifying_key().as_bytes()).parse().unwrap()
}

/// Takes a job of a consumer whose name has this ending, as a worker does.
pub(crate) async fn next_job(context: &Context, kind: &str) -> Message {
    let jobs = loop {
        // The head makes it.
        if let Ok(jobs) = context.get_stream("broadside-jobs").await {
            break jobs;
        }
    };
    loop {
        let names: Vec<_> = jobs.consumer_names().map(Result::unwrap).collect().await;
        let Some(name) = names.into_iter().find(|name| name.ends_with(kind)) else { continue };
        let consumer: PullConsumer = jobs.get_consumer(&name).await.unwrap();
        let fetched = consumer.fetch().max_messages(1).expires(Duration::from_secs(1)).messages().await;
        if let Some(job) = std::pin::pin!(fetched.unwrap()).next().await {
            return job.unwrap();
        }
    }
}

/// A job that a worker has taken. It tells the server that it plays on, and never answers, until this is dropped.
pub(crate) struct HeldJob(#[expect(dead_code, reason = "its end stops the task")] tokio::runtime::Runtime);

/// Takes a job and holds it. `is_it` gets the job; others are handed on.
pub(crate) fn hold_job(server: &NatsServer, is_it: impl Fn(&Value) -> bool) -> HeldJob {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let job = runtime.block_on(async {
        let context = jetstream::new(async_nats::connect(server.url()).await.unwrap());
        loop {
            let job = next_job(&context, "").await;
            if is_it(&job_in(&job.payload)) {
                break job;
            }
            job.ack_with(AckKind::Nak(None)).await.unwrap();
        }
    });
    runtime.spawn(async move {
        loop {
            let _ = job.ack_with(AckKind::Progress).await;
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    });
    HeldJob(runtime)
}

/// The state of a worker that tells the head of itself: `change` gets it before this key signs it.
pub(crate) fn state_of(key: &SigningKey, engine: &str, change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut state = json!({
        "id": "x", "name": "other", "key": public(key).to_string(), "engine": engine, "slots": 1, "labels": [],
        "running": [], "games": 0, "machine": { "processors": 1, "speed": 1.0, "lag_ms": 0.0 }, "games_per_second": 0.0,
        "last_fault": null, "is_draining": false
    });
    change(&mut state);
    signed("a state", &state, key)
}

/// Tells these states again and again until the runtime is dropped.
pub(crate) fn tell_states(server: &NatsServer, states: Vec<Vec<u8>>) -> tokio::runtime::Runtime {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let url = server.url();
    runtime.spawn(async move {
        let client = async_nats::connect(url).await.unwrap();
        loop {
            for state in &states {
                let _ = client.publish("broadside.workers.states", state.clone().into()).await;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    runtime
}

/// The version and rules of this program.
pub(crate) fn engine(server: &NatsServer) -> String {
    cluster::Survey::take(&server.url().parse().unwrap(), &Interrupt::new().unwrap()).unwrap().engine
}

/// Takes a job as a worker does.
pub(crate) fn take_job(server: &NatsServer, deed: impl FnOnce(&Value) -> Deed) {
    take_job_of(server, "", deed);
}

/// The same with a job of a consumer whose name has this ending.
pub(crate) fn take_job_of(server: &NatsServer, kind: &str, deed: impl FnOnce(&Value) -> Deed) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let context = jetstream::new(async_nats::connect(server.url()).await.unwrap());
        let taken = next_job(&context, kind).await;
        let job = job_in(&taken.payload);
        let signed_answer = match deed(&job) {
            Deed::Nothing => return,
            Deed::Confirm => None,
            Deed::Answer(answer) => Some(signed("an answer", &answer, &liar_key())),
            Deed::AnswerWith(answer, key) => Some(signed("an answer", &answer, &key)),
        };
        if let Some(message) = signed_answer {
            let subject = format!("broadside.answers.{}", job["tournament"].as_str().unwrap());
            let sent = PublishMessage::build().payload(message.into()).message_id(job["id"].as_str().unwrap());
            context.send_publish(subject, sent).await.unwrap().await.unwrap();
        }
        taken.double_ack().await.unwrap();
    });
}

/// The job in a message.
pub(crate) fn job_in(payload: &[u8]) -> Value {
    // After the key of the head and its signature.
    serde_json::from_slice(&zstd::decode_all(&payload[96..]).unwrap()).unwrap()
}

/// A message as its signer sends it.
pub(crate) fn signed(kind: &str, message: &Value, key: &SigningKey) -> Vec<u8> {
    let packed = zstd::encode_all(&serde_json::to_vec(message).unwrap()[..], 1).unwrap();
    let signature = key.sign(&[format!("broadside {kind}\n").as_bytes(), &packed].concat());
    [&key.verifying_key().to_bytes()[..], &signature.to_bytes(), &packed].concat()
}

/// Takes jobs as a worker does, and answers none: each of these is confirmed, or else given out again.
pub(crate) fn steal_jobs(server: &NatsServer, are_confirmed: &[bool]) {
    for is_confirmed in are_confirmed {
        take_job(server, |_| if *is_confirmed { Deed::Confirm } else { Deed::Nothing });
    }
}
