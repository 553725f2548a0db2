//! The points of each bot against each other bot.

use super::bot::ReportBot;
use askama::Template;
use tournament::Standings;

/// The cross table of all bots.
#[derive(Template)]
#[template(path = "report/cross_table.html")]
pub(super) struct CrossTable {
    rows: Vec<Row>,
}

struct Row {
    bot: ReportBot,
    /// The class and the text of each cell.
    cells: Vec<(String, String)>,
}

impl CrossTable {
    /// The table, if the tournament is of a kind that has one.
    pub(super) fn new(standings: &Standings<'_>) -> Option<CrossTable> {
        let cell = |one: usize, other: usize| {
            let games = standings.table().between(one, other);
            match games.in_figures() {
                _ if one == other => ("self".to_owned(), String::new()),
                None => ("quiet".to_owned(), "·".to_owned()),
                Some(figures) => (shade(games.mean_score().unwrap_or(0.5)), figures),
            }
        };
        let bots = standings.all();
        let rows = bots.iter().map(|one| Row {
            bot: one.into(),
            cells: bots.iter().map(|other| cell(one.number, other.number)).collect(),
        });
        standings.has_cross_table().then(|| CrossTable { rows: rows.collect() })
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
