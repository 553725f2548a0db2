//! Where the match and its viewers meet: what was told so far, and who is there.

use crate::tape::Tape;
use axum::response::sse::Event;
use futures_util::{Stream, stream};
use std::convert::Infallible;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

/// How long a viewer may take to read the rest when the match is over.
const GRACE: Duration = Duration::from_secs(2);
/// How soon a browser comes back after an interruption.
const RETRY: Duration = Duration::from_millis(500);

/// What viewers are told, and who they are.
#[derive(Debug)]
pub(super) struct Hall {
    tape: watch::Sender<Tape>,
    audience: watch::Sender<Audience>,
    /// How long to wait for a first viewer, once the hall is to be closed.
    closing: watch::Sender<Option<Duration>>,
    page: String,
    /// In the numbers of events, so that a browser that comes back after a new match has begun on the same port is not
    /// told the rest of another match.
    mark: u64,
}

/// Who has come.
#[derive(Debug, Default)]
struct Audience {
    /// How often the page was asked for.
    pages: usize,
    /// How many streams of events were begun.
    streams: usize,
    /// How many of them are open.
    open: usize,
}

impl Hall {
    pub(super) fn new(tape: Tape, page: String) -> Hall {
        let mark = RandomState::new().hash_one(0);
        let audience = watch::Sender::new(Audience::default());
        Hall { tape: watch::Sender::new(tape), audience, closing: watch::Sender::new(None), page, mark }
    }

    /// Changes what is told, and wakes the viewers. They hold the log only while they take a piece out of it.
    pub(super) fn tell(&self, change: impl FnOnce(&mut Tape)) {
        self.tape.send_modify(change);
    }

    /// The page of the live view.
    pub(super) fn page(&self) -> String {
        self.audience.send_modify(|audience| audience.pages += 1);
        self.page.clone()
    }

    /// All that was told so far.
    pub(super) fn tape(&self) -> Tape {
        self.tape.borrow().clone()
    }

    /// The number of the piece that comes after the event with this number, or of the first one.
    pub(super) fn after(&self, last: Option<&str>) -> usize {
        let last = last.and_then(|last| last.split_once('.'));
        let piece = last.filter(|(mark, _)| *mark == format!("{:x}", self.mark)).and_then(|(_, at)| at.parse().ok());
        piece.map_or(0, |piece: usize| piece.saturating_add(1))
    }

    /// The pieces from number `next` on as they come, until the match is over.
    pub(super) fn events(self: &Arc<Hall>, next: usize) -> impl Stream<Item = Result<Event, Infallible>> + use<> {
        let viewer = Viewer::new(Arc::clone(self));
        stream::unfold((viewer, self.tape.subscribe(), next), async |(viewer, mut tape, at)| {
            let told = tape.wait_for(|tape| tape.piece(at).is_some() || tape.ends_before(at)).await.ok()?;
            let piece = told.piece(at)?;
            drop(told);
            let id = format!("{:x}.{at}", viewer.0.mark);
            let event = Event::default().event(piece.kind).id(id).retry(RETRY).data(&piece.text);
            Some((Ok(event), (viewer, tape, at + 1)))
        })
    }

    /// Asks for the end of the server.
    pub(super) fn close(&self, patience: Duration) {
        self.closing.send_replace(Some(patience));
    }

    /// Waits until the hall is to be closed and the viewers have gone, or have had their time.
    pub(super) async fn emptied(&self) {
        let mut closing = self.closing.subscribe();
        let patience = closing.wait_for(Option::is_some).await.ok().and_then(|patience| *patience);
        let mut audience = self.audience.subscribe();
        let come = audience.wait_for(|audience| audience.pages + audience.streams > 0);
        if timeout_at(Instant::now() + patience.unwrap_or_default(), come).await.is_err() {
            return;
        }
        // A page that was just loaded is about to ask for its events.
        let gone = audience.wait_for(|audience| audience.open == 0 && audience.streams >= audience.pages);
        let _ = timeout_at(Instant::now() + GRACE, gone).await;
    }
}

/// Someone who is there as long as this lives.
#[derive(Debug)]
struct Viewer(Arc<Hall>);

impl Viewer {
    fn new(hall: Arc<Hall>) -> Viewer {
        hall.audience.send_modify(|audience| {
            audience.streams += 1;
            audience.open += 1;
        });
        Viewer(hall)
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        self.0.audience.send_modify(|audience| audience.open -= 1);
    }
}
