//! The pages of contests: the ladder, and a bot with its versions. They work without script.

use crate::contests::finals::final_views;
use crate::contests::marking::{self, wire::MarksView};
use crate::contests::submissions::faults;
use crate::contests::submissions::submission::{self, MOST_OF_ARCHIVE};
use crate::contests::views;
use crate::contests::wire::{ContestView, FaultRow, GamesView, VersionGames, VersionState, VersionView};
use crate::http::app::{App, AppState};
use crate::http::contest_api::{activate_own, blocking, check_code, hand_in_url, receive};
use crate::http::guard::cookie;
use crate::matches::finals::view::FinalView;
use crate::pages::admin::actor;
use crate::pages::filled_form::FilledForm;
use crate::pages::rating_chart::{EDGE, HEIGHT, LEFT, RatingChart, WIDTH};
use crate::pages::response::{FORM_COOKIE, Notice, PageResult, TEAM_COOKIE, form_page, not_found};
use crate::pages::text::{contest_bot_page, ms};
use crate::state::contests::contest_settings::{ContestName, Entries};
use crate::state::contests::registration::Registration;
use crate::state::registered_bot::RegisteredBot;
use crate::state::request_error::{RequestError, RequestResult};
use crate::teams::access::ClientAddress;
use crate::teams::team::{Team, own_bot, team};
use askama::Template;
use axum::Router;
use axum::extract::multipart::{Field, Multipart, MultipartRejection};
use axum::extract::rejection::QueryRejection;
use axum::extract::{DefaultBodyLimit, Path, Query};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use futures_util::stream;
use rules::GameKind;
use serde::Deserialize;
use std::sync::Arc;

/// The most of a form besides the archive, in bytes.
const MOST_OF_FORM: usize = 16 << 10;
/// The most of a field that is no file, in bytes.
const MOST_OF_FIELD: usize = 1 << 10;

pub(crate) fn routes() -> Router<Arc<App>> {
    let upload = post(submit).layer(DefaultBodyLimit::max(MOST_OF_ARCHIVE + MOST_OF_FORM));
    Router::new()
        .route("/c/{contest}", get(contest))
        .route("/c/{contest}/bots/{bot}", get(bot))
        .route("/c/{contest}/bots/{bot}/versions", upload)
        .route("/c/{contest}/bots/{bot}/url", post(submit_service))
        .route("/c/{contest}/bots/{bot}/activate", post(activate))
}

#[derive(Template)]
#[template(path = "contest.html")]
struct ContestPage {
    notice: Notice,
    csrf_token: String,
    team: Team,
    contest: ContestView,
    present_final: FinalView,
    needs_code: bool,
    /// The address of the server, for commands.
    address: String,
}

impl ContestPage {
    /// The starter of a bot for the game.
    fn starter(&self) -> &'static str {
        match self.contest.settings.game {
            GameKind::SeaBattle => "sea-battle-python",
            GameKind::BotsArena => "bots-arena-python",
            GameKind::Battleship => "battleship-python",
            GameKind::Entelect2017 | GameKind::Salvo => "python",
        }
    }

    /// The flag that names the game or its rules in commands; empty for the usual one.
    fn game_flag(&self) -> String {
        match self.contest.settings.game {
            GameKind::Entelect2017 => String::new(),
            GameKind::Battleship => "--rules rules.toml ".to_owned(),
            game => format!("--game {} ", game.name()),
        }
    }

    /// The settings of the game that differ from the usual ones, as `name value`.
    fn changes(&self) -> Vec<String> {
        let settings = self.contest.settings.settings.as_object();
        settings.into_iter().flatten().map(|(name, value)| format!("{name} {value}")).collect()
    }
}

