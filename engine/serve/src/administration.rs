//! Commands of the administrator: start, pause, resume, remove a bot, clear the history, change settings.

use super::app::App;
use super::journal_line::{BotId, ServerJournalLine, TournamentMode, now};
use super::records::Sweep;
use super::request_error::RequestError;
use super::settings::{ServerSettings, SettingsChange};
use std::sync::Arc;

impl App {
    /// Starts tournaments.
    pub(super) async fn start(self: &Arc<App>) -> Result<(), RequestError> {
        self.set_mode(TournamentMode::Running).await
    }

    /// Lets no match begin any more. Matches that are being played are played to their end.
    pub(super) async fn pause(self: &Arc<App>) -> Result<(), RequestError> {
        self.check_started()?;
        self.set_mode(TournamentMode::Paused).await
    }

    /// Lets matches begin again.
    pub(super) async fn resume(self: &Arc<App>) -> Result<(), RequestError> {
        self.check_started()?;
        self.set_mode(TournamentMode::Running).await
    }

    fn check_started(&self) -> Result<(), RequestError> {
        match self.store.look(|state| state.mode) {
            TournamentMode::Stopped => Err(RequestError::conflict("no tournament was started yet")),
            _ => Ok(()),
        }
    }

    /// Enters the mode, unless it is the current one.
    async fn set_mode(self: &Arc<App>, mode: TournamentMode) -> Result<(), RequestError> {
        if self.store.look(|state| state.mode) != mode {
            self.enter(move |_| Ok(ServerJournalLine::Mode { mode, at: now() })).await?;
        }
        self.matches.hurry();
        self.tell_tournament();
        Ok(())
    }

    /// Removes a bot. A match that it plays ends without a result.
    pub(super) async fn remove(self: &Arc<App>, bot: BotId) -> Result<(), RequestError> {
        let entered = self.enter(move |state| {
            state.bot(bot).ok_or_else(|| RequestError::missing("there is no bot of this number"))?;
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
    pub(super) async fn clear_history(self: &Arc<App>) -> Result<(), RequestError> {
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
    pub(super) async fn change_settings(
        self: &Arc<App>,
        change: SettingsChange,
    ) -> Result<ServerSettings, RequestError> {
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
