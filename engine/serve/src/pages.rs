//! The pages. They work without script.

use super::app::{App, AppState};
use super::assets;
use super::finals::FinalView;
use super::guard::cookie;
use super::journal_line::TournamentMode;
use super::probe::ProbeReport;
use super::random::token;
use super::records::record_path;
use super::request_error::{RequestError, RequestResult};
use super::team::Team;
use super::text::ms;
use super::wire::{BotView, Leaderboards, MatchView, PastTournamentView, Status, TournamentView};
use arena::record::{self, Playback};
use askama::Template;
use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query};
use axum::http::header::{ACCEPT, CONTENT_SECURITY_POLICY, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use rules::sea_battle::Profile;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Instant;
use web::About;

/// The name of the cookie that CSRF tokens follow from.
pub(super) const FORM_COOKIE: &str = "broadside_form";
/// The name of the administrator's cookie.
pub(super) const ADMIN_COOKIE: &str = "broadside_admin";
/// The number of matches on the page of a bot.
const MATCHES: u32 = 50;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(lobby))
        .route("/bots/{name}", get(bot))
        .route("/matches/{id}", get(replay))
        .route("/admin", get(admin))
        .route("/assets/{file}", get(assets::asset))
}

/// The response to a request for a page: the page, or the reason why the request fails, in JSON.
pub(super) type PageResult = RequestResult<Response>;

