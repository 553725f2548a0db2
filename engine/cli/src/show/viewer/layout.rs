//! The layout of the viewer: places boards first, then title and seek bar, facts, deeds and the log.

use super::boards::fact_lines;
use crate::show::board::{CELL, GAP, MARGIN};
use ratatui::layout::Rect;
use rules::Scene;

/// The fewest columns in which the other lines are readable.
const FEWEST_COLUMNS: usize = 40;
/// The fewest rows in which the help fits.
const FEWEST_ROWS: usize = 19;
/// The columns of most deeds in the log, with turn and seat.
const USUAL_LOG: usize = 40;
/// The fewest columns of a log beside the boards.
const NARROWEST_LOG: usize = 30;
/// The fewest rows of a log below the boards.
const LOWEST_LOG: usize = 6;
/// The columns into which all usual facts fit.
const FACTS: usize = 28;
/// The rows for the text of notes, if there are so many.
const NOTES: usize = 4;
/// The most rows of the graph of who is likely to win.
const GRAPH: usize = 4;
/// The rows above and below the boards: title, seek bar, status.
const FRAME: usize = 3;

/// The parts of the screen that the person has chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct LayoutOptions {
    /// The overlay of cells that is drawn beside each board.
    pub(super) overlay: Option<Overlay>,
    /// True to show the log instead of the boards.
    pub(super) log: bool,
    /// True to show the graph of who is likely to win, where there is room.
    pub(super) graph: bool,
    /// The page of boards; taken modulo the number of pages.
    pub(super) page: isize,
}

/// Something about the cells of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overlay {
    /// The number of shots.
    Density,
    /// The notes of a bot.
    Notes,
    /// The chances of a hit, as its opponent knows them.
    Chances,
}

impl LayoutOptions {
    /// Shows this overlay, in place of another one, or hides it.
    pub(super) fn toggle(&mut self, overlay: Overlay) {
        self.overlay = if self.overlay == Some(overlay) { None } else { Some(overlay) };
    }
}

/// The places of all parts of the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) title: Rect,
    /// Number and place of each board on this page.
    pub(super) boards: Vec<(usize, Rect)>,
    /// Number and place of each board whose overlay is shown.
    pub(super) overlays: Vec<(usize, Rect)>,
    pub(super) deeds: Rect,
    pub(super) graph: Rect,
    pub(super) log: Rect,
    pub(super) seek_bar: Rect,
    pub(super) status: Rect,
    /// The page, counted from 0, and the number of pages.
    pub(super) page: (usize, usize),
}

/// The least size of a terminal for this match; the terminal is smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooSmall {
    pub(super) columns: usize,
    pub(super) rows: usize,
}

/// Boards of equal size in rows and columns.
#[derive(Debug, Clone, Copy)]
struct BoardTiling {
    columns: usize,
    rows: usize,
    width: usize,
    height: usize,
}

impl BoardTiling {
    fn width(self) -> usize {
        self.columns * self.width + (self.columns - 1) * GAP
    }

    fn height(self) -> usize {
        self.rows * self.height
    }

    /// The place of each board, row by row from (x, y) on.
    fn places(self, shown: &[usize], x: usize, y: usize) -> Vec<(usize, Rect)> {
        let place = |(nth, board): (usize, &usize)| {
            let (column, row) = (nth % self.columns, nth / self.columns);
            let x = x + column * (self.width + GAP);
            (*board, rect(x, y + row * self.height, self.width, self.height))
        };
        shown.iter().enumerate().map(place).collect()
    }
}

