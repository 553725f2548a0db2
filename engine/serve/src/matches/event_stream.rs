//! The event stream: each change is published to all listeners, and the current state is sent to those who connect
//! later.
//!
//! An event is formatted once, as the text of a server-sent event, and all listeners share that text. A ring buffer
//! keeps the last events. Each listener reads the ring at its own pace: it takes all new events at once, and then
//! pauses for a moment. A listener that falls behind the ring gets the current state and continues from there. So
//! memory is bounded, and publishing never waits for a listener.

use crate::state::random::token;
use axum::body::Bytes;
use futures_util::{Stream, stream};
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};

/// The most events that are kept.
const MOST: usize = 8192;
/// The most bytes of events that are kept.
const MOST_BYTES: usize = 4 << 20;
/// The most listeners.
const LISTENERS: usize = 768;
/// The pause of a listener after each text. Events of that time are sent together.
const PAUSE: Duration = Duration::from_millis(40);
/// The time without events after which a comment is sent, so that a broken connection is noticed.
const QUIET: Duration = Duration::from_secs(15);
/// The time after which a browser connects again after an interruption, in milliseconds.
const RETRY: u32 = 1000;

/// The published events, and the current state.
#[derive(Debug)]
pub(crate) struct EventStream {
    /// A part of all event ids, to recognise those of an earlier run of the server.
    mark: String,
    log: Mutex<EventLog>,
    /// The number of the last event.
    last: watch::Sender<u64>,
    /// A permit for each further listener.
    permits: Arc<Semaphore>,
    closing: watch::Sender<bool>,
}

#[derive(Debug, Default)]
struct EventLog {
    events: VecDeque<Arc<str>>,
    bytes: usize,
    /// The number of the last event.
    last: u64,
    /// The current state of each topic, in JSON.
    topics: BTreeMap<&'static str, Arc<str>>,
    /// The matches that are being played, in JSON: the first event and the turns so far.
    matches: BTreeMap<u64, Vec<Arc<str>>>,
}

/// The part of the current state that an event changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventScope {
    /// A topic: the event replaces the last one of its kind.
    Topic,
    /// A match that begins.
    MatchBegins(u64),
    /// A match that goes on.
    MatchGoesOn(u64),
    /// A match that is over, or was broken off.
    MatchEnds(u64),
}

impl EventStream {
    pub(crate) fn new() -> EventStream {
        EventStream {
            mark: token()[..8].to_owned(),
            log: Mutex::default(),
            last: watch::Sender::new(0),
            permits: Arc::new(Semaphore::new(LISTENERS)),
            closing: watch::Sender::new(false),
        }
    }

    /// Publishes an event of this kind to all listeners.
    pub(crate) fn publish(&self, kind: &'static str, scope: EventScope, event: &impl Serialize) {
        let json: Arc<str> = serde_json::to_string(event).expect("events have string keys and finite numbers").into();
        let mut log = self.lock();
        log.last += 1;
        let text: Arc<str> = format!("id: {}.{}\nevent: {kind}\ndata: {json}\n\n", self.mark, log.last).into();
        log.bytes += text.len();
        log.events.push_back(text);
        while log.events.len() > MOST || log.bytes > MOST_BYTES {
            let Some(oldest) = log.events.pop_front() else { break };
            log.bytes -= oldest.len();
        }
        match scope {
            EventScope::Topic => drop(log.topics.insert(kind, json)),
            EventScope::MatchBegins(id) => drop(log.matches.insert(id, vec![json])),
            EventScope::MatchGoesOn(id) => log.matches.entry(id).or_default().push(json),
            EventScope::MatchEnds(id) => drop(log.matches.remove(&id)),
        }
        // Under the lock, so that the numbers come in their order.
        self.last.send_replace(log.last);
    }

    /// The current state as one event, for a client that has just connected.
    fn state(&self, log: &EventLog) -> String {
        let mut text = format!("id: {}.{}\nevent: state\ndata: {{", self.mark, log.last);
        for (topic, json) in &log.topics {
            let _ = write!(text, "\"{topic}\":{json},");
        }
        text.push_str("\"matches\":[");
        for (at, pieces) in log.matches.values().enumerate() {
            let separator = if at == 0 { "" } else { "," };
            let (begun, turns) = pieces.split_first().map_or(("null", &[][..]), |(begun, turns)| (&**begun, turns));
            let _ = write!(text, "{separator}{{\"begun\":{begun},\"turns\":[{}]}}", turns.join(","));
        }
        text.push_str("]}\n\n");
        text
    }

    /// All events after number `last` as one text, and the number of the last of them. For `None`, or a number that is
    /// not in the ring, the text is the current state. The text is empty if there is no new event.
    fn after(&self, last: Option<u64>) -> (String, u64) {
        let log = self.lock();
        let first = log.last + 1 - log.events.len() as u64;
        let text = match last {
            Some(last) if last <= log.last && last + 1 >= first => {
                log.events.range((last + 1 - first) as usize..).map(|event| &**event).collect()
            }
            _ => self.state(&log),
        };
        (text, log.last)
    }

    /// The number of an event, if its id is of this run of the server.
    fn number(&self, id: &str) -> Option<u64> {
        let (mark, number) = id.split_once('.')?;
        number.parse().ok().filter(|_| mark == self.mark)
    }

    /// Subscribes to the events after the one with this id. `None` if there are too many listeners.
    pub(crate) fn listen(
        self: &Arc<EventStream>,
        last_id: Option<&str>,
    ) -> Option<impl Stream<Item = Result<Bytes, Infallible>> + use<>> {
        let permit = Arc::clone(&self.permits).try_acquire_owned().ok()?;
        let last = last_id.and_then(|id| self.number(id));
        let subscription = Subscription {
            stream: Arc::clone(self),
            _permit: permit,
            known: self.last.subscribe(),
            last,
            has_begun: false,
        };
        Some(stream::unfold(subscription, |mut subscription| async {
            let text = subscription.next().await?;
            Some((Ok(Bytes::from(text)), subscription))
        }))
    }

