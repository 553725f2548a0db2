//! The page on which a person begins a match against the house bot.

use crate::http::app::{App, AppState};
use crate::matches::house_match;
use crate::pages::filled_form::FilledForm;
use crate::pages::response::{Notice, form_page, not_found};
use crate::teams::access::ClientAddress;
use askama::Template;
use axum::Router;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use std::sync::Arc;

pub(crate) fn routes(app: &App) -> Router<Arc<App>> {
    Router::new().route("/play", get(page).post(begin)).nest("/play", app.house_matches.seats.routes())
}

#[derive(Template)]
#[template(path = "play.html")]
struct PlayPage {
    notice: Notice,
    csrf_token: String,
    minutes: u64,
}

const NOT_OFFERED: &str = "The organiser does not offer matches against the house bot.";

fn is_offered(app: &App) -> bool {
    app.host.store.look(|state| state.settings.house_play)
}

fn play_page(app: &App, headers: &HeaderMap, notice: Notice) -> Response {
    let minutes = app.house_matches.patience.as_secs() / 60;
    form_page(&app.access, headers, notice, |notice, csrf_token| PlayPage { notice, csrf_token, minutes })
}

async fn page(app: AppState, headers: HeaderMap) -> Response {
    if !is_offered(&app) {
        return not_found(NOT_OFFERED);
    }
    play_page(&app, &headers, Notice::Nothing)
}

async fn begin(app: AppState, from: ClientAddress, form: FilledForm) -> Response {
    if !is_offered(&app) {
        return not_found(NOT_OFFERED);
    }
    let counted = app.access.throttles.house_match.count(from.network());
    match counted.and_then(|()| house_match::begin(&app.host, &app.house_matches)) {
        Ok(token) => Redirect::to(&format!("/play/{token}/")).into_response(),
        Err(error) => play_page(&app, &form.headers, error.into()),
    }
}
