//! The handlers of the pages' forms.

use super::app::App;
use super::guard::{ClientAddress, body, cookie};
use super::journal_line::BotId;
use super::pages::{
    ADMIN_COOKIE, FORM_COOKIE, Notice, OnBotPage, admin_page, bot_page, is_admin, lobby_page, login_page, set_cookie,
};
use super::request_error::RequestError;
use super::session::LASTS;
use super::settings::SettingsChange;
use super::text::page_of;
use axum::Router;
use axum::extract::{FromRequest, Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;
use std::sync::Arc;
use std::time::Instant;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/join", post(join))
        .route("/bots/{name}/url", post(set_url))
        .route("/bots/{name}/test", post(test))
        .route("/admin/login", post(login))
        .route("/admin/logout", post(logout))
        .route("/admin/{action}", post(administer))
}

/// A form with a valid CSRF token.
struct FilledForm {
    fields: Vec<(String, String)>,
    headers: HeaderMap,
}

impl FilledForm {
    fn get(&self, name: &str) -> &str {
        self.fields.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// A number; `None` if the field is empty.
    fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, RequestError> {
        match self.get(name).trim() {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| RequestError::bad(format!("{name} is a whole number"))),
        }
    }
}

impl FromRequest<Arc<App>> for FilledForm {
    type Rejection = RequestError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<FilledForm, RequestError> {
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

async fn join(State(app): State<Arc<App>>, ClientAddress(from): ClientAddress, form: FilledForm) -> Response {
    let joined = app.register(from, form.get("name"), form.get("password").to_owned(), form.get("again")).await;
    match joined {
        Ok(bot) => Redirect::to(&format!("{}?done=joined", page_of(&bot.name))).into_response(),
        Err(error) => {
            let (status, notice) = wrong(&error);
            lobby_page(&app, &form.headers, status, notice, form.get("name").to_owned())
        }
    }
}

async fn set_url(
    State(app): State<Arc<App>>,
    ClientAddress(from): ClientAddress,
    Path(name): Path<String>,
    form: FilledForm,
) -> Response {
    match app.set_url(from, &name, form.get("password").to_owned(), form.get("url")).await {
        Ok(bot) => Redirect::to(&format!("{}?done=set", page_of(&bot.name))).into_response(),
        Err(error) => {
            let (status, notice) = wrong(&error);
            let on = OnBotPage { notice, url: form.get("url").to_owned(), ..OnBotPage::default() };
            bot_page(&app, &form.headers, status, &name, on).await
        }
    }
}

async fn test(
    State(app): State<Arc<App>>,
    ClientAddress(from): ClientAddress,
    Path(name): Path<String>,
    form: FilledForm,
) -> Response {
    let (status, on) = match app.probe(from, &name, form.get("password").to_owned()).await {
        Ok(report) => (StatusCode::OK, OnBotPage { report: Some(report), ..OnBotPage::default() }),
        Err(error) => {
            let (status, notice) = wrong(&error);
            (status, OnBotPage { notice, ..OnBotPage::default() })
        }
    };
    bot_page(&app, &form.headers, status, &name, on).await
}

async fn login(State(app): State<Arc<App>>, ClientAddress(from): ClientAddress, form: FilledForm) -> Response {
    if let Err(error) = app.admit(from, form.get("password")) {
        let (status, notice) = wrong(&error);
        return login_page(&app, &form.headers, status, notice);
    }
    let token = app.sessions.begin(Instant::now());
    let mut response = Redirect::to("/admin").into_response();
    let lasts = LASTS.as_secs();
    set_cookie(&mut response, &format!("{ADMIN_COOKIE}={token}; Path=/; Max-Age={lasts}; HttpOnly; SameSite=Strict"));
    response
}

async fn logout(State(app): State<Arc<App>>, form: FilledForm) -> Response {
    if let Some(token) = cookie(&form.headers, ADMIN_COOKIE) {
        app.sessions.end(token);
    }
    let mut response = Redirect::to("/admin").into_response();
    set_cookie(&mut response, &format!("{ADMIN_COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"));
    response
}

async fn administer(State(app): State<Arc<App>>, Path(action): Path<String>, form: FilledForm) -> Response {
    if !is_admin(&app, &form.headers) {
        let notice = Notice::Wrong("Log in first.".to_owned());
        return login_page(&app, &form.headers, StatusCode::UNAUTHORIZED, notice);
    }
    match done(&app, &action, &form).await {
        Ok(()) => Redirect::to("/admin").into_response(),
        Err(error) => {
            let (status, notice) = wrong(&error);
            admin_page(&app, &form.headers, status, notice).await
        }
    }
}

async fn done(app: &Arc<App>, action: &str, form: &FilledForm) -> Result<(), RequestError> {
    match action {
        "start" => app.start().await,
        "pause" => app.pause().await,
        "resume" => app.resume().await,
        "remove" => {
            let bot = form.get("bot").parse().map_err(|_| RequestError::missing("there is no bot of this number"))?;
            app.remove(BotId(bot)).await
        }
        "clear" if form.get("sure") != "yes" => Err(RequestError::bad("tick the box to clear the history")),
        "clear" => app.clear_history().await,
        "settings" => {
            let change = SettingsChange {
                parallel: form.number("parallel")?,
                pause_match: form.number("pauseMatch")?,
                pause_tournament: form.number("pauseTournament")?,
                max_moves: form.number("maxMoves")?,
                limit: form.number("limit")?,
                reveal_fleets: Some(form.get("revealFleets") == "yes"),
                pace: form.number("pace")?,
            };
            app.change_settings(change).await.map(|_| ())
        }
        _ => Err(RequestError::missing("there is no such action")),
    }
}

/// The status and the notice of a page for an error.
fn wrong(error: &RequestError) -> (StatusCode, Notice) {
    let message = error.to_string();
    let mut letters = message.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    (error.status(), Notice::Wrong(format!("{first}{}.", letters.as_str())))
}
