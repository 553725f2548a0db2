//! The handlers of the pages' forms.

use crate::http::admin_commands;
use crate::http::app::{App, AppState};
use crate::http::contest_admin_api::{announce, switch_ranked};
use crate::http::contest_bots_api::{change_bot, rename_bot};
use crate::http::guard::cookie;
use crate::matches::finals::commands::FinalPlan;
use crate::pages::admin::{actor, admin_page, log_in_first, login_page};
use crate::pages::contest_pages::contest_page;
use crate::pages::filled_form::{FilledForm, form_time};
use crate::pages::response::{ADMIN_COOKIE, PageResult, TEAM_COOKIE, set_cookie};
use crate::pages::team_pages::{OnBotPage, bot_page, lobby_page};
use crate::pages::text::{contest_bot_page, page_of};
use crate::state::moderators::AdminAction;
use crate::state::registered_bot::RegisteredBot;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::settings::SettingsChange;
use crate::teams::access::ClientAddress;
use crate::teams::actor::Actor;
use crate::teams::administration::VoidMatches;
use crate::teams::registration::{BotCredentials, Registration};
use crate::teams::session::LASTS;
use crate::teams::team::own_bot;
use crate::teams::{bot_test, registration};
use axum::Router;
use axum::extract::Path;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;
use rules::sea_battle::Profile;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/join", post(join))
        .route("/team/login", post(team_login))
        .route("/team/logout", post(team_logout))
        .route("/bots/{name}/url", post(set_url))
        .route("/bots/{name}/test", post(test))
        .route("/admin/login", post(login))
        .route("/admin/logout", post(logout))
        .route("/admin/{action}", post(administer))
}

async fn join(app: AppState, from: ClientAddress, form: FilledForm) -> Response {
    let [name, password, confirm_password, code] =
        ["name", "password", "again", "code"].map(|field| form.get(field).to_owned());
    let wanted = Registration { name: name.clone(), password, confirm_password, code: Some(code) };
    match registration::register(&app.access, from, wanted).await {
        Ok(bot) => {
            let token = app.access.team_sessions.begin(bot.id, Instant::now());
            with_token(&own_page(&app, &form, &bot, "joined"), TEAM_COOKIE, &token, LASTS)
        }
        Err(error) if !form.get("contest").is_empty() => {
            let page = contest_page(&app, &form.headers, form.get("contest"), error.into()).await;
            page.unwrap_or_else(IntoResponse::into_response)
        }
        Err(error) => lobby_page(&app, &form.headers, error.into(), name),
    }
}

async fn set_url(app: AppState, Path(name): Path<String>, form: FilledForm) -> PageResult {
    let url = form.get("url").to_owned();
    let set = match own_bot(&app.access, cookie(&form.headers, TEAM_COOKIE), &name) {
        Ok(own) => registration::set_own_url(&app.access, own.id, &url).await,
        Err(error) => Err(error),
    };
    match set {
        Ok(bot) => Ok(Redirect::to(&format!("{}?done=set", page_of(bot.name.as_str()))).into_response()),
        Err(error) => {
            let on = OnBotPage { notice: error.into(), url: Some(url), ..OnBotPage::default() };
            bot_page(&app, &form.headers, &name, on).await
        }
    }
}

async fn test(app: AppState, from: ClientAddress, Path(name): Path<String>, form: FilledForm) -> PageResult {
    let report = match own_bot(&app.access, cookie(&form.headers, TEAM_COOKIE), &name) {
        Ok(own) => bot_test::probe_own(&app.access, from, own).await,
        Err(error) => Err(error),
    };
    let on = match report {
        Ok(report) => OnBotPage { report: Some(report), ..OnBotPage::default() },
        Err(error) => OnBotPage { notice: error.into(), ..OnBotPage::default() },
    };
    bot_page(&app, &form.headers, &name, on).await
}

async fn team_login(app: AppState, from: ClientAddress, form: FilledForm) -> PageResult {
    let [name, password] = ["name", "password"].map(|field| form.get(field).to_owned());
    match registration::log_team_in(&app.access, from, BotCredentials { name: name.clone(), password }).await {
        Ok((token, bot)) => {
            // The browser forgets the log-in that it had before.
            cookie(&form.headers, TEAM_COOKIE).into_iter().for_each(|old| app.access.team_sessions.end(old));
            Ok(with_token(&own_page(&app, &form, &bot, "in"), TEAM_COOKIE, &token, LASTS))
        }
        Err(error) if !form.get("contest").is_empty() => {
            contest_page(&app, &form.headers, form.get("contest"), error.into()).await
        }
        Err(error) if app.access.named(&name).is_some() => {
            let on = OnBotPage { notice: error.into(), ..OnBotPage::default() };
            bot_page(&app, &form.headers, &name, on).await
        }
        Err(error) => Ok(lobby_page(&app, &form.headers, error.into(), String::new())),
    }
}

async fn team_logout(app: AppState, form: FilledForm) -> Response {
    if let Some(token) = cookie(&form.headers, TEAM_COOKIE) {
        app.access.team_sessions.end(token);
    }
    with_token("/?done=out", TEAM_COOKIE, "", Duration::ZERO)
}

/// The path of the page of a team's own bot, in the contest that the form names or in Sea Battle.
fn own_page(app: &App, form: &FilledForm, bot: &RegisteredBot, done: &str) -> String {
    let page = match app.contests.named(form.get("contest")) {
        Ok(contest) => contest_bot_page(contest.as_str(), bot.name.as_str()),
        Err(_) => page_of(bot.name.as_str()),
    };
    format!("{page}?done={done}")
}

