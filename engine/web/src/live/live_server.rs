//! The server of the live view.

use super::LiveError;
use super::broadcast::Broadcast;
use super::content::{LiveContent, LiveUpdate};
use crate::assets;
use crate::frame_encoder::over;
use crate::http_server::{self, HttpServer};
use arena::Interrupt;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use connections::PER_ADDRESS;
use platform::wait::WaitSet;
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The header of every answer beside [`http_server::HEADERS`]: no other page may frame this one.
const NO_FRAMES: HeaderValue = HeaderValue::from_static("frame-ancestors 'none'");

/// A running server. Dropping it ends the server, after viewers have read the end of the content or have had their
/// time.
#[derive(Debug)]
pub(super) struct LiveServer {
    pub(super) broadcast: Arc<Broadcast>,
    address: SocketAddr,
    thread: Option<JoinHandle<()>>,
}

impl LiveServer {
    /// Opens a server with this content. With `is_last`, no other content follows;
    /// without it, the page is that of a table.
    pub(super) fn open(address: SocketAddr, content: LiveContent, is_last: bool) -> Result<LiveServer, LiveError> {
        let follows = if is_last { "" } else { r#","more":true"# };
        let parts = if is_last { assets::page } else { assets::table_page };
        let page = parts(&format!(r#"{{"events":"events"{follows}}}"#), assets::TO_SERVER);
        let broadcast = Arc::new(Broadcast::new(content, is_last, page).map_err(LiveError::Server)?);
        let listener = TcpListener::bind(address).map_err(|source| LiveError::Address { address, source })?;
        let address = listener.local_addr().map_err(LiveError::Server)?;
        let http_server = HttpServer::new(listener, PER_ADDRESS).map_err(LiveError::Server)?;
        let routes = routes(Arc::clone(&broadcast), parts, address.ip().is_loopback());
        let shared = Arc::clone(&broadcast);
        let run = move || http_server.run(routes, async move { shared.viewers_gone().await });
        let thread = thread::Builder::new().name("live view".to_owned()).spawn(run).map_err(LiveError::Server)?;
        Ok(LiveServer { broadcast, address, thread: Some(thread) })
    }

    /// The URL of the page.
    pub(super) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Waits for the first viewer, for at most `most`, or until the interrupt. Returns true if a viewer has come.
    pub(super) fn wait_for_viewers(&self, most: Duration, interrupt: Option<&Interrupt>) -> bool {
        let until = Instant::now() + most;
        let set = WaitSet::new().readable(self.broadcast.arrival());
        let mut set = interrupt.iter().fold(set, |set, interrupt| set.readable(interrupt.flag()));
        loop {
            match set.wait(Some(until.saturating_duration_since(Instant::now()))) {
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                _ => return set.is_ready(0),
            }
        }
    }
}

impl Drop for LiveServer {
    fn drop(&mut self) {
        // Tells viewers that the match was broken off, unless they know its end.
        self.broadcast.add(&LiveUpdate::End(over(None)));
        self.broadcast.close();
        // A server that panicked has reported that itself.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn routes(broadcast: Arc<Broadcast>, parts: fn(&str, &str) -> String, is_local: bool) -> Router {
    let routes = Router::new()
        .route("/", get(page))
        .route("/events", get(events))
        .route("/match.html", get(async move |broadcast| saved(broadcast, parts).await))
        .with_state(broadcast);
    let routes = if is_local { routes.layer(middleware::from_fn(http_server::only_this_machine)) } else { routes };
    routes.layer(middleware::from_fn(headers))
}

async fn page(State(broadcast): State<Arc<Broadcast>>) -> Html<String> {
    Html(broadcast.page())
}

/// The match so far, as a page of these parts that needs no server.
async fn saved(State(broadcast): State<Arc<Broadcast>>, parts: fn(&str, &str) -> String) -> Response {
    let LiveContent::Match(mut frame_log) = broadcast.content() else {
        return (StatusCode::NOT_FOUND, "No match is being played.\n").into_response();
    };
    frame_log.end(&over(None));
    Html(parts(&frame_log.whole(), assets::NO_CONNECTION)).into_response()
}

async fn events(State(broadcast): State<Arc<Broadcast>>, headers: HeaderMap) -> Response {
    let last = headers.get("last-event-id").and_then(|last| last.to_str().ok());
    match broadcast.after(last) {
        Some(next) => Sse::new(broadcast.events(next)).keep_alive(KeepAlive::default()).into_response(),
        // This status tells a browser not to connect again.
        None => StatusCode::NO_CONTENT.into_response(),
    }
}

async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, NO_FRAMES);
    http_server::add_headers(&mut response);
    response
}
