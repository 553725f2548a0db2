//! Lists of matches as a table and as JSON.

use super::printable;
use crate::show::text::json::written;
use crate::show::text::names::{cut, padded};
use arena::record::{RecordedSeat, shown_time};
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
    /// The players by seats.
    pub(crate) seats: Vec<RecordedSeat>,
    /// The outcome; `None` if the match was not played to its end.
    pub(crate) outcome: Option<Outcome>,
    /// The size of its files.
    pub(crate) bytes: u64,
    /// The reason why it cannot be read.
    pub(crate) wrong: Option<String>,
}

/// The columns that names of players may take beside the others before they are cut.
const NAMES: usize = 40;

/// The list in columns, numbered from 1. On a terminal that is too narrow for them, players and path are below the other columns.
pub(crate) fn table(matches: &[ListedMatch]) -> String {
    lines(matches, terminal::size().map(|size| size.columns))
}

/// The list for a terminal of so many columns; in a file it is as wide as it is.
fn lines(matches: &[ListedMatch], room: Option<usize>) -> String {
    let heading = ["", "began", "players", "winner", "match"].map(str::to_owned);
    let rows = matches.iter().enumerate().map(|(at, one)| row(at + 1, one));
    let rows: Vec<[String; 5]> = std::iter::once(heading).chain(rows).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or_default();
    let [number, started, names, result, path] = [0, 1, 2, 3, 4].map(width);
    // Two spaces before each column but the first.
    let others = number + started + result + path + 2 * 4;
    if let Some(room) = room.filter(|room| others + names.min(NAMES) > *room) {
        let below = |cell: &str| format!("{:number$}  {cell}\n", "");
        let entry = |[at, started, names, result, path]: &[String; 5]| {
            let names = cut(names, room.saturating_sub(number + 2));
            format!("{at:number$}  {started}  {result}\n{}{}", below(&names), below(path))
        };
        return rows[1..].iter().map(entry).collect();
    }
    let names = room.map_or(names, |room| names.min(room.saturating_sub(others)));
    let widths = [number, started, names, result, path];
    let line = |row: &[String; 5]| {
        let cells: Vec<String> = row.iter().zip(widths).map(|(cell, width)| padded(&cut(cell, width), width)).collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

fn row(number: usize, one: &ListedMatch) -> [String; 5] {
    let started = one.started.as_deref().and_then(shown_time).unwrap_or_else(|| "-".to_owned());
    let names: Vec<&str> = one.seats.iter().map(RecordedSeat::name).collect();
    let names = printable(&names.join(" : "));
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
    let player = |seat: &RecordedSeat| json!({ "name": seat.name(), "bot": seat.bot, "author": seat.details.author });
    let one = |one: &ListedMatch| {
        json!({
            "path": one.path,
            "game": one.game,
            "started": one.started,
            "names": one.seats.iter().map(RecordedSeat::name).collect::<Vec<_>>(),
            "players": one.seats.iter().map(player).collect::<Vec<_>>(),
            "outcome": one.outcome,
            "bytes": one.bytes,
            "error": one.wrong,
        })
    };
    written(&matches.iter().map(one).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::PlayerInfo;

    #[test]
    fn a_narrow_terminal_has_players_and_path_of_a_match_on_lines_of_their_own() {
        let seats = ["my-bot (my-bot)", "my-bot (old-bot)"].map(|name| RecordedSeat::new(PlayerInfo::named(name)));
        let one = ListedMatch {
            path: "replays/2026-11-27T12-00-00".into(),
            game: Some(GameKind::Entelect2017),
            started: Some("2026-11-27T12:00:00Z".to_owned()),
            seats: seats.into(),
            ..ListedMatch::default()
        };
        let narrow = lines(std::slice::from_ref(&one), Some(60));
        assert!(narrow.lines().all(|line| line.width() <= 60) && narrow.starts_with("1  20"), "{narrow}");
        let below = "  not finished\n   my-bot (my-bot) : my-bot (old-bot)\n   replays/2026-11-27T12-00-00\n";
        assert!(narrow.ends_with(below), "{narrow}");
        let wide = lines(std::slice::from_ref(&one), Some(200));
        assert!(wide.lines().count() == 2 && wide.contains("my-bot (my-bot) : my-bot (old-bot)"), "{wide}");
        assert_eq!(wide, lines(&[one], None));
    }
}
