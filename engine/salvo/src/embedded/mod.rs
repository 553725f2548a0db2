//! The embedded broker: everything that a game needs in one process, with access rules that keep private topics
//! private.
//!
//! Messages for the server never reach the broker's routing: they are put into the inbox, and the sender gets its
//! acknowledgement. The broker knows the team of a connection by the user name and password of its CONNECT, which are
//! the team's name and secret, or by the request to take part that came through the connection. Subscriptions to private
//! topics that came before such a request wait for it.

mod early_subscriptions;
mod mqtt_connection;
mod refusal;

use crate::access::{Access, MAX_SHOWN, may_publish, subscription};
use crate::admin::{ADMIN_USER, command_topic};
use crate::broker::Broker;
use crate::embedded::early_subscriptions::{ConnectionNumber, HeldBack, WaitingSubscriptions};
use crate::embedded::mqtt_connection::MqttConnection;
use crate::embedded::refusal::{Refusal, refuses};
use crate::inbox::{Inbox, IncomingMessage, MAX_MESSAGE_BYTES, Subject};
use crate::join_code::JoinCode;
use crate::publisher::RefusalRate;
use crate::teams::{Credentials, TeamError, Teams, is_same};
use connections::{Connections, Limits, PER_ADDRESS, lengthen_queue};
use log::{debug, info, warn};
use mqtt5::QoS;
use mqtt5::broker::client_handler::ClientHandler;
use mqtt5::broker::config::BrokerConfig;
use mqtt5::broker::events::{BrokerEventHandler, ClientPublishEvent};
use mqtt5::broker::resource_monitor::{ResourceLimits, ResourceMonitor};
use mqtt5::broker::router::MessageRouter;
use mqtt5::broker::storage::{DynamicStorage, MemoryBackend, QueueLimits, StorageBackend};
use mqtt5::broker::sys_topics::BrokerStats;
use mqtt5::broker::transport::BrokerTransport;
use mqtt5::packet::connect::ConnectPacket;
use mqtt5::packet::publish::PublishPacket;
use mqtt5::protocol::v5::reason_codes::ReasonCode;
use rules::salvo::{Readers, Topic, Topics, body};
use rules::{printable, printable_prefix};
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::sync::mpsc::{self, UnboundedSender, WeakUnboundedSender, unbounded_channel};
use tokio::time::{interval, sleep, timeout};

/// The most connections: 16 teams with a few clients each, and spectators; and a reserve for addresses with few.
const LIMITS: Limits = Limits { total: 1000, per_address: PER_ADDRESS, reserve: 32 };
/// The most subscriptions of a connection.
const MAX_SUBSCRIPTIONS: usize = 100;
/// The most messages of a connection in a second.
const MAX_MESSAGES_PER_SECOND: u32 = 200;
/// The most bytes of a packet.
const MAX_PACKET_BYTES: usize = 64 * 1024;
/// The most messages that wait for a client that reads slowly.
const MAX_UNREAD: usize = 1000;
/// The time for which the broker keeps the session of a client that is disconnected: none. When it resumes a session, it asks
/// for the access of the session's subscriptions while the session is locked, and that can wait for
/// [`WaitingSubscriptions::hold_back`], which waits for the lock.
const SESSION_EXPIRY: Duration = Duration::ZERO;

/// The time for the first bytes of a client. The library gives as much for its login.
const LOGIN_TIME: Duration = Duration::from_secs(10);
/// The time between two searches for remains of sessions that have ended.
const SWEEP_INTERVAL: Duration = Duration::from_secs(60);
/// The time for the last messages after the broker was asked to end.
const LAST_MESSAGES: Duration = Duration::from_secs(2);

/// A running broker, which ends when this is dropped.
pub(crate) struct EmbeddedBroker {
    outgoing: Option<UnboundedSender<PublishPacket>>,
    /// The address and port that the broker listens at.
    pub(crate) address: SocketAddr,
    thread: Option<JoinHandle<()>>,
}

