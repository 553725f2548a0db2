//! The pages of tournaments within a contest, and of games that a team asks for. They work without script.

use crate::contests::finals::final_views;
use crate::contests::tournaments::tournament_commands::{GamesAsked, TournamentWanted};
use crate::contests::tournaments::tournament_views;
use crate::contests::tournaments::tournament_wire::{ContestTournamentView, TournamentResults};
use crate::http::app::{App, AppState};
use crate::http::contest_api::blocking;
use crate::http::contest_final_api::{cancel_final, plan_final};
use crate::http::contest_tournament_api::{ask_for_games, begin_tournament, end_tournament, results};
use crate::http::guard::cookie;
use crate::matches::finals::view::FinalView;
use crate::pages::admin::actor;
use crate::pages::contest_games::game_page;
use crate::pages::contest_pages::bot_page;
use crate::pages::filled_form::FilledForm;
use crate::pages::forms::final_plan;
use crate::pages::response::{Notice, PageResult, TEAM_COOKIE, form_page, not_found};
use crate::pages::text::contest_bot_page;
use crate::state::moderators::AdminAction;
use crate::state::registered_bot::RegisteredBot;
use crate::state::request_error::{RequestError, RequestResult};
use crate::teams::team::{Team, own_bot, team};
use askama::Template;
use axum::Router;
use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect};
use axum::routing::{get, post};
use std::sync::Arc;
use tournament::Format;

/// The difference in Elo that the test of an old version against a new one is about.
const STRONGER: [f64; 2] = [0.0, 50.0];

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/c/{contest}/tournaments", get(tournaments).post(begin))
        .route("/c/{contest}/tournaments/{number}", get(tournament))
        .route("/c/{contest}/tournaments/{number}/end", post(end))
        .route("/c/{contest}/tournaments/{number}/games/{game}", get(game))
        .route("/c/{contest}/final", post(plan))
        .route("/c/{contest}/final-cancel", post(cancel))
        .route("/c/{contest}/bots/{bot}/requests", get(requests).post(ask))
}

#[derive(Template)]
#[template(path = "contest_tournaments.html")]
struct TournamentsPage {
    notice: Notice,
    csrf_token: String,
    team: Team,
    contest: String,
    title: String,
    /// The bot of the team that asks for games; `None` on the page for everyone.
    own: Option<String>,
    tournaments: Vec<ContestTournamentView>,
    present_final: FinalView,
    is_admin: bool,
}

async fn tournaments(app: AppState, Path(contest): Path<String>, headers: HeaderMap) -> PageResult {
    tournaments_page(&app, &headers, &contest, None, Notice::Nothing).await
}

/// The tournaments of a contest, or the games that a team has asked for.
async fn tournaments_page(
    app: &Arc<App>,
    headers: &HeaderMap,
    contest: &str,
    own: Option<&RegisteredBot>,
    notice: Notice,
) -> PageResult {
    let Ok(name) = app.contests.named(contest) else { return Ok(not_found("There is no contest of this name.")) };
    let by = own.map(|own| own.id);
    let found = blocking(app, move |contests| {
        let title = contests.look(&name, |contest| contest.settings.title.clone())?;
        let present_final = final_views::open_final(&contests.host, &*contests.ladder(&name)?);
        Ok((tournament_views::tournaments(contests, &name, by)?, title, present_final))
    });
    let (tournaments, title, present_final) = found.await?;
    Ok(form_page(&app.access, headers, notice, |notice, csrf_token| TournamentsPage {
        notice,
        csrf_token,
        team: team(&app.access, cookie(headers, TEAM_COOKIE)),
        contest: contest.to_owned(),
        title,
        own: own.map(|own| own.name.to_string()),
        tournaments,
        present_final,
        is_admin: own.is_none() && may(app, headers, AdminAction::BeginTournament),
    }))
}

async fn begin(app: AppState, Path(contest): Path<String>, form: FilledForm) -> PageResult {
    let begun = async {
        let by = actor(&app, &form.headers)
            .ok_or_else(|| RequestError::forbidden("only the administrator begins tournaments"))?;
        let formats = [Format::RoundRobin, Format::Swiss, Format::Knockout];
        let format = formats.into_iter().find(|format| format.name() == form.get("format"));
        let wanted = TournamentWanted {
            format: format.ok_or_else(|| RequestError::bad("choose a format"))?,
            games: form.number("games")?.ok_or_else(|| RequestError::bad("give the games of a meeting"))?,
            best: form.number("best")?,
            baselines: form.get("baselines") == "yes",
        };
        begin_tournament(&app, &by, &contest, wanted).await
    };
    match begun.await {
        Ok(number) => Ok(Redirect::to(&format!("/c/{contest}/tournaments/{number}")).into_response()),
        Err(error) => tournaments_page(&app, &form.headers, &contest, None, error.into()).await,
    }
}

async fn end(app: AppState, Path((contest, number)): Path<(String, String)>, form: FilledForm) -> PageResult {
    let ended = async {
        let by = actor(&app, &form.headers)
            .ok_or_else(|| RequestError::forbidden("only the administrator calls tournaments off"))?;
        let number = number.parse().map_err(|_| RequestError::missing("there is no tournament of this number"))?;
        end_tournament(&app, &by, &contest, number).await
    };
    match ended.await {
        Ok(()) => Ok(Redirect::to(&format!("/c/{contest}/tournaments/{number}")).into_response()),
        Err(error) => tournaments_page(&app, &form.headers, &contest, None, error.into()).await,
    }
}

