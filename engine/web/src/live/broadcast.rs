//! The broadcast: the content so far, and the viewers who receive it.

use super::clock::Clock;
use super::content::{LiveContent, LiveUpdate};
use axum::response::sse::Event;
use futures_util::{Stream, stream};
use platform::wait::Flag;
use std::convert::Infallible;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

/// Time for viewers to read the rest after the last content has ended.
const GRACE: Duration = Duration::from_secs(2);
/// Time after which a browser connects again after an interruption.
const RETRY: Duration = Duration::from_millis(500);

/// The content that is shown, and the viewers of it.
#[derive(Debug)]
pub(super) struct Broadcast {
    current: watch::Sender<Current>,
    viewers: watch::Sender<ViewerCounts>,
    /// True once the broadcast is to end.
    closing: watch::Sender<bool>,
    /// Raised once a viewer has come.
    arrival: Flag,
    page: String,
    /// A part of all event ids. It tells this server from an earlier one on the same port, so that a browser that comes
    /// back is not sent the rest of other content.
    mark: u64,
}

/// The content that is shown now.
#[derive(Debug)]
struct Current {
    content: LiveContent,
    /// The number of the content, counted from 0.
    number: usize,
    /// No other content follows.
    is_last: bool,
    /// The clock of the turn; `None` if none runs. It is not a piece of the content: only its latest value is sent.
    clock: Option<Clock>,
    /// The number of clocks so far.
    clocks: usize,
}

/// The position of a viewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    /// The number of the content.
    content: usize,
    /// The number of the piece that comes next.
    piece: usize,
}

/// Counts of viewers.
#[derive(Debug, Default)]
struct ViewerCounts {
    /// Requests for the page.
    pages: usize,
    /// Streams of events that were begun.
    streams: usize,
    /// Streams of events that are open.
    open: usize,
}

impl Broadcast {
    /// A broadcast of this content. With `is_last`, no other content follows.
    pub(super) fn new(content: LiveContent, is_last: bool, page: String) -> io::Result<Broadcast> {
        let mark = RandomState::new().hash_one(0);
        let viewers = watch::Sender::new(ViewerCounts::default());
        let arrival = Flag::new()?;
        let current = watch::Sender::new(Current { content, number: 0, is_last, clock: None, clocks: 0 });
        Ok(Broadcast { current, viewers, closing: watch::Sender::new(false), arrival, page, mark })
    }

    /// A flag that is raised when the first viewer comes.
    pub(super) fn arrival(&self) -> &Flag {
        &self.arrival
    }

    /// Adds an update to the current match, and wakes the viewers. A viewer locks the content only while it reads a
    /// piece.
    pub(super) fn add(&self, update: &LiveUpdate) {
        self.current.send_modify(|current| {
            if let LiveContent::Match(frame_log) = &mut current.content {
                update.add_to(frame_log);
            }
        });
    }

    /// Starts the clock of a turn. A viewer gets it after the pieces so far.
    pub(super) fn start(&self, clock: Clock) {
        self.current.send_modify(|current| {
            current.clock = Some(clock);
            current.clocks += 1;
        });
    }

    /// Shows other content. Viewers who have not read the rest of the old content do not get it any more.
    pub(super) fn replace(&self, content: LiveContent) {
        self.current.send_modify(|current| {
            current.content = content;
            current.number += 1;
            current.clock = None;
        });
    }

    /// The page of the live view. Counts the viewer who asks for it.
    pub(super) fn page(&self) -> String {
        self.viewers.send_modify(|viewers| viewers.pages += 1);
        self.arrival.raise();
        self.page.clone()
    }

    /// A copy of the content with all pieces so far.
    pub(super) fn content(&self) -> LiveContent {
        self.current.borrow().content.clone()
    }

    /// The position behind the event with this id, or the beginning of the current content if the id is not one of it.
    /// `None` if no piece follows at that position.
    pub(super) fn after(&self, last: Option<&str>) -> Option<Position> {
        let current = self.current.borrow();
        let of_ours = last.and_then(|last| last.strip_prefix(&format!("{:x}.", self.mark)));
        let numbers = of_ours.and_then(|numbers| numbers.split_once('.'));
        let last = numbers.and_then(|(content, piece)| Some([content.parse::<usize>().ok()?, piece.parse().ok()?]));
        let piece = match last {
            Some([content, piece]) if content == current.number => piece.saturating_add(1),
            _ => 0,
        };
        let next = Position { content: current.number, piece };
        (!current.is_over_at(next)).then_some(next)
    }

    /// The pieces from a position on as they come, and the clock of the turn, until the last content has ended.
    pub(super) fn events(
        self: &Arc<Broadcast>,
        from: Position,
    ) -> impl Stream<Item = Result<Event, Infallible>> + use<> {
        let viewer = Viewer::new(Arc::clone(self));
        stream::unfold((viewer, self.current.subscribe(), from, 0), async |(viewer, mut current, mut at, clocks)| {
            let wanted =
                |current: &Current| current.has(at) || current.is_over_at(at) || current.clock_after(clocks).is_some();
            let now = current.wait_for(wanted).await.ok()?;
            if now.number != at.content {
                at = Position { content: now.number, piece: 0 };
            }
            let Some(piece) = now.content.piece(at.piece) else {
                // Without an id: a browser that comes back is sent the clock again.
                let event = Event::default().event("clock").data(now.clock_after(clocks)?.json());
                let clocks = now.clocks;
                drop(now);
                return Some((Ok(event), (viewer, current, at, clocks)));
            };
            drop(now);
            let id = format!("{:x}.{}.{}", viewer.0.mark, at.content, at.piece);
            let event = Event::default().event(piece.kind).id(id).retry(RETRY).data(&piece.text);
            Some((Ok(event), (viewer, current, Position { piece: at.piece + 1, ..at }, clocks)))
        })
    }

    /// Asks the server to end.
    pub(super) fn close(&self) {
        self.current.send_modify(|current| current.is_last = true);
        self.closing.send_replace(true);
    }

    /// Waits until the broadcast is to end and the viewers have left, or have had [`GRACE`].
    pub(super) async fn viewers_gone(&self) {
        let mut closing = self.closing.subscribe();
        let _ = closing.wait_for(|closing| *closing).await;
        let mut viewers = self.viewers.subscribe();
        // A page that was just loaded is about to ask for its events.
        let gone = viewers.wait_for(|viewers| viewers.open == 0 && viewers.streams >= viewers.pages);
        let _ = timeout_at(Instant::now() + GRACE, gone).await;
    }
}

impl Current {
    /// True if there is something for a viewer at this position: other content, or the next piece.
    fn has(&self, at: Position) -> bool {
        self.number != at.content || self.content.piece(at.piece).is_some()
    }

    /// The clock, if it is another than the first so many.
    fn clock_after(&self, clocks: usize) -> Option<&Clock> {
        self.clock.as_ref().filter(|_| self.clocks > clocks)
    }

    fn is_over_at(&self, at: Position) -> bool {
        self.is_last && self.number == at.content && self.content.ends_before(at.piece)
    }
}

/// A viewer, counted for as long as this value lives.
#[derive(Debug)]
struct Viewer(Arc<Broadcast>);

impl Viewer {
    fn new(broadcast: Arc<Broadcast>) -> Viewer {
        broadcast.viewers.send_modify(|viewers| {
            viewers.streams += 1;
            viewers.open += 1;
        });
        broadcast.arrival.raise();
        Viewer(broadcast)
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        self.0.viewers.send_modify(|viewers| viewers.open -= 1);
    }
}
