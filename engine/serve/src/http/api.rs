//! The API for everyone, at the paths of the public server and some more.

use crate::http::app::{App, AppState, Host};
use crate::http::guard::JsonBody;
use crate::matches::finals::view::FinalView;
use crate::matches::probe::ProbeReport;
use crate::matches::{records, views};
use crate::state::name::BotId;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::wire::{BotView, Leaderboards, MatchView, Problem, TournamentView, WholeMatch};
use crate::teams::access::ClientAddress;
use crate::teams::registration::{BotCredentials, Registration, UrlChange};
use crate::teams::{bot_test, registration};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The most matches that one request lists.
const MOST: u32 = 200;

/// The response of the API: JSON, or the reason why the request fails.
pub(crate) type ApiResult<T> = RequestResult<Json<T>>;

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(bots))
        .routes(routes!(register))
        .routes(routes!(set_url))
        .routes(routes!(test))
        .routes(routes!(leaderboard))
        .routes(routes!(tournament))
        .routes(routes!(present_final))
        .routes(routes!(matches))
        .routes(routes!(whole_match))
        .routes(routes!(events))
}

/// Lists the bots.
#[utoipa::path(get, path = "/api/bots", tag = "bots", responses((status = 200, body = Vec<BotView>)))]
async fn bots(Host(host): Host) -> Json<Vec<BotView>> {
    Json(views::bots(&host, false))
}

/// Registers a bot.
#[utoipa::path(post, path = "/api/bots/register", tag = "bots", request_body = Registration, responses(
    (status = 200, body = BotView, description = "The bot has joined. It plays as soon as it has a URL."),
    (status = 400, body = Problem, description = "The name or the password is not valid."),
    (status = 403, body = Problem, description = "The code for joining is wrong."),
    (status = 409, body = Problem, description = "The name is taken."),
    (status = 429, body = Problem, description = "Too often; see Retry-After.")))]
async fn register(app: AppState, from: ClientAddress, wanted: JsonBody<Registration>) -> ApiResult<BotView> {
    registration::register(&app.access, from, wanted.0).await.map(|bot| Json(views::own(&app.host, &bot)))
}

/// Sets the URL of a bot. The next match uses it.
#[utoipa::path(post, path = "/api/bots/set-url", tag = "bots", request_body = UrlChange, responses(
    (status = 200, body = BotView),
    (status = 400, body = Problem, description = "The URL is not valid."),
    (status = 403, body = Problem, description = "The password is wrong."),
    (status = 404, body = Problem, description = "There is no such bot."),
    (status = 429, body = Problem, description = "Too often; see Retry-After.")))]
async fn set_url(app: AppState, from: ClientAddress, wanted: JsonBody<UrlChange>) -> ApiResult<BotView> {
    registration::set_url(&app.access, from, wanted.0).await.map(|bot| Json(views::own(&app.host, &bot)))
}

/// Tests a bot: plays a match that counts for nothing, and reports the answers.
#[utoipa::path(post, path = "/api/bots/test", tag = "bots", request_body = BotCredentials, responses(
    (status = 200, body = ProbeReport, description = "The report, also if the bot cannot play."),
    (status = 403, body = Problem, description = "The password is wrong, or tests of this URL are not allowed: see `--test-hosts`."),
    (status = 404, body = Problem, description = "There is no such bot."),
    (status = 409, body = Problem, description = "The bot has no URL."),
    (status = 429, body = Problem, description = "Too often; see Retry-After."),
    (status = 503, body = Problem, description = "Other bots are being tested.")))]
async fn test(app: AppState, from: ClientAddress, bot: JsonBody<BotCredentials>) -> ApiResult<ProbeReport> {
    bot_test::probe(&app.access, from, bot.0).await.map(Json)
}

/// Returns both leaderboards.
#[utoipa::path(get, path = "/api/leaderboard", tag = "matches", responses((status = 200, body = Leaderboards)))]
async fn leaderboard(Host(host): Host) -> Json<Leaderboards> {
    Json(views::leaderboards(&host))
}

