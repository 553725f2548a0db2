//! The pages for teams and spectators: the lobby, a bot, a match that is over. They work without script.

use crate::contests::views::contests as views_of_contests;
use crate::contests::wire::ContestSummary;
use crate::http::app::{App, AppState};
use crate::http::guard::cookie;
use crate::matches::probe::ProbeReport;
use crate::matches::records::record_path;
use crate::matches::{records, views};
use crate::pages::assets;
use crate::pages::response::{Notice, PageResult, TEAM_COOKIE, form_page, not_found, whole_page};
use crate::pages::text::ms;
use crate::state::wire::{BotView, Leaderboards, MatchView, TournamentView};
use crate::teams::team::{Team, team};
use analysis::analyse_record_as;
use arena::record::{self, Playback};
use askama::Template;
use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use serde::Deserialize;
use std::sync::Arc;
use web::About;

/// The number of matches on the page of a bot.
const MATCHES: u32 = 50;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(lobby))
        .route("/bots/{name}", get(bot))
        .route("/matches/{id}", get(replay))
        .route("/assets/{*file}", get(assets::asset))
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
    needs_code: bool,
    contests: Vec<ContestSummary>,
}

impl LobbyPage {
    /// The URL of the team's bot; empty if it has none.
    fn own_url(&self) -> &str {
        let url = self.team.bot.as_ref().and_then(|bot| bot.url.as_ref());
        url.map_or("", |url| url.as_str())
    }
}

/// The lobby. `name` is the name in the form for joining.
pub(crate) fn lobby_page(app: &App, headers: &HeaderMap, notice: Notice, name: String) -> Response {
    form_page(&app.access, headers, notice, |notice, csrf_token| LobbyPage {
        notice,
        csrf_token,
        team: team(&app.access, cookie(headers, TEAM_COOKIE)),
        name,
        bots: views::bots(&app.host, false),
        boards: views::leaderboards(&app.host),
        tournament: views::tournament(&app.host),
        house_play: app.host.store.look(|state| state.settings.house_play),
        needs_code: app.access.needs_code(),
        contests: views_of_contests(&app.contests),
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
pub(crate) struct OnBotPage {
    pub(crate) notice: Notice,
    /// The URL in the form for setting it, instead of the current one.
    pub(crate) url: Option<String>,
    pub(crate) report: Option<ProbeReport>,
    /// Only matches before the one with this number.
    pub(crate) before: Option<u64>,
}

/// The page of a bot.
pub(crate) async fn bot_page(app: &Arc<App>, headers: &HeaderMap, name: &str, on: OnBotPage) -> PageResult {
    let Some(entry) = app.access.named(name) else { return Ok(not_found("There is no bot of this name.")) };
    let lines = records::matches_of(&app.host, Some(entry.id), on.before, MATCHES).await?;
    let team = team(&app.access, cookie(headers, TEAM_COOKIE));
    Ok(form_page(&app.access, headers, on.notice, |notice, csrf_token| BotPage {
        notice,
        csrf_token,
        url: on
            .url
            .or_else(|| {
                entry.url.as_ref().filter(|_| team.is(&entry.id.to_string())).map(|url| url.as_str().to_owned())
            })
            .unwrap_or_default(),
        team,
        bot: BotView { bot_url: None, ..views::own(&app.host, &entry) },
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
    let html = records::replay(&app.host, &id, |host, line| {
        let record = records::record_of(host, &line)?;
        let Playback { history, failure } = record::show(&record)?;
        let about = About {
            names: line.names.map(|name| name.to_string()),
            title: format!("Sea Battle · {}", line.title()),
            played: line.at.clone(),
            seed: Some(record.header().seed),
            engine: record.header().engine.clone(),
            note: failure.map(|error| format!("{}: {error}", record_path(line.id))),
            most_turns: None,
        };
        let analysed = analyse_record_as(&record, about.names.clone(), true)?;
        Ok(web::analysed_page(history.as_ref(), &about, Some(&analysed.analysis)))
    });
    Ok(whole_page(html.await?))
}
