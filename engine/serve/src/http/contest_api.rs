//! The API of contests: settings and ladders for everyone, versions for their teams.

use crate::contests::contest_host::ContestHost;
use crate::contests::submissions::faults;
use crate::contests::submissions::submission::{self, MOST_OF_ARCHIVE, Upload};
use crate::contests::views;
use crate::contests::wire::{ContestSummary, ContestView, FaultBundle, FaultRow, PublicBot, VersionView};
use crate::http::api::ApiResult;
use crate::http::app::{App, AppState};
use crate::http::guard::JsonBody;
use crate::state::contests::contest_settings::ContestName;
use crate::state::registered_bot::RegisteredBot;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::wire::Problem;
use crate::teams::access::ClientAddress;
use crate::teams::api_token::{new_token, own_by_token};
use crate::teams::registration::{BotCredentials, bot_url, checked_url};
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Query, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt};
use rules::GameKind;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::pin::pin;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The largest body of a submission, in bytes: more than an archive may have, so that one that is too large is told so.
const MOST_OF_BODY: usize = MOST_OF_ARCHIVE + (1 << 20);

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(contests))
        .routes(routes!(contest))
        .routes(routes!(events))
        .routes(routes!(contest_bot))
        .routes(routes!(version))
        .routes(routes!(log))
        .routes(routes!(version_faults))
        .routes(routes!(version_fault))
        .routes(routes!(activate))
        .routes(routes!(token))
        // Other requests have the usual limit.
        .merge(OpenApiRouter::new().routes(routes!(versions, submit)).layer(DefaultBodyLimit::max(MOST_OF_BODY)))
}

/// Lists the contests in which bots are handed in.
#[utoipa::path(get, path = "/api/contests", tag = "contests", responses((status = 200, body = Vec<ContestSummary>)))]
async fn contests(app: AppState) -> Json<Vec<ContestSummary>> {
    Json(views::contests(&app.contests))
}

/// Returns a contest: its settings, its ladder, what is being played, and who waits for a verdict.
#[utoipa::path(get, path = "/api/contests/{contest}", tag = "contests",
    params(("contest" = String, Path, description = "Its name.")),
    responses((status = 200, body = ContestView), (status = 404, body = Problem)))]
async fn contest(app: AppState, Path(contest): Path<String>) -> ApiResult<ContestView> {
    let name = app.contests.named(&contest)?;
    blocking(&app, move |contests| views::contest(contests, &name)).await.map(Json)
}

/// Streams what happens in a contest as server-sent events: `queue` (who waits for a verdict, array of `WaitingView`), `entrant` (who
/// plays from now on, `EntrantEvent`), `parked` (who does not, because it failed again and again, `EntrantEvent`), `game` (a game that
/// was played, `GameEvent`), `tournament` (one begins or is over, `ContestTournamentEvent`), `final` (the final as far as it was shown,
/// `FinalView`), `marks` (bots were marked by the plan of the contest, `MarksEvent`), `final-game` (screens begin to show a game of it, `FinalGameEvent`), `final-game-over` (they have shown it, `null`).
#[utoipa::path(get, path = "/api/contests/{contest}/events", tag = "contests",
    params(("contest" = String, Path, description = "Its name.")),
    responses((status = 200, content_type = "text/event-stream", body = String), (status = 404, body = Problem),
        (status = 503, body = Problem, description = "There are too many listeners.")))]
pub(crate) async fn events(app: AppState, Path(contest): Path<String>, headers: HeaderMap) -> RequestResult<Response> {
    let name = app.contests.named(&contest)?;
    Ok(app.contests.ladder(&name)?.events.response(&headers, |_| true))
}

/// The query about a bot.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct BotQuery {
    /// The version whose games are told; without it the one that plays, or the newest.
    version: Option<u32>,
}

/// Returns a bot in a contest: its accepted versions with their ratings, and of one of them the results by opponent, endings, lengths,
/// faults, latency and the last games.
#[utoipa::path(get, path = "/api/contests/{contest}/bots/{bot}", tag = "contests",
    params(("contest" = String, Path, description = "The name of the contest."),
        ("bot" = String, Path, description = "The name of the bot."), BotQuery),
    responses((status = 200, body = PublicBot), (status = 404, body = Problem)))]
async fn contest_bot(
    app: AppState,
    Path((contest, bot)): Path<(String, String)>,
    asked: Result<Query<BotQuery>, QueryRejection>,
) -> ApiResult<PublicBot> {
    let Query(BotQuery { version }) = asked.map_err(|e| RequestError::bad(e.body_text()))?;
    let name = app.contests.named(&contest)?;
    let bot = app.access.named(&bot).ok_or_else(|| RequestError::missing("there is no bot of this name"))?;
    blocking(&app, move |contests| views::contest_bot(contests, &name, &bot, version)).await.map(Json)
}

