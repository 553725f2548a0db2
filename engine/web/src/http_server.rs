//! The HTTP server that both servers are built on: a thread, connections, and what every answer says beside its own.

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

/// How long the last bytes may take on their way.
const LAST_BYTES: Duration = Duration::from_millis(500);
/// How long somebody may take to say what is wanted.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);
/// Who takes nothing of what is sent for so long is left behind.
const UNREAD: Duration = Duration::from_secs(30);
/// Connections at the same time; others wait.
const CONNECTIONS: usize = 1024;

/// What every answer says beside its own: it is not to be kept, guessed at or used by other sites.
pub const HEADERS: [(HeaderName, &str); 4] = [
    (CACHE_CONTROL, "no-store"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Who is at the other end of a connection; every request has it as an extension.
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
        let within = runtime.enter();
        let listener = tokio::net::TcpListener::from_std(listener)?;
        drop(within);
        Ok(HttpServer { runtime, listener })
    }

    /// Serves until `closing` is done, then lets answers that are on their way arrive.
    pub fn run(self, routes: Router, closing: impl Future<Output = ()>) {
        let HttpServer { runtime, listener } = self;
        runtime.block_on(async {
            let (close, closed) = watch::channel(false);
            let (guest, mut all_gone) = mpsc::channel::<Infallible>(1);
            let door = tokio::spawn(receive(listener, routes, closed, guest));
            closing.await;
            close.send_replace(true);
            door.abort();
            let _ = door.await;
            // Who has not read everything by now is left behind.
            let _ = timeout(LAST_BYTES, all_gone.recv()).await;
        });
        // Work on other threads that nobody waits for any more ends with the program.
        runtime.shutdown_background();
    }
}

async fn receive(
    listener: tokio::net::TcpListener,
    routes: Router,
    closed: watch::Receiver<bool>,
    guest: mpsc::Sender<Infallible>,
) {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                // The other end went away, or there are too many open files, which takes its time.
                log::warn!("a connection was not accepted: {error}");
                sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let _ = rustix::net::sockopt::set_tcp_user_timeout(&stream, UNREAD.as_millis() as u32);
        let (routes, mut closed, guest) = (routes.clone(), closed.clone(), guest.clone());
        tokio::spawn(async move {
            let _here = (place, guest);
            let service = service_fn(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(Peer(peer));
                answer(routes.clone(), request.map(Body::new))
            });
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(HEADERS_WITHIN);
            let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
            let closing = pin!(async move {
                let _ = closed.wait_for(|closed| *closed).await;
            });
            // A connection that breaks is the other end's affair.
            let goes_on = matches!(select(connection.as_mut(), closing).await, Either::Right(_));
            if goes_on {
                connection.as_mut().graceful_shutdown();
                let _ = connection.await;
            }
        });
    }
}

async fn answer(mut routes: Router, request: Request<Body>) -> Result<Response, Infallible> {
    use tower_service::Service;
    routes.call(request).await
}

/// Adds [`HEADERS`] where an answer does not say so itself.
pub fn add_headers(response: &mut Response) {
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
}

/// Whether a request was meant for this machine by its own name, so that no other site can have its name lead here.
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
