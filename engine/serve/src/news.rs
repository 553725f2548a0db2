//! News: what happens, told to everyone who listens, and what is so now for those who come late.
//!
//! An event is written once, as the text of a server-sent event, and all listeners share it. A ring keeps the last
//! events; each listener goes through it at its own pace, takes everything at once that is new, and then pauses for a
//! moment. Who is left behind by the ring is told what is so now, and goes on from there. So memory is bounded, and
//! whoever publishes waits for nobody.

use super::secret::token;
use axum::body::Bytes;
use futures_util::{Stream, stream};
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// How many events are kept.
const MOST: usize = 8192;
/// How many bytes of events are kept.
const MOST_BYTES: usize = 4 << 20;
/// How many may listen.
const LISTENERS: usize = 768;
/// How long a listener pauses after it was told something: what happens meanwhile is told together.
const PAUSE: Duration = Duration::from_millis(40);
/// After so long without news, something is sent that says nothing, so that a broken connection is noticed.
const QUIET: Duration = Duration::from_secs(15);
/// How soon a browser comes back after an interruption, in milliseconds.
const RETRY: u32 = 1000;

/// What happens, and what is so now.
#[derive(Debug)]
pub(super) struct News {
    /// In the numbers of events, to tell those of an earlier run of the server.
    mark: String,
    desk: Mutex<Desk>,
    /// The number of the last event.
    last: watch::Sender<u64>,
    listeners: AtomicUsize,
    closing: watch::Sender<bool>,
}

#[derive(Debug, Default)]
struct Desk {
    events: VecDeque<Arc<str>>,
    bytes: usize,
    /// The number of the last event.
    last: u64,
    present: Present,
}

/// What is so now, in JSON.
#[derive(Debug, Default)]
struct Present {
    topics: BTreeMap<&'static str, Arc<str>>,
    /// The matches that are being played: how each began, and its turns so far.
    matches: BTreeMap<u64, Vec<Arc<str>>>,
}

/// Where an event belongs in what is so now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It takes the place of the last event of its kind.
    Topic,
    /// A match begins.
    Begins(u64),
    /// A match goes on.
    GoesOn(u64),
    /// A match is over, or was broken off.
    Ends(u64),
}

impl News {
    pub(super) fn new() -> News {
        News {
            mark: token()[..8].to_owned(),
            desk: Mutex::default(),
            last: watch::Sender::new(0),
            listeners: AtomicUsize::new(0),
            closing: watch::Sender::new(false),
        }
    }

    /// Tells an event of this kind to all who listen.
    pub(super) fn publish(&self, kind: &'static str, place: Place, event: &impl Serialize) {
        let json: Arc<str> = serde_json::to_string(event).expect("events have string keys and finite numbers").into();
        let mut desk = self.lock();
        desk.last += 1;
        let text: Arc<str> = format!("id: {}.{}\nevent: {kind}\ndata: {json}\n\n", self.mark, desk.last).into();
        desk.bytes += text.len();
        desk.events.push_back(text);
        while desk.events.len() > MOST || desk.bytes > MOST_BYTES {
            let Some(oldest) = desk.events.pop_front() else { break };
            desk.bytes -= oldest.len();
        }
        let present = &mut desk.present;
        match place {
            Place::Topic => drop(present.topics.insert(kind, json)),
            Place::Begins(id) => drop(present.matches.insert(id, vec![json])),
            Place::GoesOn(id) => present.matches.entry(id).or_default().push(json),
            Place::Ends(id) => drop(present.matches.remove(&id)),
        }
        let last = desk.last;
        drop(desk);
        // Two may publish at the same time.
        self.last.send_if_modified(|known| {
            *known < last && {
                *known = last;
                true
            }
        });
    }

    /// What is so now, in the form of an event.
    fn state(&self, desk: &Desk) -> String {
        let mut text = format!("id: {}.{}\nevent: state\ndata: {{", self.mark, desk.last);
        for (topic, json) in &desk.present.topics {
            let _ = write!(text, "\"{topic}\":{json},");
        }
        text.push_str("\"matches\":[");
        for (at, pieces) in desk.present.matches.values().enumerate() {
            let separator = if at == 0 { "" } else { "," };
            let (begun, turns) = pieces.split_first().map_or(("null", &[][..]), |(begun, turns)| (&**begun, turns));
            let _ = write!(text, "{separator}{{\"begun\":{begun},\"turns\":[{}]}}", turns.join(","));
        }
        text.push_str("]}\n\n");
        text
    }

    /// Everything after event number `last`, and the number of the last of it. `None` for `last` stands for someone who
    /// knows nothing. An empty text if there is nothing new.
    fn after(&self, last: Option<u64>) -> (String, u64) {
        let desk = self.lock();
        let first = desk.last + 1 - desk.events.len() as u64;
        let text = match last {
            Some(last) if last <= desk.last && last + 1 >= first => {
                desk.events.range((last + 1 - first) as usize..).map(|event| &**event).collect()
            }
            _ => self.state(&desk),
        };
        (text, desk.last)
    }

    /// Which event it was, if it was one of this run of the server.
    fn number(&self, id: &str) -> Option<u64> {
        let (mark, number) = id.split_once('.')?;
        number.parse().ok().filter(|_| mark == self.mark)
    }

