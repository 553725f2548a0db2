//! Sockets, as far as the standard library goes.

use super::missing;
use crate::wait::Waitable;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

const FILE: &str = "sockets.rs";

/// Opens a socket that never blocks.
///
/// # Errors
/// Always.
pub fn open(_address: &SocketAddr) -> io::Result<TcpStream> {
    missing("bots cannot be called over HTTP", FILE)
}

/// Begins to connect a socket.
///
/// # Errors
/// Always.
pub fn begin_connect(_socket: &TcpStream, _address: &SocketAddr) -> io::Result<bool> {
    missing("bots cannot be called over HTTP", FILE)
}

/// False: no error is known to say that the machine lacks something.
pub fn is_shortage(_error: &io::Error) -> bool {
    false
}

/// The largest number of files and sockets that this process may have open: not known.
pub fn most_open_files() -> u64 {
    u64::MAX
}

/// Leaves the queue of connections as the standard library makes it.
///
/// # Errors
/// None.
pub fn lengthen_queue(_listener: &TcpListener, _length: i32) -> io::Result<()> {
    Ok(())
}

/// Breaks a connection off once the other side has left bytes unread for this time.
///
/// # Errors
/// Always.
pub fn limit_unread(_socket: &impl Waitable, _most: Duration) -> io::Result<()> {
    missing("connections whose clients read nothing cannot be ended", FILE)
}

/// Leaves the acknowledgements to the system.
pub fn acknowledge_at_once(_socket: &impl Waitable) {}

/// Sends nothing: the connection is closed without a word.
pub fn refuse(_socket: &impl Waitable, _text: &[u8]) {}
