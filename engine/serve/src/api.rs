//! The API that everyone may use, at the paths of the public server and some more.

use super::guard::{From, Posted};
use super::line::BotId;
use super::trial::TrialReport;
use super::wire::{BotView, Leaderboards, MatchView, Problem, TournamentView, WholeMatch};
use super::{Refusal, Venue};
use axum::Json;
use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use std::sync::Arc;
use std::time::Instant;
use tokio::task::spawn_blocking;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Matches that are listed at most.
const MOST: u32 = 200;

pub(super) fn routes() -> OpenApiRouter<Arc<Venue>> {
    OpenApiRouter::new()
        .routes(routes!(bots))
        .routes(routes!(register))
        .routes(routes!(set_url))
        .routes(routes!(test))
        .routes(routes!(leaderboard))
        .routes(routes!(tournament))
        .routes(routes!(matches))
        .routes(routes!(whole_match))
        .routes(routes!(events))
}

/// A bot that joins.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Registration {
    /// No other bot may be called so, in whatever case.
    #[schema(max_length = 32, example = "Deep Water")]
    name: String,
    /// To set the URL with.
    #[schema(min_length = 6, max_length = 128)]
    password: String,
    /// The same again.
    confirm_password: String,
}

/// Where a bot is.
#[derive(Deserialize, ToSchema)]
struct UrlChange {
    /// The bot's name.
    name: String,
    /// The bot's password.
    password: String,
    /// The base URL: `/placement` and `/move` are added to its path.
    #[schema(max_length = 300, example = "http://192.168.0.7:4000")]
    url: String,
}

/// Whose bot it is.
#[derive(Deserialize, ToSchema)]
struct Proof {
    /// The bot's name.
    name: String,
    /// The bot's password.
    password: String,
}

/// Lists the bots.
#[utoipa::path(get, path = "/api/bots", tag = "bots", responses((status = 200, body = Vec<BotView>)))]
async fn bots(State(venue): State<Arc<Venue>>) -> Json<Vec<BotView>> {
    Json(venue.bots(false))
}

/// Joins the battle.
#[utoipa::path(post, path = "/api/bots/register", tag = "bots", request_body = Registration, responses(
    (status = 200, body = BotView, description = "The bot has joined. It plays as soon as it has a URL."),
    (status = 400, body = Problem, description = "The name or the password is not as it should be."),
    (status = 409, body = Problem, description = "The name is taken."),
    (status = 429, body = Problem, description = "Too often; see Retry-After.")))]
async fn register(
    State(venue): State<Arc<Venue>>,
    From(from): From,
    Posted(wanted): Posted<Registration>,
) -> Result<Json<BotView>, Refusal> {
    venue.throttles.register.ask(from, Instant::now()).map_err(Refusal::too_often)?;
    venue.register(&wanted.name, wanted.password, &wanted.confirm_password).await.map(Json)
}

/// Sets the URL of a bot; it counts from the next match on.
#[utoipa::path(post, path = "/api/bots/set-url", tag = "bots", request_body = UrlChange, responses(
    (status = 200, body = BotView),
    (status = 400, body = Problem, description = "The URL is none."),
    (status = 403, body = Problem, description = "The password is wrong."),
    (status = 404, body = Problem, description = "There is no such bot."),
    (status = 429, body = Problem, description = "Too often; see Retry-After.")))]
async fn set_url(
    State(venue): State<Arc<Venue>>,
    From(from): From,
    Posted(wanted): Posted<UrlChange>,
) -> Result<Json<BotView>, Refusal> {
    venue.throttles.set_url.ask(from, Instant::now()).map_err(Refusal::too_often)?;
    venue.set_url(&wanted.name, wanted.password, &wanted.url).await.map(Json)
}