impl EmbeddedBroker {
    /// Starts a broker at this address; port 0 takes any free port.
    pub(crate) fn start(
        address: SocketAddr,
        topics: Topics,
        teams: Teams,
        inbox: Arc<Inbox>,
        admin_secret: String,
        join_code: Arc<JoinCode>,
    ) -> Result<EmbeddedBroker, io::Error> {
        let listener = TcpListener::bind(address)?;
        lengthen_queue(&listener)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let context = runtime.enter();
        let listener = tokio::net::TcpListener::from_std(listener)?;
        drop(context);
        let (outgoing, mut to_send) = unbounded_channel::<PublishPacket>();
        let clients = ClientAcceptor::new(topics, teams, inbox, admin_secret, join_code, outgoing.downgrade());
        let thread = thread::Builder::new().name("broker".to_owned()).spawn(move || {
            runtime.block_on(async move {
                let (router, access) = (Arc::clone(&clients.router), Arc::clone(&clients.access));
                let connections = Arc::clone(&clients.connections);
                let (alive, mut all_closed) = mpsc::channel(1);
                let accepting = tokio::spawn(clients.accept(listener, alive));
                // The end of the queue ends the broker.
                while let Some(packet) = to_send.recv().await {
                    let held = access.hold_back(&packet.topic_name).await;
                    router.route_message_with_deadline(&packet, None, tokio::time::Instant::now()).await;
                    drop(held);
                }
                accepting.abort();
                let _ = accepting.await;
                connections.close_all();
                let _ = timeout(LAST_MESSAGES, all_closed.recv()).await;
            });
        })?;
        info!("broker at {address}");
        Ok(EmbeddedBroker { outgoing: Some(outgoing), address, thread: Some(thread) })
    }
}

/// The part of the broker that accepts clients. The crate's own accept loop has no limit on connections that have not
/// logged in, and cannot close a connection for the sake of another one.
struct ClientAcceptor {
    connections: Arc<Connections<MqttConnection>>,
    access: Arc<AccessControl>,
    config: BrokerConfig,
    router: Arc<MessageRouter>,
    /// The sessions of all connections. The router does not use this: messages are kept for nobody who is disconnected.
    sessions: Arc<DynamicStorage>,
    stats: Arc<BrokerStats>,
    monitor: Arc<ResourceMonitor>,
}

impl ClientAcceptor {
    fn new(
        topics: Topics,
        teams: Teams,
        inbox: Arc<Inbox>,
        admin_secret: String,
        join_code: Arc<JoinCode>,
        outgoing: WeakUnboundedSender<PublishPacket>,
    ) -> ClientAcceptor {
        let queue = QueueLimits { max_messages: MAX_UNREAD, ..QueueLimits::default() };
        let router = Arc::new(MessageRouter::new().with_fallback_queue_limits(queue));
        let sessions = Arc::new(DynamicStorage::Memory(MemoryBackend::new()));
        let waiting = WaitingSubscriptions::new(Arc::clone(&router), Arc::clone(&sessions));
        let refusals = Mutex::default();
        let access = AccessControl { topics, teams, inbox, admin_secret, join_code, waiting, outgoing, refusals };
        let access = Arc::new(access);
        let config = BrokerConfig {
            max_packet_size: MAX_PACKET_BYTES,
            max_subscriptions_per_client: MAX_SUBSCRIPTIONS,
            client_channel_capacity: MAX_UNREAD,
            session_expiry_interval: SESSION_EXPIRY,
            ..BrokerConfig::default()
        };
        let monitor = ResourceMonitor::new(ResourceLimits {
            max_message_rate_per_client: MAX_MESSAGES_PER_SECOND,
            max_bandwidth_per_client: config.max_bandwidth_per_client,
            rate_limit_window: Duration::from_secs(1),
            ..ResourceLimits::default()
        });
        ClientAcceptor {
            connections: Arc::new(Connections::new(LIMITS.within_open_files())),
            access,
            config,
            router,
            sessions,
            stats: Arc::new(BrokerStats::new()),
            monitor: Arc::new(monitor),
        }
    }

