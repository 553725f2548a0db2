//! The API for the administrator, who sends the password in the header `X-Admin-Password`.

use super::api::ApiResult;
use super::app::{App, AppState};
use super::finals::{FinalPlan, FinalView};
use super::guard::{Administrator, JsonBody};
use super::journal_line::TournamentMode;
use super::settings::{ServerSettings, SettingsChange};
use super::wire::{Done, History, MatchView, Problem, Status};
use axum::Json;
use axum::extract::Path;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The most matches and tournaments that the history lists.
const MOST: u32 = 1000;
/// The answer to a change that was made.
const DONE: Json<Done> = Json(Done { ok: true });

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(remove))
        .routes(routes!(start))
        .routes(routes!(pause))
        .routes(routes!(resume))
        .routes(routes!(plan_final))
        .routes(routes!(cancel_final))
        .routes(routes!(status))
        .routes(routes!(history))
        .routes(routes!(clear))
        .routes(routes!(settings, change_settings))
}

/// Removes a bot. A match that it plays ends without a result.
#[utoipa::path(post, path = "/api/admin/bots/{id}/remove", tag = "administration",
    params(("id" = String, Path, description = "The bot's number.")), security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 404, body = Problem)))]
async fn remove(_: Administrator, app: AppState, Path(id): Path<String>) -> ApiResult<Done> {
    app.remove(&id).await.map(|()| DONE)
}

/// Starts tournaments: one after the other, without end.
#[utoipa::path(post, path = "/api/admin/tournament/start", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem)))]
async fn start(_: Administrator, app: AppState) -> ApiResult<Done> {
    app.set_mode(TournamentMode::Running).await.map(|()| DONE)
}

/// Lets no more matches begin.
#[utoipa::path(post, path = "/api/admin/tournament/pause", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 409, body = Problem)))]
async fn pause(_: Administrator, app: AppState) -> ApiResult<Done> {
    app.switch_mode(TournamentMode::Paused).await.map(|()| DONE)
}

/// Lets matches begin again.
#[utoipa::path(post, path = "/api/admin/tournament/resume", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 409, body = Problem)))]
async fn resume(_: Administrator, app: AppState) -> ApiResult<Done> {
    app.switch_mode(TournamentMode::Running).await.map(|()| DONE)
}

/// Plans a final: at that time the best bots of all matches play a knockout, and tournaments wait.
#[utoipa::path(post, path = "/api/admin/final", tag = "administration", request_body = FinalPlan, security(("admin" = [])),
    responses((status = 200, body = FinalView), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 409, body = Problem, description = "A final is planned or being played already.")))]
async fn plan_final(_: Administrator, app: AppState, plan: JsonBody<FinalPlan>) -> ApiResult<FinalView> {
    app.plan_final(plan.0).await.map(Json)
}

/// Calls off the final that is planned or being played.
#[utoipa::path(post, path = "/api/admin/final/cancel", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem),
        (status = 409, body = Problem, description = "No final is planned or being played.")))]
async fn cancel_final(_: Administrator, app: AppState) -> ApiResult<Done> {
    app.cancel_final().await.map(|()| DONE)
}

/// Describes the current state of the server.
#[utoipa::path(get, path = "/api/admin/status", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Status), (status = 401, body = Problem)))]
async fn status(_: Administrator, app: AppState) -> Json<Status> {
    Json(app.status())
}

/// Lists the tournaments and the last matches.
#[utoipa::path(get, path = "/api/admin/history", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = History), (status = 401, body = Problem)))]
async fn history(_: Administrator, app: AppState) -> ApiResult<History> {
    let tournaments = app.past_tournaments(MOST).await?;
    let matches = app.matches_of(None, None, MOST).await?.iter().map(MatchView::from).collect();
    Ok(Json(History { tournaments, matches }))
}

/// Removes all matches and tournaments from the history, with their records. Bots stay.
#[utoipa::path(post, path = "/api/admin/history/clear", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem)))]
async fn clear(_: Administrator, app: AppState) -> ApiResult<Done> {
    app.clear_history().await.map(|()| DONE)
}

/// Returns the settings.
#[utoipa::path(get, path = "/api/admin/settings", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = ServerSettings), (status = 401, body = Problem)))]
async fn settings(_: Administrator, app: AppState) -> Json<ServerSettings> {
    Json(app.store.look(|state| state.settings))
}

/// Changes some settings. Matches that are being played keep the old ones.
#[utoipa::path(post, path = "/api/admin/settings", tag = "administration", request_body = SettingsChange,
    security(("admin" = [])),
    responses((status = 200, body = ServerSettings), (status = 400, body = Problem), (status = 401, body = Problem)))]
async fn change_settings(
    _: Administrator,
    app: AppState,
    change: JsonBody<SettingsChange>,
) -> ApiResult<ServerSettings> {
    app.change_settings(change.0).await.map(Json)
}
