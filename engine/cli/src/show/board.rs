//! Boards as text. The signs are those of map.txt: letters for ships, small where they are hit, `*` a hit, `!` a miss,
//! `@` a shot that a shield caught, `%` armour that was hit and holds, `~` water. `>` stands before the cells of the last
//! shots, `+` before shielded ones, `:` before those that a radar has just looked at.

use super::Names;
use super::names::{clean, cut, padded};
use super::paint::{Meaning, Paint};
use rules::{BoardScene, CellScene, Grid, Mark, Point, Scene};
use std::io;
use unicode_width::UnicodeWidthStr;

/// Columns before the first cell.
pub(super) const MARGIN: usize = 3;
/// Columns of a cell.
pub(super) const CELL: usize = 2;
/// Columns of the first fact on a line and the space behind it, where no fact needs more.
const FACT: usize = 13;
/// Columns between two boards.
pub(super) const GAP: usize = 4;

/// The lines of a scene, not wider than `columns`: boards side by side where that is wide enough, else one below the
/// other.
pub(crate) fn lines(scene: &Scene, names: &Names, paint: Paint, columns: usize) -> Vec<String> {
    let blocks: Vec<Block> = scene.boards.iter().map(|board| Block::new(board, names, paint)).collect();
    let widths: Vec<usize> = scene.boards.iter().map(width).collect();
    let together = widths.iter().sum::<usize>() + GAP * blocks.len().saturating_sub(1);
    let mut lines = vec![paint.paint(&scene.title, Meaning::Heading, false, false)];
    if together <= columns {
        let rows = blocks.iter().map(|block| block.lines.len()).max().unwrap_or_default();
        for row in 0..rows {
            let mut line = String::new();
            for (nth, (block, width)) in blocks.iter().zip(&widths).enumerate() {
                if nth > 0 {
                    line.push_str(&" ".repeat(GAP));
                }
                match block.lines.get(row) {
                    Some(painted) => line.push_str(painted),
                    None => line.push_str(&" ".repeat(*width)),
                }
            }
            lines.push(line.trim_end().to_owned());
        }
    } else if widths.iter().all(|width| *width <= columns) {
        lines.extend(blocks.iter().flat_map(|block| block.lines.iter().map(|line| line.trim_end().to_owned())));
    }
    lines.extend(
        scene
            .boards
            .iter()
            .filter(|board| !board.deed.is_empty())
            .map(|board| cut(&clean(&format!("{} {}: {}", board.seat, names.of(board.seat), board.deed)), columns)),
    );
    lines
}

/// The scene for a person who plays at this terminal.
pub(crate) fn for_person(scene: &Scene, names: &Names) -> String {
    let stdout = io::stdout();
    let columns = super::screen::size().map_or(80, |size| size.columns);
    lines(scene, names, Paint::for_stream(&stdout), columns).join("\n")
}

/// Columns of a board: its cells, or its facts where they are wider.
pub(super) fn width(board: &BoardScene) -> usize {
    let cells = MARGIN + CELL * board.grid.width() as usize;
    fact_lines(board).iter().map(|line| line.width()).max().unwrap_or_default().max(cells)
}

/// The lines of one board, each padded to its width.
struct Block {
    lines: Vec<String>,
}

impl Block {
    fn new(board: &BoardScene, names: &Names, paint: Paint) -> Block {
        let width = width(board);
        let name = cut(&format!("{} {}", board.seat, names.of(board.seat)), width);
        let mut lines = vec![paint.paint(padded(&name, width), Meaning::Heading, false, false)];
        for y in (0..board.grid.height()).rev() {
            let cells =
                (0..board.grid.width()).filter_map(|x| board.cell(Point { x, y })).map(|cell| paint_cell(cell, paint));
            let label = paint.paint(row_label(y), Meaning::Quiet, false, false);
            let drawn = MARGIN + CELL * board.grid.width() as usize;
            lines.push(format!("{label}{}{}", cells.collect::<String>(), " ".repeat(width - drawn)));
        }
        lines.push(paint.paint(padded(&axis(board.grid), width), Meaning::Quiet, false, false));
        lines.extend(fact_lines(board).iter().map(|line| padded(line, width)));
        Block { lines }
    }
}

/// What stands before the first cell of row `y`.
pub(super) fn row_label(y: i32) -> String {
    format!("{y:>2} ")
}

