//! The drawing of a board: the name and the deed of its player, its cells, and what is left of its fleet.

use super::canvas::{Canvas, Sprite};
use super::cell::{self, CellLook};
use super::colours::{colour, seat_colour};
use super::layout::Size;
use rules::{BoardScene, FirstRow, Hue, Look, Point, Seat};

/// Draws boards. Cells that look the same are drawn once.
pub(super) struct BoardPainter {
    size: Size,
    look: Look,
    cells: Vec<(CellLook, Sprite)>,
}

/// The facts about a board that its scene does not have.
pub(super) struct BoardFacts<'a> {
    pub(super) name: &'a str,
    /// The seat that fired at the board, if it is known.
    pub(super) shooter: Option<Seat>,
    pub(super) won: bool,
}

impl BoardPainter {
    pub(super) fn new(size: Size, look: Look) -> BoardPainter {
        BoardPainter { size, look, cells: Vec::new() }
    }

    /// Draws a board, of this width in pixels, with its upper left corner here.
    pub(super) fn draw(
        &mut self,
        canvas: &mut Canvas,
        (x, y): (usize, usize),
        width: usize,
        board: &BoardScene,
        facts: &BoardFacts<'_>,
    ) {
        let size = self.size;
        let (card, seat) = (colour("card"), seat_colour(board.seat));
        let height = size.board_height(board.grid);
        canvas.fill((x, y), (width, height), if facts.won { seat } else { colour("line") });
        let edge = if facts.won { size.margin / 4 } else { 1 };
        canvas.fill((x + edge, y + edge), (width - 2 * edge, height - 2 * edge), card);

        let (left, room) = (x + size.margin, width - 2 * size.margin);
        let mut top = y + size.margin;
        let badge = size.large.width(" A ");
        canvas.fill((left, top), (badge, size.large.line()), seat);
        canvas.text((left, top), &format!(" {} ", board.seat), size.large, colour("on-seat"), seat);
        let name = size.large.fitting(facts.name, room - badge - size.margin / 2);
        canvas.text((left + badge + size.margin / 2, top), &name, size.large, colour("ink"), card);
        top += size.large.line() + size.margin / 4;
        let deed = size.small.fitting(&rules::printable(&board.deed), room);
        canvas.text((left, top), &deed, size.small, colour("quiet"), card);
        top += size.small.line() + size.margin / 2;

        self.grid(canvas, (x + (width - size.grid_width(board.grid)) / 2, top), board, facts.shooter);
        top += size.grid_height(board.grid) + size.margin / 2;
        let standing = size.small.fitting(&standing(board), room);
        canvas.text((left, top), &standing, size.small, colour("ink"), card);
    }

    /// Draws the cells with the numbers of their rows and columns.
    fn grid(&mut self, canvas: &mut Canvas, (x, y): (usize, usize), board: &BoardScene, shooter: Option<Seat>) {
        let (size, grid) = (self.size, board.grid);
        let (quiet, card) = (colour("quiet"), colour("card"));
        let is_top = self.look.first_row == FirstRow::Top;
        let left = x + size.axis_width();
        let top = if is_top { y + size.small.line() } else { y };
        let row = |point: Point| (if is_top { point.y } else { grid.height() - 1 - point.y }) as usize;
        // Numbers that would touch each other leave every second one out.
        let step = 1 + usize::from(grid.width() > 10 && size.small.width("000") > size.cell);
        for column in (0..grid.width() as usize).step_by(step) {
            let number = column.to_string();
            let middle = left + column * size.cell + size.cell.saturating_sub(size.small.width(&number)) / 2;
            let line = if is_top { y } else { top + grid.height() as usize * size.cell };
            canvas.text((middle, line), &number, size.small, quiet, card);
        }
        for at in 0..grid.height() {
            let (number, line) = (at.to_string(), row(Point::new(0, at)));
            let right = left - size.small.width(&number) - size.small.width("0") / 2;
            let middle = top + line * size.cell + size.cell.saturating_sub(size.small.line()) / 2;
            canvas.text((right, middle), &number, size.small, quiet, card);
        }
        for point in grid.points() {
            let place = (left + point.x as usize * size.cell, top + row(point) * size.cell);
            let look = self.cell_look(board, point, shooter);
            let sprite = self.sprite(canvas, look);
            canvas.put(place, &self.cells[sprite].1);
        }
    }

    fn cell_look(&self, board: &BoardScene, point: Point, shooter: Option<Seat>) -> CellLook {
        let cell = board.cell(point).expect("the point is one of the board");
        let letter = cell::ship(cell.mark);
        let up = if self.look.first_row == FirstRow::Top { -1 } else { 1 };
        let goes_on = |dx, dy| {
            let next = point.offset(dx, dy).and_then(|next| board.cell(next));
            letter.is_some() && next.is_some_and(|next| cell::ship(next.mark) == letter)
        };
        CellLook {
            mark: cell.mark,
            hue: self.look.ships.iter().find(|ship| Some(ship.letter) == letter).map_or(Hue::Plain, |ship| ship.hue),
            joints: [goes_on(0, up), goes_on(1, 0), goes_on(0, -up), goes_on(-1, 0)],
            shielded: cell.shielded,
            scanned: cell.scanned,
            fresh: cell.fresh,
            shooter: shooter.filter(|_| cell.fresh),
        }
    }

    /// The number of the drawing of a cell.
    fn sprite(&mut self, canvas: &mut Canvas, look: CellLook) -> usize {
        if let Some(at) = self.cells.iter().position(|(known, _)| *known == look) {
            return at;
        }
        let pixels = cell::draw(look, self.size.cell, self.size.letter);
        self.cells.push((look, canvas.sprite(self.size.cell, &pixels)));
        self.cells.len() - 1
    }
}

/// The ships and the first fact in words.
fn standing(board: &BoardScene) -> String {
    let afloat = board.fleet.iter().filter(|ship| !ship.sunk).count();
    let ships = (!board.fleet.is_empty()).then(|| format!("{afloat} of {} ships afloat", board.fleet.len()));
    let fact = board.facts.iter().find(|(label, _)| *label != "ships").map(|(label, value)| format!("{label} {value}"));
    let of_letters = board.facts.iter().find(|(label, _)| *label == "ships" && board.fleet.is_empty());
    let letters = of_letters.map(|(label, value)| format!("{label} {value}"));
    [ships.or(letters), fact].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}
