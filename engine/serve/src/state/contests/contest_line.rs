//! The lines of the journal about contests.

use super::contest::results_of;
use super::contest_settings::ContestSettings;
use super::version::{Acceptance, Rejection};
use crate::state::journal_line::BotId;
use crate::state::server_state::ServerState;
use rules::{BySeat, Outcome};
use serde::{Deserialize, Serialize};
use tournament::{GameResult, Pentanomial};

/// A line about one contest. Times are in RFC 3339.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "what")]
pub enum ContestLine {
    /// The contest began, or its settings changed. Its game never does.
    Settings {
        /// All settings.
        settings: ContestSettings,
    },
    /// A version was handed in.
    Submitted {
        /// The team.
        bot: BotId,
        /// The number of the version.
        version: u32,
        /// The SHA-256 of its archive, in hexadecimal digits.
        archive: String,
        /// The size of its archive, in bytes.
        bytes: u64,
    },
    /// A version is unpacked, built and tried.
    Judged {
        /// The team.
        bot: BotId,
        /// The number of the version.
        version: u32,
    },
    /// A version was accepted.
    Accepted {
        /// The team.
        bot: BotId,
        /// The number of the version.
        version: u32,
        /// What is known of it.
        #[serde(flatten)]
        acceptance: Acceptance,
    },
    /// A version was rejected.
    Rejected {
        /// The team.
        bot: BotId,
        /// The number of the version.
        version: u32,
        /// The reason.
        #[serde(flatten)]
        rejection: Rejection,
    },
    /// An accepted version plays from now on in the place of the one before.
    Activated {
        /// The team.
        bot: BotId,
        /// The number of the version.
        version: u32,
    },
    /// A version that had failed again and again plays no pairs, or plays again.
    Parked {
        /// The team.
        bot: BotId,
        /// The number of the version.
        version: u32,
        /// The reason; `None` if it plays again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// Ranked pairs are played from now on, or not.
    Ranked {
        /// True if they are played.
        on: bool,
        /// The reason, in words, if the server itself has stopped them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// A pair of games was played to its end.
    Pair(Box<PairLine>),
    /// Pairs count no more.
    Voided {
        /// The numbers of the pairs.
        pairs: Vec<u64>,
        /// What their entrants lose, as results of pairings, by the first entrant.
        results: Vec<VoidPairing>,
    },
}

impl ContestLine {
    /// The change in words, for the operator; `state` is that after it.
    pub(crate) fn in_words(&self, state: &ServerState) -> String {
        let of = |bot: &BotId, version: &u32| {
            let name = state.bot(*bot).map_or_else(|| format!("bot {bot}"), |bot| bot.name.to_string());
            format!("version {version} of {name}")
        };
        match self {
            ContestLine::Settings { settings } => format!("{} has these settings from now on", settings.title),
            ContestLine::Submitted { bot, version, .. } => format!("{} was handed in", of(bot, version)),
            ContestLine::Judged { bot, version } => format!("{} is built and tried", of(bot, version)),
            ContestLine::Accepted { bot, version, .. } => format!("{} is accepted", of(bot, version)),
            ContestLine::Rejected { bot, version, .. } => format!("{} is rejected", of(bot, version)),
            ContestLine::Activated { bot, version } => format!("{} plays", of(bot, version)),
            ContestLine::Parked { bot, version, why: Some(_) } => format!("{} is parked", of(bot, version)),
            ContestLine::Parked { bot, version, why: None } => format!("{} plays again", of(bot, version)),
            ContestLine::Ranked { on: true, .. } => "ranked games are played".to_owned(),
            ContestLine::Ranked { on: false, .. } => "ranked games are stopped".to_owned(),
            ContestLine::Pair(pair) => {
                let half_points: u32 = results_of(pair).into_iter().map(GameResult::half_points).sum();
                let points = f64::from(half_points) / 2.0;
                let [first, second] = &pair.names;
                format!("pair {}: {first} {points} : {} {second}", pair.id, 2.0 - points)
            }
            ContestLine::Voided { pairs, .. } => format!("{} pairs are void", pairs.len()),
        }
    }
}

/// One that plays in a contest: a version of a bot, or a player of the engine.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum LadderEntrant {
    /// A version of a bot.
    Version {
        /// The team.
        bot: BotId,
        /// The number of the version.
        version: u32,
    },
    /// A player of the engine.
    Baseline {
        /// Its name, such as `builtin:hunter`.
        baseline: String,
    },
}

/// A pair of games: one seed, and the seats swapped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PairLine {
    /// The number of the pair, counted from 1 in each contest.
    pub id: u64,
    /// The entrants; the first has seat A in the first game and seat B in the second.
    pub entrants: [LadderEntrant; 2],
    /// Their names at that time.
    pub names: [String; 2],
    /// The seed of both games, in decimal digits.
    pub seed: String,
    /// The games.
    pub games: [LadderGame; 2],
    /// False for one that was asked for, and does not count.
    pub is_ranked: bool,
    /// The time that it took, in milliseconds.
    pub took_ms: u64,
}

/// A game of a pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LadderGame {
    /// The outcome.
    pub outcome: Outcome,
    /// The turns of each player without an order that was obeyed.
    pub lost: BySeat<u32>,
    /// The path of the record, relative to the server's folder; `None` if it is not kept any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
}

/// Results of a pairing that are void.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VoidPairing {
    /// The entrants.
    pub entrants: [LadderEntrant; 2],
    /// The pairs by the points of the first.
    pub pairs: Pentanomial,
}
