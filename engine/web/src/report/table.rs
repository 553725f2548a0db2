//! Tables with a row for each bot: results, answers, and the cross table.

use super::bot::ReportBot;
use askama::Template;
use rules::printable;
use tournament::{Column, ColumnGroup, Standings};

/// The groups of columns that are about answers and not about results.
const ANSWERS: [ColumnGroup; 2] = [ColumnGroup::Times, ColumnGroup::Faults];

/// A table with a row for each bot.
#[derive(Template)]
#[template(path = "report/table.html")]
pub(super) struct BotTable {
    id: &'static str,
    title: &'static str,
    /// A word behind the title.
    mark: Option<&'static str>,
    /// True if the headings sort the table.
    is_sortable: bool,
    hint: String,
    /// The text and the explanation of each heading.
    headings: Vec<(String, String)>,
    /// Each bot, with the class and the text of each of its cells.
    rows: Vec<(ReportBot, Vec<(String, String)>)>,
}

impl BotTable {
    /// The table of results.
    pub(super) fn results(standings: &Standings<'_>, columns: &[Column]) -> BotTable {
        let (order, notes) = (standings.order(), standings.notes().join(" "));
        let has_likelihoods = columns.iter().any(|column| column.heading == "LOS");
        let los = if has_likelihoods { " LOS is the likelihood that a bot is stronger than the next one." } else { "" };
        let hint = format!("{order}{los} {notes}");
        let columns = columns.iter().filter(|column| !ANSWERS.contains(&column.part)).collect();
        let mark = standings.is_provisional().then_some("provisional");
        BotTable { mark, ..BotTable::new("standings", "Standings", hint, standings, columns) }
    }

    /// The table of answers; `None` if no column is about them.
    pub(super) fn answers(standings: &Standings<'_>, columns: &[Column]) -> Option<BotTable> {
        let columns: Vec<_> = columns.iter().filter(|column| ANSWERS.contains(&column.part)).collect();
        let hint = "How long they took, and turns without a usable order.".to_owned();
        (!columns.is_empty()).then(|| BotTable::new("answers", "Answers", hint, standings, columns))
    }

    fn new(
        id: &'static str,
        title: &'static str,
        hint: String,
        standings: &Standings<'_>,
        columns: Vec<&Column>,
    ) -> BotTable {
        let cell = |column: &Column, at: usize| {
            let class = match column.cells[at].as_str() {
                "0" => "quiet",
                _ if column.heading == "suspect" => "doubt",
                _ if column.part == ColumnGroup::Faults => "bad",
                _ => "",
            };
            (class.to_owned(), column.cells[at].clone())
        };
        let cells = |at| columns.iter().map(|column| cell(column, at)).collect();
        let rows = standings.all().iter().enumerate().map(|(at, bot)| (bot.into(), cells(at))).collect();
        let headings = columns.iter().map(|column| (printable(&column.heading), column.meaning.to_owned())).collect();
        BotTable { id, title, mark: None, is_sortable: true, hint, headings, rows }
    }

    /// The points of each bot against each other bot, if the tournament is of a kind that has a cross table.
    pub(super) fn cross(standings: &Standings<'_>) -> Option<BotTable> {
        let cell = |one: usize, other: usize| {
            let games = standings.table().between(one, other);
            match games.in_figures() {
                _ if one == other => ("self".to_owned(), String::new()),
                None => ("quiet".to_owned(), "·".to_owned()),
                Some(figures) => (shade(games.mean_score().unwrap_or(0.5)), figures),
            }
        };
        let bots = standings.all();
        let cells = |one: usize| bots.iter().map(|other| cell(one, other.number)).collect();
        standings.has_cross_table().then(|| BotTable {
            id: "cross",
            title: "Cross table",
            mark: None,
            is_sortable: false,
            hint: "Points of the bot on the left out of its games against the bot above.".to_owned(),
            headings: bots.iter().map(|bot| (bot.place.to_string(), printable(&bot.entrant.name))).collect(),
            rows: bots.iter().map(|bot| (bot.into(), cells(bot.number))).collect(),
        })
    }
}

/// The class of a cell for a share of points.
fn shade(share: f64) -> String {
    let step = ((share - 0.5).abs() * 8.0).ceil().min(4.0);
    match share {
        _ if step == 0.0 => "even".to_owned(),
        up if up > 0.5 => format!("up-{step}"),
        _ => format!("down-{step}"),
    }
}

#[cfg(test)]
mod tests {
    use super::shade;

    #[test]
    fn shades_are_deepest_at_the_ends() {
        let shades = [0.0, 0.49, 0.5, 0.51, 0.75, 1.0].map(shade);
        assert_eq!(shades, ["down-4", "down-1", "even", "up-1", "up-2", "up-4"]);
    }
}
