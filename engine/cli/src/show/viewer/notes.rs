//! Notes of bots: numbers of cells as a heat map, marks and the guessed fleet on a board of their own beside the truth, and text.

use super::boards::{draw_grid, draw_heading};
use super::palette::{Palette, write};
use crate::show::board::{axis, row_label};
use crate::show::text::colours::TextRole;
use crate::show::text::names::cut;
use arena::Notes;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use rules::{BoardScene, Grid, Point, Seat};
use std::collections::{BTreeMap, BTreeSet};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The notes of the opponent of a board's owner, drawn cell by cell.
struct NotesBoard<'a> {
    notes: &'a Notes,
    marks: BTreeMap<Point, char>,
    guessed: BTreeSet<Point>,
}

impl<'a> NotesBoard<'a> {
    fn new(notes: &'a Notes) -> NotesBoard<'a> {
        // Other characters would move the cells behind them.
        let sign = |text: &str| text.chars().next().filter(|sign| sign.width() == Some(1)).unwrap_or('x');
        NotesBoard {
            notes,
            marks: notes.marks().iter().map(|(at, text)| (*at, sign(text))).collect(),
            guessed: notes.fleet().iter().flatten().copied().collect(),
        }
    }

    /// The two characters of a cell: `[` before cells of the guessed fleet, then the mark, or the number of the cell as a digit
    /// from 0 for the smallest to 9 for the largest.
    fn cell(&self, at: Point) -> ([char; 2], TextRole) {
        let before = if self.guessed.contains(&at) { '[' } else { ' ' };
        if let Some(mark) = self.marks.get(&at) {
            return ([before, *mark], TextRole::Heading);
        }
        let Some(share) = self.notes.share(at) else { return ([before, '~'], TextRole::Water) };
        let digit = (share * 9.0).round() as u32;
        let role = match digit {
            0 => TextRole::Quiet,
            1..=3 => TextRole::Miss,
            4..=6 => TextRole::Shield,
            _ => TextRole::Hit,
        };
        ([before, char::from_digit(digit, 10).unwrap_or('9')], role)
    }
}

/// The notes on the board of `owner`: those of its opponent, in games for two.
fn on_board<'a>(notes: &[(Seat, &'a Notes)], owner: Seat) -> Option<&'a Notes> {
    notes.iter().find(|(seat, _)| seat.opponent() == owner).map(|(_, notes)| *notes)
}

/// The meaning of the signs of [`NotesBoard::cell`].
const LEGEND: &str = "0 least, 9 most, [ guessed";

/// Draws the notes on a board, and below them their meaning and as much of their text as there are rows for.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, board: &BoardScene, notes: &[(Seat, &Notes)], palette: Palette) {
    let author = board.seat.opponent();
    let Some(notes) = on_board(notes, board.seat) else {
        return draw_heading(buffer, area, &format!("{author} shows no notes"), "", palette);
    };
    draw_heading(buffer, area, &format!("{author} notes on {}", board.seat), "", palette);
    let cells = NotesBoard::new(notes);
    draw_grid(buffer, area, board, palette, |at| {
        let ([before, sign], role) = cells.cell(at);
        vec![Span::raw(before.to_string()), palette.span(sign.to_string(), role)]
    });
    let first = 2 + board.grid.height() as usize;
    let columns = usize::from(area.width);
    let legend = palette.span(cut(LEGEND, columns), TextRole::Quiet);
    let texts = text_lines(notes, columns).into_iter().map(Line::from);
    for (nth, line) in notes.has_cells().then(|| legend.into()).into_iter().chain(texts).enumerate() {
        write(buffer, area, first + nth, line);
    }
}

/// The lines of notes in plain text: boards if there is anything on them, then texts.
pub(super) fn lines(notes: &[(Seat, &Notes)], boards: &[BoardScene], columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for (seat, notes) in notes {
        lines.push(format!("{seat} notes on {}:", seat.opponent()));
        let board = boards.iter().find(|board| board.seat == seat.opponent());
        if let Some(board) = board.filter(|_| notes.has_cells()) {
            lines.extend(grid_lines(notes, board.grid, board.rows()));
            lines.push(cut(LEGEND, columns));
        }
        lines.extend(text_lines(notes, columns));
    }
    lines
}

fn grid_lines(notes: &Notes, grid: Grid, rows: impl Iterator<Item = i32>) -> impl Iterator<Item = String> {
    let cells = NotesBoard::new(notes);
    let row = move |y| {
        let row = (0..grid.width()).flat_map(|x| cells.cell(Point { x, y }).0).collect::<String>();
        format!("{}{row}", row_label(y))
    };
    rows.map(row).chain([axis(grid)])
}

/// The text and then the output, broken between words where a line is wider than `columns`.
fn text_lines(notes: &Notes, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in notes.text().lines() {
        let mut broken = String::new();
        for word in line.split_whitespace() {
            if !broken.is_empty() && broken.width() + 1 + word.width() > columns {
                lines.push(std::mem::take(&mut broken));
            }
            if !broken.is_empty() {
                broken.push(' ');
            }
            broken.push_str(&cut(word, columns));
        }
        lines.push(broken);
    }
    lines.extend(notes.output().iter().map(|line| cut(&format!("> {line}"), columns)));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTES: &str = r#"{"text":"the destroyer\nis near","numbers":[[0,0.5],[null,1]],"marks":[[2,0,"很"],[2,1,"here"]],
                           "fleet":[[[0,0],[1,0]],[[9,9]]]}"#;

    #[test]
    fn numbers_marks_and_guessed_ships_are_told_apart() {
        let notes = Notes::read(NOTES.as_bytes()).unwrap();
        let lines: Vec<String> = grid_lines(&notes, Grid::new(3, 2), [1, 0].into_iter()).collect();
        assert_eq!(lines, [" 1  ~ 9 h", " 0 [0[5 x", "    0 1 2"]);
    }

    #[test]
    fn text_is_broken_between_words_and_output_comes_after_it() {
        let notes = Notes::read(NOTES.as_bytes()).unwrap();
        let notes = Notes::with_output(Some(notes), vec!["said a lot".to_owned()]).unwrap();
        assert_eq!(text_lines(&notes, 20), ["the destroyer", "is near", "> said a lot"]);
        assert_eq!(text_lines(&notes, 9), ["the", "destroyer", "is near", "> said a…"]);
    }
}
