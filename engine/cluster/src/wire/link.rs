//! The connection to a NATS server. Its calls wait for their end, on a runtime of its own; what fails because the server is away
//! for a moment is tried again.

pub(crate) mod objects;

use crate::error::ClusterError;
use crate::wire::names::{ALL_ANSWERS, ALL_JOBS, ANSWERS, FILES, INBOX_OF_HEADS, JOBS, OBJECTS, inbox_of_worker};
use crate::wire::server_address::ServerAddress;
use arena::Interrupt;
use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::context::{AccountErrorKind, GetStreamError, GetStreamErrorKind};
use async_nats::jetstream::object_store;
use async_nats::jetstream::stream::{RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, AckKind, Context, stream};
use async_nats::{Client, ConnectErrorKind};
use futures_util::StreamExt;
use objects::KEPT;
use std::fmt::Display;
use std::future::Future;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// The time after which a call of the server has failed.
pub(crate) const CALL: Duration = Duration::from_secs(5);
/// The time between two tries of a call.
const PAUSE: Duration = Duration::from_millis(500);
/// The time in which the server remembers names of messages, so that one that is sent again does not count twice.
const MEMORY: Duration = Duration::from_secs(600);

/// A connection to a NATS server with JetStream.
pub(crate) struct Link {
    runtime: Runtime,
    pub(crate) client: Client,
    pub(crate) context: Context,
    pub(crate) interrupt: Interrupt,
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

    /// The beginning of the subjects where the server answers.
    fn inbox(self, server: &ServerAddress) -> String {
        match self {
            Role::Head | Role::Visitor => INBOX_OF_HEADS.to_owned(),
            Role::Worker(_) => inbox_of_worker(server.user().as_deref()),
        }
    }
}

impl Link {
    /// Connects in this role. Heads make the streams if they are not there. It connects again by itself.
    pub(crate) fn connect(server: &ServerAddress, role: Role<'_>, interrupt: &Interrupt) -> Result<Link, ClusterError> {
        let runtime = Builder::new_multi_thread().worker_threads(2).thread_name("nats").enable_all().build();
        let runtime = runtime.map_err(ClusterError::Threads)?;
        let refused = |error: async_nats::ConnectError| {
            let is_refused =
                matches!(error.kind(), ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation);
            ClusterError::Connect { address: server.to_string(), why: error.to_string(), is_refused }
        };
        let client = runtime.block_on(async {
            let options = server.options().await?.name(role.name()).custom_inbox_prefix(role.inbox(server));
            let options = options.connection_timeout(CALL).request_timeout(Some(CALL));
            options.connect(server.address()).await.map_err(refused)
        })?;
        // It starts a task.
        let mut context = runtime.block_on(async { jetstream::new(client.clone()) });
        context.set_timeout(CALL);
        let link = Link { runtime, client, context, interrupt: interrupt.clone() };
        // That does not mend itself.
        let account = link.block_on(link.context.query_account());
        if matches!(account, Err(error) if error.kind() == AccountErrorKind::JetStreamUnavailable) {
            return Err(ClusterError::NoJetStream);
        }
        if !matches!(role, Role::Worker(_)) {
            link.make_streams()?;
        }
        Ok(link)
    }

    fn make_streams(&self) -> Result<(), ClusterError> {
        let stream = |name: &str, subject: &str| stream::Config {
            name: name.to_owned(),
            subjects: vec![subject.to_owned()],
            // A message is there until somebody has confirmed it.
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            duplicate_window: MEMORY,
            max_age: KEPT,
            ..stream::Config::default()
        };
        let bucket = |bucket: &str| object_store::Config {
            bucket: bucket.to_owned(),
            max_age: KEPT,
            ..object_store::Config::default()
        };
        self.wait("make a stream", async || {
            self.context.get_or_create_stream(stream(JOBS, ALL_JOBS)).await.map_err(text)?;
            self.context.get_or_create_stream(stream(ANSWERS, ALL_ANSWERS)).await.map_err(text)?;
            for name in [OBJECTS, FILES] {
                if self.context.get_object_store(name).await.is_err() {
                    self.context.create_object_store(bucket(name)).await.map_err(text)?;
                }
            }
            Ok(())
        })
    }

    /// Waits for the end of a call that nobody interrupts.
    pub(crate) fn block_on<T>(&self, call: impl Future<Output = T>) -> T {
        self.runtime.block_on(call)
    }

    /// Waits for this time.
    pub(crate) fn pause(&self, time: Duration) {
        self.block_on(async { tokio::time::sleep(time).await });
    }

