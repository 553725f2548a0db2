//! The handlers of the pages' forms.

use crate::http::app::{App, AppState};
use crate::http::guard::{body, cookie};
use crate::matches::finals::commands::{self as finals, FinalPlan};
use crate::pages::admin::{admin_page, is_admin, login_page};
use crate::pages::response::{ADMIN_COOKIE, FORM_COOKIE, PageResult, TEAM_COOKIE, refused, set_cookie};
use crate::pages::team_pages::{OnBotPage, bot_page, lobby_page};
use crate::pages::text::page_of;
use crate::state::journal_line::TournamentMode;
use crate::state::journal_line::written;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::settings::SettingsChange;
use crate::teams::access::ClientAddress;
use crate::teams::administration::VoidMatches;
use crate::teams::registration::{BotCredentials, Registration};
use crate::teams::session::LASTS;
use crate::teams::team::own_bot;
use crate::teams::{administration, bot_test, registration};
use axum::Router;
use axum::extract::{FromRequest, Path, Request};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;
use chrono::{NaiveDateTime, TimeDelta};
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

/// A form with a valid CSRF token.
pub(crate) struct FilledForm {
    fields: Vec<(String, String)>,
    pub(crate) headers: HeaderMap,
}

impl FilledForm {
    fn get(&self, name: &str) -> &str {
        self.fields.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// A number; `None` if the field is empty.
    fn number<T: std::str::FromStr>(&self, name: &str) -> RequestResult<Option<T>> {
        match self.get(name).trim() {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| RequestError::bad(format!("{name} is a whole number"))),
        }
    }
}

impl FromRequest<Arc<App>> for FilledForm {
    type Rejection = Response;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<FilledForm, Response> {
        let headers = request.headers().clone();
        FilledForm::read(request, app).await.map_err(|error| refused(error, &headers))
    }
}

impl FilledForm {
    async fn read(request: Request, app: &Arc<App>) -> RequestResult<FilledForm> {
        let headers = request.headers().clone();
        let bytes = body(request, app).await?;
        let fields: Vec<(String, String)> =
            serde_urlencoded::from_bytes(&bytes).map_err(|_| RequestError::bad("the form cannot be read"))?;
        let filled = FilledForm { fields, headers };
        let known = cookie(&filled.headers, FORM_COOKIE).unwrap_or_default();
        if known.is_empty() || !app.access.csrf_tokens.is_valid(known, filled.get("csrf_token")) {
            let message = "the form is too old, or comes from another site; load the page again";
            return Err(RequestError::forbidden(message));
        }
        Ok(filled)
    }
}

