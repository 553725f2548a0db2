//! The lines of the journal, `arena.jsonl`: everything that must survive a restart.

use crate::state::bot_address::BotAddress;
use crate::state::contests::contest_line::ContestLine;
use crate::state::contests::contest_settings::ContestName;
use crate::state::leaderboard::BotStats;
use crate::state::moderators::AuditEntry;
use crate::state::name::{BotId, BotName};
use crate::state::settings::ServerSettings;
use rules::{BySeat, Outcome};
use serde::{Deserialize, Serialize};
use tournament::Fixture;

/// The name of the journal in the server's folder.
pub const ARENA_JSONL: &str = "arena.jsonl";
/// The format that the first line of a journal names.
pub(crate) const FORMAT: &str = "broadside arena";
/// The version of the format of a new journal.
pub(crate) const FIRST_VERSION: u32 = 1;
/// The newest version that can be read. [`ServerJournalLine::version`] tells which lines need which version.
pub(crate) const VERSION: u32 = 4;

/// The mode of the server: if tournaments are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentMode {
    /// Tournaments were not started yet.
    #[default]
    Stopped,
    /// Tournaments are played one after the other.
    Running,
    /// No match begins. The current tournament goes on when the server is resumed.
    Paused,
}

/// A line of the journal. Times are in RFC 3339.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "kebab-case")]
pub enum ServerJournalLine {
    /// The first line of the journal.
    Arena {
        /// `broadside arena`.
        format: String,
        /// The version of the format.
        version: u32,
        /// A random text that identifies this journal.
        mark: String,
        /// The seed from which all others are derived, in decimal digits.
        seed: String,
        /// The name and version of the program that began the journal.
        engine: String,
        /// The time.
        at: String,
    },
    /// A bot was registered.
    Registered {
        /// The number of the bot.
        bot: BotId,
        /// The name of the bot.
        name: BotName,
        /// The argon2id hash of its password.
        password: String,
        /// The time.
        at: String,
    },
    /// A bot has a new URL.
    UrlSet {
        /// The number of the bot.
        bot: BotId,
        /// The URL.
        url: BotAddress,
        /// The time.
        at: String,
    },
    /// A bot was removed. Its results stay.
    Removed {
        /// The number of the bot.
        bot: BotId,
        /// The time.
        at: String,
    },
    /// A tournament began.
    TournamentBegun {
        /// The number of the tournament, counted from 1.
        number: u32,
        /// The seed for the order of its matches, in decimal digits.
        seed: String,
        /// The bots that take part.
        bots: Vec<BotId>,
        /// The time.
        at: String,
    },
    /// A match was played to its end.
    Match(Box<MatchLine>),
    /// The administrator skipped a match: its bots do not meet in this tournament.
    MatchSkipped {
        /// The number of the match.
        id: u64,
        /// The number of the tournament.
        tournament: u32,
        /// The bots by seats.
        bots: [BotId; 2],
        /// The time.
        at: String,
    },
    /// Matches were declared void: they count in no leaderboard. Those of a tournament that is still being played are played again.
    MatchesVoided {
        /// The numbers of the matches.
        matches: Vec<u64>,
        /// The results that their bots lose.
        results: Vec<VoidResults>,
        /// The time.
        at: String,
    },
    /// A tournament ended.
    TournamentEnded {
        /// The number of the tournament.
        number: u32,
        /// The number of matches that were left out: their bots could not be reached or were slow, or the administrator ended it.
        unplayed: u32,
        /// The time.
        at: String,
    },
    /// The mode changed.
    Mode {
        /// The new mode.
        mode: TournamentMode,
        /// The reason, in words, if the server itself has changed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
        /// The time.
        at: String,
    },
    /// The settings changed.
    Settings {
        /// All settings, changed or not.
        settings: ServerSettings,
        /// The time.
        at: String,
    },
    /// A final was planned.
    FinalPlanned {
        /// The number of the final, counted from 1.
        number: u32,
        /// The time when it begins.
        start: String,
        /// The most bots that take part: 2, 4 or 8.
        entrants: u32,
        /// The most games of a meeting; odd.
        best_of: u32,
        /// The time.
        at: String,
    },
    /// A final was called off before its end. Games that were played stay.
    FinalCancelled {
        /// The number of the final.
        number: u32,
        /// The time.
        at: String,
    },
    /// A final began.
    FinalBegun {
        /// The number of the final.
        number: u32,
        /// The seed for its games, in decimal digits.
        seed: String,
        /// The bots that take part, the best first.
        bots: Vec<BotId>,
        /// The names of the bots at that time.
        names: Vec<BotName>,
        /// The time when the first game begins.
        first_game: String,
        /// The time.
        at: String,
    },
    /// A game of a final was played to its end.
    FinalMatch(Box<FinalMatchLine>),
    /// A final ended.
    FinalEnded {
        /// The number of the final.
        number: u32,
        /// The bots, best first.
        ranking: Vec<BotId>,
        /// The time.
        at: String,
    },
    /// A bot has another name. Its number and its games stay.
    Renamed {
        /// The number of the bot.
        bot: BotId,
        /// The name.
        name: BotName,
        /// The time.
        at: String,
    },
    /// A team has a new password. Its token is worth nothing any more.
    PasswordSet {
        /// The number of its bot.
        bot: BotId,
        /// The hash of the password.
        password: String,
        /// The time.
        at: String,
    },
    /// A team has a new token for programs, and the one before is worth nothing.
    TokenSet {
        /// The number of its bot.
        bot: BotId,
        /// The SHA-256 of the token, in hexadecimal digits.
        token: String,
        /// The time.
        at: String,
    },
    /// There is a moderator with this password from now on. The log-ins of one who had this name end.
    ModeratorSet {
        /// The name.
        name: BotName,
        /// The argon2id hash of the password.
        password: String,
        /// The time.
        at: String,
    },
    /// A moderator was removed, and the log-ins end.
    ModeratorRemoved {
        /// The name.
        name: BotName,
        /// The time.
        at: String,
    },
    /// An administrator has done something. The lines before tell what has changed.
    Audit(AuditEntry),
    /// Something has changed in a contest, which begins with its first line.
    Contest {
        /// The name of the contest.
        contest: ContestName,
        /// The change.
        #[serde(flatten)]
        change: ContestLine,
        /// The time.
        at: String,
    },
    /// All matches and tournaments were removed from the history. Bots stay, and a final that has not begun.
    HistoryCleared {
        /// The time.
        at: String,
    },
}

