//! A player whose team connects over MQTT: takes the team's next valid shot from the inbox before the deadline, and
//! drops all other messages.

use crate::admin::{AdminCommand, Administration};
use crate::attendance::{Attendance, Call};
use crate::cipher::{Cipher, Envelope};
use crate::inbox::{Inbox, IncomingMessage, NextMessage, Subject};
use crate::journal::{Journal, ServerJournalLine};
use crate::publisher::Publisher;
use crate::teams::{Credentials, key};
use arena::{ArenaError, Ask, Player, Reply, TimeUsed};
use log::debug;
use platform::locks::lock;
use rules::Listed;
use rules::salvo::{Order, Placement, Salvo, body};
use rules::{Answer, BySeat, Fault, Seat, counted, printable};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The state that all remote players of a match share.
pub(crate) struct MatchContext {
    pub(crate) inbox: Arc<Inbox>,
    pub(crate) publisher: Arc<Publisher>,
    pub(crate) names: BySeat<String>,
    pub(crate) attendance: Attendance,
    pub(crate) administration: Arc<Administration>,
    pub(crate) journal: Arc<Mutex<Journal>>,
    /// True once the administrator has ended the match.
    pub(crate) is_ended: AtomicBool,
    /// One cipher for the match, so that no more than one key is derived at a time.
    pub(crate) cipher: Mutex<Cipher>,
    /// The marks of the signatures that have counted.
    pub(crate) used: Mutex<HashSet<[u8; 56]>>,
}

impl MatchContext {
    fn seat(&self, name: &str) -> Option<Seat> {
        self.names.iter().find(|(_, known)| *known == name).map(|(seat, _)| seat)
    }

    /// The seat of the team of this name, and the name as the team writes it, whatever the case of the letters.
    fn team(&self, name: &str) -> Option<(Seat, &String)> {
        self.names.iter().find(|(_, known)| key(known) == key(name))
    }

    /// Carries out a command of the administrator during a match.
    fn obey(&self, message: &IncomingMessage) -> Result<(), ArenaError> {
        let Some(opened) = self.administration.read(message) else { return Ok(()) };
        let result = match &opened.command {
            AdminCommand::Kick { team } => match self.team(team) {
                Some((seat, name)) if self.attendance.is_out(seat) => {
                    Err(format!("{name} is out of the match already"))
                }
                Some((seat, name)) => {
                    lock(&self.journal).write(&ServerJournalLine::Kicked { name: name.clone() })?;
                    self.attendance.kick(seat);
                    Ok(format!("{name} is out of the match at its next salvo"))
                }
                None => Err(format!("there is no team {team:?} in the match")),
            },
            AdminCommand::End => {
                lock(&self.journal).write(&ServerJournalLine::Ended)?;
                self.is_ended.store(true, Ordering::Relaxed);
                Ok("the match is ended without a winner".to_owned())
            }
            AdminCommand::Start | AdminCommand::Open => Err("a match is being played; end it first".to_owned()),
        };
        self.administration.answer(opened, result);
        Ok(())
    }
}

/// A player whose team connects over MQTT.
pub(crate) struct RemotePlayer {
    context: Arc<MatchContext>,
    team: Credentials,
    fleet: Vec<Placement>,
    /// The beginning of the current salvo.
    begun: Instant,
}

