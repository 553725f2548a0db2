//! The HTTP server under the live view and the tournament server: a thread, its connections, and headers for all
//! responses.

use crate::http_connection::{HttpConnection, OpenEventStream, counted};
use axum::Router;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HOST, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Request, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use connections::{Admission, Connections, Limits};
use futures_util::future::{Either, select};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use platform::sockets;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, UdpSocket};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use std::{convert::Infallible, io};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};
use tokio::time::{sleep, timeout};
use tower_service::Service;

/// The time for the last bytes after the server was asked to end.
const LAST_BYTES: Duration = Duration::from_millis(500);
/// The usual time for the headers of a request.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);
/// The longest time between two requests of a connection. Proxies use their connections to a server again for up to two minutes
/// (Caddy; others for less); one that the server closes just then costs a request, to which the proxy answers 502.
const IDLE: Duration = Duration::from_secs(150);
/// The time after which a client that reads nothing is disconnected.
const UNREAD: Duration = Duration::from_secs(30);
/// The most connections at the same time.
const CONNECTIONS: usize = 1024;
/// The number of connections, and of event streams, that are left for addresses that have only a few.
const RESERVE: usize = 32;
/// The response to a client that has too many connections.
const REFUSAL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nContent-Length: 60\r\n\
    Retry-After: 10\r\nConnection: close\r\n\r\nYour address has too many open connections; try again later\n";
/// The response to a client that has too many event streams.
const TOO_MANY_STREAMS: &str = r#"{"error":"there are too many listeners; try again later"}"#;