    /// The number of listeners.
    pub(crate) fn listeners(&self) -> usize {
        LISTENERS - self.permits.available_permits()
    }

    /// Ends the streams of all listeners.
    pub(crate) fn close(&self) {
        self.closing.send_replace(true);
        // Wakes the listeners that wait for an event.
        self.last.send_modify(|_| ());
    }

    fn lock(&self) -> MutexGuard<'_, EventLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The position of a listener.
#[derive(Debug)]
struct Subscription {
    stream: Arc<EventStream>,
    _permit: OwnedSemaphorePermit,
    known: watch::Receiver<u64>,
    /// The number of the last event that was sent, if one was.
    last: Option<u64>,
    /// True once the first text was sent.
    has_begun: bool,
}

impl Subscription {
    /// The next text, as soon as there is one; `None` at the end of the stream.
    async fn next(&mut self) -> Option<String> {
        let events = &self.stream;
        if !self.has_begun {
            self.has_begun = true;
            let (text, last) = events.after(self.last);
            self.last = Some(last);
            return Some(format!("retry: {RETRY}\n\n{text}"));
        }
        let seen = self.last.unwrap_or_default();
        if !*events.closing.borrow() {
            sleep(PAUSE).await;
            let something = self.known.wait_for(|known| *known > seen || *events.closing.borrow());
            if timeout(QUIET, something).await.is_err() {
                return Some(":\n\n".to_owned());
            }
        }
        let (text, last) = events.after(self.last);
        self.last = Some(last);
        (last > seen).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::StreamExt;
    use serde_json::json;

    fn ids(text: &str) -> Vec<u64> {
        let ids = text.lines().filter_map(|line| line.strip_prefix("id: ")?.split_once('.'));
        ids.map(|(_, number)| number.parse().unwrap()).collect()
    }

    #[test]
    fn who_comes_late_is_told_what_is_so_now() {
        let events = EventStream::new();
        events.publish("tournament", EventScope::Topic, &json!({"number": 1}));
        events.publish("tournament", EventScope::Topic, &json!({"number": 2}));
        events.publish("match-begun", EventScope::MatchBegins(7), &json!({"match": 7}));
        events.publish("turn", EventScope::MatchGoesOn(7), &json!({"turn": 0}));
        events.publish("turn", EventScope::MatchGoesOn(7), &json!({"turn": 1}));
        let (text, last) = events.after(None);
        assert_eq!(last, 5);
        let data = text.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
        let matches = json!([{"begun": {"match": 7}, "turns": [{"turn": 0}, {"turn": 1}]}]);
        let state: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(state, json!({"tournament": {"number": 2}, "matches": matches}));
        events.publish("match-over", EventScope::MatchEnds(7), &json!({"match": 7}));
        assert!(events.after(None).0.contains(r#""matches":[]"#));
    }

    #[test]
    fn who_comes_back_is_told_what_was_missed_and_no_more() {
        let events = EventStream::new();
        (0..10).for_each(|number| events.publish("turn", EventScope::MatchGoesOn(1), &number));
        let id = |number| events.number(&format!("{}.{number}", events.mark));
        assert_eq!(ids(&events.after(id(7)).0), [8, 9, 10]);
        assert_eq!(events.after(id(10)), (String::new(), 10));
        assert_eq!(events.number("otherrun.7"), None);
        assert!(events.after(id(11)).0.contains("event: state"), "it never was");
    }

    #[test]
    fn who_is_left_behind_by_the_ring_begins_anew() {
        let events = EventStream::new();
        (0..MOST + 10).for_each(|number| events.publish("turn", EventScope::Topic, &number));
        assert_eq!(ids(&events.after(Some(10)).0).len(), MOST);
        assert!(events.after(Some(9)).0.contains("event: state"));
        let large = "x".repeat(1 << 20);
        (0..8).for_each(|_| events.publish("turn", EventScope::Topic, &large));
        assert!(events.lock().bytes <= MOST_BYTES);
        assert_eq!(events.lock().events.len(), 3);
    }

    #[test]
    fn a_listener_hears_everything_in_order_until_the_end() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let events = Arc::new(EventStream::new());
            let mut listen = Box::pin(Arc::clone(&events).listen(None).unwrap());
            assert_eq!(events.listeners(), 1);
            let mut hear = async || listen.next().await.map(|text| String::from_utf8(text.unwrap().to_vec()).unwrap());
            assert!(hear().await.unwrap().starts_with("retry: 1000\n\nid: "));
            (0..100).for_each(|number| events.publish("turn", EventScope::MatchGoesOn(1), &number));
            assert_eq!(ids(&hear().await.unwrap()), (1..=100).collect::<Vec<_>>(), "several at once");
            events.publish("turn", EventScope::MatchGoesOn(1), &100);
            events.close();
            assert_eq!(ids(&hear().await.unwrap()), [101], "what was said before the end is heard");
            assert_eq!(hear().await, None);
            drop(listen);
            assert_eq!(events.listeners(), 0);
        });
    }

    #[test]
    fn so_many_may_listen() {
        let events = Arc::new(EventStream::new());
        let listening: Vec<_> = (0..LISTENERS).map(|_| events.listen(None).unwrap()).collect();
        assert!(events.listen(None).is_none());
        drop(listening);
        assert!(events.listen(None).is_some());
    }
}
