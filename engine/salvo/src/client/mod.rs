//! A client of Salvo: plays for one team, collects what the team may know, and asks a [`Strategy`] for orders.

mod found;
mod session;
mod state;

pub use found::FoundInstead;

use crate::external::{BrokerAddress, RECONNECT_DELAY};
use crate::teams::{Credentials, TeamError};
use rules::salvo::{Order, ShipKind, Topics, View};
use rules::{BySeat, Point};
use rumqttc::{ConnectReturnCode, Connection, ConnectionError, Event, Packet};
use session::ClientSession;
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// The most messages that wait to be sent.
const MAX_UNSENT: usize = 100;
/// The failed attempts in a row, one a second, after which the client gives up.
pub const MAX_ATTEMPTS: u32 = 60;

/// The decisions of a team. Texts and names come from the server: pass them through [`rules::printable`] before they are shown.
pub trait Strategy {
    /// The next order: the fleet if [`View::salvo`] is `None`, else the next shot of the salvo. `None` if there is none yet: it is
    /// asked for again after the next line that a person types.
    fn order(&mut self, view: &View, names: &BySeat<String>) -> Option<Order>;

    /// Called for every event, in order, with what is known after it.
    fn hear(&mut self, _event: &ClientEvent<'_>, _view: &View, _names: &BySeat<String>) {}
}

/// An event that a client learns of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientEvent<'a> {
    /// The client waits for the broker, and tries to connect every second. Told once for each time that it is missing, a
    /// second after the start at the latest.
    NoBroker {
        /// The broker.
        broker: &'a BrokerAddress,
        /// The reason, in the words of the system.
        why: &'a str,
    },
    /// The client is connected, and waits for a server: none has published the state of a game within five seconds.
    NoServer {
        /// The broker.
        broker: &'a BrokerAddress,
        /// The topic on which a server would publish the state.
        topic: &'a str,
        /// Other things that the broker has.
        found: &'a FoundInstead,
    },
    /// The game has another state: `lobby`, `turn` or `over`.
    State(&'a str),
    /// The list of players has changed.
    Players(&'a BySeat<String>),
    /// The salvo of this player begins.
    Turn(&'a str),
    /// A salvo is over.
    Hits {
        /// The player whose salvo it was; `None` if its beginning was missed.
        player: Option<&'a str>,
        /// The number of shots that hit a part of a ship for the first time.
        hits: u32,
    },
    /// A shot fell on the team's own board.
    Hit(Point),
    /// A ship of this player was sunk.
    Sunk(&'a str, ShipKind),
    /// This player has no ships left.
    Defeated(&'a str),
    /// The server reports a mistake, or lost shots.
    Error(&'a str),
    /// A person typed this line.
    Line(&'a str),
    /// The lines have ended.
    NoMoreLines,
}

/// The end of a match as a client sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchResult {
    /// The winner's name; `None` if nobody won.
    pub winner: Option<String>,
}

/// The reason why a client cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The broker cannot be reached, or refuses the client.
    #[error("{broker}: {what}")]
    Broker {
        /// The broker's URL.
        broker: String,
        /// The answer of the broker or the system.
        what: String,
    },
    /// The server refuses the team.
    #[error("the server refuses {name:?}: {what}")]
    Refused {
        /// The team's name.
        name: String,
        /// The server's reason.
        what: String,
    },
}

/// A team and its place in the network.
#[derive(Debug, Clone)]
pub struct Team {
    /// The name: 1 to 32 characters.
    pub name: String,
    /// The secret that encrypts and signs messages: 1 to 1024 bytes.
    pub secret: String,
    /// The join code, if the server asks for one.
    pub join_code: Option<String>,
    /// The broker. Without a login the client logs in with name and secret, so that the broker knows which topics it may read.
    pub broker: BrokerAddress,
    /// The names of the game's topics.
    pub topics: Topics,
}

/// An input of a session, from the broker or from a person who types.
enum SessionInput {
    /// The client is connected.
    Connected,
    /// A message of the broker.
    Message { topic: String, text: String },
    /// The connection failed, for this reason; the next attempt follows.
    Lost(String),
    /// There will be no other attempt.
    Ended(ClientError),
    /// A line, or `None` after the last.
    Line(Option<String>),
}

/// Lines that a person types.
pub type Lines = Box<dyn Iterator<Item = String> + Send>;

/// Plays one match, and returns its result. The strategy hears the `lines` that come meanwhile. A lost connection is made again.
///
/// # Errors
/// - [`ClientError::Broker`] if the broker refuses the client, or cannot be reached in [`MAX_ATTEMPTS`] attempts.
/// - [`ClientError::Refused`] if the server refuses the team: choose another name, or use the secret of this one.
pub fn play(team: &Team, strategy: &mut dyn Strategy, lines: Option<Lines>) -> Result<MatchResult, ClientError> {
    let refused = |error: TeamError| ClientError::Refused { name: team.name.clone(), what: error.to_string() };
    Credentials::new(&team.name, &team.secret).map_err(refused)?;
    let failed = |what: String| ClientError::Broker { broker: team.broker.to_string(), what };
    let login = team.broker.login.clone().unwrap_or_else(|| (team.name.clone(), team.secret.clone()));
    let connection = team.broker.connection("salvo", Some(&login), MAX_UNSENT);
    let (client, connection) = connection.map_err(|e| failed(e.to_string()))?;
    let seed = getrandom::u64().map_err(|e| failed(e.to_string()))?;
    let (tell, heard) = channel();
    if let Some(lines) = lines {
        let tell = tell.clone();
        // This thread may wait for a line until the program ends.
        let typed = move || lines.map(Some).chain([None]).all(|line| tell.send(SessionInput::Line(line)).is_ok());
        thread::Builder::new().name("lines".to_owned()).spawn(typed).map_err(|e| failed(e.to_string()))?;
    }
    // The connection has its own thread, which keeps it alive while the session derives keys.
    let connection_thread = ClientConnection { team: team.clone(), tell, failed: 0 };
    let reader = thread::Builder::new().name("broker".to_owned()).spawn(move || connection_thread.listen(connection));
    let reader = reader.map_err(|e| failed(e.to_string()))?;
    let mut session = ClientSession::new(team, strategy, client, seed);
    let ended = session.run(&heard);
    drop(heard);
    // The disconnection follows all earlier messages, unless the queue is full.
    if session.leave() {
        let _ = reader.join();
    }
    ended
}

/// The thread of the connection: passes events on until the session has ended and the connection is closed.
struct ClientConnection {
    team: Team,
    tell: Sender<SessionInput>,
    /// The number of failures in a row.
    failed: u32,
}

impl ClientConnection {
    fn listen(mut self, mut connection: Connection) {
        let mut is_heard = true;
        for event in connection.iter() {
            let incoming = match event {
                Ok(Event::Incoming(Packet::ConnAck(_))) => {
                    self.failed = 0;
                    SessionInput::Connected
                }
                Ok(Event::Incoming(Packet::Publish(message))) => {
                    let text = String::from_utf8_lossy(&message.payload).into_owned();
                    SessionInput::Message { topic: message.topic, text }
                }
                Ok(_) => continue,
                Err(_) if !is_heard => break,
                Err(error) => self.lost(&error),
            };
            let (is_lost, is_end) =
                (matches!(incoming, SessionInput::Lost(_)), matches!(incoming, SessionInput::Ended(_)));
            is_heard = is_heard && self.tell.send(incoming).is_ok();
            if is_end || (is_lost && !is_heard) {
                break;
            }
            if is_lost {
                thread::sleep(RECONNECT_DELAY);
            }
        }
    }

    /// The input that a failed connection becomes.
    fn lost(&mut self, error: &ConnectionError) -> SessionInput {
        self.failed += 1;
        let broker = || ClientError::Broker { broker: self.team.broker.to_string(), what: error.to_string() };
        let is_unknown = |code: &ConnectReturnCode| {
            matches!(code, ConnectReturnCode::BadUserNamePassword | ConnectReturnCode::NotAuthorized)
        };
        match error {
            ConnectionError::ConnectionRefused(code) if is_unknown(code) && self.team.broker.login.is_none() => {
                let what = "its name has another secret, or the broker does not know it".to_owned();
                SessionInput::Ended(ClientError::Refused { name: self.team.name.clone(), what })
            }
            ConnectionError::ConnectionRefused(_) => SessionInput::Ended(broker()),
            _ if self.failed >= MAX_ATTEMPTS => SessionInput::Ended(broker()),
            _ => SessionInput::Lost(error.to_string()),
        }
    }
}