/// Places all parts on `area`.
///
/// # Errors
/// [`TooSmall`] with the least size if the area has no room for one board.
pub(super) fn layout(area: Rect, scene: &Scene, wanted: LayoutOptions) -> Result<Layout, TooSmall> {
    let (columns, rows) = (usize::from(area.width), usize::from(area.height));
    let boards = &scene.boards;
    let width = boards.iter().map(|board| MARGIN + CELL * board.grid.width() as usize).max().unwrap_or_default();
    // The name is above the cells, the numbers of the columns below them.
    let height = boards.iter().map(|board| board.grid.height() as usize + 2).max().unwrap_or_default();
    let least = TooSmall { columns: width.max(FEWEST_COLUMNS), rows: (height + FRAME).max(FEWEST_ROWS) };
    if columns < least.columns || rows < least.rows {
        return Err(least);
    }
    let body = rows - FRAME;
    let fitting = |width: usize| ((columns + GAP) / (width + GAP)).min(boards.len()).max(1);
    let across = fitting(width);
    // Small boards get more columns for their facts, unless fewer boards would fit.
    let width = if fitting(width.max(FACTS)) == across { width.max(FACTS) } else { width };
    let down = (body / height.max(1)).min(boards.len().div_ceil(across)).max(1);
    let pages = boards.len().div_ceil(across * down).max(1);
    let page = wanted.page.rem_euclid(pages as isize) as usize;
    let shown: Vec<usize> = (0..boards.len()).skip(page * across * down).take(across * down).collect();
    let facts = boards.iter().map(|board| fact_lines(board, width).len()).max().unwrap_or_default();
    let facts = if wanted.overlay == Some(Overlay::Notes) { facts.max(NOTES) } else { facts };
    let bare = BoardTiling { columns: across, rows: down, width, height };
    let full = BoardTiling { height: height + facts.min(body / down - height), ..bare };

    let mut layout = Layout {
        title: rect(0, 0, columns, 1),
        boards: Vec::new(),
        overlays: Vec::new(),
        deeds: Rect::ZERO,
        graph: Rect::ZERO,
        log: Rect::ZERO,
        seek_bar: rect(0, rows - 2, columns, 1),
        status: rect(0, rows - 1, columns, 1),
        page: (page, pages),
    };
    if wanted.log {
        layout.log = rect(0, 1, columns, body);
        return Ok(layout);
    }
    layout.boards = full.places(&shown, 0, 1);
    // The columns up to which, and the rows down to which, the area is used.
    let (mut right, mut below) = (full.width(), full.height());
    if let Some(overlay) = wanted.overlay {
        // The text of notes is below their cells.
        let tile = if overlay == Overlay::Notes { full } else { bare };
        let beside = right + GAP + tile.width();
        if beside + GAP + USUAL_LOG <= columns || (beside <= columns && below + tile.height() > body) {
            layout.overlays = tile.places(&shown, right + GAP, 1);
            right = beside;
        } else if below + tile.height() <= body {
            layout.overlays = tile.places(&shown, 0, 1 + below);
            below += tile.height();
        } else {
            layout.overlays = full.places(&shown, 0, 1);
            layout.boards.clear();
        }
    }
    let deeds = shown.len().min(body - below);
    let graph = if wanted.graph { GRAPH.min(body - below - deeds) } else { 0 };
    let (log_beside, log_below) = (columns.saturating_sub(right + GAP), body - below - deeds - graph);
    if log_beside >= USUAL_LOG || (log_beside >= NARROWEST_LOG && log_below < LOWEST_LOG) {
        layout.log = rect(right + GAP, 1, log_beside, body - graph);
    } else {
        right = columns;
        if log_below >= LOWEST_LOG {
            layout.log = rect(0, 1 + below + deeds, columns, log_below);
        }
    }
    layout.deeds = rect(0, 1 + below, right, deeds);
    // Directly above the seek bar, whose columns it shares.
    layout.graph = rect(0, 1 + body - graph, columns, graph);
    Ok(layout)
}

fn rect(x: usize, y: usize, width: usize, height: usize) -> Rect {
    // Both sides of a terminal fit into 16 bits.
    let side = |length: usize| u16::try_from(length).unwrap_or(u16::MAX);
    Rect { x: side(x), y: side(y), width: side(width), height: side(height) }
}

#[cfg(test)]
mod tests {
    use super::super::scripted_history::ScriptedHistory;
    use super::*;
    use arena::MatchHistory;
    use rules::{Eye, Grid};

    /// The layout for so many boards of this width and height on a terminal of so many columns and rows.
    fn planned(
        boards: u8,
        (x, y): (u8, u8),
        (columns, rows): (u16, u16),
        wanted: LayoutOptions,
    ) -> Result<Layout, TooSmall> {
        let scene = ScriptedHistory::quiet(boards, Grid::new(x, y), 1).scene(1, Eye::Referee);
        layout(Rect::new(0, 0, columns, rows), &scene, wanted)
    }

    fn boards(layout: &Layout) -> Vec<usize> {
        layout.boards.iter().map(|(number, _)| *number).collect()
    }

    const PLAIN: LayoutOptions = LayoutOptions { overlay: None, log: false, graph: false, page: 0 };
    const DENSITY: LayoutOptions = LayoutOptions { overlay: Some(Overlay::Density), ..PLAIN };
    const NOTED: LayoutOptions = LayoutOptions { overlay: Some(Overlay::Notes), ..PLAIN };

    #[test]
    fn two_large_boards_and_their_deeds_fit_on_the_usual_terminal() {
        let layout = planned(2, (14, 14), (80, 24), PLAIN).unwrap();
        assert_eq!(boards(&layout), [0, 1]);
        assert_eq!((layout.page, layout.deeds.height, layout.log), ((0, 1), 2, Rect::ZERO));
    }

