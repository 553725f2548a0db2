//! Lists of matches as a table and as JSON.

use super::printable;
use crate::show::text::json::written;
use crate::show::text::names::{cut, padded};
use arena::record::shown_time;
use platform::terminal;
use rules::{GameKind, Outcome};
use serde_json::json;
use std::path::PathBuf;
use unicode_width::UnicodeWidthStr;

/// A match in a list.
#[derive(Debug, Default)]
pub(crate) struct ListedMatch {
    /// Its folder or record.
    pub(crate) path: PathBuf,
    /// The game; `None` if the match cannot be read.
    pub(crate) game: Option<GameKind>,
    /// The time at which it began (RFC 3339); `None` if it is not known.
    pub(crate) started: Option<String>,
    /// The names of the players by seats.
    pub(crate) names: Vec<String>,
    /// The outcome; `None` if the match was not played to its end.
    pub(crate) outcome: Option<Outcome>,
    /// The size of its files.
    pub(crate) bytes: u64,
    /// The reason why it cannot be read.
    pub(crate) wrong: Option<String>,
}

/// The least columns of the names of the players.
const NAMES: usize = 16;

/// The list in columns, numbered from 1. On a terminal, names are cut so that a line fits.
pub(crate) fn table(matches: &[ListedMatch]) -> String {
    let room = terminal::size().map(|size| size.columns);
    let heading = ["", "began", "players", "winner", "match"].map(str::to_owned);
    let rows = matches.iter().enumerate().map(|(at, one)| row(at + 1, one));
    let rows: Vec<[String; 5]> = std::iter::once(heading).chain(rows).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or_default();
    let [number, started, names, result, path] = [0, 1, 2, 3, 4].map(width);
    // Two spaces before each column but the first.
    let others = number + started + result + path + 2 * 4;
    let names = room.map_or(names, |room| names.min(room.saturating_sub(others).max(NAMES)));
    let widths = [number, started, names, result, path];
    let line = |row: &[String; 5]| {
        let cells: Vec<String> = row.iter().zip(widths).map(|(cell, width)| padded(&cut(cell, width), width)).collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

fn row(number: usize, one: &ListedMatch) -> [String; 5] {
    let started = one.started.as_deref().and_then(shown_time).unwrap_or_else(|| "-".to_owned());
    let names = printable(&one.names.join(" : "));
    let result = match (&one.wrong, &one.outcome, one.game) {
        (Some(_), ..) => "cannot be read".to_owned(),
        (None, Some(outcome), Some(game)) => {
            let winner = outcome.winner.map_or("draw".to_owned(), |seat| seat.to_string());
            format!("{winner}, {}", game.turns(outcome.turns))
        }
        _ => "not finished".to_owned(),
    };
    [number.to_string(), started, names, result, printable(&one.path.display().to_string())]
}

/// The list as JSON, for programs: `matches` in docs/results.schema.json.
pub(crate) fn json(matches: &[ListedMatch]) -> String {
    let one = |one: &ListedMatch| {
        json!({
            "path": one.path,
            "game": one.game,
            "started": one.started,
            "names": one.names,
            "outcome": one.outcome,
            "bytes": one.bytes,
            "error": one.wrong,
        })
    };
    written(&matches.iter().map(one).collect::<Vec<_>>())
}
