//! The team that a browser is logged in as.

use crate::state::registered_bot::RegisteredBot;
use crate::state::request_error::{RequestError, RequestResult};
use crate::teams::access::Access;
use std::time::Instant;

/// The team of a browser, for pages.
#[derive(Debug, Clone, Default)]
pub(crate) struct Team {
    /// Its bot, if it is logged in.
    pub(crate) bot: Option<RegisteredBot>,
    /// True if it was logged in, and is no longer: the server was started again, the time is over, or the bot was removed.
    pub(crate) has_ended: bool,
}

impl Team {
    /// True if the team is logged in, and this is the number of its bot.
    pub(crate) fn is(&self, id: &str) -> bool {
        self.bot.as_ref().is_some_and(|bot| bot.id.to_string() == id)
    }
}

/// The team that sent a request with this token.
pub(crate) fn team(access: &Access, token: Option<&str>) -> Team {
    let Some(token) = token.filter(|token| !token.is_empty()) else {
        return Team::default();
    };
    let bot = access.team_sessions.holder(token, Instant::now());
    let bot = bot.and_then(|bot| access.host.store.look(|state| state.bot(bot).cloned()));
    Team { has_ended: bot.is_none(), bot }
}

/// The bot with this name, if the token is that of its team.
pub(crate) fn own_bot(access: &Access, token: Option<&str>, name: &str) -> RequestResult<RegisteredBot> {
    let wanted = access.named(name).ok_or_else(|| RequestError::missing("there is no bot of this name"))?;
    match team(access, token) {
        Team { bot: Some(own), .. } if own.id == wanted.id => Ok(own),
        Team { bot: Some(own), .. } => {
            Err(RequestError::forbidden(format!("you are logged in as {}; log out first", own.name)))
        }
        Team { has_ended: true, .. } => Err(RequestError::unauthorized("your log-in has ended; log in again")),
        Team { .. } => Err(RequestError::unauthorized("log in first")),
    }
}
