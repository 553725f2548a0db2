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
use crate::state::moderators::{AdminAction, AuditEntry};
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::wire::{PastTournamentView, Status};
use crate::teams::actor::Actor;
use askama::Template;
use axum::Router;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use rules::sea_battle::Profile;
use std::sync::Arc;

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
    /// The one who sees the page, and only what that one may do.
    by: Actor,
    /// The names of the moderators.
    moderators: Vec<String>,
    /// The last actions, the newest first.
    audit: Vec<AuditEntry>,
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
    let Some(by) = actor(app, headers) else { return Ok(login_page(app, headers, notice)) };
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
    let (moderators, audit) = app.host.store.look(|state| {
        let names = state.moderators.all().map(|moderator| moderator.name.to_string()).collect();
        (names, state.moderators.audit().cloned().collect())
    });
    let page = |notice, csrf_token| AdminPage {
        by,
        moderators,
        audit,
        notice,
        csrf_token,
        status,
        tournaments,
        present_final,
        contests,
    };
    Ok(form_page(&app.access, headers, notice, page))
}

async fn admin(app: AppState, headers: HeaderMap) -> PageResult {
    admin_page(&app, &headers, Notice::Nothing).await
}

/// The administrator or moderator as whom the browser is logged in.
pub(crate) fn actor(app: &App, headers: &HeaderMap) -> Option<Actor> {
    app.access.actor(cookie(headers, ADMIN_COOKIE)?)
}

/// The page for logging in, for one who wants to do something without.
pub(crate) fn log_in_first(app: &App, headers: &HeaderMap) -> Response {
    login_page(app, headers, RequestError::unauthorized("log in first").into())
}
