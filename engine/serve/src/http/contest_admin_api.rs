//! The API of contests for the administrator.

use crate::contests::contest_host::ContestHost;
use crate::contests::ladders::void_set;
use crate::contests::wire::VoidPreview;
use crate::http::admin_commands::act;
use crate::http::api::ApiResult;
use crate::http::app::{App, AppState};
use crate::http::contest_api::blocking;
use crate::http::guard::JsonBody;
use crate::state::contests::contest_line::{ContestLine, VoidSet};
use crate::state::contests::contest_settings::{ContestName, ContestSettings};
use crate::state::journal_line::now;
use crate::state::moderators::AdminAction;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::wire::{Done, Problem};
use crate::teams::actor::Actor;
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use chrono::DateTime;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The longest announcement, in characters.
const MOST_OF_ANNOUNCEMENT: usize = 500;

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(begin_contest))
        .routes(routes!(ranked))
        .routes(routes!(announcement))
        .routes(routes!(void))
}

/// A contest as a contest file has it.
#[derive(ToSchema)]
#[allow(dead_code, reason = "the form of a body in the description")]
struct NamedContest {
    /// The name in addresses.
    #[schema(min_length = 1, max_length = 32, pattern = "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$", example = "autumn-2026")]
    name: String,
    /// All other keys of a contest file.
    #[schema(inline)]
    #[serde(flatten)]
    settings: ContestSettings,
}

/// The query of a contest that begins.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct BeginQuery {
    /// True to refuse the request if there is a contest of this name.
    new: Option<bool>,
}

/// Begins a contest, or changes the settings of one: what is not given has its usual value. The game and its settings never change.
#[utoipa::path(post, path = "/api/admin/contests", tag = "administration", security(("admin" = [])), params(BeginQuery),
    request_body = NamedContest,
    responses((status = 200, body = Done, description = "The contest has these settings."),
        (status = 201, body = Done, description = "The contest has begun."),
        (status = 400, body = Problem, description = "The settings cannot be used."), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 409, body = Problem, description = "The contest has another game, or is not new.")))]
async fn begin_contest(
    by: Actor,
    app: AppState,
    asked: Result<Query<BeginQuery>, QueryRejection>,
    contest: JsonBody<Map<String, Value>>,
) -> RequestResult<Response> {
    let Query(asked) = asked.map_err(|e| RequestError::bad(e.body_text()))?;
    let (name, settings) = ContestSettings::from_json(contest.0).map_err(RequestError::bad)?;
    let has_begun = set_contest(&app, &by, name, settings, asked.new.unwrap_or(false)).await?;
    let status = if has_begun { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(Done { ok: true })).into_response())
}

