//! The client that all bots over HTTP share: allowed hosts, trusted certificates, and connections to be used again.

use super::allowed_hosts::AllowedHosts;
use super::connect;
use super::connection::Connection;
use super::deadline::Deadline;
#[cfg(feature = "https")]
use super::tls::{CertificateError, TrustStore};
use super::url::{BotUrl, Origin};
use arena::{ArenaError, Interrupt};
use platform::locks::lock;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Looks up a name: all addresses under which `(host, port)` can be reached. May block.
pub type Lookup = dyn Fn(&str, u16) -> io::Result<Vec<SocketAddr>> + Send + Sync;

/// The most idle connections that are kept.
const MOST_IDLE: usize = 64;
/// The time for which they are kept. Most servers are less patient; a closed connection is noticed before its use.
const IDLE: Duration = Duration::from_secs(60);
/// The most names whose addresses are known.
const MOST_REACHED: usize = 4096;

/// Calls bots. One serves all bots, matches and threads: what it shares is connections, so that a bot that is asked
/// again in a match need not be connected to again, also if it plays both seats.
pub struct Client {
    pub(super) allowed: AllowedHosts,
    pub(super) lookup: Arc<Lookup>,
    #[cfg(feature = "https")]
    pub(super) trusted: TrustStore,
    idle: Mutex<Vec<(Instant, Connection)>>,
    /// The addresses that were last reached by names.
    reached: Mutex<BTreeMap<String, IpAddr>>,
}

impl Client {
    /// A client that calls these hosts and trusts the certificate authorities that Mozilla trusts.
    pub fn new(allowed: AllowedHosts) -> Client {
        Client {
            allowed,
            lookup: Arc::new(|host: &str, port: u16| Ok((host, port).to_socket_addrs()?.collect())),
            #[cfg(feature = "https")]
            trusted: TrustStore::of_mozilla(),
            idle: Mutex::default(),
            reached: Mutex::default(),
        }
    }

    /// The client, trusting these authorities as well, in PEM format.
    ///
    /// # Errors
    /// [`CertificateError`] with the mistake in the certificates.
    #[cfg(feature = "https")]
    pub fn trusting(mut self, authorities: &[u8]) -> Result<Client, CertificateError> {
        self.trusted.add(authorities)?;
        Ok(self)
    }

    /// The client with another way to look up names.
    #[must_use]
    pub fn looking_up(self, lookup: Arc<Lookup>) -> Client {
        Client { lookup, ..self }
    }

    /// A client with the same ways to call, and connections of its own, that calls a host only if `allowed` allows it
    /// as well.
    #[must_use]
    pub fn restricted(&self, allowed: AllowedHosts) -> Client {
        Client {
            allowed: self.allowed.clone().and(allowed),
            lookup: Arc::clone(&self.lookup),
            #[cfg(feature = "https")]
            trusted: self.trusted.clone(),
            idle: Mutex::default(),
            reached: Mutex::default(),
        }
    }

    /// The reason why the bot at `url` may not be called; `None` if it may. A name that is not found within `limit` counts
    /// as allowed: the call itself reports it.
    ///
    /// # Errors
    /// [`ArenaError`] when the engine or its machine fails, and on an interrupt.
    pub fn refusal(
        &self,
        url: &BotUrl,
        limit: Option<Duration>,
        interrupt: &Interrupt,
    ) -> Result<Option<String>, ArenaError> {
        let mut deadline = Deadline::new(limit, interrupt);
        match connect::addresses(self, &url.origin, &mut deadline) {
            Ok(found) => Ok(connect::allowed(self, &url.origin, found).err()),
            Err(failure) => failure.charged(&url.to_string(), deadline.used(), limit).map(|_| None),
        }
    }

    /// The address of the host of `url`: the one that is written there, or the one to which the client last connected by its name.
    pub fn address_of(&self, url: &BotUrl) -> Option<IpAddr> {
        url.origin.ip().or_else(|| lock(&self.reached).get(&url.origin.host).copied())
    }

    /// Notes the address that was reached by a name.
    pub(super) fn note_reached(&self, origin: &Origin, address: IpAddr) {
        let mut reached = lock(&self.reached);
        if reached.len() >= MOST_REACHED && !reached.contains_key(&origin.host) {
            reached.pop_first();
        }
        reached.insert(origin.host.clone(), address);
    }

    /// A connection that was used before and is still good.
    pub(super) fn idle(&self, origin: &Origin) -> Option<Connection> {
        loop {
            let (_, mut connection) = {
                let mut idle = lock(&self.idle);
                let place = idle.iter().rposition(|(_, connection)| connection.origin == *origin)?;
                idle.remove(place)
            };
            if connection.is_quiet() {
                return Some(connection);
            }
        }
    }

    /// Closes the idle connections to `origin`: a bot that serves one at a time has to be free for others.
    pub(super) fn close_idle(&self, origin: &Origin) {
        let mut idle = lock(&self.idle);
        idle.retain(|(_, connection)| connection.origin != *origin);
    }

    /// Keeps a connection for its next use.
    pub(super) fn keep(&self, connection: Connection) {
        let now = Instant::now();
        let mut idle = lock(&self.idle);
        idle.retain(|(since, _)| now.duration_since(*since) < IDLE);
        if idle.len() == MOST_IDLE {
            idle.remove(0);
        }
        idle.push((now, connection));
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("allowed", &self.allowed).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn the_address_of_a_name_is_the_one_that_was_reached() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let lookup = move |_: &str, _: u16| Ok(vec![address]);
        let client = Client::new(AllowedHosts::private()).looking_up(Arc::new(lookup));
        let url: BotUrl = format!("http://bots.example.org:{}", address.port()).parse().unwrap();
        assert_eq!(client.address_of(&url), None);
        let interrupt = Interrupt::new().unwrap();
        drop(connect::open(&client, &url.origin, &mut Deadline::new(None, &interrupt)).unwrap());
        assert_eq!(client.address_of(&url), Some(address.ip()));
        let literal: BotUrl = "http://[::1]:4000".parse().unwrap();
        assert_eq!(client.address_of(&literal), Some("::1".parse().unwrap()));
    }

    #[test]
    fn the_names_that_were_reached_are_bounded() {
        let client = Client::new(AllowedHosts::private());
        for number in 0..MOST_REACHED + 9 {
            let origin = Origin { is_https: false, host: format!("host{number}"), port: 80 };
            client.note_reached(&origin, IpAddr::from([127, 0, 0, 1]));
        }
        assert_eq!(lock(&client.reached).len(), MOST_REACHED);
    }
}
