//! Boards in the viewer, with the signs and colours of `--pretty`, and the number of shots at each cell.

use super::palette::{Palette, write};
use crate::show::board::{axis, before, row_label, sign};
use crate::show::text::colours::TextRole;
use crate::show::text::names::{cut, padded};
use arena::TimeUsed;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use rules::printable;
use rules::{BoardScene, CellScene, Point, Seat};
use unicode_width::UnicodeWidthStr;

/// The columns of a fact; longer facts take a multiple.
const FACT: usize = 13;

/// Draws a board: name and time of its player, the cells, and as many facts as there are rows for.
pub(super) fn draw(
    buffer: &mut Buffer,
    area: Rect,
    board: &BoardScene,
    name: &str,
    time: Option<&TimeUsed>,
    palette: Palette,
) {
    let time = time.map(|time| format!(" {} ms", time.wall.as_millis())).unwrap_or_default();
    draw_heading(buffer, area, &format!("{} {name}", board.seat), &time, palette);
    draw_grid(buffer, area, board, palette, |point| {
        board.cell(point).map(|cell| cell_spans(cell, palette)).unwrap_or_default()
    });
    draw_facts(buffer, area, board);
}

/// Draws the number of shots at each cell of a board, and as many facts as there are rows for.
pub(super) fn draw_density(buffer: &mut Buffer, area: Rect, board: &BoardScene, shots: &[u32], palette: Palette) {
    let total = format!(" {}", shots.iter().sum::<u32>());
    draw_heading(buffer, area, &format!("{} shots at each cell", board.seat), &total, palette);
    draw_grid(buffer, area, board, palette, |point| {
        let count = board.grid.index(point).and_then(|index| shots.get(index)).copied().unwrap_or_default();
        vec![count_span(count, palette)]
    });
    draw_facts(buffer, area, board);
}

/// Draws the chances of a hit on a board, as the player knows them who fires at it: digits from 0 to 9, which is the greatest chance; and as
/// many facts as there are rows for.
pub(super) fn draw_chances(
    buffer: &mut Buffer,
    area: Rect,
    board: &BoardScene,
    known: Option<(Seat, &[u8])>,
    palette: Palette,
) {
    let (_, chances) = known.unwrap_or((board.seat, &[]));
    let most = chances.iter().copied().max().unwrap_or_default();
    let (heading, scale) = match known {
        Some((by, _)) => (format!("{} chances for {by}", board.seat), format!(" 9: {most} %")),
        None => (format!("{} chances not known", board.seat), String::new()),
    };
    draw_heading(buffer, area, &heading, &scale, palette);
    draw_grid(buffer, area, board, palette, |point| {
        let chance = board.grid.index(point).and_then(|index| chances.get(index)).copied().unwrap_or_default();
        vec![chance_span(chance, most, palette)]
    });
    draw_facts(buffer, area, board);
}

/// The facts of a board in lines of at most `width` columns, as many on a line as fit.
pub(super) fn fact_lines(board: &BoardScene, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (label, value) in &board.facts {
        let fact = cut(&printable(&format!("{label} {value}")), width);
        if let Some(line) = lines.last_mut() {
            let start = (line.width() + 1).next_multiple_of(FACT);
            if start + fact.width() <= width {
                *line = padded(line, start) + &fact;
                continue;
            }
        }
        lines.push(fact);
    }
    lines
}

fn draw_facts(buffer: &mut Buffer, area: Rect, board: &BoardScene) {
    let below = 2 + board.grid.height() as usize;
    for (nth, fact) in fact_lines(board, usize::from(area.width)).into_iter().enumerate() {
        write(buffer, area, below + nth, fact);
    }
}

pub(super) fn draw_heading(buffer: &mut Buffer, area: Rect, left: &str, right: &str, palette: Palette) {
    let room = usize::from(area.width).saturating_sub(right.width());
    let line = Line::from(vec![
        palette.span(padded(&cut(left, room), room), TextRole::Heading),
        palette.span(right, TextRole::Quiet),
    ]);
    write(buffer, area, 0, line);
}

/// Draws a grid with the numbers of rows and columns, below the heading.
pub(super) fn draw_grid(
    buffer: &mut Buffer,
    area: Rect,
    board: &BoardScene,
    palette: Palette,
    cell: impl Fn(Point) -> Vec<Span<'static>>,
) {
    let grid = board.grid;
    for (nth, y) in board.rows().enumerate() {
        let label = palette.span(row_label(y), TextRole::Quiet);
        let cells = (0..grid.width()).flat_map(|x| cell(Point { x, y }));
        write(buffer, area, 1 + nth, [label].into_iter().chain(cells).collect::<Line>());
    }
    write(buffer, area, 1 + grid.height() as usize, palette.span(axis(grid), TextRole::Quiet));
}

fn cell_spans(cell: CellScene, palette: Palette) -> Vec<Span<'static>> {
    let (sign, role) = sign(cell.mark);
    let before = before(cell, palette.0.escapes());
    vec![Span::raw(before.to_string()), Span::styled(sign.to_string(), palette.style(role, cell.fresh, cell.shielded))]
}

fn chance_span(chance: u8, most: u8, palette: Palette) -> Span<'static> {
    let Some(digit) = (9 * u32::from(chance) + u32::from(most) / 2).checked_div(most.into()).filter(|_| chance > 0)
    else {
        return palette.span(" ~", TextRole::Water);
    };
    let role = match digit {
        0..=3 => TextRole::Miss,
        4..=6 => TextRole::Shield,
        _ => TextRole::Hit,
    };
    palette.span(format!(" {digit}"), role)
}

fn count_span(count: u32, palette: Palette) -> Span<'static> {
    let role = match count {
        0 => TextRole::Water,
        1 => TextRole::Miss,
        2 | 3 => TextRole::Shield,
        _ => TextRole::Hit,
    };
    let text = match count {
        0 => " ~".to_owned(),
        1..=99 => format!("{count:>2}"),
        _ => "++".to_owned(),
    };
    palette.span(text, role)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{FirstRow, Grid};

    fn facts(facts: &[(&'static str, &str)], width: usize) -> Vec<String> {
        let facts = facts.iter().map(|(label, value)| (*label, (*value).to_owned())).collect();
        let grid = Grid::new(0, 0);
        let board = BoardScene {
            seat: Seat::A,
            first_row: FirstRow::Bottom,
            grid,
            cells: Vec::new(),
            fleet: Vec::new(),
            facts,
            measures: Vec::new(),
            deed: String::new(),
        };
        fact_lines(&board, width)
    }

    #[test]
    fn facts_share_a_line_as_long_as_there_is_room() {
        let all = [("points", "40"), ("ships", "SBCDR"), ("energy", "220"), ("shield", "up at 10, 10, 12 left")];
        let expected = ["points 40    ships SBCDR", "energy 220", "shield up at 10, 10, 12 left"];
        assert_eq!(facts(&all, 31), expected);
        assert_eq!(facts(&all, 39)[0], "points 40    ships SBCDR  energy 220");
    }

    #[test]
    fn a_fact_too_long_is_cut_and_cannot_paint() {
        assert_eq!(facts(&[("shield", "up at \x1b[31m very far away")], 17), ["shield up at \u{fffd}[3…"]);
    }

    #[test]
    fn counts_are_two_columns_wide() {
        let palette = Palette(crate::show::text::colours::Colours::PLAIN);
        for count in [0, 1, 9, 10, 99, 100, u32::MAX] {
            assert_eq!(count_span(count, palette).width(), 2);
        }
    }
}
