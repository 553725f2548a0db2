//! A connection to an external broker, such as a Mosquitto. That broker applies the access rules; `broadside salvo acl`
//! prints them. It does not tell who has sent a message, so all messages come from unknown senders.

use crate::admin::command_topic;
use crate::broker::Broker;
use crate::inbox::{Inbox, IncomingMessage, Subject};
use log::{debug, info, warn};
use platform::locks::lock;
use rules::printable;
use rules::salvo::{Readers, Topics};
use rumqttc::{Client, Connection, Event, MqttOptions, NetworkOptions, Packet, Publish, QoS};
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The most messages that wait to be sent while there is no connection.
const MAX_UNSENT: usize = 1000;
/// The most messages that wait for the acknowledgement of the broker. A Mosquitto holds 20 of a client (its setting
/// `max_inflight_messages`), and version 2.0.11 loses some of those that come beyond.
const MAX_IN_FLIGHT: u16 = 16;
/// The pause between attempts to connect.
pub(crate) const RECONNECT_DELAY: Duration = Duration::from_secs(1);
/// The time limit of the first attempt.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The address of a broker, and the login of this program there.
#[derive(Clone, PartialEq, Eq)]
pub struct BrokerAddress {
    /// The host: a name or an IP address.
    pub host: String,
    /// The TCP port.
    pub port: u16,
    /// User name and password, if any.
    pub login: Option<(String, String)>,
}

impl BrokerAddress {
    /// A client of the broker that connects when its connection is polled. Its queue has room for `unsent` messages.
    pub(crate) fn connection(
        &self,
        program: &str,
        login: Option<&(String, String)>,
        unsent: usize,
    ) -> io::Result<(Client, Connection)> {
        // A random identifier: another client with the same one would disconnect this one.
        let identifier = format!("{program}-{:016x}", getrandom::u64().map_err(io::Error::other)?);
        let mut options = MqttOptions::new(identifier, &self.host, self.port);
        options.set_inflight(MAX_IN_FLIGHT);
        options.set_keep_alive(Duration::from_secs(10));
        if let Some((user, password)) = login {
            options.set_credentials(user, password);
        }
        let (client, mut connection) = Client::new(options, unsent);
        let mut network = NetworkOptions::new();
        // Without it a message waits 40 ms for the acknowledgement of the one before.
        network.set_tcp_nodelay(true);
        connection.eventloop.set_network_options(network);
        Ok((client, connection))
    }
}

impl fmt::Debug for BrokerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for BrokerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mqtt://{}:{}", self.host, self.port)
    }
}

/// A connection that is made again when it is lost, and ends when this is dropped.
pub(crate) struct ExternalBroker {
    client: Client,
    shared: Arc<SharedState>,
    thread: Option<JoinHandle<()>>,
}

/// The state that outlasts a single connection.
struct SharedState {
    ending: AtomicBool,
    /// The retained messages by their topics: a broker may have forgotten them after a restart.
    retained: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl ExternalBroker {
    /// Connects, and subscribes to the messages of clients.
    pub(crate) fn connect(broker: &BrokerAddress, topics: Topics, inbox: Arc<Inbox>) -> io::Result<ExternalBroker> {
        let (client, connection) = broker.connection("broadside", broker.login.as_ref(), MAX_UNSENT)?;
        let shared = Arc::new(SharedState { ending: AtomicBool::new(false), retained: Mutex::default() });
        let (first, attempt) = mpsc::channel();
        let connection_thread = ServerConnection {
            client: client.clone(),
            shared: Arc::clone(&shared),
            topics,
            inbox,
            first: Some(first),
            is_lost: false,
        };
        let thread =
            thread::Builder::new().name("broker".to_owned()).spawn(move || connection_thread.run(connection))?;
        let broker = ExternalBroker { client, shared, thread: Some(thread) };
        match attempt.recv_timeout(CONNECT_TIMEOUT) {
            Ok(Ok(())) => Ok(broker),
            Ok(Err(why)) => Err(io::Error::other(why)),
            Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, "there was no answer in 10 s")),
        }
    }
}

