//! Where the match and its viewers meet: what was told so far, and who is there.

use crate::tape::Tape;
use axum::response::sse::Event;
use futures_util::{Stream, stream};
use rustix::event::{EventfdFlags, eventfd};
use std::convert::Infallible;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
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
    /// Whether the hall is to be closed.
    closing: watch::Sender<bool>,
    /// Readable once somebody has come.
    bell: OwnedFd,
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
    pub(super) fn new(tape: Tape, page: String) -> io::Result<Hall> {
        let mark = RandomState::new().hash_one(0);
        let audience = watch::Sender::new(Audience::default());
        let bell = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        Ok(Hall { tape: watch::Sender::new(tape), audience, closing: watch::Sender::new(false), bell, page, mark })
    }

    /// Becomes readable when the first viewer comes, and stays so.
    pub(super) fn bell(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }

    fn ring(&self) {
        // One that cannot count any higher has rung.
        let _ = rustix::io::write(&self.bell, &1_u64.to_ne_bytes());
    }

    /// Changes what is told, and wakes the viewers. They hold the log only while they take a piece out of it.
    pub(super) fn tell(&self, change: impl FnOnce(&mut Tape)) {
        self.tape.send_modify(change);
    }

    /// The page of the live view.
    pub(super) fn page(&self) -> String {
        self.audience.send_modify(|audience| audience.pages += 1);
        self.ring();
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
    pub(super) fn close(&self) {
        self.closing.send_replace(true);
    }

    /// Waits until the hall is to be closed and the viewers have gone, or have had their time.
    pub(super) async fn emptied(&self) {
        let mut closing = self.closing.subscribe();
        let _ = closing.wait_for(|closing| *closing).await;
        let mut audience = self.audience.subscribe();
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
        hall.ring();
        Viewer(hall)
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        self.0.audience.send_modify(|audience| audience.open -= 1);
    }
}
