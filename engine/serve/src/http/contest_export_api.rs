//! Tables of contests for spreadsheets and scripts, and their rules for bots.

use crate::contests::contest_host::ContestHost;
use crate::contests::export;
use crate::http::app::{App, AppState};
use crate::http::contest_api::blocking;
use crate::state::contests::contest_settings::ContestName;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::wire::Problem;
use crate::teams::actor::Actor;
use axum::extract::Path;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(ladder))
        .routes(routes!(games))
        .routes(routes!(submissions))
        .routes(routes!(rules))
}

/// Returns the ladder of a contest as comma-separated values, best first.
#[utoipa::path(get, path = "/api/contests/{contest}/ladder.csv", tag = "contests",
    params(("contest" = String, Path, description = "The name of the contest.")),
    responses((status = 200, content_type = "text/csv", body = String), (status = 404, body = Problem)))]
async fn ladder(app: AppState, Path(contest): Path<String>) -> RequestResult<Response> {
    file(&app, &contest, "ladder.csv", export::ladder).await
}

/// Returns the games of the ladder that count as comma-separated values, in the order in which they ended.
#[utoipa::path(get, path = "/api/contests/{contest}/games.csv", tag = "contests",
    params(("contest" = String, Path, description = "The name of the contest.")),
    responses((status = 200, content_type = "text/csv", body = String), (status = 404, body = Problem)))]
async fn games(app: AppState, Path(contest): Path<String>) -> RequestResult<Response> {
    file(&app, &contest, "games.csv", export::games).await
}

/// Returns all versions that were handed in, with their verdicts, as comma-separated values.
#[utoipa::path(get, path = "/api/admin/contests/{contest}/submissions.csv", tag = "administration",
    security(("admin" = [])), params(("contest" = String, Path, description = "The name of the contest.")),
    responses((status = 200, content_type = "text/csv", body = String), (status = 401, body = Problem),
        (status = 404, body = Problem)))]
async fn submissions(_: Actor, app: AppState, Path(contest): Path<String>) -> RequestResult<Response> {
    file(&app, &contest, "submissions.csv", export::submissions).await
}

/// Returns the rules of a contest of Battleship by any rules, as a file of rules (TOML).
#[utoipa::path(get, path = "/api/contests/{contest}/rules.toml", tag = "contests",
    params(("contest" = String, Path, description = "The name of the contest.")),
    responses((status = 200, content_type = "application/toml", body = String), (status = 404, body = Problem)))]
async fn rules(app: AppState, Path(contest): Path<String>) -> RequestResult<Response> {
    file(&app, &contest, "rules.toml", export::rules).await
}

/// A file of a contest, which a browser saves.
async fn file(
    app: &Arc<App>,
    contest: &str,
    what: &str,
    make: fn(&ContestHost, &ContestName) -> RequestResult<String>,
) -> RequestResult<Response> {
    let name = app.contests.named(contest)?;
    // That of the games reads the whole journal.
    let _permit = app.host.replays.acquire().await.map_err(RequestError::internal)?;
    let kind = if what.ends_with("toml") { "application/toml" } else { "text/csv; charset=utf-8" };
    let file = format!("attachment; filename=\"{name}-{what}\"");
    let text = blocking(app, move |contests| make(contests, &name)).await?;
    Ok(([(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, file)], text).into_response())
}
