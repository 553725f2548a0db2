//! Connections for tests of a server's limits: many at once, and from any address of the loopback network (127.0.0.0/8).

use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, connect, socket_with};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io::{self, Read};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

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

/// Waits until the server has closed all but `most` of these connections, on which it sends nothing.
///
/// # Panics
/// When more of them are open after this time.
pub fn wait_until_closed(connections: &[TcpStream], most: usize, within: Duration) {
    let until = Instant::now() + within;
    let mut is_set = true;
    connections.iter().for_each(|connection| is_set &= connection.set_nonblocking(true).is_ok());
    let is_open = |mut connection: &TcpStream| matches!(connection.read(&mut [0]), Err(error) if error.kind() == io::ErrorKind::WouldBlock);
    loop {
        let open = connections.iter().filter(|connection| is_open(connection)).count();
        if is_set && open <= most {
            return;
        }
        assert!(is_set && Instant::now() < until, "{open} connections are open, which should be at most {most}");
        crate::pause();
    }
}

/// Lets this process open as many files as the system allows: a test has both ends of each connection.
///
/// # Errors
/// The system refuses the change.
pub fn allow_open_files() -> io::Result<()> {
    let limit = getrlimit(Resource::Nofile);
    Ok(setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit })?)
}
