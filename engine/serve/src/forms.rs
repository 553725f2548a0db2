//! What the forms of the pages do.

use super::guard::{From, body, cookie};
use super::line::BotId;
use super::pages::{
    ADMIN_COOKIE, FORM_COOKIE, Notice, OnBotPage, admin_page, bot_page, is_admin, lobby_page, login_page, set_cookie,
};
use super::session::LASTS;
use super::words::page_of;
use super::{Refusal, SettingsChange, Venue};
use axum::Router;
use axum::extract::{FromRequest, Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;
use std::sync::Arc;
use std::time::Instant;

pub(super) fn routes() -> Router<Arc<Venue>> {
    Router::new()
        .route("/join", post(join))
        .route("/bots/{name}/url", post(set_url))
        .route("/bots/{name}/test", post(test))
        .route("/admin/login", post(login))
        .route("/admin/logout", post(logout))
        .route("/admin/{deed}", post(administer))
}

/// A form of ours that was filled in.
struct Filled {
    fields: Vec<(String, String)>,
    headers: HeaderMap,
}

impl Filled {
    fn get(&self, name: &str) -> &str {
        self.fields.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// A number; `None` if the field is empty.
    fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, Refusal> {
        match self.get(name).trim() {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| Refusal::bad(format!("{name} is a whole number"))),
        }
    }
}

impl FromRequest<Arc<Venue>> for Filled {
    type Rejection = Refusal;

    async fn from_request(request: Request, venue: &Arc<Venue>) -> Result<Filled, Refusal> {
        let headers = request.headers().clone();
        let bytes = body(request, venue).await?;
        let fields: Vec<(String, String)> =
            serde_urlencoded::from_bytes(&bytes).map_err(|_| Refusal::bad("the form cannot be read"))?;
        let filled = Filled { fields, headers };
        let known = cookie(&filled.headers, FORM_COOKIE).unwrap_or_default();
        if known.is_empty() || !venue.seals.is_ours(known, filled.get("seal")) {
            let words = "the form is too old, or comes from another site; load the page again";
            return Err(Refusal::forbidden(words));
        }
        Ok(filled)
    }
}

async fn join(State(venue): State<Arc<Venue>>, From(from): From, form: Filled) -> Response {
    let joined = match venue.throttles.register.ask(from, Instant::now()) {
        Err(wait) => Err(Refusal::too_often(wait)),
        Ok(()) => venue.register(form.get("name"), form.get("password").to_owned(), form.get("again")).await,
    };
    match joined {
        Ok(bot) => Redirect::to(&format!("{}?done=joined", page_of(&bot.name))).into_response(),
        Err(refusal) => {
            let (status, notice) = wrong(&refusal);
            lobby_page(&venue, &form.headers, status, notice, form.get("name").to_owned())
        }
    }
}

async fn set_url(
    State(venue): State<Arc<Venue>>,
    From(from): From,
    Path(name): Path<String>,
    form: Filled,
) -> Response {
    let set = match venue.throttles.set_url.ask(from, Instant::now()) {
        Err(wait) => Err(Refusal::too_often(wait)),
        Ok(()) => venue.set_url(&name, form.get("password").to_owned(), form.get("url")).await,
    };
    match set {
        Ok(bot) => Redirect::to(&format!("{}?done=set", page_of(&bot.name))).into_response(),
        Err(refusal) => {
            let (status, notice) = wrong(&refusal);
            let on = OnBotPage { notice, url: form.get("url").to_owned(), ..OnBotPage::default() };
            bot_page(&venue, &form.headers, status, &name, on).await
        }
    }
}

async fn test(State(venue): State<Arc<Venue>>, From(from): From, Path(name): Path<String>, form: Filled) -> Response {
    let tried = match venue.throttles.test.ask(from, Instant::now()) {
        Err(wait) => Err(Refusal::too_often(wait)),
        Ok(()) => venue.try_out(&name, form.get("password").to_owned()).await,
    };
    let (status, on) = match tried {
        Ok(report) => (StatusCode::OK, OnBotPage { report: Some(report), ..OnBotPage::default() }),
        Err(refusal) => {
            let (status, notice) = wrong(&refusal);
            (status, OnBotPage { notice, ..OnBotPage::default() })
        }
    };
    bot_page(&venue, &form.headers, status, &name, on).await
}

async fn login(State(venue): State<Arc<Venue>>, From(from): From, form: Filled) -> Response {
    if let Err(refusal) = venue.admit(from, form.get("password")) {
        let (status, notice) = wrong(&refusal);
        return login_page(&venue, &form.headers, status, notice);
    }
    let token = venue.sessions.begin(Instant::now());
    let mut response = Redirect::to("/admin").into_response();
    let lasts = LASTS.as_secs();
    set_cookie(&mut response, &format!("{ADMIN_COOKIE}={token}; Path=/; Max-Age={lasts}; HttpOnly; SameSite=Strict"));
    response
}

async fn logout(State(venue): State<Arc<Venue>>, form: Filled) -> Response {
    if let Some(token) = cookie(&form.headers, ADMIN_COOKIE) {
        venue.sessions.end(token);
    }
    let mut response = Redirect::to("/admin").into_response();
    set_cookie(&mut response, &format!("{ADMIN_COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"));
    response
}

async fn administer(State(venue): State<Arc<Venue>>, Path(deed): Path<String>, form: Filled) -> Response {
    if !is_admin(&venue, &form.headers) {
        let notice = Notice::Wrong("Log in first.".to_owned());
        return login_page(&venue, &form.headers, StatusCode::UNAUTHORIZED, notice);
    }
    match done(&venue, &deed, &form).await {
        Ok(()) => Redirect::to("/admin").into_response(),
        Err(refusal) => {
            let (status, notice) = wrong(&refusal);
            admin_page(&venue, &form.headers, status, notice).await
        }
    }
}

async fn done(venue: &Arc<Venue>, deed: &str, form: &Filled) -> Result<(), Refusal> {
    match deed {
        "start" => venue.start().await,
        "pause" => venue.pause().await,
        "resume" => venue.resume().await,
        "remove" => {
            let bot = form.get("bot").parse().map_err(|_| Refusal::missing("there is no bot of this number"))?;
            venue.remove(BotId(bot)).await
        }
        "clear" if form.get("sure") != "yes" => Err(Refusal::bad("tick the box to clear the history")),
        "clear" => venue.clear_history().await,
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
            venue.change_settings(change).await.map(|_| ())
        }
        _ => Err(Refusal::missing("there is nothing of this kind to be done")),
    }
}

/// What a page says of a refusal.
fn wrong(refusal: &Refusal) -> (StatusCode, Notice) {
    let words = refusal.to_string();
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    (refusal.status(), Notice::Wrong(format!("{first}{}.", letters.as_str())))
}
