//! A seat for a person in a browser: what its page is told, and what the page has sent.

use super::wire::{Given, Question, Verdict};
use crate::event_log::{EventLog, EventScope};
use crate::piece::{Piece, json};
use arena::{ArenaError, Interrupt};
use axum::http::HeaderMap;
use axum::response::Response;
use platform::locks::lock;
use platform::wait::{Flag, WaitSet};
use rules::Seat;
use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;
use tokio::sync::oneshot;

/// The number of the match in the log.
const MATCH: u64 = 1;
/// The most requests of a page that wait for the player.
const MOST_WAITING: usize = 8;

/// A seat for a person in a browser. Clones are the same seat.
///
/// Whoever has its token can play in its place, and sees what the seat may know.
#[derive(Clone)]
pub struct PersonSeat(Arc<Parts>);

struct Parts {
    token: String,
    /// The match as the seat sees it, and the last question.
    log: Arc<EventLog>,
    told: Mutex<Told>,
    inbox: Mutex<Inbox>,
    /// Raised when the inbox may have something.
    arrival: Flag,
}

#[derive(Default)]
struct Told {
    /// The number of questions so far.
    questions: u64,
    /// The seats that are asked in this turn, apart from this one.
    others: Vec<char>,
    /// The data of the whole match as the referee sees it, when the match is over.
    whole: Option<Arc<str>>,
}

/// Requests of the page.
#[derive(Default)]
struct Inbox {
    /// The number of the question that is open.
    open: Option<u64>,
    waiting: VecDeque<Submission>,
}

/// A request of the page, and the way to answer it.
pub(super) struct Submission {
    pub(super) given: Given,
    answer: oneshot::Sender<Verdict>,
}

impl Submission {
    /// Answers the request. A page that has gone away meanwhile misses the answer.
    pub(super) fn answer(self, verdict: Verdict) {
        let _ = self.answer.send(verdict);
    }
}

impl fmt::Debug for PersonSeat {
    /// Without the token, which is a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PersonSeat").finish_non_exhaustive()
    }
}

impl PersonSeat {
    /// A seat with a new token of 128 bits.
    ///
    /// # Errors
    /// The system has no random bytes, or no more file descriptors.
    pub fn new() -> io::Result<PersonSeat> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let token = arena::hex(&bytes);
        let parts = Parts {
            token,
            log: Arc::new(EventLog::new()),
            told: Mutex::default(),
            inbox: Mutex::default(),
            arrival: Flag::new()?,
        };
        let seat = PersonSeat(Arc::new(parts));
        seat.tell_to_wait();
        Ok(seat)
    }

    /// The token: 32 hexadecimal digits.
    pub fn token(&self) -> &str {
        &self.0.token
    }

    /// Shows pieces of the match.
    pub(super) fn add(&self, pieces: &[Piece]) {
        self.0.log.add_pieces(MATCH, pieces);
    }

    /// Hears who is asked in this turn. Tells the page, unless this seat is asked, too.
    pub(super) fn hear_awaited(&self, awaited: &[Seat], own: Seat) {
        let others = awaited.iter().filter(|seat| **seat != own).map(|seat| seat.letter()).collect();
        self.told().others = others;
        if !awaited.contains(&own) {
            self.tell_to_wait();
        }
    }

    fn tell_to_wait(&self) {
        self.tell(|told| Question::Wait { others: told.others.clone() });
    }

    fn tell(&self, question: impl FnOnce(&Told) -> Question) -> u64 {
        let mut told = self.told();
        told.questions += 1;
        self.0.log.publish("ask", EventScope::TOPIC, &json(&question(&told)));
        told.questions
    }

    /// Asks the person.
    pub(super) fn ask(&self, question: impl FnOnce(u64) -> Question) {
        // Locked first: the page may answer as soon as it is told.
        let mut inbox = self.inbox();
        inbox.open = Some(self.tell(|told| question(told.questions)));
    }

    /// Ends the question: its answer was accepted, or is not wanted any more.
    pub(super) fn end_question(&self) {
        let left = {
            let mut inbox = self.inbox();
            inbox.open = None;
            std::mem::take(&mut inbox.waiting)
        };
        left.into_iter().for_each(|submission| submission.answer(Verdict::refused(LATE)));
        self.tell_to_wait();
    }

    /// Waits for the next request of the page, until `deadline` if there is one; `None` if it has passed.
    pub(super) fn next(
        &self,
        interrupt: &Interrupt,
        deadline: Option<Instant>,
    ) -> Result<Option<Submission>, ArenaError> {
        loop {
            self.0.arrival.clear();
            if let Some(submission) = self.inbox().waiting.pop_front() {
                return Ok(Some(submission));
            }
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let mut set = WaitSet::new().readable(&self.0.arrival).readable(interrupt);
            match set.wait(left) {
                Err(source) => return Err(ArenaError::process("wait for", "a person in the browser", source)),
                Ok(_) if set.is_ready(1) => return Err(ArenaError::Interrupted),
                Ok(0) => return Ok(None),
                Ok(_) => {}
            }
        }
    }

    /// Keeps the whole match for the page.
    pub(super) fn keep(&self, whole: Arc<str>) {
        self.told().whole = Some(whole);
    }

    /// The whole match; `None` before its end.
    pub(super) fn whole(&self) -> Option<Arc<str>> {
        self.told().whole.clone()
    }

    /// Tells the page that nothing more will come, and where the record is. A match that has no end yet was broken off.
    pub fn close(&self, record: Option<String>) {
        self.end_question();
        self.0.log.break_off(MATCH);
        self.tell(|_| Question::End { record });
    }

    /// Ends the stream of the page.
    pub(super) fn end_stream(&self) {
        self.0.log.close();
    }

    /// Waits until no page is open.
    pub(super) async fn viewers_gone(&self) {
        self.0.log.viewers_gone().await;
    }

    /// Passes a request of the page on to the player, and gives its answer.
    pub(super) async fn submit(&self, given: Given) -> Verdict {
        let (answer, verdict) = oneshot::channel();
        {
            let mut inbox = self.inbox();
            if inbox.open != Some(given.ask) {
                return Verdict::refused(LATE);
            }
            if inbox.waiting.len() >= MOST_WAITING {
                return Verdict::refused("there are too many requests at the same time");
            }
            inbox.waiting.push_back(Submission { given, answer });
        }
        self.0.arrival.raise();
        verdict.await.unwrap_or_else(|_| Verdict::refused(LATE))
    }

    /// The pieces and the questions for a page, as they come. The stream ends when the page closes it, or when the seat is removed:
    /// until then, the page may have something to fetch.
    pub(super) fn events(&self, headers: &HeaderMap) -> Response {
        self.0.log.response(headers, |_| true)
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        lock(&self.0.told)
    }

    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        lock(&self.0.inbox)
    }
}

/// The answer to a request that comes too late.
const LATE: &str = "this is not asked any more";