    /// Starts something that goes on by itself.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) -> tokio::task::JoinHandle<()> {
        self.runtime.spawn(task)
    }

    /// Makes a call until it succeeds.
    ///
    /// # Errors
    /// [`ClusterError::Server`] if 60 tries have failed, [`ClusterError::Interrupted`] if somebody interrupted.
    pub(crate) fn wait<T>(
        &self,
        doing: &'static str,
        call: impl AsyncFn() -> Result<T, String>,
    ) -> Result<T, ClusterError> {
        self.wait_longer(doing, CALL, call)
    }

    /// The same for a call that may take as long as `most`.
    pub(crate) fn wait_longer<T>(
        &self,
        doing: &'static str,
        most: Duration,
        call: impl AsyncFn() -> Result<T, String>,
    ) -> Result<T, ClusterError> {
        const TRIES: u32 = 60;
        self.block_on(async {
            let mut tries = 0;
            loop {
                if self.interrupt.is_raised() {
                    return Err(ClusterError::Interrupted);
                }
                let done = tokio::time::timeout(most, call()).await;
                let why = match done {
                    Ok(Ok(done)) => return Ok(done),
                    Ok(Err(why)) => why,
                    Err(_) => format!("no answer within {} s", most.as_secs()),
                };
                tries += 1;
                if tries == TRIES {
                    return Err(ClusterError::server(doing, why));
                }
                tokio::time::sleep(PAUSE).await;
            }
        })
    }

    /// Sends a message to a stream, once however often it is tried, and gives its number there.
    pub(crate) fn publish(&self, subject: &str, id: &str, message: Vec<u8>) -> Result<u64, ClusterError> {
        self.wait("keep a message", async || self.published(subject, id, message.clone()).await)
    }

    /// Sends a message to a stream, in one try that no interrupt stops.
    ///
    /// # Errors
    /// [`ClusterError::TooLong`] if the server takes no message of this length; or there is no answer.
    pub(crate) fn try_publish(&self, subject: &str, id: &str, message: Vec<u8>) -> Result<(), ClusterError> {
        // Beside it there are headers.
        const HEADERS: usize = 1 << 10;
        if message.len() + HEADERS > self.client.server_info().max_payload {
            return Err(ClusterError::TooLong);
        }
        let sent = self.block_on(async { tokio::time::timeout(CALL, self.published(subject, id, message)).await });
        let sent = sent.unwrap_or_else(|_| Err("no answer".to_owned()));
        sent.map_err(|why| ClusterError::server("keep a message", why)).map(drop)
    }

    async fn published(&self, subject: &str, id: &str, message: Vec<u8>) -> Result<u64, String> {
        let sent = jetstream::message::PublishMessage::build().payload(message.into()).message_id(id);
        let sent = self.context.send_publish(subject.to_owned(), sent).await.map_err(text)?;
        sent.await.map_err(text).map(|kept| kept.sequence)
    }

    /// Confirms a message, or tells that it is not wanted, in one try. If the server does not hear it, the message comes again.
    pub(crate) fn tell_of(&self, message: &jetstream::Message, kind: AckKind) {
        let _ = self.block_on(async { tokio::time::timeout(CALL, message.ack_with(kind)).await });
    }

    /// Sends a message to all that listen.
    pub(crate) fn tell(&self, subject: &'static str, message: &[u8]) -> Result<(), ClusterError> {
        self.wait("tell others", async || self.client.publish(subject, message.to_vec().into()).await.map_err(text))
    }

    pub(crate) fn stream(&self, name: &'static str) -> Result<Stream, ClusterError> {
        self.wait("find a stream", async || self.context.get_stream(name).await.map_err(text))
    }

    /// The stream of jobs, and the names of its consumers: one for each kind of worker. `None` while there has been no head.
    pub(crate) fn queues(&self) -> Result<Option<(Stream, Vec<String>)>, ClusterError> {
        let stream = self.wait("find a stream", async || match self.context.get_stream(JOBS).await {
            Ok(stream) => Ok(Some(stream)),
            Err(error) if is_missing(&error) => Ok(None),
            Err(error) => Err(text(error)),
        })?;
        let Some(stream) = stream else { return Ok(None) };
        let all = self.wait("list jobs", async || {
            stream.consumer_names().map(|name| name.map_err(text)).collect::<Vec<_>>().await.into_iter().collect()
        })?;
        Ok(Some((stream, all)))
    }
}

/// True if there is no such stream.
fn is_missing(error: &GetStreamError) -> bool {
    let GetStreamErrorKind::JetStream(error) = error.kind() else { return false };
    error.error_code() == ErrorCode::STREAM_NOT_FOUND
}

/// The words of an error.
pub(crate) fn text(error: impl Display) -> String {
    error.to_string()
}