/// A token.
#[derive(Serialize, ToSchema)]
struct TokenView {
    /// The token, for the header `Authorization: Bearer TOKEN`.
    token: String,
}

/// Gives a team a token for programs. It lasts until the next one is given.
#[utoipa::path(post, path = "/api/bots/token", tag = "contests", request_body = BotCredentials, responses(
    (status = 200, body = TokenView),
    (status = 403, body = Problem, description = "The password is wrong."),
    (status = 404, body = Problem, description = "There is no such bot."),
    (status = 429, body = Problem, description = "Too often; see Retry-After.")))]
async fn token(app: AppState, from: ClientAddress, bot: JsonBody<BotCredentials>) -> ApiResult<TokenView> {
    new_token(&app.access, from, bot.0).await.map(|token| Json(TokenView { token }))
}

/// Lists the versions of a bot, the newest first.
#[utoipa::path(get, path = "/api/contests/{contest}/bots/{bot}/versions", tag = "contests", security(("team" = [])),
    params(("contest" = String, Path, description = "The name of the contest."),
        ("bot" = String, Path, description = "The name of the bot.")),
    responses((status = 200, body = Vec<VersionView>), (status = 401, body = Problem), (status = 404, body = Problem)))]
async fn versions(
    app: AppState,
    Path((contest, bot)): Path<(String, String)>,
    headers: HeaderMap,
) -> ApiResult<Vec<VersionView>> {
    let (name, bot) = own(&app, &contest, &bot, &headers)?;
    blocking(&app, move |contests| views::versions(contests, &name, bot.id)).await.map(Json)
}

/// The query of a submission.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct SubmitQuery {
    /// False for a version that does not play until it is activated.
    activate: Option<bool>,
}

/// A web service that is handed in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ServiceBody {
    /// Its URL, as in http://192.168.0.7:4000.
    url: String,
}

/// Hands a version in: a zip or a tar.gz of the bot's folder, up to 20 MB, or the URL of a web service, as the contest has it. The same
/// archive again is the same version.
#[utoipa::path(post, path = "/api/contests/{contest}/bots/{bot}/versions", tag = "contests", security(("team" = [])),
    params(("contest" = String, Path, description = "The name of the contest."),
        ("bot" = String, Path, description = "The name of the bot."), SubmitQuery,
        ("X-Contest-Code" = Option<String>, Header, description = "The code of the contest, with the first version.")),
    request_body(content(
        (Vec<u8> = "application/zip"), (Vec<u8> = "application/gzip"), (ServiceBody = "application/json"))),
    responses(
        (status = 201, body = VersionView, description = "It waits for its verdict."),
        (status = 200, body = VersionView, description = "This archive was handed in before."),
        (status = 400, body = Problem, description = "The body is no archive."),
        (status = 401, body = Problem, description = "The token is missing or wrong."),
        (status = 403, body = Problem, description = "The team is not on the list of the contest, or its code is missing or wrong."),
        (status = 404, body = Problem),
        (status = 409, body = Problem, description = "Three versions of the bot wait already, or the contest takes none in this form."),
        (status = 413, body = Problem, description = "The archive is too large."),
        (status = 415, body = Problem, description = "The content type is that of none of them."),
        (status = 429, body = Problem, description = "Too often; see Retry-After."),
        (status = 503, body = Problem, description = "The server takes no bots, or has too much to do.")))]
async fn submit(
    app: AppState,
    Path((contest, bot)): Path<(String, String)>,
    asked: Result<Query<SubmitQuery>, QueryRejection>,
    from: ClientAddress,
    headers: HeaderMap,
    request: Request,
) -> RequestResult<Response> {
    let Query(asked) = asked.map_err(|e| RequestError::bad(e.body_text()))?;
    let (name, bot) = own(&app, &contest, &bot, &headers)?;
    let code = headers.get("x-contest-code").and_then(|code| std::str::from_utf8(code.as_bytes()).ok());
    check_code(&app, from, &name, &bot, code.unwrap_or_default()).await?;
    // No form of another site can send these.
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if kind == "application/json" {
        app.access.throttles.submit.count(bot.id)?;
        let JsonBody(ServiceBody { url }) = JsonBody::from_request(request, &app).await?;
        let (version, is_new) = hand_in_url(&app, &name, &bot, url, asked.activate.unwrap_or(true)).await?;
        return submitted(&app, &name, &bot, version, is_new).await;
    }
    if !["application/zip", "application/gzip", "application/octet-stream"].contains(&kind.as_str()) {
        let message = "the body is a zip or a tar.gz, with the header Content-Type: application/zip or application/gzip, or the URL of a web service as JSON";
        return Err(RequestError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    let body: Body = request.into_body();
    let (version, is_new) = receive(&app, &name, &bot, body.into_data_stream(), asked.activate.unwrap_or(true)).await?;
    submitted(&app, &name, &bot, version, is_new).await
}

async fn submitted(
    app: &Arc<App>,
    contest: &ContestName,
    bot: &RegisteredBot,
    version: u32,
    is_new: bool,
) -> RequestResult<Response> {
    let view = version_view(app, contest, bot, version).await?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(view)).into_response())
}

