//! The administrator: commands to a running server, and a client that sends them.
//!
//! A command comes on `/admin/command`, sealed with a secret that the server makes at each start and writes to [`ADMIN_FILE`] in its
//! folder, which only its owner can read. The answer goes to `/admin/answer`. The embedded broker takes commands only from who
//! logs in as [`ADMIN_USER`] with the secret; the access list for another broker says the same.

use crate::cipher::{Cipher, Envelope};
use crate::external::BrokerAddress;
use crate::inbox::IncomingMessage;
use crate::publisher::Publisher;
use arena::ArenaError;
use log::debug;
use platform::files::{open_private, open_regular};
use platform::locks::lock;
use rules::input_json;
use rules::salvo::{BadLevel, Topics};
use rumqttc::{Event, Packet, QoS};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The user name of the administrator at brokers. No team can have it.
pub const ADMIN_USER: &str = "$admin";
/// The file in the folder of a server that lets its owner send commands.
pub const ADMIN_FILE: &str = "admin.json";
/// The most bytes of the file that are read.
const MAX_FILE_BYTES: u64 = 1 << 16;
/// The time in which a server answers.
const ANSWER_TIME: Duration = Duration::from_secs(10);

/// A command of the administrator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "kebab-case")]
pub enum AdminCommand {
    /// Removes a team from the lobby, or from the match at its next salvo. It cannot come back before the next lobby.
    Kick {
        /// The name of the team.
        team: String,
    },
    /// Begins a match with the teams that have placed their ships.
    Start,
    /// Opens the lobby instead of showing the result any longer.
    Open,
    /// Ends the match that is being played, without a winner.
    End,
}

/// A command as it is sealed.
#[derive(Serialize, Deserialize)]
struct Request {
    id: String,
    #[serde(flatten)]
    command: AdminCommand,
}

/// The answer to the command with this `id`.
#[derive(Serialize, Deserialize)]
struct Answer {
    id: String,
    is_done: bool,
    text: String,
}

/// The content of [`ADMIN_FILE`]: everything that a client needs to send commands.
#[derive(Clone, Serialize, Deserialize)]
pub struct AdminAccess {
    /// The host of the broker, as seen from the server.
    pub host: String,
    /// The port of the broker.
    pub port: u16,
    /// The level that all topics are below.
    pub prefix: Option<String>,
    secret: String,
}

/// The reason why a command was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum AdminError {
    /// The file cannot be read: name the folder of a server that was started by the same user.
    #[error("cannot read {path}: {what}")]
    File {
        /// The path of the file.
        path: String,
        /// The mistake in it, or the error of the system.
        what: String,
    },
    /// The broker cannot be reached, or refuses the client.
    #[error("{broker}: {what}")]
    Broker {
        /// The broker's URL.
        broker: String,
        /// The answer of the broker or the system.
        what: String,
    },
    /// The server refuses the command.
    #[error("the server refuses: {0}")]
    Refused(String),
}

pub(crate) fn command_topic(topics: &Topics) -> String {
    topics.below_root("/admin/command")
}

pub(crate) fn answer_topic(topics: &Topics) -> String {
    topics.below_root("/admin/answer")
}

/// The server's side: it opens commands, and answers them.
pub(crate) struct Administration {
    secret: String,
    publisher: Arc<Publisher>,
    /// The marks of the commands that were carried out.
    used: Mutex<HashSet<[u8; 56]>>,
}

/// A command that has to be answered.
pub(crate) struct OpenedCommand {
    id: String,
    pub(crate) command: AdminCommand,
}

impl Administration {
    pub(crate) fn new(secret: String, publisher: Arc<Publisher>) -> Administration {
        Administration { secret, publisher, used: Mutex::default() }
    }

    /// Opens a command; `None` if the message is not one of the administrator, or was carried out before.
    pub(crate) fn read(&self, message: &IncomingMessage) -> Option<OpenedCommand> {
        let open = || {
            let envelope = Envelope::read(&message.body).map_err(|error| error.to_string())?;
            // A cipher of its own: its memory is not kept for the rare commands.
            let text = Cipher::default().open(&envelope, &self.secret).map_err(|error| error.to_string())?;
            let request: Request = serde_json::from_str(&text).map_err(|error| error.to_string())?;
            if !lock(&self.used).insert(envelope.mark()) {
                return Err("it was carried out before".to_owned());
            }
            Ok(OpenedCommand { id: request.id, command: request.command })
        };
        open().inspect_err(|error| debug!("a command that is not the administrator's: {error}")).ok()
    }

