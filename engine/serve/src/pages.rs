//! The pages, which work without script.

use super::guard::cookie;
use super::ledger::Entry;
use super::records::place;
use super::trial::TrialReport;
use super::wire::{BotView, Leaderboards, MatchView, PastTournamentView, Status, TournamentView};
use super::words::{moment, ms};
use super::{BotName, Refusal, Venue, assets, screen, token};
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
use tokio::task::spawn_blocking;
use web::About;

/// The cookie that forms belong to.
pub(super) const FORM_COOKIE: &str = "broadside_form";
/// The cookie of the administrator.
pub(super) const ADMIN_COOKIE: &str = "broadside_admin";
/// Matches on the page of a bot.
const MATCHES: u32 = 50;

pub(super) fn routes() -> Router<Arc<Venue>> {
    Router::new()
        .route("/", get(lobby))
        .route("/bots/{name}", get(bot))
        .route("/matches/{id}", get(replay))
        .route("/view", get(screen::view))
        .route("/admin", get(admin))
        .route("/assets/{file}", get(assets::asset))
}

/// What a page says of something that was just tried.
#[derive(Debug, Clone, Default)]
pub(super) enum Notice {
    #[default]
    Nothing,
    Done(String),
    Wrong(String),
}

/// What a form brings along, and the cookie that it belongs to, if the browser does not have it yet.
pub(super) struct Form {
    pub(super) seal: String,
    fresh: Option<String>,
}

impl Form {
    pub(super) fn new(venue: &Venue, headers: &HeaderMap) -> Form {
        let known = cookie(headers, FORM_COOKIE);
        let fresh = known.is_none().then(token);
        let seal = venue.seals.of(known.or(fresh.as_deref()).unwrap_or_default());
        Form { seal, fresh }
    }

    /// The page, with the cookie.
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
        Err(error) => Refusal::internal(error).into_response(),
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
    seal: String,
    /// Whether somebody was about to join.
    joining: bool,
    name: String,
    bots: Vec<BotView>,
    boards: Leaderboards,
    tournament: TournamentView,
}

/// The lobby; `name` is what somebody wanted to be called.
pub(super) fn lobby_page(
    venue: &Venue,
    headers: &HeaderMap,
    status: StatusCode,
    notice: Notice,
    name: String,
) -> Response {
    let form = Form::new(venue, headers);
    let page = LobbyPage {
        joining: matches!(notice, Notice::Wrong(_)),
        notice,
        seal: form.seal.clone(),
        name,
        bots: venue.bots(false),
        boards: venue.leaderboards(),
        tournament: venue.tournament(),
    };
    form.on(status, &page)
}

async fn lobby(State(venue): State<Arc<Venue>>, headers: HeaderMap) -> Response {
    lobby_page(&venue, &headers, StatusCode::OK, Notice::Nothing, String::new())
}

#[derive(Template)]
#[template(path = "bot.html")]
struct BotPage {
    notice: Notice,
    seal: String,
    bot: BotView,
    url: String,
    report: Option<TrialReport>,
    matches: Vec<MatchView>,
    before: Option<u64>,
    /// Whether the newest matches are shown.
    newest: bool,
}

/// What the page of a bot shows beside the bot.
#[derive(Debug, Default)]
pub(super) struct OnBotPage {
    pub(super) notice: Notice,
    /// The URL that somebody wanted to set.
    pub(super) url: String,
    pub(super) report: Option<TrialReport>,
    /// Only matches before that one.
    pub(super) before: Option<u64>,
}

/// The page of a bot.
pub(super) async fn bot_page(
    venue: &Arc<Venue>,
    headers: &HeaderMap,
    status: StatusCode,
    name: &str,
    on: OnBotPage,
) -> Response {
    let Some(entry) = entry(venue, name) else { return not_found("There is no bot of this name.") };
    let form = Form::new(venue, headers);
    let (within, before, id) = (Arc::clone(venue), on.before, entry.id);
    let lines = spawn_blocking(move || within.books.index.matches(Some(id), before, MATCHES)).await;
    let lines = match lines {
        Ok(Ok(lines)) => lines,
        Ok(Err(error)) => return Refusal::internal(error).into_response(),
        Err(error) => return Refusal::internal(error).into_response(),
    };
    let page = BotPage {
        notice: on.notice,
        seal: form.seal.clone(),
        bot: BotView { bot_url: None, ..venue.own(&entry) },
        url: on.url,
        report: on.report,
        newest: on.before.is_none(),
        before: lines.last().map(|line| line.id).filter(|_| lines.len() == MATCHES as usize),
        matches: lines.iter().map(MatchView::from).collect(),
    };
    form.on(status, &page)
}

