//! The OpenAPI description of the API. `docs/openapi.json` is a copy of it.

use crate::http::app::App;
use crate::http::{
    admin_api, admin_moderators_api, api, contest_admin_api, contest_api, contest_bots_api, contest_export_api,
    contest_final_api, contest_marks_api, contest_tournament_api, contest_watch_api,
};
use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use std::sync::Arc;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder};
use utoipa_axum::router::OpenApiRouter;

/// The OpenAPI description of the API, in JSON.
pub fn openapi() -> String {
    text(&with_document(routes()).1)
}

fn text(document: &OpenApi) -> String {
    let mut text = document.to_pretty_json().expect("the description is JSON");
    text.push('\n');
    text
}

/// All routes of the API.
pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    api::routes()
        .merge(contest_api::routes())
        .merge(contest_tournament_api::routes())
        .merge(contest_final_api::routes())
        .merge(contest_watch_api::routes())
        .merge(contest_export_api::routes())
        .merge(contest_marks_api::routes())
        .merge(contest_admin_api::routes())
        .merge(contest_bots_api::routes())
        .merge(admin_api::routes())
        .merge(admin_moderators_api::routes())
}

/// The routes, and the description of them.
pub(crate) fn with_document(routes: OpenApiRouter<Arc<App>>) -> (Router<Arc<App>>, OpenApi) {
    let info = InfoBuilder::new()
        .title("Broadside tournament server")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Sea Battle tournaments between bots that are called over HTTP, and contests in which bots are handed in.",
        ))
        .license(Some(LicenseBuilder::new().name("MIT").identifier(Some("MIT")).build()));
    let admin = SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::new("X-Admin-Password")));
    let team = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    let components = ComponentsBuilder::new().security_scheme("admin", admin).security_scheme("team", team).build();
    let tags = [
        ("bots", "Registered bots"),
        ("matches", "Matches, tournaments and leaderboards"),
        ("contests", "Contests in which bots are handed in, with the token of a team"),
        ("events", "Events as they happen"),
        (
            "administration",
            "With the administrator's password, or with that of a moderator whose name is in `X-Admin-Name`",
        ),
    ];
    let tags = tags.map(|(name, about)| TagBuilder::new().name(name).description(Some(about)).build());
    let mut document = OpenApiBuilder::new().info(info.build()).components(Some(components)).tags(Some(tags)).build();
    let (routes, described) = routes.split_for_parts();
    document.merge(described);
    (routes, document)
}

/// The route of the description.
pub(crate) fn route(document: &OpenApi) -> Router<Arc<App>> {
    let text = Bytes::from(text(document));
    Router::new().route("/api/openapi.json", get(move || async move { ([(CONTENT_TYPE, "application/json")], text) }))
}
