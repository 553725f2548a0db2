//! Connections for tests of a server's limits: many at once, and from any address of the loopback network (127.0.0.0/8).

use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, connect, socket_with};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io::{self, Read};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// Longer than anything that a test waits for.
const PATIENCE: Duration = Duration::from_secs(60);

/// Opens a connection to `server` from this address of the loopback network. Reading from it fails after a minute.
///
/// # Errors
/// The system has no free port or file descriptor, or the server does not listen.
pub fn connect_from(source: Ipv4Addr, server: SocketAddr) -> io::Result<TcpStream> {
    let socket = socket_with(AddressFamily::INET, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    bind(&socket, &SocketAddr::from((source, 0)))?;
    connect(&socket, &server)?;
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(PATIENCE))?;
    Ok(stream)
}

/// The number of these connections that the server has not closed, and on which it sends nothing.
///
/// # Errors
/// The system refuses to read without waiting.
pub fn count_open(connections: &[TcpStream]) -> io::Result<usize> {
    let mut open = 0;
    for mut connection in connections {
        connection.set_nonblocking(true)?;
        let read = connection.read(&mut [0]);
        open += usize::from(read.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock));
    }
    Ok(open)
}

/// Lets this process open as many files as the system allows: a test has both ends of each connection.
///
/// # Errors
/// The system refuses the change.
pub fn allow_open_files() -> io::Result<()> {
    let limit = getrlimit(Resource::Nofile);
    Ok(setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit })?)
}
