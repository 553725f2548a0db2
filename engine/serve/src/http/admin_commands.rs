//! The commands of administrators and moderators, for the API and the forms. Each checks the right to it, and leaves a line in the
//! journal that tells who gave it.

use crate::http::app::App;
use crate::matches::finals::commands::{self as finals, FinalPlan};
use crate::state::journal_line::TournamentMode;
use crate::state::moderators::AdminAction;
use crate::state::name::BotId;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::settings::SettingsChange;
use crate::teams::access::ClientAddress;
use crate::teams::actor::Actor;
use crate::teams::administration::{self, VoidMatches};
use crate::teams::{moderation, registration};
use std::sync::Arc;

/// Does something that an actor may do, and enters who did it. It is done to its end also if the client goes away meanwhile.
pub(crate) async fn act<T: Send + 'static, F: Future<Output = RequestResult<T>> + Send + 'static>(
    app: &Arc<App>,
    by: &Actor,
    action: AdminAction,
    of: String,
    work: impl FnOnce(Arc<App>) -> F,
) -> RequestResult<T> {
    by.check(action)?;
    let (app, by, work) = (Arc::clone(app), by.clone(), work(Arc::clone(app)));
    let done = tokio::spawn(async move {
        let done = work.await?;
        app.host.enter(move |_| Ok(by.audit_line(action, of))).await?;
        Ok(done)
    });
    done.await.map_err(RequestError::internal)?
}

/// The name of a bot with its number, for the journal.
pub(crate) fn bot_words(app: &App, id: &str) -> String {
    let name =
        id.parse().ok().and_then(|id| app.host.store.look(|state| state.bot(BotId(id)).map(|bot| bot.name.clone())));
    name.map_or_else(|| format!("bot {id}"), |name| format!("{name} (bot {id})"))
}

/// Starts tournaments.
pub(crate) async fn start(app: &Arc<App>, by: &Actor) -> RequestResult<()> {
    let work = |app: Arc<App>| async move { administration::set_mode(&app.host, TournamentMode::Running).await };
    act(app, by, AdminAction::Start, String::new(), work).await
}

/// Pauses or resumes tournaments.
pub(crate) async fn switch(app: &Arc<App>, by: &Actor, action: AdminAction) -> RequestResult<()> {
    let mode = if action == AdminAction::Pause { TournamentMode::Paused } else { TournamentMode::Running };
    let work = |app: Arc<App>| async move { administration::switch_mode(&app.host, mode).await };
    act(app, by, action, String::new(), work).await
}

/// Ends the tournament that is being played.
pub(crate) async fn end(app: &Arc<App>, by: &Actor) -> RequestResult<()> {
    let work = |app: Arc<App>| async move { administration::end_tournament(&app.host).await };
    act(app, by, AdminAction::EndTournament, String::new(), work).await
}

/// Skips a match.
pub(crate) async fn skip(app: &Arc<App>, by: &Actor, id: String) -> RequestResult<()> {
    let of = format!("match {id}");
    let work = |app: Arc<App>| async move { administration::skip(&app.host, &id).await };
    act(app, by, AdminAction::SkipMatch, of, work).await
}

/// Declares matches of tournaments void. Returns their number.
pub(crate) async fn void(app: &Arc<App>, by: &Actor, which: VoidMatches) -> RequestResult<usize> {
    let of = which.in_words();
    let work = |app: Arc<App>| async move { administration::void(&app.host, which).await };
    act(app, by, AdminAction::VoidMatches, of, work).await
}

/// Plans a final.
pub(crate) async fn plan_final(app: &Arc<App>, by: &Actor, plan: FinalPlan) -> RequestResult<()> {
    let work = |app: Arc<App>| async move { finals::plan_final(&app.host, plan).await.map(drop) };
    act(app, by, AdminAction::PlanFinal, String::new(), work).await
}

/// Calls off the final.
pub(crate) async fn cancel_final(app: &Arc<App>, by: &Actor) -> RequestResult<()> {
    let work = |app: Arc<App>| async move { finals::cancel_final(&app.host).await };
    act(app, by, AdminAction::CancelFinal, String::new(), work).await
}

/// Removes a bot.
pub(crate) async fn remove(app: &Arc<App>, by: &Actor, id: String) -> RequestResult<()> {
    let work = |app: Arc<App>| {
        let id = id.clone();
        async move {
            administration::remove(&app.host, &id).await?;
            app.contests.tell_ladders();
            Ok(())
        }
    };
    act(app, by, AdminAction::RemoveBot, bot_words(app, &id), work).await
}

/// Gives a team a new password.
pub(crate) async fn reset_password(
    app: &Arc<App>,
    by: &Actor,
    from: ClientAddress,
    id: &str,
    password: String,
) -> RequestResult<()> {
    let (of, id) = (bot_words(app, id), id.to_owned());
    let work = |app: Arc<App>| async move { registration::reset_password(&app.access, from, &id, password).await };
    act(app, by, AdminAction::ResetPassword, of, work).await
}

/// Clears the history.
pub(crate) async fn clear_history(app: &Arc<App>, by: &Actor) -> RequestResult<()> {
    let work = |app: Arc<App>| async move { administration::clear_history(&app.host).await };
    act(app, by, AdminAction::ClearHistory, String::new(), work).await
}

/// Changes settings of the server.
pub(crate) async fn change_settings(app: &Arc<App>, by: &Actor, change: SettingsChange) -> RequestResult<()> {
    let work = |app: Arc<App>| async move { administration::change_settings(&app.host, change).await.map(drop) };
    act(app, by, AdminAction::ChangeSettings, String::new(), work).await
}

/// Adds a moderator, or gives one a new password.
pub(crate) async fn set_moderator(
    app: &Arc<App>,
    by: &Actor,
    from: ClientAddress,
    name: &str,
    password: String,
) -> RequestResult<()> {
    let (of, name) = (name.trim().to_owned(), name.to_owned());
    let work = |app: Arc<App>| async move { moderation::set_moderator(&app.access, from, &name, password).await };
    act(app, by, AdminAction::SetModerator, of, work).await
}

/// Removes a moderator.
pub(crate) async fn remove_moderator(app: &Arc<App>, by: &Actor, name: &str) -> RequestResult<()> {
    let (of, name) = (name.trim().to_owned(), name.to_owned());
    let work = |app: Arc<App>| async move { moderation::remove_moderator(&app.access, &name).await };
    act(app, by, AdminAction::RemoveModerator, of, work).await
}