/// The numbers of the columns, to be written below them.
pub(super) fn axis(grid: Grid) -> String {
    // Numbers of two digits touch, so only every second one is written.
    let label = |x: i32| if x > 9 && x % 2 == 1 { "  ".to_owned() } else { format!("{x:>2}") };
    format!("   {}", (0..grid.width()).map(label).collect::<String>())
}

/// The sign of a mark and what it means.
pub(super) fn sign(mark: Mark) -> (char, Meaning) {
    match mark {
        Mark::Water => ('~', Meaning::Water),
        Mark::Ship(letter) => (letter, Meaning::Ship),
        Mark::Damaged(_) => ('%', Meaning::Damaged),
        Mark::Hit(Some(letter)) => (letter.to_ascii_lowercase(), Meaning::Hit),
        Mark::Hit(None) => ('*', Meaning::Hit),
        Mark::Miss => ('!', Meaning::Miss),
        Mark::ShieldHit => ('@', Meaning::Shield),
    }
}

/// What stands before the sign of a cell. Colours tell of shots and shields themselves.
pub(super) fn before(cell: CellScene, coloured: bool) -> char {
    match (cell.fresh, cell.shielded, cell.scanned) {
        (true, ..) if !coloured => '>',
        (_, true, _) if !coloured => '+',
        (_, _, true) => ':',
        _ => ' ',
    }
}

fn paint_cell(cell: CellScene, paint: Paint) -> String {
    let (sign, meaning) = sign(cell.mark);
    format!("{}{}", before(cell, paint.escapes()), paint.paint(sign, meaning, cell.fresh, cell.shielded))
}

/// The facts, two on a line.
fn fact_lines(board: &BoardScene) -> Vec<String> {
    let facts: Vec<String> = board.facts.iter().map(|(label, value)| format!("{label} {value}")).collect();
    // One that is alone on its line may be as long as it likes.
    let column = facts.chunks_exact(2).map(|pair| pair[0].width() + 1).max().unwrap_or_default().max(FACT);
    let line = |pair: &[String]| pair.iter().map(|fact| padded(fact, column)).collect::<String>().trim_end().to_owned();
    facts.chunks(2).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Seat;

    fn one_board(cells: Vec<CellScene>, facts: Vec<(&'static str, String)>, paint: Paint) -> Vec<String> {
        let grid = Grid::new(cells.len() as u8, 1);
        let board = BoardScene { seat: Seat::A, grid, cells, facts, measures: Vec::new(), deed: String::new() };
        let scene = Scene { title: "Move 1".to_owned(), boards: vec![board], highlights: Vec::new() };
        lines(&scene, &Names::of_players(["Alpha"]), paint, 80)
    }

    /// One row of these marks; a shot fell in the first cell, and a radar looked at the first two.
    fn row(marks: &[Mark], paint: Paint) -> String {
        let cell = |(nth, mark): (usize, &Mark)| CellScene {
            mark: *mark,
            shielded: nth == 2,
            fresh: nth == 0,
            scanned: nth < 2,
        };
        one_board(marks.iter().enumerate().map(cell).collect(), Vec::new(), paint).swap_remove(2)
    }

    #[test]
    fn facts_stand_below_each_other_with_a_space_between_them() {
        let facts = [("hits", "9/23"), ("shots", "14"), ("ships", "FBTWWSOoOO"), ("radar", "at 7, 2, saw 3")];
        let facts = facts.map(|(label, value)| (label, value.to_owned()));
        let drawn = |facts: &[(&'static str, String)]| one_board(Vec::new(), facts.to_vec(), Paint::PLAIN).split_off(4);
        assert_eq!(drawn(&facts), ["hits 9/23        shots 14", "ships FBTWWSOoOO radar at 7, 2, saw 3"]);
        assert_eq!(drawn(&facts[..3]), ["hits 9/23    shots 14", "ships FBTWWSOoOO"]);
    }

    const MARKS: [Mark; 8] = [
        Mark::Miss,
        Mark::Ship('?'),
        Mark::Ship('S'),
        Mark::Damaged('B'),
        Mark::Hit(Some('B')),
        Mark::Hit(None),
        Mark::ShieldHit,
        Mark::Water,
    ];

    #[test]
    fn every_mark_has_a_sign_of_its_own() {
        assert_eq!(row(&MARKS, Paint::PLAIN), " 0 >!:?+S % b * @ ~");
    }

    #[test]
    fn in_colours_only_radar_has_a_sign_before_the_cell() {
        let row = row(&MARKS, Paint::COLOURED);
        assert_eq!(row.matches(':').count(), 2);
        assert!(!row.contains(['>', '+']), "colours tell of shots and shields");
    }
}