    #[test]
    fn a_larger_terminal_has_room_for_the_log() {
        assert!(planned(2, (14, 14), (110, 24), PLAIN).unwrap().log.x > 60, "beside the boards");
        let below = planned(2, (14, 14), (80, 30), PLAIN).unwrap();
        assert!(below.log.y > below.deeds.y && below.log.width == 80, "below them");
    }

    #[test]
    fn shots_at_each_cell_go_beside_below_or_instead_of_the_boards() {
        let beside = planned(2, (14, 14), (200, 24), DENSITY).unwrap();
        assert!(beside.overlays[0].1.x > beside.boards[1].1.x);
        let below = planned(2, (14, 14), (80, 45), DENSITY).unwrap();
        assert!(below.overlays[0].1.y > below.boards[1].1.y);
        let instead = planned(2, (14, 14), (80, 24), DENSITY).unwrap();
        assert_eq!((instead.boards.len(), instead.overlays.len()), (0, 2));
    }

    #[test]
    fn the_log_takes_the_place_of_the_boards_where_it_is_wanted() {
        let layout = planned(2, (14, 14), (80, 24), LayoutOptions { log: true, ..DENSITY }).unwrap();
        assert_eq!(layout.log, Rect::new(0, 1, 80, 21));
        assert!(layout.boards.is_empty() && layout.overlays.is_empty());
    }

    #[test]
    fn boards_that_do_not_fit_are_on_further_pages() {
        let page = |page| planned(5, (14, 14), (80, 24), LayoutOptions { page, ..PLAIN }).unwrap();
        assert_eq!([page(0), page(1), page(2)].map(|layout| boards(&layout)), [vec![0, 1], vec![2, 3], vec![4]]);
        assert_eq!((page(3).page, page(-1).page), ((0, 3), (2, 3)), "the last page is before the first");
        assert_eq!(boards(&planned(16, (7, 7), (200, 60), PLAIN).unwrap()).len(), 16);
    }

    #[test]
    fn small_boards_are_set_apart_for_their_facts() {
        assert!(planned(2, (7, 7), (80, 24), PLAIN).unwrap().boards[0].1.width >= 28);
        assert_eq!(planned(4, (7, 7), (80, 24), PLAIN).unwrap().boards[0].1.width, 17, "not where that costs a board");
    }

    #[test]
    fn a_terminal_too_small_for_one_board_is_told_what_is_needed() {
        assert_eq!(planned(2, (14, 14), (39, 24), PLAIN), Err(TooSmall { columns: 40, rows: 19 }));
        assert_eq!(planned(2, (14, 20), (80, 24), PLAIN), Err(TooSmall { columns: 40, rows: 25 }));
        assert_eq!(planned(2, (30, 14), (62, 24), PLAIN), Err(TooSmall { columns: 63, rows: 19 }));
        assert!(planned(2, (30, 20), (63, 25), PLAIN).is_ok());
        assert!(planned(2, (14, 14), (0, 0), PLAIN).is_err());
    }

    #[test]
    fn nothing_lies_outside_the_terminal_or_on_something_else() {
        let options =
            [PLAIN, DENSITY, NOTED, LayoutOptions { log: true, ..PLAIN }, LayoutOptions { page: 1, ..DENSITY }]
                .map(|option| [option, LayoutOptions { graph: true, ..option }])
                .concat();
        let sizes = (40..230).step_by(9).flat_map(|columns| (19..75).step_by(4).map(move |rows| (columns, rows)));
        for ((columns, rows), wanted) in sizes.flat_map(|size| options.iter().map(move |wanted| (size, *wanted))) {
            for (seats, grid) in [(2, (7, 7)), (2, (14, 14)), (3, (10, 14)), (16, (10, 10)), (1, (1, 1))] {
                let case = format!("{seats} boards of {grid:?}, {columns} x {rows}, {wanted:?}");
                let layout = planned(seats, grid, (columns, rows), wanted).unwrap_or_else(|e| panic!("{case}: {e:?}"));
                let tiles = layout.boards.iter().chain(&layout.overlays).map(|(_, place)| *place);
                let places: Vec<Rect> = tiles
                    .chain([layout.title, layout.deeds, layout.graph, layout.log, layout.seek_bar, layout.status])
                    .collect();
                let terminal = Rect::new(0, 0, columns, rows);
                for (nth, place) in places.iter().enumerate() {
                    assert_eq!(place.intersection(terminal), *place, "{case}");
                    assert!(!places[..nth].iter().any(|other| other.intersects(*place)), "{case}: {layout:?}");
                }
            }
        }
    }
}
