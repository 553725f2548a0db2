//! From an origin to a connection: look up the name, check the addresses, connect, agree on encryption.

use super::call_error::CallError;
use super::client::{Client, Lookup};
use super::connection::Connection;
use super::deadline::Deadline;
use super::url::Origin;
use platform::sockets;
use platform::wait::WaitSet;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// The most addresses of one name that are tried.
const MOST_ADDRESSES: usize = 8;

/// A new connection to `origin`.
pub(super) fn open(client: &Client, origin: &Origin, deadline: &mut Deadline<'_>) -> Result<Connection, CallError> {
    let found = addresses(client, origin, deadline)?;
    let allowed = allowed(client, origin, found).map_err(CallError::Gone)?;
    let stream = connect_to(&allowed, deadline)?;
    if origin.ip().is_none()
        && let Ok(reached) = stream.peer_addr()
    {
        client.note_reached(origin, reached.ip());
    }
    if !origin.is_https {
        return Ok(Connection::plain(stream, origin.clone()));
    }
    #[cfg(feature = "https")]
    {
        let tls = client.trusted.connect(&origin.host).map_err(CallError::Gone)?;
        Connection::encrypted(stream, tls, origin.clone(), deadline)
    }
    #[cfg(not(feature = "https"))]
    {
        let source = io::Error::new(ErrorKind::Unsupported, "this program was built without https");
        Err(CallError::Ours { doing: "follow a redirect to https", source })
    }
}

/// The addresses of `origin`.
pub(super) fn addresses(
    client: &Client,
    origin: &Origin,
    deadline: &mut Deadline<'_>,
) -> Result<Vec<SocketAddr>, CallError> {
    match origin.ip() {
        Some(ip) => Ok(vec![SocketAddr::new(ip, origin.port)]),
        None => look_up(&client.lookup, origin, deadline),
    }
}

/// The system's way to look up a name cannot be ended early, so it has a thread of its own, which is left behind if it
/// takes too long.
fn look_up(lookup: &Arc<Lookup>, origin: &Origin, deadline: &mut Deadline<'_>) -> Result<Vec<SocketAddr>, CallError> {
    let ours = |source| CallError::Ours { doing: "look up a name", source };
    let (found, finding) = mpsc::channel();
    let (done, doing) = io::pipe().map_err(ours)?;
    let (lookup, host, port) = (Arc::clone(lookup), origin.host.clone(), origin.port);
    let look = move || {
        // The receiver may be gone: the call gave up waiting.
        let _ = found.send(lookup(&host, port));
        drop(doing);
    };
    thread::Builder::new().name("lookup".to_owned()).spawn(look).map_err(ours)?;
    deadline.until(WaitSet::new().readable(&done))?;
    let found = finding.recv().map_err(|_| ours(io::Error::other("the look-up panicked")))?;
    found.map_err(|e| CallError::of("look up a name", e))
}

/// The addresses that may be called, or the reason why there are none. Only these are connected to, so it does not matter
/// where the name leads a moment later.
pub(super) fn allowed(client: &Client, origin: &Origin, found: Vec<SocketAddr>) -> Result<Vec<SocketAddr>, String> {
    let mut refused = "the name has no address".to_owned();
    let mut allowed = Vec::new();
    for address in found {
        match client.allowed.check(&origin.host, address.ip()) {
            Ok(()) => allowed.push(address),
            Err(why) => refused = why,
        }
    }
    allowed.truncate(MOST_ADDRESSES);
    if allowed.is_empty() { Err(refused) } else { Ok(allowed) }
}

/// Connects to the first address that answers. Each but the last has its share of the time only.
fn connect_to(addresses: &[SocketAddr], deadline: &mut Deadline<'_>) -> Result<TcpStream, CallError> {
    let unanswered = || CallError::TimedOut("nobody took the connection".to_owned());
    let mut last = unanswered();
    for (tried, address) in addresses.iter().enumerate() {
        let share = deadline.left().map(|left| left / (addresses.len() - tried) as u32);
        let is_last = tried + 1 == addresses.len();
        match connect_one(address, share.filter(|_| !is_last), deadline) {
            Ok(Some(stream)) => return Ok(stream),
            Ok(None) => last = unanswered(),
            Err(gone @ CallError::Gone(_)) => last = gone,
            Err(failure) => return Err(failure),
        }
    }
    Err(last)
}

/// Connects to an address within a share of the time; `None` when that is over.
fn connect_one(
    address: &SocketAddr,
    share: Option<Duration>,
    deadline: &mut Deadline<'_>,
) -> Result<Option<TcpStream>, CallError> {
    let socket = sockets::open(address).map_err(|e| CallError::of("open a socket", e))?;
    let failed = |source: io::Error| match source.kind() {
        // All local ports are in use. (Of IPv6 the same error says that there is no such network here.)
        ErrorKind::AddrNotAvailable if address.is_ipv4() => CallError::Ours { doing: "find a free port", source },
        _ => CallError::of("connect a socket", source),
    };
    // So that small messages leave at once.
    socket.set_nodelay(true).map_err(failed)?;
    if !sockets::begin_connect(&socket, address).map_err(failed)? {
        if !deadline.within(share, WaitSet::new().writable(&socket))? {
            return Ok(None);
        }
        socket.take_error().map_err(failed)?.map_or(Ok(()), |refused| Err(failed(refused)))?;
    }
    Ok(Some(socket))
}
