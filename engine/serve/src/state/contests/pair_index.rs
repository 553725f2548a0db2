//! The pairs of contests in the index, for look-ups.

use super::contest_line::{LadderEntrant, PairLine};
use super::contest_settings::ContestName;
use crate::state::journal_line::BotId;
use rusqlite::{Connection, params};

/// The tables. Their version is that of the index.
pub(crate) const TABLES: &str = "
    CREATE TABLE pairs (contest TEXT NOT NULL, id INTEGER NOT NULL, first INTEGER NOT NULL, second INTEGER NOT NULL,
                        ended TEXT NOT NULL, line TEXT NOT NULL, void TEXT, PRIMARY KEY (contest, id)) WITHOUT ROWID;
    CREATE INDEX pairs_of_first ON pairs (contest, first, id);
    CREATE INDEX pairs_of_second ON pairs (contest, second, id);
";

/// A pair as it was played.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlayedPair {
    pub(crate) line: PairLine,
    /// The time when it ended.
    pub(crate) ended: String,
    /// True if it does not count any more.
    pub(crate) is_void: bool,
}

/// The number of a bot in a row; 0 for a player of the engine.
fn number(entrant: &LadderEntrant) -> u32 {
    match entrant {
        LadderEntrant::Version { bot, .. } => bot.0,
        LadderEntrant::Baseline { .. } => 0,
    }
}

/// Adds a pair.
pub(crate) fn insert(to: &Connection, contest: &ContestName, pair: &PairLine, at: &str) -> rusqlite::Result<()> {
    let text = serde_json::to_string(pair).expect("lines have string keys and numbers that are finite");
    let [first, second] = pair.entrants.each_ref().map(number);
    let row = params![contest.as_str(), pair.id as i64, first, second, at, text];
    to.execute("INSERT INTO pairs VALUES (?1, ?2, ?3, ?4, ?5, ?6, NULL)", row).map(drop)
}

/// Marks pairs as void.
pub(crate) fn void(to: &Connection, contest: &ContestName, pairs: &[u64], at: &str) -> rusqlite::Result<()> {
    let mut void = to.prepare("UPDATE pairs SET void = ?3 WHERE contest = ?1 AND id = ?2")?;
    pairs.iter().try_for_each(|id| void.execute(params![contest.as_str(), *id as i64, at]).map(drop))
}

/// The last pairs of a contest, or of a bot in it, below the number `before`, the newest first.
pub(crate) fn last(
    of: &Connection,
    contest: &ContestName,
    bot: Option<BotId>,
    before: Option<u64>,
    most: u32,
) -> rusqlite::Result<Vec<PlayedPair>> {
    let all =
        "SELECT line, ended, void IS NOT NULL FROM pairs WHERE contest = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3";
    let of_bot = "SELECT line, ended, void IS NOT NULL FROM \
                  (SELECT id, line, ended, void FROM pairs WHERE contest = ?1 AND first = ?4 AND id < ?2 \
                  UNION SELECT id, line, ended, void FROM pairs WHERE contest = ?1 AND second = ?4 AND id < ?2) \
                  ORDER BY id DESC LIMIT ?3";
    let before = before.map_or(i64::MAX, |before| before as i64);
    let pair = |row: &rusqlite::Row<'_>| {
        let text: String = row.get(0)?;
        let line = serde_json::from_str(&text).map_err(|e| rusqlite::Error::ToSqlConversionFailure(Box::new(e)))?;
        Ok(PlayedPair { line, ended: row.get(1)?, is_void: row.get(2)? })
    };
    match bot {
        None => of.prepare(all)?.query_map(params![contest.as_str(), before, most], pair)?.collect(),
        Some(bot) => {
            let mut query = of.prepare(of_bot)?;
            query.query_map(params![contest.as_str(), before, most, bot.0], pair)?.collect()
        }
    }
}