/// A redirect that sets this cookie to the token of a log-in, for as long as the log-in lasts.
fn with_token(to: &str, cookie: &str, token: &str, lasts: Duration) -> Response {
    let mut response = Redirect::to(to).into_response();
    set_cookie(&mut response, &format!("{cookie}={token}; Path=/; Max-Age={}", lasts.as_secs()));
    response
}

async fn login(app: AppState, from: ClientAddress, form: FilledForm) -> Response {
    match app.access.admit(from, form.get("name"), form.get("password")).await {
        Ok(actor) => with_token("/admin", ADMIN_COOKIE, &app.access.begin_log_in(&actor), LASTS),
        Err(error) => login_page(&app, &form.headers, error.into()),
    }
}

async fn logout(app: AppState, form: FilledForm) -> Response {
    if let Some(token) = cookie(&form.headers, ADMIN_COOKIE) {
        app.access.admin_sessions.end(token);
    }
    with_token("/admin", ADMIN_COOKIE, "", Duration::ZERO)
}

async fn administer(app: AppState, from: ClientAddress, Path(action): Path<String>, form: FilledForm) -> PageResult {
    let Some(by) = actor(&app, &form.headers) else { return Ok(log_in_first(&app, &form.headers)) };
    match done(&app, &by, from, &action, &form).await {
        // Bots are listed on the page of their contest.
        Ok(()) if matches!(&*action, "retire" | "return" | "hide" | "show") => {
            Ok(Redirect::to(&format!("/admin/contests/{}", form.get("contest"))).into_response())
        }
        Ok(()) => Ok(Redirect::to("/admin").into_response()),
        Err(error) => admin_page(&app, &form.headers, error.into()).await,
    }
}

/// The final that a form plans.
pub(crate) fn final_plan(form: &FilledForm) -> RequestResult<FinalPlan> {
    let missing = |what| RequestError::bad(format!("{what} is missing"));
    Ok(FinalPlan {
        start: form_time(form.get("start"), form.get("offset"))?,
        entrants: form.number("entrants")?.ok_or_else(|| missing("the number of bots"))?,
        best_of: form.number("bestOf")?.ok_or_else(|| missing("the number of games"))?,
    })
}

async fn done(app: &Arc<App>, by: &Actor, from: ClientAddress, action: &str, form: &FilledForm) -> RequestResult<()> {
    match action {
        "start" => admin_commands::start(app, by).await,
        "pause" => admin_commands::switch(app, by, AdminAction::Pause).await,
        "resume" => admin_commands::switch(app, by, AdminAction::Resume).await,
        "end" => admin_commands::end(app, by).await,
        "skip" => admin_commands::skip(app, by, form.get("match").to_owned()).await,
        "void" if form.get("sure") != "yes" => Err(RequestError::bad("tick the box to void matches")),
        "void" => {
            let since = form_time(form.get("since"), form.get("offset"))?;
            let which = VoidMatches { from: form.number("from")?, to: form.number("to")?, since };
            admin_commands::void(app, by, which).await.map(drop)
        }
        "final" => admin_commands::plan_final(app, by, final_plan(form)?).await,
        "final-cancel" => admin_commands::cancel_final(app, by).await,
        "password" => {
            admin_commands::reset_password(app, by, from, form.get("bot"), form.get("password").to_owned()).await
        }
        "remove" => admin_commands::remove(app, by, form.get("bot").to_owned()).await,
        "moderator" => {
            admin_commands::set_moderator(app, by, from, form.get("name"), form.get("password").to_owned()).await
        }
        "moderator-remove" => admin_commands::remove_moderator(app, by, form.get("name")).await,
        "clear" if form.get("sure") != "yes" => Err(RequestError::bad("tick the box to clear the history")),
        "clear" => admin_commands::clear_history(app, by).await,
        "settings" => {
            // The form has all values: those that stay must not hide what another profile brings.
            let current = app.host.store.look(|state| state.settings);
            let change = SettingsChange {
                parallel: form.number("parallel")?,
                pause_match: form.number("pauseMatch")?,
                pause_tournament: form.number("pauseTournament")?,
                max_moves_each: form.number("maxMovesEach")?.filter(|moves| *moves != current.max_moves_each),
                profile: Profile::from_name(form.get("profile")),
                limit: form.number("limit")?.filter(|limit| *limit != current.limit),
                budget: form.number("budget")?.filter(|budget| *budget != current.budget),
                reveal_fleets: Some(form.get("revealFleets") == "yes"),
                pace: form.number("pace")?,
                house_play: Some(form.get("housePlay") == "yes"),
            };
            admin_commands::change_settings(app, by, change).await
        }
        "rename" => rename_bot(app, by, form.get("bot"), form.get("name")).await,
        "retire" | "return" | "hide" | "show" => {
            let action = match action {
                "retire" => AdminAction::RetireBot,
                "return" => AdminAction::ReturnBot,
                "hide" => AdminAction::HideBot,
                _ => AdminAction::ShowBot,
            };
            change_bot(app, by, form.get("contest"), form.get("bot"), action).await
        }
        "announce" => announce(app, by, form.get("contest"), form.get("text")).await,
        "ranked" => switch_ranked(app, by, form.get("contest"), form.get("on") == "yes").await,
        _ => Err(RequestError::missing("there is no such action")),
    }
}
