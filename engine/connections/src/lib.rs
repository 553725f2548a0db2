//! Limits on the open connections of a server, so that one client cannot keep others out: in total, of each address, and
//! a reserve for addresses with few connections.
//!
//! A server asks [`Connections::admit`] for each connection that it accepts. Where a limit is reached, a connection that
//! [gives way](Connection::gives_way) is closed for the new one: of the same address if that address has reached its
//! limit, else of the address with the most connections. If there is none, the new connection is refused.
//!
//! ```
//! use connections::{Connection, Connections, Limits};
//! use std::net::Ipv4Addr;
//! use std::sync::Arc;
//!
//! /// A connection that never gives way.
//! struct Kept;
//!
//! impl Connection for Kept {
//!     fn gives_way(&self) -> bool {
//!         false
//!     }
//!     fn close(&self) {}
//! }
//!
//! let connections = Arc::new(Connections::new(Limits { total: 10, per_address: 2, reserve: 1 }));
//! let admit = |last| connections.admit(Ipv4Addr::new(10, 0, 0, last).into(), Arc::new(Kept));
//! let first = admit(1).unwrap();
//! let second = admit(1).unwrap();
//! assert!(admit(1).is_none(), "the address has two connections");
//! assert!(admit(2).is_some(), "another address has none");
//! drop(first);
//! assert!(admit(1).is_some());
//! ```
//!
//! A [`Throttle`] limits the requests and guesses of each network.
//!
//! # Servers
//!
//! **Limits on connections** (`engine/connections`) hold for the HTTP servers (1,024 in total) and for Salvo's broker
//! (1,000); the total is lower if the process may open fewer files. An address, or a /64 network of IPv6, may have 128. At
//! its limit, it loses its oldest connection that gives way, or the new one is refused. If the server is full, the address
//! with the most connections loses one. The last 32 connections are for addresses that have fewer than four, so an organiser
//! reaches `/admin` even if every other connection is busy. Over HTTP, a connection gives way while no request is being
//! answered. At the broker, it gives way unless its team takes part; a team may have eight connections. Three quarters of the
//! HTTP limits may be event streams, which never give way.

mod throttle;

use platform::locks::lock;
use platform::sockets;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt;
use std::io;
use std::net::{IpAddr, TcpListener};
use std::sync::{Arc, Mutex};
pub use throttle::{DELAY_OF_GUESS, Throttle};

/// The default for the most connections of one address. A room of thirty teams behind one router has room in it.
pub const PER_ADDRESS: usize = 128;
/// The number of connections below which an address may use the reserve.
const FEW: usize = 4;
/// The number of connections that wait to be accepted. The system lets others try again after a second.
const QUEUE: i32 = 4096;
/// The number of file descriptors that are left for everything but connections.
const OTHER_FILES: u64 = 128;

/// The most connections of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most connections of all addresses together.
    pub total: usize,
    /// The most connections of one address. All addresses of an IPv6 network (/64) count as one.
    pub per_address: usize,
    /// The number of connections, out of `total`, for addresses that have fewer than four.
    pub reserve: usize,
}

impl Limits {
    /// The same limits, with a total for which this process may open enough files.
    #[must_use]
    pub fn within_open_files(self) -> Limits {
        let total = sockets::most_open_files().saturating_sub(OTHER_FILES).max(self.reserve as u64 * 2);
        Limits { total: self.total.min(usize::try_from(total).unwrap_or(usize::MAX)), ..self }
    }
}

/// A connection of a server.
pub trait Connection {
    /// True if the connection may be closed for the sake of another one, because nobody would miss it.
    fn gives_way(&self) -> bool;

    /// Closes the connection soon. Does not wait. The connection counts no longer.
    fn close(&self);
}

/// The open connections of a server.
#[derive(Debug)]
pub struct Connections<C> {
    limits: Limits,
    /// The connections in the order in which they came.
    open: Mutex<Vec<Open<C>>>,
}

struct Open<C> {
    network: IpAddr,
    connection: Arc<C>,
}

