//! Bots that are servers, most of them bad ones.

mod answers;
mod bad_bots;
mod dialects;
mod encrypted;
mod endings;
mod hosts;
mod profiles;
mod server;

use arena::{ArenaError, Interrupt};
use players::http::{AllowedHosts, Client, Http};
use players::{Delivery, Transport};
use rules::{ContentType, Fault, HttpRequest, Seat};
use std::sync::Arc;
use std::time::Duration;

/// Time enough.
pub(crate) const AMPLE: Duration = Duration::from_secs(60);
/// Too little for a bot that does not answer.
pub(crate) const SHORT: Duration = Duration::from_millis(300);

pub(crate) fn client(allowed: &str) -> Arc<Client> {
    Arc::new(Client::new(allowed.parse().unwrap()))
}

pub(crate) fn bot(client: &Arc<Client>, url: &str, limit: Duration) -> Http {
    Http::new(Arc::clone(client), url.parse().unwrap(), Some(limit), Interrupt::new().unwrap())
}

pub(crate) fn ask(bot: &mut Http) -> Result<Delivery, ArenaError> {
    bot.exchange(Seat::A, &request(b"{\"turn\":1}".to_vec()))
}

/// The request for a move that has this body.
pub(crate) fn request(body: Vec<u8>) -> HttpRequest {
    HttpRequest { path: Some("move"), content: ContentType::Json, body, answer: "move" }
}

/// The delivery of a bot that is asked once and has no time limit.
pub(crate) fn asked(url: &str) -> Delivery {
    ask(&mut bot(&Arc::new(Client::new(AllowedHosts::default())), url, AMPLE)).unwrap()
}

pub(crate) fn answer(delivery: Delivery) -> String {
    assert_eq!(delivery.fault, None);
    assert_eq!(delivery.parts.len(), 1);
    assert_eq!(delivery.parts[0].name, "move");
    String::from_utf8(delivery.parts[0].bytes.clone()).unwrap()
}

pub(crate) fn unreadable(delivery: Delivery) -> String {
    match delivery.fault {
        Some(Fault::Unreadable { why, excerpt }) if excerpt.is_empty() => why,
        Some(Fault::Unreadable { why, excerpt }) => format!("{why}: {excerpt}"),
        other => panic!("{other:?}"),
    }
}

pub(crate) fn unreachable(delivery: Delivery) -> String {
    match delivery.fault {
        Some(Fault::Unreachable { why }) => why,
        other => panic!("{other:?}"),
    }
}

/// Asks with little time, and finds that it is used up. Gives what is told of the answer.
pub(crate) fn is_late(client: &Arc<Client>, url: &str) -> String {
    let delivery = ask(&mut bot(client, url, SHORT)).unwrap();
    let time = delivery.time.unwrap();
    assert!(time.wall >= SHORT && time.wall < AMPLE, "{time:?}");
    assert_eq!(time.cpu, None);
    match delivery.fault {
        Some(Fault::TimedOut { used, limit, arrived }) => {
            assert_eq!((used, limit), (time.wall, SHORT));
            arrived
        }
        other => panic!("{other:?}"),
    }
}
