//! The API of tournaments within a contest: those of the administrator for everyone, games that a team has asked for for that team.

use crate::contests::contest_host::ContestHost;
use crate::contests::tournaments::tournament_commands::{self, GamesAsked, TournamentWanted};
use crate::contests::tournaments::tournament_views;
use crate::contests::tournaments::tournament_wire::{ContestTournamentView, TournamentResults};
use crate::http::admin_commands::act;
use crate::http::api::ApiResult;
use crate::http::app::{App, AppState};
use crate::http::contest_api::{blocking, number, own};
use crate::http::guard::JsonBody;
use crate::state::moderators::AdminAction;
use crate::state::registered_bot::RegisteredBot;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::wire::{Done, Problem};
use crate::teams::actor::Actor;
use axum::Json;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(tournaments))
        .routes(routes!(tournament))
        .routes(routes!(asked, ask))
        .routes(routes!(asked_results))
        .routes(routes!(begin))
        .routes(routes!(call_off))
}

/// The number of a tournament that has begun.
#[derive(Serialize, ToSchema)]
struct TournamentNumber {
    /// The number.
    number: u32,
}

/// Lists the last tournaments of a contest, the newest first.
#[utoipa::path(get, path = "/api/contests/{contest}/tournaments", tag = "contests",
    params(("contest" = String, Path, description = "Its name.")),
    responses((status = 200, body = Vec<ContestTournamentView>), (status = 404, body = Problem)))]
async fn tournaments(app: AppState, Path(contest): Path<String>) -> ApiResult<Vec<ContestTournamentView>> {
    let name = app.contests.named(&contest)?;
    blocking(&app, move |contests| tournament_views::tournaments(contests, &name, None)).await.map(Json)
}

/// Returns a tournament, with its table and its last games.
#[utoipa::path(get, path = "/api/contests/{contest}/tournaments/{number}", tag = "contests",
    params(("contest" = String, Path, description = "The name of the contest."),
        ("number" = u32, Path, description = "The number of the tournament.")),
    responses((status = 200, body = TournamentResults), (status = 404, body = Problem)))]
async fn tournament(
    app: AppState,
    Path((contest, tournament)): Path<(String, String)>,
) -> ApiResult<TournamentResults> {
    results(&app, &contest, number(&tournament)?, None).await.map(Json)
}

/// A tournament, as everyone or the team that has asked for it sees it.
pub(crate) async fn results(
    app: &Arc<App>,
    contest: &str,
    number: u32,
    team: Option<&RegisteredBot>,
) -> RequestResult<TournamentResults> {
    let name = app.contests.named(contest)?;
    let team = team.map(|team| team.id);
    blocking(app, move |contests| {
        let by = tournament_views::asked_by(contests, &name, number)?;
        if by.is_some() && by != team {
            return Err(RequestError::missing("there is no tournament of this number"));
        }
        tournament_views::results(contests, &name, number)
    })
    .await
}

/// Lists the games that a team has asked for, the newest first.
#[utoipa::path(get, path = "/api/contests/{contest}/bots/{bot}/requests", tag = "contests", security(("team" = [])),
    params(("contest" = String, Path, description = "The name of the contest."),
        ("bot" = String, Path, description = "The name of the bot.")),
    responses((status = 200, body = Vec<ContestTournamentView>), (status = 401, body = Problem),
        (status = 404, body = Problem)))]
async fn asked(
    app: AppState,
    Path((contest, bot)): Path<(String, String)>,
    headers: HeaderMap,
) -> ApiResult<Vec<ContestTournamentView>> {
    let (name, bot) = own(&app, &contest, &bot, &headers)?;
    blocking(&app, move |contests| tournament_views::tournaments(contests, &name, Some(bot.id))).await.map(Json)
}

/// Asks for games that do not count for the ladder: against another bot, a player of the engine, or another version of the own bot.
#[utoipa::path(post, path = "/api/contests/{contest}/bots/{bot}/requests", tag = "contests", security(("team" = [])),
    params(("contest" = String, Path, description = "The name of the contest."),
        ("bot" = String, Path, description = "The name of the bot.")),
    request_body = GamesAsked,
    responses((status = 201, body = TournamentNumber), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 404, body = Problem, description = "There is no such contest, bot or version."),
        (status = 409, body = Problem, description = "Earlier games are not over, or no version was accepted."),
        (status = 429, body = Problem, description = "Too often; see Retry-After.")))]
