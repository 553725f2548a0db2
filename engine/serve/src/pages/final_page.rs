//! The page of a final, for everyone to watch: that of the server's tournaments, or of a contest.

use crate::http::app::{App, AppState};
use crate::http::contest_final_api::view;
use crate::matches::finals::view::FinalView;
use crate::matches::views;
use crate::pages::response::{PageResult, html, not_found};
use askama::Template;
use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use std::sync::Arc;
use web::SIGNS;

#[derive(Template)]
#[template(path = "final.html")]
struct FinalPage {
    present: FinalView,
    /// The contest whose final it is; `None` for the final of the server's tournaments.
    contest: Option<FinalContest>,
    signs: &'static str,
}

/// A contest, as the page of its final names it.
struct FinalContest {
    name: String,
    title: String,
}

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/final", get(page)).route("/c/{contest}/final", get(contest_page))
}

async fn page(app: AppState) -> Response {
    let present = views::present_final(&app.host);
    html(StatusCode::OK, &FinalPage { present, contest: None, signs: SIGNS })
}

async fn contest_page(app: AppState, Path(contest): Path<String>) -> PageResult {
    let Ok(name) = app.contests.named(&contest) else { return Ok(not_found("There is no contest of this name.")) };
    let title = app.contests.look(&name, |contest| contest.settings.title.clone())?;
    let contest = Some(FinalContest { name: name.to_string(), title });
    let present = view(&app, name).await?;
    Ok(html(StatusCode::OK, &FinalPage { present, contest, signs: SIGNS }))
}
