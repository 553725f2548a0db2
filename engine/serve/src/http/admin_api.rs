//! The API for the administrator, who sends the password in the header `X-Admin-Password`.

use crate::http::api::ApiResult;
use crate::http::app::{App, AppState, Host};
use crate::http::guard::{Administrator, JsonBody};
use crate::matches::finals::commands::{self as finals, FinalPlan};
use crate::matches::finals::view::FinalView;
use crate::matches::{records, views};
use crate::state::journal_line::TournamentMode;
use crate::state::settings::{ServerSettings, SettingsChange};
use crate::state::wire::{Done, History, MatchView, Problem, Status, Voided};
use crate::teams::access::ClientAddress;
use crate::teams::administration::{self, VoidMatches};
use crate::teams::registration;
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
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 404, body = Problem)))]
async fn remove(_: Administrator, app: AppState, Path(id): Path<String>) -> ApiResult<Done> {
    administration::remove(&app.host, &id).await?;
    app.contests.tell_ladders();
    Ok(DONE)
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
        (status = 401, body = Problem), (status = 404, body = Problem)))]
async fn password(
    _: Administrator,
    app: AppState,
    from: ClientAddress,
    Path(id): Path<String>,
    wanted: JsonBody<NewPassword>,
) -> ApiResult<Done> {
    registration::reset_password(&app.access, from, &id, wanted.0.password).await.map(|()| DONE)
}

/// Starts tournaments: one after the other, without end.
#[utoipa::path(post, path = "/api/admin/tournament/start", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem)))]
async fn start(_: Administrator, Host(host): Host) -> ApiResult<Done> {
    administration::set_mode(&host, TournamentMode::Running).await.map(|()| DONE)
}

/// Lets no more matches begin.
#[utoipa::path(post, path = "/api/admin/tournament/pause", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 409, body = Problem)))]
async fn pause(_: Administrator, Host(host): Host) -> ApiResult<Done> {
    administration::switch_mode(&host, TournamentMode::Paused).await.map(|()| DONE)
}

/// Lets matches begin again.
#[utoipa::path(post, path = "/api/admin/tournament/resume", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 409, body = Problem)))]
async fn resume(_: Administrator, Host(host): Host) -> ApiResult<Done> {
    administration::switch_mode(&host, TournamentMode::Running).await.map(|()| DONE)
}

/// Ends the tournament that is being played; the next one begins. Results stay; a match that is being played ends without one.
#[utoipa::path(post, path = "/api/admin/tournament/end", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 409, body = Problem)))]
async fn end(_: Administrator, Host(host): Host) -> ApiResult<Done> {
    administration::end_tournament(&host).await.map(|()| DONE)
}

/// Skips a match that is being played: it ends without a result, and its bots do not meet in this tournament.
#[utoipa::path(post, path = "/api/admin/matches/{id}/skip", tag = "administration",
    params(("id" = String, Path, description = "The number of the match.")), security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "It is a game of a final.")))]
async fn skip(_: Administrator, Host(host): Host, Path(id): Path<String>) -> ApiResult<Done> {
    administration::skip(&host, &id).await.map(|()| DONE)
}

/// Declares matches of tournaments void: one, a range, or all since a time. They count in no leaderboard; those of a tournament that
/// is being played are played again.
#[utoipa::path(post, path = "/api/admin/matches/void", tag = "administration", request_body = VoidMatches,
    security(("admin" = [])),
    responses((status = 200, body = Voided), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 404, body = Problem, description = "There is no such match that counts.")))]
async fn void(_: Administrator, Host(host): Host, which: JsonBody<VoidMatches>) -> ApiResult<Voided> {
    administration::void(&host, which.0).await.map(|matches| Json(Voided { matches }))
}

/// Plans a final: at that time the best bots of all matches play a knockout, and tournaments wait.
#[utoipa::path(post, path = "/api/admin/final", tag = "administration", request_body = FinalPlan, security(("admin" = [])),
    responses((status = 200, body = FinalView), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 409, body = Problem, description = "A final is planned or being played already.")))]
async fn plan_final(_: Administrator, Host(host): Host, plan: JsonBody<FinalPlan>) -> ApiResult<FinalView> {
    finals::plan_final(&host, plan.0).await.map(Json)
}

/// Calls off the final that is planned or being played.
#[utoipa::path(post, path = "/api/admin/final/cancel", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem),
        (status = 409, body = Problem, description = "No final is planned or being played.")))]
async fn cancel_final(_: Administrator, Host(host): Host) -> ApiResult<Done> {
    finals::cancel_final(&host).await.map(|()| DONE)
}

/// Describes the current state of the server.
#[utoipa::path(get, path = "/api/admin/status", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Status), (status = 401, body = Problem)))]
async fn status(_: Administrator, Host(host): Host) -> Json<Status> {
    Json(views::status(&host))
}

/// Lists the tournaments and the last matches.
#[utoipa::path(get, path = "/api/admin/history", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = History), (status = 401, body = Problem)))]
async fn history(_: Administrator, Host(host): Host) -> ApiResult<History> {
    let tournaments = records::past_tournaments(&host, MOST).await?;
    let matches = records::matches_of(&host, None, None, MOST).await?.iter().map(MatchView::from).collect();
    Ok(Json(History { tournaments, matches }))
}

/// Removes all matches and tournaments from the history, with their records. Bots stay.
#[utoipa::path(post, path = "/api/admin/history/clear", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Done), (status = 401, body = Problem)))]
async fn clear(_: Administrator, Host(host): Host) -> ApiResult<Done> {
    administration::clear_history(&host).await.map(|()| DONE)
}

/// Returns the settings.
#[utoipa::path(get, path = "/api/admin/settings", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = ServerSettings), (status = 401, body = Problem)))]
async fn settings(_: Administrator, Host(host): Host) -> Json<ServerSettings> {
    Json(host.store.look(|state| state.settings))
}

/// Changes some settings. Matches that are being played keep the old ones.
#[utoipa::path(post, path = "/api/admin/settings", tag = "administration", request_body = SettingsChange,
    security(("admin" = [])),
    responses((status = 200, body = ServerSettings), (status = 400, body = Problem), (status = 401, body = Problem)))]
async fn change_settings(
    _: Administrator,
    Host(host): Host,
    change: JsonBody<SettingsChange>,
) -> ApiResult<ServerSettings> {
    administration::change_settings(&host, change.0).await.map(Json)
}
