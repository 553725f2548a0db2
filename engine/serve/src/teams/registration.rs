//! Commands of teams: register a bot, set its URL, log in.

use crate::matches::publish;
use crate::state::bot_address::BotAddress;
use crate::state::journal_line::{ServerJournalLine, now};
use crate::state::name::BotId;
use crate::state::name::BotName;
use crate::state::registered_bot::RegisteredBot;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::server_state::ServerState;
use crate::teams::access::{Access, ClientAddress};
use rules::look_alike;
use serde::Deserialize;
use std::time::Instant;
use utoipa::ToSchema;

/// The most bots. A round robin of 1,000 bots has 499,500 matches.
const MOST: usize = 1000;

/// The registration of a bot.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Registration {
    /// The name of the bot. Names that differ in upper and lower case only are the same.
    #[schema(max_length = 32, example = "Deep Water")]
    pub(crate) name: String,
    /// The password for changing the URL and for tests.
    #[schema(min_length = 4, max_length = 128)]
    pub(crate) password: String,
    /// The password again.
    pub(crate) confirm_password: String,
    /// The code for joining, if the organiser has given one.
    pub(crate) code: Option<String>,
}

/// The new URL of a bot.
#[derive(Deserialize, ToSchema)]
pub(crate) struct UrlChange {
    /// The bot's name.
    pub(crate) name: String,
    /// The bot's password.
    pub(crate) password: String,
    /// The base URL of the bot: `/placement` and `/move` are added to its path.
    #[schema(max_length = 300, example = "http://192.168.0.7:4000")]
    pub(crate) url: String,
}

/// A name and a password, which prove that a bot is one's own.
#[derive(Deserialize, ToSchema)]
pub(crate) struct BotCredentials {
    /// The bot's name.
    pub(crate) name: String,
    /// The bot's password.
    pub(crate) password: String,
}

/// Registers a new bot.
pub(crate) async fn register(
    access: &Access,
    from: ClientAddress,
    wanted: Registration,
) -> RequestResult<RegisteredBot> {
    access.check_code(from, wanted.code.as_deref().unwrap_or_default()).await?;
    let name = BotName::new(&wanted.name).map_err(|e| RequestError::bad(e.to_string()))?;
    if wanted.password != wanted.confirm_password {
        return Err(RequestError::bad("the passwords are not the same"));
    }
    access.host.store.look(|state| may_join(state, &name))?;
    access.throttles.register.count(from.network())?;
    let password = access.passwords.hash(from.network(), wanted.password).await?;
    let line = access.host.enter(move |state| {
        may_join(state, &name)?;
        Ok(ServerJournalLine::Registered { bot: state.next_bot(), name, password, at: now() })
    });
    let ServerJournalLine::Registered { bot, .. } = line.await? else { unreachable!("it was just made") };
    publish::bots(&access.host);
    publish::leaderboard(&access.host);
    registered(access, bot)
}

/// Sets the URL of a bot whose password is known.
pub(crate) async fn set_url(access: &Access, from: ClientAddress, wanted: UrlChange) -> RequestResult<RegisteredBot> {
    let url = checked_url(&wanted.url)?;
    let bot = access.authenticate(from, &wanted.name, wanted.password).await?.id;
    enter_url(access, bot, url).await
}

/// Sets the URL of the bot of a team that is logged in.
pub(crate) async fn set_own_url(access: &Access, bot: BotId, url: &str) -> RequestResult<RegisteredBot> {
    enter_url(access, bot, checked_url(url)?).await
}

async fn enter_url(access: &Access, bot: BotId, url: BotAddress) -> RequestResult<RegisteredBot> {
    access.throttles.set_url.count(bot)?;
    let entered = access.host.enter(move |state| {
        state.bot(bot).ok_or_else(|| RequestError::missing("the bot was removed"))?;
        Ok(ServerJournalLine::UrlSet { bot, url, at: now() })
    });
    entered.await?;
    access.host.health().forget_faults(bot);
    publish::bots(&access.host);
    publish::tournament(&access.host);
    access.host.running.wake();
    registered(access, bot)
}

