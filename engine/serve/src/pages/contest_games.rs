//! The pages of a contest's games: one that is over, a turn that went wrong, and those that are to be void.

use crate::contests::contest_folder::ContestFolder;
use crate::contests::ladders::game_records::ReplayedGame;
use crate::contests::submissions::faults;
use crate::contests::wire::{FaultBundle, VoidPreview};
use crate::http::app::{App, AppState};
use crate::http::contest_admin_api::{VoidRequest, void_games};
use crate::http::contest_api::blocking;
use crate::http::contest_watch_api::replay;
use crate::http::guard::cookie;
use crate::pages::admin::{actor, admin_page, log_in_first};
use crate::pages::contest_pages::bot_page;
use crate::pages::filled_form::{FilledForm, form_time};
use crate::pages::response::{PageResult, TEAM_COOKIE, html, not_found, whole_page};
use crate::state::contests::contest_settings::ContestName;
use crate::state::journal_line::now;
use crate::teams::team::own_bot;
use askama::Template;
use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect};
use axum::routing::{get, post};
use std::sync::Arc;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/c/{contest}/games/{game}", get(game))
        .route("/c/{contest}/bots/{bot}/faults/{version}/{game}/{round}", get(fault))
        .route("/c/{contest}/void", post(void))
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
    let page = |game: &ReplayedGame| web::analysed_page(&game.history, &game.about, game.analysis().as_ref());
    match replay(app, contest.clone(), folder, game, page).await {
        Ok(page) => Ok(whole_page(page)),
        Err(error) if error.status == StatusCode::NOT_FOUND => {
            Ok(not_found("There is no such game, or its record is not kept."))
        }
        Err(error) => Err(error),
    }
}

#[derive(Template)]
#[template(path = "contest_fault.html")]
struct FaultPage {
    contest: String,
    name: String,
    version: u32,
    game: String,
    round: u32,
    bundle: FaultBundle,
}

/// A turn of a bot without an order that was obeyed, for its team.
async fn fault(
    app: AppState,
    Path((contest, bot, version, game, round)): Path<(String, String, String, String, String)>,
    headers: HeaderMap,
) -> PageResult {
    let (Ok(version), Ok(round)) = (version.parse(), round.parse()) else {
        return Ok(not_found("Nothing is kept of this turn."));
    };
    let own = match own_bot(&app.access, cookie(&headers, TEAM_COOKIE), &bot) {
        Ok(own) => own,
        Err(error) => return bot_page(&app, &headers, &contest, &bot, Some(version), error.into()).await,
    };
    let name = app.contests.named(&contest)?;
    let (id, wanted) = (own.id, game.clone());
    let bundle = blocking(&app, move |contests| faults::fault(contests, &name, (id, version), (&wanted, round)));
    match bundle.await {
        Ok(bundle) => {
            let page = FaultPage { contest, name: own.name.to_string(), version, game, round, bundle };
            Ok(html(StatusCode::OK, &page))
        }
        Err(error) if error.cause.is_none() => Ok(not_found("Nothing is kept of this turn.")),
        Err(error) => Err(error),
    }
}
