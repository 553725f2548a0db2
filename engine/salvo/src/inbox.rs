//! The inbox: what clients have sent and the server has not looked at yet. It is small, so that a flood fills it and
//! nothing else.

use rules::salvo::{ShipKind, ShipTopic, Topic, Topics};
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The most messages that wait of one sender. Those whose sender is not known are one sender, but for placements: there each
/// team that they are about is.
const OF_ONE: usize = 16;
/// The most messages that wait at all.
const MOST: usize = 512;
/// The most bytes that a message may have: the longest that makes sense is a shot with its signature.
pub(crate) const LONGEST: usize = 4096;

/// A message of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IncomingMessage {
    pub(crate) subject: Subject,
    pub(crate) body: String,
    /// The team that its connection has shown to be; `None` where the broker does not tell, or the client did not.
    pub(crate) from: Option<String>,
}

/// What a message is about, by its topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Subject {
    /// Somebody wants to play.
    Request,
    /// Where a ship is to lie.
    Place {
        /// Whose ship.
        player: String,
        /// Which ship.
        ship: ShipKind,
    },
    /// A shot.
    Fire {
        /// At whom.
        target: String,
    },
}

/// Why a message was not taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Rejected {
    /// It is too long.
    #[error("a message has at most {LONGEST} bytes")]
    TooLong,
    /// It is no text.
    #[error("a message is UTF-8")]
    NoText,
    /// Too many are queue.
    #[error("too many messages at once: send one, and wait until it is answered")]
    Full,
}

impl Subject {
    /// What a topic of clients is about; `None` for those that only the server writes.
    pub(crate) fn of(topics: &Topics, name: &str) -> Option<Subject> {
        match topics.parse(name)? {
            Topic::Request => Some(Subject::Request),
            Topic::Ship { player, ship, what: ShipTopic::Place } => {
                Some(Subject::Place { player: player.to_owned(), ship })
            }
            Topic::Fire { target } => Some(Subject::Fire { target: target.to_owned() }),
            _ => None,
        }
    }
}

impl Subject {
    /// The team whose board it is about.
    fn owner(&self) -> Option<&str> {
        match self {
            Subject::Place { player, .. } => Some(player),
            Subject::Request | Subject::Fire { .. } => None,
        }
    }
}

impl IncomingMessage {
    /// A message as it came.
    pub(crate) fn read(subject: Subject, body: &[u8], from: Option<String>) -> Result<IncomingMessage, Rejected> {
        if body.len() > LONGEST {
            return Err(Rejected::TooLong);
        }
        let body = std::str::from_utf8(body).map_err(|_| Rejected::NoText)?.to_owned();
        Ok(IncomingMessage { subject, body, from })
    }
}

/// What clients have sent.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Queue {
    /// With when they came.
    messages: VecDeque<(Instant, IncomingMessage)>,
    closed: bool,
}

