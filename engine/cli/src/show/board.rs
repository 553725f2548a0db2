//! Boards as text. The signs are those of map.txt: letters for ships, small where they are hit, `*` a hit, `!` a miss,
//! `^` a shot whose result is not known, `@` a shot that a shield caught, `%` armour that was hit and holds,
//! `~` water. `>` stands before the cells of the last shots, `+` before shielded cells, `:` before cells that a radar
//! has just scanned.

use super::Names;
use crate::show::text::colours::{Colours, TextRole};
use crate::show::text::names::{cut, padded};
use rules::printable;
use rules::{BoardScene, CellScene, Grid, Mark, Point, Scene, Seat};
use std::io;
use unicode_width::UnicodeWidthStr;

/// Columns before the first cell.
pub(super) const MARGIN: usize = 3;
/// Columns of a cell.
pub(super) const CELL: usize = 2;
/// The least columns of the first fact on a line with the space behind it.
const FACT: usize = 13;
/// Columns between two boards.
pub(super) const GAP: usize = 4;

/// The lines of a scene, at most `columns` wide: as many boards side by side as fit, and the others below them.
pub(crate) fn lines(scene: &Scene, names: &Names, colours: Colours, columns: usize) -> Vec<String> {
    lines_from(false, scene, names, colours, columns)
}

/// The lines of a scene. If `has_letters`, columns have letters above their numbers, for people who type `D4`.
fn lines_from(has_letters: bool, scene: &Scene, names: &Names, colours: Colours, columns: usize) -> Vec<String> {
    let mut lines = vec![title(scene, colours)];
    lines.extend(board_rows(has_letters, scene, names, colours, columns).into_iter().flat_map(|row| row.lines));
    lines.extend(deeds(scene, names, columns));
    lines
}

/// The lines of a scene in at most `rows` rows. If not all boards fit, those with the last shots come first.
pub(super) fn lines_within(scene: &Scene, names: &Names, colours: Colours, columns: usize, rows: usize) -> Vec<String> {
    let all = lines(scene, names, colours, columns);
    if all.len() <= rows || scene.boards.len() <= 2 {
        return all.into_iter().take(rows).collect();
    }
    let deeds = deeds(scene, names, columns);
    let mut board_rows = board_rows(false, scene, names, colours, columns);
    // The sort is stable, so that the others keep their places.
    board_rows.sort_by_key(|row| !row.is_fresh);
    let room = rows.saturating_sub(1 + deeds.len());
    let boards = board_rows.into_iter().flat_map(|row| row.lines).take(room);
    [title(scene, colours)].into_iter().chain(boards).chain(deeds).take(rows).collect()
}

fn title(scene: &Scene, colours: Colours) -> String {
    colours.apply(printable(&scene.title), TextRole::Heading, false, false)
}

/// Boards side by side.
struct BoardRow {
    lines: Vec<String>,
    /// True if a shot of the last turn fell on one of them.
    is_fresh: bool,
}

/// All boards in rows; empty if one board is wider than `columns`.
fn board_rows(has_letters: bool, scene: &Scene, names: &Names, colours: Colours, columns: usize) -> Vec<BoardRow> {
    let widths: Vec<usize> = scene.boards.iter().map(width).collect();
    if widths.iter().any(|width| *width > columns) {
        return Vec::new();
    }
    let together = widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
    let widest = widths.iter().max().copied().unwrap_or_default();
    // Boards in several rows form columns of equal width.
    let (across, width) =
        if together <= columns { (widths.len(), 0) } else { ((columns + GAP) / (widest + GAP), widest) };
    let row = |boards: &[BoardScene]| BoardRow {
        lines: side_by_side(
            boards.iter().map(|board| BoardBlock::new(board, has_letters, width, names, colours)).collect(),
        ),
        is_fresh: boards.iter().any(|board| board.cells.iter().any(|cell| cell.fresh)),
    };
    scene.boards.chunks(across.max(1)).map(row).collect()
}

