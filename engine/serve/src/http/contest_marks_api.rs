//! The API of marks: a team's own, and files of all for the administrator.

use crate::contests::marking::export::{self, ARCHIVE};
use crate::contests::marking::views;
use crate::contests::marking::wire::MarksView;
use crate::http::api::ApiResult;
use crate::http::app::{App, AppState};
use crate::http::contest_api::{blocking, own};
use crate::state::moderators::AdminAction;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::wire::Problem;
use crate::teams::actor::Actor;
use axum::Json;
use axum::extract::Path;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use chrono::Utc;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(marks))
        .routes(routes!(marks_csv))
        .routes(routes!(marks_json))
        .routes(routes!(marks_archive))
}

/// Returns the marks of a bot for its team, without criteria that are hidden, while it is being marked as well.
#[utoipa::path(get, path = "/api/contests/{contest}/bots/{bot}/marks", tag = "contests", security(("team" = [])),
    params(("contest" = String, Path, description = "The name of the contest."),
        ("bot" = String, Path, description = "The name of the bot.")),
    responses((status = 200, body = MarksView), (status = 401, body = Problem),
        (status = 404, body = Problem, description = "There is no such contest or bot, or it has no plan for marks.")))]
async fn marks(
    app: AppState,
    Path((contest, bot)): Path<(String, String)>,
    headers: HeaderMap,
) -> ApiResult<MarksView> {
    let (name, bot) = own(&app, &contest, &bot, &headers)?;
    views::own(&app.contests, &name, bot.id).map(Json)
}

/// Returns the marks of all teams as comma-separated values, with criteria that are hidden.
#[utoipa::path(get, path = "/api/admin/contests/{contest}/marks.csv", tag = "administration", security(("admin" = [])),
    params(("contest" = String, Path, description = "The name of the contest.")),
    responses((status = 200, content_type = "text/csv", body = String), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn marks_csv(by: Actor, app: AppState, Path(contest): Path<String>) -> RequestResult<Response> {
    marks_file(&app, &by, &contest, "csv").await
}

/// Returns the marks of all teams, with criteria that are hidden, in the form of `docs/marks.schema.json`.
#[utoipa::path(get, path = "/api/admin/contests/{contest}/marks.json", tag = "administration", security(("admin" = [])),
    params(("contest" = String, Path, description = "The name of the contest.")),
    responses((status = 200, content_type = "application/json", body = Object), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn marks_json(by: Actor, app: AppState, Path(contest): Path<String>) -> RequestResult<Response> {
    marks_file(&app, &by, &contest, "json").await
}

/// Returns all results as an archive: tables, a page for the teacher, and for each team a page and files for other systems.
#[utoipa::path(get, path = "/api/admin/contests/{contest}/marks.tar.gz", tag = "administration",
    security(("admin" = [])), params(("contest" = String, Path, description = "The name of the contest.")),
    responses((status = 200, content_type = "application/gzip", body = Vec<u8>), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn marks_archive(by: Actor, app: AppState, Path(contest): Path<String>) -> RequestResult<Response> {
    marks_file(&app, &by, &contest, ARCHIVE).await
}

/// The marks as a file with this ending, which a browser saves under a name with the time.
pub(crate) async fn marks_file(app: &Arc<App>, by: &Actor, contest: &str, ending: &str) -> RequestResult<Response> {
    // The plan tells what is hidden, and so do the marks.
    by.check(AdminAction::SetContest)?;
    let name = app.contests.named(contest)?;
    let (ending, kind) = match ending {
        "csv" => ("csv", "text/csv; charset=utf-8"),
        "json" => ("json", "application/json"),
        ARCHIVE => (ARCHIVE, "application/gzip"),
        _ => return Err(RequestError::missing("there is no such file of marks")),
    };
    let _permit = app.host.replays.acquire().await.map_err(RequestError::internal)?;
    let file = format!("attachment; filename=\"{name}-marks-{}.{ending}\"", Utc::now().format("%Y%m%dT%H%M%SZ"));
    let bytes = blocking(app, move |contests| export::file(contests, &name, ending)).await?;
    Ok(([(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, file)], bytes).into_response())
}
