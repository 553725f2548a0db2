//! The heat maps of a profile as text: numbers in per cent of the games.

use crate::show::text::colours::{Colours, TextRole};
use crate::show::text::names::padded;
use analysis::profile::{Board, Profile};
use rules::{FirstRow, Grid};

/// The columns of a cell.
const CELL: usize = 3;
/// The columns between two boards.
const GAP: usize = 4;

/// Both boards of a profile, side by side if they fit.
pub(super) fn of(profile: &Profile, board: &Board, colours: Colours, columns: usize) -> String {
    let width = CELL * (board.grid.width() as usize + 1);
    if width > columns {
        return String::new();
    }
    let first = format!("Its first {} shots", profile.first_shots.shots);
    let ships = heat("Where its ships stood", &profile.fleets.cells, profile.fleets.games, board, colours);
    let shots = heat(&first, &profile.first_shots.cells, profile.first_shots.games, board, colours);
    let mut text = "\nPer cent of the games, by cells; a dot is none, 99 is 99 or all:\n".to_owned();
    if 2 * width + GAP > columns {
        ships.iter().chain(&shots).for_each(|line| text.push_str(&format!("{}\n", line.trim_end())));
        return text;
    }
    for (left, right) in ships.iter().zip(&shots) {
        text.push_str(format!("{left}{}{right}", " ".repeat(GAP)).trim_end());
        text.push('\n');
    }
    text
}

/// The lines of a board: a title, the rows, and the numbers of the columns. Cells above half of the highest number stand out.
fn heat(title: &str, cells: &[u32], games: u32, board: &Board, colours: Colours) -> Vec<String> {
    let grid = board.grid;
    let width = CELL * (grid.width() as usize + 1);
    let most = cells.iter().copied().max().unwrap_or_default();
    let cell = |count: u32| {
        let percent = (100.0 * f64::from(count) / f64::from(games.max(1))).round() as u32;
        // A hundred has no room beside another.
        let text = if count == 0 { "  .".to_owned() } else { format!(" {:>2}", percent.clamp(1, 99)) };
        let role = match () {
            () if count == 0 => TextRole::Quiet,
            () if 2 * count > most => TextRole::Hit,
            () => TextRole::Miss,
        };
        colours.apply(text, role, false, false)
    };
    let mut lines = vec![colours.apply(padded(title, width), TextRole::Heading, false, false)];
    for y in rows(grid, board.first_row) {
        let row = (0..grid.width()).map(|x| cell(cells[(y * grid.width() + x) as usize]));
        let label = colours.apply(format!("{y:>2} "), TextRole::Quiet, false, false);
        lines.push(format!("{label}{}", row.collect::<String>()));
    }
    let axis: String = (0..grid.width()).map(|x| format!("{x:>3}")).collect();
    lines.push(colours.apply(format!("   {axis}"), TextRole::Quiet, false, false));
    lines
}

/// The rows from above.
fn rows(grid: Grid, first: FirstRow) -> Vec<i32> {
    match first {
        FirstRow::Top => (0..grid.height()).collect(),
        FirstRow::Bottom => (0..grid.height()).rev().collect(),
    }
}
