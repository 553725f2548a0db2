//! A connection to the embedded broker: its login, its rights, and whether it gives way to others.

use crate::embedded::AccessControl;
use connections::Connection;
use mqtt5::broker::auth::{AuthProvider, AuthResult};
use mqtt5::packet::connect::ConnectPacket;
use std::future::pending;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
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
    access: Arc<AccessControl>,
    /// The login, once the broker has accepted it.
    login: OnceLock<Login>,
    has_subscribed: AtomicBool,
    /// Ends the broker's work for this connection.
    close: Sender<()>,
}

struct Login {
    identifier: String,
    user: Option<String>,
}

impl MqttConnection {
    pub(crate) fn new(access: &Arc<AccessControl>) -> MqttConnection {
        let (close, _) = channel(1);
        MqttConnection {
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
        let result = self.access.admit(connect);
        if result.authenticated {
            let login = Login { identifier: connect.client_id.clone(), user: result.user_id.clone() };
            // The broker asks once.
            let _ = self.login.set(login);
        }
        Box::pin(async { Ok(result) })
    }

    fn authorize_publish<'a>(&'a self, _: &str, _: Option<&'a str>, topic: &'a str) -> BoxFuture<'a, bool> {
        let may = self.access.may_publish(topic);
        Box::pin(async move { may })
    }

    fn authorize_subscribe<'a>(&'a self, client: &str, user: Option<&'a str>, filter: &'a str) -> BoxFuture<'a, bool> {
        let may = self.access.may_subscribe(client, user, filter);
        self.has_subscribed.fetch_or(may, Ordering::Relaxed);
        Box::pin(async move { may })
    }
}
