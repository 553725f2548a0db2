//! The pages of a contest's games: one that is over, and those that are to be void.

use crate::contests::contest_folder::ContestFolder;
use crate::contests::contest_host::ContestHost;
use crate::contests::ladder::{HIDDEN, is_hidden};
use crate::contests::wire::VoidPreview;
use crate::http::app::{App, AppState};
use crate::http::contest_admin_api::{VoidRequest, void_games};
use crate::http::contest_api::blocking;
use crate::pages::admin::{actor, admin_page, log_in_first};
use crate::pages::filled_form::{FilledForm, form_time};
use crate::pages::response::{PageResult, html, not_found};
use crate::state::contests::contest::Contest;
use crate::state::contests::contest_settings::ContestName;
use crate::state::journal_line::now;
use crate::state::request_error::{RequestError, RequestResult};
use arena::record::{self, Playback, Record};
use askama::Template;
use axum::Router;
use axum::extract::Path;
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Redirect};
use axum::routing::{get, post};
use std::collections::BTreeSet;
use std::sync::Arc;
use web::About;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/c/{contest}/games/{game}", get(game)).route("/c/{contest}/void", post(void))
}

#[derive(Template)]
#[template(path = "contest_void.html")]
struct VoidPage {
    contest: String,
    form: FilledForm,
    preview: VoidPreview,
}

/// Shows the administrator what would change without some games, and declares them void once that was seen.
async fn void(app: AppState, Path(contest): Path<String>, mut form: FilledForm) -> PageResult {
    let Some(by) = actor(&app, &form.headers) else { return Ok(log_in_first(&app, &form.headers)) };
    let filled = |name: &str| Some(form.get(name).trim().to_owned()).filter(|text| !text.is_empty());
    let apply = form.get("sure") == "yes";
    // What is declared void is what was shown.
    let until = filled("until").unwrap_or_else(now);
    let voided = async {
        let (since, version) = (form_time(form.get("since"), form.get("offset"))?, form.number("version")?);
        let (why, until) = (form.get("why").to_owned(), Some(until.clone()));
        let wanted = VoidRequest { bot: filled("bot"), version, since: since.clone(), until, why, apply };
        void_games(&app, &by, &contest, wanted).await.map(|preview| (preview, since))
    };
    match voided.await {
        Ok(_) if apply => Ok(Redirect::to("/admin").into_response()),
        Ok((preview, since)) => {
            form.set("until", until);
            // In UTC, as a form without an offset has it.
            form.set(
                "since",
                since.as_deref().and_then(|since| since.split('.').next()).unwrap_or_default().to_owned(),
            );
            Ok(html(StatusCode::OK, &VoidPage { contest, form, preview }))
        }
        Err(error) => admin_page(&app, &form.headers, error.into()).await,
    }
}

/// A page that replays a game that is over.
async fn game(app: AppState, Path((contest, game)): Path<(String, String)>) -> PageResult {
    let Ok(name) = app.contests.named(&contest) else { return Ok(not_found("There is no contest of this name.")) };
    let folder = app.contests.folder(&name);
    game_page(&app, &name, folder, game).await
}

/// A page that replays a game whose record is in this folder.
pub(crate) async fn game_page(
    app: &Arc<App>,
    contest: &ContestName,
    folder: ContestFolder,
    game: String,
) -> PageResult {
    // It becomes a part of a path.
    if game.is_empty() || game.len() > 64 || !game.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
        return Ok(not_found("There is no such game."));
    }
    let Ok(_permit) = app.host.replays.acquire().await else { return Err(RequestError::busy("the server ends")) };
    let name = contest.clone();
    let html = blocking(app, move |contests| {
        let hidden = hidden_names(contests, &name)?;
        html_of(contests.look(&name, title)?, &folder, &game, &hidden)
    });
    let Some(html) = html.await? else { return Ok(not_found("The record of this game is not kept.")) };
    let mut response = Html(html).into_response();
    // The page itself has a content security policy.
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("frame-ancestors 'none'"));
    Ok(response)
}

fn title(contest: &Contest) -> String {
    contest.settings.title.clone()
}

/// The names in records of games of bots that are hidden: those of the ladder, and of versions that have played in tournaments only.
fn hidden_names(contests: &ContestHost, name: &ContestName) -> RequestResult<BTreeSet<String>> {
    let hidden = contests.look(name, Contest::hidden)?;
    let mut names: BTreeSet<String> = contests.ladder(name)?.look(|ladder| {
        let entrants = ladder.table.entrants().iter().filter(|entrant| is_hidden(&entrant.bot, &hidden));
        entrants.map(|entrant| entrant.name.clone()).collect()
    });
    contests.host.store.look(|state| {
        for bot in &hidden {
            let versions =
                state.contests.get(name).and_then(|contest| contest.bot(*bot)).map_or(0, |bot| bot.versions.len());
            let bot = state.bot(*bot).map(|bot| bot.name.to_string()).unwrap_or_default();
            names.extend((1..=versions).map(|version| format!("{bot} v{version}")));
        }
    });
    Ok(names)
}

/// The page of a game, if its record is kept, without the names of those that are hidden.
fn html_of(
    title: String,
    folder: &ContestFolder,
    game: &str,
    hidden: &BTreeSet<String>,
) -> RequestResult<Option<String>> {
    let path = folder.record(game);
    if !path.is_file() {
        return Ok(None);
    }
    let record = Arc::new(Record::read(&path)?);
    let Playback { history, failure } = record::show(&record)?;
    let header = record.header();
    let about = About {
        names: header
            .seats
            .iter()
            .map(|(_, seat)| if hidden.contains(seat.name()) { HIDDEN } else { seat.name() }.to_owned())
            .collect(),
        title: format!("{title} · {} · game {game}", header.game.title()),
        played: header.started.clone().unwrap_or_default(),
        seed: Some(header.seed),
        engine: header.engine.clone(),
        note: failure.map(|error| error.to_string()),
        most_turns: None,
    };
    Ok(Some(web::page(history.as_ref(), &about)))
}
