//! The broker of our own: everything that a game needs in one process, with the access rules that make private topics private.
//!
//! What clients send for the server never goes through the broker's tables of subscribers: it is put into the inbox, and the
//! sender gets its acknowledgement. The broker knows a connection's team by the user name and password of its CONNECT, which
//! are the team's name and secret, or by the request to take part that came through it.

use crate::access::{may_publish, may_subscribe};
use crate::broker::Broker;
use crate::inbox::{Inbox, IncomingMessage, LONGEST, Subject};
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
use rules::salvo::{Topics, body};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::pin::Pin;
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The most connections: 16 teams, each with a few clients, and those who watch.
const MOST_CLIENTS: usize = 1000;
/// The most subscriptions of a connection.
const MOST_SUBSCRIPTIONS: usize = 100;
/// The most messages that a connection may send in a second.
const MOST_A_SECOND: u32 = 200;
/// The most bytes of a packet.
const MOST_OF_PACKET: usize = 64 * 1024;
/// The most messages that wait for a client that does not read.
const MOST_UNREAD: usize = 1000;
/// How long the broker remembers a client that went away.
const MEMORY: Duration = Duration::from_secs(3600);

/// The future that the broker's traits ask for.
type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A broker at work. It ends when this is dropped.
pub(crate) struct EmbeddedBroker {
    outgoing: Option<UnboundedSender<PublishPacket>>,
    shutdown: BrokerShutdownHandle,
    address: SocketAddr,
    thread: Option<JoinHandle<()>>,
}

impl EmbeddedBroker {
    /// Listens at this address.
    pub(crate) fn start(
        address: SocketAddr,
        topics: Topics,
        teams: Teams,
        inbox: Arc<Inbox>,
    ) -> Result<EmbeddedBroker, io::Error> {
        // The broker would tell in its own words why it cannot.
        drop(TcpListener::bind(address)?);
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (begun, beginning) = mpsc::channel();
        let (outgoing, to_send) = unbounded_channel();
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
                tokio::select! {
                    end = broker.run() => if let Err(error) = end { warn!("the broker ended: {error}") },
                    () = send_off(to_send, |packet| { let router = Arc::clone(&router); async move { router.route_message_with_deadline(&packet, None, tokio::time::Instant::now()).await } }) => {}
                }
            });
        })?;
        let begun = beginning.recv().unwrap_or_else(|_| Err("it did not begin".to_owned()));
        let (address, shutdown) = begun.map_err(io::Error::other)?;
        info!("broker at {address}");
        Ok(EmbeddedBroker { outgoing: Some(outgoing), shutdown, address, thread: Some(thread) })
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

/// Sends messages off one after the other, until nobody can have more.
async fn send_off<F: Future<Output = ()>>(
    mut packets: UnboundedReceiver<PublishPacket>,
    send: impl Fn(PublishPacket) -> F,
) {
    while let Some(packet) = packets.recv().await {
        send(packet).await;
    }
}

fn config(address: SocketAddr, access: Arc<AccessControl>) -> BrokerConfig {
    BrokerConfig {
        max_clients: MOST_CLIENTS,
        max_packet_size: MOST_OF_PACKET,
        max_subscriptions_per_client: MOST_SUBSCRIPTIONS,
        max_message_rate_per_client: MOST_A_SECOND,
        client_channel_capacity: MOST_UNREAD,
        session_expiry_interval: MEMORY,
        sys_topics_enabled: false,
        storage_config: StorageConfig {
            enable_persistence: false,
            max_queued_messages_per_client: MOST_UNREAD,
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
        // It is only gone when the broker is, and then the server hears of it elsewhere.
        if let Some(outgoing) = &self.outgoing {
            let _ = outgoing.send(packet);
        }
    }
}

impl Drop for EmbeddedBroker {
    fn drop(&mut self) {
        // What was sent off before is delivered first.
        self.outgoing = None;
        self.shutdown.shutdown();
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Decides who may come in and what for.
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
        // A last will is sent without being looked at, so one for the server would be read by others.
        if connect.will.is_some() {
            return AuthResult::fail_with_reason(ReasonCode::NotAuthorized, "no last wills at this table");
        }
        let text = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).into_owned();
        let user = connect.username.as_deref().unwrap_or_default();
        let password = connect.password.as_ref().map(text).unwrap_or_default();
        // The clients of 2021 came with a user name and an empty password, which shows nothing.
        let shown = !user.is_empty() && !password.is_empty();
        let credentials = if shown { Credentials::new(user, &password).map(Some) } else { Ok(None) };
        let arrived = credentials.and_then(|credentials| {
            self.teams.arrive(&connect.client_id, connect.clean_start, credentials.as_ref())?;
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

    fn take_in(&self, event: &ClientPublishEvent) {
        let Some(subject) = Subject::of(&self.topics, &event.topic) else { return };
        if subject == Subject::Request && event.user_id.is_none() && event.payload.len() <= LONGEST {
            self.learn(&event.client_id, &event.payload);
        }
        let from = self.teams.of(&event.client_id, event.user_id.as_deref());
        let put = IncomingMessage::read(subject, &event.payload, from).and_then(|message| self.inbox.put(message));
        if let Err(error) = put {
            debug!("{} from {}: {error}", event.topic, event.client_id);
        }
    }

    /// A connection that asks to take part shows who it is.
    fn learn(&self, connection: &str, request: &[u8]) {
        let Ok(request) = body::read_request(request) else { return };
        // What is wrong with it is for the server to say.
        let _ = Credentials::new(&request.name, &request.secret)
            .and_then(|credentials| self.teams.show(connection, &credentials));
    }
}

impl BrokerEventHandler for AccessControl {
    fn on_client_publish<'a>(&'a self, event: ClientPublishEvent) -> BoxFuture<'a, PublishAction> {
        self.take_in(&event);
        Box::pin(async { PublishAction::Handled })
    }

    fn on_client_connect<'a>(&'a self, event: ClientConnectEvent) -> BoxFuture<'a, ()> {
        self.teams.connected(&event.client_id, event.user_id.as_deref());
        Box::pin(async {})
    }

    fn on_client_disconnect<'a>(&'a self, event: ClientDisconnectEvent) -> BoxFuture<'a, ()> {
        self.teams.leave(&event.client_id, event.user_id.as_deref());
        Box::pin(async {})
    }
}