fn side_by_side(blocks: Vec<BoardBlock>) -> Vec<String> {
    let rows = blocks.iter().map(|block| block.lines.len()).max().unwrap_or_default();
    let row = |row: usize| {
        let parts = blocks.iter().map(|block| match block.lines.get(row) {
            Some(painted) => painted.clone(),
            None => " ".repeat(block.width),
        });
        parts.collect::<Vec<_>>().join(&" ".repeat(GAP)).trim_end().to_owned()
    };
    (0..rows).map(row).collect()
}

fn deeds(scene: &Scene, names: &Names, columns: usize) -> Vec<String> {
    let told = scene.boards.iter().filter(|board| !board.deed.is_empty());
    told.map(|board| cut(&printable(&format!("{} {}: {}", board.seat, names.of(board.seat), board.deed)), columns))
        .collect()
}

/// The text of a scene for the person in `seat`, who plays at this terminal. The person's own board is the first.
pub(crate) fn for_person(scene: &Scene, seat: Seat, names: &Names) -> String {
    own_first(scene, seat, names, Colours::for_stream(&io::stdout()))
}

/// As [`for_person`], without colours, for standard error.
#[cfg(feature = "full")]
pub(crate) fn for_person_in_salvo(scene: &Scene, seat: Seat, names: &Names) -> String {
    own_first(scene, seat, names, Colours::PLAIN)
}

fn own_first(scene: &Scene, seat: Seat, names: &Names, colours: Colours) -> String {
    let mut scene = scene.clone();
    // The sort is stable, so that the others keep their places.
    scene.boards.sort_by_key(|board| board.seat != seat);
    let columns = platform::terminal::size().map_or(80, |size| size.columns);
    lines_from(true, &scene, names, colours, columns).join("\n")
}

/// The columns of a board: of its cells, or of its facts if they are wider.
pub(super) fn width(board: &BoardScene) -> usize {
    let cells = MARGIN + CELL * board.grid.width() as usize;
    fact_lines(board).iter().map(|line| line.width()).max().unwrap_or_default().max(cells)
}

/// The lines of one board, each padded to a width.
struct BoardBlock {
    lines: Vec<String>,
    width: usize,
}

impl BoardBlock {
    /// The text of a board, at least `width` columns wide.
    fn new(board: &BoardScene, has_letters: bool, width: usize, names: &Names, colours: Colours) -> BoardBlock {
        let width = self::width(board).max(width);
        let name = cut(&format!("{} {}", board.seat, names.of(board.seat)), width);
        let mut lines = vec![colours.apply(padded(&name, width), TextRole::Heading, false, false)];
        for y in board.rows() {
            let cells = (0..board.grid.width())
                .filter_map(|x| board.cell(Point { x, y }))
                .map(|cell| paint_cell(cell, colours));
            let label = colours.apply(row_label(y), TextRole::Quiet, false, false);
            let drawn = MARGIN + CELL * board.grid.width() as usize;
            lines.push(format!("{label}{}{}", cells.collect::<String>(), " ".repeat(width - drawn)));
        }
        let letters = has_letters.then(|| letters(board.grid));
        for axis in letters.into_iter().chain([axis(board.grid)]) {
            lines.push(colours.apply(padded(&axis, width), TextRole::Quiet, false, false));
        }
        lines.extend(fact_lines(board).iter().map(|line| padded(line, width)));
        BoardBlock { lines, width }
    }
}

/// The label before the first cell of row `y`.
pub(super) fn row_label(y: i32) -> String {
    format!("{y:>2} ")
}

/// The line below the cells with the numbers of the columns.
pub(super) fn axis(grid: Grid) -> String {
    // Numbers of two digits would touch the one before, so from 8 on only every second one is written.
    let is_wide = grid.width() > 10;
    let label = |x: i32| if is_wide && x > 8 && x % 2 == 1 { "  ".to_owned() } else { format!("{x:>2}") };
    format!("   {}", (0..grid.width()).map(label).collect::<String>())
}

