//! The team that a browser is logged in as.

use super::app::App;
use super::guard::cookie;
use super::request_error::{RequestError, RequestResult};
use super::server_state::RegisteredBot;
use axum::http::HeaderMap;
use std::time::Instant;

/// The name of the cookie of a team that is logged in.
pub(super) const TEAM_COOKIE: &str = "broadside_team";

/// The team of a browser, for pages.
#[derive(Debug, Clone, Default)]
pub(super) struct Team {
    /// Its bot, if it is logged in.
    pub(super) bot: Option<RegisteredBot>,
    /// True if it was logged in, and is no longer: the server was started again, the time is over, or the bot was removed.
    pub(super) has_ended: bool,
}

impl Team {
    /// True if the team is logged in, and this is the number of its bot.
    pub(super) fn is(&self, id: &str) -> bool {
        self.bot.as_ref().is_some_and(|bot| bot.id.to_string() == id)
    }
}

impl App {
    /// The team that sent a request.
    pub(super) fn team(&self, headers: &HeaderMap) -> Team {
        let Some(token) = cookie(headers, TEAM_COOKIE).filter(|token| !token.is_empty()) else {
            return Team::default();
        };
        let bot = self.team_sessions.holder(token, Instant::now());
        let bot = bot.and_then(|bot| self.store.look(|state| state.bot(bot).cloned()));
        Team { has_ended: bot.is_none(), bot }
    }

    /// The bot with this name, if the request comes from its team.
    pub(super) fn own_bot(&self, headers: &HeaderMap, name: &str) -> RequestResult<RegisteredBot> {
        let wanted = self.named(name).ok_or_else(|| RequestError::missing("there is no bot of this name"))?;
        match self.team(headers) {
            Team { bot: Some(own), .. } if own.id == wanted.id => Ok(own),
            Team { bot: Some(own), .. } => {
                Err(RequestError::forbidden(format!("you are logged in as {}; log out first", own.name)))
            }
            Team { has_ended: true, .. } => Err(RequestError::unauthorized("your log-in has ended; log in again")),
            Team { .. } => Err(RequestError::unauthorized("log in first")),
        }
    }
}
