//! Errors of the live view.

use std::io;
use std::net::SocketAddr;

/// The reason why a live view cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// The port is in use or not allowed. Another port, or port 0, may work.
    #[error("cannot show the match at {address}: {source}")]
    Address {
        /// The address.
        address: SocketAddr,
        /// The system's error.
        source: io::Error,
    },
    /// The system does not give the server a thread, a runtime or an eventfd.
    #[error("cannot start the server of the live view: {0}")]
    Server(#[source] io::Error),
}