/// The permission for a connection, which counts until this value is dropped.
#[derive(Debug)]
#[must_use = "the connection counts only as long as this value lives"]
pub struct Admission<C> {
    connections: Arc<Connections<C>>,
    connection: Arc<C>,
}

impl<C: Connection> Connections<C> {
    /// No connections yet, with these limits.
    pub fn new(limits: Limits) -> Connections<C> {
        Connections { limits, open: Mutex::default() }
    }

    /// Admits a connection from this address, and closes another one for it if that is necessary. `None` if the
    /// connection is refused.
    pub fn admit(self: &Arc<Self>, address: IpAddr, connection: Arc<C>) -> Option<Admission<C>> {
        let network = network(address);
        let mut open = lock(&self.open);
        let own = open.iter().filter(|other| other.network == network).count();
        let unreserved = self.limits.total.saturating_sub(self.limits.reserve);
        let closed = if own >= self.limits.per_address {
            Some(open.iter().position(|other| other.network == network && other.connection.gives_way())?)
        } else if open.len() >= self.limits.total || (open.len() >= unreserved && own >= FEW) {
            Some(of_largest_network(&open, network, own)?)
        } else {
            None
        };
        if let Some(at) = closed {
            open.remove(at).connection.close();
        }
        open.push(Open { network, connection: Arc::clone(&connection) });
        Some(Admission { connections: Arc::clone(self), connection })
    }

    /// Closes all connections.
    pub fn close_all(&self) {
        lock(&self.open).iter().for_each(|open| open.connection.close());
    }
}

/// The position of the oldest connection that gives way to `network`, which has `own` connections: one of its own, or of
/// a network that has more. The network with the most connections comes first.
fn of_largest_network<C: Connection>(open: &[Open<C>], network: IpAddr, own: usize) -> Option<usize> {
    let mut counts: HashMap<IpAddr, usize> = HashMap::new();
    open.iter().for_each(|other| *counts.entry(other.network).or_default() += 1);
    open.iter()
        .enumerate()
        .filter(|(_, other)| other.network == network || counts[&other.network] > own)
        .filter(|(_, other)| other.connection.gives_way())
        .max_by_key(|(at, other)| (counts[&other.network], Reverse(*at)))
        .map(|(at, _)| at)
}

impl<C> Drop for Admission<C> {
    fn drop(&mut self) {
        lock(&self.connections.open).retain(|open| !Arc::ptr_eq(&open.connection, &self.connection));
    }
}

impl<C> fmt::Debug for Open<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.network.fmt(f)
    }
}

/// Makes room for thousands of connections that wait to be accepted, so that a burst of them does not delay other clients.
/// The standard library makes room for 128.
///
/// # Errors
/// The system refuses to listen.
pub fn lengthen_queue(listener: &TcpListener) -> io::Result<()> {
    sockets::lengthen_queue(listener, QUEUE)
}