/// The reason why a message is dropped, in words for its sender.
#[derive(Debug, thiserror::Error)]
enum DropReason {
    #[error("it is the turn of {0}")]
    OffTurn(String),
    #[error("there is no player {0:?}")]
    NoTarget(String),
    #[error(transparent)]
    Unreadable(#[from] body::Unreadable),
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

type ReadResult = Result<Option<Order>, DropReason>;

impl RemotePlayer {
    pub(crate) fn new(context: &Arc<MatchContext>, team: Credentials, fleet: Vec<Placement>) -> RemotePlayer {
        RemotePlayer { context: Arc::clone(context), team, fleet, begun: Instant::now() }
    }

    /// The next shot of the team, which is awaited since `asked`; a fault after the deadline or once the administrator has removed
    /// the team.
    fn shot(&self, ask: &Ask<'_, Salvo>, asked: Instant) -> Result<Answer<Order>, ArenaError> {
        let MatchContext { inbox, attendance, .. } = &*self.context;
        let deadline = || attendance.deadline(ask.seat, self.begun, asked);
        loop {
            let until = || Some(deadline().0);
            let message = match inbox.take_before(Some(&self.team.name), until) {
                NextMessage::Message(message) => message,
                NextMessage::TimeUp => return Ok(Err(deadline().1)),
                NextMessage::Closed => return Err(ArenaError::Interrupted),
            };
            if message.subject == Subject::Admin {
                self.context.obey(&message)?;
                if self.context.is_ended.load(Ordering::Relaxed) {
                    return Err(ArenaError::Interrupted);
                }
                if attendance.is_kicked(ask.seat) {
                    return Ok(Err(Fault::GaveUp));
                }
                continue;
            }
            let mut from = message.from.clone();
            if let Some(seat) = from.as_deref().and_then(|from| self.context.seat(from)) {
                attendance.has_sent(seat);
            }
            match (self.read(&message, ask, &mut from), from) {
                (Ok(Some(order)), _) => return Ok(Ok(order)),
                (Ok(None), _) => {}
                (Err(error), Some(from)) => self.context.publisher.complain(&from, &error),
                // The sender may be another team whose shot was late; an error to the current team would only confuse.
                (Err(error), None) => {
                    debug!("{}", printable(&format!("{:?} from an unknown sender: {error}", message.subject)));
                }
            }
        }
    }

    /// The reply for a team that the administrator has removed.
    fn kicked(&self, used: Duration) -> Reply<Order> {
        self.context.publisher.complain(&self.team.name, &"the administrator has removed you from the game");
        failed(Fault::GaveUp, used)
    }

    /// The order in a message; `None` if the message is valid but not a shot. `from` is the sender, as far as known; a
    /// valid signature makes it known.
    fn read(&self, message: &IncomingMessage, ask: &Ask<'_, Salvo>, from: &mut Option<String>) -> ReadResult {
        let target = match &message.subject {
            Subject::Fire { target } => target,
            Subject::Place { .. } | Subject::PlaceOfNoShip { .. } => return Err(DropReason::TooLateToPlace),
            // A known client that asks again has lost its connection; all others have to wait for the lobby.
            Subject::Request => {
                if let (None, Ok(request)) = (&message.from, body::read_request(message.body.as_bytes())) {
                    self.context.publisher.refuse(&request.name, &"a game is being played");
                }
                return Ok(None);
            }
            Subject::Admin => return Ok(None),
        };
        // Cheap checks come first: deriving a key takes 64 MiB and some 50 ms.
        if message.from.as_ref().is_some_and(|from| *from != self.team.name) {
            return Err(DropReason::OffTurn(self.team.name.clone()));
        }
        let target = self.context.seat(target).ok_or_else(|| DropReason::NoTarget(target.clone()))?;
        let signed = body::read_signed(message.body.as_bytes())?;
        let at = body::shot_in(&signed)?;
        let envelope = Envelope::read(&signed.signature)?;
        let used = || lock(&self.context.used);
        if used().contains(&envelope.mark()) {
            return Err(DropReason::Used);
        }
        let mut cipher = lock(&self.context.cipher);
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
            return Ok(Reply { given: Salvo::write(&order), answer: Ok(order), time: None, run: None, notes: None });
        };
        let asked = Instant::now();
        if salvo.left == salvo.shots {
            if self.context.inbox.has_message_of(&self.team.name) {
                self.context.attendance.has_sent(ask.seat);
            }
            match self.context.attendance.call(ask.seat) {
                Call::Ask => self.begun = asked,
                Call::PassOver { lost } => {
                    let lost = counted(lost, "lost salvo");
                    let why =
                        format!("it is passed over after {lost} in a row, until a message or a new connection comes");
                    return Ok(failed(Fault::unreachable(&why), Duration::ZERO));
                }
                Call::Forfeit { lost } => {
                    let why = format!("the game is forfeited after {} in a row", counted(lost, "lost salvo"));
                    self.context.publisher.complain(&self.team.name, &why);
                    return Ok(failed(Fault::GaveUp, Duration::ZERO));
                }
                Call::Kicked => return Ok(self.kicked(Duration::ZERO)),
            }
        }
        let answer = self.shot(ask, asked)?;
        let used = asked.elapsed();
        if self.context.attendance.is_kicked(ask.seat) {
            return Ok(self.kicked(used));
        }
        Ok(match answer {
            Ok(order) => {
                let time = Some(TimeUsed { wall: used, cpu: None });
                Reply { given: Salvo::write(&order), answer: Ok(order), time, run: None, notes: None }
            }
            Err(fault) => failed(fault, used),
        })
    }
}

/// A reply without an order.
fn failed(fault: Fault, used: Duration) -> Reply<Order> {
    let time = Some(TimeUsed { wall: used, cpu: None });
    Reply { answer: Err(fault), given: Vec::new(), time, run: None, notes: None }
}
