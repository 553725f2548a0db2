//! The postbox: what clients have sent and the server has not looked at yet. It is small, so that a flood fills it and
//! nothing else.

use rules::salvo::{ShipKind, ShipTopic, Topic, Topics};
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The most letters that wait of one sender. Those whose sender is not known are one sender, but for placements: there each
/// team that they are about is.
const OF_ONE: usize = 16;
/// The most letters that wait at all.
const MOST: usize = 512;
/// The most bytes that a letter may have: the longest that makes sense is a shot with its signature.
pub(crate) const LONGEST: usize = 4096;

/// A message of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Letter {
    pub(crate) about: About,
    pub(crate) body: String,
    /// The team that its connection has shown to be; `None` where the broker does not tell, or the client did not.
    pub(crate) from: Option<String>,
}

/// What a letter is about, by its topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum About {
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

/// Why a letter was not taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Returned {
    /// It is too long.
    #[error("a message has at most {LONGEST} bytes")]
    TooLong,
    /// It is no text.
    #[error("a message is UTF-8")]
    NoText,
    /// Too many are waiting.
    #[error("too many messages at once: send one, and wait until it is answered")]
    Full,
}

impl About {
    /// What a topic of clients is about; `None` for those that only the server writes.
    pub(crate) fn of(topics: &Topics, name: &str) -> Option<About> {
        match topics.parse(name)? {
            Topic::Request => Some(About::Request),
            Topic::Ship { player, ship, what: ShipTopic::Place } => {
                Some(About::Place { player: player.to_owned(), ship })
            }
            Topic::Fire { target } => Some(About::Fire { target: target.to_owned() }),
            _ => None,
        }
    }
}

impl About {
    /// The team whose board it is about.
    fn owner(&self) -> Option<&str> {
        match self {
            About::Place { player, .. } => Some(player),
            About::Request | About::Fire { .. } => None,
        }
    }
}

impl Letter {
    /// A message as it came.
    pub(crate) fn read(about: About, body: &[u8], from: Option<String>) -> Result<Letter, Returned> {
        if body.len() > LONGEST {
            return Err(Returned::TooLong);
        }
        let body = std::str::from_utf8(body).map_err(|_| Returned::NoText)?.to_owned();
        Ok(Letter { about, body, from })
    }
}

/// What clients have sent.
#[derive(Debug, Default)]
pub(crate) struct Postbox {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    /// With when they came.
    letters: VecDeque<(Instant, Letter)>,
    closed: bool,
}

/// What became of waiting for a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Post {
    /// Here is one.
    Letter(Letter),
    /// The time is up.
    TimeUp,
    /// No more will come.
    Closed,
}

impl Postbox {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a letter in.
    pub(crate) fn put(&self, letter: Letter) -> Result<(), Returned> {
        let mut waiting = self.lock();
        let is_same = |other: &Letter| other.from == letter.from && other.about.owner() == letter.about.owner();
        let same = waiting.letters.iter().filter(|(_, other)| is_same(other)).count();
        if same >= OF_ONE || waiting.letters.len() >= MOST {
            return Err(Returned::Full);
        }
        waiting.letters.push_back((Instant::now(), letter));
        self.changed.notify_all();
        Ok(())
    }

