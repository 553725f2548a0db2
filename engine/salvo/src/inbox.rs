//! The inbox: messages of clients that the server has not read yet. Its size is limited, so that a flood costs little
//! memory.

use crate::admin::{ADMIN_USER, command_topic};
use platform::locks::lock;
use rules::salvo::{ShipKind, ShipTopic, Topic, Topics};
use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

/// The most waiting messages of one sender. All unknown senders count as one; but for placements, each team whose ship
/// is placed counts as a sender.
const MAX_PER_SENDER: usize = 16;
/// The most waiting messages.
const MAX_MESSAGES: usize = 512;
/// The most bytes of a message. The longest valid one is a shot with its signature.
pub(crate) const MAX_MESSAGE_BYTES: usize = 4096;

/// A message of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IncomingMessage {
    pub(crate) subject: Subject,
    pub(crate) body: String,
    /// The team of the connection; `None` if the broker does not tell, or the client has not identified itself.
    pub(crate) from: Option<String>,
    /// The address of the sender; `None` if the broker does not tell.
    pub(crate) address: Option<IpAddr>,
}

/// The subject of a message, which its topic names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A request to take part.
    Request,
    /// The place of this player's ship; with the spelling of its name in the topic, if that is not the usual one.
    Place { player: String, ship: ShipKind, spelling: Option<String> },
    /// The place of something of this player that is not a ship.
    PlaceOfNoShip { player: String, named: String },
    /// A shot at the player of this name.
    Fire { target: String },
    /// A command of the administrator.
    Admin,
}

/// The reason why a message was not taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Rejected {
    #[error("a message has at most {MAX_MESSAGE_BYTES} bytes")]
    TooLong,
    #[error("a message is UTF-8")]
    NotText,
    #[error("too many messages at once: send one, and wait until it is answered")]
    Full,
}

impl Subject {
    /// The subject of a topic; `None` for topics that only the server writes.
    pub(crate) fn of(topics: &Topics, name: &str) -> Option<Subject> {
        if name == command_topic(topics) {
            return Some(Subject::Admin);
        }
        if let Some((player, named)) = topics.place_of_no_ship(name) {
            return Some(Subject::PlaceOfNoShip { player: player.to_owned(), named: named.to_owned() });
        }
        match topics.parse(name)? {
            Topic::Request => Some(Subject::Request),
            Topic::Ship { player, ship, what: ShipTopic::Place } => {
                let spelling = topics.ship_spelling(name).map(str::to_owned);
                Some(Subject::Place { player: player.to_owned(), ship, spelling })
            }
            Topic::Fire { target } => Some(Subject::Fire { target: target.to_owned() }),
            _ => None,
        }
    }

    /// The player whose ship is placed, or the administrator.
    fn owner(&self) -> Option<&str> {
        match self {
            Subject::Place { player, .. } | Subject::PlaceOfNoShip { player, .. } => Some(player),
            Subject::Admin => Some(ADMIN_USER),
            Subject::Request | Subject::Fire { .. } => None,
        }
    }
}

impl IncomingMessage {
    /// Checks length and encoding of a message.
    pub(crate) fn read(subject: Subject, body: &[u8], from: Option<String>) -> Result<IncomingMessage, Rejected> {
        if body.len() > MAX_MESSAGE_BYTES {
            return Err(Rejected::TooLong);
        }
        let body = std::str::from_utf8(body).map_err(|_| Rejected::NotText)?.to_owned();
        Ok(IncomingMessage { subject, body, from, address: None })
    }
}

/// The waiting messages. Any thread may put messages in; the server takes them out.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Queue {
    /// The messages with their times of arrival.
    messages: VecDeque<(Instant, IncomingMessage)>,
    closed: bool,
}

/// The result of waiting for a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NextMessage {
    Message(IncomingMessage),
    TimeUp,
    Closed,
}

impl Inbox {
    /// Puts a message in.
    pub(crate) fn put(&self, message: IncomingMessage) -> Result<(), Rejected> {
        let mut queue = lock(&self.queue);
        let is_same =
            |other: &IncomingMessage| other.from == message.from && other.subject.owner() == message.subject.owner();
        let same = queue.messages.iter().filter(|(_, other)| is_same(other)).count();
        if same >= MAX_PER_SENDER || queue.messages.len() >= MAX_MESSAGES {
            return Err(Rejected::Full);
        }
        queue.messages.push_back((Instant::now(), message));
        self.changed.notify_all();
        Ok(())
    }

    /// Waits for the next message that arrives before `until`. Messages of `first` and of the administrator precede those of other teams, and
    /// those precede messages of unknown senders. Messages that arrive later stay for the next call: a flood cannot
    /// extend the time.
    pub(crate) fn take(&self, first: Option<&str>, until: Option<Instant>) -> NextMessage {
        self.take_before(first, || until)
    }

