//! The drawing of a cell, with the signs of the page (assets/signs.svg) in the same units: a cell is 10 by 10.

use super::canvas::Font;
use super::colours::{Rgb, colour, mixed, seat_colour};
use rules::{Hue, Mark, Seat};
use tiny_skia::{Color, FillRule, LineCap, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};

/// All that decides on the drawing of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CellLook {
    pub(super) mark: Mark,
    pub(super) hue: Hue,
    /// The sides on which the same ship goes on: top, right, bottom, left.
    pub(super) joints: [bool; 4],
    pub(super) shielded: bool,
    pub(super) scanned: bool,
    pub(super) fresh: bool,
    /// The seat that fired at the cell, if it is fresh and the seat is known.
    pub(super) shooter: Option<Seat>,
}

/// The letter of the ship in a cell.
pub(super) fn ship(mark: Mark) -> Option<char> {
    match mark {
        Mark::Ship(letter) | Mark::Damaged(letter) => Some(letter),
        Mark::Hit(letter) => letter,
        Mark::Water | Mark::Miss | Mark::Shot | Mark::ShieldHit => None,
    }
}

/// Draws a cell of this many pixels; the result has red, green, blue and opacity of each.
pub(super) fn draw(look: CellLook, side: usize, font: Font) -> Vec<u8> {
    let mut cell = Cell::new(side);
    cell.fill(&rectangle(0.0, 0.0, 10.0, 10.0), colour("sea-line"));
    cell.fill(&rectangle(0.2, 0.2, 9.6, 9.6), colour("sea"));
    let ship = ship(look.mark);
    if ship.is_some() {
        cell.fill(&hull(look.joints), hull_colour(look.hue));
    }
    if look.shielded {
        let frame = rectangle(0.7, 0.7, 8.6, 8.6);
        if look.mark == Mark::Water {
            cell.fill(&frame, mixed(colour("shield"), colour("sea"), 0x22));
        }
        cell.stroke(&frame, colour("shield"), 0.6);
    }
    match look.mark {
        Mark::Damaged(_) => {
            cell.stroke(&circle(3.4), colour("card"), 2.2);
            cell.stroke(&circle(3.4), colour("hit"), 1.1);
        }
        Mark::Hit(known) => {
            cell.fill(&burst(), colour("hit"));
            if known.is_none() {
                cell.stroke(&line(&[&[(3.7, 3.7), (6.3, 6.3)], &[(6.3, 3.7), (3.7, 6.3)]]), colour("on-hit"), 1.1);
            }
        }
        Mark::Miss => {
            cell.stroke(&circle(2.1), colour("miss"), 0.9);
            cell.fill(&circle(0.55), colour("miss"));
        }
        Mark::Shot => cell.stroke(&line(&[&[(3.0, 6.2), (5.0, 3.8), (7.0, 6.2)]]), colour("miss"), 1.0),
        Mark::ShieldHit => {
            cell.fill(&shield(), colour("card"));
            cell.stroke(&shield(), colour("shield"), 0.9);
            cell.fill(&circle(0.9), colour("shield"));
        }
        Mark::Water | Mark::Ship(_) => {}
    }
    if let Some(letter) = ship {
        cell.letter(letter, font, letter_colour(look));
    }
    if look.scanned {
        cell.stroke(&waves(), colour("radar"), 0.7);
    }
    if look.fresh {
        cell.stroke(&corners(), colour("card"), 1.7);
        cell.stroke(&corners(), look.shooter.map_or(colour("ink"), seat_colour), 1.1);
    }
    cell.0.take()
}

fn hull_colour(hue: Hue) -> Rgb {
    colour(match hue {
        Hue::Plain => "ship",
        Hue::Blue => "ship-blue",
        Hue::Violet => "ship-violet",
        Hue::Yellow => "ship-yellow",
    })
}

fn letter_colour(look: CellLook) -> Rgb {
    colour(match (look.mark, look.hue) {
        (Mark::Hit(_), _) => "on-hit",
        (_, Hue::Yellow) => "on-yellow",
        _ => "on-ship",
    })
}

/// A cell that is being drawn.
struct Cell(Pixmap);

impl Cell {
    fn new(side: usize) -> Cell {
        Cell(Pixmap::new(side as u32, side as u32).expect("a cell has at least one pixel"))
    }

    fn scale(&self) -> Transform {
        let scale = self.0.width() as f32 / 10.0;
        Transform::from_scale(scale, scale)
    }

    fn fill(&mut self, path: &Path, colour: Rgb) {
        self.0.fill_path(path, &paint(colour), FillRule::Winding, self.scale(), None);
    }

