//! The games: the facts of fleets in their views.

pub mod battleship;
mod bots_arena;
mod entelect_2017;
mod salvo;
mod sea_battle;

use crate::game::TargetBoard;
use chances::{Facts, Sum};
use rules::{Grid, Point, Shape};

/// The places of a ship of this shape on a board whose cells begin at a number.
fn places(grid: Grid, shape: &Shape, first: usize) -> Vec<Vec<usize>> {
    let starts = grid.points().flat_map(|start| shape.ways().iter().map(move |way| (start, way)));
    let places = starts.filter_map(|(start, way)| {
        let cells = way.iter().map(|step| Some(first + grid.index(start.offset(step.x, step.y)?)?));
        cells.collect::<Option<Vec<usize>>>()
    });
    places.collect()
}

/// The cells around those of a ship, by edges and, if wanted, by corners, on one of several boards of a size.
fn around(grid: Grid, cells: &[usize], corners: bool) -> Vec<usize> {
    let beside = |cell: &usize| {
        let (first, at) = (cell / grid.len() * grid.len(), grid.point(cell % grid.len()));
        let steps = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
        let steps = steps.filter(move |(dx, dy)| corners || *dx == 0 || *dy == 0);
        steps.filter_map(move |(dx, dy)| Some(first + grid.index(at.offset(dx, dy)?)?)).collect::<Vec<usize>>()
    };
    let mut around: Vec<usize> = cells.iter().flat_map(beside).collect();
    around.sort_unstable();
    around.dedup();
    around
}

/// Notes that among these cells there are so many of ships. Where that tells all about each of them, it is noted of each: sums cost more.
fn add_sum(facts: &mut Facts, cells: Vec<usize>, least: usize, most: usize) {
    if most == 0 {
        cells.into_iter().for_each(|cell| facts.close(cell));
    } else if least == cells.len() {
        cells.into_iter().for_each(|cell| facts.occupy(cell));
    } else if least > 0 || most < cells.len() {
        facts.add_sum(Sum { cells, least, most });
    }
}

/// Every cell of the boards alone, but those that are not wanted: the aims of a plain shot.
fn single_aims(boards: &[TargetBoard], is_wanted: impl Fn(&TargetBoard, Point) -> bool) -> Vec<Vec<usize>> {
    let cells = boards.iter().flat_map(|board| board.grid.points().map(move |cell| (board, cell)));
    let numbered = cells.enumerate().filter(|(_, (board, cell))| is_wanted(board, *cell));
    numbered.map(|(number, _)| vec![number]).collect()
}
