//! The event log: the events that browsers follow, each of which can come back after an interruption.

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, stream};
use platform::locks::lock;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout_at};

/// The most past events that are kept.
const MOST: usize = 8192;
/// The most bytes of past events that are kept.
const MOST_BYTES: usize = 4 << 20;
/// The pause of a viewer after each text. Events of that time are sent together.
const PAUSE: Duration = Duration::from_millis(40);
/// The time without a text after which a comment is sent, so that a broken connection is noticed, and so that proxies do not end
/// a stream that looks idle.
const QUIET: Duration = Duration::from_secs(15);
/// The headers of a stream. Proxies collect, compress and store responses: nginx passes on 4 KiB at a time unless the second
/// header tells it not to, and others leave alone what may not be transformed.
const STREAM_HEADERS: [(HeaderName, &str); 3] = [
    (CONTENT_TYPE, "text/event-stream"),
    (HeaderName::from_static("x-accel-buffering"), "no"),
    (CACHE_CONTROL, "no-store, no-transform"),
];
/// The time after which a browser connects again after an interruption, in milliseconds.
const RETRY: u32 = 1000;

/// The events that browsers follow: an event is *current* until another one takes its place, and *past* afterwards.
///
/// A viewer who begins gets the current events, and then each event as it comes. A viewer who comes back gets the events since
/// the last one that it has received, as long as they are kept; otherwise it begins again. Each viewer reads the log at its own
/// pace, and publishing never waits for one. Of past events the last 8,192 are kept, and up to 4 MiB; current ones are bounded by
/// the turns of the matches that are being played.
///
/// # Examples
/// ```
/// use web::{EventLog, EventScope};
///
/// let log = EventLog::new();
/// log.publish("settings", EventScope::TOPIC, r#"{"pace":300}"#);
/// log.publish("settings", EventScope::TOPIC, r#"{"pace":20}"#);
/// log.publish("frame", EventScope::Part(7), "{}");
/// assert_eq!(log.current_data(), [("settings", r#"{"pace":20}"#.to_owned()), ("frame", "{}".to_owned())]);
/// log.end(7);
/// assert_eq!(log.current_data().len(), 1);
/// ```
#[derive(Debug)]
pub struct EventLog {
    /// A part of all event ids, to recognise those of another log at the same address.
    mark: String,
    /// The text for a viewer who begins, if it is another than that of the current events.
    beginning: Option<Beginning>,
    /// The time without a text after which a viewer gets a comment.
    quiet: Duration,
    events: Mutex<Events>,
    /// The number of the last event.
    last: watch::Sender<u64>,
    viewers: watch::Sender<ViewerCounts>,
    closing: watch::Sender<bool>,
}

/// Makes one event of the current events: its kind and its data.
pub type Beginning = fn(&[CurrentEvent<'_>]) -> (&'static str, String);

/// A current event: its kind, its scope and its data.
pub type CurrentEvent<'a> = (&'static str, EventScope, &'a str);

/// The scope of an event: the number of the match that it belongs to, and the events that it makes past.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventScope {
    /// The event replaces the last one of its kind and number.
    Latest(u64),
    /// The event replaces nothing.
    Part(u64),
    /// The event is the last one: it and all others are past.
    End(u64),
}

impl EventScope {
    /// An event about the server as a whole that replaces the last one of its kind.
    pub const TOPIC: EventScope = EventScope::Latest(0);

    fn number(self) -> u64 {
        match self {
            EventScope::Latest(number) | EventScope::Part(number) | EventScope::End(number) => number,
        }
    }
}

#[derive(Debug, Default)]
struct Events {
    /// The current events and the past ones, by their numbers.
    current: BTreeMap<u64, Event>,
    past: BTreeMap<u64, Event>,
    past_bytes: usize,
    /// The number of the last event.
    last: u64,
    /// The number of the last past event that is not kept any more.
    lost: u64,
}

#[derive(Debug)]
struct Event {
    kind: &'static str,
    scope: EventScope,
    /// The text of the server-sent event, and the place of the data in it.
    text: Arc<str>,
    data: Range<usize>,
}

/// Counts of viewers.
#[derive(Debug, Default)]
struct ViewerCounts {
    /// Viewers who are about to come, because they have loaded a page.
    expected: usize,
    /// Streams that were begun.
    begun: usize,
    /// Streams that are open.
    open: usize,
}

impl Event {
    fn data(&self) -> &str {
        &self.text[self.data.clone()]
    }
}