/// Returns the final that is planned or being played, or the last one, as far as the screens have shown it.
#[utoipa::path(get, path = "/api/final", tag = "matches", responses((status = 200, body = FinalView)))]
async fn present_final(Host(host): Host) -> Json<FinalView> {
    Json(views::present_final(&host))
}

/// Returns the current tournament, or the last one.
#[utoipa::path(get, path = "/api/tournament", tag = "matches", responses((status = 200, body = TournamentView)))]
async fn tournament(Host(host): Host) -> Json<TournamentView> {
    Json(views::tournament(&host))
}

/// A selection of matches.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct MatchQuery {
    /// Only matches of the bot with this number.
    bot: Option<u32>,
    /// Only matches before the match with this number.
    before: Option<u64>,
    /// The most matches to list.
    #[param(minimum = 1, maximum = 200)]
    most: Option<u32>,
}

/// Lists the last matches that were played to their end, the newest first.
#[utoipa::path(get, path = "/api/matches", tag = "matches", params(MatchQuery), responses(
    (status = 200, body = Vec<MatchView>)))]
async fn matches(Host(host): Host, which: Result<Query<MatchQuery>, QueryRejection>) -> ApiResult<Vec<MatchView>> {
    let Query(which) = which.map_err(|e| RequestError::bad(e.body_text()))?;
    let most = which.most.unwrap_or(50).clamp(1, MOST);
    let lines = records::matches_of(&host, which.bot.map(BotId), which.before, most).await?;
    Ok(Json(lines.iter().map(MatchView::from).collect()))
}

/// Returns a match that was played to its end, with all its turns and both fleets.
#[utoipa::path(get, path = "/api/matches/{id}", tag = "matches", params(("id" = u64, Path, description = "Its number.")),
    responses((status = 200, body = WholeMatch), (status = 404, body = Problem)))]
async fn whole_match(Host(host): Host, Path(id): Path<String>) -> ApiResult<WholeMatch> {
    records::replay(&host, &id, records::whole_match).await.map(Json)
}

/// The query of the event stream.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct EventQuery {
    /// The version of the events: 1, which is also that of requests without it.
    version: Option<String>,
    /// `no` leaves out the turns of matches.
    turns: Option<String>,
}

/// Streams everything that happens as server-sent events. With `Last-Event-ID`, the stream continues after that event.
/// See docs/protocols.
#[utoipa::path(get, path = "/api/events", tag = "events", params(EventQuery), responses(
    (status = 200, content_type = "text/event-stream", body = String),
    (status = 400, body = Problem, description = "There are no events of this version."),
    (status = 503, body = Problem, description = "There are too many listeners.")))]
async fn events(
    Host(host): Host,
    asked: Result<Query<EventQuery>, QueryRejection>,
    headers: HeaderMap,
) -> RequestResult<Response> {
    let Query(asked) = asked.map_err(|e| RequestError::bad(e.body_text()))?;
    if let Some(version) = asked.version.filter(|version| version != "1") {
        let version = rules::printable(&version);
        return Err(RequestError::bad(format!(
            "there are no events of version {version:?}; this server has version 1"
        )));
    }
    let is_wanted: fn(&str) -> bool =
        if asked.turns.as_deref() == Some("no") { |kind| kind != "turn" } else { |_| true };
    Ok(host.events.response(&headers, is_wanted))
}

/// Streams the match of this number to a browser, in the form of live pages: the setup, a frame for each turn, and the end.
async fn match_events(Host(host): Host, Path(id): Path<String>, headers: HeaderMap) -> RequestResult<Response> {
    let log = match id.parse().ok().and_then(|id| host.streams.of(id)) {
        Some(log) => log?,
        None => records::replay(&host, &id, records::finished_log).await?,
    };
    Ok(log.response(&headers, |_| true))
}

/// The stream of each match for the pages of this server. Its form is that of pages, and no promise to others.
pub(crate) fn page_routes() -> Router<Arc<App>> {
    Router::new().route("/matches/{id}/events", get(match_events))
}
