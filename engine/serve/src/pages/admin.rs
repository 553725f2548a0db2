//! The administrator's page, and the one for logging in.

use crate::contests::views::{contest, contests as views_of_contests};
use crate::contests::wire::ContestView;
use crate::http::app::{App, AppState};
use crate::http::contest_api::blocking;
use crate::http::guard::cookie;
use crate::matches::finals::view::FinalView;
use crate::matches::{records, views};
use crate::pages::response::{ADMIN_COOKIE, Notice, PageResult, form_page};
use crate::state::journal_line::TournamentMode;
use crate::state::request_error::RequestResult;
use crate::state::wire::{PastTournamentView, Status};
use askama::Template;
use axum::Router;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use rules::sea_battle::Profile;
use std::sync::Arc;
use std::time::Instant;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/admin", get(admin))
}

#[derive(Template)]
#[template(path = "login.html")]
struct LoginPage {
    notice: Notice,
    csrf_token: String,
}

#[derive(Template)]
#[template(path = "admin.html")]
struct AdminPage {
    notice: Notice,
    csrf_token: String,
    status: Status,
    tournaments: Vec<PastTournamentView>,
    present_final: FinalView,
    contests: Vec<ContestView>,
}

impl AdminPage {
    /// The mode of the server as a name for styles.
    fn mode(&self) -> &'static str {
        match self.status.tournament.mode {
            TournamentMode::Stopped => "stopped",
            TournamentMode::Running => "running",
            TournamentMode::Paused => "paused",
        }
    }

    /// The mode of the server in words.
    fn mode_text(&self) -> &'static str {
        match self.status.tournament.mode {
            TournamentMode::Stopped => "Not started yet",
            TournamentMode::Running => "Running",
            TournamentMode::Paused => "Paused",
        }
    }
}

/// The page for logging in.
pub(crate) fn login_page(app: &App, headers: &HeaderMap, notice: Notice) -> Response {
    form_page(&app.access, headers, notice, |notice, csrf_token| LoginPage { notice, csrf_token })
}

/// The administrator's page, or the one for logging in.
pub(crate) async fn admin_page(app: &Arc<App>, headers: &HeaderMap, notice: Notice) -> PageResult {
    if !is_admin(app, headers) {
        return Ok(login_page(app, headers, notice));
    }
    let tournaments = records::past_tournaments(&app.host, 20).await?;
    let (status, present_final) = (views::status(&app.host), views::present_final(&app.host));
    let contests = blocking(app, |contests| {
        let all = views_of_contests(contests).into_iter();
        // Trouble tells of one whose ladder could not be opened.
        RequestResult::Ok(
            all.filter_map(|summary| contest(contests, &contests.named(&summary.name).ok()?).ok()).collect(),
        )
    });
    let contests: Vec<ContestView> = contests.await?;
    let page = |notice, csrf_token| AdminPage { notice, csrf_token, status, tournaments, present_final, contests };
    Ok(form_page(&app.access, headers, notice, page))
}

async fn admin(app: AppState, headers: HeaderMap) -> PageResult {
    admin_page(&app, &headers, Notice::Nothing).await
}

/// True if the browser is logged in as administrator.
pub(crate) fn is_admin(app: &App, headers: &HeaderMap) -> bool {
    cookie(headers, ADMIN_COOKIE).is_some_and(|token| app.access.admin_sessions.holder(token, Instant::now()).is_some())
}
