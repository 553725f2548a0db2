//! The API about moderators, and about what administrators have done.

use crate::http::admin_commands;
use crate::http::api::ApiResult;
use crate::http::app::{App, AppState, Host};
use crate::http::guard::JsonBody;
use crate::state::moderators::{AdminAction, AuditEntry};
use crate::state::wire::{Done, Problem};
use crate::teams::access::ClientAddress;
use crate::teams::actor::Actor;
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
        .routes(routes!(moderators, set_moderator))
        .routes(routes!(remove_moderator))
        .routes(routes!(audit))
}

/// Lists the names of the moderators.
#[utoipa::path(get, path = "/api/admin/moderators", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Vec<String>), (status = 401, body = Problem), (status = 403, body = Problem)))]
async fn moderators(by: Actor, Host(host): Host) -> ApiResult<Vec<String>> {
    by.check(AdminAction::SetModerator)?;
    Ok(Json(host.store.look(|state| state.moderators.all().map(|moderator| moderator.name.to_string()).collect())))
}

/// A moderator with a password.
#[derive(Deserialize, ToSchema)]
struct NewModerator {
    /// The name, which the moderator sends in the header `X-Admin-Name`.
    #[schema(max_length = 32)]
    name: String,
    /// The password, for the header `X-Admin-Password`.
    #[schema(min_length = 8, max_length = 128)]
    password: String,
}

/// Adds a moderator, or gives one a new password, which ends the log-ins with the old one. A moderator may pause and resume tournaments,
/// skip matches, announce, switch ranked games, declare ranked games void, retire,
/// hide and rename bots, and give teams new passwords.
#[utoipa::path(post, path = "/api/admin/moderators", tag = "administration", security(("admin" = [])),
    request_body = NewModerator,
    responses((status = 200, body = Done), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 403, body = Problem)))]
async fn set_moderator(
    by: Actor,
    app: AppState,
    from: ClientAddress,
    wanted: JsonBody<NewModerator>,
) -> ApiResult<Done> {
    let NewModerator { name, password } = wanted.0;
    admin_commands::set_moderator(&app, &by, from, &name, password).await.map(|()| DONE)
}

/// Removes a moderator, whose log-ins end at once.
#[utoipa::path(post, path = "/api/admin/moderators/{name}/remove", tag = "administration", security(("admin" = [])),
    params(("name" = String, Path, description = "The name of the moderator.")),
    responses((status = 200, body = Done), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem)))]
async fn remove_moderator(by: Actor, app: AppState, Path(name): Path<String>) -> ApiResult<Done> {
    admin_commands::remove_moderator(&app, &by, &name).await.map(|()| DONE)
}

/// Lists the last 50 actions of the administrator and of moderators, the newest first.
#[utoipa::path(get, path = "/api/admin/audit", tag = "administration", security(("admin" = [])),
    responses((status = 200, body = Vec<AuditEntry>), (status = 401, body = Problem)))]
async fn audit(_: Actor, Host(host): Host) -> Json<Vec<AuditEntry>> {
    Json(host.store.look(|state| state.moderators.audit().cloned().collect()))
}
