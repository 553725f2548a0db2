//! The standings as tables: one of results, one of answers.

use super::bot::ReportBot;
use askama::Template;
use rules::printable;
use tournament::{Column, ColumnGroup, Standings};

/// The groups of columns that are about answers and not about results.
const ANSWERS: [ColumnGroup; 2] = [ColumnGroup::Times, ColumnGroup::Faults];

/// A table of all bots with some of the columns.
#[derive(Template)]
#[template(path = "report/standings.html")]
pub(super) struct StandingsTable<'a> {
    id: &'static str,
    title: &'static str,
    hint: String,
    /// The heading and the meaning of each column.
    headings: Vec<(String, &'static str)>,
    rows: Vec<Row<'a>>,
}

struct Row<'a> {
    bot: ReportBot,
    /// The class and the text of each cell.
    cells: Vec<(&'static str, &'a str)>,
}

/// The table of results.
pub(super) fn results<'a>(standings: &Standings<'_>, columns: &'a [Column]) -> StandingsTable<'a> {
    let notes = standings.notes().join(" ");
    let hint = format!("{} LOS is the likelihood that a bot is stronger than the next one. {notes}", standings.order());
    let columns = columns.iter().filter(|column| !ANSWERS.contains(&column.part)).collect();
    table("standings", "Standings", hint, standings, columns)
}

/// The table of answers; `None` if no column is about them.
pub(super) fn answers<'a>(standings: &Standings<'_>, columns: &'a [Column]) -> Option<StandingsTable<'a>> {
    let columns: Vec<_> = columns.iter().filter(|column| ANSWERS.contains(&column.part)).collect();
    let hint = "How long they took, and turns without a usable order.".to_owned();
    (!columns.is_empty()).then(|| table("answers", "Answers", hint, standings, columns))
}

fn table<'a>(
    id: &'static str,
    title: &'static str,
    hint: String,
    standings: &Standings<'_>,
    columns: Vec<&'a Column>,
) -> StandingsTable<'a> {
    let cell = |column: &'a Column, at: usize| {
        let text = column.cells[at].as_str();
        let class = match text {
            "0" => "quiet",
            _ if column.heading == "suspect" => "doubt",
            _ if column.part == ColumnGroup::Faults => "bad",
            _ => "",
        };
        (class, text)
    };
    let rows = standings
        .all()
        .iter()
        .enumerate()
        .map(|(at, bot)| Row { bot: bot.into(), cells: columns.iter().map(|column| cell(column, at)).collect() });
    let headings = columns.iter().map(|column| (printable(&column.heading), column.meaning)).collect();
    StandingsTable { id, title, hint, headings, rows: rows.collect() }
}
