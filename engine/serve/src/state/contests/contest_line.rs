//! The lines of the journal about contests.

use crate::state::contests::contest_settings::ContestSettings;
use crate::state::contests::contest_tournament::{PlannedFinal, TournamentPlan};
use crate::state::contests::version::VersionSource;
use crate::state::name::BotId;
use serde::{Deserialize, Serialize};
use submissions::{Acceptance, Rejection};

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
        /// Its archive, or its address.
        #[serde(flatten)]
        source: VersionSource,
        /// True if it plays as soon as it is accepted.
        activates: bool,
    },
    /// A version is unpacked, built and tried.
    Judged {
        /// The team.
        bot: BotId,
        /// The number of the version.
        version: u32,
    },
    /// The server ended before a version had its verdict: it waits again, as if it had not been begun.
    Queued {
        /// The team.
        bot: BotId,
        /// The number of the version.
        version: u32,
    },
    /// A version was accepted. It plays from now on, if its team wanted that.
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
    /// A version that had failed again and again plays no games, or plays again.
    Parked {
        /// The team.
        bot: BotId,
        /// The number of the version.
        version: u32,
        /// The reason; `None` if it plays again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// A bot plays no games until one of its versions is activated, or may play again.
    Retired {
        /// The team.
        bot: BotId,
        /// True if it plays none.
        on: bool,
    },
    /// A bot is not shown to everyone, or is shown again.
    Hidden {
        /// The team.
        bot: BotId,
        /// True if it is not shown.
        on: bool,
    },
    /// A version was removed from the disk. What is known of it stays, and it never plays again.
    Removed {
        /// The team.
        bot: BotId,
        /// The number of the version.
        version: u32,
        /// The reason.
        why: String,
    },
    /// The announcement on the page of the contest is another one.
    Announced {
        /// The text; `None` for no announcement.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// Games count no more.
    Voided {
        /// Which.
        set: VoidSet,
        /// The reason.
        why: String,
    },
    /// A tournament began.
    TournamentBegan {
        /// Its number, counted from 1.
        number: u32,
        /// Its plan.
        #[serde(flatten)]
        plan: TournamentPlan,
    },
    /// A tournament is over.
    TournamentEnded {
        /// Its number.
        number: u32,
        /// The result, in words.
        result: String,
    },
    /// A final is planned.
    FinalPlanned {
        /// When, of how many bots, and of how many games.
        #[serde(flatten)]
        plan: PlannedFinal,
    },
    /// The final that was planned was called off.
    FinalCancelled,
    /// Ranked games are played from now on, or not.
    Ranked {
        /// True if they are played.
        on: bool,
        /// The reason, in words, if the server itself has stopped them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
}

impl ContestLine {
    /// The change in words, for the operator. `name` gives the name of a bot.
    pub(crate) fn in_words(&self, name: impl Fn(BotId) -> String) -> String {
        let of = |bot: &BotId, version: &u32| format!("version {version} of {}", name(*bot));
        match self {
            ContestLine::Settings { settings } => format!("{} has these settings from now on", settings.title),
            ContestLine::Submitted { bot, version, .. } => format!("{} was handed in", of(bot, version)),
            ContestLine::Judged { bot, version } => format!("{} is built and tried", of(bot, version)),
            ContestLine::Queued { bot, version } => format!("{} waits again", of(bot, version)),
            ContestLine::Accepted { bot, version, .. } => format!("{} is accepted", of(bot, version)),
            ContestLine::Rejected { bot, version, rejection } => {
                format!("{} is rejected: {}", of(bot, version), rejection.reason)
            }
            ContestLine::Activated { bot, version } => format!("{} plays", of(bot, version)),
            ContestLine::Parked { bot, version, why: Some(_) } => format!("{} is parked", of(bot, version)),
            ContestLine::Parked { bot, version, why: None } => format!("{} plays again", of(bot, version)),
            ContestLine::Retired { bot, on: true } => format!("{} is retired", name(*bot)),
            ContestLine::Retired { bot, on: false } => format!("{} is retired no more", name(*bot)),
            ContestLine::Hidden { bot, on: true } => format!("{} is hidden", name(*bot)),
            ContestLine::Hidden { bot, on: false } => format!("{} is shown again", name(*bot)),
            ContestLine::Removed { bot, version, why } => {
                format!("{} was removed from the disk: {why}", of(bot, version))
            }
            ContestLine::Announced { text: Some(text) } => format!("announced: {text}"),
            ContestLine::Announced { text: None } => "the announcement was taken away".to_owned(),
            ContestLine::Voided { why, .. } => format!("games are void: {why}"),
            ContestLine::TournamentBegan { number, plan } => match plan.by {
                Some(bot) => format!("{} has asked for games (tournament {number})", name(bot)),
                None if plan.pace.is_some() => format!("the final begins with {} bots", plan.entrants.len()),
                None => format!("tournament {number} begins with {} entrants", plan.entrants.len()),
            },
            ContestLine::TournamentEnded { number, .. } => format!("tournament {number} is over"),
            ContestLine::FinalPlanned { plan } => format!("a final of {} bots is planned", plan.entrants),
            ContestLine::FinalCancelled => "the final was called off".to_owned(),
            ContestLine::Ranked { on: true, .. } => "ranked games are played".to_owned(),
            ContestLine::Ranked { on: false, why: Some(why) } => format!("ranked games are stopped: {why}"),
            ContestLine::Ranked { on: false, why: None } => "ranked games are stopped".to_owned(),
        }
    }
}

/// A set of ranked games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoidSet {
    /// The team one of whose versions has played; of all teams without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<BotId>,
    /// The number of the version; all versions without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// The earliest end of a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// The latest end of a game.
    pub until: String,
}