async fn ask(
    app: AppState,
    Path((contest, bot)): Path<(String, String)>,
    headers: HeaderMap,
    asked: JsonBody<GamesAsked>,
) -> RequestResult<(StatusCode, Json<TournamentNumber>)> {
    let (_, bot) = own(&app, &contest, &bot, &headers)?;
    let number = ask_for_games(&app, &contest, &bot, asked.0).await?;
    Ok((StatusCode::CREATED, Json(TournamentNumber { number })))
}

/// Asks for games of a team's own bot. Gives the number of their tournament.
pub(crate) async fn ask_for_games(
    app: &Arc<App>,
    contest: &str,
    bot: &RegisteredBot,
    asked: GamesAsked,
) -> RequestResult<u32> {
    let (name, bot) = (app.contests.named(contest)?, bot.id);
    app.access.throttles.ask.count(bot)?;
    blocking(app, move |contests| tournament_commands::ask(contests, &name, bot, &asked)).await
}

/// Returns games that a team has asked for, with their table.
#[utoipa::path(get, path = "/api/contests/{contest}/bots/{bot}/requests/{number}", tag = "contests",
    security(("team" = [])), params(("contest" = String, Path, description = "The name of the contest."),
        ("bot" = String, Path, description = "The name of the bot."),
        ("number" = u32, Path, description = "The number of the request.")),
    responses((status = 200, body = TournamentResults), (status = 401, body = Problem), (status = 404, body = Problem)))]
async fn asked_results(
    app: AppState,
    Path((contest, bot, request)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> ApiResult<TournamentResults> {
    let (_, bot) = own(&app, &contest, &bot, &headers)?;
    results(&app, &contest, number(&request)?, Some(&bot)).await.map(Json)
}

/// Begins a tournament between the versions that play, the best on the ladder first.
#[utoipa::path(post, path = "/api/admin/contests/{contest}/tournaments", tag = "administration",
    security(("admin" = [])), params(("contest" = String, Path, description = "The name of the contest.")),
    request_body = TournamentWanted,
    responses((status = 201, body = TournamentNumber), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "It cannot be played like that.")))]
async fn begin(
    by: Actor,
    app: AppState,
    Path(contest): Path<String>,
    wanted: JsonBody<TournamentWanted>,
) -> RequestResult<(StatusCode, Json<TournamentNumber>)> {
    let number = begin_tournament(&app, &by, &contest, wanted.0).await?;
    Ok((StatusCode::CREATED, Json(TournamentNumber { number })))
}

/// Begins a tournament. Gives its number.
pub(crate) async fn begin_tournament(
    app: &Arc<App>,
    by: &Actor,
    contest: &str,
    wanted: TournamentWanted,
) -> RequestResult<u32> {
    let name = app.contests.named(contest)?;
    let of = format!("contest {name}");
    let begun = move |contests: &ContestHost| tournament_commands::begin_tournament(contests, &name, &wanted);
    act(app, by, AdminAction::BeginTournament, of, |app| async move { blocking(&app, begun).await }).await
}

/// Calls a tournament off, or games that a team has asked for. No more of its games begin.
#[utoipa::path(post, path = "/api/admin/contests/{contest}/tournaments/{number}/end", tag = "administration",
    security(("admin" = [])), params(("contest" = String, Path, description = "The name of the contest."),
        ("number" = u32, Path, description = "The number of the tournament.")),
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "It is over.")))]
async fn call_off(by: Actor, app: AppState, Path((contest, tournament)): Path<(String, String)>) -> ApiResult<Done> {
    end_tournament(&app, &by, &contest, number(&tournament)?).await.map(|()| Json(Done { ok: true }))
}

/// Calls a tournament off.
pub(crate) async fn end_tournament(app: &Arc<App>, by: &Actor, contest: &str, number: u32) -> RequestResult<()> {
    let name = app.contests.named(contest)?;
    let of = format!("tournament {number} in contest {name}");
    let ended = move |contests: &ContestHost| tournament_commands::call_off(contests, &name, number);
    act(app, by, AdminAction::CallOffTournament, of, |app| async move { blocking(&app, ended).await }).await
}