impl Broker for ExternalBroker {
    fn publish(&self, topic: String, body: Vec<u8>, retain: bool) {
        let mut retained = lock(&self.shared.retained);
        if retain {
            if body.is_empty() {
                retained.remove(&topic);
            } else {
                retained.insert(topic.clone(), body.clone());
            }
        }
        if let Err(error) = self.client.try_publish(&topic, QoS::ExactlyOnce, retain, body) {
            warn!("{topic} is lost, because {MAX_UNSENT} messages wait for the broker: {error}");
        }
    }
}

impl Drop for ExternalBroker {
    fn drop(&mut self) {
        self.shared.ending.store(true, Ordering::SeqCst);
        // The thread ends after the queued messages; if the queue is full, it ends with the program.
        if self.client.try_disconnect().is_ok() {
            let _ = self.thread.take().map(JoinHandle::join);
        }
    }
}

/// The thread of the connection.
struct ServerConnection {
    client: Client,
    shared: Arc<SharedState>,
    topics: Topics,
    inbox: Arc<Inbox>,
    /// The channel to the caller that waits for the first attempt.
    first: Option<mpsc::Sender<Result<(), String>>>,
    /// True while there is no connection.
    is_lost: bool,
}

impl ServerConnection {
    fn run(mut self, mut connection: Connection) {
        for event in connection.iter() {
            match event {
                Ok(Event::Incoming(Packet::ConnAck(_))) => self.connected(),
                Ok(Event::Incoming(Packet::Publish(message))) => self.receive(&message),
                Ok(_) => {}
                Err(_) if self.shared.ending.load(Ordering::SeqCst) => break,
                Err(error) => match self.first.take() {
                    Some(first) => {
                        let _ = first.send(Err(error.to_string()));
                        break;
                    }
                    None => {
                        // One warning for each lost connection: attempts go on until one succeeds.
                        if !std::mem::replace(&mut self.is_lost, true) {
                            warn!("no connection to the broker, trying every second: {error}");
                        }
                        thread::sleep(RECONNECT_DELAY);
                    }
                },
            }
        }
    }

    /// Subscribes and publishes the retained messages again: after a restart the broker may have forgotten them.
    fn connected(&mut self) {
        match std::mem::take(&mut self.is_lost) {
            true => warn!("connected to the broker again"),
            false => info!("connected to the broker"),
        }
        self.warn_if_lost(self.client.try_subscribe(command_topic(&self.topics), QoS::ExactlyOnce));
        // Public topics, too: messages of an earlier server may be retained there.
        for filter in [Readers::Server, Readers::Everyone].into_iter().flat_map(|readers| self.topics.filters(readers))
        {
            self.warn_if_lost(self.client.try_subscribe(filter, QoS::ExactlyOnce));
        }
        let retained = lock(&self.shared.retained);
        for (topic, body) in retained.iter() {
            self.warn_if_lost(self.client.try_publish(topic, QoS::ExactlyOnce, true, body.as_slice()));
        }
        drop(retained);
        if let Some(first) = self.first.take() {
            let _ = first.send(Ok(()));
        }
    }

    fn warn_if_lost(&self, result: Result<(), rumqttc::ClientError>) {
        if let Err(error) = result {
            warn!("a message to the broker is lost: {error}");
        }
    }

    fn receive(&self, message: &Publish) {
        // A retained message is an old one: a secret or a shot of an earlier game, or a message of another server.
        if message.retain {
            return self.remove_retained(message);
        }
        let Some(subject) = Subject::of(&self.topics, &message.topic) else { return };
        let put = IncomingMessage::read(subject, &message.payload, None).and_then(|message| self.inbox.put(message));
        if let Err(error) = put {
            debug!("{}: {error}", printable(&message.topic));
        }
    }

    /// Removes a retained message, unless it is one of this server.
    fn remove_retained(&self, message: &Publish) {
        // The lock is held until the removal is queued, so that it cannot overtake a new message on the topic.
        let retained = lock(&self.shared.retained);
        if !message.payload.is_empty() && !retained.contains_key(&message.topic) {
            debug!("{} was retained for somebody else", printable(&message.topic));
            self.warn_if_lost(self.client.try_publish(&message.topic, QoS::ExactlyOnce, true, Vec::new()));
        }
    }
}
