//! What the administrator does: start, pause, remove, clear, change settings.

use super::line::{BotId, Line, Mode, now};
use super::records::Sweep;
use super::{Refusal, Settings, SettingsChange, Venue};
use std::sync::Arc;
use tokio::task::spawn_blocking;

impl Venue {
    /// Tournaments are played from now on.
    pub(super) async fn start(self: &Arc<Venue>) -> Result<(), Refusal> {
        self.set_mode(Mode::Running).await
    }

    /// No match begins any more; those that are being played are played to their end.
    pub(super) async fn pause(self: &Arc<Venue>) -> Result<(), Refusal> {
        if self.books.look(|ledger| ledger.mode()) == Mode::Stopped {
            return Err(Refusal::conflict("no tournament was started yet"));
        }
        self.set_mode(Mode::Paused).await
    }

    /// Matches begin again.
    pub(super) async fn resume(self: &Arc<Venue>) -> Result<(), Refusal> {
        if self.books.look(|ledger| ledger.mode()) == Mode::Stopped {
            return Err(Refusal::conflict("no tournament was started yet"));
        }
        self.set_mode(Mode::Running).await
    }

    /// Nothing is entered if it is so already.
    async fn set_mode(self: &Arc<Venue>, mode: Mode) -> Result<(), Refusal> {
        if self.books.look(|ledger| ledger.mode()) != mode {
            self.enter(move |_| Ok(Line::Mode { mode, at: now() })).await?;
        }
        self.floor.hurry();
        self.tell_tournament();
        Ok(())
    }

    /// A bot is gone. A match that it plays ends without a result.
    pub(super) async fn remove(self: &Arc<Venue>, bot: BotId) -> Result<(), Refusal> {
        let entered = self.enter(move |ledger| {
            ledger.bot(bot).ok_or_else(|| Refusal::missing("there is no bot of this number"))?;
            Ok(Line::Removed { bot, at: now() })
        });
        entered.await?;
        self.floor.break_off(Some(bot));
        self.conditions().forget(bot);
        self.floor.wake();
        self.tell_bots();
        self.tell_leaderboard();
        self.tell_tournament();
        Ok(())
    }

    /// All matches and tournaments are forgotten, and their records removed. Bots stay.
    pub(super) async fn clear_history(self: &Arc<Venue>) -> Result<(), Refusal> {
        self.enter(|_| Ok(Line::HistoryCleared { at: now() })).await?;
        self.floor.break_off(None);
        self.floor.hurry();
        self.tell_leaderboard();
        self.tell_tournament();
        let venue = Arc::clone(self);
        spawn_blocking(move || venue.sweep_records(Sweep::Older)).await.map_err(Refusal::internal)?;
        Ok(())
    }

    /// Other settings from now on; matches that are being played keep theirs.
    pub(super) async fn change_settings(self: &Arc<Venue>, change: SettingsChange) -> Result<Settings, Refusal> {
        let line = self.enter(move |ledger| {
            let settings = ledger.settings().changed(change).map_err(Refusal::bad)?;
            Ok(Line::Settings { settings, at: now() })
        });
        let Line::Settings { settings, .. } = line.await? else { unreachable!("it was just made") };
        self.floor.hurry();
        self.tell_settings();
        Ok(settings)
    }
}
