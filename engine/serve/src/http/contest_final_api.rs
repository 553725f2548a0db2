//! The API of the final of a contest, and the stream of the game that screens show.

use crate::contests::contest_host::ContestHost;
use crate::contests::finals::{final_commands, final_views};
use crate::contests::ladders::game_records::{self, ReplayedGame};
use crate::http::admin_commands::act;
use crate::http::api::ApiResult;
use crate::http::app::{App, AppState};
use crate::http::contest_api::blocking;
use crate::http::guard::JsonBody;
use crate::matches::finals::commands::FinalPlan;
use crate::matches::finals::view::FinalView;
use crate::state::contests::contest_settings::ContestName;
use crate::state::moderators::AdminAction;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::wire::{Done, Problem};
use crate::teams::actor::Actor;
use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use axum::{Json, Router};
use runner::game_name;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use web::finished_log;

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(present_final)).routes(routes!(plan)).routes(routes!(cancel))
}

/// The stream of a game for the page of a final. Its form is that of pages, and no promise to others.
pub(crate) fn page_routes() -> Router<Arc<App>> {
    Router::new().route("/c/{contest}/final/games/{game}/events", get(game_events))
}

/// Returns the final of a contest that is planned or being played, or the last one, as far as the screens have shown it.
#[utoipa::path(get, path = "/api/contests/{contest}/final", tag = "contests",
    params(("contest" = String, Path, description = "The name of the contest.")),
    responses((status = 200, body = FinalView), (status = 404, body = Problem)))]
async fn present_final(app: AppState, Path(contest): Path<String>) -> ApiResult<FinalView> {
    let name = app.contests.named(&contest)?;
    view(&app, name).await.map(Json)
}

/// The final of a contest.
pub(crate) async fn view(app: &Arc<App>, name: ContestName) -> RequestResult<FinalView> {
    blocking(app, move |contests| final_views::present_final(&contests.host, &*contests.ladder(&name)?)).await
}

/// Plans a final of a contest: at that time the best bots of its ladder play a knockout, one game after the other, for everyone to watch.
#[utoipa::path(post, path = "/api/admin/contests/{contest}/final", tag = "administration", security(("admin" = [])),
    params(("contest" = String, Path, description = "The name of the contest.")), request_body = FinalPlan,
    responses((status = 200, body = FinalView), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem, description = "A final is planned or being played already.")))]
async fn plan(
    by: Actor,
    app: AppState,
    Path(contest): Path<String>,
    plan: JsonBody<FinalPlan>,
) -> ApiResult<FinalView> {
    plan_final(&app, &by, &contest, plan.0).await?;
    view(&app, app.contests.named(&contest)?).await.map(Json)
}

/// Plans a final.
pub(crate) async fn plan_final(app: &Arc<App>, by: &Actor, contest: &str, plan: FinalPlan) -> RequestResult<()> {
    let name = app.contests.named(contest)?;
    let of = format!("contest {name}");
    let planned = move |contests: &ContestHost| final_commands::plan(contests, &name, &plan);
    act(app, by, AdminAction::PlanFinal, of, |app| async move { blocking(&app, planned).await }).await
}

/// Calls off the final of a contest that is planned or being played. Games that were played stay.
#[utoipa::path(post, path = "/api/admin/contests/{contest}/final/cancel", tag = "administration",
    security(("admin" = [])), params(("contest" = String, Path, description = "The name of the contest.")),
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "No final is planned or being played.")))]
async fn cancel(by: Actor, app: AppState, Path(contest): Path<String>) -> ApiResult<Done> {
    cancel_final(&app, &by, &contest).await.map(|()| Json(Done { ok: true }))
}

/// Calls off a final.
pub(crate) async fn cancel_final(app: &Arc<App>, by: &Actor, contest: &str) -> RequestResult<()> {
    let name = app.contests.named(contest)?;
    let of = format!("contest {name}");
    let cancelled = move |contests: &ContestHost| final_commands::cancel(contests, &name);
    act(app, by, AdminAction::CancelFinal, of, |app| async move { blocking(&app, cancelled).await }).await
}

/// Streams the game of the final that screens show, as far as they have shown it, or one that was shown.
async fn game_events(
    app: AppState,
    Path((contest, game)): Path<(String, String)>,
    headers: HeaderMap,
) -> RequestResult<Response> {
    let name = app.contests.named(&contest)?;
    let ladder = app.contests.ladder(&name)?;
    if let Some(shown) = ladder.on_screen().filter(|shown| shown.game == game) {
        return Ok(shown.log.response(&headers, |_| true));
    }
    let _permit = app.host.replays.acquire().await.map_err(RequestError::internal)?;
    let log = blocking(&app, move |contests| {
        let missing = || RequestError::missing("no such game of the final was shown");
        let last = contests.look(&name, |known| known.last_final().map(|(number, begun)| (number, begun.clone())))?;
        let (number, begun) = last.ok_or_else(missing)?;
        let broadcast = final_views::read(&ladder.folder, number, &begun).map_err(RequestError::internal)?;
        let broadcast = broadcast.ok_or_else(missing)?;
        if !broadcast.games(ladder.screen_clock.now()).any(|shown| game_name(shown.fixture) == game) {
            return Err(missing());
        }
        let folder = ladder.folder.tournament(number);
        let log = |game: &ReplayedGame| finished_log(&game.history, &game.about, None);
        game_records::replay(&contests.host, &ladder, &folder, &game, log)
    });
    Ok(log.await?.response(&headers, |_| true))
}