/// The page of a contest.
pub(crate) async fn contest_page(app: &Arc<App>, headers: &HeaderMap, contest: &str, notice: Notice) -> PageResult {
    let Ok(name) = app.contests.named(contest) else { return Ok(not_found("There is no contest of this name.")) };
    let found = blocking(app, move |contests| {
        let present_final = final_views::open_final(&contests.host, &*contests.ladder(&name)?);
        Ok((views::contest(contests, &name)?, present_final))
    });
    let (view, present_final) = found.await?;
    Ok(form_page(&app.access, headers, notice, |notice, csrf_token| ContestPage {
        notice,
        csrf_token,
        team: team(&app.access, cookie(headers, TEAM_COOKIE)),
        contest: view,
        present_final,
        needs_code: app.access.needs_code(),
        address: app.reach.join_address(headers).text,
    }))
}

async fn contest(app: AppState, Path(contest): Path<String>, headers: HeaderMap) -> PageResult {
    contest_page(&app, &headers, &contest, Notice::Nothing).await
}

#[derive(Template)]
#[template(path = "contest_bot.html")]
struct ContestBotPage {
    notice: Notice,
    csrf_token: String,
    team: Team,
    contest: String,
    title: String,
    name: String,
    id: String,
    is_hidden: bool,
    is_retired: bool,
    /// True if its team has to give the code of the contest.
    needs_code: bool,
    /// All versions, the newest first.
    versions: Vec<VersionView>,
    /// The rating over versions, of two and more.
    chart: Option<RatingChart>,
    /// The version that is shown.
    shown: Option<VersionView>,
    games: VersionGames,
    /// The log of the version, for its team.
    log: Option<String>,
    /// The turns of the version without an order that was obeyed, for its team.
    faults: Vec<FaultRow>,
    /// The marks by the plan of the contest, for its team.
    marks: Option<MarksView>,
    entries: Entries,
    refusal: Option<String>,
    address: String,
}

impl ContestBotPage {
    fn is_own(&self) -> bool {
        self.team.is(&self.id)
    }

    /// True if there are games of which a profile is made.
    fn has_profile(&self) -> bool {
        let played = |games: &GamesView| games.wins + games.draws + games.losses > 0;
        self.versions.iter().any(|version| version.is_active && played(&version.games))
    }

    /// The state of a version in words.
    fn state_text(&self, version: &VersionView) -> String {
        match (version.state, version.place) {
            (VersionState::Queued, Some(place)) => format!("queued, place {place}"),
            (VersionState::Accepted, _) if version.reason.is_some() => "parked".to_owned(),
            (VersionState::Accepted, _) if version.is_active => "plays".to_owned(),
            (state, _) => state.words().to_owned(),
        }
    }

    /// The margin of the slowest trial answer, in words.
    fn margin(&self, version: &VersionView) -> String {
        version.slowest.map(|[slowest, limit]| format!("{slowest} ms of {limit} ms")).unwrap_or_default()
    }
}

/// The query of the address of a bot's page.
#[derive(Debug, Default, Deserialize)]
struct BotQuery {
    version: Option<u32>,
    done: Option<String>,
}

async fn bot(
    app: AppState,
    Path((contest, bot)): Path<(String, String)>,
    asked: Result<Query<BotQuery>, QueryRejection>,
    headers: HeaderMap,
) -> PageResult {
    let Query(asked) = asked.unwrap_or_default();
    let notice = match asked.done.as_deref() {
        Some("joined") => Notice::Done("Your bot has joined. Hand in its first version."),
        Some("in") => Notice::Done("You are logged in."),
        Some("submitted") => Notice::Done("The version is handed in. This page shows what becomes of it."),
        Some("known") => Notice::Done("This version was handed in before: here is what became of it."),
        Some("activated") => Notice::Done("This version plays from the next game on."),
        _ => Notice::Nothing,
    };
    bot_page(&app, &headers, &contest, &bot, asked.version, notice).await
}

