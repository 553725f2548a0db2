//! The layout of a picture: a title, the boards side by side, and the outcome in the last moment.

use super::board::{BoardFacts, BoardPainter};
use super::canvas::{Canvas, Font};
use super::colours::colour;
use crate::About;
use arena::MatchHistory;
use noto_sans_mono_bitmap::{FontWeight, RasterHeight};
use rules::{Eye, Grid, Outcome, Scene, Seat, printable};

/// The most boards beside each other.
const COLUMNS: usize = 4;
/// The most columns and rows of a board whose cells have their usual size.
const USUAL_GRID: i32 = 40;
/// The letters of an outcome for which there is always room.
const OUTCOME: usize = 60;

/// The sizes of all parts, in pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    pub(super) cell: usize,
    pub(super) margin: usize,
    /// The fonts of titles and names, of everything else, and of the letters of ships.
    pub(super) large: Font,
    pub(super) small: Font,
    pub(super) letter: Font,
}

impl Size {
    /// The size of a still picture.
    pub(super) const LARGE: Size = Size {
        cell: 44,
        margin: 20,
        large: Font { height: RasterHeight::Size32, weight: FontWeight::Bold },
        small: Font { height: RasterHeight::Size20, weight: FontWeight::Regular },
        letter: Font { height: RasterHeight::Size24, weight: FontWeight::Bold },
    };
    /// The size of an animation, and of many boards.
    pub(super) const SMALL: Size = Size {
        cell: 26,
        margin: 12,
        large: Font { height: RasterHeight::Size20, weight: FontWeight::Bold },
        small: Font { height: RasterHeight::Size16, weight: FontWeight::Regular },
        letter: Font { height: RasterHeight::Size16, weight: FontWeight::Bold },
    };

    /// The size of an animation of large boards.
    pub(super) const TINY: Size = Size { cell: 16, ..Size::SMALL };

    /// The width of the numbers of rows.
    pub(super) fn axis_width(self) -> usize {
        self.small.width("00") + self.small.width("0")
    }

    pub(super) fn grid_width(self, grid: Grid) -> usize {
        self.axis_width() + grid.width() as usize * self.cell
    }

    pub(super) fn grid_height(self, grid: Grid) -> usize {
        grid.height() as usize * self.cell + self.small.line()
    }

    /// The width of a board; a name of some length, and what is left of a fleet, fit on a narrow one, too.
    fn board_width(self, grid: Grid) -> usize {
        let least = self.large.width("a name of letters").max(self.small.width("100 of 100 ships afloat · hits 100"));
        self.grid_width(grid).max(least) + 2 * self.margin
    }

    pub(super) fn board_height(self, grid: Grid) -> usize {
        let text = self.large.line() + 2 * self.small.line() + self.margin / 4 + self.margin;
        text + self.grid_height(grid) + 2 * self.margin
    }
}

/// A picture of a match that is drawn moment by moment.
pub(super) struct Drawing<'a> {
    history: &'a dyn MatchHistory,
    about: &'a About,
    eye: Eye,
    size: Size,
    canvas: Canvas,
    boards: BoardPainter,
    columns: usize,
}

/// The moments that a drawing is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moments {
    /// This one.
    One(usize),
    /// All of them, in one size.
    All,
}

impl<'a> Drawing<'a> {
    pub(super) fn new(history: &'a dyn MatchHistory, about: &'a About, eye: Eye, moments: Moments) -> Drawing<'a> {
        let scene = history.scene(0, eye);
        // As few rows as there must be, and all of one length if they can.
        let rows = scene.boards.len().div_ceil(COLUMNS).max(1);
        let columns = scene.boards.len().div_ceil(rows).max(1);
        let is_usual = scene.boards.iter().all(|board| board.grid.width().max(board.grid.height()) <= USUAL_GRID);
        let size = match moments {
            Moments::One(_) if scene.boards.len() <= 2 && is_usual => Size::LARGE,
            Moments::All if !is_usual => Size::TINY,
            Moments::One(_) | Moments::All => Size::SMALL,
        };
        let shows_end = match moments {
            Moments::One(at) => at + 1 == history.scenes(),
            Moments::All => true,
        };
        let words = history.outcome().filter(|_| shows_end).map(|outcome| ending(outcome, about));
        let end = if words.is_some() { size.large.line() + size.margin } else { 0 };
        let least = words.map(|words| size.large.width(&words.chars().take(OUTCOME).collect::<String>()));
        let grids = || scene.boards.iter().map(|board| board.grid);
        let width = grids().map(|grid| size.board_width(grid)).max().unwrap_or_default();
        let height = grids().map(|grid| size.board_height(grid)).max().unwrap_or_default();
        let canvas = Canvas::new(
            (size.margin + columns * (width + size.margin)).max(least.unwrap_or_default() + 2 * size.margin),
            2 * size.margin + size.large.line() + end + rows * (height + size.margin),
        );
        let boards = BoardPainter::new(size, history.kind().look());
        Drawing { history, about, eye, size, canvas, boards, columns }
    }

    pub(super) fn canvas(&self) -> &Canvas {
        &self.canvas
    }

    /// Draws this moment in place of the one before.
    pub(super) fn draw(&mut self, at: usize) {
        let (size, paper) = (self.size, colour("paper"));
        let scene = self.history.scene(at, self.eye);
        let outcome = self.history.outcome().filter(|_| at + 1 == self.history.scenes());
        let (width, height) = (self.canvas.width(), self.canvas.height());
        self.canvas.fill((0, 0), (width, height), paper);
        let room = width - 2 * size.margin;
        self.canvas.text(
            (size.margin, size.margin),
            &size.large.fitting(&scene.title, room),
            size.large,
            colour("ink"),
            paper,
        );
        let game = printable(&self.about.title);
        if size.large.width(&scene.title) + size.margin + size.small.width(&game) <= room {
            let left = width - size.margin - size.small.width(&game);
            let top = size.margin + (size.large.line() - size.small.line()) / 2;
            self.canvas.text((left, top), &game, size.small, colour("quiet"), paper);
        }
        for (nth, board) in scene.boards.iter().enumerate() {
            let width = size.board_width(board.grid);
            let x = size.margin + nth % self.columns * (width + size.margin);
            let y = 2 * size.margin
                + size.large.line()
                + nth / self.columns * (size.board_height(board.grid) + size.margin);
            let facts = BoardFacts {
                name: &printable(&self.about.names[board.seat]),
                shooter: shooter(&scene, board.seat),
                won: outcome.is_some_and(|outcome| outcome.winner == Some(board.seat)),
            };
            self.boards.draw(&mut self.canvas, (x, y), width, board, &facts);
        }
        if let Some(outcome) = outcome {
            let words = size.large.fitting(&ending(outcome, self.about), room);
            let top = height - size.margin - size.large.line();
            self.canvas.text((size.margin, top), &words, size.large, colour("ink"), paper);
        }
    }
}

/// The outcome in words.
fn ending(outcome: &Outcome, about: &About) -> String {
    let why = printable(&outcome.ending.told(|seat| seat.to_string()));
    match outcome.winner {
        Some(winner) => format!("{} wins: {why}", printable(&about.names[winner])),
        None => format!("A draw: {why}"),
    }
}

/// The seat that fired at the board of another, if it is known.
fn shooter(scene: &Scene, seat: Seat) -> Option<Seat> {
    if scene.boards.len() == 2 {
        return Some(seat.opponent());
    }
    let mut busy = scene.boards.iter().filter(|board| !board.deed.is_empty());
    busy.next().filter(|_| busy.next().is_none()).map(|board| board.seat)
}
