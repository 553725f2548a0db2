//! The gunner sits in a seat for a team: it takes the team's next valid shot out of the postbox, before the salvo's time is
//! up, and drops everything else.

use crate::cipher::{Cipher, Envelope};
use crate::herald::Herald;
use crate::postbox::{About, Letter, Post, Postbox};
use crate::teams::Credentials;
use arena::{ArenaError, Ask, Player, Reply, TimeUsed};
use log::debug;
use rules::salvo::{Order, Placement, Salvo, body};
use rules::{BySeat, Fault, Listed, Seat};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What all gunners of a match share.
pub(crate) struct Deck {
    pub(crate) postbox: Arc<Postbox>,
    pub(crate) herald: Arc<Herald>,
    pub(crate) names: BySeat<String>,
    /// How long a salvo may take.
    pub(crate) limit: Duration,
    /// There is one for the whole match, so that no flood can make more than one key at a time.
    pub(crate) cipher: Mutex<Cipher>,
    /// The signatures that were used already.
    pub(crate) used: Mutex<HashSet<[u8; 56]>>,
}

impl Deck {
    fn seat(&self, name: &str) -> Option<Seat> {
        self.names.iter().find(|(_, known)| *known == name).map(|(seat, _)| seat)
    }
}

/// A player whose team is somewhere in the network.
pub(crate) struct Gunner {
    deck: Arc<Deck>,
    team: Credentials,
    fleet: Vec<Placement>,
    /// When the salvo's time is up.
    until: Option<Instant>,
}

/// Why a message is dropped, for who sent it.
#[derive(Debug, thiserror::Error)]
enum Dropped {
    #[error("it is the turn of {0}")]
    OffTurn(String),
    #[error("there is no player {0:?}")]
    NoTarget(String),
    #[error("{0}")]
    Unreadable(String),
    #[error("the signature: {0}")]
    Signature(#[from] crate::cipher::Sealed),
    #[error("the signature is that of another shot")]
    OtherShot,
    #[error("the signature was used before")]
    Used,
    #[error("{0}")]
    Illegal(String),
    #[error("ships can be placed in the lobby only")]
    TooLateToPlace,
}

impl Gunner {
    pub(crate) fn new(deck: &Arc<Deck>, team: Credentials, fleet: Vec<Placement>) -> Gunner {
        Gunner { deck: Arc::clone(deck), team, fleet, until: None }
    }

    /// The next shot of the team, or `None` when its time is up.
    fn shot(&self, ask: &Ask<'_, Salvo>, until: Instant) -> Result<Option<Order>, ArenaError> {
        loop {
            let letter = match self.deck.postbox.take(Some(&self.team.name), Some(until)) {
                Post::Letter(letter) => letter,
                Post::TimeUp => return Ok(None),
                Post::Closed => return Err(ArenaError::Interrupted),
            };
            let mut from = letter.from.clone();
            match (self.read(&letter, ask, &mut from), from) {
                (Ok(Some(order)), _) => return Ok(Some(order)),
                (Ok(None), _) => {}
                (Err(error), Some(from)) => self.deck.herald.complain(&from, &error),
                // It may be a late shot of somebody else: told to whose turn it is, it would only confuse.
                (Err(error), None) => debug!("{:?} from nobody known: {error}", letter.about),
            }
        }
    }

    /// The order in a letter; `None` if it has none, but is no mistake. `from` is who sent it, as far as that is known or found out.
    fn read(&self, letter: &Letter, ask: &Ask<'_, Salvo>, from: &mut Option<String>) -> Result<Option<Order>, Dropped> {
        let target = match &letter.about {
            About::Fire { target } => target,
            About::Place { .. } => return Err(Dropped::TooLateToPlace),
            // A client that comes again says who it is: the broker has looked at that. Others have to wait.
            About::Request => {
                if let (None, Ok(request)) = (&letter.from, body::read_request(letter.body.as_bytes())) {
                    self.deck.herald.refuse(&request.name, &"a game is being played");
                }
                return Ok(None);
            }
        };
        // What costs nothing to find out comes first: a key takes 64 MiB and some 50 ms.
        if letter.from.as_ref().is_some_and(|from| *from != self.team.name) {
            return Err(Dropped::OffTurn(self.team.name.clone()));
        }
        let target = self.deck.seat(target).ok_or_else(|| Dropped::NoTarget(target.clone()))?;
        let unreadable = |error: body::Unreadable| Dropped::Unreadable(error.to_string());
        let signed = body::read_signed(letter.body.as_bytes()).map_err(unreadable)?;
        let at = body::shot_in(&signed).map_err(unreadable)?;
        let envelope = Envelope::read(&signed.signature)?;
        let used = || self.deck.used.lock().unwrap_or_else(PoisonError::into_inner);
        if used().contains(&envelope.mark()) {
            return Err(Dropped::Used);
        }
        let mut cipher = self.deck.cipher.lock().unwrap_or_else(PoisonError::into_inner);
        let copy = cipher.open(&envelope, self.team.secret.text())?;
        *from = Some(self.team.name.clone());
        if !signed.is_copied_in(&copy) {
            return Err(Dropped::OtherShot);
        }
        let order = Order::Fire { target, at };
        ask.check(&order).map_err(|illegal| Dropped::Illegal(illegal.to_string()))?;
        used().insert(envelope.mark());
        Ok(Some(order))
    }
}

impl Player<Salvo> for Gunner {
    fn decide(&mut self, ask: &Ask<'_, Salvo>) -> Result<Reply<Order>, ArenaError> {
        let Some(salvo) = ask.view().salvo else {
            let order = Order::Place(self.fleet.clone());
            return Ok(Reply { given: Salvo::write(&order), answer: Ok(order), time: None, run: None });
        };
        let begun = Instant::now();
        if salvo.left == salvo.shots {
            self.until = None;
        }
        let limit = self.deck.limit;
        let until = *self.until.get_or_insert(begun + limit);
        let order = self.shot(ask, until)?;
        let time = Some(TimeUsed { wall: begun.elapsed(), cpu: None });
        Ok(match order {
            Some(order) => Reply { given: Salvo::write(&order), answer: Ok(order), time, run: None },
            None => Reply { answer: Err(Fault::TimedOut { used: limit, limit }), given: Vec::new(), time, run: None },
        })
    }
}
