//! Where the show and its viewers meet: what was told so far, and who is there.

use super::show::Show;
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

/// How long a viewer may take to read the rest when the last show is over.
const GRACE: Duration = Duration::from_secs(2);
/// How soon a browser comes back after an interruption.
const RETRY: Duration = Duration::from_millis(500);

/// What viewers are told, and who they are.
#[derive(Debug)]
pub(super) struct Broadcast {
    stage: watch::Sender<Stage>,
    audience: watch::Sender<Audience>,
    /// Whether the broadcast is to be closed.
    closing: watch::Sender<bool>,
    /// Readable once somebody has come.
    bell: OwnedFd,
    page: String,
    /// In the numbers of events, so that a browser that comes back after a new server has begun on the same port is not
    /// told the rest of another one's show.
    mark: u64,
}

/// The show that is on.
#[derive(Debug)]
struct Stage {
    show: Show,
    /// The shows before it.
    before: usize,
    /// Whether no other follows.
    is_last: bool,
}

/// How far a viewer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    /// The shows before the one that it watches.
    show: usize,
    /// The number of the piece that comes next.
    piece: usize,
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

impl Broadcast {
    /// Begins with this show; with `is_last`, no other follows.
    pub(super) fn new(show: Show, is_last: bool, page: String) -> io::Result<Broadcast> {
        let mark = RandomState::new().hash_one(0);
        let audience = watch::Sender::new(Audience::default());
        let bell = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let stage = watch::Sender::new(Stage { show, before: 0, is_last });
        Ok(Broadcast { stage, audience, closing: watch::Sender::new(false), bell, page, mark })
    }

    /// Becomes readable when the first viewer comes, and stays so.
    pub(super) fn bell(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }

    fn ring(&self) {
        // One that cannot count any higher has rung.
        let _ = rustix::io::write(&self.bell, &1_u64.to_ne_bytes());
    }

    /// Changes the show that is on, and wakes the viewers. They hold it only while they take a piece out of it.
    pub(super) fn tell(&self, change: impl FnOnce(&mut Show)) {
        self.stage.send_modify(|stage| change(&mut stage.show));
    }

    /// Puts another show on; who has not heard the rest of the one before does not hear it any more.
    pub(super) fn put_on(&self, show: Show) {
        self.stage.send_modify(|stage| {
            stage.show = show;
            stage.before += 1;
        });
    }

    /// The page of the live view.
    pub(super) fn page(&self) -> String {
        self.audience.send_modify(|audience| audience.pages += 1);
        self.ring();
        self.page.clone()
    }

    /// What is on, with all that was told so far.
    pub(super) fn show(&self) -> Show {
        self.stage.borrow().show.clone()
    }

    /// The position behind the event with this number; else the beginning of what is on.
    pub(super) fn after(&self, last: Option<&str>) -> Position {
        let on = self.stage.borrow().before;
        let of_ours = last.and_then(|last| last.strip_prefix(&format!("{:x}.", self.mark)));
        let numbers = of_ours.and_then(|numbers| numbers.split_once('.'));
        match numbers.and_then(|(show, piece)| Some((show.parse().ok()?, piece.parse::<usize>().ok()?))) {
            Some((show, piece)) if show == on => Position { show, piece: piece.saturating_add(1) },
            _ => Position { show: on, piece: 0 },
        }
    }

    /// Whether nothing comes any more at this position.
    pub(super) fn is_over_at(&self, at: Position) -> bool {
        self.stage.borrow().is_over_at(at)
    }

    /// The pieces from this position on as they come, until the last show is over.
    pub(super) fn events(
        self: &Arc<Broadcast>,
        from: Position,
    ) -> impl Stream<Item = Result<Event, Infallible>> + use<> {
        let viewer = Viewer::new(Arc::clone(self));
        stream::unfold((viewer, self.stage.subscribe(), from), async |(viewer, mut stage, mut at)| {
            let told = stage.wait_for(|stage| stage.has(at) || stage.is_over_at(at)).await.ok()?;
            if told.before != at.show {
                at = Position { show: told.before, piece: 0 };
            }
            let piece = told.show.piece(at.piece)?;
            drop(told);
            let id = format!("{:x}.{}.{}", viewer.0.mark, at.show, at.piece);
            let event = Event::default().event(piece.kind).id(id).retry(RETRY).data(&piece.text);
            Some((Ok(event), (viewer, stage, Position { piece: at.piece + 1, ..at })))
        })
    }

    /// Asks for the end of the server.
    pub(super) fn close(&self) {
        self.stage.send_modify(|stage| stage.is_last = true);
        self.closing.send_replace(true);
    }

    /// Waits until the broadcast is to be closed and the viewers have gone, or have had their time.
    pub(super) async fn emptied(&self) {
        let mut closing = self.closing.subscribe();
        let _ = closing.wait_for(|closing| *closing).await;
        let mut audience = self.audience.subscribe();
        // A page that was just loaded is about to ask for its events.
        let gone = audience.wait_for(|audience| audience.open == 0 && audience.streams >= audience.pages);
        let _ = timeout_at(Instant::now() + GRACE, gone).await;
    }
}

impl Stage {
    /// Whether there is something for a viewer at this position: another show, or the next piece.
    fn has(&self, at: Position) -> bool {
        self.before != at.show || self.show.piece(at.piece).is_some()
    }

    fn is_over_at(&self, at: Position) -> bool {
        self.is_last && self.before == at.show && self.show.ends_before(at.piece)
    }
}

/// Someone who is there as long as this lives.
#[derive(Debug)]
struct Viewer(Arc<Broadcast>);

impl Viewer {
    fn new(broadcast: Arc<Broadcast>) -> Viewer {
        broadcast.audience.send_modify(|audience| {
            audience.streams += 1;
            audience.open += 1;
        });
        broadcast.ring();
        Viewer(broadcast)
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        self.0.audience.send_modify(|audience| audience.open -= 1);
    }
}