/// Headers for all responses: do not store them, do not guess their type, do not show them on other sites.
pub const HEADERS: [(HeaderName, &str); 4] = [
    (CACHE_CONTROL, "no-store"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The address of the client; an extension of every request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer(pub SocketAddr);

/// A server that is ready to run.
///
/// It limits the number of open connections: 1,024 in total, and fewer of each address. Where a limit is reached, it
/// closes a connection on which no request is being answered, or refuses the new one. Three quarters of each limit may be
/// event streams.
#[derive(Debug)]
pub struct HttpServer {
    runtime: Runtime,
    listener: tokio::net::TcpListener,
    open: OpenConnections,
    headers_within: Duration,
}

/// The open connections, and those of them that are event streams.
#[derive(Debug, Clone)]
struct OpenConnections {
    all: Arc<Connections<HttpConnection>>,
    streams: Arc<Connections<OpenEventStream>>,
}

impl OpenConnections {
    fn new(per_address: usize) -> OpenConnections {
        let all = Limits { total: CONNECTIONS, per_address, reserve: RESERVE }.within_open_files();
        let part = |limit: usize| (limit * 3 / 4).max(1);
        let streams = Limits { total: part(all.total), per_address: part(per_address), reserve: RESERVE };
        OpenConnections { all: Arc::new(Connections::new(all)), streams: Arc::new(Connections::new(streams)) }
    }

    /// The permission for an event stream, if the response is one.
    fn admit_stream(&self, response: &Response, from: IpAddr) -> Result<Option<Admission<OpenEventStream>>, ()> {
        let content = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
        if !content.is_some_and(|content| content.starts_with(b"text/event-stream")) {
            return Ok(None);
        }
        self.streams.admit(from, Arc::new(OpenEventStream)).map(Some).ok_or(())
    }
}

impl HttpServer {
    /// A server on this listener, with a runtime of one thread, that admits so many connections of one address.
    ///
    /// # Errors
    /// The system gives no runtime, or the listener cannot be made non-blocking.
    pub fn new(listener: TcpListener, connections_per_address: usize) -> io::Result<HttpServer> {
        connections::lengthen_queue(&listener)?;
        listener.set_nonblocking(true)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let context = runtime.enter();
        let listener = tokio::net::TcpListener::from_std(listener)?;
        drop(context);
        let open = OpenConnections::new(connections_per_address);
        Ok(HttpServer { runtime, listener, open, headers_within: HEADERS_WITHIN })
    }

    /// The same server that closes a connection if the headers of its first request take longer than this, instead of 10 s.
    #[must_use]
    pub fn with_headers_within(self, headers_within: Duration) -> HttpServer {
        HttpServer { headers_within, ..self }
    }

    /// Serves until `closing` is done, then lets responses that are being sent arrive.
    pub fn run(self, routes: Router, closing: impl Future<Output = ()>) {
        let HttpServer { runtime, listener, open, headers_within } = self;
        runtime.block_on(async {
            let (close, closed) = watch::channel(false);
            let (alive, mut all_closed) = mpsc::channel::<Infallible>(1);
            let accepting = tokio::spawn(accept_connections(listener, open, headers_within, routes, closed, alive));
            closing.await;
            close.send_replace(true);
            accepting.abort();
            let _ = accepting.await;
            // A client that has not read everything by now is disconnected.
            let _ = timeout(LAST_BYTES, all_closed.recv()).await;
        });
        // Work on other threads that nobody waits for ends with the program.
        runtime.shutdown_background();
    }
}

async fn accept_connections(
    listener: tokio::net::TcpListener,
    open: OpenConnections,
    headers_within: Duration,
    routes: Router,
    closed: watch::Receiver<bool>,
    alive: mpsc::Sender<Infallible>,
) {
    loop {
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                // The client has left, or there are too many open files; wait until some are closed.
                log::warn!("a connection was not accepted: {error}");
                sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let connection = Arc::new(HttpConnection::default());
        let Some(admission) = open.all.admit(peer.ip(), Arc::clone(&connection)) else {
            log::debug!("{peer} is refused: too many connections");
            sockets::refuse(&stream, REFUSAL);
            continue;
        };
        let _ = stream.set_nodelay(true);
        let _ = sockets::limit_unread(&stream, UNREAD);
        let (open, routes, mut closed, alive) = (open.clone(), routes.clone(), closed.clone(), alive.clone());
        tokio::spawn(async move {
            let _open = (admission, alive);
            let answering = Arc::clone(&connection);
            let service = service_fn(move |mut request: Request<Incoming>| {
                let answering = answering.begin_answer();
                request.extensions_mut().insert(Peer(peer));
                let (open, answer) = (open.clone(), routes.clone().call(request.map(Body::new)));
                async move {
                    let mut response = answer.await?;
                    let stream = open.admit_stream(&response, peer.ip()).unwrap_or_else(|()| {
                        become_refusal(&mut response);
                        None
                    });
                    Ok::<_, Infallible>(counted(response, answering, stream))
                }
            });
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(IDLE);
            let mut exchange = pin!(builder.serve_connection(TokioIo::new(stream), service));
            let served = async {
                let closing = pin!(closed.wait_for(|closed| *closed));
                // A broken connection concerns the client only.
                let goes_on = matches!(select(exchange.as_mut(), closing).await, Either::Right(_));
                if goes_on {
                    exchange.as_mut().graceful_shutdown();
                    let _ = exchange.await;
                }
            };
            tokio::select! {
                () = served => {}
                () = connection.closed() => {}
                () = connection.silent(headers_within) => {}
            }
        });
    }
}

/// Replaces an event stream by the message that there are too many.
fn become_refusal(response: &mut Response) {
    *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    *response.body_mut() = Body::from(TOO_MANY_STREAMS);
}

/// Adds [`HEADERS`], except those that the response already has.
pub fn add_headers(response: &mut Response) {
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
}

/// Answers only requests to a name of this machine. Another site could otherwise point its own name here and read the match.
pub(crate) async fn only_this_machine(request: Request<Body>, next: Next) -> Response {
    if names_this_machine(request.headers()) {
        next.run(request).await
    } else {
        (StatusCode::FORBIDDEN, "This server answers to localhost only.\n").into_response()
    }
}

/// True if the request names this machine, or no host, as that of a program may (health checks of proxies in HTTP/1.0). A browser
/// names the host of each request, and another site could otherwise point its own name here.
pub fn names_this_machine(headers: &HeaderMap) -> bool {
    !headers.contains_key(HOST) || names_one_of(headers, &["localhost", "127.0.0.1", "[::1]"])
}

/// True if the request names one of these hosts, with any port.
pub fn names_one_of(headers: &HeaderMap, names: &[impl AsRef<str>]) -> bool {
    let mut hosts = headers.get_all(HOST).iter();
    match (hosts.next().map(HeaderValue::to_str), hosts.next()) {
        (Some(Ok(host)), None) => {
            // The dot is that of the root of all names.
            let name = without_port(host).trim_end_matches('.');
            names.iter().any(|known| name.eq_ignore_ascii_case(known.as_ref()))
        }
        _ => false,
    }
}

/// The host without its port, if it has one.
pub fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    }
}

