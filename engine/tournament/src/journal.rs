//! The journal of a tournament, `games.jsonl`, has a line for every finished game. No other file counts.
//!
//! The journal only grows, but for games of a worker that is not trusted ([`ScoreTable::remove_games`](crate::ScoreTable::remove_games)).
//! Standings, ratings and the games that are left are made of it alone. docs/journal.md
//! describes its lines for other programs.

use crate::{Fixture, Format, Times};
use arena::record::LimitsLine;
use arena::{JournalFormat, JournalHeader};
use rules::PlayerInfo;
use rules::{BySeat, Game, GameKind, Outcome};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The name of the format, which every journal has in its first line.
const FORMAT: &str = "broadside journal";
/// The version of the format that is written, and the newest that is read.
pub const JOURNAL_VERSION: u32 = 1;
/// The kind of journal of a tournament.
pub(crate) const JOURNAL: JournalFormat = JournalFormat {
    title: "journal of a tournament",
    header: Some(JournalHeader { line: "tournament", format: FORMAT, version: JOURNAL_VERSION }),
    private: false,
};

/// A line of a journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "kebab-case")]
pub enum JournalLine {
    /// The first line: the header of the tournament.
    Tournament(TournamentHeader),
    /// An entrant, or one of before that has changed. Entrants are numbered in this order, from 0.
    Entrant(Entrant),
    /// An entrant that plays no more games.
    Retired(Retirement),
    /// An entrant that had retired, and plays again.
    Returned(Retirement),
    /// A bot that was named and could not enter.
    LeftOut(LeftOutBot),
    /// A game that was finished.
    Game(Box<GameLine>),
    /// A game that the engine could not play. It is not finished, and counts for nobody.
    Failure(FailedGame),
    /// Games of before that do not count. They are played again, if both entrants play on.
    Void(VoidGames),
}

/// The header of a tournament: what is the same for all games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TournamentHeader {
    format: String,
    version: u32,
    /// The kind of game.
    pub game: GameKind,
    /// The settings of the game, as the game writes them.
    pub settings: serde_json::Value,
    /// The dialect of the bots, if the game has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// The format: which entrants meet.
    pub plan: Format,
    /// The rounds of a Swiss tournament; `None` for the usual number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// The games of each meeting of a knockout that is not tied, or the most of one of a final; `None` in other formats, and in journals
    /// of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u32>,
    /// The number of entrants that are the baselines in grading; `None` in other formats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baselines: Option<usize>,
    /// The base of all games' seeds. It is text in JSON, because not every reader has numbers of 64 bits.
    pub seed: String,
    /// The program that began the tournament.
    pub engine: String,
}

impl TournamentHeader {
    /// A header of a tournament that this program begins.
    pub fn new(
        game: GameKind,
        settings: serde_json::Value,
        plan: Format,
        rounds: Option<u32>,
        seed: u64,
    ) -> TournamentHeader {
        let engine = arena::ENGINE.to_owned();
        let seed = seed.to_string();
        let (format, version) = (FORMAT.to_owned(), JOURNAL_VERSION);
        TournamentHeader {
            format,
            version,
            game,
            settings,
            dialect: None,
            plan,
            rounds,
            games: None,
            baselines: None,
            seed,
            engine,
        }
    }

    /// The same header with this dialect.
    #[must_use]
    pub fn spoken(self, dialect: Option<&str>) -> TournamentHeader {
        TournamentHeader { dialect: dialect.map(str::to_owned), ..self }
    }

    /// True if each bot plays alone ([`Game::is_solo`]).
    pub fn is_solo(&self) -> bool {
        let settings = self.settings.clone();
        rules::for_game!(self.game, G => serde_json::from_value(settings).is_ok_and(|settings| G::is_solo(&settings)))
    }

    /// The most shots of a game where all play at the fleets of the first; `None` in other formats.
    pub(crate) fn most_shots(&self) -> Option<u32> {
        let settings = self.settings.clone();
        let bounds =
            rules::for_game!(self.game, G => serde_json::from_value(settings).ok().and_then(|of| G::bounds(&of)));
        bounds.filter(|_| self.plan == Format::Solo).map(|bounds| bounds.shots)
    }

    /// The base of all games' seeds. It is text in JSON, because not every reader has numbers of 64 bits.
    pub fn base_seed(&self) -> u64 {
        self.seed.parse().unwrap_or_default()
    }
}

/// An entrant of a tournament.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entrant {
    /// The name, which no other entrant has.
    pub name: String,
    /// The bot's folder as it was named, its URL without secrets, or `builtin:NAME`.
    pub bot: String,
    /// The bot's details, from its bot.json if it has one.
    pub details: PlayerInfo,
    /// The SHA-256 of the bot's folder as in records, in hexadecimal digits; `None` without a folder, or if it was too large for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The SHA-256 of the copy of the bot's folder that plays, with all its files and links; `None` without a folder, and in journals of
    /// older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy: Option<String>,
    /// The name of the entrant that plays no more games, because this one has entered in its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<String>,
}

impl Entrant {
    /// An entrant without a folder, such as a built-in player.
    pub fn new(name: String, bot: String, details: PlayerInfo) -> Entrant {
        Entrant { name, bot, details, content: None, copy: None, replaces: None }
    }
}

/// The end of an entrant's games, or their new beginning: those that it has played count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retirement {
    /// The name of the entrant.
    pub name: String,
}

/// A bot that was named and could not enter. If it enters later, this line has no meaning any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOutBot {
    /// Its folder as it was named, or the whole name if that leads to no bot.
    pub bot: String,
    /// The reason.
    pub reason: String,
}

/// A game that was finished.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// The game.
    #[serde(flatten)]
    pub fixture: Fixture,
    /// The seed of the game, as text.
    pub seed: String,
    /// The outcome by seats. [`Fixture::seated`] tells who sat where.
    pub outcome: Outcome,
    /// Details of the players by seats.
    pub players: BySeat<PlayerLine>,
    /// The reason why its time-outs may be the machine's fault, although it was played again; absent if there
    /// is no doubt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspect: Option<String>,
    /// The number of earlier tries that did not count because their time-outs were suspect.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub repeats: u32,
    /// The path of its record, relative to the journal's folder; absent if none was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// The name of the machine that played it; absent for the machine of the tournament itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// The duration in milliseconds.
    pub took_ms: u64,
    /// The time of its end (RFC 3339).
    pub ended: String,
}

/// Details of a player in a game.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerLine {
    /// The times of its answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<Times>,
    /// The time limits; `None` without limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<LimitsLine>,
    /// The number of turns without a usable order, by the kind of fault; refused orders are included.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub faults: BTreeMap<String, u32>,
    /// The number of earlier tries that did not count, in which this player was late.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub repeats: u32,
    /// The shots until all ships of the other player were sunk; `None` if some are left, and in journals of older versions. One with a
    /// special weapon or action counts once, whatever the number of its cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shots: Option<u32>,
    /// The number of those that were special weapons or actions, such as radar.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub specials: u32,
}

/// Games that do not count, although they were played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoidGames {
    /// The number of sets that are void with this line. A set of many games has several lines, of which the last one counts it.
    pub number: u32,
    /// The games. Of each, all lines before this one are void.
    pub games: Vec<Fixture>,
    /// The reason.
    pub why: String,
}

/// A game that the engine could not play.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailedGame {
    /// The game.
    #[serde(flatten)]
    pub fixture: Fixture,
    /// The failure of the engine.
    pub error: String,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}
