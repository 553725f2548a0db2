//! The handlers of the pages' forms.

use super::app::{App, AppState};
use super::finals::{FinalPlan, form_time};
use super::guard::{ClientAddress, body, cookie};
use super::journal_line::{BotId, TournamentMode};
use super::pages::{
    ADMIN_COOKIE, FORM_COOKIE, OnBotPage, PageResult, admin_page, bot_page, is_admin, lobby_page, login_page, refused,
    set_cookie,
};
use super::registration::{BotCredentials, Registration};
use super::request_error::{RequestError, RequestResult};
use super::session::LASTS;
use super::settings::SettingsChange;
use super::team::TEAM_COOKIE;
use super::text::page_of;
use axum::Router;
use axum::extract::{FromRequest, Path, Request};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;
use rules::sea_battle::Profile;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(super) fn routes() -> Router<Arc<App>> {
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
pub(super) struct FilledForm {
    fields: Vec<(String, String)>,
    pub(super) headers: HeaderMap,
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
        if known.is_empty() || !app.csrf_tokens.is_valid(known, filled.get("csrf_token")) {
            let message = "the form is too old, or comes from another site; load the page again";
            return Err(RequestError::forbidden(message));
        }
        Ok(filled)
    }
}

async fn join(app: AppState, from: ClientAddress, form: FilledForm) -> Response {
    let [name, password, confirm_password] = ["name", "password", "again"].map(|field| form.get(field).to_owned());
    match app.register(from, Registration { name: name.clone(), password, confirm_password }).await {
        Ok(bot) => {
            let token = bot.id.parse().ok().map(|id| app.team_sessions.begin(BotId(id), Instant::now()));
            as_team(&format!("{}?done=joined", page_of(&bot.name)), &token.unwrap_or_default(), LASTS)
        }
        Err(error) => lobby_page(&app, &form.headers, error.into(), name),
    }
}

async fn set_url(app: AppState, from: ClientAddress, Path(name): Path<String>, form: FilledForm) -> PageResult {
    let url = form.get("url").to_owned();
    let set = match app.own_bot(&form.headers, &name) {
        Ok(own) => app.set_own_url(from, own.id, &url).await,
        Err(error) => Err(error),
    };
    match set {
        Ok(bot) => Ok(Redirect::to(&format!("{}?done=set", page_of(&bot.name))).into_response()),
        Err(error) => {
            let on = OnBotPage { notice: error.into(), url: Some(url), ..OnBotPage::default() };
            bot_page(&app, &form.headers, &name, on).await
        }
    }
}

async fn test(app: AppState, from: ClientAddress, Path(name): Path<String>, form: FilledForm) -> PageResult {
    let report = match app.own_bot(&form.headers, &name) {
        Ok(own) => app.probe_own(from, own).await,
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
    match app.log_team_in(from, BotCredentials { name: name.clone(), password }).await {
        Ok((token, bot)) => {
            // The browser forgets the log-in that it had before.
            cookie(&form.headers, TEAM_COOKIE).into_iter().for_each(|old| app.team_sessions.end(old));
            Ok(as_team(&format!("{}?done=in", page_of(bot.name.as_str())), &token, LASTS))
        }
        Err(error) if app.named(&name).is_some() => {
            let on = OnBotPage { notice: error.into(), ..OnBotPage::default() };
            bot_page(&app, &form.headers, &name, on).await
        }
        Err(error) => Ok(lobby_page(&app, &form.headers, error.into(), String::new())),
    }
}

async fn team_logout(app: AppState, form: FilledForm) -> Response {
    if let Some(token) = cookie(&form.headers, TEAM_COOKIE) {
        app.team_sessions.end(token);
    }
    as_team("/?done=out", "", Duration::ZERO)
}

/// A redirect, with the token of a team's log-in for as long as it lasts.
fn as_team(to: &str, token: &str, lasts: Duration) -> Response {
    let mut response = Redirect::to(to).into_response();
    set_cookie(&mut response, &format!("{TEAM_COOKIE}={token}; Path=/; Max-Age={}", lasts.as_secs()));
    response
}

async fn login(app: AppState, from: ClientAddress, form: FilledForm) -> Response {
    match app.admit(from, form.get("password")) {
        Ok(()) => to_admin(&app.sessions.begin((), Instant::now()), LASTS),
        Err(error) => login_page(&app, &form.headers, error.into()),
    }
}

async fn logout(app: AppState, form: FilledForm) -> Response {
    if let Some(token) = cookie(&form.headers, ADMIN_COOKIE) {
        app.sessions.end(token);
    }
    to_admin("", Duration::ZERO)
}

/// A redirect to the administrator's page, with the token of the log-in for as long as it lasts.
fn to_admin(token: &str, lasts: Duration) -> Response {
    let mut response = Redirect::to("/admin").into_response();
    set_cookie(&mut response, &format!("{ADMIN_COOKIE}={token}; Path=/; Max-Age={}", lasts.as_secs()));
    response
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
        "start" => app.set_mode(TournamentMode::Running).await,
        "pause" => app.switch_mode(TournamentMode::Paused).await,
        "resume" => app.switch_mode(TournamentMode::Running).await,
        "final" => {
            let missing = |what| RequestError::bad(format!("{what} is missing"));
            let plan = FinalPlan {
                start: form_time(form.get("start"), form.get("offset"))?,
                entrants: form.number("entrants")?.ok_or_else(|| missing("the number of bots"))?,
                best_of: form.number("bestOf")?.ok_or_else(|| missing("the number of games"))?,
            };
            app.plan_final(plan).await.map(drop)
        }
        "final-cancel" => app.cancel_final().await,
        "remove" => app.remove(form.get("bot")).await,
        "clear" if form.get("sure") != "yes" => Err(RequestError::bad("tick the box to clear the history")),
        "clear" => app.clear_history().await,
        "settings" => {
            // The form has all values: those that stay must not hide what another profile brings.
            let current = app.store.look(|state| state.settings);
            let change = SettingsChange {
                parallel: form.number("parallel")?,
                pause_match: form.number("pauseMatch")?,
                pause_tournament: form.number("pauseTournament")?,
                max_moves_each: form.number("maxMovesEach")?.filter(|moves| *moves != current.max_moves_each),
                profile: Profile::from_name(form.get("profile")),
                limit: form.number("limit")?.filter(|limit| *limit != current.limit),
                reveal_fleets: Some(form.get("revealFleets") == "yes"),
                pace: form.number("pace")?,
                house_play: Some(form.get("housePlay") == "yes"),
            };
            app.change_settings(change).await.map(|_| ())
        }
        _ => Err(RequestError::missing("there is no such action")),
    }
}