impl Events {
    /// Makes the current events past of which `is_meant` is true.
    fn end(&mut self, is_meant: impl Fn(&Event) -> bool) {
        let ended: Vec<u64> =
            self.current.iter().filter(|(_, event)| is_meant(event)).map(|(number, _)| *number).collect();
        for number in ended {
            let Some(event) = self.current.remove(&number) else { continue };
            self.past_bytes += event.text.len();
            self.past.insert(number, event);
        }
        while self.past.len() > MOST || self.past_bytes > MOST_BYTES {
            let Some((number, event)) = self.past.pop_first() else { break };
            self.past_bytes -= event.text.len();
            self.lost = self.lost.max(number);
        }
    }

    /// The events after a number, in their order.
    fn after(&self, number: u64) -> Vec<&Event> {
        let mut events: Vec<_> = self.past.range(number + 1..).chain(self.current.range(number + 1..)).collect();
        events.sort_unstable_by_key(|(number, _)| **number);
        events.into_iter().map(|(_, event)| event).collect()
    }
}

impl Default for EventLog {
    fn default() -> EventLog {
        EventLog::new()
    }
}

impl EventLog {
    /// An empty log.
    pub fn new() -> EventLog {
        EventLog {
            mark: format!("{:x}", RandomState::new().hash_one(0)),
            beginning: None,
            quiet: QUIET,
            events: Mutex::default(),
            last: watch::Sender::new(0),
            viewers: watch::Sender::new(ViewerCounts::default()),
            closing: watch::Sender::new(false),
        }
    }

    /// The same log, in which a viewer who begins gets one event instead of the current events.
    #[must_use]
    pub fn with_beginning(self, beginning: Beginning) -> EventLog {
        EventLog { beginning: Some(beginning), ..self }
    }

    /// Publishes an event of this kind. `data` is one line, e.g. JSON.
    pub fn publish(&self, kind: &'static str, scope: EventScope, data: &str) {
        self.publish_in(&mut lock(&self.events), kind, scope, data);
    }

    /// Publishes parts in place of all events that belong to this number: their kinds and their data. Nobody sees some of them
    /// without the others.
    pub(crate) fn replace<'a>(&self, number: u64, parts: impl Iterator<Item = (&'static str, &'a str)>) {
        let mut events = lock(&self.events);
        events.end(|event| event.scope.number() == number);
        parts.for_each(|(kind, data)| self.publish_in(&mut events, kind, EventScope::Part(number), data));
    }

    fn publish_in(&self, events: &mut Events, kind: &'static str, scope: EventScope, data: &str) {
        events.last += 1;
        let number = events.last;
        let head = format!("id: {}.{number}\nevent: {kind}\ndata: ", self.mark);
        let place = head.len()..head.len() + data.len();
        let text: Arc<str> = format!("{head}{data}\n\n").into();
        if let EventScope::Latest(_) = scope {
            events.end(|event| event.kind == kind && event.scope == scope);
        }
        events.current.insert(number, Event { kind, scope, text, data: place });
        if let EventScope::End(ended) = scope {
            events.end(|event| event.scope.number() == ended);
        }
        // Under the lock, so that the numbers come in their order.
        self.last.send_replace(number);
    }

    /// Makes all events that belong to this number past.
    pub fn end(&self, number: u64) {
        lock(&self.events).end(|event| event.scope.number() == number);
    }

    /// The kinds and the data of the current events.
    pub fn current_data(&self) -> Vec<(&'static str, String)> {
        lock(&self.events).current.values().map(|event| (event.kind, event.data().to_owned())).collect()
    }

    /// The response to a request for the events of which `is_wanted` is true by their kinds. A client that comes back sends the
    /// id of its last event as `Last-Event-ID`. If the log is closed and nothing follows, the response is 204, which tells a
    /// browser not to connect again.
    pub fn response(self: &Arc<EventLog>, headers: &HeaderMap, is_wanted: fn(&str) -> bool) -> Response {
        let last = headers.get("last-event-id").and_then(|last| self.number(last.to_str().ok()?));
        if *self.closing.borrow() && last == Some(lock(&self.events).last) {
            return StatusCode::NO_CONTENT.into_response();
        }
        (STREAM_HEADERS, Body::from_stream(self.follow(last, is_wanted))).into_response()
    }

    /// The number of viewers who are reading.
    pub fn viewers(&self) -> usize {
        self.viewers.borrow().open
    }

    /// Expects one viewer more: its page was loaded.
    pub(crate) fn expect_viewer(&self) {
        self.viewers.send_modify(|viewers| viewers.expected += 1);
    }

    /// Closes the log: the streams end after the last event.
    pub fn close(&self) {
        self.closing.send_replace(true);
        // Wakes the viewers who wait for an event.
        self.last.send_modify(|_| ());
    }

    /// True once the log is closed.
    pub(crate) fn is_closed(&self) -> bool {
        *self.closing.borrow()
    }

    /// Waits until the log is closed.
    pub(crate) async fn closed(&self) {
        let _ = self.closing.subscribe().wait_for(|closing| *closing).await;
    }

    /// Waits until all viewers who were expected have come and left.
    pub(crate) async fn viewers_gone(&self) {
        let gone = |viewers: &ViewerCounts| viewers.open == 0 && viewers.begun >= viewers.expected;
        let _ = self.viewers.subscribe().wait_for(gone).await;
    }

    /// The texts for a viewer who has received the event with this number last.
    fn follow(
        self: &Arc<EventLog>,
        last: Option<u64>,
        is_wanted: fn(&str) -> bool,
    ) -> impl Stream<Item = Result<Bytes, Infallible>> + use<> {
        let viewer = Viewer::new(Arc::clone(self), last, is_wanted);
        stream::unfold(viewer, |mut viewer| async {
            let text = viewer.next().await?;
            Some((Ok(Bytes::from(text)), viewer))
        })
    }

    /// All events after number `last` as one text, and the number of the last of them; for a viewer who begins, the current
    /// events. The text is empty if there is no new event.
    fn after(&self, last: Option<u64>, is_wanted: fn(&str) -> bool) -> (String, u64) {
        let events = lock(&self.events);
        let wanted = |events: Vec<&Event>| {
            events.into_iter().filter(|event| is_wanted(event.kind)).map(|event| &*event.text).collect()
        };
        let text = match (last, self.beginning) {
            (Some(last), _) if last <= events.last && last >= events.lost => wanted(events.after(last)),
            (_, None) => wanted(events.current.values().collect()),
            (_, Some(beginning)) => {
                let current = events.current.values().filter(|event| is_wanted(event.kind));
                let current: Vec<CurrentEvent<'_>> =
                    current.map(|event| (event.kind, event.scope, event.data())).collect();
                let (kind, data) = beginning(&current);
                format!("id: {}.{}\nevent: {kind}\ndata: {data}\n\n", self.mark, events.last)
            }
        };
        (text, events.last)
    }

    /// The number of an event, if its id is of this log.
    fn number(&self, id: &str) -> Option<u64> {
        let (mark, number) = id.split_once('.')?;
        number.parse().ok().filter(|_| mark == self.mark)
    }
}

