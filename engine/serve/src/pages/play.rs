//! The pages on which a person begins a match: against the house bot, and against a bot of a contest.

use crate::contests::person_match;
use crate::http::app::{App, AppState};
use crate::http::contest_api::blocking;
use crate::matches::house_match;
use crate::pages::filled_form::FilledForm;
use crate::pages::response::{Notice, PageResult, form_page, not_found};
use crate::state::request_error::RequestError;
use crate::teams::access::ClientAddress;
use askama::Template;
use axum::Router;
use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use rules::GameKind;
use std::sync::Arc;

pub(crate) fn routes(app: &App) -> Router<Arc<App>> {
    Router::new()
        .route("/play", get(page).post(begin))
        .nest("/play", app.house_matches.seats.routes())
        .route("/c/{contest}/play", get(contest_page).post(begin_in_contest))
}

#[derive(Template)]
#[template(path = "play.html")]
struct PlayPage {
    notice: Notice,
    csrf_token: String,
    minutes: u64,
    game: &'static str,
    /// The names of those to choose from; none for the house bot.
    opponents: Vec<String>,
    /// The path of the page above, without a slash at its end.
    back: String,
}

const NOT_OFFERED: &str = "The organiser does not offer matches against the house bot.";

fn is_offered(app: &App) -> bool {
    app.host.store.look(|state| state.settings.house_play)
}

fn play_page(app: &App, headers: &HeaderMap, notice: Notice) -> Response {
    let minutes = app.house_matches.patience.as_secs() / 60;
    form_page(&app.access, headers, notice, |notice, csrf_token| {
        let (game, opponents, back) = (GameKind::SeaBattle.title(), Vec::new(), String::new());
        PlayPage { notice, csrf_token, minutes, game, opponents, back }
    })
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
    match counted.and_then(|()| house_match::begin_against_house(&app.host, &app.house_matches)) {
        Ok(token) => Redirect::to(&format!("/play/{token}/")).into_response(),
        Err(error) => play_page(&app, &form.headers, error.into()),
    }
}

const NOT_IN_CONTEST: &str = "This contest has no matches against people.";

/// The page on which a person chooses an opponent of a contest.
fn opponents_page(app: &App, headers: &HeaderMap, contest: &str, notice: Notice) -> PageResult {
    let found = app.contests.named(contest).and_then(|name| {
        let opponents = person_match::opponents(&app.contests, &name)?;
        Ok((opponents, app.contests.look(&name, |contest| contest.settings.game)?, format!("/c/{name}")))
    });
    let Ok((opponents, game, back)) = found else { return Ok(not_found(NOT_IN_CONTEST)) };
    if opponents.is_empty() {
        return Ok(not_found("There is nobody to play against yet: no bot was accepted, and there are no baselines."));
    }
    let minutes = app.house_matches.patience.as_secs() / 60;
    let opponents = opponents.into_iter().map(|opponent| opponent.name).collect();
    Ok(form_page(&app.access, headers, notice, |notice, csrf_token| PlayPage {
        notice,
        csrf_token,
        minutes,
        game: game.title(),
        opponents,
        back,
    }))
}

async fn contest_page(app: AppState, Path(contest): Path<String>, headers: HeaderMap) -> PageResult {
    opponents_page(&app, &headers, &contest, Notice::Nothing)
}

async fn begin_in_contest(
    app: AppState,
    from: ClientAddress,
    Path(contest): Path<String>,
    form: FilledForm,
) -> PageResult {
    let begun = async {
        let name = app.contests.named(&contest)?;
        app.access.throttles.house_match.count(from.network())?;
        let (house, against) = (Arc::clone(&app.house_matches), form.get("against").to_owned());
        blocking(&app, move |contests| person_match::begin(contests, &house, &name, &against)).await
    };
    match begun.await {
        Ok(token) => Ok(Redirect::to(&format!("/play/{token}/")).into_response()),
        Err(error) => opponents_page(&app, &form.headers, &contest, RequestError::into(error)),
    }
}
