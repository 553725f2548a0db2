//! The big screen of a contest, which shows the games that were just played beside the ladder; and its overlay for streams.

use crate::contests::views;
use crate::contests::wire::ContestView;
use crate::http::app::{App, AppState};
use crate::http::contest_api::blocking;
use crate::pages::assets::{Theme, ThemeQuery};
use crate::pages::join_address::{JoinAddress, QrPicture, qr_picture};
use crate::pages::response::{PageResult, html, not_found};
use crate::pages::screen::OverlayPage;
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::get;
use std::sync::Arc;
use web::SIGNS;

#[derive(Template)]
#[template(path = "contest_view.html")]
struct ContestViewPage {
    theme: Theme,
    contest: ContestView,
    /// The time for which a moment of a game is shown, in milliseconds.
    pace: u64,
    /// That of the page of the contest.
    address: JoinAddress,
    qr: QrPicture,
    signs: &'static str,
}

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/c/{contest}/view", get(view)).route("/c/{contest}/overlay", get(overlay))
}

async fn view(
    app: AppState,
    Path(contest): Path<String>,
    Query(asked): Query<ThemeQuery>,
    headers: HeaderMap,
) -> PageResult {
    let Ok(name) = app.contests.named(&contest) else { return Ok(not_found("There is no contest of this name.")) };
    let contest = blocking(&app, move |contests| views::contest(contests, &name)).await?;
    let server = app.reach.join_address(&headers);
    let address = JoinAddress { text: format!("{}/c/{}", server.text, contest.name), ..server };
    let page = ContestViewPage {
        theme: asked.theme,
        pace: pace(&app),
        contest,
        qr: qr_picture(&address.text),
        address,
        signs: SIGNS,
    };
    Ok(html(StatusCode::OK, &page))
}

async fn overlay(app: AppState, Path(contest): Path<String>, Query(asked): Query<ThemeQuery>) -> PageResult {
    let Ok(name) = app.contests.named(&contest) else { return Ok(not_found("There is no contest of this name.")) };
    let title = app.contests.look(&name, |contest| contest.settings.title.clone())?;
    let page = OverlayPage { theme: asked.theme, title, contest: name.to_string(), pace: pace(&app), signs: SIGNS };
    Ok(html(StatusCode::OK, &page))
}

fn pace(app: &App) -> u64 {
    app.host.store.look(|state| state.settings.pace)
}
