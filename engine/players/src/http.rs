//! Bots that are servers: a message is posted to a URL, and the body of the response is the answer.
//!
//! A call is HTTP/1.1 on a connection that is kept, without proxies, redirects, compression or cookies. All of it, from
//! the look-up of the name to the last byte, happens on the calling thread within one limit of time, and an interrupt
//! ends it at once.

mod allowed_hosts;
mod call;
mod client;
mod connect;
mod connection;
mod failure;
mod url;
mod wait;

pub use allowed_hosts::{AllowedHosts, AllowedHostsError};
pub use client::{CertificateError, Client, Lookup};
pub use url::{BotUrl, UrlError};

use crate::{Delivery, Transport};
use arena::folder::MOST_OF_ANSWER;
use arena::{ArenaError, Interrupt, TimeUsed};
use failure::Failure;
use rules::{Fault, Message, Part, Seat};
use std::sync::Arc;
use std::time::Duration;
use ureq_proto::http::{Request, header};
use wait::Wait;

/// Where a bot takes messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Endpoint {
    /// Below a URL: the address of the message is appended to its path.
    Below(BotUrl),
    /// At this URL, whatever the address of the message.
    At(BotUrl),
}

/// What messages are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// `application/json`
    Json,
    /// `application/x-www-form-urlencoded`
    Form,
}

/// Posts the first part of each message to a bot; the body of the response is the part named like the message's address.
///
/// A connection on which nothing came back may have been closed by the bot while it was idle, which is no fault. Then
/// the message is sent once more on a new one. A bot may so be asked the same question twice, which changes nothing: the
/// message has all of it, and the answer to the first is not heard.
#[derive(Debug)]
pub struct Http {
    client: Arc<Client>,
    endpoint: Endpoint,
    content: Content,
    limit: Option<Duration>,
    interrupt: Interrupt,
}

impl Http {
    /// A bot at `endpoint` that must answer within `limit`; without one it may take for ever.
    pub fn new(
        client: Arc<Client>,
        endpoint: Endpoint,
        content: Content,
        limit: Option<Duration>,
        interrupt: Interrupt,
    ) -> Http {
        Http { client, endpoint, content, limit, interrupt }
    }

    /// The body of the answer.
    fn post(&self, url: &BotUrl, body: &[u8], wait: &mut Wait<'_>) -> Result<Vec<u8>, Failure> {
        if let Some(connection) = self.client.idle(&url.origin) {
            match self.post_on(connection, url, body, wait) {
                Err((Failure::Gone(_), false)) => {}
                Ok(answer) => return Ok(answer),
                Err((failure, _)) => return Err(failure),
            }
        }
        let connection = connect::open(&self.client, &url.origin, wait)?;
        self.post_on(connection, url, body, wait).map_err(|(failure, _)| failure)
    }

    /// The body of the answer, or why there is none and whether anything was heard.
    fn post_on(
        &self,
        mut connection: connection::Connection,
        url: &BotUrl,
        body: &[u8],
        wait: &mut Wait<'_>,
    ) -> Result<Vec<u8>, (Failure, bool)> {
        let request = self.request(url, body.len());
        match call::post(&mut connection, request, body, MOST_OF_ANSWER as usize, wait) {
            Ok((answer, is_reusable)) => {
                if is_reusable {
                    self.client.keep(connection);
                }
                Ok(answer)
            }
            Err(failure) => Err((failure, connection.has_heard())),
        }
    }

    fn request(&self, url: &BotUrl, length: usize) -> Request<()> {
        let content = match self.content {
            Content::Json => "application/json",
            Content::Form => "application/x-www-form-urlencoded",
        };
        let request = Request::post(url.uri())
            .header(header::CONTENT_TYPE, content)
            .header(header::CONTENT_LENGTH, length)
            .header(header::USER_AGENT, concat!("broadside/", env!("CARGO_PKG_VERSION")));
        let request = match url.authorization() {
            Some(authorization) => request.header(header::AUTHORIZATION, authorization),
            None => request,
        };
        request.body(()).expect("all headers are text")
    }
}

impl Transport for Http {
    /// # Panics
    /// When the message has no part, or its address is none of the `wanted` parts.
    fn exchange(&mut self, _seat: Seat, message: &Message, wanted: &[&'static str]) -> Result<Delivery, ArenaError> {
        let name = wanted.iter().find(|name| **name == message.address).expect("answers are named like addresses");
        let url = match &self.endpoint {
            Endpoint::Below(url) => url.below(&message.address),
            Endpoint::At(url) => url.clone(),
        };
        let mut wait = Wait::new(self.limit, &self.interrupt);
        let answer = self.post(&url, &message.parts[0].bytes, &mut wait);
        let wall = wait.used();
        let late = self.limit.filter(|limit| wall >= *limit).map(|limit| Fault::TimedOut { used: wall, limit });
        let (parts, fault) = match answer {
            Ok(bytes) => (vec![Part { name, bytes }], late),
            Err(failure) => (Vec::new(), Some(failure.charged(&url.to_string(), wall, self.limit)?)),
        };
        Ok(Delivery { parts, fault, time: Some(TimeUsed { wall, cpu: None }), run: None })
    }
}