impl ServerJournalLine {
    /// The first version of the format that has such a line.
    pub(crate) fn version(&self) -> u32 {
        match self {
            ServerJournalLine::MatchSkipped { .. }
            | ServerJournalLine::MatchesVoided { .. }
            // One may begin before the one before is over.
            | ServerJournalLine::TournamentBegun { .. }
            // They have the budget of a match.
            | ServerJournalLine::Settings { .. } => 3,
            ServerJournalLine::FinalPlanned { .. } => 2,
            ServerJournalLine::PasswordSet { .. }
            | ServerJournalLine::TokenSet { .. }
            | ServerJournalLine::Renamed { .. }
            | ServerJournalLine::ModeratorSet { .. }
            | ServerJournalLine::ModeratorRemoved { .. }
            | ServerJournalLine::Audit(_)
            | ServerJournalLine::Contest { .. } => VERSION,
            _ => FIRST_VERSION,
        }
    }
}

/// The results of a bot in matches that are void.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoidResults {
    /// The number of the bot.
    pub bot: BotId,
    /// Its results in the leaderboard of all matches.
    pub all: BotStats,
    /// Its results in the leaderboard of the current tournament.
    pub current: BotStats,
}

/// A match that was played to its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatchLine {
    /// The number of the match, counted from 1.
    pub id: u64,
    /// The number of its tournament; 0 for a game of a final.
    pub tournament: u32,
    /// The place in a final, if it is a game of one.
    #[serde(rename = "final", default, skip_serializing_if = "Option::is_none")]
    pub final_game: Option<FinalGameLine>,
    /// The bots, by seats.
    pub bots: BySeat<BotId>,
    /// The names of the bots at that time, by seats.
    pub names: BySeat<BotName>,
    /// The seed of the match, in decimal digits.
    pub seed: String,
    /// The outcome.
    pub outcome: Outcome,
    /// The faults of the players, by seats.
    pub faults: BySeat<Option<String>>,
    /// The median durations of the players' answers, in milliseconds, by seats.
    pub median_ms: BySeat<Option<f64>>,
    /// The path of the record, relative to the server's folder.
    pub record: String,
    /// The duration of the match, in milliseconds.
    pub took_ms: u64,
    /// The time when the match ended.
    pub at: String,
    /// True if the match does not count any more. The journal tells it by another line.
    #[serde(skip)]
    pub is_void: bool,
}

/// The place of a game in a final.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FinalGameLine {
    /// The number of the final.
    pub number: u32,
    /// The round: `quarter-final`, `semi-final`, `third place` or `final`.
    pub round: String,
    /// The number of the game in its meeting, counted from 1.
    pub game: u32,
    /// The most games of a meeting that is not tied.
    pub best_of: u32,
    /// The time for which the screens show a turn of the game, in milliseconds. Lines of before do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pace: Option<u64>,
}

/// A game of a final that was played to its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FinalMatchLine {
    /// The game: its entrants by their places in the lineup, and its number in their meeting.
    pub fixture: Fixture,
    /// The time when the screens have shown it. Its result is not told before.
    pub shown: String,
    /// The match.
    pub played: MatchLine,
}

/// The current time in the format of the journal.
pub(crate) fn now() -> String {
    written(chrono::Utc::now())
}

/// A time in the format of the journal.
pub(crate) fn written(time: chrono::DateTime<chrono::Utc>) -> String {
    time.to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
}
