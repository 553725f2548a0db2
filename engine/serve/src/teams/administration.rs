//! Commands of the administrator: start, pause, resume, end a tournament, remove a bot, clear the history, change settings.

use crate::matches::host::MatchHost;
use crate::matches::publish;
use crate::matches::records;
use crate::matches::records::Sweep;
use crate::state::journal_line::{BotId, ServerJournalLine, TournamentMode, now};
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::settings::{ServerSettings, SettingsChange};
use std::sync::Arc;

/// Enters the mode, unless it is the current one. Paused, no match begins; matches that are being played are played
/// to their end.
pub(crate) async fn set_mode(host: &Arc<MatchHost>, mode: TournamentMode) -> RequestResult<()> {
    if mode == TournamentMode::Running {
        host.health().forget_absences();
        host.running.lock().outage = None;
    }
    if host.store.look(|state| state.mode) != mode {
        host.enter(move |_| Ok(ServerJournalLine::Mode { mode, at: now() })).await?;
    }
    host.running.hurry();
    publish::tournament(host);
    Ok(())
}

/// Pauses or resumes tournaments that were started before.
pub(crate) async fn switch_mode(host: &Arc<MatchHost>, mode: TournamentMode) -> RequestResult<()> {
    match host.store.look(|state| state.mode) {
        TournamentMode::Stopped => Err(RequestError::conflict("no tournament was started yet")),
        _ => set_mode(host, mode).await,
    }
}

/// Ends the tournament that is being played. Its results stay, and its matches that are being played end without one.
pub(crate) async fn end_tournament(host: &Arc<MatchHost>) -> RequestResult<()> {
    host.enter(|state| {
        let present = state.tournament.as_ref().filter(|tournament| !tournament.is_over);
        let number = present.ok_or_else(|| RequestError::conflict("no tournament is being played"))?.number;
        let unplayed = state.pairings_left().count() as u32;
        Ok(ServerJournalLine::TournamentEnded { number, unplayed, at: now() })
    })
    .await?;
    host.running.break_off(|running| !running.is_of_final);
    host.running.hurry();
    publish::leaderboard(host);
    publish::tournament(host);
    Ok(())
}

/// Removes a bot. A match that it plays ends without a result.
pub(crate) async fn remove(host: &Arc<MatchHost>, id: &str) -> RequestResult<()> {
    let missing = || RequestError::missing("there is no bot of this number");
    let bot = BotId(id.parse().map_err(|_| missing())?);
    let entered = host.enter(move |state| {
        state.bot(bot).ok_or_else(missing)?;
        Ok(ServerJournalLine::Removed { bot, at: now() })
    });
    entered.await?;
    host.running.break_off(|running| running.bots.contains(&bot));
    host.health().forget(bot);
    host.running.wake();
    publish::bots(host);
    publish::leaderboard(host);
    publish::tournament(host);
    Ok(())
}

/// Removes all matches and tournaments from the history, with their records. Bots stay.
pub(crate) async fn clear_history(host: &Arc<MatchHost>) -> RequestResult<()> {
    host.enter(|_| Ok(ServerJournalLine::HistoryCleared { at: now() })).await?;
    host.running.break_off(|_| true);
    host.running.hurry();
    publish::leaderboard(host);
    publish::tournament(host);
    host.blocking(|host| {
        records::sweep(host, Sweep::Older);
        Ok(())
    })
    .await
}

/// Changes settings. Matches that are being played keep the old ones.
pub(crate) async fn change_settings(host: &Arc<MatchHost>, change: SettingsChange) -> RequestResult<ServerSettings> {
    let line = host.enter(move |state| {
        let settings = state.settings.changed(change).map_err(RequestError::bad)?;
        Ok(ServerJournalLine::Settings { settings, at: now() })
    });
    let ServerJournalLine::Settings { settings, .. } = line.await? else { unreachable!("it was just made") };
    host.running.hurry();
    publish::settings(host);
    Ok(settings)
}
