//! Sockets, by their system calls, where the standard library blocks or has no name for it.

use crate::wait::Waitable;
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, Shutdown, SocketFlags, SocketType, connect, listen, recv, send, shutdown,
    socket_with, sockopt,
};
use rustix::process::{Resource, getrlimit};
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

/// Opens a socket that never blocks, for a connection to this address.
///
/// # Errors
/// The system gives none.
pub fn open(address: &SocketAddr) -> io::Result<TcpStream> {
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    Ok(TcpStream::from(socket_with(family, SocketType::STREAM, flags, None)?))
}

/// Begins to connect a socket; true if it is connected already. Else it can be written to when it is connected, or when
/// [`TcpStream::take_error`] tells why it is not.
///
/// # Errors
/// The address cannot be reached, or there is no free port on this machine.
pub fn begin_connect(socket: &TcpStream, address: &SocketAddr) -> io::Result<bool> {
    match connect(socket, address) {
        Ok(()) => Ok(true),
        Err(Errno::INPROGRESS | Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// The largest number of files and sockets that this process may have open.
pub fn most_open_files() -> u64 {
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// Lets so many connections wait until they are accepted.
///
/// # Errors
/// The system refuses.
pub fn lengthen_queue(listener: &TcpListener, length: i32) -> io::Result<()> {
    Ok(listen(listener, length)?)
}

/// Breaks a connection off once the other side has left bytes unread for this time.
///
/// # Errors
/// The system refuses.
pub fn limit_unread(socket: &impl Waitable, most: Duration) -> io::Result<()> {
    Ok(sockopt::set_tcp_user_timeout(socket, u32::try_from(most.as_millis()).unwrap_or(u32::MAX))?)
}

/// Acknowledges what is received next at once. Some servers send the head of a response alone, and the body once the head is
/// acknowledged, for which the system usually waits 40 ms. The system forgets this from time to time.
pub fn acknowledge_at_once(socket: &impl Waitable) {
    // Without it, everything is received as well, only later.
    let _ = sockopt::set_tcp_quickack(socket, true);
}

/// Sends a text as the last one of a connection. Does not wait: most clients get the text.
pub fn refuse(socket: &impl Waitable, text: &[u8]) {
    let _ = send(socket, text, SendFlags::DONTWAIT | SendFlags::NOSIGNAL);
    let _ = shutdown(socket, Shutdown::Write);
    // Bytes that nobody has read would reset the connection, and the client would lose the text.
    let _ = recv(socket, &mut [0; 4096][..], RecvFlags::DONTWAIT);
}