    /// Listens from the event after the one with this id on. `None` if there are too many who listen.
    pub(super) fn listen(
        self: &Arc<News>,
        last_id: Option<&str>,
    ) -> Option<impl Stream<Item = Result<Bytes, Infallible>> + use<>> {
        let listener = Listener::new(Arc::clone(self))?;
        let last = last_id.and_then(|id| self.number(id));
        let hearing = Hearing { known: self.last.subscribe(), listener, last, told: false };
        Some(stream::unfold(hearing, |mut hearing| async {
            let text = hearing.next().await?;
            Some((Ok(Bytes::from(text)), hearing))
        }))
    }

    /// How many listen.
    pub(super) fn listeners(&self) -> usize {
        self.listeners.load(Ordering::Relaxed)
    }

    /// Sends everyone away.
    pub(super) fn close(&self) {
        self.closing.send_replace(true);
        // Wakes those who wait for something to happen.
        self.last.send_modify(|_| ());
    }

    fn lock(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a listener has heard so far.
#[derive(Debug)]
struct Hearing {
    listener: Listener,
    known: watch::Receiver<u64>,
    /// The number of the last event that was heard, if one was.
    last: Option<u64>,
    /// Whether anything was told yet.
    told: bool,
}

impl Hearing {
    /// What is new as soon as there is something; `None` when there will be no more.
    async fn next(&mut self) -> Option<String> {
        let news = &self.listener.0;
        if !self.told {
            self.told = true;
            let (text, last) = news.after(self.last);
            self.last = Some(last);
            return Some(format!("retry: {RETRY}\n\n{text}"));
        }
        let seen = self.last.unwrap_or_default();
        if !*news.closing.borrow() {
            sleep(PAUSE).await;
            let something = self.known.wait_for(|known| *known > seen || *news.closing.borrow());
            if timeout(QUIET, something).await.is_err() {
                return Some(":\n\n".to_owned());
            }
        }
        let (text, last) = news.after(self.last);
        self.last = Some(last);
        (last > seen).then_some(text)
    }
}

/// Someone who listens as long as this lives.
#[derive(Debug)]
struct Listener(Arc<News>);

impl Listener {
    fn new(news: Arc<News>) -> Option<Listener> {
        let room = |listeners| (listeners < LISTENERS).then_some(listeners + 1);
        news.listeners.fetch_update(Ordering::Relaxed, Ordering::Relaxed, room).ok()?;
        Some(Listener(news))
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.listeners.fetch_sub(1, Ordering::Relaxed);
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
        let news = News::new();
        news.publish("tournament", Place::Topic, &json!({"number": 1}));
        news.publish("tournament", Place::Topic, &json!({"number": 2}));
        news.publish("match-begun", Place::Begins(7), &json!({"match": 7}));
        news.publish("turn", Place::GoesOn(7), &json!({"turn": 0}));
        news.publish("turn", Place::GoesOn(7), &json!({"turn": 1}));
        let (text, last) = news.after(None);
        assert_eq!(last, 5);
        let data = text.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
        let matches = json!([{"begun": {"match": 7}, "turns": [{"turn": 0}, {"turn": 1}]}]);
        let state: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(state, json!({"tournament": {"number": 2}, "matches": matches}));
        news.publish("match-over", Place::Ends(7), &json!({"match": 7}));
        assert!(news.after(None).0.contains(r#""matches":[]"#));
    }

    #[test]
    fn who_comes_back_is_told_what_was_missed_and_no_more() {
        let news = News::new();
        (0..10).for_each(|number| news.publish("turn", Place::GoesOn(1), &number));
        let id = |number| news.number(&format!("{}.{number}", news.mark));
        assert_eq!(ids(&news.after(id(7)).0), [8, 9, 10]);
        assert_eq!(news.after(id(10)), (String::new(), 10));
        assert_eq!(news.number("otherrun.7"), None);
        assert!(news.after(id(11)).0.contains("event: state"), "it never was");
    }

    #[test]
    fn who_is_left_behind_by_the_ring_begins_anew() {
        let news = News::new();
        (0..MOST + 10).for_each(|number| news.publish("turn", Place::Topic, &number));
        assert_eq!(ids(&news.after(Some(10)).0).len(), MOST);
        assert!(news.after(Some(9)).0.contains("event: state"));
        let large = "x".repeat(1 << 20);
        (0..8).for_each(|_| news.publish("turn", Place::Topic, &large));
        assert!(news.lock().bytes <= MOST_BYTES);
        assert_eq!(news.lock().events.len(), 3);
    }

    #[test]
    fn a_listener_hears_everything_in_order_until_the_end() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let news = Arc::new(News::new());
            let mut listen = Box::pin(Arc::clone(&news).listen(None).unwrap());
            assert_eq!(news.listeners(), 1);
            let mut hear = async || listen.next().await.map(|text| String::from_utf8(text.unwrap().to_vec()).unwrap());
            assert!(hear().await.unwrap().starts_with("retry: 1000\n\nid: "));
            (0..100).for_each(|number| news.publish("turn", Place::GoesOn(1), &number));
            assert_eq!(ids(&hear().await.unwrap()), (1..=100).collect::<Vec<_>>(), "several at once");
            news.publish("turn", Place::GoesOn(1), &100);
            news.close();
            assert_eq!(ids(&hear().await.unwrap()), [101], "what was said before the end is heard");
            assert_eq!(hear().await, None);
            drop(listen);
            assert_eq!(news.listeners(), 0);
        });
    }

    #[test]
    fn so_many_may_listen() {
        let news = Arc::new(News::new());
        let listening: Vec<_> = (0..LISTENERS).map(|_| news.listen(None).unwrap()).collect();
        assert!(news.listen(None).is_none());
        drop(listening);
        assert!(news.listen(None).is_some());
    }
}
