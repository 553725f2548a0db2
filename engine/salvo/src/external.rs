//! A connection to a broker that somebody else runs, such as Mosquitto. Who may read and write what is for that broker to
//! keep; `broadside salvo acl` writes down how. It does not tell whose messages are, so all of them come from strangers.

use crate::broker::Broker;
use crate::inbox::{Inbox, IncomingMessage, Subject};
use log::{debug, info, warn};
use rules::salvo::{Readers, Topics};
use rumqttc::{Client, Connection, Event, MqttOptions, NetworkOptions, Packet, Publish, QoS};
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How many messages may wait to be sent, while there is no connection.
const UNSENT: usize = 1000;
/// How long to wait before the next attempt to connect.
const AGAIN: Duration = Duration::from_secs(1);
/// How long the first attempt may take.
const FIRST: Duration = Duration::from_secs(10);

/// Where a broker is, and who we are there.
#[derive(Clone, PartialEq, Eq)]
pub struct BrokerAddress {
    /// Its host.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// User name and password.
    pub login: Option<(String, String)>,
}

impl std::fmt::Debug for BrokerAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

impl std::fmt::Display for BrokerAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "mqtt://{}:{}", self.host, self.port)
    }
}

/// A connection, which comes back when it is lost. It ends when this is dropped.
pub(crate) struct ExternalBroker {
    client: Client,
    shared: Arc<SharedState>,
    thread: Option<JoinHandle<()>>,
}

/// What outlasts a connection.
struct SharedState {
    ending: AtomicBool,
    /// The retained messages by their topics: a broker that was started again may have forgotten them.
    retained: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl ExternalBroker {
    /// Connects, and listens to what clients send.
    pub(crate) fn connect(
        broker: &BrokerAddress,
        topics: Topics,
        inbox: Arc<Inbox>,
    ) -> Result<ExternalBroker, io::Error> {
        let mut fresh = [0; 8];
        getrandom::fill(&mut fresh).map_err(io::Error::other)?;
        // Nobody can put the server out who does not know how it is called.
        let identifier = format!("broadside-{:016x}", u64::from_be_bytes(fresh));
        let mut options = MqttOptions::new(identifier, &broker.host, broker.port);
        options.set_keep_alive(Duration::from_secs(10));
        if let Some((user, password)) = &broker.login {
            options.set_credentials(user, password);
        }
        let (client, mut connection) = Client::new(options, UNSENT);
        let mut network = NetworkOptions::new();
        // Without it a message waits 40 ms for the acknowledgement of the one before.
        network.set_tcp_nodelay(true);
        connection.eventloop.set_network_options(network);

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
        let outside = ExternalBroker { client, shared, thread: Some(thread) };
        match attempt.recv_timeout(FIRST) {
            Ok(Ok(())) => Ok(outside),
            Ok(Err(why)) => Err(io::Error::other(why)),
            Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, "there was no answer in 10 s")),
        }
    }
}

impl Broker for ExternalBroker {
    fn publish(&self, topic: String, body: Vec<u8>, retain: bool) {
        let mut retained = self.shared.retained.lock().unwrap_or_else(PoisonError::into_inner);
        if retain {
            if body.is_empty() {
                retained.remove(&topic);
            } else {
                retained.insert(topic.clone(), body.clone());
            }
        }
        if let Err(error) = self.client.try_publish(&topic, QoS::ExactlyOnce, retain, body) {
            warn!("{topic} is lost, because {UNSENT} messages wait for the broker: {error}");
        }
    }
}

impl Drop for ExternalBroker {
    fn drop(&mut self) {
        self.shared.ending.store(true, Ordering::SeqCst);
        // It ends after what was sent before; if too much waits, it ends with the program.
        if self.client.try_disconnect().is_ok() {
            let _ = self.thread.take().map(JoinHandle::join);
        }
    }
}

/// Hears what comes through the connection.
struct ServerConnection {
    client: Client,
    shared: Arc<SharedState>,
    topics: Topics,
    inbox: Arc<Inbox>,
    /// Who waits for the first attempt.
    first: Option<mpsc::Sender<Result<(), String>>>,
    /// Whether there is no connection.
    is_lost: bool,
}

impl ServerConnection {
    fn run(mut self, mut connection: Connection) {
        for event in connection.iter() {
            match event {
                Ok(Event::Incoming(Packet::ConnAck(_))) => self.begin(),
                Ok(Event::Incoming(Packet::Publish(message))) => self.take_in(&message),
                Ok(_) => {}
                Err(_) if self.shared.ending.load(Ordering::SeqCst) => break,
                Err(error) => match self.first.take() {
                    Some(first) => {
                        let _ = first.send(Err(error.to_string()));
                        break;
                    }
                    None => {
                        // Once for each time that it is lost: attempts go on for as long as it takes.
                        if !std::mem::replace(&mut self.is_lost, true) {
                            warn!("no connection to the broker, trying again and again: {error}");
                        }
                        thread::sleep(AGAIN);
                    }
                },
            }
        }
    }

    /// A connection is there: the broker may have forgotten everything.
    fn begin(&mut self) {
        match std::mem::take(&mut self.is_lost) {
            true => warn!("connected to the broker again"),
            false => info!("connected to the broker"),
        }
        // Public topics, too: messages of an earlier server may be retained there.
        for filter in [Readers::Server, Readers::Everyone].into_iter().flat_map(|readers| self.topics.filters(readers))
        {
            self.told(self.client.try_subscribe(filter, QoS::ExactlyOnce));
        }
        let retained = self.shared.retained.lock().unwrap_or_else(PoisonError::into_inner);
        for (topic, body) in retained.iter() {
            self.told(self.client.try_publish(topic, QoS::ExactlyOnce, true, body.as_slice()));
        }
        drop(retained);
        if let Some(first) = self.first.take() {
            let _ = first.send(Ok(()));
        }
    }

    fn told(&self, result: Result<(), rumqttc::ClientError>) {
        if let Err(error) = result {
            warn!("the broker cannot be told all: {error}");
        }
    }

    fn take_in(&self, message: &Publish) {
        // What was kept for later is not said now: a secret or a shot of an earlier game, or what another server has left.
        if message.retain {
            return self.take_back(message);
        }
        let Some(subject) = Subject::of(&self.topics, &message.topic) else { return };
        let put = IncomingMessage::read(subject, &message.payload, None).and_then(|message| self.inbox.put(message));
        if let Err(error) = put {
            debug!("{}: {error}", message.topic);
        }
    }

    /// Takes a message back that the broker keeps, unless it is ours.
    fn take_back(&self, message: &Publish) {
        // Held until it is sent, so that it cannot take back what is told at the same time.
        let retained = self.shared.retained.lock().unwrap_or_else(PoisonError::into_inner);
        if !message.payload.is_empty() && !retained.contains_key(&message.topic) {
            debug!("{} was left by somebody else", message.topic);
            self.told(self.client.try_publish(&message.topic, QoS::ExactlyOnce, true, Vec::new()));
        }
    }
}
