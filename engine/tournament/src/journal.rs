//! The journal of a tournament, `games.jsonl`: a line for every game that was finished, and nothing else counts.
//!
//! It only grows. Standings, ratings, what is still to be played, all is made of it alone. docs/journal.md describes its
//! lines for others.

use super::{Fixture, Format, Times};
use arena::record::LimitsLine;
use arena::{JournalFormat, JournalHeader};
use rules::PlayerInfo;
use rules::{BySeat, GameKind, Outcome};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The name of the format, which every journal has in its first line.
const FORMAT: &str = "broadside journal";
/// The version of the format that is written, and the newest that is read.
pub const JOURNAL_VERSION: u32 = 1;
/// Journals of tournaments among those of other programs.
pub(super) const JOURNAL: JournalFormat = JournalFormat {
    title: "journal of a tournament",
    busy: "another tournament is being played in it",
    header: Some(JournalHeader { line: "tournament", format: FORMAT, version: JOURNAL_VERSION }),
    private: false,
};

/// A line of a journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "kebab-case")]
pub enum JournalLine {
    /// The first: what is the same for all games.
    Tournament(TournamentHeader),
    /// Somebody who takes part; they are numbered in this order, from 0.
    Entrant(Entrant),
    /// A game that was finished.
    Game(Box<GameLine>),
    /// A game that the engine could not play, whatever it tried. It is not finished, and counts for nobody.
    Failure(FailedGame),
}

/// What is the same for all games of a tournament.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TournamentHeader {
    format: String,
    version: u32,
    /// The kind of game.
    pub game: GameKind,
    /// What was agreed before each game, as the game writes it.
    pub settings: serde_json::Value,
    /// What bots are spoken to in, where the game has a choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// Who meets whom.
    pub plan: Format,
    /// Rounds of a Swiss tournament, if they were set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// What the seeds of all games are derived from. As text, because not every reader of JSON has numbers of 64 bits.
    pub seed: String,
    /// Which program began it.
    pub engine: String,
}

impl TournamentHeader {
    /// Of this kind, played with this program.
    pub fn new(
        game: GameKind,
        settings: serde_json::Value,
        plan: Format,
        rounds: Option<u32>,
        seed: u64,
    ) -> TournamentHeader {
        let engine = concat!("broadside ", env!("CARGO_PKG_VERSION")).to_owned();
        let seed = seed.to_string();
        let (format, version) = (FORMAT.to_owned(), JOURNAL_VERSION);
        TournamentHeader { format, version, game, settings, dialect: None, plan, rounds, seed, engine }
    }

    /// The same with bots that are spoken to in this dialect.
    #[must_use]
    pub fn spoken(self, dialect: Option<&str>) -> TournamentHeader {
        TournamentHeader { dialect: dialect.map(str::to_owned), ..self }
    }

    /// What the seeds of all games are derived from.
    pub fn base_seed(&self) -> u64 {
        self.seed.parse().unwrap_or_default()
    }
}

/// Somebody who takes part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entrant {
    /// What it is called; no other is called so.
    pub name: String,
    /// Its folder as it was named, its URL without what may be secret, or `builtin:NAME`.
    pub bot: String,
    /// What its bot.json says of it.
    pub details: PlayerInfo,
    /// The SHA-256 of what is in its folder; `None` where there is none, or too much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

/// A game that was finished.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// Which.
    #[serde(flatten)]
    pub fixture: Fixture,
    /// Its seed, as text.
    pub seed: String,
    /// How it ended, by seats: see the pairing and the number for who sat where.
    pub outcome: Outcome,
    /// What there is to tell of the players, by seats.
    pub players: BySeat<PlayerLine>,
    /// Why its time-outs may be the machine's fault, though it was played again; absent if there is no doubt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspect: Option<String>,
    /// How often it was tried before in vain: its time-outs were suspect, or the engine failed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub repeats: u32,
    /// Its record, relative to the journal's folder, if it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// When it ended (RFC 3339).
    pub ended: String,
}

/// What there is to tell of a player in a game.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerLine {
    /// How long its answers took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<Times>,
    /// How long it might take for an answer; `None` without limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<LimitsLine>,
    /// How many turns had no usable order, by the kind of fault; refused orders are among them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub faults: BTreeMap<String, u32>,
}

/// A game that the engine could not play.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailedGame {
    /// Which.
    #[serde(flatten)]
    pub fixture: Fixture,
    /// What the engine could not do.
    pub error: String,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}