/// The line below the cells with the letters of the columns.
fn letters(grid: Grid) -> String {
    format!("   {}", ('A'..='Z').take(grid.width() as usize).map(|letter| format!(" {letter}")).collect::<String>())
}

/// The sign of a mark, and the role that gives it its colours.
pub(super) fn sign(mark: Mark) -> (char, TextRole) {
    match mark {
        Mark::Water => ('~', TextRole::Water),
        Mark::Ship(letter) => (letter, TextRole::Ship),
        Mark::Damaged(_) => ('%', TextRole::Damaged),
        Mark::Hit(Some(letter)) => (letter.to_ascii_lowercase(), TextRole::Hit),
        Mark::Hit(None) => ('*', TextRole::Hit),
        Mark::Miss => ('!', TextRole::Miss),
        Mark::Shot => ('^', TextRole::Miss),
        Mark::ShieldHit => ('@', TextRole::Shield),
    }
}

/// The character before the sign of a cell. Colours show shots and shields, so only radar has one if `coloured`.
pub(super) fn before(cell: CellScene, coloured: bool) -> char {
    match (cell.fresh, cell.shielded, cell.scanned) {
        (true, ..) if !coloured => '>',
        (_, true, _) if !coloured => '+',
        (_, _, true) => ':',
        _ => ' ',
    }
}

fn paint_cell(cell: CellScene, colours: Colours) -> String {
    let (sign, role) = sign(cell.mark);
    format!("{}{}", before(cell, colours.escapes()), colours.apply(sign, role, cell.fresh, cell.shielded))
}

