//! The API for the administrator, who sends the password in the header `X-Admin-Password`, and for moderators, who send their names in
//! `X-Admin-Name` as well.

use crate::http::admin_commands;
use crate::http::api::ApiResult;
use crate::http::app::{App, AppState, Host};
use crate::http::guard::JsonBody;
use crate::matches::finals::commands::FinalPlan;
use crate::matches::finals::view::FinalView;
use crate::matches::{records, views};
use crate::state::moderators::AdminAction;
use crate::state::settings::{ServerSettings, SettingsChange};
use crate::state::wire::{Done, History, MatchView, Problem, Status, Voided};
use crate::teams::access::ClientAddress;
use crate::teams::actor::Actor;
use crate::teams::administration::VoidMatches;
use axum::Json;
use axum::extract::Path;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The most matches and tournaments that the history lists.
const MOST: u32 = 1000;
/// The answer to a change that was made.
const DONE: Json<Done> = Json(Done { ok: true });

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(remove))
        .routes(routes!(password))
        .routes(routes!(start))
        .routes(routes!(pause))
        .routes(routes!(resume))
        .routes(routes!(end))
        .routes(routes!(skip))
        .routes(routes!(void))
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
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn remove(by: Actor, app: AppState, Path(id): Path<String>) -> ApiResult<Done> {
    admin_commands::remove(&app, &by, id).await.map(|()| DONE)
}

/// A new password.
#[derive(Deserialize, ToSchema)]
struct NewPassword {
    /// The password.
    #[schema(min_length = 4, max_length = 128)]
    password: String,
}

/// Gives a team a new password. Its log-ins end, and its token.
#[utoipa::path(post, path = "/api/admin/bots/{id}/password", tag = "administration",
    params(("id" = String, Path, description = "The bot's number.")), security(("admin" = [])),
    request_body = NewPassword, responses((status = 200, body = Done), (status = 400, body = Problem),
        (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn password(
    by: Actor,
    app: AppState,
    from: ClientAddress,
    Path(id): Path<String>,
    wanted: JsonBody<NewPassword>,
) -> ApiResult<Done> {
    admin_commands::reset_password(&app, &by, from, &id, wanted.0.password).await.map(|()| DONE)
}

/// Starts tournaments: one after the other, without end.
#[utoipa::path(post, path = "/api/admin/tournament/start", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn start(by: Actor, app: AppState) -> ApiResult<Done> {
    admin_commands::start(&app, &by).await.map(|()| DONE)
}

/// Lets no more matches begin.
#[utoipa::path(post, path = "/api/admin/tournament/pause", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 403, body = Problem), (status = 409, body = Problem)))]
async fn pause(by: Actor, app: AppState) -> ApiResult<Done> {
    admin_commands::switch(&app, &by, AdminAction::Pause).await.map(|()| DONE)
}

/// Lets matches begin again.
#[utoipa::path(post, path = "/api/admin/tournament/resume", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 403, body = Problem), (status = 409, body = Problem)))]
async fn resume(by: Actor, app: AppState) -> ApiResult<Done> {
    admin_commands::switch(&app, &by, AdminAction::Resume).await.map(|()| DONE)
}

/// Ends the tournament that is being played; the next one begins. Results stay; a match that is being played ends without one.
#[utoipa::path(post, path = "/api/admin/tournament/end", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 403, body = Problem), (status = 409, body = Problem)))]
async fn end(by: Actor, app: AppState) -> ApiResult<Done> {
    admin_commands::end(&app, &by).await.map(|()| DONE)
}

/// Skips a match that is being played: it ends without a result, and its bots do not meet in this tournament.
#[utoipa::path(post, path = "/api/admin/matches/{id}/skip", tag = "administration",
    params(("id" = String, Path, description = "The number of the match.")), security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "It is a game of a final.")))]
async fn skip(by: Actor, app: AppState, Path(id): Path<String>) -> ApiResult<Done> {
    admin_commands::skip(&app, &by, id).await.map(|()| DONE)
}

/// Declares matches of tournaments void: one, a range, or all since a time. They count in no leaderboard; those of a tournament that
/// is being played are played again.
#[utoipa::path(post, path = "/api/admin/matches/void", tag = "administration", request_body = VoidMatches,
    security(("admin" = [])),
    responses((status = 200, body = Voided), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem, description = "There is no such match that counts.")))]
async fn void(by: Actor, app: AppState, which: JsonBody<VoidMatches>) -> ApiResult<Voided> {
    admin_commands::void(&app, &by, which.0).await.map(|matches| Json(Voided { matches }))
}

/// Plans a final: at that time the best bots of all matches play a knockout, and tournaments wait.
#[utoipa::path(post, path = "/api/admin/final", tag = "administration", request_body = FinalPlan, security(("admin" = [])),
    responses((status = 200, body = FinalView), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 409, body = Problem, description = "A final is planned or being played already.")))]
async fn plan_final(by: Actor, app: AppState, plan: JsonBody<FinalPlan>) -> ApiResult<FinalView> {
    admin_commands::plan_final(&app, &by, plan.0).await?;
    Ok(Json(views::present_final(&app.host)))
}

/// Calls off the final that is planned or being played.
#[utoipa::path(post, path = "/api/admin/final/cancel", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 409, body = Problem, description = "No final is planned or being played.")))]
async fn cancel_final(by: Actor, app: AppState) -> ApiResult<Done> {
    admin_commands::cancel_final(&app, &by).await.map(|()| DONE)
}

/// Describes the current state of the server.
#[utoipa::path(get, path = "/api/admin/status", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Status), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn status(_: Actor, Host(host): Host) -> Json<Status> {
    Json(views::status(&host))
}

/// Lists the tournaments and the last matches.
#[utoipa::path(get, path = "/api/admin/history", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = History), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn history(_: Actor, Host(host): Host) -> ApiResult<History> {
    let tournaments = records::past_tournaments(&host, MOST).await?;
    let matches = records::matches_of(&host, None, None, MOST).await?.iter().map(MatchView::from).collect();
    Ok(Json(History { tournaments, matches }))
}

/// Removes all matches and tournaments from the history, with their records. Bots stay.
#[utoipa::path(post, path = "/api/admin/history/clear", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn clear(by: Actor, app: AppState) -> ApiResult<Done> {
    admin_commands::clear_history(&app, &by).await.map(|()| DONE)
}

/// Returns the settings.
#[utoipa::path(get, path = "/api/admin/settings", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = ServerSettings), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn settings(_: Actor, Host(host): Host) -> Json<ServerSettings> {
    Json(host.store.look(|state| state.settings))
}

/// Changes some settings. Matches that are being played keep the old ones.
#[utoipa::path(post, path = "/api/admin/settings", tag = "administration", request_body = SettingsChange,
    security(("admin" = [])),
    responses((status = 200, body = ServerSettings), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn change_settings(by: Actor, app: AppState, change: JsonBody<SettingsChange>) -> ApiResult<ServerSettings> {
    admin_commands::change_settings(&app, &by, change.0).await?;
    Ok(Json(app.host.store.look(|state| state.settings)))
}
