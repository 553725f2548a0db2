//! The games of contests for those who watch: the last ones, and a stream of each for screens.

use crate::contests::contest_folder::ContestFolder;
use crate::contests::ladders::game_records::{self, ReplayedGame};
use crate::contests::views;
use crate::contests::wire::GameEvent;
use crate::http::api::ApiResult;
use crate::http::app::{App, AppState};
use crate::http::contest_api::{blocking, events};
use crate::state::contests::contest_settings::ContestName;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::wire::Problem;
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
use web::finished_log;

/// The number of games that a request lists without a number of its own.
const USUAL: usize = 50;

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(games))
}

/// The streams for the pages of this server. Their form is that of pages, and no promise to others.
pub(crate) fn page_routes() -> Router<Arc<App>> {
    Router::new().route("/c/{contest}/events", get(events)).route("/c/{contest}/games/{game}/events", get(game_events))
}

/// The query of a list of games.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct GamesQuery {
    /// The most games to list.
    #[param(minimum = 1, maximum = 100)]
    most: Option<usize>,
}

/// Lists the last games of the ladder whose records are kept, the newest first. `/c/NAME/games/ID` shows one.
#[utoipa::path(get, path = "/api/contests/{contest}/games", tag = "contests",
    params(("contest" = String, Path, description = "The name of the contest."), GamesQuery),
    responses((status = 200, body = Vec<GameEvent>), (status = 404, body = Problem)))]
async fn games(
    app: AppState,
    Path(contest): Path<String>,
    asked: Result<Query<GamesQuery>, QueryRejection>,
) -> ApiResult<Vec<GameEvent>> {
    let Query(asked) = asked.map_err(|e| RequestError::bad(e.body_text()))?;
    let name = app.contests.named(&contest)?;
    views::recent_games(&app.contests, &name, asked.most.unwrap_or(USUAL)).map(Json)
}

/// Streams a game that is over, in the form of live pages: the setup, a frame for each turn, and the end.
async fn game_events(
    app: AppState,
    Path((contest, game)): Path<(String, String)>,
    headers: HeaderMap,
) -> RequestResult<Response> {
    let name = app.contests.named(&contest)?;
    let folder = app.contests.folder(&name);
    let log = |game: &ReplayedGame| finished_log(&game.history, &game.about, game.analysis().as_ref());
    let log = replay(&app, name, folder, game, log).await?;
    Ok(log.response(&headers, |_| true))
}

/// Does work with a game that is over, which takes memory and processor time, on another thread.
pub(crate) async fn replay<T: Send + 'static>(
    app: &Arc<App>,
    name: ContestName,
    folder: ContestFolder,
    game: String,
    work: impl FnOnce(&ReplayedGame) -> T + Send + 'static,
) -> RequestResult<T> {
    let _permit = app.host.replays.acquire().await.map_err(RequestError::internal)?;
    blocking(app, move |contests| game_records::replay(&contests.host, &*contests.ladder(&name)?, &folder, &game, work))
        .await
}
