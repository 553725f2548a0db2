//! What is the same on every map of a size: the places of ships, and the cells that a weapon reaches. Made once for each size.

use crate::Cells;
use rules::entelect_2017::{Ship, Weapon};
use rules::{Direction, Grid, straight};
use std::sync::OnceLock;

/// The tables of one size of map.
#[derive(Debug)]
pub(crate) struct Map {
    /// All cells.
    pub(crate) all: Cells,
    /// The places of each ship on an empty map.
    places: [Vec<CellList>; 5],
    /// The cells that each weapon reaches, by the cell of its centre.
    reached: [Vec<CellList>; 7],
}

/// Some cells, as a set and in ascending order.
#[derive(Debug, Clone)]
pub(crate) struct CellList {
    pub(crate) cells: Cells,
    each: Vec<u8>,
}

impl CellList {
    fn new(cells: Cells) -> CellList {
        // No map has more than 16 x 16 cells.
        CellList { cells, each: cells.iter().map(|cell| cell as u8).collect() }
    }

    /// The cells in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.each.iter().map(|&cell| usize::from(cell))
    }
}

impl Map {
    /// The tables for maps of this size, which are squares.
    pub(crate) fn of(grid: Grid) -> &'static Map {
        const SIDES: usize = 17;
        static MAPS: [OnceLock<Map>; SIDES] = [const { OnceLock::new() }; SIDES];
        MAPS[grid.width() as usize].get_or_init(|| Map::new(grid))
    }

    fn new(grid: Grid) -> Map {
        let lists = |cells: &mut dyn Iterator<Item = Cells>| cells.map(CellList::new).collect();
        Map {
            all: (0..grid.len()).collect(),
            places: Ship::ALL.map(|ship| lists(&mut everywhere(grid, ship))),
            reached: Weapon::ALL.map(|weapon| {
                let around = |centre: rules::Point| {
                    Cells::at(grid, reach(weapon).iter().filter_map(|&(dx, dy)| centre.offset(dx, dy)))
                };
                lists(&mut grid.points().map(around))
            }),
        }
    }

    /// All places of `ship` on an empty map.
    pub(crate) fn places(&self, ship: Ship) -> &[CellList] {
        &self.places[ship.index()]
    }

    /// The cells that a shot of this weapon at a cell can hit something in.
    pub(crate) fn reached(&self, weapon: Weapon, centre: usize) -> &CellList {
        &self.reached[weapon as usize][centre]
    }
}

/// All places of `ship` on an empty map. To the east and to the north is enough: the others are the same cells.
fn everywhere(grid: Grid, ship: Ship) -> impl Iterator<Item = Cells> {
    let starts = grid.points().flat_map(|start| [Direction::East, Direction::North].map(|to| (start, to)));
    starts.filter_map(move |(start, direction)| {
        straight(start, direction, ship.length()).map(|point| grid.index(point?)).collect()
    })
}

/// The cells in which a weapon can hit something, relative to its centre.
pub(crate) fn reach(weapon: Weapon) -> &'static [(i32, i32)] {
    #[rustfmt::skip]
    const WITHIN_TWO: [(i32, i32); 13] = [
        (0, -2),
        (-1, -1), (0, -1), (1, -1),
        (-2, 0), (-1, 0), (0, 0), (1, 0), (2, 0),
        (-1, 1), (0, 1), (1, 1),
        (0, 2),
    ];
    if weapon == Weapon::SeekerMissile { &WITHIN_TWO } else { weapon.pattern() }
}