    pub(crate) fn answer(&self, opened: OpenedCommand, result: Result<String, String>) {
        let is_done = result.is_ok();
        let text = result.unwrap_or_else(|error| error);
        let answer = Answer { id: opened.id, is_done, text };
        self.publisher.answer_administrator(serde_json::to_vec(&answer).expect("texts are JSON"));
    }
}

/// A random text of 128 bits.
pub(crate) fn random_text() -> Result<String, ArenaError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|e| ArenaError::process("get random bytes in", "the server", e))?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

impl AdminAccess {
    /// Access to a server with a new secret, written to its folder in place of that of an earlier start.
    pub(crate) fn create(
        folder: &Path,
        broker: (String, u16),
        prefix: Option<String>,
        secret: String,
    ) -> Result<(), ArenaError> {
        let path = folder.join(ADMIN_FILE);
        let access = AdminAccess { host: broker.0, port: broker.1, prefix, secret };
        let failed = |e| ArenaError::disk("write", &path, e);
        match fs::remove_file(&path) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(failed(e)),
            _ => {}
        }
        let mut file = open_private(OpenOptions::new().write(true).create_new(true), &path).map_err(failed)?;
        file.write_all(&serde_json::to_vec(&access).expect("texts are JSON")).map_err(failed)
    }

    /// Reads the access to the server that has this folder.
    ///
    /// # Errors
    /// [`AdminError::File`] if no server has written it, or somebody else's.
    pub fn read(folder: &Path) -> Result<AdminAccess, AdminError> {
        let path = folder.join(ADMIN_FILE);
        let failed = |what: String| AdminError::File { path: path.display().to_string(), what };
        let file = open_regular(&path).map_err(|error| failed(error.to_string()))?;
        let mut bytes = Vec::new();
        file.take(MAX_FILE_BYTES).read_to_end(&mut bytes).map_err(|error| failed(error.to_string()))?;
        input_json(&bytes).map_err(|error| failed(error.to_string()))
    }

    /// Sends a command, with this login at the broker or as [`ADMIN_USER`], and gives the answer of the server.
    ///
    /// # Errors
    /// [`AdminError::Broker`] without an answer within 10 s; [`AdminError::Refused`] if the command cannot be carried out now.
    pub fn send(&self, command: AdminCommand, login: Option<(String, String)>) -> Result<String, AdminError> {
        let login = login.unwrap_or_else(|| (ADMIN_USER.to_owned(), self.secret.clone()));
        let broker = BrokerAddress { host: self.host.clone(), port: self.port, login: Some(login) };
        let failed = |what: String| AdminError::Broker { broker: broker.to_string(), what };
        let prefix = self.prefix.as_deref();
        let topics =
            prefix.map_or(Ok(Topics::default()), Topics::below).map_err(|e: BadLevel| failed(e.to_string()))?;
        let id = random_text().map_err(|e| failed(e.to_string()))?;
        let request = serde_json::to_string(&Request { id: id.clone(), command }).expect("texts are JSON");
        let sealed = Cipher::default().seal(&request, &self.secret);
        let connection = broker.connection("admin", broker.login.as_ref(), 10);
        let (client, mut connection) = connection.map_err(|e| failed(e.to_string()))?;
        client.subscribe(answer_topic(&topics), QoS::ExactlyOnce).map_err(|e| failed(e.to_string()))?;
        let until = Instant::now() + ANSWER_TIME;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let event = connection.recv_timeout(left).map_err(|_| failed("no server answers".to_owned()))?;
            match event.map_err(|error| failed(error.to_string()))? {
                Event::Incoming(Packet::SubAck(_)) => client
                    .publish(command_topic(&topics), QoS::ExactlyOnce, false, sealed.as_str())
                    .map_err(|e| failed(e.to_string()))?,
                Event::Incoming(Packet::Publish(message)) => match serde_json::from_slice::<Answer>(&message.payload) {
                    Ok(answer) if answer.id != id => {}
                    Ok(answer) if answer.is_done => return Ok(answer.text),
                    Ok(answer) => return Err(AdminError::Refused(answer.text)),
                    Err(_) => {}
                },
                _ => {}
            }
        }
    }
}