async fn plan(app: AppState, Path(contest): Path<String>, form: FilledForm) -> PageResult {
    let planned = async {
        let by =
            actor(&app, &form.headers).ok_or_else(|| RequestError::forbidden("only the administrator plans finals"))?;
        plan_final(&app, &by, &contest, final_plan(&form)?).await
    };
    after_final(&app, &contest, &form, planned.await).await
}

async fn cancel(app: AppState, Path(contest): Path<String>, form: FilledForm) -> PageResult {
    let cancelled = async {
        let by = actor(&app, &form.headers)
            .ok_or_else(|| RequestError::forbidden("only the administrator calls finals off"))?;
        cancel_final(&app, &by, &contest).await
    };
    after_final(&app, &contest, &form, cancelled.await).await
}

async fn after_final(app: &Arc<App>, contest: &str, form: &FilledForm, done: RequestResult<()>) -> PageResult {
    match done {
        Ok(()) => Ok(Redirect::to(&format!("/c/{contest}/tournaments")).into_response()),
        Err(error) => tournaments_page(app, &form.headers, contest, None, error.into()).await,
    }
}

#[derive(Template)]
#[template(path = "contest_tournament.html")]
struct TournamentPage {
    notice: Notice,
    csrf_token: String,
    contest: String,
    title: String,
    /// The bot of the team that has asked for the games.
    own: Option<String>,
    results: TournamentResults,
    is_admin: bool,
}

async fn tournament(app: AppState, Path((contest, number)): Path<(String, String)>, headers: HeaderMap) -> PageResult {
    let missing = || Ok(not_found("There is no such tournament."));
    let Ok(name) = app.contests.named(&contest) else { return missing() };
    let (Ok(number), own) = (number.parse(), team_of(&app, &headers)) else { return missing() };
    let Ok(results) = results(&app, &contest, number, own.as_ref()).await else { return missing() };
    let is_asked = app.contests.look(&name, |contest| contest.tournament(number).map(|one| one.plan.by.is_some()))?;
    let title = app.contests.look(&name, |contest| contest.settings.title.clone())?;
    Ok(form_page(&app.access, &headers, Notice::Nothing, |notice, csrf_token| TournamentPage {
        notice,
        csrf_token,
        contest,
        title,
        own: own.filter(|_| is_asked == Some(true)).map(|own| own.name.to_string()),
        results,
        is_admin: may(&app, &headers, AdminAction::CallOffTournament),
    }))
}

/// True if one is logged in who may do this.
fn may(app: &App, headers: &HeaderMap, action: AdminAction) -> bool {
    actor(app, headers).is_some_and(|by| by.may(action))
}

/// The bot of the team that is logged in.
fn team_of(app: &App, headers: &HeaderMap) -> Option<RegisteredBot> {
    team(&app.access, cookie(headers, TEAM_COOKIE)).bot
}

/// A page that replays a game of a tournament.
async fn game(
    app: AppState,
    Path((contest, number, game)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> PageResult {
    let missing = || Ok(not_found("There is no such tournament."));
    let Ok(name) = app.contests.named(&contest) else { return missing() };
    let Ok(number) = number.parse() else { return missing() };
    let (of, team, id) = (name.clone(), team_of(&app, &headers).map(|team| team.id), game.clone());
    let may_see = blocking(&app, move |contests| {
        let by = tournament_views::asked_by(contests, &of, number)?;
        Ok((by.is_none() || by == team) && tournament_views::is_shown(contests, &of, number, &id)?)
    });
    if !may_see.await.unwrap_or(false) {
        return missing();
    }
    let folder = app.contests.folder(&name).tournament(number);
    game_page(&app, &name, folder, game).await
}

/// The games that a team has asked for, and a form that asks for more.
async fn requests(app: AppState, Path((contest, bot)): Path<(String, String)>, headers: HeaderMap) -> PageResult {
    match own_bot(&app.access, cookie(&headers, TEAM_COOKIE), &bot) {
        Ok(own) => tournaments_page(&app, &headers, &contest, Some(&own), Notice::Nothing).await,
        Err(error) => bot_page(&app, &headers, &contest, &bot, None, error.into()).await,
    }
}

async fn ask(app: AppState, Path((contest, bot)): Path<(String, String)>, form: FilledForm) -> PageResult {
    let own = match own_bot(&app.access, cookie(&form.headers, TEAM_COOKIE), &bot) {
        Ok(own) => own,
        Err(error) => return bot_page(&app, &form.headers, &contest, &bot, None, error.into()).await,
    };
    let asked = async {
        let asked = asked_in(&form)?;
        ask_for_games(&app, &contest, &own, asked).await
    };
    match asked.await {
        Ok(_) => Ok(Redirect::to(&format!("{}/requests", contest_bot_page(&contest, &bot))).into_response()),
        Err(error) => tournaments_page(&app, &form.headers, &contest, Some(&own), error.into()).await,
    }
}

/// The games that a form asks for.
fn asked_in(form: &FilledForm) -> RequestResult<GamesAsked> {
    let against = Some(form.get("against").trim().to_owned()).filter(|name| !name.is_empty());
    Ok(GamesAsked {
        version: form.number("version")?,
        against,
        against_version: form.number("against_version")?,
        games: form.number("games")?.ok_or_else(|| RequestError::bad("give the number of games"))?,
        sprt: (form.get("test") == "yes").then_some(STRONGER),
    })
}
