//! The server of the live view.

use super::hall::Hall;
use crate::assets;
use crate::projector::over;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;
use std::{future::IntoFuture, io};
use tokio::runtime::Runtime;
use tokio::sync::Notify;
use tokio::time::timeout;

/// How long the last bytes may take on their way.
const LAST_BYTES: Duration = Duration::from_millis(500);

/// What every answer says beside its own: it is not to be kept, guessed at, framed or used by other sites.
const HEADERS: [(HeaderName, &str); 5] = [
    (CACHE_CONTROL, "no-store"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (CONTENT_SECURITY_POLICY, "frame-ancestors 'none'"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// A server that is ready to run.
pub(super) struct Server {
    runtime: Runtime,
    listener: tokio::net::TcpListener,
    hall: Arc<Hall>,
}

impl Server {
    pub(super) fn new(listener: TcpListener, hall: Arc<Hall>) -> io::Result<Server> {
        listener.set_nonblocking(true)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let within = runtime.enter();
        let listener = tokio::net::TcpListener::from_std(listener)?;
        drop(within);
        Ok(Server { runtime, listener, hall })
    }

    /// Serves until the hall is closed.
    pub(super) fn run(self) {
        let Server { runtime, listener, hall } = self;
        runtime.block_on(async {
            let closed = Arc::new(Notify::new());
            let server = axum::serve(listener, routes(Arc::clone(&hall)));
            let server =
                tokio::spawn(server.with_graceful_shutdown(Arc::clone(&closed).notified_owned()).into_future());
            hall.emptied().await;
            closed.notify_one();
            // Who has not read everything by now is left behind.
            let _ = timeout(LAST_BYTES, server).await;
        });
    }
}

fn routes(hall: Arc<Hall>) -> Router {
    Router::new()
        .route("/", get(page))
        .route("/events", get(events))
        .route("/match.html", get(kept))
        .with_state(hall)
        .layer(middleware::from_fn(guard))
}

async fn page(State(hall): State<Arc<Hall>>) -> Html<String> {
    Html(hall.page())
}

/// What was told so far as a page that needs no server.
async fn kept(State(hall): State<Arc<Hall>>) -> Html<String> {
    let mut tape = hall.tape();
    tape.end(&over(None));
    Html(assets::page(&tape.whole(), assets::Reach::Nothing))
}

async fn events(State(hall): State<Arc<Hall>>, headers: HeaderMap) -> Response {
    let last = headers.get("last-event-id").and_then(|last| last.to_str().ok());
    let next = hall.after(last);
    if hall.tape().ends_before(next) {
        // This tells a browser not to come back.
        return StatusCode::NO_CONTENT.into_response();
    }
    Sse::new(hall.events(next)).keep_alive(KeepAlive::default()).into_response()
}

/// Answers only to names of this machine, so that no other site can have its own name lead here and read the match.
async fn guard(request: Request, next: Next) -> Response {
    let mut response = if names_this_machine(request.headers()) {
        next.run(request).await
    } else {
        (StatusCode::FORBIDDEN, "This server answers to localhost only.\n").into_response()
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn names_this_machine(headers: &HeaderMap) -> bool {
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
