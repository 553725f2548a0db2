//! Heat maps: a table with a number in each cell, in per cent of the games, on a colour of one of eleven levels.

use super::PageBot;
use analysis::profile::{Board, Profile};
use askama::Template;
use rules::FirstRow;

/// The highest level of a colour.
const HIGHEST: u32 = 10;

/// A heat map of one bot. All maps of a kind have one scale.
#[derive(Template)]
#[template(path = "profile/heat.html")]
pub(super) struct HeatMap {
    name: String,
    letter: char,
    colour: String,
    games: u32,
    /// The cell with the highest number, in words.
    summary: String,
    columns: Vec<i32>,
    /// The number of each row, from above, and its cells: the level of the colour and the number.
    rows: Vec<(i32, Vec<(u32, u32)>)>,
    /// The number of the highest level.
    most: u32,
}

impl HeatMap {
    /// The maps of all bots. `counts` gives for each cell the games in which it was so, and the number of games.
    pub(super) fn of_all(
        bots: &[PageBot<'_>],
        board: &Board,
        counts: impl Fn(&Profile) -> (&[u32], u32),
    ) -> Vec<HeatMap> {
        let percents = |bot: &PageBot<'_>| -> Vec<f64> {
            let (cells, games) = counts(bot.profile);
            cells.iter().map(|count| 100.0 * f64::from(*count) / f64::from(games.max(1))).collect()
        };
        let most = bots.iter().flat_map(&percents).fold(0.0, f64::max);
        bots.iter().map(|bot| HeatMap::new(bot, board, &percents(bot), counts(bot.profile).1, most)).collect()
    }

    fn new(bot: &PageBot<'_>, board: &Board, percents: &[f64], games: u32, most: f64) -> HeatMap {
        let grid = board.grid;
        let level = |percent: f64| match percent {
            0.0 => 0,
            percent => ((f64::from(HIGHEST) * percent / most).round() as u32).clamp(1, HIGHEST),
        };
        let cell = |percent: f64| (level(percent), percent.round() as u32);
        let row = |y: i32| {
            let first = (y * grid.width()) as usize;
            (y, percents[first..first + grid.width() as usize].iter().map(|percent| cell(*percent)).collect())
        };
        let mut rows: Vec<i32> = (0..grid.height()).collect();
        if board.first_row == FirstRow::Bottom {
            rows.reverse();
        }
        let highest = (0..percents.len()).max_by(|one, other| percents[*one].total_cmp(&percents[*other]));
        let summary = highest.map(|cell| {
            let at = grid.point(cell);
            format!("most often column {}, row {}: {:.0} %", at.x, at.y, percents[cell])
        });
        HeatMap {
            name: bot.name.clone(),
            letter: bot.letter(),
            colour: bot.colour(),
            games,
            summary: summary.unwrap_or_default(),
            columns: (0..grid.width()).collect(),
            rows: rows.into_iter().map(row).collect(),
            most: most.round() as u32,
        }
    }
}
