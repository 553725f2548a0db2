//! The HTTP server under the live view and the tournament server: a thread, its connections, and headers for all
//! responses.

use axum::Router;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, HOST, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Request};
use axum::response::Response;
use futures_util::future::{Either, select};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::net::{SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use std::{convert::Infallible, io};
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::{sleep, timeout};
use tower_service::Service;

/// The time for the last bytes after the server was asked to end.
const LAST_BYTES: Duration = Duration::from_millis(500);
/// The time for the headers of a request.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);
/// The time after which a client that reads nothing is disconnected.
const UNREAD: Duration = Duration::from_secs(30);
/// The most connections at the same time. Further clients wait.
const CONNECTIONS: usize = 1024;

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
#[derive(Debug)]
pub struct HttpServer {
    runtime: Runtime,
    listener: tokio::net::TcpListener,
}

impl HttpServer {
    /// A server on this listener, with a runtime of one thread.
    ///
    /// # Errors
    /// The system gives no runtime, or the listener cannot be made non-blocking.
    pub fn new(listener: TcpListener) -> io::Result<HttpServer> {
        listener.set_nonblocking(true)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let context = runtime.enter();
        let listener = tokio::net::TcpListener::from_std(listener)?;
        drop(context);
        Ok(HttpServer { runtime, listener })
    }

    /// Serves until `closing` is done, then lets responses that are being sent arrive.
    pub fn run(self, routes: Router, closing: impl Future<Output = ()>) {
        let HttpServer { runtime, listener } = self;
        runtime.block_on(async {
            let (close, closed) = watch::channel(false);
            let (alive, mut all_closed) = mpsc::channel::<Infallible>(1);
            let accepting = tokio::spawn(accept_connections(listener, routes, closed, alive));
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
    routes: Router,
    closed: watch::Receiver<bool>,
    alive: mpsc::Sender<Infallible>,
) {
    let limit = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(permit) = Arc::clone(&limit).acquire_owned().await else { return };
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                // The client has left, or there are too many open files; wait until some are closed.
                log::warn!("a connection was not accepted: {error}");
                sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let _ = rustix::net::sockopt::set_tcp_user_timeout(&stream, UNREAD.as_millis() as u32);
        let (routes, mut closed, alive) = (routes.clone(), closed.clone(), alive.clone());
        tokio::spawn(async move {
            let _open = (permit, alive);
            let service = service_fn(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(Peer(peer));
                routes.clone().call(request.map(Body::new))
            });
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(HEADERS_WITHIN);
            let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
            let closing = pin!(async move {
                let _ = closed.wait_for(|closed| *closed).await;
            });
            // A broken connection concerns the client only.
            let goes_on = matches!(select(connection.as_mut(), closing).await, Either::Right(_));
            if goes_on {
                connection.as_mut().graceful_shutdown();
                let _ = connection.await;
            }
        });
    }
}

/// Adds [`HEADERS`], except those that the response already has.
pub fn add_headers(response: &mut Response) {
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
}

/// True if the request names this machine. Another site could otherwise point its own name here.
pub fn names_this_machine(headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(HOST).iter();
    match (hosts.next().map(HeaderValue::to_str), hosts.next()) {
        (Some(Ok(host)), None) => {
            let port = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|digit| digit.is_ascii_digit()));
            let name = port.map_or(host, |(name, _)| name);
            ["localhost", "127.0.0.1", "[::1]"].iter().any(|local| name.eq_ignore_ascii_case(local))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_answered(hosts: &[&str]) -> bool {
        names_this_machine(&hosts.iter().map(|host| (HOST, host.parse().unwrap())).collect())
    }

    #[test]
    fn only_names_of_this_machine_are_answered() {
        for host in ["localhost", "LOCALHOST:80", "127.0.0.1:8080", "[::1]", "[::1]:9"] {
            assert!(is_answered(&[host]), "{host}");
        }
        for host in
            ["", "example.com", "localhost.example.com:80", "127.0.0.1.example.com", "::1", "localhost:80@x", "0"]
        {
            assert!(!is_answered(&[host]), "{host}");
        }
        assert!(!is_answered(&[]));
        assert!(!is_answered(&["localhost", "example.com"]));
    }
}
