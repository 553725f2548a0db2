//! A connection to the embedded broker: its login, its rights, its events, and whether it gives way to others.

use crate::access::{Access, why_no_message, why_no_subscription};
use crate::embedded::AccessControl;
use crate::embedded::early_subscriptions::ConnectionNumber;
use crate::publisher::RefusalRate;
use connections::Connection;
use mqtt5::broker::auth::{AuthProvider, AuthResult};
use mqtt5::broker::events::{
    BrokerEventHandler, ClientConnectEvent, ClientDisconnectEvent, ClientPublishEvent, ClientSubscribeEvent,
    ClientUnsubscribeEvent, PublishAction,
};
use mqtt5::packet::connect::ConnectPacket;
use mqtt5::types::ProtocolVersion;
use platform::locks::lock;
use std::future::pending;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tokio::sync::broadcast::{Receiver, Sender, channel};
use tokio::time::timeout;

/// The time in which a client without user name has to subscribe or ask to take part. The broker itself gives 10 s for the
/// login.
const ANONYMOUS_TIME: Duration = Duration::from_secs(60);

/// The futures of the broker's traits.
pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A connection. It gives way to others unless it is one of a team that takes part.
pub(crate) struct MqttConnection {
    number: ConnectionNumber,
    address: IpAddr,
    access: Arc<AccessControl>,
    /// The login, once the broker has accepted it.
    login: OnceLock<Login>,
    has_subscribed: AtomicBool,
    /// The explanations of the current second.
    explained: Mutex<RefusalRate>,
    /// Ends the broker's work for this connection.
    close: Sender<()>,
}

struct Login {
    identifier: String,
    user: Option<String>,
    version: ProtocolVersion,
}

impl MqttConnection {
    pub(crate) fn new(access: &Arc<AccessControl>, address: IpAddr) -> MqttConnection {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let (close, _) = channel(1);
        MqttConnection {
            number: COUNT.fetch_add(1, Ordering::Relaxed),
            address,
            explained: Mutex::default(),
            access: Arc::clone(access),
            login: OnceLock::new(),
            has_subscribed: AtomicBool::new(false),
            close,
        }
    }

    /// The signal for the broker to end its work for this connection.
    pub(crate) fn closing(&self) -> Receiver<()> {
        self.close.subscribe()
    }

    /// Closes a connection that is not used in time. Returns when a connection without login has to be dropped; after
    /// the login, the broker obeys the signal itself, because it has to end the session.
    pub(crate) async fn closed_before_login(&self, mut closing: Receiver<()>) {
        if timeout(ANONYMOUS_TIME, closing.recv()).await.is_err() {
            if !self.is_used() {
                self.close();
            }
            let _ = closing.recv().await;
        }
        if self.login.get().is_some() {
            pending::<()>().await;
        }
    }

    /// Removes what waits for the client to say who it is. The connection has ended.
    pub(crate) async fn forget(&self) {
        if let Some(login) = self.login.get() {
            self.access.waiting.forget(self.number, &login.identifier).await;
        }
    }

    /// Tells the team of the connection why a message or a subscription has no effect, or keeps it until the team is known.
    fn explain(&self, client: &str, user: Option<&str>, text: String) {
        match self.access.teams.of(client, user) {
            Some(_) if !lock(&self.explained).allows_one() => {}
            Some(team) => self.access.complain(&team, &text),
            None => self.access.waiting.note(self.number, text),
        }
    }

    /// True if the client has subscribed, or the broker knows its team.
    fn is_used(&self) -> bool {
        let is_of_team = |login: &Login| self.access.teams.of(&login.identifier, login.user.as_deref()).is_some();
        self.has_subscribed.load(Ordering::Relaxed) || self.login.get().is_some_and(is_of_team)
    }
}

impl Connection for MqttConnection {
    fn gives_way(&self) -> bool {
        let takes_part = |login: &Login| self.access.teams.takes_part(&login.identifier, login.user.as_deref());
        !self.login.get().is_some_and(takes_part)
    }

    fn close(&self) {
        // Nobody receives this when the connection has just ended.
        let _ = self.close.send(());
    }
}

impl AuthProvider for MqttConnection {
    fn authenticate<'a>(
        &'a self,
        connect: &'a ConnectPacket,
        _: SocketAddr,
    ) -> BoxFuture<'a, mqtt5::error::Result<AuthResult>> {
        let result = match self.access.admit(connect) {
            Err((code, why)) => AuthResult::fail_with_reason(code, why),
            Ok(user) => {
                let version = if connect.protocol_version == 5 { ProtocolVersion::V5 } else { ProtocolVersion::V311 };
                // The broker asks once.
                let _ = self.login.set(Login { identifier: connect.client_id.clone(), user: user.clone(), version });
                AuthResult { user_id: user, ..AuthResult::success() }
            }
        };
        Box::pin(async { Ok(result) })
    }

    /// A message on any other topic than those that clients write has no effect: no message of a client is routed. A client
    /// of MQTT 3.1.1 cannot be told so in the acknowledgement; it would take the reason for an error of the protocol, and send
    /// the message again and again.
    fn authorize_publish<'a>(&'a self, client: &str, user: Option<&'a str>, topic: &'a str) -> BoxFuture<'a, bool> {
        let has_effect = self.access.may_publish(user, topic);
        if !has_effect {
            self.explain(client, user, why_no_message(&self.access.topics, topic));
        }
        let is_v5 = self.login.get().is_some_and(|login| login.version == ProtocolVersion::V5);
        Box::pin(async move { has_effect || !is_v5 })
    }

    fn authorize_subscribe<'a>(&'a self, client: &str, user: Option<&'a str>, filter: &'a str) -> BoxFuture<'a, bool> {
        let (access, client) = (self.access.subscription(client, user, filter), client.to_owned());
        if let Some(why) = why_no_subscription(&self.access.topics, filter, access) {
            self.explain(&client, user, why);
        }
        // A client that only waits has to say who it is in time.
        self.has_subscribed.fetch_or(access == Access::Granted, Ordering::Relaxed);
        Box::pin(async move {
            match access {
                Access::Granted => true,
                Access::Waits(owner) => self.access.waiting.add(self.number, &client, filter, owner).await,
                Access::Refused => false,
            }
        })
    }
}

impl BrokerEventHandler for MqttConnection {
    fn on_client_publish<'a>(&'a self, event: ClientPublishEvent) -> BoxFuture<'a, PublishAction> {
        Box::pin(async move {
            self.access.receive(self.number, self.address, &event).await;
            PublishAction::Handled
        })
    }

    fn on_client_subscribe<'a>(&'a self, event: ClientSubscribeEvent) -> BoxFuture<'a, ()> {
        self.access.waiting.answered(self.number, &event.subscriptions);
        Box::pin(async {})
    }

    fn on_client_unsubscribe<'a>(&'a self, event: ClientUnsubscribeEvent) -> BoxFuture<'a, ()> {
        self.access.waiting.unsubscribed(self.number, &event.topic_filters);
        Box::pin(async {})
    }

    fn on_client_connect<'a>(&'a self, event: ClientConnectEvent) -> BoxFuture<'a, ()> {
        self.access.teams.connected(&event.client_id, event.user_id.as_deref());
        self.access.inbox.recheck();
        Box::pin(async {})
    }

    fn on_client_disconnect<'a>(&'a self, event: ClientDisconnectEvent) -> BoxFuture<'a, ()> {
        self.access.teams.disconnected(&event.client_id, event.user_id.as_deref());
        self.access.inbox.recheck();
        Box::pin(async {})
    }
}