/// Checks the code of a contest that has one, unless the team has handed in a version before.
pub(crate) async fn check_code(
    app: &App,
    from: ClientAddress,
    contest: &ContestName,
    bot: &RegisteredBot,
    given: &str,
) -> RequestResult<()> {
    match app.contests.look(contest, |contest| contest.code_for(bot.id))? {
        Some(right) => app.access.check_contest_code(from, &right, given).await,
        None => Ok(()),
    }
}

/// Hands in a web service. Gives the number of the version, and if it is new.
pub(crate) async fn hand_in_url(
    app: &Arc<App>,
    contest: &ContestName,
    bot: &RegisteredBot,
    url: String,
    activates: bool,
) -> RequestResult<(u32, bool)> {
    let game = app.contests.look(contest, |contest| contest.settings.game)?;
    let url = if game == GameKind::SeaBattle { checked_url(&url) } else { bot_url(&url) }?;
    let (contest, bot) = (contest.clone(), bot.id);
    blocking(app, move |contests| submission::submit_url(contests, &contest, bot, url, activates)).await
}

/// Receives an archive, and hands it in. Gives the number of the version, and if it is new.
pub(crate) async fn receive<E: Display>(
    app: &Arc<App>,
    contest: &ContestName,
    bot: &RegisteredBot,
    archive: impl Stream<Item = Result<Bytes, E>>,
    activates: bool,
) -> RequestResult<(u32, bool)> {
    submission::may_upload(&app.contests, contest, bot.id)?;
    let _receiving = app.contests.receive(bot.id)?;
    app.access.throttles.submit.count(bot.id)?;
    let mut upload = Upload::begin(&app.contests, contest)?;
    let mut archive = pin!(archive);
    while let Some(bytes) = archive.next().await {
        upload.add(&bytes.map_err(|_| RequestError::bad("the archive did not come whole"))?)?;
    }
    let (contest, bot) = (contest.clone(), bot.id);
    blocking(app, move |contests| submission::submit(contests, &contest, bot, upload, activates)).await
}

/// Returns a version.
#[utoipa::path(get, path = "/api/contests/{contest}/bots/{bot}/versions/{version}", tag = "contests",
    security(("team" = [])), params(("contest" = String, Path, description = "The name of the contest."),
        ("bot" = String, Path, description = "The name of the bot."),
        ("version" = u32, Path, description = "The number of the version.")),
    responses((status = 200, body = VersionView), (status = 401, body = Problem), (status = 404, body = Problem)))]
async fn version(
    app: AppState,
    Path((contest, bot, version)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> ApiResult<VersionView> {
    let (name, bot) = own(&app, &contest, &bot, &headers)?;
    let version = number(&version)?;
    version_view(&app, &name, &bot, version).await.map(Json)
}

async fn version_view(
    app: &Arc<App>,
    contest: &ContestName,
    bot: &RegisteredBot,
    version: u32,
) -> RequestResult<VersionView> {
    let (contest, bot) = (contest.clone(), bot.id);
    let all = blocking(app, move |contests| views::versions(contests, &contest, bot)).await?;
    let found = all.into_iter().find(|view| view.version == version);
    found.ok_or_else(|| RequestError::missing("there is no such version"))
}

/// The query of a log.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct LogQuery {
    /// The first byte that is wanted.
    from: Option<u64>,
}

/// Returns the log of a version: its build, what compilers say, and its verdict. It grows until there is a verdict.
#[utoipa::path(get, path = "/api/contests/{contest}/bots/{bot}/versions/{version}/log", tag = "contests",
    security(("team" = [])), params(("contest" = String, Path, description = "The name of the contest."),
        ("bot" = String, Path, description = "The name of the bot."),
        ("version" = u32, Path, description = "The number of the version."), LogQuery),
    responses((status = 200, content_type = "text/plain", body = String), (status = 401, body = Problem),
        (status = 404, body = Problem)))]