/// Begins a contest, or changes the settings of one unless it has to be new. Returns true if it has begun.
pub(crate) async fn set_contest(
    app: &Arc<App>,
    by: &Actor,
    name: ContestName,
    settings: ContestSettings,
    is_new: bool,
) -> RequestResult<bool> {
    let of = format!("contest {name}");
    let work =
        |app: Arc<App>| async move { blocking(&app, move |contests| contests.set(&name, settings, is_new)).await };
    act(app, by, AdminAction::SetContest, of, work).await
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
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn ranked(by: Actor, app: AppState, Path(contest): Path<String>, switch: JsonBody<Switch>) -> ApiResult<Done> {
    switch_ranked(&app, &by, &contest, switch.0.on).await.map(|()| Json(Done { ok: true }))
}

/// Begins or stops the ranked games of a contest.
pub(crate) async fn switch_ranked(app: &Arc<App>, by: &Actor, contest: &str, on: bool) -> RequestResult<()> {
    let name = app.contests.named(contest)?;
    let of = format!("{} in contest {name}", if on { "on" } else { "off" });
    let switched = move |contests: &ContestHost| {
        if contests.look(&name, |contest| contest.is_ranked)? != on {
            contests.enter(&name, ContestLine::Ranked { on, why: None })?;
        }
        contests.ladder(&name)?.changed.tell();
        Ok(())
    };
    let work = |app: Arc<App>| async move { blocking(&app, switched).await };
    act(app, by, AdminAction::SwitchRanked, of, work).await
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
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn announcement(
    by: Actor,
    app: AppState,
    Path(contest): Path<String>,
    wanted: JsonBody<Announcement>,
) -> ApiResult<Done> {
    announce(&app, &by, &contest, &wanted.0.text).await.map(|()| Json(Done { ok: true }))
}

/// Announces something on the page of a contest.
pub(crate) async fn announce(app: &Arc<App>, by: &Actor, contest: &str, text: &str) -> RequestResult<()> {
    let (name, text) = (app.contests.named(contest)?, rules::printable(text.trim()));
    if text.chars().count() > MOST_OF_ANNOUNCEMENT {
        return Err(RequestError::bad(format!("an announcement has {MOST_OF_ANNOUNCEMENT} letters at most")));
    }
    let text = Some(text).filter(|text| !text.is_empty());
    let of = format!("contest {name}");
    let announced = move |contests: &ContestHost| contests.enter(&name, ContestLine::Announced { text });
    let work = |app: Arc<App>| async move { blocking(&app, announced).await };
    act(app, by, AdminAction::Announce, of, work).await
}

/// Ranked games that are to be void: those of a bot, by the time of their end, or both.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct VoidRequest {
    /// The name of a bot one of whose versions has played.
    pub bot: Option<String>,
    /// The number of its version.
    pub version: Option<u32>,
    /// The earliest end of a game, in RFC 3339.
    pub since: Option<String>,
    /// The latest end of a game; without one the time of the request.
    pub until: Option<String>,
    /// The reason.
    #[serde(default)]
    pub why: String,
    /// True to declare them void; else nothing is changed, and only told what would be.
    #[serde(default)]
    pub apply: bool,
}

/// Declares ranked games void, or tells what that would change. They count no more, and are played again if both entrants play on.
#[utoipa::path(post, path = "/api/admin/contests/{contest}/void", tag = "administration", security(("admin" = [])),
    params(("contest" = String, Path, description = "The name of the contest.")), request_body = VoidRequest,
    responses((status = 200, body = VoidPreview), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem, description = "There is no such contest, bot or game.")))]
async fn void(
    by: Actor,
    app: AppState,
    Path(contest): Path<String>,
    wanted: JsonBody<VoidRequest>,
) -> ApiResult<VoidPreview> {
    void_games(&app, &by, &contest, wanted.0).await.map(Json)
}

/// Declares ranked games void, or only tells what that would change.
pub(crate) async fn void_games(
    app: &Arc<App>,
    by: &Actor,
    contest: &str,
    wanted: VoidRequest,
) -> RequestResult<VoidPreview> {
    by.check(AdminAction::VoidGames)?;
    let name = app.contests.named(contest)?;
    let VoidRequest { bot, version, since, until, why, apply } = wanted;
    if bot.is_none() && since.is_none() && until.is_none() {
        return Err(RequestError::bad("which games are void? Give a bot, a time, or both"));
    }
    if bot.is_none() && version.is_some() {
        return Err(RequestError::bad("a version is that of a bot; give its name as well"));
    }
    let missing = || RequestError::missing("there is no bot of this name");
    let bot = bot.map(|bot| app.access.named(&bot).map(|entry| entry.id).ok_or_else(missing)).transpose()?;
    for (key, time) in [("since", &since), ("until", &until)] {
        if let Some(time) = time.as_ref().filter(|time| DateTime::parse_from_rfc3339(time).is_err()) {
            return Err(RequestError::bad(format!("{key}: {time:?} is not a time such as 2026-11-25T10:00:00Z")));
        }
    }
    let why = rules::printable(why.trim());
    if why.is_empty() && apply || why.chars().count() > MOST_OF_ANNOUNCEMENT {
        return Err(RequestError::bad(format!("give the reason, in {MOST_OF_ANNOUNCEMENT} letters at most")));
    }
    let set = VoidSet { bot, version, since, until: until.unwrap_or_else(now) };
    let of = format!("contest {name}");
    let voided = move |contests: &ContestHost| {
        let preview = void_set::preview(contests, &name, &set)?;
        if preview.games == 0 {
            return Err(RequestError::missing("there is no such game that counts"));
        }
        if apply {
            void_set::declare(contests, &name, set, why)?;
        }
        Ok(preview)
    };
    if apply {
        let work = |app: Arc<App>| async move { blocking(&app, voided).await };
        return act(app, by, AdminAction::VoidGames, of, work).await;
    }
    blocking(app, voided).await
}