/// The bot of this name, unless it is hidden in the contest from who asks: its team and administrators see it.
pub(crate) fn visible_bot(
    app: &App,
    headers: &HeaderMap,
    contest: &ContestName,
    name: &str,
) -> RequestResult<Option<RegisteredBot>> {
    let Some(bot) = app.access.named(name) else { return Ok(None) };
    let is_hidden = app.contests.look(contest, |contest| contest.bot(bot.id).is_some_and(|entry| entry.is_hidden))?;
    let is_own = || team(&app.access, cookie(headers, TEAM_COOKIE)).is(&bot.id.to_string());
    let is_visible = !is_hidden || is_own() || actor(app, headers).is_some();
    Ok(is_visible.then_some(bot))
}

/// The page of a bot in a contest.
pub(crate) async fn bot_page(
    app: &Arc<App>,
    headers: &HeaderMap,
    contest: &str,
    name: &str,
    version: Option<u32>,
    notice: Notice,
) -> PageResult {
    let Ok(contest) = app.contests.named(contest) else { return Ok(not_found("There is no contest of this name.")) };
    let Some(entry) = visible_bot(app, headers, &contest, name)? else {
        return Ok(not_found("There is no bot of this name."));
    };
    let team = team(&app.access, cookie(headers, TEAM_COOKIE));
    let is_own = team.is(&entry.id.to_string());
    let (is_hidden, is_retired, needs_code) = app.contests.look(&contest, |contest| {
        let (is_hidden, is_retired) =
            contest.bot(entry.id).map(|bot| (bot.is_hidden, bot.is_retired)).unwrap_or_default();
        (is_hidden, is_retired, contest.code_for(entry.id).is_some())
    })?;
    let (of, id) = (contest.clone(), entry.id);
    let found = blocking(app, move |contests| {
        let versions = views::versions(contests, &of, id)?;
        let named = version.and_then(|version| versions.iter().find(|view| view.version == version));
        let active = || versions.iter().find(|view| view.is_active);
        // A team sees what became of its newest, others see what plays.
        let shown = named.or_else(|| active().filter(|_| !is_own)).or(versions.first()).cloned();
        let games = match &shown {
            Some(shown) => views::games_of(contests, &of, id, shown.version)?,
            None => VersionGames::default(),
        };
        let own = shown.as_ref().filter(|_| is_own);
        let faults = own.map(|shown| faults::faults(contests, &of, id, shown.version)).transpose()?.unwrap_or_default();
        let log = own.map(|shown| submission::log_from(contests, &of, id, shown.version, 0)).transpose()?;
        let (title, entries, has_plan) = contests.look(&of, |contest| {
            let settings = &contest.settings;
            (settings.title.clone(), settings.entries, settings.plan.is_some())
        })?;
        let marks = (is_own && has_plan).then(|| marking::views::own(contests, &of, id)).transpose()?;
        Ok((versions, shown, games, log, faults, marks, title, entries))
    });
    let (versions, shown, games, log, faults, marks, title, entries) = found.await?;
    // Only its team is told of a version that was not accepted.
    let versions: Vec<VersionView> = versions.into_iter().filter(|view| is_own || view.state.is_public()).collect();
    let shown = shown.filter(|view| is_own || view.state.is_public());
    Ok(form_page(&app.access, headers, notice, |notice, csrf_token| ContestBotPage {
        notice,
        csrf_token,
        team,
        contest: contest.to_string(),
        title,
        name: entry.name.to_string(),
        id: entry.id.to_string(),
        is_hidden,
        is_retired,
        needs_code,
        chart: RatingChart::of(&versions),
        versions,
        shown,
        games,
        log,
        faults,
        marks,
        entries,
        refusal: app.contests.refusal.clone(),
        address: app.reach.join_address(headers).text,
    }))
}

async fn submit_service(
    app: AppState,
    from: ClientAddress,
    Path((contest, bot)): Path<(String, String)>,
    form: FilledForm,
) -> PageResult {
    let submitted = async {
        let name = app.contests.named(&contest)?;
        let own = own_bot(&app.access, cookie(&form.headers, TEAM_COOKIE), &bot)?;
        check_code(&app, from, &name, &own, form.get("code")).await?;
        app.access.throttles.submit.count(own.id)?;
        hand_in_url(&app, &name, &own, form.get("url").to_owned(), form.get("activate") == "yes").await
    };
    match submitted.await {
        Ok((version, is_new)) => Ok(to_version(&contest, &bot, version, is_new)),
        Err(error) => bot_page(&app, &form.headers, &contest, &bot, None, error.into()).await,
    }
}