async fn log(
    app: AppState,
    Path((contest, bot, version)): Path<(String, String, String)>,
    asked: Result<Query<LogQuery>, QueryRejection>,
    headers: HeaderMap,
) -> RequestResult<String> {
    let Query(asked) = asked.map_err(|e| RequestError::bad(e.body_text()))?;
    let (name, bot) = own(&app, &contest, &bot, &headers)?;
    let version = number(&version)?;
    let from = asked.from.unwrap_or_default();
    blocking(&app, move |contests| submission::log_from(contests, &name, bot.id, version, from)).await
}

/// Lists the turns of a version without an order that was obeyed, as far as bundles are kept: of its trial games and its last ones.
#[utoipa::path(get, path = "/api/contests/{contest}/bots/{bot}/versions/{version}/faults", tag = "contests",
    security(("team" = [])), params(("contest" = String, Path, description = "The name of the contest."),
        ("bot" = String, Path, description = "The name of the bot."),
        ("version" = u32, Path, description = "The number of the version.")),
    responses((status = 200, body = Vec<FaultRow>), (status = 401, body = Problem), (status = 404, body = Problem)))]
async fn version_faults(
    app: AppState,
    Path((contest, bot, version)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> ApiResult<Vec<FaultRow>> {
    let (name, bot) = own(&app, &contest, &bot, &headers)?;
    let version = number(&version)?;
    blocking(&app, move |contests| faults::faults(contests, &name, bot.id, version)).await.map(Json)
}

/// Returns all that is kept of a turn: what happened, and what the bot got, wrote and said.
#[utoipa::path(get, path = "/api/contests/{contest}/bots/{bot}/versions/{version}/faults/{game}/{round}",
    tag = "contests", security(("team" = [])),
    params(("contest" = String, Path, description = "The name of the contest."),
        ("bot" = String, Path, description = "The name of the bot."),
        ("version" = u32, Path, description = "The number of the version."),
        ("game" = String, Path, description = "The name of the game, such as trial-1."),
        ("round" = u32, Path, description = "The round.")),
    responses((status = 200, body = FaultBundle), (status = 401, body = Problem), (status = 404, body = Problem)))]
async fn version_fault(
    app: AppState,
    Path((contest, bot, version, game, round)): Path<(String, String, String, String, String)>,
    headers: HeaderMap,
) -> ApiResult<FaultBundle> {
    let (name, bot) = own(&app, &contest, &bot, &headers)?;
    let (version, round) = (number(&version)?, number(&round)?);
    let found = move |contests: &ContestHost| faults::fault(contests, &name, (bot.id, version), (&game, round));
    blocking(&app, found).await.map(Json)
}

/// Lets an accepted version play in the place of the one that plays now. One that is parked plays again.
#[utoipa::path(post, path = "/api/contests/{contest}/bots/{bot}/versions/{version}/activate", tag = "contests",
    security(("team" = [])), params(("contest" = String, Path, description = "The name of the contest."),
        ("bot" = String, Path, description = "The name of the bot."),
        ("version" = u32, Path, description = "The number of the version.")),
    responses((status = 200, body = VersionView), (status = 401, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "It was not accepted.")))]
async fn activate(
    app: AppState,
    Path((contest, bot, version)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> ApiResult<VersionView> {
    let (name, bot) = own(&app, &contest, &bot, &headers)?;
    let version = number(&version)?;
    activate_own(&app, &name, &bot, version).await?;
    version_view(&app, &name, &bot, version).await.map(Json)
}

/// Activates a version of a team's own bot.
pub(crate) async fn activate_own(
    app: &Arc<App>,
    contest: &ContestName,
    bot: &RegisteredBot,
    version: u32,
) -> RequestResult<()> {
    app.access.throttles.set_url.count(bot.id)?;
    let (contest, bot) = (contest.clone(), bot.id);
    blocking(app, move |contests| submission::activate(contests, &contest, bot, version)).await
}

/// The contest and the bot of these names, if the request has the token of the bot's team.
pub(crate) fn own(
    app: &App,
    contest: &str,
    bot: &str,
    headers: &HeaderMap,
) -> RequestResult<(ContestName, RegisteredBot)> {
    Ok((app.contests.named(contest)?, own_by_token(&app.access, headers, bot)?))
}

/// The number in an address.
pub(crate) fn number(text: &str) -> RequestResult<u32> {
    text.parse().map_err(|_| RequestError::missing("there is no version or round of this number"))
}

/// Does work with the contests that may wait for the disk or take long, on another thread.
pub(crate) async fn blocking<T: Send + 'static>(
    app: &Arc<App>,
    work: impl FnOnce(&ContestHost) -> RequestResult<T> + Send + 'static,
) -> RequestResult<T> {
    let contests = Arc::clone(&app.contests);
    app.host.blocking(move |_| work(&contests)).await
}
