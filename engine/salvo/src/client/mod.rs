//! A client of Salvo: it takes part for one team, keeps together what the team may know, and asks a [`Strategy`] what to do.

mod session;
mod state;

use crate::external::BrokerAddress;
use crate::teams::{Credentials, TeamError};
use rules::salvo::{Order, ShipKind, Topics, View};
use rules::{BySeat, Point};
use rumqttc::{ConnectReturnCode, Connection, ConnectionError, Event, MqttOptions, NetworkOptions, Packet};
use session::ClientSession;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

/// How many messages may wait to be sent.
const UNSENT: usize = 100;
/// How long to wait before the next attempt to connect.
const AGAIN: Duration = Duration::from_secs(1);
/// How often a connection may fail in a row.
const ATTEMPTS: u32 = 60;

/// Decides for a team.
pub trait Strategy {
    /// What to do: place the fleet if [`View::salvo`] is `None`, else fire the next shot of the salvo. `None` if that is not known
    /// yet; a shot is asked for again after the next line that was typed.
    fn order(&mut self, view: &View, names: &BySeat<String>) -> Option<Order>;

    /// Something was told or typed.
    fn hear(&mut self, _news: &ClientEvent<'_>) {}
}

/// What a client is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientEvent<'a> {
    /// What the game is doing now.
    State(&'a str),
    /// Who takes part.
    Players(&'a BySeat<String>),
    /// Somebody's salvo begins.
    Turn(&'a str),
    /// A salvo is over; it hit so often.
    Hits(u32),
    /// A shot fell on the team's own board.
    Hit(Point),
    /// A ship was sunk.
    Sunk(&'a str, ShipKind),
    /// A player has no ships left.
    Defeated(&'a str),
    /// The server says what was wrong.
    Error(&'a str),
    /// A person typed this.
    Line(&'a str),
    /// Nobody types any more.
    NoMoreLines,
}

/// How a match ended for a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchResult {
    /// Who won; `None` if nobody did.
    pub winner: Option<String>,
}

/// Why a client cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The broker cannot be reached, or will not have the client.
    #[error("{broker}: {what}")]
    Broker {
        /// Where it is.
        broker: String,
        /// What was said.
        what: String,
    },
    /// The server will not have the team.
    #[error("the server refuses {name:?}: {what}")]
    Refused {
        /// The team.
        name: String,
        /// Why.
        what: String,
    },
}

/// Who takes part, and where.
#[derive(Debug, Clone)]
pub struct Team {
    /// The name of the team.
    pub name: String,
    /// What its messages are encrypted and signed with.
    pub secret: String,
    /// Where the broker is. Without a login, name and secret are it: so the broker knows who may read what.
    pub broker: BrokerAddress,
    /// What all topics are below of.
    pub topics: Topics,
}

/// What comes from the broker, and from whoever types.
enum SessionInput {
    Connected,
    Message {
        topic: String,
        text: String,
    },
    Lost {
        what: String,
    },
    /// There will be no connection any more.
    Ended(ClientError),
    /// A line, or `None` after the last.
    Line(Option<String>),
}

/// Lines that somebody types.
pub type Lines = Box<dyn Iterator<Item = String> + Send>;

/// Plays one match. The strategy hears the lines that come meanwhile.
pub fn play(team: &Team, strategy: &mut dyn Strategy, lines: Option<Lines>) -> Result<MatchResult, ClientError> {
    let refused = |error: TeamError| ClientError::Refused { name: team.name.clone(), what: error.to_string() };
    Credentials::new(&team.name, &team.secret).map_err(refused)?;
    let failed = |what: String| ClientError::Broker { broker: team.broker.to_string(), what };
    let mut fresh = [0; 8];
    getrandom::fill(&mut fresh).map_err(|e| failed(e.to_string()))?;
    let identifier = format!("salvo-{:016x}", u64::from_be_bytes(fresh));
    let mut options = MqttOptions::new(identifier, &team.broker.host, team.broker.port);
    options.set_keep_alive(Duration::from_secs(10));
    let login = team.broker.login.clone().unwrap_or_else(|| (team.name.clone(), team.secret.clone()));
    options.set_credentials(login.0, login.1);
    let (client, mut connection) = rumqttc::Client::new(options, UNSENT);
    let mut network = NetworkOptions::new();
    network.set_tcp_nodelay(true);
    connection.eventloop.set_network_options(network);
    let (tell, heard) = channel();
    if let Some(lines) = lines {
        let tell = tell.clone();
        // It may wait for a line for ever, and ends with the program.
        let typed = move || lines.map(Some).chain([None]).all(|line| tell.send(SessionInput::Line(line)).is_ok());
        thread::Builder::new().name("lines".to_owned()).spawn(typed).map_err(|e| failed(e.to_string()))?;
    }
    // On a thread of its own, so that the broker gets its signs of life while keys are made.
    let connection_thread = ClientConnection { team: team.clone(), tell, failed: 0 };
    let reader = thread::Builder::new().name("broker".to_owned()).spawn(move || connection_thread.listen(connection));
    let reader = reader.map_err(|e| failed(e.to_string()))?;
    let mut session = ClientSession::new(team, strategy, client, u64::from_be_bytes(fresh));
    let ended = session.run(&heard);
    drop(heard);
    // The broker is told, and what was sent before arrives; unless so much waits that it is better not to.
    if session.leave() {
        let _ = reader.join();
    }
    ended
}

/// Passes on what comes from the broker, until nobody hears it and the connection ends.
struct ClientConnection {
    team: Team,
    tell: Sender<SessionInput>,
    /// How often the connection failed in a row.
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
                (matches!(incoming, SessionInput::Lost { .. }), matches!(incoming, SessionInput::Ended(_)));
            is_heard = is_heard && self.tell.send(incoming).is_ok();
            if is_end || (is_lost && !is_heard) {
                break;
            }
            if is_lost {
                thread::sleep(AGAIN);
            }
        }
    }

    /// What comes of a connection that failed.
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
            _ if self.failed >= ATTEMPTS => SessionInput::Ended(broker()),
            _ => SessionInput::Lost { what: error.to_string() },
        }
    }
}