    /// The next letter that came in time: that of `first` before those of all others, then those of known senders. Whoever keeps
    /// sending cannot hold the time up: what comes later is for the next to wait.
    pub(crate) fn take(&self, first: Option<&str>, until: Option<Instant>) -> Post {
        let mut waiting = self.lock();
        loop {
            if waiting.closed {
                return Post::Closed;
            }
            let rank = |letter: &Letter| match &letter.from {
                Some(from) if Some(from.as_str()) == first => 0,
                Some(_) => 1,
                None => 2,
            };
            let in_time = |came: Instant| until.is_none_or(|until| came <= until);
            let letters = waiting.letters.iter().enumerate().filter(|(_, (came, _))| in_time(*came));
            // Of those with the same rank the one that came first.
            let next = letters.min_by_key(|(_, (_, letter))| rank(letter)).map(|(at, _)| at);
            if let Some((_, letter)) = next.and_then(|at| waiting.letters.remove(at)) {
                return Post::Letter(letter);
            }
            waiting = match until {
                None => self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner),
                Some(until) => {
                    let Some(left) = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) else {
                        return Post::TimeUp;
                    };
                    self.changed.wait_timeout(waiting, left).unwrap_or_else(PoisonError::into_inner).0
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

    fn letter(from: Option<&str>, body: &str) -> Letter {
        Letter::read(About::Request, body.as_bytes(), from.map(str::to_owned)).unwrap()
    }

    fn body(post: Post) -> String {
        match post {
            Post::Letter(letter) => letter.body,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn who_is_awaited_comes_first_and_strangers_last() {
        let postbox = Postbox::default();
        for (from, text) in [(None, "1"), (Some("A"), "2"), (Some("B"), "3"), (Some("B"), "4"), (None, "5")] {
            postbox.put(letter(from, text)).unwrap();
        }
        let order: Vec<String> = (0..5).map(|_| body(postbox.take(Some("B"), None))).collect();
        assert_eq!(order, ["3", "4", "2", "1", "5"]);
    }

    #[test]
    fn a_flood_leaves_room_for_others() {
        let postbox = Postbox::default();
        let taken = (0..1000).filter(|_| postbox.put(letter(None, "flood")).is_ok()).count();
        assert_eq!(taken, OF_ONE);
        assert_eq!(postbox.put(letter(Some("A"), "shot")), Ok(()));
        assert_eq!(body(postbox.take(Some("A"), None)), "shot");
        let many = (0..1000).filter(|n| postbox.put(letter(Some(&format!("team {n}")), "hello")).is_ok()).count();
        assert_eq!(many, MOST - OF_ONE);
    }

    #[test]
    fn waiting_ends_with_a_letter_the_time_or_the_end() {
        let postbox = Arc::new(Postbox::default());
        assert_eq!(postbox.take(None, Some(Instant::now())), Post::TimeUp);
        let waits = thread::spawn({
            let postbox = Arc::clone(&postbox);
            move || [body(postbox.take(None, None)), body(postbox.take(None, None))]
        });
        postbox.put(letter(None, "here")).unwrap();
        postbox.close();
        // The first may come after the end, too, and then it is not looked at any more.
        let seen = waits.join().unwrap();
        assert!(seen == ["here", "Closed"] || seen == ["Closed", "Closed"], "{seen:?}");
    }

    #[test]
    fn a_letter_that_came_too_late_is_for_the_next() {
        let postbox = Postbox::default();
        postbox.put(letter(Some("A"), "in time")).unwrap();
        let until = Some(Instant::now());
        postbox.put(letter(Some("A"), "late")).unwrap();
        assert_eq!(body(postbox.take(Some("A"), until)), "in time");
        assert_eq!(postbox.take(Some("A"), until), Post::TimeUp);
        assert_eq!(body(postbox.take(None, None)), "late");
    }

    #[test]
    fn letters_are_short_texts_on_topics_of_clients() {
        assert_eq!(Letter::read(About::Request, &[0xff], None), Err(Returned::NoText));
        assert_eq!(Letter::read(About::Request, &[b' '; LONGEST + 1], None), Err(Returned::TooLong));
        let topics = Topics::default();
        assert_eq!(About::of(&topics, "/game/request_participation"), Some(About::Request));
        assert_eq!(About::of(&topics, "/players/A/fire"), Some(About::Fire { target: "A".to_owned() }));
        let place = About::Place { player: "A".to_owned(), ship: ShipKind::Carrier };
        assert_eq!(About::of(&topics, "/players/A/ships/carrier/place"), Some(place));
        for other in ["/game/state", "/players/A/hit", "/players/A/ships/carrier/sunk", "/x", ""] {
            assert_eq!(About::of(&topics, other), None, "{other}");
        }
    }
}
