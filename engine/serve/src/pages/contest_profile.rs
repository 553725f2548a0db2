//! The page of how one plays over many games of a contest.

use crate::contests::contest_folder::version_path;
use crate::contests::profiles::profiles;
use crate::http::app::{App, AppState};
use crate::http::contest_api::blocking;
use crate::pages::contest_pages::visible_bot;
use crate::pages::response::{PageResult, not_found, whole_page};
use crate::state::contests::contest_settings::ContestName;
use crate::state::request_error::{RequestError, RequestResult};
use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query};
use axum::http::HeaderMap;
use axum::routing::get;
use serde::Deserialize;
use std::sync::Arc;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/c/{contest}/bots/{bot}/profile", get(profile))
}

/// The query of the address of a profile.
#[derive(Debug, Default, Deserialize)]
struct ProfileQuery {
    /// The name of another one to show beside it.
    beside: Option<String>,
}

async fn profile(
    app: AppState,
    Path((contest, bot)): Path<(String, String)>,
    asked: Result<Query<ProfileQuery>, QueryRejection>,
    headers: HeaderMap,
) -> PageResult {
    let Ok(contest) = app.contests.named(&contest) else { return Ok(not_found("There is no contest of this name.")) };
    let Query(asked) = asked.unwrap_or_default();
    let mut entrants = Vec::new();
    for name in [Some(bot), asked.beside].into_iter().flatten() {
        let Some(path) = entrant(&app, &headers, &contest, &name)? else {
            return Ok(not_found("Nobody of this name plays in this contest."));
        };
        if !entrants.contains(&path) {
            entrants.push(path);
        }
    }
    let permit = Arc::clone(&app.host.replays).acquire_owned().await.map_err(RequestError::internal)?;
    let analysed = Arc::clone(&app.analysed);
    let made = blocking(&app, move |contests| {
        // Held to the end of the work, also if nobody waits for it any more.
        let _permit = permit;
        let made = profiles(contests, &analysed, &contest, &entrants)?;
        Ok(made.map(|(bots, about)| web::profile_page(&bots, &about)))
    });
    Ok(match made.await? {
        Some(page) => whole_page(page),
        None => not_found("There is no game yet that everyone may see, or its record is not kept."),
    })
}

/// The path of the version of a bot that plays, or else of its last one that was accepted; or of a baseline. `None` if there is none of this
/// name, or it is hidden from who asks.
fn entrant(app: &App, headers: &HeaderMap, contest: &ContestName, name: &str) -> RequestResult<Option<String>> {
    let bot = visible_bot(app, headers, contest, name)?;
    app.contests.look(contest, |contest| {
        let version = bot.and_then(|bot| {
            let entry = contest.bot(bot.id)?;
            let accepted = || entry.versions.iter().rev().find(|version| version.is_accepted());
            Some(version_path(bot.id, entry.playing().or_else(accepted)?.number))
        });
        version.or_else(|| contest.settings.baselines.iter().find(|baseline| *baseline == name).cloned())
    })
}