/// A redirect to a version that was handed in.
fn to_version(contest: &str, bot: &str, version: u32, is_new: bool) -> Response {
    let done = if is_new { "submitted" } else { "known" };
    Redirect::to(&format!("{}?version={version}&done={done}", contest_bot_page(contest, bot))).into_response()
}

async fn submit(
    app: AppState,
    from: ClientAddress,
    Path((contest, bot)): Path<(String, String)>,
    headers: HeaderMap,
    form: Result<Multipart, MultipartRejection>,
) -> PageResult {
    match submitted(&app, from, &contest, &bot, &headers, form).await {
        Ok((version, is_new)) => Ok(to_version(&contest, &bot, version, is_new)),
        Err(error) => bot_page(&app, &headers, &contest, &bot, None, error.into()).await,
    }
}

async fn submitted(
    app: &Arc<App>,
    from: ClientAddress,
    contest: &str,
    bot: &str,
    headers: &HeaderMap,
    form: Result<Multipart, MultipartRejection>,
) -> RequestResult<(u32, bool)> {
    let unreadable = || RequestError::bad("the form cannot be read");
    let mut form = form.map_err(|_| unreadable())?;
    let name = app.contests.named(contest)?;
    let (mut has_token, mut activates, mut code) = (false, false, String::new());
    // The file is the last field.
    while let Some(field) = form.next_field().await.map_err(|_| unreadable())? {
        match field.name().unwrap_or_default() {
            "csrf_token" => {
                let token = small_text(field).await?;
                let known = cookie(headers, FORM_COOKIE).unwrap_or_default();
                has_token = !known.is_empty() && app.access.csrf_tokens.is_valid(known, &token);
            }
            "activate" => activates = small_text(field).await? == "yes",
            "code" => code = small_text(field).await?,
            "archive" if has_token => {
                let own = own_bot(&app.access, cookie(headers, TEAM_COOKIE), bot)?;
                let chunks = stream::try_unfold(field, |mut field| async move {
                    Ok::<_, axum::extract::multipart::MultipartError>(field.chunk().await?.map(|chunk| (chunk, field)))
                });
                check_code(app, from, &name, &own, &code).await?;
                return receive(app, &name, &own, chunks, activates).await;
            }
            _ => {}
        }
    }
    if !has_token {
        let message = "the form is too old, or comes from another site; load the page again";
        return Err(RequestError::forbidden(message));
    }
    Err(RequestError::bad("choose a zip or a tar.gz of the bot's folder first"))
}

/// The text of a field that is no file.
async fn small_text(mut field: Field<'_>) -> RequestResult<String> {
    let mut text = Vec::new();
    while let Some(bytes) = field.chunk().await.map_err(|_| RequestError::bad("the form cannot be read"))? {
        text.extend_from_slice(&bytes);
        if text.len() > MOST_OF_FIELD {
            return Err(RequestError::bad("the form cannot be read: a field is too long"));
        }
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}

async fn activate(app: AppState, Path((contest, bot)): Path<(String, String)>, form: FilledForm) -> PageResult {
    let activated = async {
        let name = app.contests.named(&contest)?;
        let own = own_bot(&app.access, cookie(&form.headers, TEAM_COOKIE), &bot)?;
        let version = form.number("version")?.ok_or_else(|| RequestError::bad("which version is to play?"))?;
        activate_own(&app, &name, &own, version).await.map(|()| version)
    };
    match activated.await {
        Ok(version) => {
            let page = contest_bot_page(&contest, &bot);
            Ok(Redirect::to(&format!("{page}?version={version}&done=activated")).into_response())
        }
        Err(error) => bot_page(&app, &form.headers, &contest, &bot, None, error.into()).await,
    }
}
