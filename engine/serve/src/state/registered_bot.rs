//! Registered bots.

use crate::state::bot_address::BotAddress;
use crate::state::leaderboard::BotStats;
use crate::state::name::BotId;
use crate::state::name::BotName;

/// A registered bot.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RegisteredBot {
    pub(crate) id: BotId,
    pub(crate) name: BotName,
    pub(crate) password: String,
    /// The SHA-256 of the token with which programs of the team come, in hexadecimal digits.
    pub(crate) token: Option<String>,
    pub(crate) url: Option<BotAddress>,
    pub(crate) registered: String,
    pub(crate) updated: String,
    /// Results of all matches.
    pub(crate) all: BotStats,
    /// Results of the current tournament.
    pub(crate) current: BotStats,
    /// The fault in its last match, if there was one.
    pub(crate) fault: Option<String>,
    /// The median duration of its answers in its last match, in milliseconds.
    pub(crate) median_ms: Option<f64>,
}