async fn join(app: AppState, from: ClientAddress, form: FilledForm) -> Response {
    let [name, password, confirm_password, code] =
        ["name", "password", "again", "code"].map(|field| form.get(field).to_owned());
    let wanted = Registration { name: name.clone(), password, confirm_password, code: Some(code) };
    match registration::register(&app.access, from, wanted).await {
        Ok(bot) => {
            let token = app.access.team_sessions.begin(bot.id, Instant::now());
            with_token(&format!("{}?done=joined", page_of(bot.name.as_str())), TEAM_COOKIE, &token, LASTS)
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
            Ok(with_token(&format!("{}?done=in", page_of(bot.name.as_str())), TEAM_COOKIE, &token, LASTS))
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

/// A redirect that sets this cookie to the token of a log-in, for as long as the log-in lasts.
fn with_token(to: &str, cookie: &str, token: &str, lasts: Duration) -> Response {
    let mut response = Redirect::to(to).into_response();
    set_cookie(&mut response, &format!("{cookie}={token}; Path=/; Max-Age={}", lasts.as_secs()));
    response
}

async fn login(app: AppState, from: ClientAddress, form: FilledForm) -> Response {
    match app.access.admit(from, form.get("password")).await {
        Ok(()) => with_token("/admin", ADMIN_COOKIE, &app.access.admin_sessions.begin((), Instant::now()), LASTS),
        Err(error) => login_page(&app, &form.headers, error.into()),
    }
}

async fn logout(app: AppState, form: FilledForm) -> Response {
    if let Some(token) = cookie(&form.headers, ADMIN_COOKIE) {
        app.access.admin_sessions.end(token);
    }
    with_token("/admin", ADMIN_COOKIE, "", Duration::ZERO)
}

async fn administer(app: AppState, Path(action): Path<String>, form: FilledForm) -> PageResult {
    if !is_admin(&app, &form.headers) {
        return Ok(login_page(&app, &form.headers, RequestError::unauthorized("log in first").into()));
    }
    match done(&app, &action, &form).await {
        Ok(()) => Ok(Redirect::to("/admin").into_response()),
        Err(error) => admin_page(&app, &form.headers, error.into()).await,
    }
}

async fn done(app: &Arc<App>, action: &str, form: &FilledForm) -> RequestResult<()> {
    match action {
        "start" => administration::set_mode(&app.host, TournamentMode::Running).await,
        "pause" => administration::switch_mode(&app.host, TournamentMode::Paused).await,
        "resume" => administration::switch_mode(&app.host, TournamentMode::Running).await,
        "end" => administration::end_tournament(&app.host).await,
        "skip" => administration::skip(&app.host, form.get("match")).await,
        "void" if form.get("sure") != "yes" => Err(RequestError::bad("tick the box to void matches")),
        "void" => {
            let since = form_time(form.get("since"), form.get("offset"))?;
            let which = VoidMatches { from: form.number("from")?, to: form.number("to")?, since };
            administration::void(&app.host, which).await.map(drop)
        }
        "final" => {
            let missing = |what| RequestError::bad(format!("{what} is missing"));
            let plan = FinalPlan {
                start: form_time(form.get("start"), form.get("offset"))?,
                entrants: form.number("entrants")?.ok_or_else(|| missing("the number of bots"))?,
                best_of: form.number("bestOf")?.ok_or_else(|| missing("the number of games"))?,
            };
            finals::plan_final(&app.host, plan).await.map(drop)
        }
        "final-cancel" => finals::cancel_final(&app.host).await,
        "remove" => administration::remove(&app.host, form.get("bot")).await,
        "clear" if form.get("sure") != "yes" => Err(RequestError::bad("tick the box to clear the history")),
        "clear" => administration::clear_history(&app.host).await,
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
            administration::change_settings(&app.host, change).await.map(|_| ())
        }
        _ => Err(RequestError::missing("there is no such action")),
    }
}

/// The time in a form, in RFC 3339: `local` is a time of day at the administrator's place, `offset` the minutes from there to UTC,
/// as a browser tells them. Without an offset the time is UTC; `None` if there is no time.
pub(crate) fn form_time(local: &str, offset: &str) -> RequestResult<Option<String>> {
    let (local, offset) = (local.trim(), offset.trim());
    if local.is_empty() {
        return Ok(None);
    }
    let bad = || RequestError::bad("a time is a date and a time of day");
    let formats = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"];
    let parsed = formats.iter().find_map(|format| NaiveDateTime::parse_from_str(local, format).ok()).ok_or_else(bad)?;
    let minutes: i64 = if offset.is_empty() { 0 } else { offset.parse().map_err(|_| bad())? };
    let minutes = TimeDelta::try_minutes(minutes).filter(|minutes| minutes.num_days() == 0).ok_or_else(bad)?;
    let utc = parsed.checked_add_signed(minutes).ok_or_else(bad)?;
    Ok(Some(written(utc.and_utc())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_in_a_form_is_that_of_the_browser() {
        let utc = |local, offset| form_time(local, offset).map_err(|error| error.to_string());
        assert_eq!(utc("", ""), Ok(None));
        assert_eq!(utc("2026-11-24T19:00", "-60").unwrap().as_deref(), Some("2026-11-24T18:00:00.000Z"));
        assert_eq!(utc("2026-11-24T23:30:10", "300").unwrap().as_deref(), Some("2026-11-25T04:30:10.000Z"));
        assert_eq!(utc("2026-11-24T19:00", "").unwrap().as_deref(), Some("2026-11-24T19:00:00.000Z"));
        for (local, offset) in [("tonight", "0"), ("2026-11-24T19:00", "x"), ("2026-11-24T19:00", "99999999999999999")]
        {
            assert!(utc(local, offset).is_err(), "{local} {offset}");
        }
    }
}
