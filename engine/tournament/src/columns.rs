//! The standings as columns of text, for terminals and pages.

use crate::{Format, Standing, Standings, WinDrawLoss};
use std::collections::BTreeSet;

/// A column of the standings. Do not trust its texts: kinds of faults come from the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The heading.
    pub heading: String,
    /// The meaning, in a sentence.
    pub meaning: &'static str,
    /// The subject of the column.
    pub part: ColumnGroup,
    /// The cells of the entrants, best first; empty where there is nothing to say.
    pub cells: Vec<String>,
}

/// The subject of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnGroup {
    /// Games and strength.
    Results,
    /// Properties of the games.
    Games,
    /// The times of answers.
    Times,
    /// Faults.
    Faults,
}

/// Heading, meaning, subject, and the cell of an entrant.
type Description = (&'static str, &'static str, ColumnGroup, fn(&Standing<'_>) -> Option<String>);

const COLUMNS: [Description; 18] = [
    ("shots", "Mean shots for a board, fewer being better, with its 95 % interval", ColumnGroup::Results, |one| {
        one.shots.map(|shots| shots.to_string())
    }),
    (
        "behind",
        "Mean shots more than the best takes on the same boards, with its 95 % interval",
        ColumnGroup::Results,
        |one| one.shots_behind.map(|shots| shots.to_string()),
    ),
    ("Elo", "Rating", ColumnGroup::Results, |one| {
        one.rating.error.map(|_| format!("{:+.0}", one.rating.elo.round() + 0.0))
    }),
    ("±", "Half the width of the 95 % interval of the rating", ColumnGroup::Results, |one| {
        one.rating.error.map(|error| format!("{error:.0}"))
    }),
    ("LOS", "Likelihood of being stronger than the next in this table", ColumnGroup::Results, |one| {
        one.superiority.map(|likely| format!("{:.0} %", likely * 100.0))
    }),
    ("games", "Games played", ColumnGroup::Results, |one| Some(one.row.games().games().to_string())),
    ("points", "A win is one point, a draw half of one", ColumnGroup::Results, |one| {
        Some(format!("{:.1}", one.row.games().points()))
    }),
    ("%", "Share of the points", ColumnGroup::Results, |one| percent(one.row.games())),
    ("win", "Games won", ColumnGroup::Results, |one| Some(one.row.games().wins.to_string())),
    (DRAW, "Games drawn", ColumnGroup::Results, |one| Some(one.row.games().draws.to_string())),
    ("loss", "Games lost", ColumnGroup::Results, |one| Some(one.row.games().losses.to_string())),
    ("as A", "Share of the points in seat A", ColumnGroup::Games, |one| percent(one.row.by_seat[0])),
    ("as B", "Share of the points in seat B", ColumnGroup::Games, |one| percent(one.row.by_seat[1])),
    ("avg pts", "Points in the games themselves, for each game", ColumnGroup::Games, |one| {
        mean(one, one.row.points).filter(|_| one.shots.is_none())
    }),
    (TURNS, "Length of a game", ColumnGroup::Games, |one| mean(one, one.row.rounds)),
    ("median", "Time of an answer that half of all answers did not exceed", ColumnGroup::Times, |one| time(one, 0.5)),
    ("p99", "Time of an answer that 99 % of all answers did not exceed", ColumnGroup::Times, |one| time(one, 0.99)),
    ("limit", "Time after which an answer is late", ColumnGroup::Times, |one| {
        one.row.limits.map(|limits| format!("{} ms", limits.answer_ms))
    }),
];
/// The columns of results that stand behind the shots where all play at the fleets of the first, in place of those of wins.
const ALONE: [Description; 5] = [
    ("p50", "Shots that half of the boards did not exceed", ColumnGroup::Results, |one| shots(one, 0.5)),
    ("p95", "Shots that 95 % of the boards did not exceed", ColumnGroup::Results, |one| shots(one, 0.95)),
    ("most", "The most shots for a board", ColumnGroup::Results, |one| shots(one, 1.0)),
    (
        "special",
        "Mean number of the shots that were special weapons or actions, such as radar",
        ColumnGroup::Results,
        |one| {
            let boards = one.row.shots.boards() as f64;
            (one.row.specials > 0).then(|| format!("{:.1}", one.row.specials as f64 / boards))
        },
    ),
    (
        "not sunk",
        "Boards at which not all ships were sunk, which count with the most shots that there are",
        ColumnGroup::Results,
        |one| (one.row.unsunk > 0).then(|| one.row.unsunk.to_string()),
    ),
];
/// Each game has its own word for turns.
const TURNS: &str = "turns";
/// Left out if no game was drawn.
const DRAW: &str = "draw";

/// The columns of the standings, the most important first, without those that are empty.
pub fn columns(standings: &Standings<'_>) -> Vec<Column> {
    let all = standings.all();
    let count = |count: u64| if count > 0 { count.to_string() } else { String::new() };
    let turns = format!("{}s", standings.table().event().game.turn());
    let of_wins = |description: &Description| matches!(description.2, ColumnGroup::Results | ColumnGroup::Games);
    let described: Vec<Description> = match standings.table().event().plan {
        Format::Solo => {
            let (shots, others) = COLUMNS.split_at(2);
            let others = others.iter().filter(|other| !of_wins(other));
            shots.iter().chain(&ALONE).chain(others).copied().collect()
        }
        _ => COLUMNS.into(),
    };
    let mut columns: Vec<Column> = described
        .into_iter()
        .map(|(heading, meaning, part, cell)| {
            let cells = all.iter().map(|one| cell(one).unwrap_or_default()).collect();
            let heading = if heading == TURNS { turns.clone() } else { heading.to_owned() };
            Column { heading, meaning, part, cells }
        })
        .collect();
    let kinds: BTreeSet<&String> = all.iter().flat_map(|one| one.row.faults.keys()).collect();
    columns.extend(kinds.into_iter().map(|kind| Column {
        heading: kind.clone(),
        meaning: "Turns without a usable order, of this kind",
        part: ColumnGroup::Faults,
        cells: all.iter().map(|one| count(one.row.faults.get(kind).copied().unwrap_or_default())).collect(),
    }));
    columns.push(Column {
        heading: "suspect".to_owned(),
        meaning: "Games with time-outs that may be the machine's fault",
        part: ColumnGroup::Faults,
        cells: all.iter().map(|one| count(one.row.suspect)).collect(),
    });
    columns.push(Column {
        heading: "repeated".to_owned(),
        meaning: "Games that were played again, because a time-out of this bot might have been the machine's fault",
        part: ColumnGroup::Faults,
        cells: all.iter().map(|one| count(one.row.repeated)).collect(),
    });
    columns.retain(|column| {
        let is_nothing = |cell: &String| cell.is_empty() || column.heading == DRAW && cell == "0";
        !column.cells.iter().all(is_nothing)
    });
    columns
}

fn percent(games: WinDrawLoss) -> Option<String> {
    games.mean_score().map(|share| format!("{:.1}", share * 100.0))
}

fn shots(one: &Standing<'_>, share: f64) -> Option<String> {
    one.row.shots.quantile(share).map(|shots| format!("{shots:.0}"))
}

fn mean(one: &Standing<'_>, sum: u64) -> Option<String> {
    let games = one.row.games().games();
    (games > 0).then(|| format!("{:.0}", sum as f64 / games as f64))
}

fn time(one: &Standing<'_>, share: f64) -> Option<String> {
    let ms = one.row.times.quantile(share)?;
    Some(if ms < 10.0 { format!("{ms:.1} ms") } else { format!("{ms:.0} ms") })
}
