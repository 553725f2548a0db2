//! The API of the administrator, who shows the password in the header `X-Admin-Password`.

use super::guard::{Administrator, Posted};
use super::line::BotId;
use super::wire::{Done, History, MatchView, PastTournamentView, Problem, Status};
use super::{Refusal, Settings, SettingsChange, Venue};
use axum::Json;
use axum::extract::{Path, State};
use std::sync::Arc;
use tokio::task::spawn_blocking;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Matches and tournaments of the history that are listed at most.
const MOST: u32 = 1000;
/// That something was done.
const DONE: Json<Done> = Json(Done { ok: true });

pub(super) fn routes() -> OpenApiRouter<Arc<Venue>> {
    OpenApiRouter::new()
        .routes(routes!(remove))
        .routes(routes!(start))
        .routes(routes!(pause))
        .routes(routes!(resume))
        .routes(routes!(status))
        .routes(routes!(history))
        .routes(routes!(clear))
        .routes(routes!(settings, change_settings))
}

/// Removes a bot. A match that it plays ends without a result.
#[utoipa::path(post, path = "/api/admin/bots/{id}/remove", tag = "administration",
    params(("id" = String, Path, description = "The bot's number.")), security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 404, body = Problem)))]
async fn remove(
    _: Administrator,
    State(venue): State<Arc<Venue>>,
    Path(id): Path<String>,
) -> Result<Json<Done>, Refusal> {
    let id = id.parse().map_err(|_| Refusal::missing("there is no bot of this number"))?;
    venue.remove(BotId(id)).await.map(|()| DONE)
}

/// Starts tournaments: one after the other, without end.
#[utoipa::path(post, path = "/api/admin/tournament/start", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem)))]
async fn start(_: Administrator, State(venue): State<Arc<Venue>>) -> Result<Json<Done>, Refusal> {
    venue.start().await.map(|()| DONE)
}

/// Lets no more matches begin.
#[utoipa::path(post, path = "/api/admin/tournament/pause", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 409, body = Problem)))]
async fn pause(_: Administrator, State(venue): State<Arc<Venue>>) -> Result<Json<Done>, Refusal> {
    venue.pause().await.map(|()| DONE)
}

/// Lets matches begin again.
#[utoipa::path(post, path = "/api/admin/tournament/resume", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 409, body = Problem)))]
async fn resume(_: Administrator, State(venue): State<Arc<Venue>>) -> Result<Json<Done>, Refusal> {
    venue.resume().await.map(|()| DONE)
}

/// How things are.
#[utoipa::path(get, path = "/api/admin/status", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Status), (status = 401, body = Problem)))]
async fn status(_: Administrator, State(venue): State<Arc<Venue>>) -> Json<Status> {
    Json(venue.status())
}

/// The tournaments and the last matches.
#[utoipa::path(get, path = "/api/admin/history", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = History), (status = 401, body = Problem)))]
async fn history(_: Administrator, State(venue): State<Arc<Venue>>) -> Result<Json<History>, Refusal> {
    let history = spawn_blocking(move || -> Result<History, String> {
        let index = &venue.books.index;
        let tournaments = index.tournaments(MOST)?.into_iter().map(PastTournamentView::from).collect();
        let matches = index.matches(None, None, MOST)?.iter().map(MatchView::from).collect();
        Ok(History { tournaments, matches })
    });
    history.await.map_err(Refusal::internal)?.map(Json).map_err(Refusal::internal)
}

/// Forgets all matches and tournaments, and removes their records. Bots stay.
#[utoipa::path(post, path = "/api/admin/history/clear", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem)))]
async fn clear(_: Administrator, State(venue): State<Arc<Venue>>) -> Result<Json<Done>, Refusal> {
    venue.clear_history().await.map(|()| DONE)
}

/// The settings.
#[utoipa::path(get, path = "/api/admin/settings", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Settings), (status = 401, body = Problem)))]
async fn settings(_: Administrator, State(venue): State<Arc<Venue>>) -> Json<Settings> {
    Json(venue.books.look(|ledger| ledger.settings()))
}

/// Changes some settings; matches that are being played keep theirs.
#[utoipa::path(post, path = "/api/admin/settings", tag = "administration", request_body = SettingsChange,
    security(("admin" = [])),
    responses((status = 200, body = Settings), (status = 400, body = Problem), (status = 401, body = Problem)))]
async fn change_settings(
    _: Administrator,
    State(venue): State<Arc<Venue>>,
    Posted(change): Posted<SettingsChange>,
) -> Result<Json<Settings>, Refusal> {
    venue.change_settings(change).await.map(Json)
}
