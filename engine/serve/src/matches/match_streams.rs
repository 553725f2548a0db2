//! The streams of matches for browsers: those that are being played, and the game of a final that is being shown.

use arena::record::{Clock, Header, RecordBuffer};
use arena::{ArenaError, MatchEvent, Observer};
use platform::locks::lock;
use rules::Eye;
use rules::sea_battle::SeaBattle;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use web::{About, EventLog, Spectators};

/// The streams of matches, by the numbers of the matches. A match that is over, and was shown, has none: its record has all.
#[derive(Debug, Default)]
pub(crate) struct MatchStreams(Mutex<BTreeMap<u64, Arc<Mutex<MatchStream>>>>);

/// A match so far. Nothing is encoded until a browser follows the match.
#[derive(Debug)]
struct MatchStream {
    log: Arc<EventLog>,
    id: u64,
    first: SeaBattle,
    about: About,
    eye: Eye,
    record: RecordBuffer<SeaBattle>,
    /// `None` until a browser follows the match.
    spectators: Option<Spectators<SeaBattle>>,
}

/// The stream of a match that is being played or shown, and its record: an observer. Dropping it ends the stream.
#[derive(Debug)]
pub(crate) struct OpenStream<'a> {
    streams: &'a MatchStreams,
    id: u64,
    stream: Arc<Mutex<MatchStream>>,
    /// The reason why the match was broken off, as a sentence.
    broken_off: Option<String>,
}

impl OpenStream<'_> {
    /// The lines of the record so far.
    pub(crate) fn record_lines(&self) -> Vec<u8> {
        lock(&self.stream).record.lines()
    }

    /// Ends the stream of a match that was broken off for this reason, which is a sentence.
    pub(crate) fn break_off(mut self, why: &str) {
        self.broken_off = Some(why.to_owned());
    }

    /// Ends the stream in the middle of the match, without an end: the next server shows the rest.
    pub(crate) fn leave(self) {
        lock(&self.stream).spectators = None;
    }
}

impl Observer<SeaBattle> for OpenStream<'_> {
    fn on(&mut self, event: &MatchEvent<'_, SeaBattle>) -> Result<(), ArenaError> {
        let mut stream = lock(&self.stream);
        stream.record.on(event)?;
        stream.spectators.as_mut().map_or(Ok(()), |spectators| spectators.on(event))
    }
}

impl Drop for OpenStream<'_> {
    fn drop(&mut self) {
        let Some(stream) = lock(&self.streams.0).remove(&self.id) else { return };
        let mut stream = lock(&stream);
        match stream.spectators.take() {
            Some(spectators) => spectators.finish(self.broken_off.as_deref()),
            None => stream.log.close(),
        }
    }
}

impl MatchStreams {
    /// A stream for a match with this header that begins with the state `first`. It shows what this eye sees.
    ///
    /// # Errors
    /// The header is too long for a record.
    pub(crate) fn begin(
        &self,
        id: u64,
        header: &Header,
        first: SeaBattle,
        about: About,
        eye: Eye,
    ) -> Result<OpenStream<'_>, ArenaError> {
        let record = RecordBuffer::begin(header, Clock::Running)?;
        let log = Arc::new(EventLog::new());
        let stream = MatchStream { log, id, first, about, eye, record, spectators: None };
        let stream = Arc::new(Mutex::new(stream));
        lock(&self.0).insert(id, Arc::clone(&stream));
        Ok(OpenStream { streams: self, id, stream, broken_off: None })
    }

    /// The stream of a match.
    ///
    /// # Errors
    /// Those of [`Spectators`] as an observer.
    pub(crate) fn of(&self, id: u64) -> Option<Result<Arc<EventLog>, ArenaError>> {
        let stream = lock(&self.0).get(&id).map(Arc::clone)?;
        Some(lock(&stream).follow())
    }

    /// Ends all streams.
    pub(crate) fn close(&self) {
        lock(&self.0).values().for_each(|stream| lock(stream).log.close());
    }
}

impl MatchStream {
    /// The log, which has the match so far and follows it from now on.
    fn follow(&mut self) -> Result<Arc<EventLog>, ArenaError> {
        if self.spectators.is_none() {
            let log = Arc::clone(&self.log);
            let spectators = Spectators::begin(log, self.id, &self.first, self.about.clone(), vec![self.eye]);
            let mut spectators = spectators.analysed(&self.first);
            self.record.replay(&mut spectators)?;
            self.spectators = Some(spectators);
        }
        Ok(Arc::clone(&self.log))
    }
}
