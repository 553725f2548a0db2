//! Commands of teams: register a bot, set its URL, log in.

use super::app::App;
use super::bot_address::BotAddress;
use super::guard::ClientAddress;
use super::journal_line::{BotId, ServerJournalLine, now};
use super::name::BotName;
use super::request_error::{RequestError, RequestResult};
use super::server_state::{RegisteredBot, ServerState};
use super::wire::BotView;
use rules::look_alike;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Instant;
use utoipa::ToSchema;

/// The most bots. A round robin of 1,000 bots has 499,500 matches.
const MOST: usize = 1000;

/// The registration of a bot.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Registration {
    /// The name of the bot. Names that differ in upper and lower case only are the same.
    #[schema(max_length = 32, example = "Deep Water")]
    pub(super) name: String,
    /// The password for changing the URL and for tests.
    #[schema(min_length = 6, max_length = 128)]
    pub(super) password: String,
    /// The password again.
    pub(super) confirm_password: String,
}

/// The new URL of a bot.
#[derive(Deserialize, ToSchema)]
pub(super) struct UrlChange {
    /// The bot's name.
    pub(super) name: String,
    /// The bot's password.
    pub(super) password: String,
    /// The base URL of the bot: `/placement` and `/move` are added to its path.
    #[schema(max_length = 300, example = "http://192.168.0.7:4000")]
    pub(super) url: String,
}

/// A name and a password, which prove that a bot is one's own.
#[derive(Deserialize, ToSchema)]
pub(super) struct BotCredentials {
    /// The bot's name.
    pub(super) name: String,
    /// The bot's password.
    pub(super) password: String,
}

impl App {
    /// Registers a new bot.
    pub(super) async fn register(self: &Arc<App>, from: ClientAddress, wanted: Registration) -> RequestResult<BotView> {
        self.throttles.register.count(from.ip)?;
        let name = BotName::new(&wanted.name).map_err(|e| RequestError::bad(e.to_string()))?;
        if wanted.password != wanted.confirm_password {
            return Err(RequestError::bad("the passwords are not the same"));
        }
        self.store.look(|state| may_join(state, &name))?;
        let password = self.passwords.hash(wanted.password).await?;
        let line = self.enter(move |state| {
            may_join(state, &name)?;
            Ok(ServerJournalLine::Registered { bot: state.next_bot(), name, password, at: now() })
        });
        let ServerJournalLine::Registered { bot, .. } = line.await? else { unreachable!("it was just made") };
        self.tell_bots();
        self.tell_leaderboard();
        self.view_of(bot)
    }

    /// Sets the URL of a bot whose password is known.
    pub(super) async fn set_url(self: &Arc<App>, from: ClientAddress, wanted: UrlChange) -> RequestResult<BotView> {
        self.throttles.set_url.count(from.ip)?;
        let url = checked_url(&wanted.url)?;
        let bot = self.authenticate(&wanted.name, wanted.password).await?.id;
        self.enter_url(bot, url).await
    }

    /// Sets the URL of the bot of a team that is logged in.
    pub(super) async fn set_own_url(
        self: &Arc<App>,
        from: ClientAddress,
        bot: BotId,
        url: &str,
    ) -> RequestResult<BotView> {
        self.throttles.set_url.count(from.ip)?;
        self.enter_url(bot, checked_url(url)?).await
    }

    async fn enter_url(self: &Arc<App>, bot: BotId, url: BotAddress) -> RequestResult<BotView> {
        let entered = self.enter(move |state| {
            state.bot(bot).ok_or_else(|| RequestError::missing("the bot was removed"))?;
            Ok(ServerJournalLine::UrlSet { bot, url, at: now() })
        });
        entered.await?;
        self.health().forget(bot);
        self.tell_bots();
        self.tell_tournament();
        self.matches.wake();
        self.view_of(bot)
    }

    /// Logs a team in. Returns the token of the log-in, and the bot.
    pub(super) async fn log_team_in(
        &self,
        from: ClientAddress,
        bot: BotCredentials,
    ) -> RequestResult<(String, RegisteredBot)> {
        self.throttles.team_login.count(from.ip)?;
        let entry = self.authenticate(&bot.name, bot.password).await?;
        Ok((self.team_sessions.begin(entry.id, Instant::now()), entry))
    }

    /// The bot with this name, if the password is right.
    pub(super) async fn authenticate(&self, name: &str, password: String) -> RequestResult<RegisteredBot> {
        let entry = self.named(name).ok_or_else(|| RequestError::missing("there is no bot of this name"))?;
        if self.passwords.is_right(password, entry.password.clone()).await? {
            Ok(entry)
        } else {
            Err(RequestError::forbidden("the password is wrong"))
        }
    }

    /// The bot with this name, in upper or lower case.
    pub(super) fn named(&self, name: &str) -> Option<RegisteredBot> {
        let name = BotName::registered(name).ok()?;
        self.store.look(|state| state.named(&name).cloned())
    }

    /// Enters a line, on a thread that may wait for the disk.
    pub(super) async fn enter(
        self: &Arc<App>,
        make: impl FnOnce(&ServerState) -> RequestResult<ServerJournalLine> + Send + 'static,
    ) -> RequestResult<ServerJournalLine> {
        self.blocking(move |app| app.store.enter(make)).await
    }

    fn view_of(&self, bot: BotId) -> RequestResult<BotView> {
        let entry = self.store.look(|state| state.bot(bot).cloned());
        entry.map(|entry| self.own(&entry)).ok_or_else(|| RequestError::missing("the bot was removed"))
    }
}

/// The base URL in a text.
fn checked_url(text: &str) -> RequestResult<BotAddress> {
    let url = BotAddress::new(text).map_err(|e| RequestError::bad(e.to_string()))?;
    match url.endpoint() {
        None => Ok(url),
        Some(endpoint) => Err(RequestError::bad(format!(
            "leave out /{endpoint} at the end of the URL: the server adds /placement and /move itself"
        ))),
    }
}

fn may_join(state: &ServerState, name: &BotName) -> RequestResult<()> {
    if let Some(namesake) = state.named(name) {
        return Err(RequestError::conflict(format!("there is a bot called {} already", namesake.name)));
    }
    if let Some(other) = state.bots().find(|other| look_alike(other.name.as_str(), name.as_str())) {
        return Err(RequestError::conflict(format!("the name looks like that of {}; choose another one", other.name)));
    }
    if state.bots().count() >= MOST {
        return Err(RequestError::conflict(format!("there are {MOST} bots, and no room for more")));
    }
    Ok(())
}
