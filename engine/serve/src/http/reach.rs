//! The names by which the server is reached.

use std::net::SocketAddr;

/// The names by which the server is reached.
#[derive(Debug)]
pub(crate) struct Reach {
    /// True if it listens on a loopback address. It then answers only to names of this machine and to `public_hosts`, else to
    /// any name.
    pub(crate) is_local: bool,
    /// The names of proxies and tunnels that pass requests on.
    pub(crate) public_hosts: Vec<String>,
    /// The address that it listens on.
    pub(crate) address: SocketAddr,
}