/// The address of this machine on the way to other networks, of the version of the address on which it listens if there is one.
/// No packet is sent: a UDP socket only looks up the route.
pub fn outward_ip(listening: IpAddr) -> Option<IpAddr> {
    // Addresses for documentation: no machine has them, so the default route is taken.
    let (here, there): (IpAddr, IpAddr) = match listening {
        IpAddr::V4(_) => (Ipv4Addr::UNSPECIFIED.into(), Ipv4Addr::new(192, 0, 2, 1).into()),
        IpAddr::V6(_) => (Ipv6Addr::UNSPECIFIED.into(), Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into()),
    };
    let socket = UdpSocket::bind((here, 0)).ok()?;
    socket.connect((there, 9)).ok()?;
    let found = socket.local_addr().ok()?.ip();
    match listening {
        // A listener on all addresses of version 6 usually takes version 4 as well.
        IpAddr::V6(_) if found.is_unspecified() => outward_ip(Ipv4Addr::UNSPECIFIED.into()),
        _ => (!found.is_unspecified()).then_some(found),
    }
}

/// True unless a page of another site made the browser send the request. Programs that are not browsers send neither
/// header. Pages of this site may have other names: those of proxies that name this server to itself by another one.
pub fn is_of_this_site(headers: &HeaderMap, names: &[impl AsRef<str>]) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("unreadable"));
    if let Some(site) = text("sec-fetch-site") {
        return site == "same-origin" || site == "none";
    }
    match (text(ORIGIN.as_str()), text(HOST.as_str())) {
        (None, _) => true,
        (Some(origin), Some(host)) => origin.split_once("://").is_some_and(|(_, name)| {
            let is_known = |known: &str| known.eq_ignore_ascii_case(without_port(name));
            name.eq_ignore_ascii_case(host) || names.iter().any(|known| is_known(known.as_ref()))
        }),
        (Some(_), None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn requests_that_pages_of_other_sites_make_are_told() {
        let ours = |pairs: &[_]| is_of_this_site(&headers(pairs), &["arena.example"]);
        assert!(ours(&[("host", "arena:3000")]), "no browser");
        assert!(ours(&[("host", "arena:3000"), ("origin", "http://Arena:3000")]));
        assert!(ours(&[("host", "arena:3000"), ("sec-fetch-site", "same-origin")]));
        assert!(!ours(&[("host", "arena:3000"), ("sec-fetch-site", "same-site"), ("origin", "http://arena:3000")]));
        assert!(!ours(&[("host", "arena:3000"), ("sec-fetch-site", "cross-site")]));
        for origin in ["http://arena.example", "https://Arena.example:8443"] {
            assert!(ours(&[("host", "127.0.0.1:3000"), ("origin", origin)]), "{origin}");
        }
        for origin in [
            "http://evil",
            "http://arena.example.evil",
            "http://evil/arena.example",
            "null",
            "http://arena:3001",
            "http://arena:3000.evil",
        ] {
            assert!(!ours(&[("host", "arena:3000"), ("origin", origin)]), "{origin}");
        }
    }

    fn is_answered(hosts: &[&str]) -> bool {
        names_this_machine(&hosts.iter().map(|host| (HOST, host.parse().unwrap())).collect())
    }

    #[test]
    fn only_names_of_this_machine_are_answered() {
        for host in ["localhost", "LOCALHOST:80", "localhost.:80", "127.0.0.1:8080", "[::1]", "[::1]:9"] {
            assert!(is_answered(&[host]), "{host}");
        }
        for host in
            ["", "example.com", "localhost.example.com:80", "127.0.0.1.example.com", "::1", "localhost:80@x", "0"]
        {
            assert!(!is_answered(&[host]), "{host}");
        }
        assert!(is_answered(&[]), "no browser");
        assert!(!is_answered(&["localhost", "example.com"]));
    }
}