/// What became of queue for a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NextMessage {
    /// Here is one.
    Message(IncomingMessage),
    /// The time is up.
    TimeUp,
    /// No more will come.
    Closed,
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a message in.
    pub(crate) fn put(&self, message: IncomingMessage) -> Result<(), Rejected> {
        let mut queue = self.lock();
        let is_same =
            |other: &IncomingMessage| other.from == message.from && other.subject.owner() == message.subject.owner();
        let same = queue.messages.iter().filter(|(_, other)| is_same(other)).count();
        if same >= OF_ONE || queue.messages.len() >= MOST {
            return Err(Rejected::Full);
        }
        queue.messages.push_back((Instant::now(), message));
        self.changed.notify_all();
        Ok(())
    }

    /// The next message that came in time: that of `first` before those of all others, then those of known senders. Whoever keeps
    /// sending cannot hold the time up: what comes later is for the next to wait.
    pub(crate) fn take(&self, first: Option<&str>, until: Option<Instant>) -> NextMessage {
        let mut queue = self.lock();
        loop {
            if queue.closed {
                return NextMessage::Closed;
            }
            let rank = |message: &IncomingMessage| match &message.from {
                Some(from) if Some(from.as_str()) == first => 0,
                Some(_) => 1,
                None => 2,
            };
            let in_time = |came: Instant| until.is_none_or(|until| came <= until);
            let messages = queue.messages.iter().enumerate().filter(|(_, (came, _))| in_time(*came));
            // Of those with the same rank the one that came first.
            let next = messages.min_by_key(|(_, (_, message))| rank(message)).map(|(at, _)| at);
            if let Some((_, message)) = next.and_then(|at| queue.messages.remove(at)) {
                return NextMessage::Message(message);
            }
            queue = match until {
                None => self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner),
                Some(until) => {
                    let Some(left) = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) else {
                        return NextMessage::TimeUp;
                    };
                    self.changed.wait_timeout(queue, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// Nobody waits any more.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::thread;

    fn message(from: Option<&str>, body: &str) -> IncomingMessage {
        IncomingMessage::read(Subject::Request, body.as_bytes(), from.map(str::to_owned)).unwrap()
    }

    fn body(post: NextMessage) -> String {
        match post {
            NextMessage::Message(message) => message.body,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn who_is_awaited_comes_first_and_strangers_last() {
        let inbox = Inbox::default();
        for (from, text) in [(None, "1"), (Some("A"), "2"), (Some("B"), "3"), (Some("B"), "4"), (None, "5")] {
            inbox.put(message(from, text)).unwrap();
        }
        let order: Vec<String> = (0..5).map(|_| body(inbox.take(Some("B"), None))).collect();
        assert_eq!(order, ["3", "4", "2", "1", "5"]);
    }

    #[test]
    fn a_flood_leaves_room_for_others() {
        let inbox = Inbox::default();
        let taken = (0..1000).filter(|_| inbox.put(message(None, "flood")).is_ok()).count();
        assert_eq!(taken, OF_ONE);
        assert_eq!(inbox.put(message(Some("A"), "shot")), Ok(()));
        assert_eq!(body(inbox.take(Some("A"), None)), "shot");
        let many = (0..1000).filter(|n| inbox.put(message(Some(&format!("team {n}")), "hello")).is_ok()).count();
        assert_eq!(many, MOST - OF_ONE);
    }

    #[test]
    fn waiting_ends_with_a_letter_the_time_or_the_end() {
        let inbox = Arc::new(Inbox::default());
        assert_eq!(inbox.take(None, Some(Instant::now())), NextMessage::TimeUp);
        let waits = thread::spawn({
            let inbox = Arc::clone(&inbox);
            move || [body(inbox.take(None, None)), body(inbox.take(None, None))]
        });
        inbox.put(message(None, "here")).unwrap();
        inbox.close();
        // The first may come after the end, too, and then it is not looked at any more.
        let seen = waits.join().unwrap();
        assert!(seen == ["here", "Closed"] || seen == ["Closed", "Closed"], "{seen:?}");
    }

    #[test]
    fn a_letter_that_came_too_late_is_for_the_next() {
        let inbox = Inbox::default();
        inbox.put(message(Some("A"), "in time")).unwrap();
        let until = Some(Instant::now());
        inbox.put(message(Some("A"), "late")).unwrap();
        assert_eq!(body(inbox.take(Some("A"), until)), "in time");
        assert_eq!(inbox.take(Some("A"), until), NextMessage::TimeUp);
        assert_eq!(body(inbox.take(None, None)), "late");
    }

    #[test]
    fn letters_are_short_texts_on_topics_of_clients() {
        assert_eq!(IncomingMessage::read(Subject::Request, &[0xff], None), Err(Rejected::NoText));
        assert_eq!(IncomingMessage::read(Subject::Request, &[b' '; LONGEST + 1], None), Err(Rejected::TooLong));
        let topics = Topics::default();
        assert_eq!(Subject::of(&topics, "/game/request_participation"), Some(Subject::Request));
        assert_eq!(Subject::of(&topics, "/players/A/fire"), Some(Subject::Fire { target: "A".to_owned() }));
        let place = Subject::Place { player: "A".to_owned(), ship: ShipKind::Carrier };
        assert_eq!(Subject::of(&topics, "/players/A/ships/carrier/place"), Some(place));
        for other in ["/game/state", "/players/A/hit", "/players/A/ships/carrier/sunk", "/x", ""] {
            assert_eq!(Subject::of(&topics, other), None, "{other}");
        }
    }
}
