//! Bots that are servers: a message is posted to a URL, and the body of the response is the answer.
//!
//! A call is HTTP/1.1 on a connection that is kept, without proxies, compression or cookies, and with redirects only if
//! an [`AnswerPolicy`] says so. All of it, from the look-up of the name to the last byte, happens on the calling thread
//! within one limit of time, and an interrupt ends it at once.
//!
//! # How it works
//!
//! - **One limit for all of it.** A call happens on the thread that asks. Every wait (for the name, the connection, the
//!   encryption, each piece of the answer) is one `poll` of the socket and the interrupt until the limit (`deadline.rs`), so
//!   a byte now and then does not help, and Ctrl-C ends a call at once. Time in which the engine was stopped is not counted.
//! - **Why no ready-made client.** The protocol is that of `ureq`: `ureq-proto` is the part of it that reads and writes
//!   messages and touches no socket. `ureq` itself holds a limit over a whole call, too, but knows no interrupt that is not
//!   another thread, does not tell whether any of an answer had come when a connection broke, and opens sockets through
//!   traits outside its versioning. Other clients are asynchronous. Over loopback a call costs 10 µs more than a bare socket.
//! - **Names** are looked up by the system, which cannot be hurried: so a thread does it, once for each new connection, and
//!   is left behind if it takes too long. Addresses need none.
//! - **Who may be called.** The addresses are checked that the socket is then connected to, and nothing is looked up twice,
//!   so that a name cannot lead elsewhere in between. Link-local addresses and those under which clouds tell a machine its
//!   secrets are never called, however they are written (IPv4 within IPv6, too).
//! - **Connections** are kept by the `Client`, which all bots of a program share, so the next match need not connect again.
//!   One on which the bot said anything unasked, or more than an answer, is not used again.
//! - **Sent twice.** A bot may close a connection just when the next message is sent. If nothing came back on a connection
//!   that had been used before, the message is sent once more on a new one. POST is not idempotent in general, but here a
//!   message is a question that has the whole state; a bot that counts its questions would count one too many.
//! - **Whose fault.** Whoever cannot be reached or closes the connection is `unreachable`, whoever answers anything but
//!   status 200 or what is not HTTP is `unreadable`; a machine without sockets, threads or ports is an error of the engine.
//! - **What a match is called.** `gameId` and `match_id` are made of the match's seed as the seeds of players are, for a seat
//!   that nobody has: the same seed gives the same names, so bots that draw from them play the same again, and nobody can
//!   tell the seed, or what a built-in opponent draws, from them. In Sea Battle the name is a UUID, as that of the public server,
//!   and the seat is part of it, so that a service that plays itself finds two matches. In a tournament the names are made
//!   of a seed that each game has for its players (`Fixture::player_seed`), so the two games of a pair have different names.
//!   The tournament server draws a new number for every match: one that is played again, because the server was ended, is
//!   new to its bots.
//! - **Who may be called is told before a match,** too, where the name can be looked up: a bot that is not allowed is a
//!   mistake in the command, not a lost match.
//! - **Secrets in URLs.** Name and password are sent as basic authentication. They and the query are in no message.

mod allowed_hosts;
mod call;
mod call_error;
mod client;
mod connect;
mod connection;
mod deadline;
#[cfg(feature = "https")]
mod tls;
mod url;

pub use allowed_hosts::{AllowedHosts, AllowedHostsError, NEVER_CALLED};
pub use call::AnswerPolicy;
pub(crate) use call::too_long_text;
pub use client::{Client, Lookup};
#[cfg(feature = "https")]
pub use tls::CertificateError;
use url::Origin;
pub use url::{BotUrl, UrlError};

use crate::{Delivery, Transport};
use arena::{ArenaError, Interrupt, TimeUsed};
use call_error::CallError;
use deadline::Deadline;
use rules::{ContentType, Fault, HttpRequest, Part, Seat, printable_prefix};
use std::sync::Arc;
use std::time::Duration;
use ureq_proto::http::{Request, header};

/// The most characters of a redirect that are shown to people.
const MOST_SHOWN: usize = 200;

/// A bot that is a server: each message is posted to its URL, and the body of the response is the answer.
///
/// ```
/// use arena::Interrupt;
/// use players::Transport;
/// use players::http::{AllowedHosts, Client, Http};
/// use rules::{ContentType, HttpRequest, Seat};
/// use std::io::{Read, Write};
///
/// let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
/// let url = format!("http://{}", listener.local_addr()?).parse()?;
/// let bot = std::thread::spawn(move || -> std::io::Result<()> {
///     let (mut connection, _) = listener.accept()?;
///     connection.read(&mut [0; 1024])?;
///     connection.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n6,9")
/// });
/// let client = Client::new(AllowedHosts::private()).into();
/// let mut http = Http::new(client, url, None, Interrupt::new()?);
/// let request = HttpRequest { path: None, content: ContentType::Form, body: b"act=fight".to_vec(), answer: "fight" };
/// let delivery = http.exchange(Seat::A, &request)?;
/// assert_eq!(delivery.parts[0].bytes, b"6,9");
/// # bot.join().expect("the bot does not panic")?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A connection on which nothing came back may have been closed by the bot while it was idle, which is not a fault. Then
/// the message is sent once more on a new one. So a bot may be asked the same question twice, which changes
/// nothing: the message has the whole state, and the answer to the first is not read.
#[derive(Debug)]
pub struct Http {
    client: Arc<Client>,
    url: BotUrl,
    policy: AnswerPolicy,
    limit: Option<Duration>,
    interrupt: Interrupt,
    /// The bytes of all answers.
    received: usize,
    /// Where redirects led, besides the origin of the URL.
    redirected: Vec<Origin>,
}

