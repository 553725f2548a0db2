//! The remote_player sits in a seat for a team: it takes the team's next valid shot out of the inbox, before the salvo's time is
//! up, and drops everything else.

use crate::cipher::{Cipher, Envelope};
use crate::inbox::{Inbox, IncomingMessage, NextMessage, Subject};
use crate::publisher::Publisher;
use crate::teams::Credentials;
use arena::{ArenaError, Ask, Player, Reply, TimeUsed};
use log::debug;
use rules::salvo::{Messages, Order, Placement, Salvo, body};
use rules::{BySeat, Fault, Seat};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What all remote_players of a match share.
pub(crate) struct MatchContext {
    pub(crate) inbox: Arc<Inbox>,
    pub(crate) publisher: Arc<Publisher>,
    pub(crate) names: BySeat<String>,
    /// How long a salvo may take.
    pub(crate) limit: Duration,
    /// There is one for the whole match, so that no flood can make more than one key at a time.
    pub(crate) cipher: Mutex<Cipher>,
    /// The signatures that were used already.
    pub(crate) used: Mutex<HashSet<[u8; 56]>>,
}

impl MatchContext {
    fn seat(&self, name: &str) -> Option<Seat> {
        self.names.iter().find(|(_, known)| *known == name).map(|(seat, _)| seat)
    }
}

/// A player whose team is somewhere in the network.
pub(crate) struct RemotePlayer {
    context: Arc<MatchContext>,
    team: Credentials,
    fleet: Vec<Placement>,
    /// When the salvo's time is up.
    until: Option<Instant>,
}

/// Why a message is dropped, for who sent it.
#[derive(Debug, thiserror::Error)]
enum DropReason {
    #[error("it is the turn of {0}")]
    OffTurn(String),
    #[error("there is no player {0:?}")]
    NoTarget(String),
    #[error("{0}")]
    Unreadable(String),
    #[error("the signature: {0}")]
    Signature(#[from] crate::cipher::CipherError),
    #[error("the signature is that of another shot")]
    OtherShot,
    #[error("the signature was used before")]
    Used,
    #[error("{0}")]
    Illegal(String),
    #[error("ships can be placed in the lobby only")]
    TooLateToPlace,
}

impl RemotePlayer {
    pub(crate) fn new(context: &Arc<MatchContext>, team: Credentials, fleet: Vec<Placement>) -> RemotePlayer {
        RemotePlayer { context: Arc::clone(context), team, fleet, until: None }
    }

    /// The next shot of the team, or `None` when its time is up.
    fn shot(&self, ask: &Ask<'_, Salvo>, until: Instant) -> Result<Option<Order>, ArenaError> {
        loop {
            let message = match self.context.inbox.take(Some(&self.team.name), Some(until)) {
                NextMessage::Message(message) => message,
                NextMessage::TimeUp => return Ok(None),
                NextMessage::Closed => return Err(ArenaError::Interrupted),
            };
            let mut from = message.from.clone();
            match (self.read(&message, ask, &mut from), from) {
                (Ok(Some(order)), _) => return Ok(Some(order)),
                (Ok(None), _) => {}
                (Err(error), Some(from)) => self.context.publisher.complain(&from, &error),
                // It may be a late shot of somebody else: told to whose turn it is, it would only confuse.
                (Err(error), None) => debug!("{:?} from nobody known: {error}", message.subject),
            }
        }
    }

    /// The order in a message; `None` if it has none, but is no mistake. `from` is who sent it, as far as that is known or found out.
    fn read(
        &self,
        message: &IncomingMessage,
        ask: &Ask<'_, Salvo>,
        from: &mut Option<String>,
    ) -> Result<Option<Order>, DropReason> {
        let target = match &message.subject {
            Subject::Fire { target } => target,
            Subject::Place { .. } => return Err(DropReason::TooLateToPlace),
            // A client that comes again says who it is: the broker has looked at that. Others have to wait.
            Subject::Request => {
                if let (None, Ok(request)) = (&message.from, body::read_request(message.body.as_bytes())) {
                    self.context.publisher.refuse(&request.name, &"a game is being played");
                }
                return Ok(None);
            }
        };
        // What costs nothing to find out comes first: a key takes 64 MiB and some 50 ms.
        if message.from.as_ref().is_some_and(|from| *from != self.team.name) {
            return Err(DropReason::OffTurn(self.team.name.clone()));
        }
        let target = self.context.seat(target).ok_or_else(|| DropReason::NoTarget(target.clone()))?;
        let unreadable = |error: body::Unreadable| DropReason::Unreadable(error.to_string());
        let signed = body::read_signed(message.body.as_bytes()).map_err(unreadable)?;
        let at = body::shot_in(&signed).map_err(unreadable)?;
        let envelope = Envelope::read(&signed.signature)?;
        let used = || self.context.used.lock().unwrap_or_else(PoisonError::into_inner);
        if used().contains(&envelope.mark()) {
            return Err(DropReason::Used);
        }
        let mut cipher = self.context.cipher.lock().unwrap_or_else(PoisonError::into_inner);
        let copy = cipher.open(&envelope, self.team.secret.text())?;
        *from = Some(self.team.name.clone());
        if !signed.is_copied_in(&copy) {
            return Err(DropReason::OtherShot);
        }
        let order = Order::Fire { target, at };
        ask.check(&order).map_err(|illegal| DropReason::Illegal(illegal.to_string()))?;
        used().insert(envelope.mark());
        Ok(Some(order))
    }
}

impl Player<Salvo> for RemotePlayer {
    fn decide(&mut self, ask: &Ask<'_, Salvo>) -> Result<Reply<Order>, ArenaError> {
        let Some(salvo) = ask.view().salvo else {
            let order = Order::Place(self.fleet.clone());
            return Ok(Reply { given: Messages::answer(&order), answer: Ok(order), time: None, run: None });
        };
        let begun = Instant::now();
        if salvo.left == salvo.shots {
            self.until = None;
        }
        let limit = self.context.limit;
        let until = *self.until.get_or_insert(begun + limit);
        let order = self.shot(ask, until)?;
        let time = Some(TimeUsed { wall: begun.elapsed(), cpu: None });
        Ok(match order {
            Some(order) => Reply { given: Messages::answer(&order), answer: Ok(order), time, run: None },
            None => Reply { answer: Err(Fault::TimedOut { used: limit, limit }), given: Vec::new(), time, run: None },
        })
    }
}