/// Logs a team in. Returns the token of the log-in, and the bot.
pub(crate) async fn log_team_in(
    access: &Access,
    from: ClientAddress,
    bot: BotCredentials,
) -> RequestResult<(String, RegisteredBot)> {
    let entry = access.authenticate(from, &bot.name, bot.password).await?;
    Ok((access.team_sessions.begin(entry.id, Instant::now()), entry))
}

/// Gives a team a new password, for the administrator. Its log-ins end, and its token.
pub(crate) async fn reset_password(
    access: &Access,
    from: ClientAddress,
    id: &str,
    password: String,
) -> RequestResult<()> {
    let missing = || RequestError::missing("there is no bot of this number");
    let bot = BotId(id.parse().map_err(|_| missing())?);
    let password = access.passwords.hash(from.network(), password).await?;
    let entered = access.host.enter(move |state| {
        state.bot(bot).ok_or_else(missing)?;
        Ok(ServerJournalLine::PasswordSet { bot, password, at: now() })
    });
    entered.await?;
    access.team_sessions.end_all(bot);
    Ok(())
}

/// Gives a bot another name, which must be free. The name before is free then.
pub(crate) async fn rename(access: &Access, id: &str, name: &str) -> RequestResult<()> {
    let missing = || RequestError::missing("there is no bot of this number");
    let bot = BotId(id.parse().map_err(|_| missing())?);
    let name = BotName::new(name).map_err(|e| RequestError::bad(e.to_string()))?;
    let entered = access.host.enter(move |state| {
        state.bot(bot).ok_or_else(missing)?;
        is_free(state, &name, Some(bot))?;
        Ok(ServerJournalLine::Renamed { bot, name, at: now() })
    });
    entered.await?;
    publish::bots(&access.host);
    publish::leaderboard(&access.host);
    publish::tournament(&access.host);
    Ok(())
}

fn registered(access: &Access, bot: BotId) -> RequestResult<RegisteredBot> {
    access.host.store.look(|state| state.bot(bot).cloned()).ok_or_else(|| RequestError::missing("the bot was removed"))
}

/// The URL of a bot in a text.
pub(crate) fn bot_url(text: &str) -> RequestResult<BotAddress> {
    let url = BotAddress::new(text).map_err(|e| RequestError::bad(e.to_string()))?;
    // Not in the address itself: the journal of an earlier version may have one.
    url.target.check_host().map_err(|e| RequestError::bad(e.to_string()))?;
    Ok(url)
}

/// The base URL of a bot for Sea Battle in a text.
pub(crate) fn checked_url(text: &str) -> RequestResult<BotAddress> {
    let url = bot_url(text)?;
    match url.endpoint() {
        None => Ok(url),
        Some(endpoint) => Err(RequestError::bad(format!(
            "leave out /{endpoint} at the end of the URL: the server adds /placement and /move itself"
        ))),
    }
}

/// Checks that no bot but this one has the name, or one that looks like it.
fn is_free(state: &ServerState, name: &BotName, bot: Option<BotId>) -> RequestResult<()> {
    if let Some(namesake) = state.named(name).filter(|other| Some(other.id) != bot) {
        return Err(RequestError::conflict(format!("there is a bot called {} already", namesake.name)));
    }
    let is_like = |other: &&RegisteredBot| Some(other.id) != bot && look_alike(other.name.as_str(), name.as_str());
    if let Some(other) = state.bots().find(is_like) {
        return Err(RequestError::conflict(format!("the name looks like that of {}; choose another one", other.name)));
    }
    Ok(())
}

fn may_join(state: &ServerState, name: &BotName) -> RequestResult<()> {
    is_free(state, name, None)?;
    if state.bots().count() >= MOST {
        return Err(RequestError::conflict(format!("there are {MOST} bots, and no room for more")));
    }
    Ok(())
}
