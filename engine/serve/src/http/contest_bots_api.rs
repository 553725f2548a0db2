//! The API about the bots of contests for administrators: who is retired or hidden, and names.

use crate::contests::contest_host::ContestHost;
use crate::contests::hidden_bots;
use crate::contests::wire::ContestBotView;
use crate::http::admin_commands::{act, bot_words};
use crate::http::api::ApiResult;
use crate::http::app::{App, AppState};
use crate::http::contest_api::blocking;
use crate::http::guard::JsonBody;
use crate::state::contests::contest_line::ContestLine;
use crate::state::moderators::AdminAction;
use crate::state::name::BotId;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::wire::{Done, Problem};
use crate::teams::actor::Actor;
use crate::teams::registration;
use axum::Json;
use axum::extract::Path;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The answer to a change that was made.
const DONE: Json<Done> = Json(Done { ok: true });

pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(contest_bots))
        .routes(routes!(retire))
        .routes(routes!(hide))
        .routes(routes!(rename))
}

/// Lists the bots of a contest, also those that are hidden.
#[utoipa::path(get, path = "/api/admin/contests/{contest}/bots", tag = "administration", security(("admin" = [])),
    params(("contest" = String, Path, description = "The name of the contest.")),
    responses((status = 200, body = Vec<ContestBotView>), (status = 401, body = Problem), (status = 404, body = Problem)))]
async fn contest_bots(_: Actor, app: AppState, Path(contest): Path<String>) -> ApiResult<Vec<ContestBotView>> {
    let name = app.contests.named(&contest)?;
    hidden_bots::bots(&app.contests, &name).map(Json)
}

/// A switch of a bot.
#[derive(Deserialize, ToSchema)]
struct BotSwitch {
    /// False to take it back.
    on: bool,
}

/// Retires a bot: it plays no games of the contest until its team activates a version, or until `on` is false.
#[utoipa::path(post, path = "/api/admin/contests/{contest}/bots/{id}/retired", tag = "administration",
    security(("admin" = [])), params(("contest" = String, Path, description = "The name of the contest."),
        ("id" = String, Path, description = "The bot's number.")), request_body = BotSwitch,
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem, description = "It has handed in no version.")))]
async fn retire(
    by: Actor,
    app: AppState,
    Path((contest, id)): Path<(String, String)>,
    switch: JsonBody<BotSwitch>,
) -> ApiResult<Done> {
    let action = if switch.0.on { AdminAction::RetireBot } else { AdminAction::ReturnBot };
    change_bot(&app, &by, &contest, &id, action).await.map(|()| DONE)
}

/// Hides a bot of a contest: only its team and administrators see it. Its games count for others, and name it `hidden`.
#[utoipa::path(post, path = "/api/admin/contests/{contest}/bots/{id}/hidden", tag = "administration",
    security(("admin" = [])), params(("contest" = String, Path, description = "The name of the contest."),
        ("id" = String, Path, description = "The bot's number.")), request_body = BotSwitch,
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem, description = "It has handed in no version.")))]
async fn hide(
    by: Actor,
    app: AppState,
    Path((contest, id)): Path<(String, String)>,
    switch: JsonBody<BotSwitch>,
) -> ApiResult<Done> {
    let action = if switch.0.on { AdminAction::HideBot } else { AdminAction::ShowBot };
    change_bot(&app, &by, &contest, &id, action).await.map(|()| DONE)
}

/// Retires, hides, shows or lets play a bot of a contest.
pub(crate) async fn change_bot(
    app: &Arc<App>,
    by: &Actor,
    contest: &str,
    id: &str,
    action: AdminAction,
) -> RequestResult<()> {
    let name = app.contests.named(contest)?;
    let bot = BotId(id.parse().map_err(|_| RequestError::missing("there is no bot of this number"))?);
    let change = match action {
        AdminAction::RetireBot => ContestLine::Retired { bot, on: true },
        AdminAction::ReturnBot => ContestLine::Retired { bot, on: false },
        AdminAction::HideBot => ContestLine::Hidden { bot, on: true },
        _ => ContestLine::Hidden { bot, on: false },
    };
    let of = format!("{} in contest {name}", bot_words(app, id));
    let changed = move |contests: &ContestHost| hidden_bots::set(contests, &name, change);
    act(app, by, action, of, |app| async move { blocking(&app, changed).await }).await
}

/// A name.
#[derive(Deserialize, ToSchema)]
struct NewName {
    /// The name, which no other bot has.
    #[schema(max_length = 32)]
    name: String,
}

/// Gives a bot another name. The name before is free then. Games that were played keep the old one in their records.
#[utoipa::path(post, path = "/api/admin/bots/{id}/rename", tag = "administration", security(("admin" = [])),
    params(("id" = String, Path, description = "The bot's number.")), request_body = NewName,
    responses((status = 200, body = Done), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 403, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem, description = "The name is taken.")))]
async fn rename(by: Actor, app: AppState, Path(id): Path<String>, wanted: JsonBody<NewName>) -> ApiResult<Done> {
    rename_bot(&app, &by, &id, &wanted.0.name).await.map(|()| DONE)
}

/// Gives a bot another name.
pub(crate) async fn rename_bot(app: &Arc<App>, by: &Actor, id: &str, name: &str) -> RequestResult<()> {
    let of = format!("{} to {}", bot_words(app, id), name.trim());
    let (id, name) = (id.to_owned(), name.to_owned());
    let work = |app: Arc<App>| async move { registration::rename(&app.access, &id, &name).await };
    act(app, by, AdminAction::RenameBot, of, work).await
}
