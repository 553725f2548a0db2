//! The lines of the journal, `arena.jsonl`: all that the server must not forget.

use super::{BotName, BotUrl, Settings};
use rules::{BySeat, Outcome};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The name of the journal in the server's folder.
pub const ARENA_JSONL: &str = "arena.jsonl";
/// What every journal says it is.
pub(super) const FORMAT: &str = "broadside arena";
/// The version of the format that is written, and the newest that is read.
pub(super) const VERSION: u32 = 1;

/// The number of a bot. No other ever has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BotId(pub u32);

impl fmt::Display for BotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Whether tournaments are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Not yet.
    #[default]
    Stopped,
    /// One after the other.
    Running,
    /// Not now; the present one goes on later.
    Paused,
}

impl Mode {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Stopped => "stopped",
            Mode::Running => "running",
            Mode::Paused => "paused",
        }
    }
}

/// A line of the journal. Times are in RFC 3339.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "kebab-case")]
pub enum Line {
    /// The first.
    Arena {
        /// `broadside arena`.
        format: String,
        /// Of the format.
        version: u32,
        /// Tells this journal from all others.
        mark: String,
        /// What all seeds are derived from, as text.
        seed: String,
        /// Which program began it.
        engine: String,
        /// When.
        at: String,
    },
    /// A bot joined.
    Registered {
        /// Its number.
        bot: BotId,
        /// Its name.
        name: BotName,
        /// The argon2id hash of its password.
        password: String,
        /// When.
        at: String,
    },
    /// A bot can be reached there from now on.
    UrlSet {
        /// Which.
        bot: BotId,
        /// Where.
        url: BotUrl,
        /// When.
        at: String,
    },
    /// A bot is gone. What it played stays.
    Removed {
        /// Which.
        bot: BotId,
        /// When.
        at: String,
    },
    /// A tournament begins.
    TournamentBegun {
        /// Its number, counted from 1.
        number: u32,
        /// What the order of its matches is derived from, as text.
        seed: String,
        /// Who takes part.
        bots: Vec<BotId>,
        /// When.
        at: String,
    },
    /// A match was played to its end.
    Match(Box<MatchLine>),
    /// A tournament is over.
    TournamentEnded {
        /// Which.
        number: u32,
        /// How many matches were left out, because a bot could not be reached.
        unplayed: u32,
        /// When.
        at: String,
    },
    /// Tournaments are played, or not.
    Mode {
        /// Which.
        mode: Mode,
        /// When.
        at: String,
    },
    /// The settings from now on.
    Settings {
        /// All of them.
        settings: Settings,
        /// When.
        at: String,
    },
    /// All matches and tournaments are forgotten. Bots stay.
    HistoryCleared {
        /// When.
        at: String,
    },
}

/// A match that was played to its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatchLine {
    /// Its number, counted from 1.
    pub id: u64,
    /// The number of its tournament.
    pub tournament: u32,
    /// Who played, by seats.
    pub bots: BySeat<BotId>,
    /// What they were called.
    pub names: BySeat<BotName>,
    /// Its seed, as text.
    pub seed: String,
    /// How it ended.
    pub outcome: Outcome,
    /// What went wrong with each player, by seats.
    pub faults: BySeat<Option<String>>,
    /// How long each player took for half of its answers at most, in milliseconds.
    pub median_ms: BySeat<Option<f64>>,
    /// Its record, relative to the server's folder.
    pub record: String,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// When it ended.
    pub at: String,
}

/// The time now, as journals have it.
pub(super) fn now() -> String {
    chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
}
