//! The API of contests for the administrator.

use crate::http::api::ApiResult;
use crate::http::app::{App, AppState};
use crate::http::contest_api::blocking;
use crate::http::guard::{Administrator, JsonBody};
use crate::state::contests::contest_line::ContestLine;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::wire::{Done, Problem};
use axum::Json;
use axum::extract::Path;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The longest announcement, in characters.
const MOST_OF_ANNOUNCEMENT: usize = 500;

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(ranked)).routes(routes!(announcement))
}

/// A switch.
#[derive(Deserialize, ToSchema)]
struct Switch {
    /// True to play ranked games.
    on: bool,
}

/// Begins or stops the ranked games of a contest. Games that are being played are played to their end.
#[utoipa::path(post, path = "/api/admin/contests/{contest}/ranked", tag = "administration", security(("admin" = [])),
    params(("contest" = String, Path, description = "The name of the contest.")), request_body = Switch,
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 404, body = Problem)))]
async fn ranked(
    _: Administrator,
    app: AppState,
    Path(contest): Path<String>,
    switch: JsonBody<Switch>,
) -> ApiResult<Done> {
    switch_ranked(&app, &contest, switch.0.on).await.map(|()| Json(Done { ok: true }))
}

/// Begins or stops the ranked games of a contest.
pub(crate) async fn switch_ranked(app: &Arc<App>, contest: &str, on: bool) -> RequestResult<()> {
    let name = app.contests.named(contest)?;
    blocking(app, move |contests| {
        if contests.look(&name, |contest| contest.is_ranked)? != on {
            contests.enter(&name, ContestLine::Ranked { on, why: None })?;
        }
        contests.ladder(&name)?.changed.tell();
        Ok(())
    })
    .await
}

/// An announcement.
#[derive(Deserialize, ToSchema)]
struct Announcement {
    /// The text; empty for no announcement.
    #[schema(max_length = 500)]
    text: String,
}

/// Announces something on the page of a contest.
#[utoipa::path(post, path = "/api/admin/contests/{contest}/announcement", tag = "administration",
    security(("admin" = [])), params(("contest" = String, Path, description = "The name of the contest.")),
    request_body = Announcement,
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 404, body = Problem)))]
async fn announcement(
    _: Administrator,
    app: AppState,
    Path(contest): Path<String>,
    wanted: JsonBody<Announcement>,
) -> ApiResult<Done> {
    announce(&app, &contest, &wanted.0.text).await.map(|()| Json(Done { ok: true }))
}

/// Announces something on the page of a contest.
pub(crate) async fn announce(app: &Arc<App>, contest: &str, text: &str) -> RequestResult<()> {
    let (name, text) = (app.contests.named(contest)?, rules::printable(text.trim()));
    if text.chars().count() > MOST_OF_ANNOUNCEMENT {
        return Err(RequestError::bad(format!("an announcement has {MOST_OF_ANNOUNCEMENT} letters at most")));
    }
    let text = Some(text).filter(|text| !text.is_empty());
    blocking(app, move |contests| contests.enter(&name, ContestLine::Announced { text })).await
}
