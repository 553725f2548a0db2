//! The server of the live view.

use super::LiveError;
use super::live_analysis::LastEvent;
use crate::assets;
use crate::event_log::EventLog;
use crate::frame_encoder::over;
use crate::http_server::{self, HttpServer};
use crate::piece::{Piece, whole};
use arena::Interrupt;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use connections::PER_ADDRESS;
use platform::wait::{Flag, WaitSet};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// The time for an analysis to come to its end, and then for viewers to read the rest.
const GRACE: Duration = Duration::from_secs(2);

/// The header of every answer beside [`http_server::HEADERS`]: no other page may frame this one.
const NO_FRAMES: HeaderValue = HeaderValue::from_static("frame-ancestors 'none'");

/// A function that makes a page of its data, with these connections.
type PageMaker = fn(&str, &str) -> String;

/// A running server. Dropping it ends the server, after the log was closed and viewers have read the rest of it, each of which may take
/// [`GRACE`].
#[derive(Debug)]
pub(super) struct LiveServer {
    pub(super) log: Arc<EventLog>,
    /// Raised once a viewer has come: a browser that runs the page, not a program that only loads it.
    arrival: Arc<Flag>,
    address: SocketAddr,
    /// Dropped when the server is to end.
    ending: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl LiveServer {
    /// Opens a server whose page is made by `page`.
    pub(super) fn open(address: SocketAddr, page: PageMaker) -> Result<LiveServer, LiveError> {
        let log = Arc::new(EventLog::new());
        let listener = TcpListener::bind(address).map_err(|source| LiveError::Address { address, source })?;
        let address = listener.local_addr().map_err(LiveError::Server)?;
        let http_server = HttpServer::new(listener, PER_ADDRESS).map_err(LiveError::Server)?;
        let live = page(r#"{"events":"events"}"#, assets::TO_SERVER);
        let arrival = Arc::new(Flag::new().map_err(LiveError::Server)?);
        let shown = Arc::new(Shown { log: Arc::clone(&log), arrival: Arc::clone(&arrival), live, page });
        let routes = routes(shown, address.ip().is_loopback());
        let shared = Arc::clone(&log);
        let (ending, ended) = oneshot::channel::<()>();
        let closing = async move {
            let _ = ended.await;
            if shared.viewers() > 0 {
                let _ = timeout(GRACE, shared.closed()).await;
            }
            if !shared.is_closed() {
                drop(LastEvent(Arc::clone(&shared)));
            }
            let _ = timeout(GRACE, shared.viewers_gone()).await;
        };
        let run = move || http_server.run(routes, closing);
        let thread = thread::Builder::new().name("live view".to_owned()).spawn(run).map_err(LiveError::Server)?;
        Ok(LiveServer { log, arrival, address, ending: Some(ending), thread: Some(thread) })
    }

    /// The URL of the page.
    pub(super) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// True once a viewer has come.
    pub(super) fn has_viewers(&self) -> bool {
        let mut set = WaitSet::new().readable(&*self.arrival);
        set.wait(Some(Duration::ZERO)).is_ok() && set.is_ready(0)
    }

    /// Waits for the first viewer, or until the interrupt. Returns true if a viewer has come.
    pub(super) fn wait_for_viewers(&self, interrupt: &Interrupt) -> bool {
        let mut set = WaitSet::new().readable(&*self.arrival).readable(interrupt);
        set.wait(None).is_ok() && set.is_ready(0)
    }
}

impl Drop for LiveServer {
    fn drop(&mut self) {
        self.ending = None;
        // A server that panicked has reported that itself.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// The state of the routes.
struct Shown {
    log: Arc<EventLog>,
    arrival: Arc<Flag>,
    /// The page that follows the log.
    live: String,
    page: PageMaker,
}

fn routes(shown: Arc<Shown>, is_local: bool) -> Router {
    let routes = Router::new()
        .route("/", get(page))
        .route("/events", get(events))
        .route("/match.html", get(saved))
        .with_state(shown);
    let routes = if is_local { routes.layer(middleware::from_fn(http_server::only_this_machine)) } else { routes };
    routes.layer(middleware::from_fn(headers))
}

async fn page(State(shown): State<Arc<Shown>>) -> Html<String> {
    shown.log.expect_viewer();
    Html(shown.live.clone())
}

/// The match so far, as a page that needs no server.
async fn saved(State(shown): State<Arc<Shown>>) -> Response {
    let current = shown.log.current_data();
    if !current.iter().any(|(kind, _)| *kind == "setup") {
        return (StatusCode::NOT_FOUND, "No match is being played.\n").into_response();
    }
    let broken_off = Piece::over(&over(None));
    let pieces = current.iter().map(|(kind, data)| (*kind, &**data)).chain([(broken_off.kind, &*broken_off.text)]);
    Html((shown.page)(&whole(pieces), assets::NO_CONNECTION)).into_response()
}

async fn events(State(shown): State<Arc<Shown>>, headers: HeaderMap) -> Response {
    shown.arrival.raise();
    shown.log.response(&headers, |_| true)
}

async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, NO_FRAMES);
    http_server::add_headers(&mut response);
    response
}
