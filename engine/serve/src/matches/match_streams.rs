//! The streams of matches for browsers: those that are being played, and the game of a final that the screens show.

use platform::locks::lock;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use web::{EventLog, Spectators};

/// The streams of matches, by the numbers of the matches. A match that is over, and may be known, has none: its record has all.
#[derive(Debug, Default)]
pub(crate) struct MatchStreams(Mutex<BTreeMap<u64, MatchStream>>);

#[derive(Debug)]
struct MatchStream {
    log: Arc<EventLog>,
    /// A match that is over, of which the end may not be known yet.
    held_back: Option<Spectators>,
}

/// The stream of a match that is being played. Dropping it ends the stream.
#[derive(Debug)]
pub(crate) struct OpenStream<'a> {
    streams: &'a MatchStreams,
    id: u64,
    pub(crate) log: Arc<EventLog>,
    is_held_back: bool,
}

impl OpenStream<'_> {
    /// Leaves the stream open, and holds back the end of the match.
    pub(crate) fn hold_back(mut self, spectators: Spectators) {
        if let Some(stream) = lock(&self.streams.0).get_mut(&self.id) {
            stream.held_back = Some(spectators);
        }
        self.is_held_back = true;
    }
}

impl Drop for OpenStream<'_> {
    fn drop(&mut self) {
        if !self.is_held_back {
            self.streams.end(self.id);
        }
    }
}

impl MatchStreams {
    /// A stream for a match that begins.
    pub(crate) fn begin(&self, id: u64) -> OpenStream<'_> {
        let log = Arc::new(EventLog::new());
        lock(&self.0).insert(id, MatchStream { log: Arc::clone(&log), held_back: None });
        OpenStream { streams: self, id, log, is_held_back: false }
    }

    /// The stream of a match.
    pub(crate) fn of(&self, id: u64) -> Option<Arc<EventLog>> {
        lock(&self.0).get(&id).map(|stream| Arc::clone(&stream.log))
    }

    /// Ends the stream of a match. An end that was held back is shown first.
    pub(crate) fn end(&self, id: u64) {
        let Some(MatchStream { log, held_back }) = lock(&self.0).remove(&id) else { return };
        held_back.into_iter().for_each(Spectators::uncover);
        log.close();
    }

    /// Ends all streams, and shows no end that was held back.
    pub(crate) fn close(&self) {
        lock(&self.0).values().for_each(|stream| stream.log.close());
    }
}