/// The message of a page about the last action.
#[derive(Debug, Clone, Default)]
pub(super) enum Notice {
    #[default]
    Nothing,
    Done(&'static str),
    /// The action failed; the status is that of the page.
    Wrong(StatusCode, String),
}

impl From<RequestError> for Notice {
    fn from(error: RequestError) -> Notice {
        let message = error.to_string();
        let mut letters = message.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
        Notice::Wrong(error.status, format!("{first}{}.", letters.as_str()))
    }
}

/// The response with a page that has forms. `page` makes the page of its notice and the CSRF token of its forms. The
/// response sets a new cookie if the browser has none yet.
pub(super) fn form_page<T: Template>(
    app: &App,
    headers: &HeaderMap,
    notice: Notice,
    page: impl FnOnce(Notice, String) -> T,
) -> Response {
    let known = cookie(headers, FORM_COOKIE);
    let fresh = known.is_none().then(token);
    let csrf_token = app.csrf_tokens.token_for(known.or(fresh.as_deref()).unwrap_or_default());
    let status = if let Notice::Wrong(status, _) = notice { status } else { StatusCode::OK };
    let mut response = html(status, &page(notice, csrf_token));
    if let Some(fresh) = fresh {
        set_cookie(&mut response, &format!("{FORM_COOKIE}={fresh}; Path=/"));
    }
    response
}

pub(super) fn html(status: StatusCode, page: &impl Template) -> Response {
    match page.render() {
        Ok(html) => (status, Html(html)).into_response(),
        Err(error) => RequestError::internal(error).into_response(),
    }
}

/// Sets a cookie that neither scripts nor other sites can use.
pub(super) fn set_cookie(response: &mut Response, value: &str) {
    if let Ok(value) = HeaderValue::from_str(&format!("{value}; HttpOnly; SameSite=Strict")) {
        response.headers_mut().append(SET_COOKIE, value);
    }
}

#[derive(Template)]
#[template(path = "lobby.html")]
struct LobbyPage {
    notice: Notice,
    csrf_token: String,
    team: Team,
    name: String,
    bots: Vec<BotView>,
    boards: Leaderboards,
    tournament: TournamentView,
    house_play: bool,
}

impl LobbyPage {
    /// The URL of the team's bot; empty if it has none.
    fn own_url(&self) -> &str {
        let url = self.team.bot.as_ref().and_then(|bot| bot.url.as_ref());
        url.map_or("", |url| url.as_str())
    }
}

/// The lobby. `name` is the name in the form for joining.
pub(super) fn lobby_page(app: &App, headers: &HeaderMap, notice: Notice, name: String) -> Response {
    form_page(app, headers, notice, |notice, csrf_token| LobbyPage {
        notice,
        csrf_token,
        team: app.team(headers),
        name,
        bots: app.bots(false),
        boards: app.leaderboards(),
        tournament: app.tournament(),
        house_play: app.store.look(|state| state.settings.house_play),
    })
}

async fn lobby(app: AppState, asked: Result<Query<PageQuery>, QueryRejection>, headers: HeaderMap) -> Response {
    let done = asked.ok().and_then(|Query(asked)| asked.done);
    let notice = match done.as_deref() {
        Some("out") => Notice::Done("You are logged out."),
        _ => Notice::Nothing,
    };
    lobby_page(&app, &headers, notice, String::new())
}

#[derive(Template)]
#[template(path = "bot.html")]
struct BotPage {
    notice: Notice,
    csrf_token: String,
    team: Team,
    bot: BotView,
    url: String,
    report: Option<ProbeReport>,
    matches: Vec<MatchView>,
    before: Option<u64>,
    /// True if the newest matches are shown.
    newest: bool,
}

/// Content of the page of a bot that does not follow from the bot.
#[derive(Debug, Default)]
pub(super) struct OnBotPage {
    pub(super) notice: Notice,
    /// The URL in the form for setting it, instead of the current one.
    pub(super) url: Option<String>,
    pub(super) report: Option<ProbeReport>,
    /// Only matches before the one with this number.
    pub(super) before: Option<u64>,
}

/// The page of a bot.
pub(super) async fn bot_page(app: &Arc<App>, headers: &HeaderMap, name: &str, on: OnBotPage) -> PageResult {
    let Some(entry) = app.named(name) else { return Ok(not_found("There is no bot of this name.")) };
    let lines = app.matches_of(Some(entry.id), on.before, MATCHES).await?;
    let team = app.team(headers);
    Ok(form_page(app, headers, on.notice, |notice, csrf_token| BotPage {
        notice,
        csrf_token,
        url: on
            .url
            .or_else(|| {
                entry.url.as_ref().filter(|_| team.is(&entry.id.to_string())).map(|url| url.as_str().to_owned())
            })
            .unwrap_or_default(),
        team,
        bot: BotView { bot_url: None, ..app.own(&entry) },
        report: on.report,
        newest: on.before.is_none(),
        before: lines.last().map(|line| line.id).filter(|_| lines.len() == MATCHES as usize),
        matches: lines.iter().map(MatchView::from).collect(),
    }))
}

/// The query of the address of a page.
#[derive(Debug, Deserialize)]
struct PageQuery {
    before: Option<u64>,
    done: Option<String>,
}

async fn bot(
    app: AppState,
    Path(name): Path<String>,
    asked: Result<Query<PageQuery>, QueryRejection>,
    headers: HeaderMap,
) -> PageResult {
    let asked = asked.ok().map(|Query(asked)| asked);
    let notice = match asked.as_ref().and_then(|asked| asked.done.as_deref()) {
        Some("joined") => Notice::Done("The bot has joined. Set its URL, and it takes part."),
        Some("in") => Notice::Done("You are logged in."),
        Some("set") => Notice::Done("The URL is set. It counts from the next match on."),
        _ => Notice::Nothing,
    };
    let on = OnBotPage { notice, before: asked.and_then(|asked| asked.before), ..OnBotPage::default() };
    bot_page(&app, &headers, &name, on).await
}

/// A page that replays a match that is over.
async fn replay(app: AppState, Path(id): Path<String>) -> PageResult {
    let html = app.replay(&id, |app, line| {
        let record = app.record(&line)?;
        let Playback { history, failure } = record::show(&record)?;
        let about = About {
            names: line.names.map(|name| name.to_string()),
            title: format!("Sea Battle · {}", line.title()),
            played: line.at.clone(),
            seed: Some(record.header().seed),
            engine: record.header().engine.clone(),
            note: failure.map(|error| format!("{}: {error}", record_path(line.id))),
        };
        Ok(web::page(history.as_ref(), &about))
    });
    let mut response = Html(html.await?).into_response();
    // The page itself has a content security policy.
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("frame-ancestors 'none'"));
    Ok(response)
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
pub(super) fn login_page(app: &App, headers: &HeaderMap, notice: Notice) -> Response {
    form_page(app, headers, notice, |notice, csrf_token| LoginPage { notice, csrf_token })
}

/// The administrator's page, or the one for logging in.
pub(super) async fn admin_page(app: &Arc<App>, headers: &HeaderMap, notice: Notice) -> PageResult {
    if !is_admin(app, headers) {
        return Ok(login_page(app, headers, notice));
    }
    let tournaments = app.past_tournaments(20).await?;
    let (status, present_final) = (app.status(), app.final_view());
    let page = |notice, csrf_token| AdminPage { notice, csrf_token, status, tournaments, present_final };
    Ok(form_page(app, headers, notice, page))
}

async fn admin(app: AppState, headers: HeaderMap) -> PageResult {
    admin_page(&app, &headers, Notice::Nothing).await
}

/// True if the browser is logged in as administrator.
pub(super) fn is_admin(app: &App, headers: &HeaderMap) -> bool {
    cookie(headers, ADMIN_COOKIE).is_some_and(|token| app.sessions.holder(token, Instant::now()).is_some())
}

#[derive(Template)]
#[template(path = "missing.html")]
struct MissingPage<'a> {
    title: &'static str,
    what: &'a str,
}

pub(super) fn not_found(what: &str) -> Response {
    html(StatusCode::NOT_FOUND, &MissingPage { title: "Not found", what })
}

/// The response to a form that is refused: a page for browsers, else JSON.
pub(super) fn refused(error: RequestError, headers: &HeaderMap) -> Response {
    match Notice::from(error.clone()) {
        Notice::Wrong(status, what) if wants_page(headers) => {
            html(status, &MissingPage { title: "Not done", what: &what })
        }
        _ => error.into_response(),
    }
}

fn wants_page(headers: &HeaderMap) -> bool {
    headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(|accept| accept.contains("text/html"))
}

/// The answer for addresses that do not exist.
pub(super) async fn missing(uri: Uri, headers: HeaderMap) -> Response {
    if uri.path().starts_with("/api/") || !wants_page(&headers) {
        return RequestError::missing("there is nothing at this address").into_response();
    }
    not_found("There is nothing at this address.")
}
