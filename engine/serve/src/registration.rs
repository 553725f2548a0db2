//! Commands of teams: register a bot, set its URL, log in.

use super::app::App;
use super::bot_address::BotAddress;
use super::journal_line::{BotId, ServerJournalLine, now};
use super::name::BotName;
use super::request_error::RequestError;
use super::server_state::{RegisteredBot, ServerState};
use super::wire::BotView;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

/// The most bots. A round robin of 1,000 bots has 499,500 matches.
const MOST: usize = 1000;

impl App {
    /// Registers a new bot.
    pub(super) async fn register(
        self: &Arc<App>,
        from: IpAddr,
        name: &str,
        password: String,
        again: &str,
    ) -> Result<BotView, RequestError> {
        self.throttles.register.ask(from, Instant::now()).map_err(RequestError::too_often)?;
        let name = BotName::new(name).map_err(|e| RequestError::bad(e.to_string()))?;
        if password != again {
            return Err(RequestError::bad("the passwords are not the same"));
        }
        self.store.look(|state| may_join(state.named(&name), state.bots().count()))?;
        let password = self.passwords.hash(password).await?;
        let line = self.enter(move |state| {
            may_join(state.named(&name), state.bots().count())?;
            Ok(ServerJournalLine::Registered { bot: state.next_bot(), name, password, at: now() })
        });
        let ServerJournalLine::Registered { bot, .. } = line.await? else { unreachable!("it was just made") };
        self.tell_bots();
        self.tell_leaderboard();
        self.view_of(bot)
    }

    /// Sets the URL of a bot.
    pub(super) async fn set_url(
        self: &Arc<App>,
        from: IpAddr,
        name: &str,
        password: String,
        url: &str,
    ) -> Result<BotView, RequestError> {
        self.throttles.set_url.ask(from, Instant::now()).map_err(RequestError::too_often)?;
        let url = BotAddress::new(url).map_err(|e| RequestError::bad(e.to_string()))?;
        let bot = self.authenticate(name, password).await?.id;
        let entered = self.enter(move |state| {
            state.bot(bot).ok_or_else(|| RequestError::missing("the bot was removed"))?;
            Ok(ServerJournalLine::UrlSet { bot, url, at: now() })
        });
        entered.await?;
        self.health().forget(bot);
        self.tell_bots();
        self.matches.wake();
        self.view_of(bot)
    }

    /// The bot with this name, if the password is right.
    pub(super) async fn authenticate(&self, name: &str, password: String) -> Result<RegisteredBot, RequestError> {
        let unknown = || RequestError::missing("there is no bot of this name");
        let name = BotName::new(name).map_err(|_| unknown())?;
        let entry = self.store.look(|state| state.named(&name).cloned()).ok_or_else(unknown)?;
        if self.passwords.is_right(password, entry.password.clone()).await? {
            Ok(entry)
        } else {
            Err(RequestError::forbidden("the password is wrong"))
        }
    }

    /// Enters a line, on a thread that may wait for the disk.
    pub(super) async fn enter(
        self: &Arc<App>,
        make: impl FnOnce(&ServerState) -> Result<ServerJournalLine, RequestError> + Send + 'static,
    ) -> Result<ServerJournalLine, RequestError> {
        self.blocking(move |app| app.store.enter(make)).await
    }

    fn view_of(&self, bot: BotId) -> Result<BotView, RequestError> {
        let entry = self.store.look(|state| state.bot(bot).cloned());
        entry.map(|entry| self.own(&entry)).ok_or_else(|| RequestError::missing("the bot was removed"))
    }
}

fn may_join(namesake: Option<&RegisteredBot>, bots: usize) -> Result<(), RequestError> {
    match namesake {
        Some(entry) => Err(RequestError::conflict(format!("there is a bot called {} already", entry.name))),
        None if bots >= MOST => Err(RequestError::conflict(format!("there are {MOST} bots, and no room for more"))),
        None => Ok(()),
    }
}