fn entry(venue: &Venue, name: &str) -> Option<Entry> {
    let name = BotName::new(name).ok()?;
    venue.books.look(|ledger| ledger.named(&name).cloned())
}

/// What an address may ask of a page.
#[derive(Debug, Deserialize)]
struct Asked {
    before: Option<u64>,
    done: Option<String>,
}

async fn bot(
    State(venue): State<Arc<Venue>>,
    Path(name): Path<String>,
    asked: Result<Query<Asked>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    let asked = asked.ok().map(|Query(asked)| asked);
    let notice = match asked.as_ref().and_then(|asked| asked.done.as_deref()) {
        Some("joined") => Notice::Done("The bot has joined. Set its URL, and it takes part.".to_owned()),
        Some("set") => Notice::Done("The URL is set. It counts from the next match on.".to_owned()),
        _ => Notice::Nothing,
    };
    let on = OnBotPage { notice, before: asked.and_then(|asked| asked.before), ..OnBotPage::default() };
    bot_page(&venue, &headers, StatusCode::OK, &name, on).await
}

/// A match that is over, as a page that plays it again.
async fn replay(State(venue): State<Arc<Venue>>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let id = super::api::number_of(&id)?;
    let _turn = venue.replays.acquire().await.map_err(Refusal::internal)?;
    let venue = Arc::clone(&venue);
    let html = spawn_blocking(move || -> Result<String, Refusal> {
        let line = venue.match_line(id)?;
        let record = venue.record(&line)?;
        let Playback { history: film, failure: wrong } = record::show(&record)?;
        let about = About {
            names: line.names.map(|name| name.to_string()),
            title: format!("Sea Battle · match {id} of tournament {}", line.tournament),
            played: line.at.clone(),
            seed: record.header().seed,
            engine: record.header().engine.clone(),
            note: wrong.map(|error| format!("{}: {error}", place(id))),
        };
        Ok(web::page(film.as_ref(), &about))
    });
    let html = html.await.map_err(Refusal::internal)??;
    let mut response = Html(html).into_response();
    // The page has a policy of its own.
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("frame-ancestors 'none'"));
    Ok(response)
}

#[derive(Template)]
#[template(path = "login.html")]
struct LoginPage {
    notice: Notice,
    seal: String,
}

#[derive(Template)]
#[template(path = "admin.html")]
struct AdminPage {
    notice: Notice,
    seal: String,
    status: Status,
    tournaments: Vec<PastTournamentView>,
}

/// The page to log in.
pub(super) fn login_page(venue: &Venue, headers: &HeaderMap, status: StatusCode, notice: Notice) -> Response {
    let form = Form::new(venue, headers);
    let page = LoginPage { notice, seal: form.seal.clone() };
    form.on(status, &page)
}

/// The administrator's page, or the one to log in.
pub(super) async fn admin_page(
    venue: &Arc<Venue>,
    headers: &HeaderMap,
    status: StatusCode,
    notice: Notice,
) -> Response {
    if !is_admin(venue, headers) {
        return login_page(venue, headers, status, notice);
    }
    let form = Form::new(venue, headers);
    let within = Arc::clone(venue);
    let tournaments = spawn_blocking(move || within.books.index.tournaments(20)).await;
    let tournaments = match tournaments {
        Ok(Ok(tournaments)) => tournaments.into_iter().map(PastTournamentView::from).collect(),
        Ok(Err(error)) => return Refusal::internal(error).into_response(),
        Err(error) => return Refusal::internal(error).into_response(),
    };
    let page = AdminPage { notice, seal: form.seal.clone(), status: venue.status(), tournaments };
    form.on(status, &page)
}

async fn admin(State(venue): State<Arc<Venue>>, headers: HeaderMap) -> Response {
    admin_page(&venue, &headers, StatusCode::OK, Notice::Nothing).await
}

/// Whether the browser is that of the administrator.
pub(super) fn is_admin(venue: &Venue, headers: &HeaderMap) -> bool {
    cookie(headers, ADMIN_COOKIE).is_some_and(|token| venue.sessions.is_on(token, Instant::now()))
}

#[derive(Template)]
#[template(path = "missing.html")]
struct MissingPage<'a> {
    what: &'a str,
}

fn not_found(what: &str) -> Response {
    html(StatusCode::NOT_FOUND, &MissingPage { what })
}

/// For whatever is not there.
pub(super) async fn missing(uri: Uri, headers: HeaderMap) -> Response {
    let wants_page =
        headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(|a| a.contains("text/html"));
    if uri.path().starts_with("/api/") || !wants_page {
        return Refusal::missing("there is nothing at this address").into_response();
    }
    not_found("There is nothing at this address.")
}