    fn stroke(&mut self, path: &Path, colour: Rgb, width: f32) {
        let stroke = Stroke { width, line_cap: LineCap::Round, ..Stroke::default() };
        self.0.stroke_path(path, &paint(colour), &stroke, self.scale(), None);
    }

    /// Writes a letter in the middle.
    fn letter(&mut self, letter: char, font: Font, colour: Rgb) {
        let side = self.0.width() as usize;
        let (left, top) = (side.saturating_sub(font.width("x")) / 2, side.saturating_sub(font.line()) / 2);
        let raster = font.letter(letter);
        let data = self.0.data_mut();
        for (y, line) in raster.rows().enumerate().take(side - top) {
            for (x, share) in line.iter().enumerate().take(side - left) {
                let pixel = &mut data[4 * ((top + y) * side + left + x)..][..3];
                let mixed = mixed(colour, [pixel[0], pixel[1], pixel[2]], *share);
                pixel.copy_from_slice(&mixed);
            }
        }
    }
}

fn paint(colour: Rgb) -> Paint<'static> {
    let [red, green, blue] = colour;
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(Color::from_rgba8(red, green, blue, 255));
    paint
}

/// Why the paths here can be built: they have points, and all of them are finite.
const IS_PATH: &str = "the shape is not empty";

fn rectangle(x: f32, y: f32, width: f32, height: f32) -> Path {
    PathBuilder::from_rect(Rect::from_xywh(x, y, width, height).expect(IS_PATH))
}

/// A circle around the middle.
fn circle(radius: f32) -> Path {
    PathBuilder::from_circle(5.0, 5.0, radius).expect(IS_PATH)
}

/// Lines through these points.
fn line(lines: &[&[(f32, f32)]]) -> Path {
    let mut path = PathBuilder::new();
    for points in lines {
        path.move_to(points[0].0, points[0].1);
        points[1..].iter().for_each(|(x, y)| path.line_to(*x, *y));
    }
    path.finish().expect(IS_PATH)
}

/// A piece of a ship: round where the ship ends, open where it goes on.
fn hull([top, right, bottom, left]: [bool; 4]) -> Path {
    let inset = |is_open| if is_open { 0.0 } else { 1.2 };
    let (x0, x1, y0, y1) = (inset(left), 10.0 - inset(right), inset(top), 10.0 - inset(bottom));
    let round = |one: bool, other: bool| if one || other { 0.0 } else { 2.6 };
    let (nw, ne, se, sw) = (round(top, left), round(top, right), round(bottom, right), round(bottom, left));
    let mut path = PathBuilder::new();
    path.move_to(x0 + nw, y0);
    path.line_to(x1 - ne, y0);
    path.quad_to(x1, y0, x1, y0 + ne);
    path.line_to(x1, y1 - se);
    path.quad_to(x1, y1, x1 - se, y1);
    path.line_to(x0 + sw, y1);
    path.quad_to(x0, y1, x0, y1 - sw);
    path.line_to(x0, y0 + nw);
    path.quad_to(x0, y0, x0 + nw, y0);
    path.close();
    path.finish().expect(IS_PATH)
}

/// The star of a hit.
fn burst() -> Path {
    let point = |nth: u8| {
        let radius = [4.5, 2.7, 4.5, 2.7][usize::from(nth % 4)];
        let (sin, cos) = (f32::from(nth) * std::f32::consts::PI / 8.0).sin_cos();
        (5.0 + radius * sin, 5.0 - radius * cos)
    };
    line(&[&(0..=16).map(point).collect::<Vec<_>>()])
}

fn shield() -> Path {
    let mut path = PathBuilder::new();
    path.move_to(5.0, 1.4);
    path.line_to(8.0, 2.5);
    path.line_to(8.0, 5.2);
    path.quad_to(8.0, 7.8, 5.0, 8.8);
    path.quad_to(2.0, 7.8, 2.0, 5.2);
    path.line_to(2.0, 2.5);
    path.close();
    path.finish().expect(IS_PATH)
}

/// The waves of the radar.
fn waves() -> Path {
    let mut path = PathBuilder::new();
    for radius in [1.7, 3.3] {
        path.move_to(1.0, 9.0 - radius);
        path.quad_to(1.0 + radius, 9.0 - radius, 1.0 + radius, 9.0);
    }
    path.finish().expect(IS_PATH)
}

/// The corners around the last shot.
fn corners() -> Path {
    let (near, far, long) = (0.8, 9.2, 2.4);
    line(&[
        &[(near, near + long), (near, near), (near + long, near)],
        &[(far - long, near), (far, near), (far, near + long)],
        &[(far, far - long), (far, far), (far - long, far)],
        &[(near + long, far), (near, far), (near, far - long)],
    ])
}