    /// Accepts clients without end. Each holds a copy of `alive` until it is gone.
    async fn accept(self, listener: tokio::net::TcpListener, alive: mpsc::Sender<Infallible>) {
        let mut sweep = interval(SWEEP_INTERVAL);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = sweep.tick() => {
                    self.router.sweep_sessions().await;
                    // Memory does not fail.
                    let _ = self.sessions.cleanup_expired().await;
                    continue;
                }
            };
            match accepted {
                Ok((stream, peer)) => self.serve(stream, peer, alive.clone()),
                Err(error) => {
                    // The client has left, or there are too many open files; wait until some are closed.
                    warn!("a client was not accepted: {error}");
                    sleep(Duration::from_millis(50)).await;
                }
            }
        }
    }

    /// Serves a client in a task of its own, or closes the connection at once where there are too many.
    fn serve(&self, stream: TcpStream, peer: SocketAddr, alive: mpsc::Sender<Infallible>) {
        let connection = Arc::new(MqttConnection::new(&self.access, peer.ip()));
        let Some(admission) = self.connections.admit(peer.ip(), Arc::clone(&connection)) else {
            debug!("{peer} is refused: too many connections");
            return;
        };
        let _ = stream.set_nodelay(true);
        let closing = connection.closing();
        // Each connection handles its own events: an event itself has the identifier of the client only, which a later
        // connection may have as well.
        let event_handler = Some(Arc::clone(&connection) as Arc<dyn BrokerEventHandler>);
        let handler = {
            let config = Arc::new(BrokerConfig { event_handler, ..self.config.clone() });
            let (router, sessions) = (Arc::clone(&self.router), Some(Arc::clone(&self.sessions)));
            let (stats, monitor) = (Arc::clone(&self.stats), Arc::clone(&self.monitor));
            let (rights, closing) = (Arc::clone(&connection), connection.closing());
            move |stream| {
                let transport = BrokerTransport::tcp(stream);
                ClientHandler::new(transport, peer, config, router, rights, sessions, stats, monitor, closing)
            }
        };
        let access = Arc::clone(&self.access);
        let served = async move {
            match timeout(LOGIN_TIME, refuses(&stream, peer, &access)).await {
                Ok(false) => handler(stream).run().await.unwrap_or_else(|e| debug!("{peer} is disconnected: {e}")),
                Ok(true) => {}
                Err(_) => debug!("{peer} is disconnected: it has sent nothing"),
            }
        };
        tokio::spawn(async move {
            let _open = (admission, alive);
            tokio::select! {
                () = served => {}
                () = connection.closed_before_login(closing) => debug!("{peer} is disconnected before its login"),
            }
            connection.forget().await;
        });
    }
}

impl Broker for EmbeddedBroker {
    fn publish(&self, topic: String, body: Vec<u8>, retain: bool) {
        let mut packet = PublishPacket::new(topic, body, QoS::ExactlyOnce);
        packet.retain = retain;
        // The receiver is gone only when the broker is, and then `Server` has other errors to report.
        if let Some(outgoing) = &self.outgoing {
            let _ = outgoing.send(packet);
        }
    }
}

impl Drop for EmbeddedBroker {
    fn drop(&mut self) {
        // Messages that were queued before are delivered first.
        self.outgoing = None;
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// What the hooks of all connections share: it authenticates clients, applies the access rules, and passes messages to the
/// inbox.
pub(crate) struct AccessControl {
    pub(crate) topics: Topics,
    pub(crate) teams: Teams,
    pub(crate) inbox: Arc<Inbox>,
    admin_secret: String,
    join_code: Arc<JoinCode>,
    pub(crate) waiting: WaitingSubscriptions,
    /// The queue of outgoing messages. The broker ends when [`EmbeddedBroker`] gives up its end, so this one is weak.
    outgoing: WeakUnboundedSender<PublishPacket>,
    /// The refused logins of the current second that were logged.
    refusals: Mutex<RefusalRate>,
}

impl AccessControl {
    /// True for the topics that the client of this user writes. The place of a ship that does not exist is one of them: the
    /// server answers it.
    pub(crate) fn may_publish(&self, user: Option<&str>, topic: &str) -> bool {
        may_publish(&self.topics, topic)
            || self.topics.place_of_no_ship(topic).is_some()
            || (user == Some(ADMIN_USER) && topic == command_topic(&self.topics))
    }

    pub(crate) fn subscription<'a>(&self, client: &str, user: Option<&str>, filter: &'a str) -> Access<'a> {
        subscription(&self.topics, self.teams.of(client, user).as_deref(), filter)
    }