/// A viewer, counted for as long as this value lives.
#[derive(Debug)]
struct Viewer {
    log: Arc<EventLog>,
    known: watch::Receiver<u64>,
    is_wanted: fn(&str) -> bool,
    /// The number of the last event that was sent, if one was.
    last: Option<u64>,
    /// True once the first text was sent.
    has_begun: bool,
    /// The time of the last text.
    silent_since: Instant,
}

impl Viewer {
    fn new(log: Arc<EventLog>, last: Option<u64>, is_wanted: fn(&str) -> bool) -> Viewer {
        log.viewers.send_modify(|viewers| {
            viewers.begun += 1;
            viewers.open += 1;
        });
        let known = log.last.subscribe();
        Viewer { log, known, is_wanted, last, has_begun: false, silent_since: Instant::now() }
    }

    /// The next text, as soon as there is one; `None` at the end of the stream.
    async fn next(&mut self) -> Option<String> {
        let text = self.text().await;
        self.silent_since = Instant::now();
        text
    }

    async fn text(&mut self) -> Option<String> {
        let log = &self.log;
        if !self.has_begun {
            self.has_begun = true;
            let (text, last) = log.after(self.last, self.is_wanted);
            self.last = Some(last);
            let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_millis();
            // The time has no id: it is sent at every connection. An event of its kind is not for a log with a beginning of its own.
            let now = if log.beginning.is_none() { format!("event: now\ndata: {now}\n\n") } else { String::new() };
            return Some(format!("retry: {RETRY}\n\n{now}{text}"));
        }
        loop {
            let seen = self.last.unwrap_or_default();
            let is_closed = *log.closing.borrow();
            if !is_closed {
                sleep(PAUSE).await;
                let something = self.known.wait_for(|known| *known > seen || *log.closing.borrow());
                let _ = timeout_at(self.silent_since + log.quiet, something).await;
            }
            let (text, last) = log.after(self.last, self.is_wanted);
            self.last = Some(last);
            match text.is_empty() {
                false => return Some(text),
                true if is_closed => return None,
                // There may have been events, but none that this viewer wants.
                true if self.silent_since.elapsed() >= log.quiet => return Some(":\n\n".to_owned()),
                true => {}
            }
        }
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        self.log.viewers.send_modify(|viewers| viewers.open -= 1);
    }
}

#[cfg(test)]
mod tests;
