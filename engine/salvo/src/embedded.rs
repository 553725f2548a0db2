//! The embedded broker: everything that a game needs in one process, with access rules that keep private topics
//! private.
//!
//! Messages for the server never reach the broker's routing: they are put into the inbox, and the sender gets its
//! acknowledgement. The broker knows the team of a connection by the user name and password of its CONNECT, which are
//! the team's name and secret, or by the request to take part that came through the connection.

use crate::access::{may_publish, may_subscribe};
use crate::broker::Broker;
use crate::inbox::{Inbox, IncomingMessage, MAX_MESSAGE_BYTES, Subject};
use crate::teams::{Credentials, TeamError, Teams};
use log::{debug, info, warn};
use mqtt5::QoS;
use mqtt5::broker::auth::{AuthProvider, AuthResult};
use mqtt5::broker::config::{BrokerConfig, StorageConfig};
use mqtt5::broker::events::{
    BrokerEventHandler, ClientConnectEvent, ClientDisconnectEvent, ClientPublishEvent, PublishAction,
};
use mqtt5::broker::{BrokerShutdownHandle, MqttBroker};
use mqtt5::packet::connect::ConnectPacket;
use mqtt5::packet::publish::PublishPacket;
use mqtt5::protocol::v5::reason_codes::ReasonCode;
use rules::printable;
use rules::salvo::{Topics, body};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::pin::Pin;
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

/// The most connections: 16 teams with a few clients each, and spectators.
const MAX_CLIENTS: usize = 1000;
/// The most subscriptions of a connection.
const MAX_SUBSCRIPTIONS: usize = 100;
/// The most messages of a connection in a second.
const MAX_MESSAGES_PER_SECOND: u32 = 200;
/// The most bytes of a packet.
const MAX_PACKET_BYTES: usize = 64 * 1024;
/// The most messages that wait for a client that reads slowly.
const MAX_UNREAD: usize = 1000;
/// The time for which the broker keeps the session of a client that is disconnected.
const SESSION_EXPIRY: Duration = Duration::from_secs(3600);

/// The futures of the broker's traits.
type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A running broker, which ends when this is dropped.
pub(crate) struct EmbeddedBroker {
    outgoing: Option<UnboundedSender<PublishPacket>>,
    shutdown: BrokerShutdownHandle,
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
    ) -> Result<EmbeddedBroker, io::Error> {
        // Binding first gives the error of the system; the broker has another text for it.
        drop(TcpListener::bind(address)?);
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (begun, beginning) = mpsc::channel();
        let (outgoing, mut to_send) = unbounded_channel::<PublishPacket>();
        let access = Arc::new(AccessControl { topics, teams, inbox });
        let thread = thread::Builder::new().name("broker".to_owned()).spawn(move || {
            runtime.block_on(async move {
                let broker = MqttBroker::with_config(config(address, Arc::clone(&access))).await;
                let mut broker = match broker {
                    Ok(broker) => broker.with_auth_provider(access),
                    Err(error) => return drop(begun.send(Err(error.to_string()))),
                };
                let bound = broker.local_addr().ok_or_else(|| "it has no address".to_owned());
                let router = broker.router();
                if begun.send(bound.map(|bound| (bound, broker.shutdown_handle()))).is_err() {
                    return;
                }
                // The end of the queue ends the broker.
                let delivery = async {
                    while let Some(packet) = to_send.recv().await {
                        router.route_message_with_deadline(&packet, None, tokio::time::Instant::now()).await;
                    }
                };
                tokio::select! {
                    end = broker.run() => if let Err(error) = end { warn!("the broker ended: {error}") },
                    () = delivery => {}
                }
            });
        })?;
        let begun = beginning.recv().unwrap_or_else(|_| Err("it did not begin".to_owned()));
        let (address, shutdown) = begun.map_err(io::Error::other)?;
        info!("broker at {address}");
        Ok(EmbeddedBroker { outgoing: Some(outgoing), shutdown, address, thread: Some(thread) })
    }
}

