//! Clients that hold more connections than a server has, while honest clients are served.

use crate::server::{Events, Site, options};
use serve::{ServeOptions, TournamentServer};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use test_tools::attack::{allow_open_files, connect_from};

/// The default of `broadside serve`.
const PER_ADDRESS: usize = 128;
const ATTACKER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 3);
const HONEST: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
/// The time after which the server closes slow connections: longer than an honest client waits, which is a minute.
const REQUEST_TIME: Duration = Duration::from_secs(600);

/// A request without its end.
const SLOW_HEAD: &str = "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";
/// A request without its body. The server answers 100 when it begins to read the body.
const SLOW_BODY: &str = "POST /api/bots/register HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                         Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n";
/// A request for the event stream.
const LISTEN: &str = "GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// A server with the default numbers of connections, in its own folder.
struct Server {
    site: Site,
    _server: TournamentServer,
    _folder: TempDir,
}

impl Server {
    fn start() -> Server {
        allow_open_files().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let options =
            ServeOptions { connections_per_address: PER_ADDRESS, request_time: REQUEST_TIME, ..options(folder.path()) };
        let server = TournamentServer::start(options).unwrap();
        Server { site: Site(server.address), _server: server, _folder: folder }
    }
}

/// Connections from this address that have sent `text` and never send more. The server may have closed some of them.
fn hold(site: Site, from: Ipv4Addr, connections: usize, text: &str) -> Vec<TcpStream> {
    let begun = Instant::now();
    let open = |_| {
        let mut stream = connect_from(from, site.0).unwrap();
        let _ = stream.write_all(text.as_bytes());
        stream
    };
    let held = (0..connections).map(open).collect();
    eprintln!("{connections} connections from {from} in {:?}", begun.elapsed());
    held
}

/// Connections from this address whose requests the server is answering: each waits for the body. The server may have
/// refused some of them.
fn hold_busy(site: Site, from: Ipv4Addr, connections: usize) -> Vec<TcpStream> {
    let held = hold(site, from, connections, SLOW_BODY);
    for mut stream in &held {
        // A byte of the server's answer, or the end of the connection.
        let _ = stream.read(&mut [0]);
    }
    held
}

/// A request from this address.
fn send(site: Site, from: Ipv4Addr, path: &str) -> TcpStream {
    let mut stream = connect_from(from, site.0).unwrap();
    stream.write_all(format!("GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n").as_bytes()).unwrap();
    stream
}

/// The response to a request from this address.
fn get(site: Site, from: Ipv4Addr, path: &str) -> String {
    let mut text = String::new();
    send(site, from, path).read_to_string(&mut text).unwrap();
    text
}

/// Fails if an honest client at this address is not served.
fn is_served(site: Site, from: Ipv4Addr) {
    for path in ["/", "/admin", "/api/bots"] {
        let begun = Instant::now();
        let text = get(site, from, path);
        assert!(text.contains(" 200 OK\r\n"), "{path} from {from}: {text}");
        eprintln!("{path} from {from}: {:?}", begun.elapsed());
    }
}

#[test]
fn slow_connections_of_one_address_delay_nobody() {
    let server = Server::start();
    let _slow = hold(server.site, ATTACKER, 1100, SLOW_HEAD);
    is_served(server.site, HONEST);
    is_served(server.site, ATTACKER);
}

#[test]
fn slow_connections_of_ten_addresses_leave_room_for_others() {
    let server = Server::start();
    let attackers = (0..10).map(|number| Ipv4Addr::new(127, 0, 1, number));
    let _slow: Vec<_> = attackers.map(|from| hold_busy(server.site, from, PER_ADDRESS - 18)).collect();
    is_served(server.site, HONEST);
}

#[test]
fn event_streams_of_one_address_leave_room_for_others() {
    let server = Server::start();
    let _deaf = hold(server.site, ATTACKER, 768, LISTEN);
    let begun = Instant::now();
    let mut listener = Events::of(send(server.site, HONEST, "/api/events"));
    assert_eq!(listener.next().unwrap().kind, "state");
    eprintln!("the event stream: {:?}", begun.elapsed());
    is_served(server.site, HONEST);
    is_served(server.site, ATTACKER);
    let refused = get(server.site, ATTACKER, "/api/events");
    assert!(refused.starts_with("HTTP/1.0 503") && refused.contains("there are too many listeners"), "{refused}");
}

#[test]
fn an_address_whose_connections_are_all_busy_is_told() {
    let server = Server::start();
    let _busy = hold_busy(server.site, ATTACKER, PER_ADDRESS);
    let refused = get(server.site, ATTACKER, "/");
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("too many open connections"), "{refused}");
    is_served(server.site, HONEST);
}
