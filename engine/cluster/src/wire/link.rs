//! The connection to a NATS server. Its calls wait for their end, on a runtime of its own. What is sent is kept nowhere: whoever
//! wants an answer asks again.

use crate::error::ClusterError;
use crate::wire::names::{INBOX_OF_HEADS, inbox_of_worker};
use crate::wire::server_address::ServerAddress;
use arena::Interrupt;
use async_nats::connection::State;
use async_nats::{Client, ConnectErrorKind, Event, RequestErrorKind, Subscriber};
use std::fmt::Display;
use std::future::Future;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// The time in which a head or the server answers, beyond the time for which it was asked to wait.
pub(crate) const CALL: Duration = Duration::from_secs(5);
/// The time between two tries of a request.
const PAUSE: Duration = Duration::from_millis(500);
/// The most messages of one subject that wait here. More are lost, and sent again by whoever wants an answer.
const MOST_WAITING: usize = 2048;

/// A connection to a NATS server. It connects again by itself.
pub(crate) struct Link {
    runtime: Runtime,
    pub(crate) client: Client,
    pub(crate) interrupt: Interrupt,
    /// The words by which the server refused something for want of rights.
    refused: Arc<OnceLock<String>>,
}

/// The roles in which this program connects.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Role<'a> {
    /// The head of a tournament.
    Head,
    /// A worker of this name.
    Worker(&'a str),
    /// A person who looks after a cluster, with the rights of a head.
    Visitor,
}

impl Role<'_> {
    /// The name of the connection, which the server tells.
    fn name(self) -> String {
        match self {
            Role::Head => "broadside head".to_owned(),
            Role::Worker(name) => format!("broadside worker {name}"),
            Role::Visitor => "broadside cluster".to_owned(),
        }
    }

    /// The beginning of the subjects where answers come.
    fn inbox(self, server: &ServerAddress) -> String {
        match self {
            Role::Head | Role::Visitor => INBOX_OF_HEADS.to_owned(),
            Role::Worker(_) => inbox_of_worker(server.user().as_deref()),
        }
    }
}

/// The reason why a request has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoAnswer {
    /// Nobody listens at the subject.
    NobodyThere,
    /// None came in time, or there is no connection.
    Late(String),
}

impl Link {
    /// Connects in this role.
    ///
    /// # Errors
    /// Nobody answers there, or the server refuses the login.
    pub(crate) fn connect(server: &ServerAddress, role: Role<'_>, interrupt: &Interrupt) -> Result<Link, ClusterError> {
        let runtime = Builder::new_multi_thread().worker_threads(2).thread_name("nats").enable_all().build();
        let runtime = runtime.map_err(ClusterError::Threads)?;
        let refused = |error: async_nats::ConnectError| {
            let is_refused =
                matches!(error.kind(), ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation);
            ClusterError::Connect { address: server.to_string(), why: error.to_string(), is_refused }
        };
        let refusal: Arc<OnceLock<String>> = Arc::default();
        let told = Arc::clone(&refusal);
        let note = move |event: Event| {
            if let Event::ServerError(error) = event
                && error.to_string().contains("ermissions")
            {
                let _ = told.set(error.to_string());
            }
            std::future::ready(())
        };
        let client = runtime.block_on(async {
            let options = server.options().await?.name(role.name()).custom_inbox_prefix(role.inbox(server));
            let options = options.connection_timeout(CALL).request_timeout(None).subscription_capacity(MOST_WAITING);
            let options = options.event_callback(note);
            options.connect(server.address()).await.map_err(refused)
        })?;
        Ok(Link { runtime, client, interrupt: interrupt.clone(), refused: refusal })
    }

    /// Waits for the end of a call that nobody interrupts.
    pub(crate) fn block_on<T>(&self, call: impl Future<Output = T>) -> T {
        self.runtime.block_on(call)
    }

    /// Waits for this time.
    pub(crate) fn pause(&self, time: Duration) {
        self.block_on(async { tokio::time::sleep(time).await });
    }

    /// Starts something that goes on by itself, until this is dropped.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) -> tokio::task::JoinHandle<()> {
        self.runtime.spawn(task)
    }

    /// # Errors
    /// [`ClusterError::Rights`] if the login lacks a right.
    pub(crate) fn check_rights(&self) -> Result<(), ClusterError> {
        self.refused.get().map_or(Ok(()), |why| Err(ClusterError::Rights(why.clone())))
    }

    /// True while there is a connection.
    pub(crate) fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// The messages of a subject from now on.
    ///
    /// # Errors
    /// The connection is closed for good.
    pub(crate) fn hear(&self, subject: impl Into<String>) -> Result<Subscriber, ClusterError> {
        let heard = self.block_on(async { self.client.subscribe(subject.into()).await });
        heard.map_err(|error| ClusterError::server("hear messages", error))
    }

    /// Sends a message to all who hear this subject.
    ///
    /// # Errors
    /// The server cannot be told.
    pub(crate) fn tell(&self, subject: &'static str, message: Vec<u8>) -> Result<(), ClusterError> {
        let told = self.block_on(async {
            tokio::time::timeout(CALL, async {
                self.client.publish(subject, message.into()).await.map_err(text)?;
                self.client.flush().await.map_err(text)
            })
            .await
            .unwrap_or_else(|_| Err("no answer".to_owned()))
        });
        told.map_err(|why| ClusterError::server("send a message", why))
    }

    /// The answer to a request, in one try. It may be asked to wait as long as `wait`.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn try_ask(&self, subject: &str, message: &[u8], wait: Duration) -> Result<Vec<u8>, NoAnswer> {
        self.block_on(self.asked(subject, message, wait))
    }

    /// The answer to a request, which is made again until one comes.
    ///
    /// # Errors
    /// [`ClusterError::Server`] if 60 tries have failed, [`ClusterError::Interrupted`] if somebody interrupted.
    pub(crate) async fn ask(
        &self,
        doing: &'static str,
        subject: &str,
        message: &[u8],
    ) -> Result<Vec<u8>, ClusterError> {
        const TRIES: u32 = 60;
        let mut tries = 0;
        loop {
            if self.interrupt.is_raised() {
                return Err(ClusterError::Interrupted);
            }
            let why = match self.asked(subject, message, Duration::ZERO).await {
                Ok(answer) => return Ok(answer),
                Err(NoAnswer::NobodyThere) => "its head has ended".to_owned(),
                Err(NoAnswer::Late(why)) => why,
            };
            tries += 1;
            if tries == TRIES {
                return Err(ClusterError::server(doing, why));
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn asked(&self, subject: &str, message: &[u8], wait: Duration) -> Result<Vec<u8>, NoAnswer> {
        let asked = self.client.request(subject.to_owned(), message.to_vec().into());
        match tokio::time::timeout(wait + CALL, asked).await {
            Ok(Ok(answer)) => Ok(answer.payload.into()),
            Ok(Err(error)) if error.kind() == RequestErrorKind::NoResponders => Err(NoAnswer::NobodyThere),
            Ok(Err(error)) => Err(NoAnswer::Late(error.to_string())),
            Err(_) => Err(NoAnswer::Late("no answer".to_owned())),
        }
    }
}

/// The words of an error.
pub(crate) fn text(error: impl Display) -> String {
    error.to_string()
}
