//! The pages. They work without script.

use super::app::App;
use super::assets;
use super::guard::cookie;
use super::name::BotName;
use super::probe::ProbeReport;
use super::random::token;
use super::records::record_path;
use super::request_error::RequestError;
use super::server_state::RegisteredBot;
use super::text::{moment, ms};
use super::wire::{BotView, Leaderboards, MatchView, PastTournamentView, Status, TournamentView};
use arena::record::{self, Playback};
use askama::Template;
use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::header::{ACCEPT, CONTENT_SECURITY_POLICY, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
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

/// The message of a page about the last action.
#[derive(Debug, Clone, Default)]
pub(super) enum Notice {
    #[default]
    Nothing,
    Done(String),
    Wrong(String),
}

/// The CSRF token of a page's forms, and a new cookie if the browser has none yet.
pub(super) struct Form {
    pub(super) csrf_token: String,
    fresh: Option<String>,
}

impl Form {
    pub(super) fn new(app: &App, headers: &HeaderMap) -> Form {
        let known = cookie(headers, FORM_COOKIE);
        let fresh = known.is_none().then(token);
        let csrf_token = app.csrf_tokens.token_for(known.or(fresh.as_deref()).unwrap_or_default());
        Form { csrf_token, fresh }
    }

    /// The response with the page, and with the new cookie.
    pub(super) fn on(self, status: StatusCode, page: &impl Template) -> Response {
        let mut response = html(status, page);
        if let Some(fresh) = self.fresh {
            let value = format!("{FORM_COOKIE}={fresh}; Path=/; HttpOnly; SameSite=Strict");
            set_cookie(&mut response, &value);
        }
        response
    }
}

pub(super) fn html(status: StatusCode, page: &impl Template) -> Response {
    match page.render() {
        Ok(html) => (status, Html(html)).into_response(),
        Err(error) => RequestError::internal(error).into_response(),
    }
}

pub(super) fn set_cookie(response: &mut Response, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().append(SET_COOKIE, value);
    }
}

#[derive(Template)]
#[template(path = "lobby.html")]
struct LobbyPage {
    notice: Notice,
    csrf_token: String,
    /// True if the form for joining is open.
    joining: bool,
    name: String,
    bots: Vec<BotView>,
    boards: Leaderboards,
    tournament: TournamentView,
}

/// The lobby. `name` is the name in the form for joining.
pub(super) fn lobby_page(app: &App, headers: &HeaderMap, status: StatusCode, notice: Notice, name: String) -> Response {
    let form = Form::new(app, headers);
    let page = LobbyPage {
        joining: matches!(notice, Notice::Wrong(_)),
        notice,
        csrf_token: form.csrf_token.clone(),
        name,
        bots: app.bots(false),
        boards: app.leaderboards(),
        tournament: app.tournament(),
    };
    form.on(status, &page)
}

async fn lobby(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    lobby_page(&app, &headers, StatusCode::OK, Notice::Nothing, String::new())
}

#[derive(Template)]
#[template(path = "bot.html")]
struct BotPage {
    notice: Notice,
    csrf_token: String,
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
    /// The URL in the form for setting it.
    pub(super) url: String,
    pub(super) report: Option<ProbeReport>,
    /// Only matches before the one with this number.
    pub(super) before: Option<u64>,
}

/// The page of a bot.
pub(super) async fn bot_page(
    app: &Arc<App>,
    headers: &HeaderMap,
    status: StatusCode,
    name: &str,
    on: OnBotPage,
) -> Response {
    let Some(entry) = entry(app, name) else { return not_found("There is no bot of this name.") };
    let form = Form::new(app, headers);
    let lines = match app.matches_of(Some(entry.id), on.before, MATCHES).await {
        Ok(lines) => lines,
        Err(error) => return error.into_response(),
    };
    let page = BotPage {
        notice: on.notice,
        csrf_token: form.csrf_token.clone(),
        bot: BotView { bot_url: None, ..app.own(&entry) },
        url: on.url,
        report: on.report,
        newest: on.before.is_none(),
        before: lines.last().map(|line| line.id).filter(|_| lines.len() == MATCHES as usize),
        matches: lines.iter().map(MatchView::from).collect(),
    };
    form.on(status, &page)
}