/// The network of an address, which limits count as one client: an IPv4 address itself, and the /64 of an IPv6 address,
/// because a client usually has all addresses of it.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((u128::from(address) & !u128::from(u64::MAX)).into()),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[derive(Debug, Default)]
    struct Scripted {
        is_kept: AtomicBool,
        is_closed: AtomicBool,
    }

    impl Scripted {
        fn is_closed(&self) -> bool {
            self.is_closed.load(Ordering::Relaxed)
        }
    }

    impl Connection for Scripted {
        fn gives_way(&self) -> bool {
            !self.is_kept.load(Ordering::Relaxed)
        }

        fn close(&self) {
            assert!(!self.is_closed.swap(true, Ordering::Relaxed), "a connection is closed once");
        }
    }

    /// A server, and the permissions of the connections that it has admitted.
    struct Server {
        connections: Arc<Connections<Scripted>>,
        admitted: Vec<Admission<Scripted>>,
    }

    impl Server {
        fn new(total: usize, per_address: usize, reserve: usize) -> Server {
            let limits = Limits { total, per_address, reserve };
            Server { connections: Arc::new(Connections::new(limits)), admitted: Vec::new() }
        }

        /// A connection from this address; `None` if it is refused.
        fn admit(&mut self, from: &str, is_kept: bool) -> Option<Arc<Scripted>> {
            let connection = Arc::new(Scripted { is_kept: is_kept.into(), ..Scripted::default() });
            let admission = self.connections.admit(from.parse().unwrap(), Arc::clone(&connection))?;
            self.admitted.push(admission);
            Some(connection)
        }

        fn open(&self) -> usize {
            lock(&self.connections.open).len()
        }
    }

    #[test]
    fn an_address_at_its_limit_closes_the_oldest_of_its_own_that_gives_way() {
        let mut server = Server::new(100, 3, 0);
        let other = server.admit("10.0.0.9", false).unwrap();
        let own: Vec<_> = [true, false, false].map(|is_kept| server.admit("10.0.0.1", is_kept).unwrap()).into();
        assert!(server.admit("10.0.0.1", true).is_some());
        assert_eq!(own.iter().map(|open| open.is_closed()).collect::<Vec<_>>(), [false, true, false]);
        assert!(server.admit("10.0.0.1", true).is_some() && own[2].is_closed());
        assert!(server.admit("10.0.0.1", true).is_none(), "none of its connections gives way");
        assert!(!other.is_closed());
        assert_eq!(server.open(), 4);
    }

    #[test]
    fn a_full_server_closes_a_connection_of_the_address_with_the_most() {
        let mut server = Server::new(5, 4, 0);
        let few = [false; 2].map(|is_kept| server.admit("10.0.0.1", is_kept).unwrap());
        let many = [true, false, false].map(|is_kept| server.admit("10.0.0.2", is_kept).unwrap());
        assert!(server.admit("10.0.0.3", true).is_some() && many[1].is_closed());
        let count = |open: &[Arc<Scripted>]| open.iter().filter(|open| open.is_closed()).count();
        assert!(server.admit("10.0.0.1", true).is_some());
        assert_eq!((count(&few), count(&many)), (1, 1), "now both have two: the address closes one of its own");
        assert_eq!(server.open(), 5);
    }

    #[test]
    fn the_reserve_is_for_addresses_with_few_connections() {
        let mut server = Server::new(20, 16, 5);
        (0..15).for_each(|_| drop(server.admit("10.0.0.1", true).unwrap()));
        assert!(server.admit("10.0.0.1", true).is_none());
        (0..FEW).for_each(|_| drop(server.admit("10.0.0.2", true).unwrap()));
        assert!(server.admit("10.0.0.2", true).is_none(), "it has its few");
        assert!(server.admit("10.0.0.3", true).is_some());
        assert!(server.admit("10.0.0.4", true).is_none(), "the server is full, and nobody gives way");
    }

    #[test]
    fn a_connection_that_ends_makes_room_once() {
        let mut server = Server::new(100, 2, 0);
        let first = server.admit("10.0.0.1", false).unwrap();
        server.admit("10.0.0.1", true).unwrap();
        server.admit("10.0.0.1", true).unwrap();
        assert!(first.is_closed() && server.admit("10.0.0.1", true).is_none());
        drop(server.admitted.remove(0));
        assert!(server.admit("10.0.0.1", true).is_none(), "the closed connection did not count any more");
        drop(server.admitted.remove(0));
        assert!(server.admit("10.0.0.1", true).is_some());
    }

    #[test]
    fn a_network_of_version_6_counts_as_one_address() {
        let of = |text: &str| network(text.parse().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:2"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
        assert_ne!(of("10.0.0.1"), of("10.0.0.2"));
    }

    #[test]
    fn all_connections_are_closed_at_the_end() {
        let mut server = Server::new(10, 10, 0);
        let open = [true, false].map(|is_kept| server.admit("10.0.0.1", is_kept).unwrap());
        server.connections.close_all();
        assert!(open.iter().all(|open| open.is_closed()));
    }

    #[test]
    fn the_total_fits_the_files_that_may_be_open() {
        let limits = Limits { total: usize::MAX, per_address: 1, reserve: 32 };
        let files = sockets::most_open_files();
        assert!((limits.within_open_files().total as u64) < files);
        assert_eq!(Limits { total: 65, ..limits }.within_open_files().total, 65);
    }
}
