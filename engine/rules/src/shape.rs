//! Shapes: the cells of a ship or an area, and the ways in which a ship of the shape may lie.

use crate::{Cells, Point, Random};
use rand::RngExt;

/// The shape of a ship with the ways in which it may lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// Each way as steps from its least column and row, row by row.
    ways: Vec<Vec<Point>>,
}

impl Shape {
    /// A straight ship.
    pub fn straight(size: u8) -> Shape {
        let along = |(x, y)| (0..i32::from(size)).map(move |step| Point { x: x * step, y: y * step }).collect();
        let directions: &[(i32, i32)] = if size == 1 { &[(1, 0)] } else { &[(1, 0), (0, 1)] };
        Shape { ways: directions.iter().copied().map(along).collect() }
    }

    /// The shape of these cells, turned and, if wanted, mirrored in all ways that differ.
    pub(crate) fn turned(cells: Vec<Point>, mirror: bool) -> Shape {
        let quarter = |cells: &[Point]| cells.iter().map(|cell| Point { x: -cell.y, y: cell.x }).collect::<Vec<_>>();
        let mirrored = cells.iter().map(|cell| Point { x: -cell.x, ..*cell }).collect();
        let mut ways: Vec<Vec<Point>> = Vec::new();
        for mut way in [Some(cells), mirror.then_some(mirrored)].into_iter().flatten() {
            for _ in 0..4 {
                let next = quarter(&way);
                let way = std::mem::replace(&mut way, next);
                let way = from_corner(&way);
                if !ways.contains(&way) {
                    ways.push(way);
                }
            }
        }
        Shape { ways }
    }

    /// The number of cells.
    pub fn size(&self) -> usize {
        self.ways[0].len()
    }

    /// The ways in which a ship may lie, each as steps from its least column and row, row by row.
    pub fn ways(&self) -> &[Vec<Point>] {
        &self.ways
    }

    /// True if the shape is a straight line.
    pub fn is_straight(&self) -> bool {
        self.ways[0].iter().all(|step| step.y == 0) || self.ways[0].iter().all(|step| step.x == 0)
    }

    /// The cells of a ship of this shape at a place in `open` that is drawn, each as likely, with the number of such places; `None` if
    /// there is none.
    pub fn random_place(&self, open: &Cells, random: &mut Random) -> Option<(Vec<Point>, u32)> {
        let places: Vec<Cells> = self.ways.iter().map(|way| open.places(way)).collect();
        let all = places.iter().map(Cells::len).sum();
        let mut before = if all == 0 { return None } else { random.random_range(0..all) };
        let (way, start) = self.ways.iter().zip(&places).find_map(|(way, places)| {
            let start = places.nth(before);
            before = before.saturating_sub(places.len());
            Some((way, start?))
        })?;
        Some((way.iter().map(|step| Point { x: start.x + step.x, y: start.y + step.y }).collect(), all))
    }

    /// True if these cells are a ship of this shape.
    pub(crate) fn is(&self, cells: &[Point]) -> bool {
        self.place_of(cells).is_some()
    }

    /// The least column and row of these cells, and the number of the way in which they lie; `None` if they are not of this shape.
    pub fn place_of(&self, cells: &[Point]) -> Option<(Point, usize)> {
        if cells.len() != self.size() {
            return None;
        }
        let way = from_corner(cells);
        let start = Point { x: cells.iter().map(|cell| cell.x).min()?, y: cells.iter().map(|cell| cell.y).min()? };
        Some((start, self.ways.iter().position(|other| *other == way)?))
    }
}

/// The cells as steps from their least column and row, row by row.
fn from_corner(cells: &[Point]) -> Vec<Point> {
    let least = |of: fn(&Point) -> i32| cells.iter().map(of).min().unwrap_or(0);
    let (x, y) = (least(|cell| cell.x), least(|cell| cell.y));
    let mut steps: Vec<Point> =
        cells.iter().map(|cell| Point { x: cell.x.wrapping_sub(x), y: cell.y.wrapping_sub(y) }).collect();
    steps.sort_by_key(|step| (step.y, step.x));
    steps
}

/// The cells that are drawn as `#` in rows from the top, with `.` or a blank where there is none.
///
/// # Errors
/// The mistake in the drawing, in words.
pub(crate) fn drawn(rows: &[String]) -> Result<Vec<Point>, String> {
    let mut cells = Vec::new();
    for (row, y) in rows.iter().zip(0..) {
        for (character, x) in row.chars().zip(0..) {
            match character {
                '#' => cells.push(Point { x, y }),
                '.' | ' ' => {}
                other => return Err(format!("{other:?} is neither # nor . nor a blank")),
            }
        }
    }
    if cells.is_empty() { Err("there is no #".to_owned()) } else { Ok(cells) }
}

/// True if one can go from each cell to each other by edges.
pub(crate) fn is_connected(cells: &[Point]) -> bool {
    let mut reached = vec![cells[0]];
    let mut next = 0;
    while let Some(&from) = reached.get(next) {
        next += 1;
        let beside = |cell: &&Point| cell.x.abs_diff(from.x) + cell.y.abs_diff(from.y) == 1;
        let new: Vec<Point> = cells.iter().filter(beside).filter(|cell| !reached.contains(cell)).copied().collect();
        reached.extend(new);
    }
    reached.len() == cells.len()
}