/// Tries a bot out: plays a match with it that counts for nothing, and tells what came back.
#[utoipa::path(post, path = "/api/bots/test", tag = "bots", request_body = Proof, responses(
    (status = 200, body = TrialReport, description = "What came of it, also if the bot cannot play."),
    (status = 403, body = Problem, description = "The password is wrong."),
    (status = 404, body = Problem, description = "There is no such bot."),
    (status = 409, body = Problem, description = "The bot has no URL."),
    (status = 429, body = Problem, description = "Too often; see Retry-After."),
    (status = 503, body = Problem, description = "Other bots are being tried out.")))]
async fn test(
    State(venue): State<Arc<Venue>>,
    From(from): From,
    Posted(wanted): Posted<Proof>,
) -> Result<Json<TrialReport>, Refusal> {
    venue.throttles.test.ask(from, Instant::now()).map_err(Refusal::too_often)?;
    venue.try_out(&wanted.name, wanted.password).await.map(Json)
}

/// Both leaderboards.
#[utoipa::path(get, path = "/api/leaderboard", tag = "matches", responses((status = 200, body = Leaderboards)))]
async fn leaderboard(State(venue): State<Arc<Venue>>) -> Json<Leaderboards> {
    Json(venue.leaderboards())
}

/// The present tournament, or the last one.
#[utoipa::path(get, path = "/api/tournament", tag = "matches", responses((status = 200, body = TournamentView)))]
async fn tournament(State(venue): State<Arc<Venue>>) -> Json<TournamentView> {
    Json(venue.tournament())
}

/// Which matches are listed.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Which {
    /// Those of the bot with this number only.
    bot: Option<u32>,
    /// Those before the match with this number only.
    before: Option<u64>,
    /// So many at most.
    #[param(minimum = 1, maximum = 200)]
    most: Option<u32>,
}

/// Lists the last matches that were played to their end, the newest first.
#[utoipa::path(get, path = "/api/matches", tag = "matches", params(Which), responses(
    (status = 200, body = Vec<MatchView>)))]
async fn matches(
    State(venue): State<Arc<Venue>>,
    which: Result<Query<Which>, QueryRejection>,
) -> Result<Json<Vec<MatchView>>, Refusal> {
    let Query(which) = which.map_err(|e| Refusal::bad(e.body_text()))?;
    let most = which.most.unwrap_or(50).clamp(1, MOST);
    let found = spawn_blocking(move || venue.books.index.matches(which.bot.map(BotId), which.before, most));
    let lines = found.await.map_err(Refusal::internal)?.map_err(Refusal::internal)?;
    Ok(Json(lines.iter().map(MatchView::from).collect()))
}

/// A match that was played to its end, with all its turns and both fleets.
#[utoipa::path(get, path = "/api/matches/{id}", tag = "matches", params(("id" = u64, Path, description = "Its number.")),
    responses((status = 200, body = WholeMatch), (status = 404, body = Problem)))]
async fn whole_match(State(venue): State<Arc<Venue>>, Path(id): Path<String>) -> Result<Json<WholeMatch>, Refusal> {
    let id = number_of(&id)?;
    let _turn = venue.replays.acquire().await.map_err(Refusal::internal)?;
    let venue = Arc::clone(&venue);
    spawn_blocking(move || venue.whole_match(id)).await.map_err(Refusal::internal)?.map(Json)
}

/// The number of a match in an address.
pub(super) fn number_of(id: &str) -> Result<u64, Refusal> {
    id.parse().map_err(|_| Refusal::missing("the number of a match is needed"))
}

/// Everything that happens, as server-sent events. `Last-Event-ID` goes on after that event. See docs/protocols.
#[utoipa::path(get, path = "/api/events", tag = "events", responses(
    (status = 200, content_type = "text/event-stream", body = String),
    (status = 503, body = Problem, description = "Too many listen.")))]
async fn events(State(venue): State<Arc<Venue>>, headers: HeaderMap) -> Result<Response, Refusal> {
    let last = headers.get("last-event-id").and_then(|last| last.to_str().ok());
    let listen = venue.news.listen(last).ok_or_else(|| Refusal::busy("too many listen already"))?;
    Ok(([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(listen)).into_response())
}