fn config(address: SocketAddr, access: Arc<AccessControl>) -> BrokerConfig {
    BrokerConfig {
        max_clients: MAX_CLIENTS,
        max_packet_size: MAX_PACKET_BYTES,
        max_subscriptions_per_client: MAX_SUBSCRIPTIONS,
        max_message_rate_per_client: MAX_MESSAGES_PER_SECOND,
        client_channel_capacity: MAX_UNREAD,
        session_expiry_interval: SESSION_EXPIRY,
        sys_topics_enabled: false,
        storage_config: StorageConfig {
            enable_persistence: false,
            max_queued_messages_per_client: MAX_UNREAD,
            ..StorageConfig::default()
        },
        event_handler: Some(access),
        ..BrokerConfig::default()
    }
    .with_bind_address(address)
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
        self.shutdown.shutdown();
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// The hooks of the broker: they authenticate clients, apply the access rules, and pass messages to the inbox.
struct AccessControl {
    topics: Topics,
    teams: Teams,
    inbox: Arc<Inbox>,
}

impl AuthProvider for AccessControl {
    fn authenticate<'a>(
        &'a self,
        connect: &'a ConnectPacket,
        _: SocketAddr,
    ) -> BoxFuture<'a, mqtt5::error::Result<AuthResult>> {
        Box::pin(async move { Ok(self.admit(connect)) })
    }

    fn authorize_publish<'a>(&'a self, _: &str, _: Option<&'a str>, topic: &'a str) -> BoxFuture<'a, bool> {
        let may = may_publish(&self.topics, topic);
        Box::pin(async move { may })
    }

    fn authorize_subscribe<'a>(&'a self, client: &str, user: Option<&'a str>, filter: &'a str) -> BoxFuture<'a, bool> {
        let team = self.teams.of(client, user);
        let may = may_subscribe(&self.topics, team.as_deref(), filter);
        Box::pin(async move { may })
    }
}

impl AccessControl {
    fn admit(&self, connect: &ConnectPacket) -> AuthResult {
        // The broker publishes a last will without calling these hooks, so that others could read a message for the
        // server.
        if connect.will.is_some() {
            return AuthResult::fail_with_reason(ReasonCode::NotAuthorized, "a last will is not allowed");
        }
        let user = connect.username.as_deref().unwrap_or_default();
        let password = connect.password.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
        // A user name with an empty password, as the clients of 2021 send it, proves nothing.
        let shown = !user.is_empty() && !password.is_empty();
        let credentials = if shown { Credentials::new(user, &password).map(Some) } else { Ok(None) };
        let arrived = credentials.and_then(|credentials| {
            self.teams.authenticate(&connect.client_id, connect.clean_start, credentials.as_ref())?;
            Ok(credentials)
        });
        match arrived {
            Ok(Some(credentials)) => AuthResult::success_with_user(credentials.name),
            Ok(None) => AuthResult::success(),
            Err(error @ TeamError::Identifier) => {
                AuthResult::fail_with_reason(ReasonCode::ClientIdentifierNotValid, error.to_string())
            }
            Err(error) => AuthResult::fail_with_reason(ReasonCode::BadUsernameOrPassword, error.to_string()),
        }
    }

    fn receive(&self, event: &ClientPublishEvent) {
        let Some(subject) = Subject::of(&self.topics, &event.topic) else { return };
        if subject == Subject::Request && event.user_id.is_none() && event.payload.len() <= MAX_MESSAGE_BYTES {
            self.identify(&event.client_id, &event.payload);
        }
        let from = self.teams.of(&event.client_id, event.user_id.as_deref());
        let put = IncomingMessage::read(subject, &event.payload, from).and_then(|message| self.inbox.put(message));
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

impl BrokerEventHandler for AccessControl {
    fn on_client_publish<'a>(&'a self, event: ClientPublishEvent) -> BoxFuture<'a, PublishAction> {
        self.receive(&event);
        Box::pin(async { PublishAction::Handled })
    }

    fn on_client_connect<'a>(&'a self, event: ClientConnectEvent) -> BoxFuture<'a, ()> {
        self.teams.connected(&event.client_id, event.user_id.as_deref());
        Box::pin(async {})
    }

    fn on_client_disconnect<'a>(&'a self, event: ClientDisconnectEvent) -> BoxFuture<'a, ()> {
        self.teams.disconnected(&event.client_id, event.user_id.as_deref());
        Box::pin(async {})
    }
}
