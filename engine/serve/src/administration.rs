//! Commands of the administrator: start, pause, resume, remove a bot, clear the history, change settings.

use super::app::App;
use super::journal_line::{BotId, ServerJournalLine, TournamentMode, now};
use super::records::Sweep;
use super::request_error::{RequestError, RequestResult};
use super::settings::{ServerSettings, SettingsChange};
use std::sync::Arc;

impl App {
    /// Enters the mode, unless it is the current one. Paused, no match begins; matches that are being played are played
    /// to their end.
    pub(super) async fn set_mode(self: &Arc<App>, mode: TournamentMode) -> RequestResult<()> {
        if self.store.look(|state| state.mode) != mode {
            self.enter(move |_| Ok(ServerJournalLine::Mode { mode, at: now() })).await?;
        }
        self.matches.hurry();
        self.tell_tournament();
        Ok(())
    }

    /// Pauses or resumes tournaments that were started before.
    pub(super) async fn switch_mode(self: &Arc<App>, mode: TournamentMode) -> RequestResult<()> {
        match self.store.look(|state| state.mode) {
            TournamentMode::Stopped => Err(RequestError::conflict("no tournament was started yet")),
            _ => self.set_mode(mode).await,
        }
    }

    /// Removes a bot. A match that it plays ends without a result.
    pub(super) async fn remove(self: &Arc<App>, id: &str) -> RequestResult<()> {
        let missing = || RequestError::missing("there is no bot of this number");
        let bot = BotId(id.parse().map_err(|_| missing())?);
        let entered = self.enter(move |state| {
            state.bot(bot).ok_or_else(missing)?;
            Ok(ServerJournalLine::Removed { bot, at: now() })
        });
        entered.await?;
        self.matches.break_off(Some(bot));
        self.health().forget(bot);
        self.matches.wake();
        self.tell_bots();
        self.tell_leaderboard();
        self.tell_tournament();
        Ok(())
    }

    /// Removes all matches and tournaments from the history, with their records. Bots stay.
    pub(super) async fn clear_history(self: &Arc<App>) -> RequestResult<()> {
        self.enter(|_| Ok(ServerJournalLine::HistoryCleared { at: now() })).await?;
        self.matches.break_off(None);
        self.matches.hurry();
        self.tell_leaderboard();
        self.tell_tournament();
        self.blocking(|app| {
            app.sweep_records(Sweep::Older);
            Ok(())
        })
        .await
    }

    /// Changes settings. Matches that are being played keep the old ones.
    pub(super) async fn change_settings(self: &Arc<App>, change: SettingsChange) -> RequestResult<ServerSettings> {
        let line = self.enter(move |state| {
            let settings = state.settings.changed(change).map_err(RequestError::bad)?;
            Ok(ServerJournalLine::Settings { settings, at: now() })
        });
        let ServerJournalLine::Settings { settings, .. } = line.await? else { unreachable!("it was just made") };
        self.matches.hurry();
        self.tell_settings();
        Ok(settings)
    }
}