    /// Tells a team why a message or a subscription has no effect.
    pub(crate) fn complain(&self, team: &str, text: &str) {
        let topic = self.topics.name(&Topic::Error { player: team });
        if let Some(outgoing) = self.outgoing.upgrade() {
            let _ = outgoing.send(PublishPacket::new(topic, text.as_bytes().to_vec(), QoS::ExactlyOnce));
        }
    }

    /// Keeps a private message from subscriptions that wait, until the result is dropped.
    async fn hold_back(&self, topic: &str) -> Option<HeldBack<'_>> {
        match self.topics.parse(topic)?.readers() {
            Readers::Player(player) => Some(self.waiting.hold_back(player).await),
            Readers::Everyone | Readers::Server => None,
        }
    }

    /// Checks the login of a client; its user, if it has one.
    pub(crate) fn admit(&self, connect: &ConnectPacket) -> Result<Option<String>, Refusal> {
        // The broker publishes a last will without calling these hooks, so that others could read a message for the
        // server.
        if let Some(will) = &connect.will {
            let topic = printable_prefix(&will.topic, MAX_SHOWN);
            // The only code about a last will that MQTT 5 has; MQTT 3.1.1 has none.
            let code =
                if connect.protocol_version == 5 { ReasonCode::TopicNameInvalid } else { ReasonCode::NotAuthorized };
            return Err((code, format!("a last will is not taken: connect without the one for {topic}")));
        }
        let user = connect.username.as_deref().unwrap_or_default();
        let password = connect.password.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
        if user == ADMIN_USER {
            return match is_same(&password, &self.admin_secret) {
                true => Ok(Some(ADMIN_USER.to_owned())),
                false => Err((ReasonCode::BadUsernameOrPassword, "not the administrator's secret".to_owned())),
            };
        }
        // A user name with an empty password, as the clients of 2021 send it, proves nothing.
        let shown = !user.is_empty() && !password.is_empty();
        let credentials = if shown { Credentials::new(user, &password).map(Some) } else { Ok(None) };
        let arrived = credentials.and_then(|credentials| {
            self.teams.authenticate(&connect.client_id, connect.clean_start, credentials.as_ref())?;
            Ok(credentials.map(|credentials| credentials.name))
        });
        arrived.map_err(|error| {
            let code = match error {
                TeamError::Identifier => ReasonCode::ClientIdentifierNotValid,
                TeamError::Connections => ReasonCode::QuotaExceeded,
                _ => ReasonCode::BadUsernameOrPassword,
            };
            (code, error.to_string())
        })
    }

    /// Takes in a message of a client.
    pub(crate) async fn receive(&self, connection: ConnectionNumber, address: IpAddr, event: &ClientPublishEvent) {
        let Some(subject) = Subject::of(&self.topics, &event.topic) else { return };
        // To a client of MQTT 3.1.1, a message without effect is acknowledged.
        if !self.may_publish(event.user_id.as_deref(), &event.topic) {
            return;
        }
        if subject == Subject::Request
            && let Some(delay) = self.join_code.delay(address)
        {
            // The connection waits, with all that it has sent after this.
            sleep(delay).await;
        }
        if subject == Subject::Request && event.user_id.is_none() && event.payload.len() <= MAX_MESSAGE_BYTES {
            self.identify(&event.client_id, &event.payload);
            // Before the server answers the request.
            if let Some(team) = self.teams.of(&event.client_id, None) {
                let notes = self.waiting.settle(connection, &event.client_id, &team).await;
                notes.iter().for_each(|note| self.complain(&team, note));
            }
        }
        let user = event.user_id.as_deref();
        let from = match user {
            Some(ADMIN_USER) => Some(ADMIN_USER.to_owned()),
            user => self.teams.of(&event.client_id, user),
        };
        let put = IncomingMessage::read(subject, &event.payload, from)
            .and_then(|message| self.inbox.put(IncomingMessage { address: Some(address), ..message }));
        if let Err(error) = put {
            debug!("{}: {error}", printable(&format!("{} from {}", event.topic, event.client_id)));
        }
    }

    /// Identifies a connection by its request to take part.
    fn identify(&self, connection: &str, request: &[u8]) {
        let Ok(request) = body::read_request(request) else { return };
        // The server reports the mistakes in a request.
        let _ = Credentials::new(&request.name, &request.secret)
            .and_then(|credentials| self.teams.identify(connection, &credentials));
    }
}