    /// As [`Inbox::take`], with a deadline that may change. [`Inbox::recheck`] lets it be asked again.
    pub(crate) fn take_before(&self, first: Option<&str>, until: impl Fn() -> Option<Instant>) -> NextMessage {
        let mut queue = lock(&self.queue);
        loop {
            if queue.closed {
                return NextMessage::Closed;
            }
            let until = until();
            let rank = |message: &IncomingMessage| match &message.from {
                Some(from) if Some(from.as_str()) == first || from == ADMIN_USER => 0,
                Some(_) => 1,
                None => 2,
            };
            let in_time = |came: Instant| until.is_none_or(|until| came <= until);
            let messages = queue.messages.iter().enumerate().filter(|(_, (came, _))| in_time(*came));
            // Among messages of the same rank the oldest comes first.
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

    /// Lets everyone who waits ask again for the deadline.
    pub(crate) fn recheck(&self) {
        let _queue = lock(&self.queue);
        self.changed.notify_all();
    }

    /// True if a message of this team waits.
    pub(crate) fn has_message_of(&self, team: &str) -> bool {
        lock(&self.queue).messages.iter().any(|(_, message)| message.from.as_deref() == Some(team))
    }

    /// Closes the inbox: nobody waits any more.
    pub(crate) fn close(&self) {
        lock(&self.queue).closed = true;
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

    fn body(next: NextMessage) -> String {
        match next {
            NextMessage::Message(message) => message.body,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn the_current_player_comes_first_and_unknown_senders_last() {
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
        assert_eq!(taken, MAX_PER_SENDER);
        assert_eq!(inbox.put(message(Some("A"), "shot")), Ok(()));
        assert_eq!(body(inbox.take(Some("A"), None)), "shot");
        let many = (0..1000).filter(|n| inbox.put(message(Some(&format!("team {n}")), "hello")).is_ok()).count();
        assert_eq!(many, MAX_MESSAGES - MAX_PER_SENDER);
    }

    #[test]
    fn waiting_ends_with_a_message_the_deadline_or_the_end() {
        let inbox = Arc::new(Inbox::default());
        assert_eq!(inbox.take(None, Some(Instant::now())), NextMessage::TimeUp);
        let waits = thread::spawn({
            let inbox = Arc::clone(&inbox);
            move || [body(inbox.take(None, None)), body(inbox.take(None, None))]
        });
        inbox.put(message(None, "here")).unwrap();
        inbox.close();
        // The inbox may be closed before the first message is taken.
        let seen = waits.join().unwrap();
        assert!(seen == ["here", "Closed"] || seen == ["Closed", "Closed"], "{seen:?}");
    }

    #[test]
    fn a_message_after_the_deadline_stays_for_the_next_call() {
        let inbox = Inbox::default();
        inbox.put(message(Some("A"), "in time")).unwrap();
        let until = Some(Instant::now());
        inbox.put(message(Some("A"), "late")).unwrap();
        assert_eq!(body(inbox.take(Some("A"), until)), "in time");
        assert_eq!(inbox.take(Some("A"), until), NextMessage::TimeUp);
        assert_eq!(body(inbox.take(None, None)), "late");
    }

    #[test]
    fn messages_are_short_texts_on_topics_that_clients_write() {
        assert_eq!(IncomingMessage::read(Subject::Request, &[0xff], None), Err(Rejected::NotText));
        let long = [b' '; MAX_MESSAGE_BYTES + 1];
        assert_eq!(IncomingMessage::read(Subject::Request, &long, None), Err(Rejected::TooLong));
        let topics = Topics::default();
        assert_eq!(Subject::of(&topics, "/game/request_participation"), Some(Subject::Request));
        assert_eq!(Subject::of(&topics, "/players/A/fire"), Some(Subject::Fire { target: "A".to_owned() }));
        let place = |spelling: Option<&str>| {
            let spelling = spelling.map(str::to_owned);
            Some(Subject::Place { player: "A".to_owned(), ship: ShipKind::Carrier, spelling })
        };
        assert_eq!(Subject::of(&topics, "/players/A/ships/carrier/place"), place(None));
        assert_eq!(Subject::of(&topics, "/players/A/ships/Carrier/place"), place(Some("Carrier")));
        let no_ship = Subject::PlaceOfNoShip { player: "A".to_owned(), named: "raft".to_owned() };
        assert_eq!(Subject::of(&topics, "/players/A/ships/raft/place"), Some(no_ship));
        for other in ["/game/state", "/players/A/hit", "/players/A/ships/carrier/sunk", "/x", ""] {
            assert_eq!(Subject::of(&topics, other), None, "{other}");
        }
    }
}
