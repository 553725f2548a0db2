//! The server of the live view.

use super::hall::Hall;
use crate::assets;
use crate::house::{self, House};
use crate::projector::over;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;

/// What every answer says beside [`house::HEADERS`]: it is not to be framed.
const NO_FRAMES: HeaderValue = HeaderValue::from_static("frame-ancestors 'none'");

/// Serves until the hall is closed and empty.
pub(super) fn run(house: House, hall: Arc<Hall>) {
    house.run(routes(Arc::clone(&hall)), async move { hall.emptied().await });
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
    let mut response = if house::names_this_machine(request.headers()) {
        next.run(request).await
    } else {
        (StatusCode::FORBIDDEN, "This server answers to localhost only.\n").into_response()
    };
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, NO_FRAMES);
    house::add_headers(&mut response);
    response
}
