//! The pages of people, and the requests that their pages make.

use super::seat::PersonSeat;
use super::wire::{Given, Verdict};
use crate::assets;
use crate::http_server::is_of_this_site;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use platform::locks::lock;
use std::sync::{Arc, Mutex};

/// The largest body of a request, in bytes.
const MOST_OF_BODY: usize = 16 << 10;
/// The answer to an address with a wrong token.
const UNKNOWN: &str = "There is no seat here. Open the whole link as it was printed.\n";

/// The seats at a server, found by their tokens. Clones are the same seats.
#[derive(Debug, Clone, Default)]
pub struct PersonSeats(Arc<Mutex<Vec<PersonSeat>>>);

impl PersonSeats {
    /// Adds a seat.
    pub fn add(&self, seat: PersonSeat) {
        lock(&self.0).push(seat);
    }

    /// Removes a seat; its links lead nowhere any more.
    pub fn remove(&self, token: &str) {
        let mut seats = lock(&self.0);
        let removed = seats.extract_if(.., |seat| seat.token() == token);
        removed.for_each(|seat| seat.end_stream());
    }

    /// All seats.
    pub(super) fn all(&self) -> Vec<PersonSeat> {
        lock(&self.0).clone()
    }

    fn find(&self, token: &str) -> Result<PersonSeat, (StatusCode, &'static str)> {
        let seats = lock(&self.0);
        seats.iter().find(|seat| seat.token() == token).cloned().ok_or((StatusCode::NOT_FOUND, UNKNOWN))
    }

    /// The routes of all seats: `/TOKEN/` is the page of a seat.
    pub fn routes<S: Clone + Send + Sync + 'static>(&self) -> Router<S> {
        Router::new()
            .route("/{token}", get(redirect))
            .route("/{token}/", get(page))
            .route("/{token}/events", get(events))
            .route("/{token}/order", post(order))
            .route("/{token}/match.html", get(saved))
            .layer(DefaultBodyLimit::max(MOST_OF_BODY))
            .with_state(self.clone())
    }
}

type Found<T> = Result<T, (StatusCode, &'static str)>;

async fn redirect(State(seats): State<PersonSeats>, Path(token): Path<String>) -> Found<Redirect> {
    let seat = seats.find(&token)?;
    // Relative, because the routes may be nested.
    Ok(Redirect::to(&format!("{}/", seat.token())))
}

async fn page(State(seats): State<PersonSeats>, Path(token): Path<String>) -> Found<Response> {
    seats.find(&token)?;
    let (page, policy) = assets::person_page();
    Ok(([(CONTENT_SECURITY_POLICY, policy)], Html(page)).into_response())
}

async fn events(State(seats): State<PersonSeats>, Path(token): Path<String>, headers: HeaderMap) -> Found<Response> {
    let seat = seats.find(&token)?;
    Ok(seat.events(&headers))
}

async fn order(
    State(seats): State<PersonSeats>,
    Path(token): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Found<Json<Verdict>> {
    let seat = seats.find(&token)?;
    if !is_of_this_site(&headers, &[] as &[&str]) {
        return Err((StatusCode::FORBIDDEN, "The request comes from another site.\n"));
    }
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    // A form of another site cannot send this type.
    if kind.split(';').next().unwrap_or_default().trim() != "application/json" {
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, "The body must be JSON.\n"));
    }
    let given: Given = rules::input_json(&body)
        .map_err(|_| (StatusCode::BAD_REQUEST, "The body is not an answer to a question.\n"))?;
    Ok(Json(seat.submit(given).await))
}

/// The whole match as a page that needs no server, when the match is over.
async fn saved(State(seats): State<PersonSeats>, Path(token): Path<String>) -> Found<Html<String>> {
    let whole = seats.find(&token)?.whole().ok_or((StatusCode::NOT_FOUND, "The match is still being played.\n"))?;
    Ok(Html(assets::page(&whole, assets::NO_CONNECTION)))
}