/// The most redirects of one message.
const MOST_REDIRECTS: usize = 5;

impl Http {
    /// A bot at `url` that must answer within `limit`; without one it may take for ever.
    pub fn new(client: Arc<Client>, url: BotUrl, limit: Option<Duration>, interrupt: Interrupt) -> Http {
        let (policy, redirected) = (AnswerPolicy::STRICT, Vec::new());
        Http { client, url, policy, limit, interrupt, received: 0, redirected }
    }

    /// The same bot, of which these answers are taken.
    #[must_use]
    pub fn taking(mut self, policy: AnswerPolicy) -> Http {
        self.policy = policy;
        self
    }

    /// The body of the answer, wherever redirects that the policy follows lead.
    fn post(&mut self, url: &BotUrl, message: &HttpRequest, deadline: &mut Deadline<'_>) -> Result<Vec<u8>, CallError> {
        let mut url = url.clone();
        for _ in 0..MOST_REDIRECTS {
            match self.post_to(&url, message, deadline) {
                Err(CallError::Moved(place)) => {
                    url = url.on_the_same_host(&place).ok_or_else(|| {
                        let why = "a redirect leads to another host, and only those to the same host are followed";
                        CallError::Unreadable(why.to_owned(), printable_prefix(&place, MOST_SHOWN))
                    })?;
                    if url.origin != self.url.origin && !self.redirected.contains(&url.origin) {
                        self.redirected.push(url.origin.clone());
                    }
                }
                answer => return answer,
            }
        }
        self.post_to(&url, message, deadline)
    }

    /// The body of the answer from `url`.
    fn post_to(&self, url: &BotUrl, message: &HttpRequest, deadline: &mut Deadline<'_>) -> Result<Vec<u8>, CallError> {
        if let Some(connection) = self.client.idle(&url.origin) {
            match self.post_on(connection, url, message, deadline) {
                Err((CallError::Gone(_), false)) => {}
                answer => return answer.map_err(|(error, _)| error),
            }
        }
        let connection = connect::open(&self.client, &url.origin, deadline)?;
        self.post_on(connection, url, message, deadline).map_err(|(error, _)| error)
    }

    /// The body of the answer, or the failure and true if anything was received before it.
    fn post_on(
        &self,
        mut connection: connection::Connection,
        url: &BotUrl,
        message: &HttpRequest,
        deadline: &mut Deadline<'_>,
    ) -> Result<Vec<u8>, (CallError, bool)> {
        let request = request(url, message.content, message.body.len());
        let policy = AnswerPolicy { most_bytes: self.policy.most_after(self.received), ..self.policy };
        match call::post(&mut connection, request, &message.body, policy, deadline) {
            Ok((answer, is_reusable)) => {
                if is_reusable {
                    self.client.keep(connection);
                }
                Ok(answer)
            }
            Err(failure) => Err((failure, connection.heard)),
        }
    }
}

/// The connections of a bot end with its match.
impl Drop for Http {
    fn drop(&mut self) {
        self.redirected.iter().chain([&self.url.origin]).for_each(|origin| self.client.close_idle(origin));
    }
}

fn request(url: &BotUrl, content: ContentType, length: usize) -> Request<()> {
    let request = Request::post(&url.uri)
        .header(header::CONTENT_TYPE, content.mime())
        .header(header::CONTENT_LENGTH, length)
        .header(header::USER_AGENT, concat!("broadside/", env!("CARGO_PKG_VERSION")));
    let request = match &url.authorization {
        Some(authorization) => request.header(header::AUTHORIZATION, authorization),
        None => request,
    };
    request.body(()).expect("all headers are text")
}

impl Transport<HttpRequest> for Http {
    fn exchange(&mut self, _seat: Seat, message: &HttpRequest) -> Result<Delivery, ArenaError> {
        let interrupt = self.interrupt.clone();
        let mut deadline = Deadline::new(self.limit, &interrupt);
        let url = self.url.below(message.path)?;
        let answer = self.post(&url, message, &mut deadline);
        let wall = deadline.used();
        let late = self.limit.filter(|limit| wall >= *limit).map(|limit| Fault::timed_out(wall, limit));
        let (parts, fault) = match answer {
            Ok(bytes) => {
                self.received = self.received.saturating_add(bytes.len());
                (vec![Part { name: message.answer, bytes }], late)
            }
            Err(failure) => (Vec::new(), Some(failure.charged(&url.to_string(), wall, self.limit)?)),
        };
        Ok(Delivery { parts, fault, time: Some(TimeUsed { wall, cpu: None }), run: None, notes: None })
    }
}