fn entry(app: &App, name: &str) -> Option<RegisteredBot> {
    let name = BotName::new(name).ok()?;
    app.store.look(|state| state.named(&name).cloned())
}

/// The query of the address of a page.
#[derive(Debug, Deserialize)]
struct PageQuery {
    before: Option<u64>,
    done: Option<String>,
}

async fn bot(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    asked: Result<Query<PageQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    let asked = asked.ok().map(|Query(asked)| asked);
    let notice = match asked.as_ref().and_then(|asked| asked.done.as_deref()) {
        Some("joined") => Notice::Done("The bot has joined. Set its URL, and it takes part.".to_owned()),
        Some("set") => Notice::Done("The URL is set. It counts from the next match on.".to_owned()),
        _ => Notice::Nothing,
    };
    let on = OnBotPage { notice, before: asked.and_then(|asked| asked.before), ..OnBotPage::default() };
    bot_page(&app, &headers, StatusCode::OK, &name, on).await
}

/// A page that replays a match that is over.
async fn replay(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Response, RequestError> {
    let id = super::api::number_of(&id)?;
    let _permit = app.replays.acquire().await.map_err(RequestError::internal)?;
    let html = app.blocking(move |app| {
        let line = app.match_line(id)?;
        let record = app.record(&line)?;
        let Playback { history: film, failure: wrong } = record::show(&record)?;
        let about = About {
            names: line.names.map(|name| name.to_string()),
            title: format!("Sea Battle · match {id} of tournament {}", line.tournament),
            played: line.at.clone(),
            seed: record.header().seed,
            engine: record.header().engine.clone(),
            note: wrong.map(|error| format!("{}: {error}", record_path(id))),
        };
        Ok(web::page(film.as_ref(), &about))
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
}

/// The page for logging in.
pub(super) fn login_page(app: &App, headers: &HeaderMap, status: StatusCode, notice: Notice) -> Response {
    let form = Form::new(app, headers);
    let page = LoginPage { notice, csrf_token: form.csrf_token.clone() };
    form.on(status, &page)
}

/// The administrator's page, or the one for logging in.
pub(super) async fn admin_page(app: &Arc<App>, headers: &HeaderMap, status: StatusCode, notice: Notice) -> Response {
    if !is_admin(app, headers) {
        return login_page(app, headers, status, notice);
    }
    let form = Form::new(app, headers);
    let tournaments = match app.past_tournaments(20).await {
        Ok(tournaments) => tournaments,
        Err(error) => return error.into_response(),
    };
    let page = AdminPage { notice, csrf_token: form.csrf_token.clone(), status: app.status(), tournaments };
    form.on(status, &page)
}

async fn admin(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    admin_page(&app, &headers, StatusCode::OK, Notice::Nothing).await
}

/// True if the browser is logged in as administrator.
pub(super) fn is_admin(app: &App, headers: &HeaderMap) -> bool {
    cookie(headers, ADMIN_COOKIE).is_some_and(|token| app.sessions.is_on(token, Instant::now()))
}

#[derive(Template)]
#[template(path = "missing.html")]
struct MissingPage<'a> {
    what: &'a str,
}

fn not_found(what: &str) -> Response {
    html(StatusCode::NOT_FOUND, &MissingPage { what })
}

/// The answer for addresses that do not exist.
pub(super) async fn missing(uri: Uri, headers: HeaderMap) -> Response {
    let wants_page =
        headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(|a| a.contains("text/html"));
    if uri.path().starts_with("/api/") || !wants_page {
        return RequestError::missing("there is nothing at this address").into_response();
    }
    not_found("There is nothing at this address.")
}
