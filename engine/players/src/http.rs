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
use rules::{ContentType, Fault, HttpRequest, Part, Seat};
use std::sync::Arc;
use std::time::Duration;
use ureq_proto::http::{Request, header};
use wait::Wait;

/// Posts each message to a bot; the body of the response is the answer.
///
/// A connection on which nothing came back may have been closed by the bot while it was idle, which is no fault. Then
/// the message is sent once more on a new one. A bot may so be asked the same question twice, which changes nothing: the
/// message has all of it, and the answer to the first is not heard.
#[derive(Debug)]
pub struct Http {
    client: Arc<Client>,
    url: BotUrl,
    limit: Option<Duration>,
    interrupt: Interrupt,
}

impl Http {
    /// A bot at `url` that must answer within `limit`; without one it may take for ever.
    pub fn new(client: Arc<Client>, url: BotUrl, limit: Option<Duration>, interrupt: Interrupt) -> Http {
        Http { client, url, limit, interrupt }
    }

    /// The body of the answer.
    fn post(&self, url: &BotUrl, message: &HttpRequest, wait: &mut Wait<'_>) -> Result<Vec<u8>, Failure> {
        if let Some(connection) = self.client.idle(&url.origin) {
            match self.post_on(connection, url, message, wait) {
                Err((Failure::Gone(_), false)) => {}
                Ok(answer) => return Ok(answer),
                Err((failure, _)) => return Err(failure),
            }
        }
        let connection = connect::open(&self.client, &url.origin, wait)?;
        self.post_on(connection, url, message, wait).map_err(|(failure, _)| failure)
    }

    /// The body of the answer, or why there is none and whether anything was heard.
    fn post_on(
        &self,
        mut connection: connection::Connection,
        url: &BotUrl,
        message: &HttpRequest,
        wait: &mut Wait<'_>,
    ) -> Result<Vec<u8>, (Failure, bool)> {
        let request = request(url, message.content, message.body.len());
        match call::post(&mut connection, request, &message.body, MOST_OF_ANSWER as usize, wait) {
            Ok((answer, is_reusable)) => {
                if is_reusable {
                    self.client.keep(connection);
                }
                Ok(answer)
            }
            Err(failure) => Err((failure, connection.has_heard())),
        }
    }
}

fn request(url: &BotUrl, content: ContentType, length: usize) -> Request<()> {
    let request = Request::post(url.uri())
        .header(header::CONTENT_TYPE, content.mime())
        .header(header::CONTENT_LENGTH, length)
        .header(header::USER_AGENT, concat!("broadside/", env!("CARGO_PKG_VERSION")));
    let request = match url.authorization() {
        Some(authorization) => request.header(header::AUTHORIZATION, authorization),
        None => request,
    };
    request.body(()).expect("all headers are text")
}

impl Transport<HttpRequest> for Http {
    fn exchange(&mut self, _seat: Seat, message: &HttpRequest) -> Result<Delivery, ArenaError> {
        let mut wait = Wait::new(self.limit, &self.interrupt);
        let url = self.url.below(message.path)?;
        let answer = self.post(&url, message, &mut wait);
        let wall = wait.used();
        let late = self.limit.filter(|limit| wall >= *limit).map(|limit| Fault::TimedOut { used: wall, limit });
        let (parts, fault) = match answer {
            Ok(bytes) => (vec![Part { name: message.answer, bytes }], late),
            Err(failure) => (Vec::new(), Some(failure.charged(&url.to_string(), wall, self.limit)?)),
        };
        Ok(Delivery { parts, fault, time: Some(TimeUsed { wall, cpu: None }), run: None })
    }
}