/// The facts of a board, two on a line.
fn fact_lines(board: &BoardScene) -> Vec<String> {
    let facts = board.facts.iter().map(|(label, value)| printable(&format!("{label} {value}")));
    let facts: Vec<String> = facts.collect();
    // A fact that is alone on its line may be of any length.
    let column = facts.chunks_exact(2).map(|pair| pair[0].width() + 1).max().unwrap_or_default().max(FACT);
    let line = |pair: &[String]| pair.iter().map(|fact| padded(fact, column)).collect::<String>().trim_end().to_owned();
    facts.chunks(2).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::FirstRow;

    fn one_board(cells: Vec<CellScene>, facts: Vec<(&'static str, String)>, colours: Colours) -> Vec<String> {
        let grid = Grid::new(cells.len() as u8, 1);
        let (seat, fleet, measures, deed) = (Seat::A, Vec::new(), Vec::new(), String::new());
        let board = BoardScene { seat, grid, first_row: FirstRow::Bottom, cells, fleet, facts, measures, deed };
        let scene = Scene { title: "Move 1".to_owned(), boards: vec![board], ..Scene::default() };
        lines(&scene, &Names::of_players(["Alpha"]), colours, 80)
    }

    #[test]
    fn numbers_of_columns_do_not_touch() {
        assert_eq!(axis(Grid::new(10, 10)), "    0 1 2 3 4 5 6 7 8 9");
        assert_eq!(letters(Grid::new(10, 10)), "    A B C D E F G H I J");
        assert_eq!(axis(Grid::new(14, 14)).trim_end(), "    0 1 2 3 4 5 6 7 8  10  12");
    }

    /// One row of these marks; a shot fell in the first cell, and a radar looked at the first two.
    fn row(marks: &[Mark], colours: Colours) -> String {
        let cell = |(nth, mark): (usize, &Mark)| CellScene {
            mark: *mark,
            shielded: nth == 2,
            fresh: nth == 0,
            scanned: nth < 2,
        };
        one_board(marks.iter().enumerate().map(cell).collect(), Vec::new(), colours).swap_remove(2)
    }

    #[test]
    fn facts_stand_below_each_other_with_a_space_between_them() {
        let facts = [("hits", "9/23"), ("shots", "14"), ("ships", "FBTWWSOoOO"), ("radar", "at 7, 2, saw 3")];
        let facts = facts.map(|(label, value)| (label, value.to_owned()));
        let drawn =
            |facts: &[(&'static str, String)]| one_board(Vec::new(), facts.to_vec(), Colours::PLAIN).split_off(4);
        assert_eq!(drawn(&facts), ["hits 9/23        shots 14", "ships FBTWWSOoOO radar at 7, 2, saw 3"]);
        assert_eq!(drawn(&facts[..3]), ["hits 9/23    shots 14", "ships FBTWWSOoOO"]);
    }

    const MARKS: [Mark; 9] = [
        Mark::Miss,
        Mark::Ship('?'),
        Mark::Ship('S'),
        Mark::Damaged('B'),
        Mark::Hit(Some('B')),
        Mark::Hit(None),
        Mark::ShieldHit,
        Mark::Shot,
        Mark::Water,
    ];

    #[test]
    fn every_mark_has_a_sign_of_its_own() {
        assert_eq!(row(&MARKS, Colours::PLAIN), " 0 >!:?+S % b * @ ^ ~");
    }

    #[test]
    fn in_colours_only_radar_has_a_sign_before_the_cell() {
        let row = row(&MARKS, Colours::COLOURED);
        assert_eq!(row.matches(':').count(), 2);
        assert!(!row.contains(['>', '+']), "colours tell of shots and shields");
    }

    /// Boards of one row of seven cells, 17 columns wide, on one of which a shot fell.
    fn many(boards: u8, fresh: u8) -> Scene {
        let board = |nth| {
            let cell = CellScene { mark: Mark::Water, shielded: false, fresh: nth == fresh, scanned: false };
            let deed = if nth == 0 { "fired".to_owned() } else { String::new() };
            let seat = Seat::new(nth).unwrap();
            let grid = Grid::new(7, 1);
            let (cells, fleet, facts, measures) = (vec![cell; 7], Vec::new(), Vec::new(), Vec::new());
            BoardScene { seat, grid, first_row: FirstRow::Bottom, cells, fleet, facts, measures, deed }
        };
        Scene { title: "Move 1".to_owned(), boards: (0..boards).map(board).collect(), ..Scene::default() }
    }

    /// The seats whose names stand in each line with names.
    fn seats(lines: &[String]) -> Vec<String> {
        let names = lines.iter().filter(|line| line.contains(" x") && !line.contains("fired"));
        names.map(|line| line.chars().filter(char::is_ascii_uppercase).collect()).collect()
    }

    #[test]
    fn as_many_boards_as_there_is_room_for_lie_side_by_side() {
        let names = Names::of_players(["x"; 16]);
        for (boards, columns, expected) in [
            (2, 38, vec!["AABB"]),
            (2, 37, vec!["AA", "BB"]),
            (5, 60, vec!["AABBCC", "DDEE"]),
            (3, 16, vec![]),
            (16, 500, vec!["AABBCCDDEEFFGGHHIIJJKKLLMMNNOOPP"]),
        ] {
            let lines = lines(&many(boards, 0), &names, Colours::PLAIN, columns);
            assert_eq!(seats(&lines), expected, "{lines:#?}");
            assert!(lines.iter().all(|line| line.width() <= columns.max(20)));
            assert!(lines.last().unwrap().ends_with(": fired"));
        }
    }

    #[test]
    fn where_not_all_boards_have_room_the_last_shot_is_seen() {
        let names = Names::of_players(["x"; 16]);
        let shown = |fresh, rows| lines_within(&many(16, fresh), &names, Colours::PLAIN, 60, rows);
        assert_eq!(seats(&shown(0, 100)).len(), 6);
        let first = |fresh| seats(&shown(fresh, 9)).swap_remove(0);
        assert_eq!([first(1), first(10), first(15)], ["AABBCC", "JJKKLL", "PP"]);
        assert!(shown(15, 9).len() == 9 && shown(15, 9).last().unwrap().ends_with(": fired"));
        assert_eq!(shown(15, 1), ["Move 1"]);
    }
}
